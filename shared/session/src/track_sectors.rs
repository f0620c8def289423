//! The sectors of a track, and the flag shown there.

use trailbrake_model::{Flag, LapProgress, SessionInfo};

/// Where a track's sectors begin, and its most severe flag.
#[derive(Clone, Debug, Default)]
pub(super) struct TrackSectors {
    /// Where sectors 2 and 3 begin, in metres from the line.
    starts_m: [Option<f32>; 2],
    /// The most severe flag along the track, and its sector.
    flag: (Flag, Option<u8>),
}

impl TrackSectors {
    /// Where sectors 2 and 3 begin, in metres from the line, once a car was seen entering them.
    pub(super) fn starts_m(&self) -> [Option<f32>; 2] {
        self.starts_m
    }

    /// Learns where a sector begins that a car entered between two reports of its progress.
    pub(super) fn learn(&mut self, before: &LapProgress, now: &LapProgress) {
        let enters_next = before.lap == now.lap && before.sector.checked_add(1) == Some(now.sector);
        let start = self.starts_m.get_mut(usize::from(before.sector));
        if let Some(start) = start.filter(|_| enters_next) {
            *start = start.or(now.distance);
        }
    }

    /// Takes the flags along the track. Returns the most severe one and its sector if that changes.
    pub(super) fn take_flag(&mut self, info: &SessionInfo) -> Option<(Flag, Option<u8>)> {
        let length_m = info.track_length_m.unwrap_or_default();
        let flag = info
            .worst_zone()
            .map_or((Flag::None, None), |zone| (zone.flag, self.sector_at(zone.start * length_m)));
        let before = std::mem::replace(&mut self.flag, flag);
        (flag != before).then_some(flag)
    }

    /// The sector at a distance from the line, counted from 1, once both sector starts are known.
    fn sector_at(&self, distance_m: f32) -> Option<u8> {
        let [Some(second), Some(third)] = self.starts_m else { return None };
        Some(1 + u8::from(distance_m >= second) + u8::from(distance_m >= third))
    }
}
