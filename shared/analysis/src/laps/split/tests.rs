use trailbrake_model::time::Micros;
use trailbrake_model::{Car, DriverStatus, PitStatus, SectorTimes};

use super::*;
use crate::laps::LapFlags;

const HZ: u32 = 20;
const LENGTH_M: f32 = 5000.0;

/// One lap to drive: sector times in milliseconds, and lap fractions from and to which something holds.
#[derive(Clone, Debug)]
struct Drive {
    sectors: [u32; 3],
    invalid_from: Option<f64>,
    pits: Vec<(f64, f64)>,
    boxes: Vec<(f64, f64)>,
}

impl Drive {
    fn of(sectors: [u32; 3]) -> Self {
        Self { sectors, invalid_from: None, pits: Vec::new(), boxes: Vec::new() }
    }

    fn millis(&self) -> u32 {
        self.sectors.iter().sum()
    }

    fn invalid_from(mut self, share: f64) -> Self {
        self.invalid_from = Some(share);
        self
    }

    fn pits(mut self, from: f64, to: f64) -> Self {
        self.pits.push((from, to));
        self
    }

    fn boxes(mut self, from: f64, to: f64) -> Self {
        self.boxes.push((from, to));
        self
    }
}

/// Drives laps as a game would report them, twenty times a second, from the start of the first lap until ten seconds
/// after the chequered flag.
fn stream(laps: &[Drive]) -> Vec<LapProgress> {
    let mut updates = Vec::new();
    let mut begin_ms = 1000_u64;
    let end_ms: u64 = begin_ms + laps.iter().map(|lap| u64::from(lap.millis())).sum::<u64>() + 10_000;
    let mut lap = 0;
    let mut frame = 0;
    loop {
        let now_ms = 1000 + u64::from(frame) * 1000 / u64::from(HZ);
        if now_ms >= end_ms {
            return updates;
        }
        while lap < laps.len() && now_ms >= begin_ms + u64::from(laps[lap].millis()) {
            begin_ms += u64::from(laps[lap].millis());
            lap += 1;
        }
        // After the flag the lap number stands still while the clock restarts.
        let number = (lap + 1).min(laps.len());
        let drive = laps.get(lap).cloned().unwrap_or_else(|| Drive::of([60_000; 3]));
        let clock_ms = (now_ms - begin_ms) as u32;
        let share = f64::from(clock_ms) / f64::from(drive.millis());
        let within = |spans: &[(f64, f64)]| spans.iter().any(|(from, to)| (*from..*to).contains(&share));
        let [first, second, _] = drive.sectors;
        updates.push(LapProgress {
            car: Car(3),
            moment: Moment {
                at: Micros(now_ms * 1000),
                session_time: Some(f64::from((now_ms as f64 / 1e3) as f32)),
                frame: Some(frame),
            },
            lap: number as u16,
            clock: Some((f64::from(clock_ms) / 1e3) as f32),
            distance: Some(share as f32 * LENGTH_M),
            total_distance: Some((lap as f32 + share as f32) * LENGTH_M),
            last_lap: lap.checked_sub(1).map(|last| LapTime(laps[last].millis())),
            best_lap: None,
            sector: u8::from(clock_ms >= first) + u8::from(clock_ms >= first + second),
            sectors: SectorTimes::from([
                (clock_ms >= first).then_some(LapTime(first)),
                (clock_ms >= first + second).then_some(LapTime(second)),
                None,
            ]),
            inferred: false,
            invalid: drive.invalid_from.is_some_and(|from| share >= from),
            pit: match (within(&drive.boxes), within(&drive.pits)) {
                (true, _) => PitStatus::InPitArea,
                (false, true) => PitStatus::Pitting,
                (false, false) => PitStatus::OnTrack,
            },
            driver: DriverStatus::OnTrack,
            result: if lap < laps.len() { ResultStatus::Active } else { ResultStatus::Finished },
            position: 1,
            grid: 1,
            ..LapProgress::default()
        });
        frame += 1;
    }
}

