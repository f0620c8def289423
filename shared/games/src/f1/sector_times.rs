//! Sector times, which formats 2020 to 2022 send in two bytes: those above 65.536 s lose that much.

use super::layout::{CarLap, MOST_CARS};

/// What two bytes have no room for, in seconds.
const ROOM_S: f32 = 65.536;

/// The times of the first two sectors of each car's lap, whole.
#[derive(Debug, Default)]
pub(super) struct SectorClocks([SectorClock; MOST_CARS]);

#[derive(Clone, Copy, Debug, Default)]
struct SectorClock {
    lap: u8,
    /// Whether each of the first two sectors was seen before its end.
    ran: [bool; 2],
    /// For the first two sectors, what was sent when they ended, and how much is missing there.
    ended: [Option<(f32, f32)>; 2],
}

impl SectorClocks {
    /// The whole times. A sector that has just ended ends at the lap clock.
    pub(super) fn whole(&mut self, car: usize, lap: &CarLap) -> [f32; 2] {
        let sent = [lap.sector1_time, lap.sector2_time];
        let Some(known) = self.0.get_mut(car) else { return sent };
        if known.lap != lap.current_lap_num {
            *known = SectorClock { lap: lap.current_lap_num, ..SectorClock::default() };
        }
        let mut before = 0.0;
        let mut whole = sent;
        let is_clock = lap.current_lap_time.is_finite();
        for (((time, ended), ran), sent) in
            whole.iter_mut().zip(&mut known.ended).zip(&mut known.ran).zip(sent)
        {
            if sent <= 0.0 {
                (*ended, *ran) = (None, true);
                continue;
            }
            let (_, missing) = match *ended {
                Some(same) if same.0 == sent => same,
                _ => {
                    // Only at the end of a sector does the clock say how long it was.
                    let over = if *ran && is_clock { lap.current_lap_time - before - sent } else { 0.0 };
                    *ended.insert((sent, ROOM_S * (over / ROOM_S).floor().clamp(0.0, 3.0)))
                }
            };
            *time = sent + missing;
            before += *time;
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_sector_is_whole_from_its_end_on() {
        let mut clocks = SectorClocks::default();
        let mut check = |lap: u8, clock: f32, sent: [f32; 2], expected: [f32; 2]| {
            let [sector1_time, sector2_time] = sent;
            let lap = CarLap {
                current_lap_num: lap,
                current_lap_time: clock,
                sector1_time,
                sector2_time,
                ..CarLap::default()
            };
            let whole = clocks.whole(3, &lap);
            assert!(whole.iter().zip(expected).all(|(is, wanted)| (is - wanted).abs() < 1e-4), "{whole:?}");
        };
        check(1, 69.9, [0.0, 0.0], [0.0, 0.0]);
        check(1, 70.1, [4.464, 0.0], [70.0, 0.0]);
        check(1, 139.0, [4.464, 0.0], [70.0, 0.0]);
        check(1, 140.3, [4.464, 4.664], [70.0, 70.2]);
        check(1, 180.0, [4.464, 4.664], [70.0, 70.2]);
        check(2, 30.1, [30.0, 0.0], [30.0, 0.0]);
        check(2, 96.1, [30.0, 0.0], [30.0, 0.0]);
        check(2, 96.2, [30.0, 0.6], [30.0, 66.136]);
        // Joined within the third sector.
        check(3, 100.0, [30.0, 35.0], [30.0, 35.0]);
    }
}
