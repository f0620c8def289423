//! The advice, compared with the mistake that the simulated driver was made to make.

use std::sync::Arc;

use trailbrake_shared::analysis::ledger::{Figure, Part};
use trailbrake_shared::analysis::{Advice, Comparison, ThingsToFix, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::truth::CornerNote;
use trailbrake_shared::sim::{Mistake, MistakeKind, Options};
use trailbrake_shared::units::Units;

use super::simulated::{SimulatedLap, Simulation, simulated_once};

/// For each feed: circuit, seed, and a corner that needs braking. The last four were drawn after the detection of
/// mistakes was written.
const PLACES: [(Feed, usize, u64, u8); 8] = [
    (Feed::F1, 0, 31, 5),
    (Feed::GranTurismo, 1, 32, 7),
    (Feed::AcRemote, 2, 33, 3),
    (Feed::AcTelemetryTool, 0, 34, 5),
    (Feed::F1, 2, 4_131, 3),
    (Feed::GranTurismo, 0, 4_132, 5),
    (Feed::AcRemote, 1, 4_133, 7),
    (Feed::AcTelemetryTool, 2, 4_134, 3),
];
const LAP: u32 = 2;

fn practice(circuit: usize, seed: u64) -> Options {
    Options { cars: 1, player: 0, circuit, seed, again: false, ..Options::default() }
}

fn simulated_laps(feed: Feed, hz: u32, options: Options) -> Arc<Vec<SimulatedLap>> {
    simulated_once(&Simulation { feed, options, seconds: 230, hz, noise_m: 0.1, loses: 0.02 })
}

fn lap(laps: &[SimulatedLap]) -> &SimulatedLap {
    laps.iter().find(|lap| u32::from(lap.lap.number) == LAP).expect("the lap")
}

fn note(lap: &SimulatedLap, corner: u8) -> CornerNote {
    let notes = &lap.known.truth.corners;
    notes.iter().find(|note| note.corner == corner).copied().expect("a note")
}

fn advice(comparison: &Comparison) -> Vec<Advice> {
    ThingsToFix::of(&comparison.ledger, &comparison.corners, &[]).advice
}

/// A lap with a mistake, the same lap without it, and their comparison.
struct PlantedMistake {
    context: String,
    /// Of the lap and of the reference.
    notes: [CornerNote; 2],
    lost_s: f64,
    first: Advice,
    others: Vec<Advice>,
    /// How much later the throttle point was found, in metres along the middle of the track, as in the notes.
    throttle_later_m: Option<f64>,
    /// Metres between two packets at the speed of the braking.
    sample_m: f64,
}

/// Plants a mistake in every feed, at 60 and 20 Hz, and checks that its corner comes first with its loss.
fn plant(what: MistakeKind) -> Vec<PlantedMistake> {
    let mut planted = Vec::new();
    for (feed, circuit, seed, corner) in PLACES {
        for hz in [60, 20] {
            let context = format!("{what:?}, {feed:?} at {hz} Hz");
            let mistake = Mistake { car: 0, lap: LAP, corner, what };
            let usual = simulated_laps(feed, hz, practice(circuit, seed));
            let worse =
                simulated_laps(feed, hz, Options { mistakes: vec![mistake], ..practice(circuit, seed) });
            let (usual, worse) = (lap(&usual), lap(&worse));
            let notes = [worse, usual].map(|lap| note(lap, corner));
            let comparison = compare(&worse.columns(), &usual.columns()).expect("a comparison");
            // The loss until the next corner that is braked for: it is entered at another speed, and chance differs there.
            let rows = &comparison.tables[0].rows;
            let next = (usize::from(corner)..rows.len()).find(|index| rows[*index].flat != Some(true));
            let next = comparison.losses[next.expect("one more corner")];
            let lost_until_s = |place_m: f64| {
                let middle_m = usual.known.place_at(comparison.placed[1].clock_at(place_m).expect("a clock"));
                worse.known.time_at(middle_m) - usual.known.time_at(middle_m)
            };
            let (lost_s, then_s) = (lost_until_s(next.from_m), lost_until_s(next.to_m));
            assert!(lost_s > 0.04, "{context}: {lost_s} s");
            let mut advice = advice(&comparison).into_iter();
            let first = advice.next().expect("a thing");
            // A lift may begin in a corner before that is taken flat out.
            let flat = comparison.tables[1].rows[usize::from(corner) - 2].flat == Some(true)
                && (first.cause.part, first.row.corner) == (Part::Lift, Some(u16::from(corner) - 1));
            assert!(flat || first.row.corner == Some(u16::from(corner)), "{context}: {first:?}");
            // A fifth, within the accuracy of milliseconds at this rate. What a slower exit costs in the next corner belongs
            // to it, too.
            let within_s = (0.2 * lost_s).clamp(0.008, 0.02);
            let known = lost_s.min(then_s) - within_s..lost_s.max(then_s) + within_s;
            assert!(flat || known.contains(&first.loss_s), "{context}: {} of {lost_s} s", first.loss_s);
            let middle_m = |nth: usize, lap: &SimulatedLap| {
                let row = comparison.tables[nth].rows.iter().find(|row| row.number == u16::from(corner))?;
                Some(lap.known.place_at(comparison.placed[nth].clock_at(row.throttle_on_m?)?))
            };
            let throttle_later_m = middle_m(0, worse).zip(middle_m(1, usual)).map(|(own, best)| own - best);
            let speed_ms = notes[0].braking.map_or(60.0, |braking| braking.on_speed_ms);
            // One packet may be lost between two.
            let sample_m = speed_ms * 2.0 / f64::from(hz);
            let others: Vec<Advice> = advice.collect();
            // The laps are otherwise the same, so other corners have no notable loss.
            assert!(others.iter().all(|thing| thing.loss_s < 0.5 * first.loss_s), "{context}: {others:?}");
            planted.push(PlantedMistake {
                context,
                notes,
                lost_s,
                first,
                others,
                throttle_later_m,
                sample_m,
            });
        }
    }
    planted
}

impl PlantedMistake {
    /// A failure message: the measured value differs from the known one.
    fn wrong(&self, known: f64) -> String {
        let Self { context, lost_s, first, others, .. } = self;
        format!("{context}: {first:?}, known {known}, lost {lost_s} s; besides {others:?}")
    }

    /// The true difference of a value between the laps: the lap's minus the reference's.
    fn differs(&self, of: impl Fn(&CornerNote) -> Option<f64>) -> f64 {
        let [lap, reference] = self.notes.each_ref().map(|note| of(note).expect("a number"));
        lap - reference
    }
}

impl PlantedMistake {
    /// By how much the figure of the first cause differs, if it is this part.
    fn measured(&self, part: Part, figure: Figure, known: f64) -> f64 {
        let measured = self.first.cause.measured.filter(|_| self.first.cause.part == part);
        let measured = measured.filter(|measured| measured.figure == figure);
        measured.unwrap_or_else(|| panic!("{}", self.wrong(known))).more()
    }
}

#[test]
fn braking_fifteen_metres_earlier_is_found_as_that_corner_first_of_all() {
    for planted in plant(MistakeKind::BrakesEarly(15.0)) {
        let known_m = -planted.differs(|note| Some(note.braking?.on_m));
        assert!((known_m - 15.0).abs() < 3.0, "{known_m}");
        let metres = -planted.measured(Part::BrakePoint, Figure::PlaceM, known_m);
        assert!((metres - known_m).abs() < planted.sample_m.max(3.0), "{}", planted.wrong(known_m));
        let sentence = planted.first.sentence("Turn 9", &Units::default());
        assert!(
            sentence.starts_with("Turn 9: Braked ") && sentence.contains(" m too early. Brake "),
            "{sentence}"
        );
    }
}

#[test]
fn a_corner_driven_too_slowly_is_found_by_its_lowest_speed() {
    for planted in plant(MistakeKind::DrivesSlowly(0.93)) {
        let known_kmh = -3.6 * planted.differs(|note| Some(note.min_speed_ms));
        assert!(known_kmh > 3.0, "{known_kmh}");
        let kmh = -3.6 * planted.measured(Part::MinimumSpeed, Figure::SpeedMs, known_kmh);
        assert!((kmh - known_kmh).abs() < 1.0, "{}", planted.wrong(known_kmh));
    }
}

#[test]
fn a_throttle_that_is_waited_with_is_found_by_how_much_later_it_came() {
    for planted in plant(MistakeKind::WaitsWithThrottle(25.0)) {
        let known_m = planted.differs(|note| note.throttle_on_m);
        assert!(known_m > 10.0, "{known_m}");
        let metres = planted.measured(Part::Throttle, Figure::ThrottleOnM, known_m);
        // The racing line through a bend is shorter than the middle of the track, by a sixth at most here.
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
    for planted in plant(MistakeKind::LiftsEarly(85.0)) {
        let known_m = -planted.differs(|note| Some(note.braking?.lift_m));
        assert!((30.0..190.0).contains(&known_m), "{known_m}");
        if planted.first.cause.part == Part::Lift && planted.first.cause.measured.is_none() {
            // It lies in the corner before, which the reference takes flat out.
            continue;
        }
        let metres = -planted.measured(Part::Lift, Figure::PlaceM, known_m);
        assert!((metres - known_m).abs() < planted.sample_m.max(3.0), "{}", planted.wrong(known_m));
    }
}

#[test]
fn advice_on_usual_laps_is_confirmed_by_the_simulator() {
    let mut count = 0;
    for (feed, circuit, seed, _) in PLACES {
        for hz in [60, 20] {
            let laps = simulated_laps(feed, hz, practice(circuit, seed + 1000));
            for (lap, reference) in laps.iter().flat_map(|lap| laps.iter().map(move |other| (lap, other))) {
                let comparison = compare(&lap.columns(), &reference.columns()).expect("a comparison");
                for thing in advice(&comparison).into_iter().filter(|thing| thing.row.corner.is_some()) {
                    count += 1;
                    let context = format!(
                        "{feed:?} at {hz} Hz, {} beside {}: {thing:?}",
                        lap.lap.number, reference.lap.number
                    );
                    LapAnswer { thing, laps: [lap, reference], comparison: &comparison, context, hz }
                        .is_known();
                }
            }
        }
    }
    assert!(count > 30, "{count}");
}

/// The advice for a lap compared with another.
struct LapAnswer<'a> {
    thing: Advice,
    laps: [&'a SimulatedLap; 2],
    comparison: &'a Comparison,
    context: String,
    hz: u32,
}

impl LapAnswer<'_> {
    /// Checks that the simulator confirms the cause.
    fn is_known(&self) {
        let Self { thing, laps: [own, best], context, hz, .. } = self;
        let near = |value: f64, known: f64, within: f64| {
            assert!((value - known).abs() < within, "{context}: known {known:?}");
        };
        let [own_note, best_note] = self.laps.map(|lap| note(lap, self.corner() as u8));
        let [own_bend, best_bend] = [0, 1].map(|which| self.bend_m(which));
        let sample_m = best_note.braking.map_or(60.0, |braking| braking.on_speed_ms) * 2.0 / f64::from(*hz);
        // A lost packet may decide which of two brakings is the harder one.
        let once = own_note.other_brakings == 0 && best_note.other_brakings == 0;
        let brakings = own_note.braking.zip(best_note.braking).filter(|_| once);
        let on_m = |note: &CornerNote| note.braking.map(|braking| braking.on_m);
        let Some(measured) = thing.cause.measured else { return };
        let more = measured.more();
        match (thing.cause.part, measured.figure) {
            (Part::BrakePoint, Figure::PlaceM) => {
                let Some((own, best)) = brakings else { return assert!(!once, "{context}: nobody braked") };
                near(more, own.on_m - best.on_m, sample_m.max(3.0));
            }
            (Part::Lift, Figure::PlaceM) => {
                let lifts = brakings.map(|(own, best)| (own.lift_m, best.lift_m)).or_else(|| {
                    let lift_m = |lap: &SimulatedLap, [entry_m, apex_m, _]: [f64; 3]| {
                        lap.known.lift_m(entry_m - 320.0, apex_m)
                    };
                    lift_m(own, own_bend).zip(lift_m(best, best_bend)).filter(|_| once)
                });
                let Some((own, best)) = lifts else { return assert!(!once, "{context}: nobody lifted") };
                near(more, own - best, sample_m.max(3.0));
            }
            (Part::MinimumSpeed, Figure::SpeedMs) => {
                let [entry_m, _, exit_m] = own_bend;
                let slows = own_note.braking.is_some() || own.known.eased_s(entry_m, exit_m) > 0.1;
                assert!(slows, "{context}: the lap is flat there");
                let slowest = |lap: &SimulatedLap, bend: [f64; 3], note: &CornerNote| {
                    lap.known.slowest(bend, on_m(note)).speed_ms
                };
                let (own_ms, best_ms) =
                    (slowest(own, own_bend, &own_note), slowest(best, best_bend, &best_note));
                if once {
                    near(more * 3.6, (own_ms - best_ms) * 3.6, 2.0);
                }
            }
            (_, Figure::ThrottleOnM) => {
                let later = own_note.throttle_on_m.zip(best_note.throttle_on_m).filter(|_| once);
                if let Some((own, best)) = later {
                    near(more, own - best, sample_m.max(3.0));
                }
            }
            (_, Figure::ReleaseM) => {
                if let Some((own, best)) = brakings {
                    near(more, own.release_m - best.release_m, sample_m.max(4.0));
                }
            }
            (_, Figure::CoastingS) => {
                let coasted_s = |lap: &SimulatedLap, note: &CornerNote, [entry_m, _, exit_m]: [f64; 3]| {
                    let lift_m = note.braking.map_or(entry_m, |braking| braking.lift_m);
                    lap.known.coasted_s(lift_m.min(entry_m), exit_m)
                };
                let known = coasted_s(own, &own_note, own_bend) - coasted_s(best, &best_note, best_bend);
                near(more, known, 4.0 / f64::from(*hz));
            }
            (Part::Excursion, _) => assert!(!own.known.truth.excursions.is_empty(), "{context}"),
            _ => {}
        }
    }

    /// The number of the corner.
    fn corner(&self) -> u16 {
        self.thing.row.corner.expect("a corner")
    }

    /// The entry, apex and exit of the corner as one of the laps drove it, in metres along the middle of the track.
    fn bend_m(&self, which: usize) -> [f64; 3] {
        let Self { laps, comparison, .. } = self;
        let corner =
            comparison.corners.iter().find(|corner| corner.number == self.corner()).expect("a corner");
        let middle_m = |place: f64| {
            laps[which].known.place_at(comparison.placed[which].clock_at(place).expect("a clock"))
        };
        [corner.entry_m, corner.apex_m, corner.exit_m].map(middle_m)
    }
}
