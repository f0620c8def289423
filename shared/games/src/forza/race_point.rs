//! Where a packet stands in its race.

use trailbrake_model::time::LapTime;

use super::layout::Packet;

/// What a packet says of time, laps and who drives where.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RacePoint {
    /// The race clock, which counts from the lights. It also runs in free roam.
    pub(super) race_s: f64,
    /// Completed laps.
    pub(super) laps: u16,
    /// The lap clock, which counts from the line; 0 before it, and where there are no laps.
    pub(super) lap_s: f64,
    pub(super) last_lap: Option<LapTime>,
    pub(super) best_lap: Option<LapTime>,
    /// From 1; 0 where there is no race.
    pub(super) position: u8,
    /// How far along the route; in Horizon 6 not in metres.
    pub(super) along: f32,
    pub(super) speed_mps: f32,
    pub(super) place: [f32; 3],
    pub(super) car: i32,
    /// Sent by Motorsport 2023 only.
    pub(super) track: Option<i32>,
}

impl RacePoint {
    /// The point of a packet; `None` for a sled, or if a clock is no number.
    pub(super) fn of(packet: &Packet) -> Option<Self> {
        let (race_s, lap_s) = (packet.current_race_time?, packet.current_lap?);
        let time = |seconds: Option<f32>| seconds.and_then(LapTime::from_seconds);
        (race_s.is_finite() && lap_s.is_finite()).then_some(Self {
            race_s: race_s.into(),
            laps: packet.lap_number?,
            lap_s: lap_s.into(),
            last_lap: time(packet.last_lap),
            best_lap: time(packet.best_lap),
            position: packet.race_position?,
            along: packet.distance_traveled?,
            speed_mps: packet.speed?,
            place: packet.position?.into(),
            car: packet.car_ordinal,
            track: packet.track_ordinal,
        })
    }

    /// Whether the car is in a race or a time attack. In free roam everything but the race clock is 0.
    pub(super) fn is_racing(&self) -> bool {
        self.position > 0 || self.laps > 0 || self.lap_s > 0.0 || self.last_lap.is_some() || self.along != 0.0
    }

    /// Whether this is another car or another track.
    pub(super) fn is_elsewhere(&self, other: &Self) -> bool {
        (self.car, self.track) != (other.car, other.track)
    }
}
