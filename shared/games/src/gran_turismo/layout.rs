//! Packet A and its three extensions, byte for byte and packed: big endian from GT6, little endian from all others.

use zerocopy::{F32, I16, I32, LE, U16};

use crate::{Text, Vec3};

layouts! {
    /// Packet A: every game sends it, for every letter.
    struct PacketA<O>[296] {
        magic: [u8; 4],
        position: Vec3<F32<O>>,
        velocity: Vec3<F32<O>>,
        rotation: Vec3<F32<O>>,
        rotation_w: F32<O>,
        angular_velocity: Vec3<F32<O>>,
        body_height: F32<O>,
        engine_rpm: F32<O>,
        seed: [u8; 4],
        fuel_level: F32<O>,
        fuel_capacity: F32<O>,
        speed: F32<O>,
        boost: F32<O>,
        oil_pressure: F32<O>,
        water_temperature: F32<O>,
        oil_temperature: F32<O>,
        tyre_surface_temperature: [F32<O>; 4],
        packet_id: I32<O>,
        current_lap: I16<O>,
        total_laps: I16<O>,
        best_lap: I32<O>,
        last_lap: I32<O>,
        time_of_day: I32<O>,
        grid_position: I16<O>,
        cars_before_start: I16<O>,
        rpm_alert_min: U16<O>,
        rpm_alert_max: U16<O>,
        calculated_max_speed: I16<O>,
        flags: U16<O>,
        gears: u8,
        throttle: u8,
        brake: u8,
        reserved_0x93: u8,
        road_normal: Vec3<F32<O>>,
        road_distance: F32<O>,
        wheel_angular_speed: [F32<O>; 4],
        tyre_radius: [F32<O>; 4],
        suspension_height: [F32<O>; 4],
        reserved_0xd4: [u8; 32],
        clutch_pedal: F32<O>,
        clutch_engagement: F32<O>,
        rpm_after_clutch: F32<O>,
        transmission_top_speed: F32<O>,
        gear_ratios: [F32<O>; 8],
        car_code: I32<O>,
    }

    /// The extension for `B`: steering and accelerations.
    struct ExtensionB[20] {
        steering_angle: F32<LE>,
        steering_speed: F32<LE>,
        sway: F32<LE>,
        heave: F32<LE>,
        surge: F32<LE>,
    }

    /// The next extension, for `~`: the pedals after the driving aids, and the powertrain.
    struct ExtensionTilde[28] {
        throttle_pedal: u8,
        brake_applied: u8,
        power_type: u8,
        fuel_mark: u8,
        torque_vectoring: [F32<LE>; 4],
        energy_recovery: F32<LE>,
        unnamed_0x154: F32<LE>,
    }

    /// The next extension, for `C`: surfaces, lap clock, car class.
    struct ExtensionC[24] {
        surface: [u8; 4],
        current_lap_time: I32<LE>,
        wheel_angle_fl: F32<LE>,
        wheel_angle_fr: F32<LE>,
        wheelbase: F32<LE>,
        car_category: Text<4>,
    }

    /// The largest packet. The smaller ones are prefixes of it.
    struct PacketC[368] {
        a: PacketA<LE>,
        b: ExtensionB,
        tilde: ExtensionTilde,
        c: ExtensionC,
    }
}

#[cfg(test)]
mod tests;
