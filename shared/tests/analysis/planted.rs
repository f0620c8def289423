//! What is said to be worth fixing, against the mistake that the simulated driver was told to make.

use trailbrake_shared::analysis::{Cause, Comparison, Thing, things};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::truth::CornerNote;
use trailbrake_shared::sim::{Mistake, MistakeKind, Options};

use super::heard::{HeardLap, Hearing, hear};

/// Where each feed is tried: circuit, seed, and a corner that has to be braked for. The last four were drawn when all that is
/// told of mistakes had been written.
const PLACES: [(Feed, usize, u64, u8); 8] = [
    (Feed::F12018, 0, 31, 5),
    (Feed::GranTurismo, 1, 32, 7),
    (Feed::AcRemote, 2, 33, 3),
    (Feed::AcTelemetryTool, 0, 34, 5),
    (Feed::F12018, 2, 4_131, 3),
    (Feed::GranTurismo, 0, 4_132, 5),
    (Feed::AcRemote, 1, 4_133, 7),
    (Feed::AcTelemetryTool, 2, 4_134, 3),
];
const LAP: u32 = 2;

fn practice(circuit: usize, seed: u64) -> Options {
    Options { cars: 1, player: 0, circuit, seed, again: false, ..Options::default() }
}

fn heard(feed: Feed, hz: u32, options: Options) -> Vec<HeardLap> {
    hear(&Hearing { feed, options, seconds: 230, hz, noise_m: 0.1, loses: 0.02 }).0
}

fn lap(laps: &[HeardLap]) -> &HeardLap {
    laps.iter().find(|lap| u32::from(lap.lap.number) == LAP).expect("the lap")
}

fn note(lap: &HeardLap, corner: u8) -> CornerNote {
    let notes = &lap.known.truth.corners;
    notes.iter().find(|note| note.corner == corner).copied().expect("a note")
}

/// A lap with a mistake, the same lap without it, and what comes of laying them side by side.
struct Planted {
    context: String,
    /// Of the lap and of the reference.
    notes: [CornerNote; 2],
    lost_s: f64,
    first: Thing,
    others: Vec<Thing>,
    /// How much later the throttle was found to come on, metres along the middle of the track, as notes are taken.
    throttle_later_m: Option<f64>,
    /// Metres between two packets at the speed of the braking.
    sample_m: f64,
}

/// Plants a mistake in every feed, at 60 and 20 Hz, and looks whether its corner comes first with its loss.
fn plant(what: MistakeKind) -> Vec<Planted> {
    let mut planted = Vec::new();
    for (feed, circuit, seed, corner) in PLACES {
        for hz in [60, 20] {
            let context = format!("{what:?}, {feed:?} at {hz} Hz");
            let mistake = Mistake { car: 0, lap: LAP, corner, what };
            let usual = heard(feed, hz, practice(circuit, seed));
            let worse = heard(feed, hz, Options { mistake: Some(mistake), ..practice(circuit, seed) });
            let (usual, worse) = (lap(&usual), lap(&worse));
            let notes = [worse, usual].map(|lap| note(lap, corner));
            let comparison = Comparison::new(&worse.columns(), &usual.columns()).expect("a comparison");
            // What was lost until the next corner: chance makes something else of corners that are come to at another speed.
            let end_m = comparison.losses.get(usize::from(corner)).expect("one more corner").from_m;
            let middle_m = usual.known.place_at(comparison.placed[1].clock_at(end_m).expect("a clock"));
            let lost_s = worse.known.time_at(middle_m) - usual.known.time_at(middle_m);
            assert!(lost_s > 0.04, "{context}: {lost_s} s");
            let mut things = things(&comparison, &[]).into_iter();
            let first = things.next().expect("a thing");
            assert_eq!(first.corner, u16::from(corner), "{context}: {first:?}");
            assert!((first.loss_s - lost_s).abs() < 0.03, "{context}: {} of {lost_s} s", first.loss_s);
            let middle_m = |nth: usize, lap: &HeardLap| {
                let row = comparison.tables[nth].rows.iter().find(|row| row.number == u16::from(corner))?;
                Some(lap.known.place_at(comparison.placed[nth].clock_at(row.throttle_on_m?)?))
            };
            let throttle_later_m = middle_m(0, worse).zip(middle_m(1, usual)).map(|(own, best)| own - best);
            let speed_ms = notes[0].braking.map_or(60.0, |braking| braking.on_speed_ms);
            // One packet may be lost between two.
            let sample_m = speed_ms * 2.0 / f64::from(hz);
            let others: Vec<Thing> = things.collect();
            // What is the same is no loss: the other corners cost nothing worth telling.
            assert!(others.iter().all(|thing| thing.loss_s < 0.5 * first.loss_s), "{context}: {others:?}");
            planted.push(Planted { context, notes, lost_s, first, others, throttle_later_m, sample_m });
        }
    }
    planted
}

impl Planted {
    /// Says that what was measured is not what is known.
    fn wrong(&self, known: f64) -> String {
        let Self { context, lost_s, first, others, .. } = self;
        format!("{context}: {first:?}, known {known}, lost {lost_s} s; besides {others:?}")
    }

    /// By how much something differs between the laps, as the simulator knows it: the lap's minus the reference's.
    fn differs(&self, of: impl Fn(&CornerNote) -> Option<f64>) -> f64 {
        let [lap, reference] = self.notes.each_ref().map(|note| of(note).expect("a number"));
        lap - reference
    }
}

