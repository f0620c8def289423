//! What race control, the game's referee, and other cars do.

use core::fmt;

use serde::{Deserialize, Serialize};

use super::Car;

/// What race control, the game's referee, or another car did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RaceEvent {
    /// Of the lights before the start, so many are on.
    StartLights {
        /// How many.
        lit: u8,
    },
    /// The lights went out: the start.
    LightsOut,
    /// DRS may be opened.
    DrsEnabled,
    /// DRS may not be opened any more.
    DrsDisabled {
        /// Why, if the game says.
        reason: Option<String>,
    },
    /// The team mate is in the pits.
    TeamMateInPits,
    /// The leader took the chequered flag.
    ChequeredFlag,
    /// The car has won.
    Won,
    /// The car is out.
    Retired {
        /// Why, if the game says.
        reason: Option<String>,
    },
    /// The referee punished or warned the car.
    Penalised {
        /// The penalty.
        penalty: String,
        /// What for.
        reason: String,
        /// Its seconds.
        seconds: Option<u8>,
        /// The lap.
        lap: Option<u8>,
        /// The places that are lost.
        places: Option<u8>,
        /// The other car.
        with: Option<Car>,
    },
    /// A drive-through penalty was served.
    DriveThroughServed,
    /// A stop-and-go penalty was served.
    StopGoServed {
        /// How long the stop was, in milliseconds.
        millis: Option<u32>,
    },
    /// The car's best speed at the speed trap.
    SpeedTrap {
        /// The speed in millimetres per second.
        mm_per_s: u32,
        /// Whether no car was faster.
        fastest: bool,
    },
    /// The red flag: the session is stopped.
    RedFlag,
    /// The car passed another one.
    Overtook {
        /// The other one.
        car: Car,
    },
    /// The safety car returns to the pits.
    SafetyCarReturns {
        /// Which.
        which: String,
    },
    /// The car touched another one.
    Contact {
        /// The other one.
        with: Car,
        /// How hard, if the game says.
        severity: Option<String>,
    },
}

impl RaceEvent {
    /// The stable event name for scripts.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::StartLights { .. } => "on_start_lights",
            Self::LightsOut => "on_lights_out",
            Self::DrsEnabled => "on_drs_enabled",
            Self::DrsDisabled { .. } => "on_drs_disabled",
            Self::TeamMateInPits => "on_team_mate_in_pits",
            Self::ChequeredFlag => "on_chequered_flag",
            Self::Won => "on_win",
            Self::Retired { .. } => "on_retirement",
            Self::Penalised { .. } => "on_penalised",
            Self::DriveThroughServed => "on_drive_through_served",
            Self::StopGoServed { .. } => "on_stop_go_served",
            Self::SpeedTrap { .. } => "on_speed_trap",
            Self::RedFlag => "on_red_flag",
            Self::Overtook { .. } => "on_overtake",
            Self::SafetyCarReturns { .. } => "on_safety_car_returning",
            Self::Contact { .. } => "on_contact",
        }
    }
}

impl fmt::Display for RaceEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let because = |f: &mut fmt::Formatter<'_>, what: &str, reason: &Option<String>| match reason {
            Some(reason) => write!(f, "{what}: {reason}"),
            None => f.write_str(what),
        };
        match self {
            Self::StartLights { lit } => write!(f, "Start lights: {lit}"),
            Self::LightsOut => f.write_str("Lights out"),
            Self::DrsEnabled => f.write_str("DRS enabled"),
            Self::DrsDisabled { reason } => because(f, "DRS disabled", reason),
            Self::TeamMateInPits => f.write_str("Team mate in the pits"),
            Self::ChequeredFlag => f.write_str("Chequered flag"),
            Self::Won => f.write_str("Wins"),
            Self::Retired { reason } => because(f, "Retired", reason),
            Self::Penalised { penalty, reason, seconds, places, .. } => {
                match seconds {
                    Some(seconds) => write!(f, "{penalty}, {seconds} s")?,
                    None => f.write_str(penalty)?,
                }
                if let Some(places) = places.filter(|places| *places > 0) {
                    write!(f, ", {places} places")?;
                }
                write!(f, ": {reason}")
            }
            Self::DriveThroughServed => f.write_str("Drive-through served"),
            Self::StopGoServed { millis: None } => f.write_str("Stop-and-go served"),
            Self::StopGoServed { millis: Some(millis) } => {
                write!(f, "Stop-and-go served, {:.1} s", f64::from(*millis) / 1e3)
            }
            Self::SpeedTrap { mm_per_s, fastest } => {
                let kmh = f64::from(*mm_per_s) * 3.6e-3;
                write!(f, "Speed trap: {kmh:.1} km/h{}", if *fastest { ", the fastest of all" } else { "" })
            }
            Self::RedFlag => f.write_str("Red flag"),
            Self::Overtook { .. } => f.write_str("Overtakes"),
            Self::SafetyCarReturns { which } => write!(f, "{which} returns to the pits"),
            Self::Contact { severity, .. } => because(f, "Contact with a car", severity),
        }
    }
}