/// Laps as lines: number, time, sectors, flags, stint.
fn table(laps: &[Lap]) -> Vec<String> {
    laps.iter()
        .map(|lap| {
            let time = |time: &Option<LapTime>| time.map_or("-".into(), |time| time.to_string());
            let sectors: Vec<String> = lap.sectors.iter().map(time).collect();
            format!(
                "{} {} [{}] {} stint {}",
                lap.number,
                time(&lap.time),
                sectors.join(" "),
                lap.flags,
                lap.stint
            )
        })
        .collect()
}

fn split(updates: &[LapProgress]) -> CarLaps {
    let mut laps = CarLaps::default();
    for progress in updates {
        laps.progress(progress);
    }
    laps
}

fn check(laps: &CarLaps, expected: &[&str]) {
    assert_eq!(table(laps.finished()), expected);
}

fn moment(updates: &[LapProgress], share: f64) -> usize {
    (updates.len() as f64 * share) as usize
}

const THREE: [[u32; 3]; 3] = [[25_001, 30_002, 28_003], [24_500, 29_499, 27_123], [24_400, 29_600, 28_777]];

fn three() -> Vec<Drive> {
    THREE.into_iter().map(Drive::of).collect()
}

#[test]
fn laps_have_official_times_also_at_the_chequered_flag() {
    let laps = split(&stream(&three()));
    check(
        &laps,
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid stint 1",
            "2 1:21.122 [24.500 29.499 27.123] valid stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid stint 1",
        ],
    );
    assert_eq!(laps.current(), None);
    assert_eq!(laps.best().map(|lap| lap.number), Some(2));
    let began: Vec<f64> = laps.finished().iter().map(|lap| (lap.began_s * 1e3).round()).collect();
    assert_eq!(began, [1000.0, 84_006.0, 165_128.0]);
}

#[test]
fn changes_list_what_began_and_what_ended() {
    let mut laps = CarLaps::default();
    let changes: Vec<Change> = stream(&three())
        .iter()
        .filter_map(|progress| laps.progress(progress))
        .map(|change| Change { noted: false, ..change })
        .filter(|change| *change != Change::default())
        .collect();
    let change = |finished, began| Change { finished, began, ..Change::default() };
    assert_eq!(
        changes,
        [change(None, Some(1)), change(Some(1), Some(2)), change(Some(2), Some(3)), change(Some(3), None),]
    );
    assert_eq!(laps.lap(2).map(|lap| lap.number), Some(2));
    assert_eq!(laps.lap(9), None);
}

#[test]
fn equal_times_are_two_laps() {
    let laps = split(&stream(&[Drive::of(THREE[0]), Drive::of(THREE[0]), Drive::of(THREE[1])]));
    assert_eq!(
        laps.finished().iter().map(|lap| lap.time).collect::<Vec<_>>(),
        [Some(LapTime(83_006)), Some(LapTime(83_006)), Some(LapTime(81_122))]
    );
}

#[test]
fn a_time_that_comes_late_still_belongs_to_its_lap() {
    let mut updates = stream(&three());
    let mut change = None;
    for at in 1..updates.len() {
        if updates[at].lap != updates[at - 1].lap {
            change = Some((at, updates[at - 1].last_lap));
        }
        if let Some((line, old)) = change.filter(|(line, _)| at - line < 10) {
            assert!(line <= at);
            updates[at].last_lap = old;
        }
    }
    check(
        &split(&updates),
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid stint 1",
            "2 1:21.122 [24.500 29.499 27.123] valid stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid stint 1",
        ],
    );
}

/// Replaces the official time in a number of packets from a moment on.
fn with_time(mut updates: Vec<LapProgress>, from_s: f64, packets: usize, millis: u32) -> Vec<LapProgress> {
    let wrong = updates.iter_mut().filter(|progress| progress.moment.seconds() >= from_s);
    wrong.take(packets).for_each(|progress| progress.last_lap = Some(LapTime(millis)));
    updates
}

