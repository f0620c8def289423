//! Tasks are checked, changed, continued and merged.

use proptest::prelude::*;
use trailbrake_analysis::task::{
    CornerLaps, LapMean, Outcome, TaskCorner, TaskLaps, TaskMeasure, TaskTarget,
};
use trailbrake_model::time::Micros;

use super::authored::{self, Authored, AuthoredError, AuthoredKind, MOST_LAPS, deleted, merge};
use super::tasks::{RecordedLaps, Task, TaskBrief, TaskChange, TaskState, continued_in, tasks};
use super::{Facts, Info, Opening, Recording, RecordingBuilder, RecordingId, read_whole};

const ID: RecordingId = RecordingId(3);

fn laps(count: u32, seconds: f64) -> CornerLaps {
    let mean = |mean: f64, deviation: f64| LapMean { laps: count, mean, deviation };
    CornerLaps { time_s: mean(seconds, 0.07), value: mean(391.0, 3.0), mistakes: 0 }
}

fn driven(recording: u128, count: u32, seconds: f64) -> RecordedLaps {
    let laps = TaskLaps { hits: count, nears: 0, misses: 0, laps: laps(count, seconds) };
    RecordedLaps { recording: RecordingId(recording), laps }
}

fn task(created: u64, words: &str) -> Task {
    Task {
        recording: ID,
        created: Micros(created),
        brief: TaskBrief {
            author: "Ann".to_owned(),
            track: "Spa".to_owned(),
            corner: TaskCorner { number: 5, apex_m: 460.0, from_m: 300.0, to_m: 700.0 },
            words: words.to_owned(),
            target: TaskTarget::new(TaskMeasure::BrakePoint, 400.0),
            laps: 12,
            baseline: laps(12, 8.0),
        },
        done: false,
        driven: Vec::new(),
    }
}

fn new_task() -> TaskBrief {
    task(5, "Brake at the 100 board").brief
}

fn with(tasks: &[(&Task, u64)]) -> Facts {
    let mut facts = Facts::default();
    for (task, written) in tasks {
        facts.store(&task.name(), task.stored(Micros(*written)));
    }
    facts
}

fn recording() -> Recording {
    let info = Info {
        id: ID,
        parent: None,
        created: Micros(1_000_000),
        feed: "f1-2018".to_owned(),
        program: "test".to_owned(),
        others_left_out: false,
    };
    let end = RecordingBuilder::new(&info).finish();
    let mut opening = Opening::new(end.bytes.len() as u64);
    read_whole(&mut opening, &end.bytes);
    opening.finish().expect("a recording")
}

#[test]
fn a_new_task_is_checked() {
    let recording = recording();
    let write = |new: TaskBrief| {
        let written = authored::written::<Task>(&recording, &Facts::default(), &new, Micros(5));
        written.map(|(name, _)| name)
    };
    assert_eq!(write(new_task()), Ok(task(5, "").name()));
    let check = |change: &dyn Fn(&mut TaskBrief), expected: AuthoredError| {
        let mut new = new_task();
        change(&mut new);
        assert_eq!(write(new), Err(expected));
        assert!(!expected.to_string().is_empty());
    };
    check(&|new| new.author = " ".to_owned(), AuthoredError::Author(AuthoredKind::Task));
    check(&|new| new.author = "Ann\nBob".to_owned(), AuthoredError::Author(AuthoredKind::Task));
    check(&|new| new.words = String::new(), AuthoredError::Words);
    check(&|new| new.words = "x".repeat(500), AuthoredError::Words);
    check(&|new| new.track = "x".repeat(500), AuthoredError::Track);
    check(&|new| new.corner.from_m = 500.0, AuthoredError::Corner);
    check(&|new| new.corner.apex_m = f64::NAN, AuthoredError::Corner);
    check(&|new| new.target.tolerance = 0.0, AuthoredError::Target);
    check(&|new| new.laps = 0, AuthoredError::Laps);
    check(&|new| new.laps = MOST_LAPS + 1, AuthoredError::Laps);
    check(&|new| new.baseline.time_s.mean = f64::INFINITY, AuthoredError::Times);
}