#[test]
fn braking_fifteen_metres_earlier_is_found_as_that_corner_first_of_all() {
    for planted in plant(MistakeKind::BrakesEarly(15.0)) {
        let known_m = -planted.differs(|note| Some(note.braking?.on_m));
        assert!((known_m - 15.0).abs() < 3.0, "{known_m}");
        let Cause::BrakedEarlier { metres } = planted.first.cause else {
            panic!("{}", planted.wrong(known_m))
        };
        assert!((metres - known_m).abs() < planted.sample_m.max(3.0), "{}", planted.wrong(known_m));
        let sentence = planted.first.sentence("Turn 9");
        assert!(sentence.starts_with("Turn 9 at ") && sentence.contains(" m earlier, "), "{sentence}");
    }
}

#[test]
fn a_corner_driven_too_slowly_is_found_by_its_lowest_speed() {
    for planted in plant(MistakeKind::DrivesSlowly(0.93)) {
        let known_kmh = -3.6 * planted.differs(|note| Some(note.min_speed_ms));
        assert!(known_kmh > 3.0, "{known_kmh}");
        let Cause::SlowerApex { kmh } = planted.first.cause else { panic!("{}", planted.wrong(known_kmh)) };
        assert!((kmh - known_kmh).abs() < 1.0, "{}", planted.wrong(known_kmh));
    }
}

#[test]
fn a_throttle_that_is_waited_with_is_found_by_how_much_later_it_came() {
    for planted in plant(MistakeKind::WaitsWithThrottle(40.0)) {
        let known_m = planted.differs(|note| note.throttle_on_m);
        assert!(known_m > 10.0, "{known_m}");
        let Cause::ThrottleLater { metres } = planted.first.cause else {
            panic!("{}", planted.wrong(known_m))
        };
        // The line through a bend is shorter than the middle of the track, by a sixth at most here.
        assert!((0.8 * known_m..known_m + planted.sample_m).contains(&metres), "{}", planted.wrong(known_m));
        let later_m = planted.throttle_later_m.expect("both laps came on the throttle");
        assert!(
            (later_m - known_m).abs() < planted.sample_m.max(3.0),
            "{later_m} m: {}",
            planted.wrong(known_m)
        );
    }
}

#[test]
fn a_foot_that_comes_off_the_throttle_too_early_is_found_by_how_much() {
    for planted in plant(MistakeKind::LiftsEarly(110.0)) {
        let known_m = -planted.differs(|note| Some(note.braking?.lift_m));
        assert!((30.0..190.0).contains(&known_m), "{known_m}");
        let Cause::LiftedEarlier { metres } = planted.first.cause else {
            panic!("{}", planted.wrong(known_m))
        };
        assert!((metres - known_m).abs() < planted.sample_m.max(3.0), "{}", planted.wrong(known_m));
    }
}

#[test]
fn nothing_is_told_of_usual_laps_that_the_simulator_does_not_know_of() {
    let mut told = 0;
    for (feed, circuit, seed, _) in PLACES {
        for hz in [60, 20] {
            let laps = heard(feed, hz, practice(circuit, seed + 1000));
            for (lap, reference) in laps.iter().flat_map(|lap| laps.iter().map(move |other| (lap, other))) {
                let comparison = Comparison::new(&lap.columns(), &reference.columns()).expect("a comparison");
                for thing in things(&comparison, &[]) {
                    told += 1;
                    is_known(&thing, [lap, reference], &format!("{feed:?} at {hz} Hz: {thing:?}"), hz);
                }
            }
        }
    }
    assert!(told > 30, "{told}");
}

/// Looks whether a cause is one in the simulator too, as far as it takes notes of such.
fn is_known(thing: &Thing, laps: [&HeardLap; 2], context: &str, hz: u32) {
    let [own, best] = laps.map(|lap| note(lap, thing.corner as u8));
    let near = |told: f64, known: Option<f64>, within: f64| {
        // What the simulator took no note of in one of the laps can't be held against it.
        assert!(known.is_none_or(|known| (told - known).abs() < within), "{context}: known {known:?}");
    };
    let sample_m = best.braking.map_or(60.0, |braking| braking.on_speed_ms) * 2.0 / f64::from(hz);
    let once = own.other_brakings == 0 && best.other_brakings == 0;
    let brakings = own.braking.zip(best.braking).filter(|_| once);
    match thing.cause {
        Cause::BrakedEarlier { metres } => {
            near(metres, brakings.map(|(own, best)| best.on_m - own.on_m), sample_m.max(3.0));
        }
        Cause::BrakedLater { metres } => {
            near(metres, brakings.map(|(own, best)| own.on_m - best.on_m), sample_m.max(3.0));
        }
        Cause::LiftedEarlier { metres } => {
            near(metres, brakings.map(|(own, best)| best.lift_m - own.lift_m), sample_m.max(3.0));
        }
        Cause::SlowerApex { kmh } => {
            let slower = brakings.map(|_| (best.min_speed_ms - own.min_speed_ms) * 3.6);
            near(kmh, slower, 2.0);
        }
        Cause::ThrottleLater { metres } => {
            let later = brakings.and_then(|_| Some(own.throttle_on_m? - best.throttle_on_m?));
            near(metres, later, sample_m.max(3.0));
        }
        Cause::Coasted { .. } | Cause::SlowerExit { .. } => {}
        Cause::Aside(_) => assert!(!laps[0].known.truth.asides.is_empty(), "{context}"),
    }
}
