//! Laps in links.

use std::fmt::Write;

use trailbrake_shared::model::Car;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::session::LapId;

use super::{LapKey, SourceId};

/// A lap in a link: session, car and serial number, with the recording if that is not the main lap's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lap {
    pub(super) of: Option<RecordingId>,
    pub(super) id: LapId,
}

impl Lap {
    /// The lap of a key. Its recording is left out if it is `base`.
    pub(super) fn of(key: LapKey, base: SourceId) -> Self {
        let of = match key.of {
            SourceId::Recording(id) if key.of != base => Some(id),
            _ => None,
        };
        Self { of, id: key.id }
    }

    /// The lap's key. Without a recording it is of `base`.
    pub(super) fn key(self, base: SourceId) -> LapKey {
        let of = self.of.map_or(base, SourceId::Recording);
        LapKey { of, id: self.id }
    }

    /// Parses `session.car.serial`, or `recording:session.car.serial`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (of, text) = match text.split_once(':') {
            Some((id, rest)) => (Some(RecordingId::read(id)?), rest),
            None => (None, text),
        };
        let mut parts = text.split('.');
        let id = LapId {
            session: parts.next()?.parse().ok()?,
            car: Car(parts.next()?.parse().ok()?),
            serial: parts.next()?.parse().ok()?,
        };
        parts.next().is_none().then_some(Self { of, id })
    }

    pub(super) fn write(self, text: &mut String) {
        // Writing into text never fails.
        let _ = self.of.map_or(Ok(()), |id| write!(text, "{id}:"));
        let LapId { session, car, serial } = self.id;
        let _ = write!(text, "{session}.{}.{serial}", car.0);
    }
}

/// The recordings whose laps a link names, each once, in the link's order. Its file names have the same order.
pub(super) fn recordings(first: Option<RecordingId>, laps: [&[Lap]; 2]) -> Vec<RecordingId> {
    let mut recordings: Vec<RecordingId> = first.into_iter().collect();
    for lap in laps.into_iter().flatten() {
        if let Some(id) = lap.of.filter(|id| !recordings.contains(id)) {
            recordings.push(id);
        }
    }
    recordings
}

/// Writes laps as a link does. Laps of `base` go without their recording.
pub(super) fn write_laps(laps: impl Iterator<Item = LapKey>, base: SourceId) -> String {
    let mut text = String::new();
    write(&mut text, &laps.map(|key| Lap::of(key, base)).collect::<Vec<Lap>>());
    text
}

/// Writes laps into a link.
pub(super) fn write(text: &mut String, laps: &[Lap]) {
    for (place, lap) in laps.iter().enumerate() {
        text.push_str(if place > 0 { "," } else { "" });
        lap.write(text);
    }
}

/// Parses laps as a link names them. Laps without a recording are of `base`; malformed ones are skipped.
pub(super) fn read_laps(text: &str, base: SourceId) -> Vec<LapKey> {
    text.split(',').filter_map(Lap::read).map(|lap| lap.key(base)).collect()
}