#[test]
fn packets_with_another_official_time_end_no_lap() {
    // The second lap runs from 84.0 s to 165.1 s: in its middle, just before its line, and at its line.
    for (from_s, packets) in
        [(110.0, 1), (110.0, 100), (164.9, 1), (164.9, 3), (165.1, 1), (165.1, 3), (200.0, 1)]
    {
        for millis in [1, 26_000, 45_000, 83_100, 400_000, 90_000_000, 2_147_483_647] {
            let updates = with_time(stream(&three()), from_s, packets, millis);
            check(
                &split(&updates),
                &[
                    "1 1:23.006 [25.001 30.002 28.003] valid stint 1",
                    "2 1:21.122 [24.500 29.499 27.123] valid stint 1",
                    "3 1:22.777 [24.400 29.600 28.777] valid stint 1",
                ],
            );
        }
    }
}

#[test]
fn a_time_that_no_lap_takes_is_none() {
    let mut updates = stream(&three());
    for progress in updates.iter_mut().filter(|progress| progress.lap == 2) {
        progress.last_lap = Some(LapTime(2_147_483_647));
    }
    let times: Vec<_> = split(&updates).finished().iter().map(|lap| lap.time).collect();
    assert_eq!(times, [None, Some(LapTime(81_122)), Some(LapTime(82_777))]);
}

#[test]
fn a_time_ends_a_lap_where_the_game_neither_counts_on_nor_shows_the_flag() {
    let mut updates = stream(&three());
    updates.iter_mut().for_each(|progress| progress.result = ResultStatus::Active);
    check(
        &split(&updates),
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid stint 1",
            "2 1:21.122 [24.500 29.499 27.123] valid stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid stint 1",
        ],
    );
}

#[test]
fn without_a_clock_the_official_time_says_when_a_lap_began() {
    let clockless = |from_s: f64| -> Vec<LapProgress> {
        let updates = stream(&three()).into_iter().filter(|progress| progress.moment.seconds() >= from_s);
        updates.map(|progress| LapProgress { clock: None, distance: None, ..progress }).collect()
    };
    let began = |laps: &CarLaps| laps.finished()[0].began_s;
    let laps = split(&clockless(0.0));
    assert!((began(&laps) - 1.0).abs() < 0.06, "{}", began(&laps));
    assert_eq!(laps.finished()[0].flags.to_string(), "valid");
    let laps = split(&clockless(40.0));
    assert!((began(&laps) - 1.0).abs() < 0.06, "{}", began(&laps));
    assert_eq!(laps.finished()[0].flags.to_string(), "incomplete");
    assert_eq!(laps.best().map(|lap| lap.number), Some(2));
    // A pause of a minute in which the session clock runs on is not part of the lap.
    let mut laps = CarLaps::default();
    for mut progress in clockless(0.0) {
        if progress.moment.frame == Some(HZ * 50) {
            laps.paused(progress.moment);
        }
        if progress.moment.frame >= Some(HZ * 50) {
            progress.moment.session_time = progress.moment.session_time.map(|seconds| seconds + 60.0);
        }
        laps.progress(&progress);
    }
    assert!((began(&laps) - 1.0).abs() < 0.06, "{}", began(&laps));
    assert_eq!(laps.finished()[0].flags.to_string(), "valid, paused");
}

#[test]
fn a_session_that_ends_completes_no_lap_that_was_joined_late() {
    let updates = stream(&three());
    let flag = updates.iter().position(|progress| progress.result == ResultStatus::Finished).expect("a flag");
    let mut laps = split(&updates[flag - HZ as usize * 20..flag]);
    laps.session_ended(updates[flag].moment);
    updates[flag..].iter().for_each(|progress| {
        laps.progress(progress);
    });
    check(&laps, &["3 1:22.777 [24.400 29.600 28.777] incomplete stint 1"]);
}

#[test]
fn a_lap_of_which_less_than_half_was_received_is_incomplete() {
    let mut updates = stream(&three());
    updates.retain(|progress| !(86.0..162.0).contains(&progress.moment.seconds()));
    check(
        &split(&updates),
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid stint 1",
            "2 1:21.122 [24.500 29.499 27.123] incomplete stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid stint 1",
        ],
    );
}

#[test]
fn a_struck_lap_is_invalid_and_never_the_best() {
    let drives = [Drive::of(THREE[0]), Drive::of(THREE[1]).invalid_from(0.4), Drive::of(THREE[2])];
    let laps = split(&stream(&drives));
    check(
        &laps,
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid stint 1",
            "2 1:21.122 [24.500 29.499 27.123] invalid stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid stint 1",
        ],
    );
    assert_eq!(laps.best().map(|lap| lap.number), Some(3));
}