#[test]
fn a_task_goes_on_over_recordings() {
    let first = task(5, "Brake later");
    let mut facts = with(&[(&first, 5)]);
    let mut drive = |recorded: RecordedLaps, at: u64| {
        let change = TaskChange { driven: Some(recorded), ..TaskChange::default() };
        let (name, stored) = authored::changed(&facts, &first.name(), |task| change.apply(task), Micros(at))
            .expect("a change");
        facts.store(&name, stored);
        tasks(&facts).remove(0)
    };
    let task = drive(driven(3, 6, 7.9), 6);
    assert_eq!(task.verdict().map(|verdict| verdict.outcome), Some(Outcome::NotEnoughLaps { more: 6 }));
    assert_eq!(task.state(), TaskState::Improving);
    let task = drive(driven(4, 8, 7.9), 7);
    assert_eq!(task.verdict().map(|verdict| verdict.outcome), Some(Outcome::PaidOff));
    assert_eq!(task.driven_before(RecordingId(4)).marked(), 6);
    // Another recording takes the task over, whole.
    let (name, stored) = continued_in(&Facts::default(), task.clone(), Micros(8)).expect("a task");
    let mut next = Facts::default();
    next.store(&name, stored);
    assert_eq!((name, tasks(&next)), (first.name(), vec![task.clone()]));
    assert_eq!(Task { done: true, ..task.clone() }.state(), TaskState::Done);
    assert_eq!(Task { driven: Vec::new(), ..task.clone() }.state(), TaskState::Active);
    let impossible = Task { brief: TaskBrief { laps: 0, ..task.brief.clone() }, ..task };
    assert_eq!(continued_in(&next, impossible, Micros(9)), Err(AuthoredError::Laps));
    let nothing = |_: &mut Task| Ok(());
    assert_eq!(
        authored::changed(&facts, "labels", nothing, Micros(9)),
        Err(AuthoredError::NotThere(AuthoredKind::Task))
    );
}

#[test]
fn what_was_deleted_stays_deleted() {
    let task = task(5, "Brake later");
    let ours = with(&[(&task, 900)]);
    let (name, gone) = deleted(&ours, AuthoredKind::Task, &task.name(), Micros(20)).expect("a task");
    let mut without = ours.clone();
    without.store(&name, gone);
    let merged = merge((ID, &without), (ID, &ours)).expect("copies of one");
    assert_eq!(tasks(&merged), []);
    assert_eq!(
        deleted(&without, AuthoredKind::Task, &name, Micros(21)),
        Err(AuthoredError::NotThere(AuthoredKind::Task))
    );
}

#[test]
fn what_a_later_version_added_survives_merging() {
    let task = task(5, "Brake later");
    let mut facts = with(&[(&task, 900)]);
    let mut stored = facts.stored(&task.name()).expect("a task").clone();
    stored.json.truncate(stored.json.len() - 1);
    stored.json.extend(br#","of-later":5}"#);
    facts.store(&task.name(), stored);
    assert_eq!(merge((ID, &facts), (ID, &facts)), Ok(facts));
}

/// A copy of a recording: up to four tasks, each written, changed or deleted at some time.
fn copy() -> impl Strategy<Value = Facts> {
    let one = (0..3_u64, 0..4_u64, 0..5_u8, prop::collection::vec((0..3_u128, 0..6_u32), 0..3));
    prop::collection::vec(one, 0..5).prop_map(|tasks| {
        let mut facts = Facts::default();
        for (created, written, kind, recorded) in tasks {
            let mut task =
                task(created, ["Brake later", "Release later", "No coasting"][usize::from(kind % 3)]);
            for (recording, count) in recorded {
                task.driven.retain(|known| known.recording != RecordingId(recording));
                task.driven.push(driven(recording, count, 7.9));
            }
            task.driven.sort_by_key(|known| known.recording);
            facts.store(&task.name(), task.stored(Micros(written)));
            if kind == 4 {
                facts.remove(Micros(written), &task.name());
            }
        }
        facts
    })
}

proptest! {
    #[test]
    fn two_copies_merge_in_either_order(one in copy(), other in copy()) {
        let merge = |one: &Facts, other: &Facts| merge((ID, one), (ID, other)).expect("copies of one");
        let merged = merge(&one, &other);
        prop_assert_eq!(&merge(&other, &one), &merged);
        prop_assert_eq!(&merge(&merged, &other), &merged);
        prop_assert_eq!(&merge(&one, &merged), &merged);
        for task in tasks(&merged) {
            prop_assert!(task.driven.is_sorted_by_key(|recorded| recorded.recording));
        }
    }
}
