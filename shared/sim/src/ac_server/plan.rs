//! The sessions that the server runs in turn.

use trailbrake_games::ac_server::layout::{Session, SetSession};

use super::super::race::{LIGHTS_S, Options, Race, Start, session_state};

const SERVER: &str = "Karvala evening, everybody welcome";
const RACE: u8 = 3;

/// The settings of one session.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    name: String,
    kind: u8,
    laps: u16,
    minutes: u16,
    wait_s: u16,
}

impl Plan {
    /// Qualifying, then a race.
    pub(super) fn evening() -> Vec<Self> {
        let plan = |name: &str, kind, laps, minutes, wait_s| Self {
            name: name.to_owned(),
            kind,
            laps,
            minutes,
            wait_s,
        };
        vec![plan("Qualify", 2, 0, 10, 0), plan("Race", RACE, 4, 0, 6)]
    }

    /// A session as requested by a plugin.
    pub(super) fn wished(wish: &SetSession) -> Self {
        let fits = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
        Self {
            name: wish.name.clone(),
            kind: wish.session_type,
            laps: fits(wish.laps),
            minutes: fits(wish.time_seconds / 60),
            wait_s: fits(wish.wait_time_seconds).min(u16::MAX / 1000),
        }
    }

    pub(super) fn is_race(&self) -> bool {
        self.kind == RACE
    }

    /// Milliseconds since the session's start; negative before a race starts.
    pub(super) fn elapsed_ms(&self, session_s: f64) -> i32 {
        ((session_s - if self.is_race() { LIGHTS_S } else { 0.0 }) * 1e3) as i32
    }

    /// Simulator options for the session.
    pub(super) fn options(&self, usual: &Options) -> Options {
        Options {
            start: if self.is_race() { Start::Grid } else { Start::Flying },
            laps: u8::try_from(self.laps).unwrap_or(u8::MAX).max(1),
            duration_s: self.minutes.saturating_mul(60).max(60),
            again: false,
            ..usual.clone()
        }
    }

    pub(super) fn file(&self, number: u64) -> String {
        format!("results/evening_{number}_{}.json", self.name.to_ascii_uppercase())
    }

    /// The message that describes it as session `index` of `count` while `current` is running.
    pub(super) fn describe(&self, [index, current, count]: [usize; 3], race: &Race) -> Session {
        let number = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        let state = session_state(race);
        Session {
            protocol_version: 4,
            session_index: number(index),
            current_session_index: number(current),
            session_count: number(count),
            server_name: SERVER.into(),
            track: race.circuit.name.to_ascii_lowercase().replace(' ', "_"),
            track_config: "full".into(),
            name: self.name.as_str().into(),
            session_type: self.kind,
            time: self.minutes,
            laps: self.laps,
            wait_time: self.wait_s * 1000,
            ambient_temp: state.air_c.clamp(0.0, 255.0) as u8,
            road_temp: state.track_c.clamp(0.0, 255.0) as u8,
            weather_graphics: "5_light_clouds".into(),
            elapsed_ms: if index == current { self.elapsed_ms(race.session_s()) } else { 0 },
        }
    }
}
