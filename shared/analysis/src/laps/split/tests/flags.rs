//! Why laps are flagged.

use super::*;

#[test]
fn a_replay_that_was_joined_in_its_middle_stays_one() {
    let watched = |updates: &[LapProgress]| {
        let mut laps = CarLaps::default();
        let info = SessionInfo { replay: Some(true), ..SessionInfo::default() };
        for progress in updates {
            laps.progress(progress);
            laps.flag_conditions(&info, progress.moment);
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

#[test]
fn a_lap_without_a_time_says_why() {
    // Its time never comes.
    let mut updates = stream(&three());
    for progress in &mut updates {
        progress.last_lap = progress.last_lap.filter(|_| progress.lap > 2);
    }
    let flags: Vec<String> = split(&updates).finished().iter().map(|lap| lap.flags.to_string()).collect();
    assert_eq!(flags, ["incomplete", "valid", "valid"]);
    // It comes late, and then the lap is as good as any.
    let mut late = CarLaps::default();
    let mut seen = Vec::new();
    for (row, mut progress) in stream(&three()).into_iter().enumerate() {
        if row < HZ as usize * 85 {
            progress.last_lap = None;
        }
        late.progress(&progress);
        seen.extend(late.finished().first().map(|lap| (lap.time.is_some(), lap.flags.to_string())));
        seen.dedup();
    }
    assert_eq!(seen, [(false, "incomplete".to_owned()), (true, "valid".to_owned())]);
}

#[test]
fn a_late_time_makes_no_lap_whole_of_which_no_packet_came() {
    // Laps 1 and 2 end while nothing is received, and the first packets afterwards still have the time of lap 1.
    let updates = stream(&three());
    let mut after: Vec<LapProgress> = updates[HZ as usize * 170..].to_vec();
    let first = updates[HZ as usize * 100].last_lap;
    assert!(first.is_some() && after[0].last_lap != first);
    after.iter_mut().take(5).for_each(|progress| progress.last_lap = first);
    let laps = split(&[&updates[..HZ as usize * 60], &after].concat());
    let missed = laps.finished().iter().find(|lap| lap.number == 2).expect("the second lap");
    assert_eq!(missed.flags.to_string(), "incomplete");
}
