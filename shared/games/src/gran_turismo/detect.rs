//! Names the track: as the driver did, once a complete lap shows its bounds and its start line, or else as the recogniser
//! does from the first kilometre on.

use trailbrake_model::{Bounds, StartLine, Track, TrackPrint};

use super::tick::Tick;
use super::tracks::{FoundTrack, Recogniser};
use crate::session_clock::Step;

/// Two tracks are the same if their bounds overlap by at least this fraction.
const SAME: f32 = 0.95;
/// A named track's line may be a little after this lap's, so the detector waits for this many packets.
const PATIENCE: u32 = 60;

/// A new result of the detection.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Detection {
    /// A track with its name: the driver's, or a recognised one.
    Named(String),
    /// None of the named tracks; this is its print.
    Unnamed(TrackPrint),
}

/// Follows the car's path in plan view.
#[derive(Debug, Default)]
pub(super) struct Detector {
    named: Vec<TrackPrint>,
    last: Option<[f32; 2]>,
    /// The bounds of the path since the car went on track.
    bounds: Option<Bounds>,
    /// The bounds of the current lap, and whether it was followed from the line on.
    lap: Option<(Bounds, bool)>,
    detected: Option<String>,
    /// The print of a complete lap, and the number of packets without a name for it.
    unnamed: Option<(TrackPrint, u32)>,
    recogniser: Recogniser,
    recognised: Option<FoundTrack>,
    /// How often the track's name has changed.
    changes: u32,
}

impl Detector {
    /// Sets the tracks that the user has named.
    pub(super) fn know(&mut self, named: &[TrackPrint]) {
        self.named = named.to_vec();
    }

    /// The track: the driver's name takes precedence.
    pub(super) fn track(&self) -> Option<Track> {
        let named = self.detected.clone();
        let named = named.map(|name| Track { id: name.clone(), name: Some(name), recognised: None });
        named.or_else(|| self.recognised.map(FoundTrack::fact))
    }

    /// Rises whenever the track changes.
    pub(super) fn changes(&self) -> u32 {
        self.changes
    }

    /// Resets the path: the car is somewhere else, or off the track.
    pub(super) fn leave(&mut self) {
        (self.last, self.bounds, self.lap) = (None, None, None);
        self.recogniser.leave();
    }

    /// Resets everything for a new session, which may be on another track.
    pub(super) fn forget(&mut self) {
        self.leave();
        (self.detected, self.unnamed, self.recognised) = (None, None, None);
        self.recogniser = Recogniser::default();
        self.changes += 1;
    }

    /// Processes the car's next position and the change of the lap count just before it.
    pub(super) fn step(&mut self, tick: &Tick, turn: Option<Step>) -> Option<Detection> {
        let [x, _, z] = tick.position;
        let here = [x, z];
        if !here.iter().all(|part| part.is_finite()) {
            return None;
        }
        self.follow(tick, here, turn).or_else(|| self.recognise(here, turn))
    }

    /// Returns a recognised name that is new.
    fn recognise(&mut self, here: [f32; 2], turn: Option<Step>) -> Option<Detection> {
        self.recogniser.drive(here);
        if matches!(turn, Some(Step::Begins | Step::NextLap)) {
            self.recogniser.cross_line(here);
        }
        let found = self.recogniser.found();
        if found.is_none() || found == self.recognised {
            return None;
        }
        let before = self.track().and_then(|track| track.name);
        self.recognised = found;
        self.changes += 1;
        let now = self.track().and_then(|track| track.name);
        now.filter(|now| before.as_ref() != Some(now)).map(Detection::Named)
    }

