use proptest::prelude::*;

use super::*;

/// Laps as in a race: invalid laps, stops across the line, drive-throughs.
fn drives() -> impl Strategy<Value = Vec<Drive>> {
    let lap = (prop::array::uniform3(20_000_u32..40_000), 0..8_u8, 0.1..0.8_f64);
    prop::collection::vec(lap, 1..5).prop_map(|laps| {
        let mut stop_before = false;
        let mut drives = Vec::new();
        for (sectors, kind, share) in laps {
            let mut drive = Drive::of(sectors);
            if std::mem::take(&mut stop_before) {
                drive = drive.pits(0.0, 0.3).boxes(0.1, 0.2);
            }
            match kind {
                0 | 1 => drive = drive.invalid_from(share),
                2 => drive = drive.pits(share, share + 0.1),
                3 => {
                    drive = drive.pits(0.9, 1.0);
                    stop_before = true;
                }
                _ => {}
            }
            drives.push(drive);
        }
        drives
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn lost_doubled_and_shuffled_packets_shift_no_lap(
        drives in drives(),
        loss in 0.0..0.5_f64,
        fates in prop::collection::vec((0.0..1.0_f64, 0_u32..12, 0..10_u8), 9000),
    ) {
        let updates = stream(&drives);
        let clean = split(&updates);
        prop_assert_eq!(clean.finished().len(), drives.len());
        for (lap, drive) in clean.finished().iter().zip(&drives) {
            prop_assert_eq!(lap.time, Some(LapTime(drive.millis())));
            prop_assert_eq!(lap.sectors, drive.sectors.map(|millis| Some(LapTime(millis))).into());
            prop_assert_eq!(lap.flags.has(LapFlag::Invalid), drive.invalid_from.is_some());
        }
        // Each packet may be lost, duplicated, or overtaken by those of the next half second.
        let mut arrived = Vec::new();
        let fated = updates.iter().zip(fates.iter().cycle());
        for (index, (progress, (chance, late, twice))) in (0..).zip(fated) {
            if *chance >= loss {
                arrived.push((index + late, *progress));
            }
            if *twice == 0 {
                arrived.push((index + late + 5, *progress));
            }
        }
        arrived.sort_by_key(|(when, _)| *when);
        let arrived: Vec<LapProgress> = arrived.into_iter().map(|(_, progress)| progress).collect();
        prop_assert_eq!(table(split(&arrived).finished()), table(clean.finished()));
    }

    #[test]
    fn going_back_anywhere_leaves_each_lap_once(
        drives in drives(),
        from in 0.05..1.0_f64,
        back_s in 1.0..60.0_f64,
    ) {
        let updates = stream(&drives);
        let from = updates[moment(&updates, from).min(updates.len() - 1)].moment.seconds();
        let laps = with_rewind(&updates, from, (from - back_s).max(1.0));
        let clean = split(&updates);
        prop_assert_eq!(laps.finished().len(), clean.finished().len());
        let mut rewound = 0;
        for (lap, clean) in laps.finished().iter().zip(clean.finished()) {
            prop_assert_eq!((lap.number, lap.time, lap.sectors), (clean.number, clean.time, clean.sectors));
            let but_rewound = |flags: LapFlags| -> LapFlags {
                flags.iter().filter(|flag| *flag != LapFlag::Rewound).collect()
            };
            prop_assert_eq!((but_rewound(lap.flags), lap.stint), (but_rewound(clean.flags), clean.stint));
            rewound += u32::from(lap.flags.has(LapFlag::Rewound));
        }
        prop_assert!(rewound <= 1);
    }

    #[test]
    fn reports_that_repeat_others_change_nothing_that_evaluating_them_would(
        updates in prop::collection::vec(
            (0..4_u16, prop::option::of(0..3_u8), prop::option::of(0..3_u32), -2..9_i32, any::<[bool; 6]>(), 0..40_u8),
            0..200,
        ),
    ) {
        let (mut laps, mut always) = (CarLaps::default(), CarLaps::default());
        let mut progress = stream(&[Drive::of(THREE[0])])[0];
        let mut seconds = 100.0;
        for (lap, clock, last, later_s, says, then) in updates {
            seconds += f64::from(later_s);
            let [changes, invalid, excluded, out, boxed, finished] = says;
            progress.moment.session_time = Some(seconds);
            progress.clock = clock.map(|clock| f32::from(clock) * 5.0);
            if changes {
                (progress.lap, progress.invalid, progress.remarks.excluded) = (lap, invalid, excluded);
                progress.last_lap = last.map(|last| LapTime(last * 5000));
                progress.sectors = SectorTimes::from([progress.last_lap, None, None]);
                progress.pit = if boxed { PitStatus::InPitArea } else { PitStatus::OnTrack };
                progress.driver = if out { DriverStatus::OutLap } else { DriverStatus::OnTrack };
                progress.result = if finished { ResultStatus::Finished } else { ResultStatus::Active };
            }
            always.is_settled = false;
            prop_assert_eq!(laps.progress(&progress), always.progress(&progress));
            for laps in [&mut laps, &mut always] {
                match then {
                    0 => laps.rewound(progress.moment),
                    1 => laps.restarted(progress.moment),
                    2 => laps.session_ended(progress.moment),
                    3 => laps.paused(progress.moment),
                    4 => laps.recovered(progress.moment),
                    5 | 6 => {
                        laps.exclude(laps.serials, then == 5);
                    }
                    _ => {}
                }
            }
            prop_assert_eq!(laps.finished(), always.finished());
            prop_assert_eq!(laps.current(), always.current());
        }
    }

    #[test]
    fn any_progress_is_taken(
        updates in prop::collection::vec(
            (any::<u16>(), prop::option::of(any::<f32>()), prop::option::of(any::<u32>()), any::<f64>(), 0..9_u8, 0..6_u8),
            0..60,
        ),
    ) {
        let mut laps = CarLaps::default();
        let mut progress = stream(&[Drive::of(THREE[0])])[0];
        for (lap, clock, last, seconds, pit, then) in updates {
            (progress.lap, progress.clock, progress.last_lap) = (lap, clock, last.map(LapTime));
            progress.moment.session_time = Some(seconds);
            progress.pit = [PitStatus::OnTrack, PitStatus::Pitting, PitStatus::InPitArea][usize::from(pit) % 3];
            laps.progress(&progress);
            match then {
                0 => laps.rewound(progress.moment),
                1 => laps.restarted(progress.moment),
                2 => laps.session_ended(progress.moment),
                3 => laps.paused(progress.moment),
                _ => {}
            }
            prop_assert!(laps.finished().is_sorted_by(|a, b| a.serial < b.serial));
        }
    }
}
