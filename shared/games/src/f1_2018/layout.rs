//! The eight packets of format 2018, byte for byte: little endian, packed.

use zerocopy::LE;

use crate::table::{
    Direction, Kmh, Millimetres, Percent, Psi, RearFirst, SignedByte, Slots, Version, Versions,
};
use crate::{Text, Vec3};

type F32 = zerocopy::F32<LE>;
type I16 = zerocopy::I16<LE>;
type U16 = zerocopy::U16<LE>;
type U32 = zerocopy::U32<LE>;
type U64 = zerocopy::U64<LE>;

/// The number of cars in every array.
pub const CARS: usize = 20;

/// The formats.
pub const YEARS: Versions = Versions(&[2018]);
/// The format that this module reads.
pub const YEAR: Version = YEARS.at(0);

packets! {
    YEARS;

    /// The start of every packet.
    record Header [21] {
        packet_format: U16,
        packet_version: u8,
        packet_id: u8,
        session_uid: U64,
        session_time: F32,
        frame_identifier: U32,
        player_car_index: u8,
    }

    /// One car's position and motion.
    record CarMotion [60] {
        world_position: Vec3<F32> => Position,
        world_velocity: Vec3<F32> => Velocity,
        world_forward_dir: Vec3<I16> => Forward in Direction,
        world_right_dir: Vec3<I16> => Right in Direction,
        g_force_lateral: F32 => GLateral,
        g_force_longitudinal: F32 => GLongitudinal,
        g_force_vertical: F32 => GVertical,
        yaw: F32 => Yaw,
        pitch: F32 => Pitch,
        roll: F32 => Roll,
    }

    /// Packet 0: every car's motion, then additional values for the player's car.
    packet Motion [1341] {
        header: Header,
        car: Slots<CarMotion, CARS>,
        suspension_position: RearFirst<F32> => SuspensionPosition in Millimetres,
        suspension_velocity: RearFirst<F32> => SuspensionVelocity in Millimetres,
        suspension_acceleration: RearFirst<F32> => SuspensionAcceleration in Millimetres,
        wheel_speed: RearFirst<F32> => WheelSpeed,
        wheel_slip: RearFirst<F32> => WheelSlip,
        local_velocity: Vec3<F32> => LocalVelocity,
        angular_velocity: Vec3<F32> => AngularVelocity,
        angular_acceleration: Vec3<F32> => AngularAcceleration,
        front_wheels_angle: F32 => FrontWheelsAngle,
    }

    /// A section of track with its flag.
    record MarshalZone [5] {
        zone_start: F32,
        zone_flag: i8,
    }

    /// Packet 1: the session.
    record Session [147] {
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
    record CarLap [41] {
        last_lap_time: F32,
        current_lap_time: F32 => LapClock,
        best_lap_time: F32,
        sector1_time: F32,
        sector2_time: F32,
        lap_distance: F32 => LapDistance,
        total_distance: F32 => TotalDistance,
        safety_car_delta: F32 => SafetyCarDelta,
        car_position: u8 => RacePosition,
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
    packet LapData [841] {
        header: Header,
        car: Slots<CarLap, CARS>,
    }

    /// Packet 3: an event.
    record Event [25] {
        header: Header,
        code: Text<4>,
    }

    /// One driver.
    record Participant [53] {
        ai_controlled: u8,
        driver_id: u8,
        team_id: u8,
        race_number: u8,
        nationality: u8,
        name: Text<48>,
    }

    /// Packet 4: the drivers.
    packet Participants [1082] {
        header: Header,
        num_cars: u8,
        car: Slots<Participant, CARS>,
    }

    /// One car's setup.
    record CarSetup [41] {
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
    packet CarSetups [841] {
        header: Header,
        car: Slots<CarSetup, CARS>,
    }

    /// One car's controls, engine, temperatures and pressures.
    record CarTelemetry [53] {
        speed: U16 => Speed in Kmh,
        throttle: u8 => Throttle in Percent,
        steer: i8 => Steering in Percent,
        brake: u8 => Brake in Percent,
        clutch: u8 => Clutch in Percent,
        gear: i8 => Gear,
        engine_rpm: U16 => Rpm,
        drs: u8 => Drs,
        rev_lights_percent: u8 => RevLights in Percent,
        brakes_temperature: RearFirst<U16> => BrakeTemperature,
        tyres_surface_temperature: RearFirst<U16> => TyreSurfaceTemperature,
        tyres_inner_temperature: RearFirst<U16> => TyreInnerTemperature,
        engine_temperature: U16 => EngineTemperature,
        tyres_pressure: RearFirst<F32> => TyrePressure in Psi,
    }

    /// Packet 6: every car's telemetry, then the player's buttons.
    packet Telemetry [1085] {
        header: Header,
        car: Slots<CarTelemetry, CARS>,
        button_status: U32 => Buttons,
    }

    /// One car's fuel, tyres, damage and ERS.
    record CarStatus [52] {
        traction_control: u8 => TractionControl,
        anti_lock_brakes: u8 => Abs,
        fuel_mix: u8 => FuelMix,
        front_brake_bias: u8 => BrakeBias in Percent,
        pit_limiter_status: u8 => PitLimiter,
        fuel_in_tank: F32 => Fuel,
        fuel_capacity: F32 => FuelCapacity,
        max_rpm: U16 => MaxRpm,
        idle_rpm: U16 => IdleRpm,
        max_gears: u8 => MaxGears,
        // 255 is the game's "unknown"; read as signed it stays distinct from yes and no.
        drs_allowed: u8 => DrsAllowed in SignedByte,
        tyres_wear: RearFirst<u8> => TyreWear in Percent,
        tyre_compound: u8 => TyreCompound,
        tyres_damage: RearFirst<u8> => TyreDamage in Percent,
        front_left_wing_damage: u8 => DamageFrontLeftWing in Percent,
        front_right_wing_damage: u8 => DamageFrontRightWing in Percent,
        rear_wing_damage: u8 => DamageRearWing in Percent,
        engine_damage: u8 => DamageEngine in Percent,
        gear_box_damage: u8 => DamageGearbox in Percent,
        exhaust_damage: u8 => DamageExhaust in Percent,
        vehicle_fia_flags: i8 => Flag,
        ers_store_energy: F32 => ErsStore,
        ers_deploy_mode: u8 => ErsMode,
        ers_harvested_this_lap_mguk: F32 => ErsHarvestedMguK,
        ers_harvested_this_lap_mguh: F32 => ErsHarvestedMguH,
        ers_deployed_this_lap: F32 => ErsDeployed,
    }

    /// Packet 7: every car's status.
    packet Status [1061] {
        header: Header,
        car: Slots<CarStatus, CARS>,
    }
}

#[cfg(test)]
mod tests;