#[test]
fn stops_part_stints() {
    let drives = [
        Drive::of(THREE[0]),
        Drive::of(THREE[1]).pits(0.95, 1.0),
        Drive::of(THREE[2]).pits(0.0, 0.2).boxes(0.05, 0.1),
        Drive::of(THREE[0]),
        // Through the pit lane without a stop.
        Drive::of(THREE[1]).pits(0.5, 0.6),
    ];
    check(
        &split(&stream(&drives)),
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid stint 1",
            "2 1:21.122 [24.500 29.499 27.123] valid, in, pit stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid, out, pit stint 2",
            "4 1:23.006 [25.001 30.002 28.003] valid stint 2",
            "5 1:21.122 [24.500 29.499 27.123] valid, pit stint 2",
        ],
    );
}

#[test]
fn leaving_the_garage_is_no_stop() {
    let drives = [Drive::of(THREE[0]).pits(0.0, 0.2).boxes(0.0, 0.1), Drive::of(THREE[1])];
    check(
        &split(&stream(&drives)),
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid, out, pit stint 1",
            "2 1:21.122 [24.500 29.499 27.123] valid stint 1",
        ],
    );
}

#[test]
fn the_way_to_the_line_is_no_part_of_the_first_lap() {
    let updates = stream(&three());
    // Half a minute on the way to the line, with the clock at zero and the lap already counted.
    let way = (0..30 * HZ).map(|frame| {
        let mut progress = updates[0];
        progress.moment.session_time = Some(f64::from(frame) / f64::from(HZ));
        progress.moment.frame = Some(frame);
        (progress.clock, progress.distance) = (Some(0.0), Some(frame as f32 - 600.0));
        progress.driver = DriverStatus::OutLap;
        progress
    });
    let later = |progress: &LapProgress| {
        let mut progress = *progress;
        progress.moment.session_time = progress.moment.session_time.map(|seconds| seconds + 29.0);
        progress.moment.frame = progress.moment.frame.map(|frame| frame + 30 * HZ);
        progress
    };
    let laps = split(&way.chain(updates.iter().skip(1).map(later)).collect::<Vec<_>>());
    check(
        &laps,
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid stint 1",
            "2 1:21.122 [24.500 29.499 27.123] valid stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid stint 1",
        ],
    );
    assert!((laps.finished()[0].began_s - 30.0).abs() < 1e-3);
}

#[test]
fn the_way_out_of_a_box_in_front_of_the_line_makes_no_out_lap() {
    let mut updates = stream(&three());
    for progress in &mut updates {
        progress.driver = match (progress.lap, progress.clock.unwrap_or_default()) {
            (1, 70.0..78.0) => DriverStatus::InLap,
            (1, 78.0..) | (2, ..10.0) => DriverStatus::OutLap,
            _ => DriverStatus::FlyingLap,
        };
    }
    check(
        &split(&updates),
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid, in stint 1",
            "2 1:21.122 [24.500 29.499 27.123] valid, out stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid stint 1",
        ],
    );
}

#[test]
fn a_lap_joined_late_is_incomplete() {
    let updates = stream(&three());
    check(
        &split(&updates[HZ as usize * 40..]),
        &[
            "1 1:23.006 [25.001 30.002 28.003] incomplete stint 1",
            "2 1:21.122 [24.500 29.499 27.123] valid stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid stint 1",
        ],
    );
}

#[test]
fn a_lap_without_data_has_its_time_and_shifts_no_other() {
    let mut updates = stream(&three());
    updates.retain(|progress| !(40.0..170.0).contains(&progress.moment.seconds()));
    check(
        &split(&updates),
        &[
            "1 - [25.001 - -] incomplete stint 1",
            "2 1:21.122 [- - -] incomplete stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid stint 1",
        ],
    );
}

#[test]
fn a_break_over_the_line_costs_nothing_official() {
    let mut updates = stream(&three());
    updates.retain(|progress| !(82.0..95.0).contains(&progress.moment.seconds()));
    check(
        &split(&updates),
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid stint 1",
            "2 1:21.122 [24.500 29.499 27.123] valid stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid stint 1",
        ],
    );
}

