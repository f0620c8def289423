//! Names the track: as the driver did, once a complete lap shows its bounds and its start line, or else as the recogniser
//! does from the first kilometre on.

use trailbrake_model::{Track, TrackPrint};

use super::tick::Tick;
use super::tracks::{FoundTrack, Recogniser};
use crate::named_tracks::{Detection, NamedTracks};
use crate::session_clock::Step;

/// Follows the car's path in plan view.
#[derive(Debug, Default)]
pub(super) struct Detector {
    tracks: NamedTracks,
    recogniser: Recogniser,
    recognised: Option<FoundTrack>,
    /// How often the track's name has changed.
    changes: u32,
}

impl Detector {
    /// Sets the tracks that the user has named.
    pub(super) fn know(&mut self, named: &[TrackPrint]) {
        self.tracks.know(named);
    }

    /// The track: the driver's name takes precedence.
    pub(super) fn track(&self) -> Option<Track> {
        let named = self.tracks.detected().map(str::to_owned);
        let named = named.map(|name| Track { id: name.clone(), name: Some(name), recognised: None });
        named.or_else(|| self.recognised.map(FoundTrack::fact))
    }

    /// Rises whenever the track changes.
    pub(super) fn changes(&self) -> u32 {
        self.changes
    }

    /// Resets the path: the car is somewhere else, or off the track.
    pub(super) fn leave(&mut self) {
        self.tracks.leave();
        self.recogniser.leave();
    }

    /// Resets everything for a new session, which may be on another track.
    pub(super) fn forget(&mut self) {
        self.tracks.forget();
        self.recognised = None;
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
        let named = self.tracks.step(here, tick.lap > 1, turn);
        self.changes += u32::from(matches!(named, Some(Detection::Named(_))));
        named.or_else(|| self.recognise(here, turn))
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
        let prints = std::cell::RefCell::new(Vec::new());
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
                        prints.borrow_mut().push(print);
                    }
                    None => {}
                }
            }
            named
        };
        let mut detector = Detector::default();
        assert_eq!(drive(&mut detector), [(0, "Tsukuba Circuit".to_owned())]);
        let print = prints.borrow().first().cloned().expect("what the track looks like");
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
