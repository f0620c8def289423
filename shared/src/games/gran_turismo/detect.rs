//! Knowing a track again: by where it lies and where its line is, once a whole lap of it has been seen.

use super::laps::Turn;
use super::tick::Tick;
use crate::model::{Bounds, StartLine, TrackPrint};

/// Two tracks are the same when their rectangles share this much.
const SAME: f32 = 0.95;
/// A named track's line may lie a little after the place where this lap's was seen: so many packets are waited for.
const PATIENCE: u32 = 60;

/// What a step has told about the track.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Detection {
    /// It is this one of the named tracks.
    Named(String),
    /// It is none of them, and looks like this.
    Unnamed(TrackPrint),
}

/// Follows the car from above.
#[derive(Debug, Default)]
pub(super) struct Detector {
    named: Vec<TrackPrint>,
    last: Option<[f32; 2]>,
    /// Everything since the car went on track.
    bounds: Option<Bounds>,
    /// The lap under way, and whether it has been followed from the line on.
    lap: Option<(Bounds, bool)>,
    detected: Option<String>,
    /// What a whole lap looked like, and for how many packets no name has been found for it.
    unnamed: Option<(TrackPrint, u32)>,
}

impl Detector {
    /// The tracks that the user has named.
    pub(super) fn know(&mut self, named: &[TrackPrint]) {
        self.named = named.to_vec();
    }

    /// The track that was found, if it was.
    pub(super) fn detected(&self) -> Option<&str> {
        self.detected.as_deref()
    }

    /// Begins anew: the car is somewhere else, or off the track.
    pub(super) fn leave(&mut self) {
        (self.last, self.bounds, self.lap) = (None, None, None);
    }

    /// Another session may be on another track.
    pub(super) fn forget(&mut self) {
        self.leave();
        (self.detected, self.unnamed) = (None, None);
    }

    /// Takes the car's next place, and what became of the lap count just before it.
    pub(super) fn step(&mut self, tick: &Tick, turn: Option<Turn>) -> Option<Detection> {
        let [x, _, z] = tick.position;
        let here = [x, z];
        if !here.iter().all(|part| part.is_finite()) {
            return None;
        }
        let before = self.last.replace(here);
        self.bounds.get_or_insert(Bounds::at(here)).hold(here);
        let ended = match turn {
            Some(Turn::Began | Turn::Finished) => self.lap.replace((Bounds::at(here), true)),
            Some(Turn::Jumped | Turn::Restarted) => {
                self.lap = None;
                None
            }
            None => None,
        };
        self.lap.get_or_insert((Bounds::at(here), false)).0.hold(here);
        let (before, bounds) = (before?, self.bounds?);
        if tick.lap > 1
            && let Some(name) = self.same(&bounds, before, here)
        {
            if self.detected.as_ref() == Some(&name) {
                return None;
            }
            self.detected = Some(name.clone());
            return Some(Detection::Named(name));
        }
        if self.detected.is_some() {
            return None;
        }
        if let Some((print, packets)) = &mut self.unnamed {
            *packets = packets.saturating_add(1);
            return (*packets == PATIENCE).then(|| Detection::Unnamed(print.clone()));
        }
        let (bounds, _) = ended.filter(|(_, whole)| *whole)?;
        let line = StartLine::across(before, here)?;
        self.unnamed = Some((TrackPrint { name: String::new(), bounds, line }, 0));
        None
    }

    /// The named track whose line this step crosses and that lies where the car has been.
    fn same(&self, bounds: &Bounds, before: [f32; 2], here: [f32; 2]) -> Option<String> {
        let overlaps = self
            .named
            .iter()
            .filter(|track| track.line.crossed(before, here))
            .map(|track| (track.bounds.overlap(bounds), &track.name))
            .filter(|(overlap, _)| *overlap >= SAME);
        overlaps.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, name)| name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Laps of an oval of a given width, 400 steps each; the line is at its right end, crossed towards positive z.
    fn drive(detector: &mut Detector, width: f32, laps: i16) -> Vec<Detection> {
        let mut found = Vec::new();
        for step in 0..laps * 400 {
            // A step begins and ends beside the line, not on it.
            let angle = (f32::from(step % 400) + 0.5) / 400.0 * std::f32::consts::TAU;
            let tick = Tick {
                lap: 1 + step / 400,
                position: [width * angle.cos(), 3.0, 300.0 * angle.sin()],
                ..Tick::default()
            };
            let turn = match step {
                0 => Some(Turn::Began),
                _ => (step % 400 == 0).then_some(Turn::Finished),
            };
            found.extend(detector.step(&tick, turn));
        }
        found
    }

