//! The packet about the session: weather, rules and aids.

use zerocopy::LE;

use super::{Header, YEARS};
use crate::table::Slots;

type F32 = zerocopy::F32<LE>;
type U16 = zerocopy::U16<LE>;
type U32 = zerocopy::U32<LE>;

packets! {
    YEARS;

    /// A section of track with its flag.
    record MarshalZone [5, 5, 5, 5, 5, 5, 5, 5, 5] {
        zone_start: F32,
        zone_flag: i8,
    }

    /// The weather that is expected at some time of a session of the weekend.
    record Forecast [0, 0, 5, 8, 8, 8, 8, 8, 8] {
        session_type: u8,
        time_offset: u8,
        weather: u8,
        track_temperature: i8,
        track_change: i8 [2021..],
        air_temperature: i8,
        air_change: i8 [2021..],
        rain_percentage: u8 [2021..],
    }

    /// A part of the track, as shares of the lap.
    record Span [0, 0, 0, 0, 0, 0, 0, 0, 8] {
        start: F32,
        end: F32,
    }

    /// Packet 1: the session.
    packet Session [147, 149, 251, 625, 632, 644, 753, 753, 926] {
        header: Header,
        weather: u8,
        track_temperature: i8,
        air_temperature: i8,
        total_laps: u8,
        track_length: U16,
        session_type: u8,
        track_id: i8,
        formula: u8,
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
        num_weather_forecast_samples: u8 [2020..],
        weather_forecast_samples: Slots<Forecast, 20> [2020] | Slots<Forecast, 56> [2021..2024] | Slots<Forecast, 64> [2024..],
        forecast_accuracy: u8 [2021..],
        ai_difficulty: u8 [2021..],
        season_link: U32 [2021..],
        weekend_link: U32 [2021..],
        session_link: U32 [2021..],
        pit_stop_window_ideal_lap: u8 [2021..],
        pit_stop_window_latest_lap: u8 [2021..],
        pit_stop_rejoin_position: u8 [2021..],
        steering_assist: u8 [2021..],
        braking_assist: u8 [2021..],
        gearbox_assist: u8 [2021..],
        pit_assist: u8 [2021..],
        pit_release_assist: u8 [2021..],
        ers_assist: u8 [2021..],
        drs_assist: u8 [2021..],
        racing_line: u8 [2021..],
        racing_line_type: u8 [2021..],
        game_mode: u8 [2022..],
        rule_set: u8 [2022..],
        time_of_day: U32 [2022..],
        session_length: u8 [2022..],
        speed_units: u8 [2023..],
        temperature_units: u8 [2023..],
        speed_units_2: u8 [2023..],
        temperature_units_2: u8 [2023..],
        num_safety_cars: u8 [2023..],
        num_virtual_safety_cars: u8 [2023..],
        num_red_flags: u8 [2023..],
        equal_car_performance: u8 [2024..],
        recovery_mode: u8 [2024..],
        flashback_limit: u8 [2024..],
        surface_type: u8 [2024..],
        low_fuel_mode: u8 [2024..],
        race_starts: u8 [2024..],
        tyre_temperature: u8 [2024..],
        pit_lane_tyre_sim: u8 [2024..],
        car_damage: u8 [2024..],
        car_damage_rate: u8 [2024..],
        collisions: u8 [2024..],
        collisions_off_first_lap: u8 [2024..],
        mp_unsafe_pit_release: u8 [2024..],
        mp_off_for_griefing: u8 [2024..],
        corner_cutting: u8 [2024..],
        parc_ferme: u8 [2024..],
        pit_stop_experience: u8 [2024..],
        safety_car: u8 [2024..],
        safety_car_experience: u8 [2024..],
        formation_lap: u8 [2024..],
        formation_lap_experience: u8 [2024..],
        red_flags: u8 [2024..],
        affects_licence_solo: u8 [2024..],
        affects_licence_mp: u8 [2024..],
        num_sessions_in_weekend: u8 [2024..],
        weekend_structure: [u8; 12] [2024..],
        sector2_start: F32 [2024..],
        sector3_start: F32 [2024..],
        active_aero_track_status: u8 [2026],
        num_active_aero_full: u8 [2026],
        active_aero_full: [Span; 8] [2026],
        num_active_aero_partial: u8 [2026],
        active_aero_partial: [Span; 8] [2026],
        num_drs_zones: u8 [2026],
        drs_zones: [Span; 4] [2026],
        start_reaction_time: F32 [2026],
        abs_assist: u8 [2026],
        traction_control_assist: u8 [2026],
        racing_line_hi_vis: u8 [2026],
        racing_line_colour_blind: u8 [2026],
        recurring_rewind_prompt: u8 [2026],
    }
}
