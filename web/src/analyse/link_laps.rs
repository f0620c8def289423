//! Laps as links name them.

use std::fmt::Write;

use trailbrake_shared::model::Car;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::session::LapId;

use super::{LapKey, SourceId};

/// A lap, as a link names it: the session, the car, the serial number, and the recording if it is another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lap {
    pub(super) of: Option<RecordingId>,
    pub(super) id: LapId,
}

impl Lap {
    pub(super) fn of(key: LapKey, than: SourceId) -> Self {
        let of = match key.of {
            SourceId::Recording(id) if key.of != than => Some(id),
            _ => None,
        };
        Self { of, id: key.id }
    }

    pub(super) fn key(self, than: SourceId) -> LapKey {
        let of = self.of.map_or(than, SourceId::Recording);
        LapKey { of, id: self.id }
    }

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

/// The recordings of which a link names laps, in its order.
pub(super) fn recordings(first: Option<RecordingId>, laps: [&[Lap]; 2]) -> Vec<RecordingId> {
    let mut recordings: Vec<RecordingId> = first.into_iter().collect();
    for lap in laps.into_iter().flatten() {
        if let Some(id) = lap.of.filter(|id| !recordings.contains(id)) {
            recordings.push(id);
        }
    }
    recordings
}

/// Laps as a link names them, beside one of a source.
pub(super) fn write_laps(laps: impl Iterator<Item = LapKey>, beside: SourceId) -> String {
    let mut text = String::new();
    write(&mut text, &laps.map(|key| Lap::of(key, beside)).collect::<Vec<Lap>>());
    text
}

/// Writes laps into a link.
pub(super) fn write(text: &mut String, laps: &[Lap]) {
    for (place, lap) in laps.iter().enumerate() {
        text.push_str(if place > 0 { "," } else { "" });
        lap.write(text);
    }
}

/// Laps that a link names beside one of a source.
pub(super) fn read_laps(text: &str, beside: SourceId) -> Vec<LapKey> {
    text.split(',').filter_map(Lap::read).map(|lap| lap.key(beside)).collect()
}
