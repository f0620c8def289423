//! Lap timing: line crossings interpolated within a physics step, and the laps and sectors that result.

use serde::{Deserialize, Serialize};

/// The timing of one car. Times are session times in seconds unless noted otherwise.
#[derive(Clone, Debug)]
pub struct Timing {
    /// The current lap, from 1.
    pub lap: u32,
    /// When it started; `None` on the way to the line.
    pub began_s: Option<f64>,
    /// The current sector, 0–2.
    pub sector: u8,
    /// Times of this lap's completed sectors, in ms; zero until then.
    pub sectors_ms: [u32; 2],
    /// Time of the previous lap, in ms.
    pub last_ms: Option<u32>,
    /// Best valid lap time, in ms.
    pub best_ms: Option<u32>,
    /// Marks of the current lap.
    pub marks: LapMarks,
}

/// Properties of a lap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LapMarks {
    /// Track limits were exceeded, so the lap is invalid.
    pub invalid: bool,
    /// It began with a standing start.
    pub standing_start: bool,
    /// It began in the pit lane.
    pub out_lap: bool,
    /// It ended in the pit lane.
    pub in_lap: bool,
    /// Part of it was driven again after a rewind.
    pub rewound: bool,
}

/// A completed lap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinishedLap {
    /// The lap number.
    pub lap: u32,
    /// The lap time, in ms.
    pub time_ms: u32,
    /// The sector times, in ms, which add up to the lap time.
    pub sectors_ms: [u32; 3],
    /// The lap's marks.
    pub marks: LapMarks,
}

/// One step along the centre line with constant acceleration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stride {
    pub(crate) began_s: f64,
    pub(crate) dt: f64,
    pub(crate) from_m: f64,
    pub(crate) to_m: f64,
    pub(crate) from_ms: f64,
    pub(crate) to_ms: f64,
}

impl Stride {
    /// When the step crosses a line at this distance, if it does.
    pub(crate) fn crosses(&self, line_m: f64) -> Option<f64> {
        if !(self.from_m < line_m && line_m <= self.to_m) {
            return None;
        }
        let way = line_m - self.from_m;
        let acceleration = (self.to_ms - self.from_ms) / self.dt;
        // The smaller root of v·t + a·t²/2 = way, in the numerically stable form.
        let root = (self.from_ms * self.from_ms + 2.0 * acceleration * way).max(0.0).sqrt();
        Some(self.began_s + (2.0 * way / (self.from_ms + root)).clamp(0.0, self.dt))
    }
}

impl Timing {
    /// The timing before the first lap: on the grid, or on the way to the line.
    pub(crate) fn new(standing_start: bool) -> Self {
        Self {
            lap: 1,
            began_s: None,
            sector: 0,
            sectors_ms: [0; 2],
            last_ms: None,
            best_ms: None,
            marks: LapMarks { standing_start, ..LapMarks::default() },
        }
    }

    /// Starts the first lap of a car on the grid.
    pub(crate) fn lights_out(&mut self, now_s: f64) {
        self.began_s = Some(now_s);
    }

    /// Follows one step; returns a lap that ended in it.
    pub(crate) fn follow(
        &mut self,
        stride: &Stride,
        length_m: f64,
        sector_lines_m: [f64; 2],
        in_pit_lane: bool,
    ) -> Option<FinishedLap> {
        let Some(began_s) = self.began_s else {
            self.began_s = stride.crosses(0.0);
            return None;
        };
        let base_m = f64::from(self.lap - 1) * length_m;
        match self.sector {
            0 | 1 => {
                let line_m = sector_lines_m.get(usize::from(self.sector)).copied().unwrap_or(length_m);
                if let Some(at_s) = stride.crosses(base_m + line_m) {
                    let so_far_ms = millis(at_s - began_s);
                    match self.sector {
                        0 => self.sectors_ms[0] = so_far_ms,
                        _ => self.sectors_ms[1] = so_far_ms - self.sectors_ms[0],
                    }
                    self.sector += 1;
                }
                None
            }
            _ => stride.crosses(base_m + length_m).map(|at_s| self.finish(began_s, at_s, in_pit_lane)),
        }
    }

    fn finish(&mut self, began_s: f64, at_s: f64, in_pit_lane: bool) -> FinishedLap {
        let time_ms = millis(at_s - began_s);
        let [first, second] = self.sectors_ms;
        self.marks.in_lap = in_pit_lane;
        let finished = FinishedLap {
            lap: self.lap,
            time_ms,
            sectors_ms: [first, second, time_ms - first - second],
            marks: self.marks,
        };
        self.last_ms = Some(time_ms);
        if !self.marks.invalid {
            self.best_ms = Some(self.best_ms.map_or(time_ms, |best| best.min(time_ms)));
        }
        self.lap += 1;
        self.began_s = Some(at_s);
        self.sector = 0;
        self.sectors_ms = [0; 2];
        self.marks = LapMarks { out_lap: in_pit_lane, ..LapMarks::default() };
        finished
    }
}

fn millis(seconds: f64) -> u32 {
    (seconds * 1e3).round().max(0.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Drives at 50 + sin(t) m/s, for which the distance is known exactly.
    fn drive(steps_per_s: f64, seconds: f64) -> Vec<FinishedLap> {
        let place = |t: f64| 50.0 * t + 1.0 - t.cos() - 20.0;
        let speed = |t: f64| 50.0 + t.sin();
        let mut timing = Timing::new(false);
        let mut laps = Vec::new();
        for step in 0..(seconds * steps_per_s) as usize {
            let (began_s, dt) = (step as f64 / steps_per_s, 1.0 / steps_per_s);
            let stride = Stride {
                began_s,
                dt,
                from_m: place(began_s),
                to_m: place(began_s + dt),
                from_ms: speed(began_s),
                to_ms: speed(began_s + dt),
            };
            laps.extend(timing.follow(&stride, 1000.0, [300.0, 700.0], false));
        }
        laps
    }

    #[test]
    fn lap_times_do_not_depend_on_the_step() {
        let (fine, coarse) = (drive(5000.0, 100.0), drive(60.0, 100.0));
        assert_eq!(fine.len(), 4);
        for (fine, coarse) in fine.iter().zip(&coarse) {
            assert!(fine.time_ms.abs_diff(coarse.time_ms) <= 1, "{fine:?} {coarse:?}");
        }
        for lap in &coarse {
            assert_eq!(lap.sectors_ms.iter().sum::<u32>(), lap.time_ms);
            assert!((19_000..21_000).contains(&lap.time_ms));
        }
    }

    #[test]
    fn a_line_is_crossed_once() {
        let stride =
            Stride { began_s: 10.0, dt: 0.5, from_m: 100.0, to_m: 120.0, from_ms: 40.0, to_ms: 40.0 };
        assert_eq!(stride.crosses(110.0), Some(10.25));
        assert_eq!(stride.crosses(100.0), None);
        assert_eq!(stride.crosses(120.0), Some(10.5));
        assert_eq!(stride.crosses(120.1), None);
    }

    #[test]
    fn an_invalid_lap_is_no_best_lap() {
        let mut timing = Timing { sector: 2, ..Timing::new(true) };
        timing.lights_out(5.0);
        timing.marks.invalid = true;
        assert!(timing.finish(5.0, 85.0, false).marks.invalid);
        assert_eq!((timing.best_ms, timing.last_ms), (None, Some(80_000)));
        timing.sector = 2;
        assert!(!timing.finish(85.0, 170.5, true).marks.invalid);
        assert_eq!((timing.best_ms, timing.lap), (Some(85_500), 3));
        assert!(timing.marks.out_lap && !timing.marks.standing_start);
    }
}