/// Drives until a session time, rewinds to an earlier one, and drives on from there.
fn with_rewind(updates: &[LapProgress], from: f64, to: f64) -> CarLaps {
    let mut laps = CarLaps::default();
    updates.iter().filter(|progress| progress.moment.seconds() <= from).for_each(|progress| {
        laps.progress(progress);
    });
    let rest: Vec<_> = updates.iter().filter(|progress| progress.moment.seconds() >= to).collect();
    laps.rewound(rest[0].moment);
    rest.into_iter().for_each(|progress| {
        laps.progress(progress);
    });
    laps
}

#[test]
fn going_back_within_a_lap_flags_it() {
    check(
        &with_rewind(&stream(&three()), 120.0, 112.5),
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid stint 1",
            "2 1:21.122 [24.500 29.499 27.123] valid, rewound stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid stint 1",
        ],
    );
}

#[test]
fn going_back_over_the_line_takes_the_new_lap_back() {
    let updates = stream(&three());
    let laps = with_rewind(&updates, 88.0, 79.0);
    check(
        &laps,
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid, rewound stint 1",
            "2 1:21.122 [24.500 29.499 27.123] valid stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid stint 1",
        ],
    );
    let serials: Vec<u32> = laps.finished().iter().map(|lap| lap.serial).collect();
    assert_eq!(serials, [1, 3, 4], "a serial is never given twice");
    // Rewind from after the flag.
    check(
        &with_rewind(&updates, 252.0, 240.0),
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid stint 1",
            "2 1:21.122 [24.500 29.499 27.123] valid stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid, rewound stint 1",
        ],
    );
}

#[test]
fn going_back_undoes_what_was_seen_after() {
    let struck = [Drive::of(THREE[0]).invalid_from(0.5), Drive::of(THREE[1])];
    let clean = stream(&three()[..2]);
    let updates = stream(&struck);
    let mut laps = split(&updates[..HZ as usize * 50]);
    assert_eq!(laps.current().map(|lap| lap.flags.to_string()), Some("invalid".into()));
    laps.rewound(clean[HZ as usize * 30].moment);
    for progress in &clean[HZ as usize * 30..] {
        laps.progress(progress);
    }
    check(
        &laps,
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid, rewound stint 1",
            "2 1:21.122 [24.500 29.499 27.123] valid stint 1",
        ],
    );
}

#[test]
fn going_back_to_the_box_is_still_the_same_stop() {
    let drives = [Drive::of(THREE[0]), Drive::of(THREE[1]).pits(0.4, 0.6).boxes(0.45, 0.5)];
    let updates = stream(&drives);
    // The car stands from 36.5 s of its second lap, and leaves the pit lane at 48.6 s.
    for to in [100.0, 122.0, 128.0] {
        check(
            &with_rewind(&updates, 140.0, to),
            &[
                "1 1:23.006 [25.001 30.002 28.003] valid stint 1",
                "2 1:21.122 [24.500 29.499 27.123] valid, pit, rewound stint 2",
            ],
        );
    }
}

#[test]
fn a_count_that_falls_without_a_word_is_taken_for_going_back() {
    let updates = stream(&three());
    let mut laps = split(&updates[..HZ as usize * 88]);
    for progress in &updates[HZ as usize * 70..] {
        let mut later = *progress;
        later.moment.frame = later.moment.frame.map(|frame| frame + HZ * 20);
        later.moment.session_time = later.moment.session_time.map(|seconds| seconds + 20.0);
        laps.progress(&later);
    }
    check(
        &laps,
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid, rewound stint 1",
            "2 1:21.122 [24.500 29.499 27.123] valid stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid stint 1",
        ],
    );
}