    /// Follows the path for the tracks that the user has named.
    fn follow(&mut self, tick: &Tick, here: [f32; 2], turn: Option<Step>) -> Option<Detection> {
        let before = self.last.replace(here);
        self.bounds.get_or_insert(Bounds::at(here)).hold(here);
        let ended = match turn {
            Some(Step::Begins | Step::NextLap) => self.lap.replace((Bounds::at(here), true)),
            Some(Step::Jumps | Step::Restarts) => {
                self.lap = None;
                None
            }
            _ => None,
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
            self.changes += 1;
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

    /// The named track whose line this step crosses and whose bounds match the path.
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

    /// Drives laps of an oval of a given width, 400 steps each; the line is at its right end, crossed towards positive
    /// z.
    fn drive(detector: &mut Detector, width: f32, laps: i16) -> Vec<Detection> {
        let mut found = Vec::new();
        for step in 0..laps * 400 {
            // Steps begin and end next to the line, not on it.
            let angle = (f32::from(step % 400) + 0.5) / 400.0 * std::f32::consts::TAU;
            let tick = Tick {
                lap: 1 + step / 400,
                position: [width * angle.cos(), 3.0, 300.0 * angle.sin()],
                ..Tick::default()
            };
            let turn = match step {
                0 => Some(Step::Begins),
                _ => (step % 400 == 0).then_some(Step::NextLap),
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
        assert_eq!(detector.track().map(|track| track.title()).as_deref(), Some("Oval"));
        // Back to the menu, then to another track.
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
        let turn = |step: i16| (step % 400 == 0).then_some(Step::NextLap);
        let seen = |detector: &mut Detector, steps: std::ops::Range<i16>| -> Vec<Detection> {
            steps.filter_map(|step| detector.step(&place(step), turn(step))).collect()
        };
        assert_eq!(seen(&mut detector, 250..800), []);
        let found = seen(&mut detector, 800..900);
        let [Detection::Unnamed(print)] = found.as_slice() else { panic!("{found:?}") };
        assert!((print.bounds.low[0] + 500.0).abs() < 0.1 && (print.bounds.high[1] - 300.0).abs() < 0.1);
        // A track named while driving is detected at the next line.
        detector.know(&[TrackPrint { name: "Oval".into(), ..print.clone() }]);
        assert_eq!(seen(&mut detector, 900..1300), [Detection::Named("Oval".into())]);
        // A lap during which the count jumped is incomplete.
        detector.forget();
        detector.know(&[]);
        assert_eq!(detector.step(&place(1300), Some(Step::Jumps)), None);
        assert_eq!(seen(&mut detector, 1301..1700), []);
    }

    #[test]
    fn half_a_lap_is_not_enough() {
        let mut detector = Detector::default();
        detector.know(&[print_of(500.0, "Oval")]);
        assert_eq!(drive(&mut detector, 500.0, 1), []);
    }

    /// Positions along a listed layout, 5 m apart, for so many laps.
    fn positions(layout: &str, laps: usize) -> Vec<[f32; 2]> {
        let table = include_str!("tracks/layouts.txt");
        let mut layouts = table.lines().filter_map(|line| line.strip_prefix(' '));
        let line = layouts.find(|line| line.split('\t').next() == Some(layout));
        let numbers = line.and_then(|line| line.split('\t').nth(2)).expect("its points").split(' ');
        let numbers: Vec<f32> = numbers.map(|number| number.parse().expect("a number")).collect();
        let mut here = [0.0, 0.0];
        let mut points: Vec<[f32; 2]> = Vec::new();
        for step in numbers.chunks_exact(2) {
            here = [here[0] + step[0], here[1] + step[1]];
            points.push(here);
        }
        points.push(points[0]);
        let along = points.windows(2).flat_map(|ends| {
            let [[ax, az], [bx, bz]] = [ends[0], ends[1]];
            let steps = ((bx - ax).hypot(bz - az) / 5.0).ceil();
            (0..steps as u16).map(move |step| {
                let share = f32::from(step) / steps;
                [ax + (bx - ax) * share, az + (bz - az) * share]
            })
        });
        along.collect::<Vec<_>>().repeat(laps)
    }

    #[test]
    fn a_listed_track_is_named_on_the_first_lap_and_the_driver_s_name_for_it_wins() {
        let drive = |detector: &mut Detector| -> Vec<(usize, String)> {
            let positions = positions("Tsukuba Circuit", 3);
            let lap = positions.len() / 3;
            let mut named = Vec::new();
            for (index, [x, z]) in positions.iter().enumerate() {
                let number = index / lap;
                let tick = Tick { lap: 1 + number as i16, position: [*x, 0.0, *z], ..Tick::default() };
                let turn = match index {
                    0 => Some(Step::Begins),
                    _ => (index % lap == 0).then_some(Step::NextLap),
                };
                match detector.step(&tick, turn) {
                    Some(Detection::Named(name)) => named.push((number, name)),
                    Some(Detection::Unnamed(print)) => {
                        assert!(
                            print.bounds.high[0] > print.bounds.low[0],
                            "to be named by hand all the same"
                        );
                    }
                    None => {}
                }
            }
            named
        };
        let mut detector = Detector::default();
        assert_eq!(drive(&mut detector), [(0, "Tsukuba Circuit".to_owned())]);
        let print = detector.unnamed.clone().expect("what the track looks like").0;
        let mut detector = Detector::default();
        detector.know(&[print.named("My hill").expect("a name")]);
        let changes = detector.changes();
        assert_eq!(drive(&mut detector), [(0, "Tsukuba Circuit".to_owned()), (1, "My hill".to_owned())]);
        assert!(detector.changes() > changes);
        let named = Track { id: "My hill".into(), name: Some("My hill".into()), recognised: None };
        assert_eq!(detector.track(), Some(named));
        detector.forget();
        assert_eq!(detector.track(), None);
    }
}
