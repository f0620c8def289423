//! Laps of which the beginning, or most, was not received.

use trailbrake_shared::feed::Feed;
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::sim::Start;

use super::{PRACTICE, Stream, laps, streams};

/// In the middle of the first lap or stage, in seconds.
const JOINED_S: f64 = 45.0;

fn is_incomplete(lap: &Lap) -> bool {
    lap.flags.has(LapFlag::Incomplete) && !lap.flags.has(LapFlag::Valid) && lap.counts().is_none()
}

#[test]
fn a_lap_joined_late_is_incomplete_in_every_feed() {
    for stream in PRACTICE.iter() {
        let (Stream { name, feed, packets, .. }, whole) = (stream, stream.whole());
        let joined = laps(*feed, packets, |seconds| seconds > JOINED_S);
        assert!(!whole.iter().any(is_incomplete), "{name}: {whole:#?}");
        let [first, later @ ..] = joined.as_slice() else { panic!("{name}: no lap") };
        assert!(is_incomplete(first), "{name}: {first:#?}");
        assert!(!later.is_empty() && !later.iter().any(is_incomplete), "{name}: {later:#?}");
        assert_eq!(whole[whole.len() - joined.len()].time, first.time, "{name}");
    }
}

#[test]
fn a_race_joined_after_the_lights_has_an_incomplete_first_lap_in_every_feed() {
    for stream in streams(Start::Grid) {
        let Stream { name, feed, packets, .. } = &stream;
        if matches!(feed, Feed::DirtRally | Feed::EaWrc | Feed::AcServer) {
            // Their simulators have no such grid.
            continue;
        }
        let whole = stream.whole();
        assert!(whole.len() > 1 && !whole.iter().any(is_incomplete), "{name}: {whole:#?}");
        // The lights go out after six seconds, and the line is crossed a few seconds later.
        let joined = laps(*feed, packets, |seconds| seconds > 8.0);
        let [first, later @ ..] = joined.as_slice() else { panic!("{name}: no lap") };
        assert!(is_incomplete(first), "{name}: {first:#?}");
        assert!(!later.is_empty() && !later.iter().any(is_incomplete), "{name}: {later:#?}");
    }
}

#[test]
fn a_lap_of_which_only_the_beginning_and_the_end_were_received_is_incomplete_in_every_feed() {
    for stream in PRACTICE.iter() {
        let Stream { name, feed, packets, .. } = stream;
        let Some((from_s, to_s)) = stream.second_lap() else {
            assert!(matches!(feed, Feed::DirtRally | Feed::EaWrc), "each run of a stage is its first lap");
            continue;
        };
        let whole = stream.whole();
        // As in a clip of the neighbouring laps: it includes two seconds after the line, and three before the next.
        let clip = laps(*feed, packets, |seconds| !(from_s + 2.0..to_s - 3.0).contains(&seconds));
        let incomplete: Vec<bool> = clip.iter().map(is_incomplete).collect();
        let expected: Vec<bool> = (0..whole.len()).map(|place| place == 1).collect();
        assert_eq!(incomplete, expected, "{name}: {clip:#?}");
    }
}
