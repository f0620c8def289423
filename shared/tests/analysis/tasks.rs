//! Coaching tasks: live marks against those of the later comparison, and verdicts on laps of drivers who follow a task
//! or don't.

use trailbrake_shared::analysis::task::{
    CornerLaps, CornerPass, CornerSection, MarkedPass, Outcome, TaskCorner, TaskLaps, TaskMeasure,
    TaskTarget, Verdict,
};
use trailbrake_shared::analysis::{CornerReference, LapColumns, ReferenceLine, TrackBook, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::session::{DriverChoices, FollowedTask, Receiver, Retention, Session, choices};
use trailbrake_shared::sim::random::Random;
use trailbrake_shared::sim::{Demo, Options, PlantedTask};
use trailbrake_shared::time::Micros;
use trailbrake_shared::units::Units;
use trailbrake_shared::wire::Datagram;

use super::simulated::{SimulatedLap, Simulation, simulate};

const HZ: u32 = 60;
const LOSES: f64 = 0.02;

/// A live mark, with the serials of its lap and of the reference.
struct LiveMark {
    serial: u32,
    reference: u32,
    marked: MarkedPass,
}

fn learn(lap: &LapColumns<'_>) -> CornerReference {
    let line = ReferenceLine::learn(lap).expect("a line");
    CornerReference::learn(lap, Some(&line), &TrackBook::default()).expect("corners")
}

/// A task in the session's second braking corner: what the reference does there, but a little more.
fn task(session: &Session, measure: TaskMeasure) -> Option<FollowedTask> {
    let corners = session.live_comparison().reference()?.corners.as_ref()?;
    let (corner, _) = corners.brake_points().nth(1)?;
    let section = CornerSection::at(corners, corner.apex_m)?;
    let (_, row) = corners.rows().find(|(other, _)| other.number == corner.number)?;
    let target = TaskTarget::new(measure, measure.of(row)? + if measure.is_place() { 2.0 } else { 0.1 });
    Some(FollowedTask { corner: TaskCorner::from(&section), target, laps: 12, before: TaskLaps::default() })
}

/// Drives for some minutes with a task; returns its live marks.
fn drive(feed: Feed, year: u16, seed: u64, measure: TaskMeasure) -> (Receiver, FollowedTask, Vec<LiveMark>) {
    let began = Micros(1_000_000);
    let options = Options { cars: 1, player: 0, seed, year, ..Options::default() };
    let mut demo = Demo::new(feed, options, began).expect("a demo");
    let mut receiver = Receiver::new(Retention { player_bytes: usize::MAX, ..Retention::default() });
    let mut lost = Random::new(seed);
    let (mut followed, mut marks): (Option<FollowedTask>, Vec<LiveMark>) = (None, Vec::new());
    for frame in 1..=600 * HZ {
        let now = Micros(began.0 + u64::from(frame) * 1_000_000 / u64::from(HZ) - 1_000);
        demo.advance(now, &mut |at, bytes| {
            if lost.unit() >= LOSES {
                let datagram =
                    Datagram { at, sender: ([127, 0, 0, 1], 9).into(), port: 0, feed: Some(feed), bytes };
                receiver.receive(&datagram).expect("a packet");
            }
        });
        let Some(session) = receiver.session_mut() else { continue };
        if followed.is_none() {
            followed = task(session, measure);
            choices::choose(session, DriverChoices { task: followed.clone(), ..DriverChoices::default() });
        }
        let comparison = session.live_comparison();
        let Some(result) = comparison.task().latest() else { continue };
        if marks.last().is_none_or(|last| last.serial != result.serial) {
            let reference =
                comparison.reference().expect("a reference").serial().expect("a lap of this session");
            // The corner is behind the car, and the lap goes on.
            let place_m = comparison.corners().place_m().expect("a place");
            let exit_m = followed.as_ref().expect("a task").corner.apex_m;
            assert!((exit_m..exit_m + 400.0).contains(&place_m), "{place_m} m behind {exit_m} m");
            marks.push(LiveMark { serial: result.serial, reference, marked: result.marked });
        }
    }
    (receiver, followed.expect("a task"), marks)
}

#[test]
fn live_marks_are_those_of_the_later_comparison() {
    let (mut alike, mut count) = (0, 0);
    for (feed, year, seed, measure) in [
        (Feed::F1, 2018, 7311, TaskMeasure::BrakePoint),
        (Feed::F1, 2018, 7312, TaskMeasure::ThrottlePoint),
        (Feed::F1, 2025, 7313, TaskMeasure::BrakePoint),
        (Feed::GranTurismo, 0, 7313, TaskMeasure::BrakePoint),
        (Feed::GranTurismo, 0, 7314, TaskMeasure::MinimumSpeed),
        (Feed::AcRemote, 0, 7315, TaskMeasure::BrakePoint),
        (Feed::AcRemote, 0, 7316, TaskMeasure::MinimumSpeed),
    ] {
        let (receiver, task, marks) = drive(feed, year, seed, measure);
        let session = receiver.session().expect("a session");
        let state = session.player().and_then(|player| session.car(player)).expect("a player");
        let columns = |serial: u32| {
            let lap = state.laps.finished().iter().find(|lap| lap.serial == serial)?;
            Some(LapColumns::new(lap, state.traces.lap(serial).expect("columns")))
        };
        assert!(marks.len() >= 4, "{feed:?} {measure:?}: {} marks", marks.len());
        let (hits, marked) = session.live_comparison().task().count();
        let live_hits =
            marks.iter().filter(|live| live.marked.off.is_some_and(|off| is_hit(&task.target, off)));
        assert_eq!(
            (hits as usize, marked as usize),
            (live_hits.count(), marks.len()),
            "{feed:?} {measure:?}"
        );
        for live in &marks {
            // The lap under way at the end has no comparison.
            let Some(lap) = columns(live.serial) else { continue };
            let reference = columns(live.reference).expect("the reference");
            let comparison = compare(&lap, &reference).expect("a comparison");
            let corners = learn(&reference);
            let section = task.corner.section(&corners).expect("the corner");
            let context = format!("{feed:?} {measure:?}, lap {} against {}", live.serial, live.reference);
            let later = CornerPass::compared(&comparison, &lap, &corners, &section, measure);
            let later = later.unwrap_or_else(|| panic!("{context}: no pass"));
            let marked = task.target.mark(later.value).unwrap_or_else(|| panic!("{context}: no mark"));
            let apart = live.marked.measured.zip(marked.measured).map(|(live, later)| (live - later).abs());
            let within = if measure.is_place() { 3.0 } else { 0.4 };
            assert!(
                apart.is_some_and(|apart| apart < within),
                "{context}: {live:?}, later {marked:?}",
                live = live.marked
            );
            // On the reference's own line it is the same lap again.
            let again = CornerPass::of(&corners, &lap, &section, measure).expect("a pass");
            let seconds = again.seconds.zip(later.seconds).map(|(one, other)| (one - other).abs());
            assert!(seconds.is_some_and(|apart_s| apart_s < 0.02), "{context}: {again:?}, {later:?}");
            alike += usize::from(marked.mark == live.marked.mark);
            count += 1;
        }
    }
    assert!(alike * 20 >= count * 19, "{alike} of {count} marks");
}

fn is_hit(target: &TaskTarget, off: f64) -> bool {
    use trailbrake_shared::analysis::task::{PassValue, TaskMark};
    let marked = target.mark(PassValue::Known(target.goal + off)).expect("a mark");
    marked.mark == TaskMark::Hit
}

/// The first lap with the task, and the last one.
const FROM_LAP: u32 = 16;
const LAST_LAP: u32 = 27;
const HABIT_M: f64 = 16.0;
/// Feeds, circuits, seeds, and corners that need braking.
const PLACES: [(Feed, usize, u64, u8); 3] =
    [(Feed::F1, 0, 7321, 5), (Feed::GranTurismo, 1, 7322, 7), (Feed::AcRemote, 2, 7323, 3)];

/// Drives twelve laps without a task and twelve with one. Returns the verdict, the number of laps in which the driver
/// followed it, and both in words.
fn coached(feed: Feed, circuit: usize, seed: u64, corner: u8, share: f64) -> (Verdict, u32, String) {
    let planted =
        PlantedTask { car: 0, corner, habit_m: HABIT_M, from_lap: FROM_LAP, share, brakes_later_m: HABIT_M };
    let options = Options {
        cars: 1,
        player: 0,
        circuit,
        seed,
        again: false,
        task: Some(planted),
        ..Options::default()
    };
    // No lap takes longer.
    let seconds = LAST_LAP * 90;
    let (laps, _) = simulate(&Simulation { feed, options, seconds, hz: 60, noise_m: 0.1, loses: 0.02 });
    let number = |lap: &&SimulatedLap| u32::from(lap.lap.number);
    let before: Vec<&SimulatedLap> = laps.iter().filter(|lap| (4..FROM_LAP).contains(&number(lap))).collect();
    let after: Vec<&SimulatedLap> =
        laps.iter().filter(|lap| (FROM_LAP..=LAST_LAP).contains(&number(lap))).collect();
    assert_eq!((before.len(), after.len()), (12, 12), "{feed:?}");
    let reference = before.iter().min_by_key(|lap| lap.lap.time).expect("a reference");
    let columns = reference.columns();
    let corners = learn(&columns);
    let place_m = {
        let note = reference.known.truth.corners.iter().find(|note| note.corner == corner).expect("a note");
        let [placed, _] = compare(&columns, &columns).expect("a comparison").placed;
        placed.place_at(reference.known.time_at(note.min_speed_m)).expect("a place")
    };
    let section = CornerSection::at(&corners, place_m).expect("the corner");
    let pass = |lap: &&SimulatedLap| {
        CornerPass::of(&corners, &lap.columns(), &section, TaskMeasure::BrakePoint).expect("a pass")
    };
    let baseline: Vec<CornerPass> = before.iter().map(pass).collect();
    let driven: Vec<CornerPass> = after.iter().map(pass).collect();
    let baseline = CornerLaps::of(&baseline);
    let target = TaskTarget {
        tolerance: 7.0,
        ..TaskTarget::new(TaskMeasure::BrakePoint, baseline.value.mean + HABIT_M)
    };
    let followed = after.iter().filter(|lap| lap.known.truth.followed_task).count() as u32;
    let verdict = Verdict::of(&baseline, &TaskLaps::of(&target, &driven), 12).expect("a baseline");
    let words = format!(
        "{feed:?}, circuit {circuit}, T{corner}, followed in {followed} laps: {}",
        verdict.sentence(&target, &Units::default())
    );
    (verdict, followed, words)
}

#[test]
fn a_task_that_is_followed_pays_off_and_one_that_is_not_does_not() {
    for (feed, circuit, seed, corner) in PLACES {
        let (verdict, followed, words) = coached(feed, circuit, seed, corner, 0.9);
        assert!(followed >= 8, "{words}");
        // Chance moves some brake points out of the tolerance.
        assert!(verdict.driven.hits <= followed && verdict.driven.hits + 3 >= followed, "{words}");
        assert_eq!(verdict.outcome, Outcome::PaidOff, "{words}");
    }
    let [(feed, circuit, seed, corner), ..] = PLACES;
    let (verdict, followed, words) = coached(feed, circuit, seed, corner, 0.0);
    assert_eq!((followed, verdict.outcome), (0, Outcome::NotHit), "{words}");
    // Worn tyres may cost time, but nothing is gained.
    assert!(verdict.time_s.is_some_and(|change| change.by > -0.04), "{words}");
}