#[test]
fn a_restart_breaks_off_and_begins_at_one() {
    let updates = stream(&three());
    let mut laps = split(&updates[..HZ as usize * 120]);
    laps.restarted(updates[0].moment);
    for progress in &updates {
        laps.progress(progress);
    }
    check(
        &laps,
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid stint 1",
            "2 - [24.500 - -] incomplete, restarted stint 1",
            "1 1:23.006 [25.001 30.002 28.003] valid stint 1",
            "2 1:21.122 [24.500 29.499 27.123] valid stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid stint 1",
        ],
    );
    assert_eq!(laps.finished().iter().map(|lap| lap.run).collect::<Vec<_>>(), [0, 0, 1, 1, 1]);
    // A restart before anything was driven leaves no trace.
    let mut laps = split(&updates[..3]);
    laps.restarted(updates[0].moment);
    check(&laps, &[]);
}

#[test]
fn going_back_never_reaches_into_the_run_before_a_restart() {
    let updates = stream(&three());
    let mut laps = split(&updates[..HZ as usize * 100]);
    laps.restarted(updates[0].moment);
    updates[..HZ as usize * 20].iter().for_each(|progress| {
        laps.progress(progress);
    });
    laps.rewound(updates[0].moment);
    assert_eq!(laps.finished().len(), 2);
}

#[test]
fn the_end_of_a_session_closes_the_lap() {
    let updates = stream(&three());
    let cut = HZ as usize * 120;
    let mut laps = split(&updates[..cut]);
    laps.session_ended(updates[cut].moment);
    check(&laps, &["1 1:23.006 [25.001 30.002 28.003] valid stint 1", "2 - [24.500 - -] incomplete stint 1"]);
    // More progress of the same lap begins no new one.
    laps.progress(&updates[cut + 1]);
    assert_eq!((laps.finished().len(), laps.current()), (2, None));
}

#[test]
fn an_official_time_after_the_end_completes_the_lap() {
    let updates = stream(&three());
    let flag = updates.iter().position(|progress| progress.result == ResultStatus::Finished).expect("a flag");
    let mut laps = split(&updates[..flag]);
    laps.session_ended(updates[flag].moment);
    updates[flag..].iter().for_each(|progress| {
        laps.progress(progress);
    });
    check(
        &laps,
        &[
            "1 1:23.006 [25.001 30.002 28.003] valid stint 1",
            "2 1:21.122 [24.500 29.499 27.123] valid stint 1",
            "3 1:22.777 [24.400 29.600 28.777] valid stint 1",
        ],
    );
}

#[test]
fn pauses_and_the_drivers_word_are_flags() {
    let updates = stream(&three());
    let mut laps = split(&updates[..HZ as usize * 100]);
    laps.paused(updates[HZ as usize * 100].moment);
    updates[HZ as usize * 100..].iter().for_each(|progress| {
        laps.progress(progress);
    });
    assert!(laps.exclude(2, true) && !laps.exclude(77, true));
    assert_eq!(laps.finished()[1].flags.to_string(), "valid, paused, excluded");
    assert_eq!(laps.best().map(|lap| lap.number), Some(3));
    laps.exclude(2, false);
    assert_eq!(laps.best().map(|lap| lap.number), Some(2));
}

#[test]
fn games_that_do_not_count_are_split_at_the_line() {
    let mut updates = stream(&three());
    updates.iter_mut().for_each(|progress| progress.lap = 0);
    let laps = split(&updates);
    assert_eq!(
        laps.finished().iter().map(|lap| (lap.number, lap.time)).collect::<Vec<_>>(),
        [(1, Some(LapTime(83_006))), (2, Some(LapTime(81_122))), (3, Some(LapTime(82_777))),]
    );
}

#[test]
fn empty_slots_have_no_laps() {
    let mut updates = stream(&three());
    updates.iter_mut().for_each(|progress| progress.result = ResultStatus::Invalid);
    let laps = split(&updates);
    assert_eq!((laps.finished().len(), laps.current()), (0, None));
}

#[test]
fn clocks_that_are_missing_still_split_laps() {
    let mut updates = stream(&three());
    for progress in &mut updates {
        (progress.clock, progress.distance) = (None, None);
    }
    assert_eq!(
        split(&updates).finished().iter().map(|lap| lap.time).collect::<Vec<_>>(),
        [Some(LapTime(83_006)), Some(LapTime(81_122)), Some(LapTime(82_777))]
    );
}

mod flags;
mod properties;
