//! The eight packets of format 2018, byte for byte: little endian, packed.

use zerocopy::{Immutable, IntoBytes, LE};

use crate::{Text, Vec3};

type F32 = zerocopy::F32<LE>;
type I16 = zerocopy::I16<LE>;
type U16 = zerocopy::U16<LE>;
type U32 = zerocopy::U32<LE>;
type U64 = zerocopy::U64<LE>;

/// The number of cars in every array.
pub const CARS: usize = 20;

/// The wheel order of every array.
pub const WHEELS: [trailbrake_model::Wheel; 4] = {
    use trailbrake_model::Wheel::{FrontLeft, FrontRight, RearLeft, RearRight};
    [RearLeft, RearRight, FrontLeft, FrontRight]
};

layouts! {
    /// The start of every packet.
    struct Header[21] {
        packet_format: U16,
        packet_version: u8,
        packet_id: u8,
        session_uid: U64,
        session_time: F32,
        frame_identifier: U32,
        player_car_index: u8,
    }

    /// One car's position and motion.
    struct CarMotion[60] {
        world_position: Vec3<F32>,
        world_velocity: Vec3<F32>,
        world_forward_dir: Vec3<I16>,
        world_right_dir: Vec3<I16>,
        g_force_lateral: F32,
        g_force_longitudinal: F32,
        g_force_vertical: F32,
        yaw: F32,
        pitch: F32,
        roll: F32,
    }

    /// Packet 0: every car's motion, then additional values for the player's car.
    struct Motion[1341] {
        header: Header,
        car: [CarMotion; CARS],
        suspension_position: [F32; 4],
        suspension_velocity: [F32; 4],
        suspension_acceleration: [F32; 4],
        wheel_speed: [F32; 4],
        wheel_slip: [F32; 4],
        local_velocity: Vec3<F32>,
        angular_velocity: Vec3<F32>,
        angular_acceleration: Vec3<F32>,
        front_wheels_angle: F32,
    }

    /// A section of track with its flag.
    struct MarshalZone[5] {
        zone_start: F32,
        zone_flag: i8,
    }

    /// Packet 1: the session.
    struct Session[147] {
        header: Header,
        weather: u8,
        track_temperature: i8,
        air_temperature: i8,
        total_laps: u8,
        track_length: U16,
        session_type: u8,
        track_id: i8,
        era: u8,
        session_time_left: U16,
        session_duration: U16,
        pit_speed_limit: u8,
        game_paused: u8,
        is_spectating: u8,
        spectator_car_index: u8,
        sli_pro_native_support: u8,
        num_marshal_zones: u8,
        marshal_zones: [MarshalZone; 21],
        safety_car_status: u8,
        network_game: u8,
    }

    /// One car's lap progress.
    struct CarLap[41] {
        last_lap_time: F32,
        current_lap_time: F32,
        best_lap_time: F32,
        sector1_time: F32,
        sector2_time: F32,
        lap_distance: F32,
        total_distance: F32,
        safety_car_delta: F32,
        car_position: u8,
        current_lap_num: u8,
        pit_status: u8,
        sector: u8,
        current_lap_invalid: u8,
        penalties: u8,
        grid_position: u8,
        driver_status: u8,
        result_status: u8,
    }

    /// Packet 2: every car's lap progress.
    struct LapData[841] {
        header: Header,
        car: [CarLap; CARS],
    }

    /// Packet 3: an event.
    struct Event[25] {
        header: Header,
        code: Text<4>,
    }

    /// One driver.
    struct Participant[53] {
        ai_controlled: u8,
        driver_id: u8,
        team_id: u8,
        race_number: u8,
        nationality: u8,
        name: Text<48>,
    }

    /// Packet 4: the drivers.
    struct Participants[1082] {
        header: Header,
        num_cars: u8,
        car: [Participant; CARS],
    }

    /// One car's setup.
    struct CarSetup[41] {
        front_wing: u8,
        rear_wing: u8,
        on_throttle: u8,
        off_throttle: u8,
        front_camber: F32,
        rear_camber: F32,
        front_toe: F32,
        rear_toe: F32,
        front_suspension: u8,
        rear_suspension: u8,
        front_anti_roll_bar: u8,
        rear_anti_roll_bar: u8,
        front_suspension_height: u8,
        rear_suspension_height: u8,
        brake_pressure: u8,
        brake_bias: u8,
        front_tyre_pressure: F32,
        rear_tyre_pressure: F32,
        ballast: u8,
        fuel_load: F32,
    }

    /// Packet 5: every car's setup, as far as the player may see it.
    struct CarSetups[841] {
        header: Header,
        car: [CarSetup; CARS],
    }

    /// One car's controls, engine, temperatures and pressures.
    struct CarTelemetry[53] {
        speed: U16,
        throttle: u8,
        steer: i8,
        brake: u8,
        clutch: u8,
        gear: i8,
        engine_rpm: U16,
        drs: u8,
        rev_lights_percent: u8,
        brakes_temperature: [U16; 4],
        tyres_surface_temperature: [U16; 4],
        tyres_inner_temperature: [U16; 4],
        engine_temperature: U16,
        tyres_pressure: [F32; 4],
    }

    /// Packet 6: every car's telemetry, then the player's buttons.
    struct Telemetry[1085] {
        header: Header,
        car: [CarTelemetry; CARS],
        button_status: U32,
    }

    /// One car's fuel, tyres, damage and ERS.
    struct CarStatus[52] {
        traction_control: u8,
        anti_lock_brakes: u8,
        fuel_mix: u8,
        front_brake_bias: u8,
        pit_limiter_status: u8,
        fuel_in_tank: F32,
        fuel_capacity: F32,
        max_rpm: U16,
        idle_rpm: U16,
        max_gears: u8,
        drs_allowed: u8,
        tyres_wear: [u8; 4],
        tyre_compound: u8,
        tyres_damage: [u8; 4],
        front_left_wing_damage: u8,
        front_right_wing_damage: u8,
        rear_wing_damage: u8,
        engine_damage: u8,
        gear_box_damage: u8,
        exhaust_damage: u8,
        vehicle_fia_flags: i8,
        ers_store_energy: F32,
        ers_deploy_mode: u8,
        ers_harvested_this_lap_mguk: F32,
        ers_harvested_this_lap_mguh: F32,
        ers_deployed_this_lap: F32,
    }

    /// Packet 7: every car's status.
    struct Status[1061] {
        header: Header,
        car: [CarStatus; CARS],
    }
}

/// Whether a car's entry has nothing in it: the slot is not in use, or its car was left out of a clip.
#[inline]
pub fn is_empty<T: IntoBytes + Immutable>(entry: &T) -> bool {
    let bytes = entry.as_bytes();
    // The first byte of most entries is not zero.
    bytes.first() == Some(&0) && bytes.iter().all(|byte| *byte == 0)
}

#[cfg(test)]
mod tests;
