//! Why laps are flagged.

use super::*;

#[test]
fn a_replay_that_was_joined_in_its_middle_stays_one() {
    let watched = |updates: &[LapProgress]| {
        let mut laps = CarLaps::default();
        for progress in updates {
            laps.progress(progress);
            laps.watched_in_replay();
        }
        laps
    };
    // Without a clock, the official time says that the first lap began before its first packet.
    let mut updates = stream(&three());
    updates.iter_mut().for_each(|progress| progress.clock = None);
    let laps = watched(&updates[HZ as usize * 40..HZ as usize * 170]);
    check(
        &laps,
        &[
            "1 1:23.006 [25.001 30.002 28.003] incomplete, replay stint 1",
            "2 1:21.122 [24.500 29.499 27.123] replay stint 1",
        ],
    );
    // Of a lap without packets, too, as it follows one that was watched.
    let updates = stream(&three());
    let gap = [&updates[..HZ as usize * 60], &updates[HZ as usize * 170..]].concat();
    let flags: Vec<String> = watched(&gap).finished().iter().map(|lap| lap.flags.to_string()).collect();
    assert_eq!(flags, ["incomplete, replay", "incomplete, replay", "replay"]);
}
