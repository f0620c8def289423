//! The packets of formats 2018 to 2026, byte for byte: little endian, packed. A row without years is in all of them.

mod events;
mod session;

use zerocopy::LE;

pub use events::{ButtonsPressed, Contact, Happened, OneCar, Penalty, described as described_event};
pub use session::{Forecast, MarshalZone, Session, Span};

use super::numbers::{ErsModes2020, ErsModes2021, Surfaces};
use crate::table::{
    Count, Direction, In, Kmh, Millimetres, Milliseconds, Number, Percent, Psi, RearFirst, Short, SignedByte,
    Sizes, Slots, SlotsBy, Thousandths, Version, Versions, Wide, sizes_of,
};
use crate::{ShortText, Text, Vec3};

type F32 = zerocopy::F32<LE>;
type F64 = zerocopy::F64<LE>;
type I16 = zerocopy::I16<LE>;
type U16 = zerocopy::U16<LE>;
type U32 = zerocopy::U32<LE>;
type U64 = zerocopy::U64<LE>;
type Ms16 = In<U16, Milliseconds>;
type Ms32 = In<U32, Milliseconds>;

/// The most cars of any format.
pub const MOST_CARS: usize = 24;

/// The most bytes behind the code of an event.
pub const DETAIL: usize = 12;

/// The formats.
pub const YEARS: Versions = Versions(&[2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025, 2026]);

/// The oldest format.
pub const YEAR_2018: Version = YEARS.at(0);

/// The number of cars in the arrays of each format.
#[derive(Clone, Copy, Debug)]
pub struct CarCount;

impl Count for CarCount {
    const COUNTS: Sizes = sizes_of([20, 20, 22, 22, 22, 22, 22, 22, 24]);
}

/// An entry for each car.
type Cars<T> = SlotsBy<T, CarCount>;

/// The number of cars in the arrays of a format.
pub fn cars(version: Version) -> usize {
    version.of(&CarCount::COUNTS)
}

