//! The values of a packet that the decoder's state depends on.

use trailbrake_model::time::LapTime;

use super::layout::Packet;

/// Ticks per second: the game computes and sends at this rate.
pub(super) const TICKS_PER_SECOND: f64 = 60.0;
/// The nibble for "no gear".
const NO_GEAR: u8 = 15;

/// The packet's flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags(pub(super) u16);

/// Declares the flags by bit number.
macro_rules! bits {
    ($($bit:literal $name:ident;)*) => {
        impl Flags {
            $(pub(super) const fn $name(self) -> bool { self.0 & (1 << $bit) != 0 })*
        }
    };
}

bits! {
    0 on_track;
    1 paused;
    2 loading;
    4 has_turbo;
    5 rev_limit;
    6 handbrake;
    7 lights;
    8 high_beam;
    10 asm;
    11 tcs;
}

/// One tick of the game: the values that laps, events and facts depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tick {
    pub(super) id: i32,
    pub(super) lap: i16,
    pub(super) total_laps: i16,
    pub(super) best_lap: i32,
    pub(super) last_lap: i32,
    /// The lap clock in milliseconds, if the packet has one.
    pub(super) lap_clock: Option<i32>,
    pub(super) time_of_day: i32,
    pub(super) grid: i16,
    pub(super) cars: i16,
    pub(super) flags: Flags,
    /// 0 for reverse, 15 for neutral.
    pub(super) gear: u8,
    /// 15 for none.
    pub(super) suggested_gear: u8,
    pub(super) throttle: u8,
    pub(super) brake: u8,
    pub(super) rpm: f32,
    pub(super) rpm_alert_min: u16,
    pub(super) rpm_alert_max: u16,
    pub(super) speed: f32,
    pub(super) position: [f32; 3],
    pub(super) velocity: [f32; 3],
    pub(super) car: i32,
}

impl Tick {
    pub(super) fn of(packet: &Packet) -> Self {
        Self {
            id: packet.packet_id,
            lap: packet.current_lap,
            total_laps: packet.total_laps,
            best_lap: packet.best_lap,
            last_lap: packet.last_lap,
            lap_clock: packet.current_lap_time,
            time_of_day: packet.time_of_day,
            grid: packet.grid_position,
            cars: packet.cars_before_start,
            flags: Flags(packet.flags),
            gear: packet.gears & 0x0f,
            suggested_gear: packet.gears >> 4,
            throttle: packet.throttle,
            brake: packet.brake,
            rpm: packet.engine_rpm,
            rpm_alert_min: packet.rpm_alert_min,
            rpm_alert_max: packet.rpm_alert_max,
            speed: packet.speed,
            position: packet.position.into(),
            velocity: packet.velocity.into(),
            car: packet.car_code,
        }
    }
}

/// The gear in a nibble: −1 for reverse, 0 for neutral.
pub(super) fn gear(nibble: u8) -> i8 {
    match nibble {
        0 => -1,
        NO_GEAR => 0,
        forward => forward.cast_signed(),
    }
}

/// The suggested gear in a nibble, if there is one.
pub(super) fn suggested(nibble: u8) -> Option<i8> {
    (nibble != NO_GEAR).then(|| gear(nibble))
}

/// A lap time, if there is one.
pub(super) fn lap_time(millis: i32) -> Option<LapTime> {
    u32::try_from(millis).ok().filter(|&millis| millis > 0).map(LapTime)
}