    fn print_of(width: f32, name: &str) -> TrackPrint {
        let found = drive(&mut Detector::default(), width, 2);
        let [Detection::Unnamed(print)] = found.as_slice() else { panic!("{found:?}") };
        TrackPrint { name: name.into(), ..print.clone() }
    }

    #[test]
    fn a_lap_shows_what_the_track_looks_like() {
        let print = print_of(500.0, "");
        assert!((print.bounds.high[0] - 500.0).abs() < 0.1 && (print.bounds.low[1] + 300.0).abs() < 0.1);
        assert!((print.line.point[0] - 500.0).abs() < 0.1 && print.line.heading[1] > 0.99);
    }

    #[test]
    fn a_named_track_is_known_again_once() {
        let mut detector = Detector::default();
        detector.know(&[print_of(500.0, "Oval"), print_of(520.0, "Wide oval"), print_of(900.0, "Far")]);
        assert_eq!(drive(&mut detector, 502.0, 3), [Detection::Named("Oval".into())]);
        assert_eq!(detector.detected(), Some("Oval"));
        // Back in the menu and out again, on another one.
        detector.leave();
        assert_eq!(drive(&mut detector, 519.0, 2), [Detection::Named("Wide oval".into())]);
    }

    #[test]
    fn another_track_is_shown_to_be_named() {
        let mut detector = Detector::default();
        detector.know(&[print_of(500.0, "Oval")]);
        let found = drive(&mut detector, 600.0, 3);
        assert!(matches!(found.as_slice(), [Detection::Unnamed(_)]), "{found:?}");
        detector.forget();
        assert_eq!(drive(&mut detector, 500.0, 2), [Detection::Named("Oval".into())]);
    }

    #[test]
    fn a_lap_that_was_joined_shows_half_of_the_track_and_is_left_out() {
        let mut detector = Detector::default();
        let place = |step: i16| {
            let angle = (f32::from(step % 400) + 0.5) / 400.0 * std::f32::consts::TAU;
            Tick {
                lap: 1 + step / 400,
                position: [500.0 * angle.cos(), 3.0, 300.0 * angle.sin()],
                ..Tick::default()
            }
        };
        let turn = |step: i16| (step % 400 == 0).then_some(Turn::Finished);
        let seen = |detector: &mut Detector, steps: std::ops::Range<i16>| -> Vec<Detection> {
            steps.filter_map(|step| detector.step(&place(step), turn(step))).collect()
        };
        assert_eq!(seen(&mut detector, 250..800), []);
        let found = seen(&mut detector, 800..900);
        let [Detection::Unnamed(print)] = found.as_slice() else { panic!("{found:?}") };
        assert!((print.bounds.low[0] + 500.0).abs() < 0.1 && (print.bounds.high[1] - 300.0).abs() < 0.1);
        // Named while it is driven, it is known at the next line.
        detector.know(&[TrackPrint { name: "Oval".into(), ..print.clone() }]);
        assert_eq!(seen(&mut detector, 900..1300), [Detection::Named("Oval".into())]);
        // What the count jumped over was not seen either.
        detector.forget();
        detector.know(&[]);
        assert_eq!(detector.step(&place(1300), Some(Turn::Jumped)), None);
        assert_eq!(seen(&mut detector, 1301..1700), []);
    }

    #[test]
    fn half_a_lap_is_not_enough() {
        let mut detector = Detector::default();
        detector.know(&[print_of(500.0, "Oval")]);
        assert_eq!(drive(&mut detector, 500.0, 1), []);
    }
}