packets! {
    YEARS;

    /// The start of every packet.
    record Header [21, 23, 24, 24, 24, 29, 29, 29, 29] {
        packet_format: U16,
        game_year: u8 [2023..],
        game_major_version: u8 [2019..],
        game_minor_version: u8 [2019..],
        packet_version: u8,
        packet_id: u8,
        session_uid: U64,
        session_time: F32,
        frame_identifier: U32,
        overall_frame_identifier: U32 [2023..],
        player_car_index: u8,
        secondary_player_car_index: u8 [2020..],
    }

    /// One car's position and motion.
    record CarMotion [60, 60, 60, 60, 60, 60, 60, 60, 54] {
        world_position: Vec3<F32> => Position,
        world_velocity: Vec3<F32> => Velocity,
        world_forward_dir: Vec3<I16> => Forward in Direction,
        world_right_dir: Vec3<I16> => Right in Direction,
        g_force_lateral: F32 [..2026] | In<I16, Thousandths> [2026] => GLateral,
        g_force_longitudinal: F32 [..2026] | In<I16, Thousandths> [2026] => GLongitudinal,
        g_force_vertical: F32 [..2026] | In<I16, Thousandths> [2026] => GVertical,
        yaw: F32 => Yaw,
        pitch: F32 => Pitch,
        roll: F32 => Roll,
    }

    /// Packet 0: every car's motion, then, until 2022, additional values for the player's car.
    packet Motion [1341, 1343, 1464, 1464, 1464, 1349, 1349, 1349, 1325] {
        header: Header,
        car: Cars<CarMotion>,
        suspension_position: RearFirst<F32> [..2023] => SuspensionPosition in Millimetres,
        suspension_velocity: RearFirst<F32> [..2023] => SuspensionVelocity in Millimetres,
        suspension_acceleration: RearFirst<F32> [..2023] => SuspensionAcceleration in Millimetres,
        wheel_speed: RearFirst<F32> [..2023] => WheelSpeed,
        wheel_slip: RearFirst<F32> [..2023] => WheelSlip,
        local_velocity: Vec3<F32> [..2023] => LocalVelocity,
        angular_velocity: Vec3<F32> [..2023] => AngularVelocity,
        angular_acceleration: Vec3<F32> [..2023] => AngularAcceleration,
        front_wheels_angle: F32 [..2023] => FrontWheelsAngle,
    }

    /// One car's lap progress.
    record CarLap [41, 41, 53, 43, 43, 50, 57, 57, 57] {
        last_lap_time: F32 [..2021] | Ms32 [2021..],
        current_lap_time: F32 [..2021] | Ms32 [2021..] => LapClock,
        best_lap_time: F32 [..2020],
        sector1_time: F32 [..2020] | Ms16 [2020..],
        sector1_minutes: u8 [2023..],
        sector2_time: F32 [..2020] | Ms16 [2020..],
        sector2_minutes: u8 [2023..],
        best_lap_time_of_2020: F32 [2020],
        best_lap_num: u8 [2020],
        best_lap_sectors: [U16; 3] [2020],
        best_s1: U16 [2020],
        best_s1_lap: u8 [2020],
        best_s2: U16 [2020],
        best_s2_lap: u8 [2020],
        best_s3: U16 [2020],
        best_s3_lap: u8 [2020],
        delta_to_car_in_front: Ms16 [2023..],
        delta_to_car_in_front_minutes: u8 [2024..],
        delta_to_leader: Ms16 [2023..],
        delta_to_leader_minutes: u8 [2024..],
        lap_distance: F32 => LapDistance,
        total_distance: F32 => TotalDistance,
        safety_car_delta: F32 => SafetyCarDelta,
        car_position: u8 => RacePosition,
        current_lap_num: u8,
        pit_status: u8,
        num_pit_stops: u8 [2021..] => PitStops,
        sector: u8,
        current_lap_invalid: u8,
        penalties: u8,
        warnings: u8 [2021..] => Warnings,
        corner_cutting_warnings: u8 [2023..] => CornerCuttingWarnings,
        unserved_drive_through: u8 [2021..] => UnservedDriveThroughs,
        unserved_stop_go: u8 [2021..] => UnservedStopGos,
        grid_position: u8,
        driver_status: u8,
        result_status: u8,
        pit_lane_timer_active: u8 [2021..],
        pit_lane_time: Ms16 [2021..] => PitLaneTime,
        pit_stop_timer: Ms16 [2021..] => PitStopTime,
        pit_stop_should_serve_pen: u8 [2021..] => PitStopServesPenalty,
        speed_trap_fastest: F32 [2024..],
        speed_trap_fastest_lap: u8 [2024..],
    }

    /// Packet 2: every car's lap progress.
    packet LapData [841, 843, 1190, 970, 972, 1131, 1285, 1285, 1399] {
        header: Header,
        car: Cars<CarLap>,
        time_trial_pb_car: u8 [2022..],
        time_trial_rival_car: u8 [2022..],
    }

    /// Packet 3: an event. Its code says how many of the bytes behind it mean something; the others are left over.
    record Event [25, 32, 35, 36, 40, 45, 45, 45, 45] {
        header: Header,
        code: Text<4>,
        detail: Short<5, DETAIL> [2019] | Short<7, DETAIL> [2020] | Short<8, DETAIL> [2021] | [u8; DETAIL] [2022..],
    }

    /// One driver.
    record Participant [53, 54, 54, 56, 56, 58, 60, 57, 60] {
        ai_controlled: u8,
        driver_id: Wide<u8> [..2026] | U16 [2026],
        network_id: Wide<u8> [2021..2026] | U16 [2026],
        team_id: Wide<u8> [..2026] | U16 [2026],
        my_team: u8 [2021..],
        race_number: u8,
        nationality: u8,
        name: Text<48> [..2025] | ShortText<32, 48> [2025..],
        your_telemetry: u8 [2019..],
        show_online_names: u8 [2023..],
        tech_level: U16 [2024..],
        platform: u8 [2023..],
        num_colours: u8 [2025..],
        livery_colours: [u8; 12] [2025..],
    }

    /// Packet 4: the drivers.
    packet Participants [1082, 1104, 1213, 1257, 1257, 1306, 1350, 1284, 1470] {
        header: Header,
        num_cars: u8,
        car: Cars<Participant>,
    }

    /// One car's setup.
    record CarSetup [41, 41, 49, 49, 49, 49, 50, 50, 50] {
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
        engine_braking: u8 [2024..],
        front_tyre_pressure: F32 [..2020],
        rear_tyre_pressure: F32 [..2020],
        tyre_pressures: RearFirst<F32> [2020..],
        ballast: u8,
        fuel_load: F32,
    }

    /// Packet 5: every car's setup, as far as the player may see it.
    packet CarSetups [841, 843, 1102, 1102, 1102, 1107, 1133, 1133, 1233] {
        header: Header,
        car: Cars<CarSetup>,
        next_front_wing: F32 [2024..],
    }

    /// One car's controls, engine, temperatures and pressures.
    record CarTelemetry [53, 66, 58, 60, 60, 60, 60, 60, 59] {
        speed: U16 => Speed in Kmh,
        throttle: In<u8, Percent> [2018] | F32 [2019..] => Throttle,
        steer: In<i8, Percent> [2018] | F32 [2019..] => Steering,
        brake: In<u8, Percent> [2018] | F32 [2019..] => Brake,
        clutch: u8 => Clutch in Percent,
        gear: i8 => Gear,
        engine_rpm: U16 => Rpm,
        drs: u8 => Drs,
        rev_lights_percent: u8 => RevLights in Percent,
        rev_lights_bits: U16 [2021..],
        brakes_temperature: RearFirst<U16> => BrakeTemperature,
        tyres_surface_temperature: RearFirst<Number<U16>> [..2020] | RearFirst<Number<u8>> [2020..] => TyreSurfaceTemperature,
        tyres_inner_temperature: RearFirst<Number<U16>> [..2020] | RearFirst<Number<u8>> [2020..] => TyreInnerTemperature,
        engine_temperature: Number<U16> [..2026] | Number<u8> [2026] => EngineTemperature,
        tyres_pressure: RearFirst<F32> => TyrePressure in Psi,
        surface_type: RearFirst<In<u8, Surfaces>> [2019..] => Surface,
    }

    /// Packet 6: every car's telemetry, then what the player's wheel and display do.
    packet Telemetry [1085, 1347, 1307, 1347, 1347, 1352, 1352, 1352, 1448] {
        header: Header,
        car: Cars<CarTelemetry>,
        button_status: U32 [..2021] => Buttons,
        mfd_panel: u8 [2020..],
        mfd_panel_2: u8 [2020..],
        suggested_gear: i8 [2020..] => SuggestedGear,
    }

    /// One car's fuel, tyres, damage and ERS.
    record CarStatus [52, 56, 60, 47, 47, 55, 55, 55, 59] {
        traction_control: u8 => TractionControl,
        anti_lock_brakes: u8 => Abs,
        fuel_mix: u8 => FuelMix,
        front_brake_bias: u8 => BrakeBias in Percent,
        pit_limiter_status: u8 => PitLimiter,
        fuel_in_tank: F32 => Fuel,
        fuel_capacity: F32 => FuelCapacity,
        fuel_remaining_laps: F32 [2019..] => FuelLaps,
        max_rpm: U16 => MaxRpm,
        idle_rpm: U16 => IdleRpm,
        max_gears: u8 => MaxGears,
        // 255 is the game's "unknown"; read as signed it stays distinct from yes and no.
        drs_allowed: u8 => DrsAllowed in SignedByte,
        drs_activation_distance: U16 [2020..] => DrsDistance,
        tyres_wear: RearFirst<u8> [..2021] => TyreWear in Percent,
        tyre_compound: u8 [2018] => TyreCompound,
        actual_tyre_compound: u8 [2019..] => TyreCompoundOfSeason,
        visual_tyre_compound: u8 [2019..] => TyreCompound,
        tyres_age_laps: u8 [2020..] => TyreAge,
        tyres_damage: RearFirst<u8> [..2021] => TyreDamage in Percent,
        front_left_wing_damage: u8 [..2021] => DamageFrontLeftWing in Percent,
        front_right_wing_damage: u8 [..2021] => DamageFrontRightWing in Percent,
        rear_wing_damage: u8 [..2021] => DamageRearWing in Percent,
        drs_fault: u8 [2020] => DrsFault,
        engine_damage: u8 [..2021] => DamageEngine in Percent,
        gear_box_damage: u8 [..2021] => DamageGearbox in Percent,
        exhaust_damage: u8 [2018] => DamageExhaust in Percent,
        vehicle_fia_flags: i8 => Flag,
        engine_power_ice: F32 [2023..] => PowerEngine,
        engine_power_mguk: F32 [2023..] => PowerMguK,
        ers_store_energy: F32 => ErsStore,
        ers_deploy_mode: Number<u8> [..2020] | In<u8, ErsModes2020> [2020] | In<u8, ErsModes2021> [2021..] => ErsMode,
        ers_harvested_this_lap_mguk: F32 => ErsHarvestedMguK,
        ers_harvested_this_lap_mguh: F32 => ErsHarvestedMguH,
        ers_harvest_limit: F32 [2026] => ErsHarvestLimit,
        ers_deployed_this_lap: F32 => ErsDeployed,
        network_paused: u8 [2021..] => NetworkPaused,
    }

    /// Packet 7: every car's status.
    packet Status [1061, 1143, 1344, 1058, 1058, 1239, 1239, 1239, 1445] {
        header: Header,
        car: Cars<CarStatus>,
    }

    /// One car's result.
    record CarResult [0, 0, 37, 37, 45, 45, 45, 46, 46] {
        position: u8,
        num_laps: u8,
        grid_position: u8,
        points: u8,
        num_pit_stops: u8,
        result_status: u8,
        result_reason: u8 [2025..],
        best_lap_time: F32 [..2021] | Ms32 [2021..],
        total_race_time: F64,
        penalties_time: u8,
        num_penalties: u8,
        num_tyre_stints: u8,
        tyre_stints_actual: [u8; 8],
        tyre_stints_visual: [u8; 8],
        tyre_stints_end_laps: [u8; 8] [2022..],
    }

    /// Packet 8: the results at the end of a session.
    packet FinalClassification [0, 0, 839, 839, 1015, 1020, 1020, 1042, 1134] {
        header: Header,
        num_cars: u8,
        car: Cars<CarResult>,
    }

    /// Somebody in the lobby.
    record LobbyPlayer [0, 0, 52, 53, 53, 54, 58, 42, 43] {
        ai_controlled: u8,
        team_id: Wide<u8> [..2026] | U16 [2026],
        nationality: u8,
        platform: u8 [2023..],
        name: Text<48> [..2025] | ShortText<32, 48> [2025..],
        car_number: u8 [2021..],
        your_telemetry: u8 [2024..],
        show_online_names: u8 [2024..],
        tech_level: U16 [2024..],
        ready_status: u8,
    }

    /// Packet 9: who waits in the lobby.
    packet LobbyInfo [0, 0, 1169, 1191, 1191, 1218, 1306, 954, 1062] {
        header: Header,
        num_players: u8,
        car: Cars<LobbyPlayer>,
    }

    /// The damage of one car.
    record CarDamage [0, 0, 0, 39, 42, 42, 42, 46, 46] {
        tyres_wear: RearFirst<F32> => TyreWear in Percent,
        tyres_damage: RearFirst<u8> => TyreDamage in Percent,
        brakes_damage: RearFirst<u8> => BrakeDamage in Percent,
        tyre_blisters: RearFirst<u8> [2025..] => TyreBlisters in Percent,
        front_left_wing: u8 => DamageFrontLeftWing in Percent,
        front_right_wing: u8 => DamageFrontRightWing in Percent,
        rear_wing: u8 => DamageRearWing in Percent,
        floor: u8 => DamageFloor in Percent,
        diffuser: u8 => DamageDiffuser in Percent,
        sidepod: u8 => DamageSidepod in Percent,
        drs_fault: u8 => DrsFault,
        ers_fault: u8 [2022..] => ErsFault,
        gear_box: u8 => DamageGearbox in Percent,
        engine: u8 => DamageEngine in Percent,
        mguh_wear: u8 => WearMguH in Percent,
        es_wear: u8 => WearEnergyStore in Percent,
        ce_wear: u8 => WearControlElectronics in Percent,
        ice_wear: u8 => WearCombustionEngine in Percent,
        mguk_wear: u8 => WearMguK in Percent,
        tc_wear: u8 => WearTurbo in Percent,
        engine_blown: u8 [2022..] => EngineBlown,
        engine_seized: u8 [2022..] => EngineSeized,
    }

    /// Packet 10: every car's damage.
    packet Damage [0, 0, 0, 882, 948, 953, 953, 1041, 1133] {
        header: Header,
        car: Cars<CarDamage>,
    }

    /// A lap that was driven.
    record PastLap [0, 0, 0, 11, 11, 14, 14, 14, 14] {
        lap_time: U32,
        sector1: U16,
        sector1_minutes: u8 [2023..],
        sector2: U16,
        sector2_minutes: u8 [2023..],
        sector3: U16,
        sector3_minutes: u8 [2023..],
        valid_bits: u8,
    }

    /// A stint on one set of tyres.
    record Stint [0, 0, 0, 3, 3, 3, 3, 3, 3] {
        end_lap: u8,
        actual: u8,
        visual: u8,
    }

    /// Packet 11: the laps of one car.
    packet SessionHistory [0, 0, 0, 1155, 1155, 1460, 1460, 1460, 1460] {
        header: Header,
        car_index: u8,
        num_laps: u8,
        num_tyre_stints: u8,
        best_lap: u8,
        best_s1: u8,
        best_s2: u8,
        best_s3: u8,
        laps: Slots<PastLap, 100>,
        stints: [Stint; 8],
    }

    /// A set of tyres.
    record TyreSet [0, 0, 0, 0, 0, 10, 10, 10, 10] {
        actual: u8,
        visual: u8,
        wear: u8,
        available: u8,
        recommended_session: u8,
        life_span: u8,
        usable_life: u8,
        lap_delta: I16,
        fitted: u8,
    }

    /// Packet 12: the sets of tyres of one car.
    packet TyreSets [0, 0, 0, 0, 0, 231, 231, 231, 231] {
        header: Header,
        car_index: u8,
        sets: Slots<TyreSet, 20>,
        fitted_index: u8,
    }

    /// Packet 13: more about the motion of the player's car.
    record MotionEx [0, 0, 0, 0, 0, 217, 237, 273, 273] {
        header: Header,
        suspension_position: RearFirst<F32> => SuspensionPosition in Millimetres,
        suspension_velocity: RearFirst<F32> => SuspensionVelocity in Millimetres,
        suspension_acceleration: RearFirst<F32> => SuspensionAcceleration in Millimetres,
        wheel_speed: RearFirst<F32> => WheelSpeed,
        wheel_slip_ratio: RearFirst<F32> => WheelSlip,
        wheel_slip_angle: RearFirst<F32> => SlipAngle,
        wheel_lat_force: RearFirst<F32> => TyreForceLateral,
        wheel_long_force: RearFirst<F32> => TyreForceLongitudinal,
        height_of_cog: F32 => CentreOfMassHeight,
        local_velocity: Vec3<F32> => LocalVelocity,
        angular_velocity: Vec3<F32> => AngularVelocity,
        angular_acceleration: Vec3<F32> => AngularAcceleration,
        front_wheels_angle: F32 => FrontWheelsAngle,
        wheel_vert_force: RearFirst<F32> => TyreLoad,
        front_aero_height: F32 [2024..] => RideHeightFront,
        rear_aero_height: F32 [2024..] => RideHeightRear,
        front_roll_angle: F32 [2024..] => RollFront,
        rear_roll_angle: F32 [2024..] => RollRear,
        chassis_yaw: F32 [2024..] => BodySlipAngle,
        chassis_pitch: F32 [2025..] => BodyPitch,
        wheel_camber: RearFirst<F32> [2025..] => Camber,
        wheel_camber_gain: RearFirst<F32> [2025..] => CamberGain,
    }

    /// A lap of a time trial.
    record TimeTrialLap [0, 0, 0, 0, 0, 0, 24, 24, 25] {
        car_index: u8,
        team_id: Wide<u8> [..2026] | U16 [2026],
        lap_time: U32,
        sector1: U32,
        sector2: U32,
        sector3: U32,
        traction_control: u8,
        gearbox_assist: u8,
        anti_lock_brakes: u8,
        equal_performance: u8,
        custom_setup: u8,
        valid: u8,
    }

    /// Packet 14: the laps that a time trial is driven against.
    record TimeTrial [0, 0, 0, 0, 0, 0, 101, 101, 104] {
        header: Header,
        session_best: TimeTrialLap,
        personal_best: TimeTrialLap,
        rival: TimeTrialLap,
    }

    /// A car's position in a lap; 0 is none.
    record Place [0, 0, 0, 0, 0, 0, 0, 1, 1] {
        position: u8,
    }

    /// Packet 15: the positions of all cars in fifty laps.
    packet LapPositions [0, 0, 0, 0, 0, 0, 0, 1131, 1231] {
        header: Header,
        num_laps: u8,
        lap_start: u8,
        position: Slots<Place, 1100> [2025] | Slots<Place, 1200> [2026],
    }

    /// What the cars of 2026 have besides.
    record CarTelemetry2 [0, 0, 0, 0, 0, 0, 0, 0, 10] {
        active_aero_mode: u8 => ActiveAero,
        active_aero_available: u8 => ActiveAeroAllowed,
        active_aero_distance: U16 => ActiveAeroDistance,
        overtake_available: u8 => OvertakeModeAllowed,
        overtake_active: u8 => OvertakeMode,
        overtake_distance: U16 => OvertakeModeDistance,
        regulations_2026: u8,
        wrong_way: u8 => WrongWay,
    }

    /// Packet 16: the telemetry that came with 2026.
    packet Telemetry2 [0, 0, 0, 0, 0, 0, 0, 0, 269] {
        header: Header,
        car: Cars<CarTelemetry2>,
    }
}

#[cfg(test)]
mod tests;
