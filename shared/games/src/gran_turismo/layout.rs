//! The packets byte for byte and packed: big endian from GT6, little endian from all others.

use trailbrake_model::Surface;
use zerocopy::{BE, LE};

use crate::table::{Bar, EitherOrder, FrontFirst, Mps2, Of255, Opposite, OppositeMps2, Versions, measures};
use crate::{Text, Vec3};

type F32 = EitherOrder<zerocopy::F32<LE>, zerocopy::F32<BE>>;
type I16 = EitherOrder<zerocopy::I16<LE>, zerocopy::I16<BE>>;
type I32 = EitherOrder<zerocopy::I32<LE>, zerocopy::I32<BE>>;
type U16 = EitherOrder<zerocopy::U16<LE>, zerocopy::U16<BE>>;

/// The sizes of packets A, B, ~ and C. Each begins with the one before.
pub const SIZES: Versions = Versions(&[296, 316, 344, 368]);

packets! {
    SIZES;

    /// A packet. The older games send A only.
    record Packet [296, 316, 344, 368] {
        magic: [u8; 4],
        position: Vec3<F32> => Position,
        velocity: Vec3<F32> => Velocity,
        rotation: Vec3<F32>,
        rotation_w: F32,
        angular_velocity: Vec3<F32>,
        body_height: F32 => BodyHeight,
        engine_rpm: F32 => Rpm,
        seed: [u8; 4],
        fuel_level: F32 => FuelVolume,
        fuel_capacity: F32 => FuelVolumeCapacity,
        speed: F32 => Speed,
        boost: F32,
        oil_pressure: F32 => OilPressure in Bar,
        water_temperature: F32 => WaterTemperature,
        oil_temperature: F32 => OilTemperature,
        tyre_surface_temperature: FrontFirst<F32> => TyreSurfaceTemperature,
        packet_id: I32,
        current_lap: I16,
        total_laps: I16,
        best_lap: I32,
        last_lap: I32,
        time_of_day: I32,
        grid_position: I16,
        cars_before_start: I16,
        rpm_alert_min: U16 => ShiftRpm,
        rpm_alert_max: U16 => MaxRpm,
        calculated_max_speed: I16 => TopSpeedShown,
        flags: U16 => GameFlags,
        gears: u8,
        throttle: u8 => Throttle in Of255,
        brake: u8 => Brake in Of255,
        reserved_0x93: u8,
        road_normal: Vec3<F32> => RoadNormal,
        road_distance: F32 => RoadDistance,
        wheel_angular_speed: FrontFirst<F32>,
        tyre_radius: FrontFirst<F32> => TyreRadius,
        suspension_height: FrontFirst<F32> => SuspensionPosition,
        reserved_0xd4: [u8; 32],
        clutch_pedal: F32 => Clutch,
        clutch_engagement: F32 => ClutchEngagement,
        rpm_after_clutch: F32 => RpmAfterClutch,
        transmission_top_speed: F32,
        gear_ratios: [F32; 8],
        car_code: I32,

        // B adds steering and accelerations. In the game, left is positive; in the model, right is.
        steering_angle: F32 [316..] => SteeringAngle in Opposite,
        steering_speed: F32 [316..] => SteeringSpeed in Opposite,
        // Sway is positive to the right, and lateral g to the left.
        sway: F32 [316..] => GLateral in OppositeMps2,
        heave: F32 [316..] => GVertical in Mps2,
        surge: F32 [316..] => GLongitudinal in Mps2,

        // ~ adds the pedals after the driving aids, and the powertrain.
        throttle_pedal: u8 [344..] => ThrottlePedal in Of255,
        brake_applied: u8 [344..] => BrakeApplied in Of255,
        power_type: u8 [344..],
        fuel_mark: u8 [344..],
        torque_vectoring: FrontFirst<F32> [344..] => TorqueVectoring,
        energy_recovery: F32 [344..] => EnergyRecovery,
        unnamed_0x154: F32 [344..] => PowertrainUnnamed,

        // C adds surfaces, lap clock and class of the car.
        surface: FrontFirst<u8> [368..] => Surface in SurfaceLetter,
        current_lap_time: I32 [368..],
        wheel_angle_fl: F32 [368..],
        wheel_angle_fr: F32 [368..],
        wheelbase: F32 [368..] => Wheelbase,
        car_category: Text<4> [368..],
    }
}

measures! {
    /// A surface, which is sent as a letter.
    SurfaceLetter: |letter| f32::from(surface(letter as u8).number());
}

fn surface(letter: u8) -> Surface {
    match letter {
        b'T' => Surface::Tarmac,
        b'C' => Surface::Kerb,
        b'D' => Surface::Dirt,
        b'G' => Surface::Grass,
        b'S' => Surface::Sand,
        b's' => Surface::Snow,
        other => Surface::Other(other),
    }
}

#[cfg(test)]
mod tests;
