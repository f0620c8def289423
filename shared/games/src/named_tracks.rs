//! Detects tracks that the driver has named, by the path that the car drives: for games that don't send track names.

use trailbrake_model::{Bounds, StartLine, TrackPrint};

use super::session_clock::Step;

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

/// Follows the car's path in plan view: a complete lap shows its bounds and its start line.
#[derive(Debug, Default)]
pub(super) struct NamedTracks {
    named: Vec<TrackPrint>,
    last: Option<[f32; 2]>,
    /// The bounds of the path since the car went on track.
    bounds: Option<Bounds>,
    /// The bounds of the current lap, and whether it was followed from the line on.
    lap: Option<(Bounds, bool)>,
    detected: Option<String>,
    /// The print of a complete lap, and the number of packets without a name for it.
    unnamed: Option<(TrackPrint, u32)>,
}

impl NamedTracks {
    /// Sets the tracks that the user has named.
    pub(super) fn know(&mut self, named: &[TrackPrint]) {
        self.named = named.to_vec();
    }

    /// The driver's name of the track, once it is detected.
    pub(super) fn detected(&self) -> Option<&str> {
        self.detected.as_deref()
    }

    /// Resets the path: the car is somewhere else, or off the track.
    pub(super) fn leave(&mut self) {
        (self.last, self.bounds, self.lap) = (None, None, None);
    }

    /// Resets everything for a new session, which may be on another track.
    pub(super) fn forget(&mut self) {
        self.leave();
        (self.detected, self.unnamed) = (None, None);
    }

    /// Takes the car's next position, x and z, whether it has completed a lap, and the change of the lap count just
    /// before it.
    pub(super) fn step(&mut self, here: [f32; 2], has_lap: bool, turn: Option<Step>) -> Option<Detection> {
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
        if has_lap && let Some(name) = self.same(&bounds, before, here) {
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
