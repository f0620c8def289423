//! Facts: what is true of a session, its cars and its weather until the game says otherwise.

use serde::{Deserialize, Serialize};

use super::{Car, Participant, ServerInfo, TrackPrint, Vehicle};

/// Something that is true until the next fact of its kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// Whose car this player drives; `None` when the game names no car.
    Player(Option<Car>),
    /// What the session is like.
    Session(Box<SessionInfo>),
    /// Everyone in the session, in the order of their car numbers.
    Participants(Vec<Participant>),
    /// How one car is set up; `None` where the game keeps it secret.
    Setup(Car, Option<Box<CarSetup>>),
    /// Which of a feed's games is played, where its packets tell.
    Game(String),
    /// What kind of car one is.
    Vehicle(Car, Box<Vehicle>),
    /// What a track without a name looks like from above, after a whole lap of it: to be named by the user.
    Track(TrackPrint),
}

/// What kind of session it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SessionKind {
    /// The game does not say.
    #[default]
    Unknown,
    /// Practice; the number where there are several.
    Practice(u8),
    /// Qualifying; the number where there are several.
    Qualifying(u8),
    /// The one session that stands for all of practice.
    ShortPractice,
    /// The one session that stands for all of qualifying.
    ShortQualifying,
    /// One lap for each.
    OneShotQualifying,
    /// A race; the number where there are several.
    Race(u8),
    /// Alone against the clock.
    TimeTrial,
    /// No driving yet: places are booked.
    Booking,
    /// A rally stage: the way from one place to another, once, against the clock.
    Stage,
    /// A number that this version does not know.
    Other(u8),
}

impl SessionKind {
    /// The kind in words, as files of other programs have it; empty where the game does not say.
    pub fn words(self) -> String {
        match self {
            Self::Practice(number) => format!("Practice {number}"),
            Self::Qualifying(number) => format!("Qualifying {number}"),
            Self::ShortPractice => "Practice".to_owned(),
            Self::ShortQualifying | Self::OneShotQualifying => "Qualifying".to_owned(),
            Self::Race(_) => "Race".to_owned(),
            Self::TimeTrial => "Time trial".to_owned(),
            Self::Stage => "Stage".to_owned(),
            Self::Booking => "Booking".to_owned(),
            Self::Unknown | Self::Other(_) => String::new(),
        }
    }

    /// The kind that is meant by words; other programs have words of their own.
    pub fn from_words(words: &str) -> Self {
        let (name, number) = words.trim().rsplit_once(' ').unwrap_or((words.trim(), ""));
        let number = number.parse().ok();
        match (name, number) {
            ("Practice", Some(number)) => Self::Practice(number),
            ("Qualifying", Some(number)) => Self::Qualifying(number),
            _ => match words.trim() {
                "Practice" => Self::ShortPractice,
                "Qualifying" => Self::ShortQualifying,
                "Race" => Self::Race(1),
                "Time trial" => Self::TimeTrial,
                "Stage" => Self::Stage,
                "Booking" => Self::Booking,
                _ => Self::Unknown,
            },
        }
    }
}

/// The weather.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Weather {
    /// Clear sky.
    #[default]
    Clear,
    /// Light cloud.
    LightCloud,
    /// Overcast.
    Overcast,
    /// Light rain.
    LightRain,
    /// Heavy rain.
    HeavyRain,
    /// Storm.
    Storm,
    /// A number that this version does not know.
    Other(u8),
}

/// Whether a safety car slows the race.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SafetyCar {
    /// None.
    #[default]
    None,
    /// A real one leads the field.
    Full,
    /// A virtual one: everybody keeps to a slower pace.
    Virtual,
    /// A number that this version does not know.
    Other(u8),
}

/// A flag, as shown to a car or along a zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Flag {
    /// The game does not know.
    Unknown,
    /// No flag.
    #[default]
    None,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
    /// Red.
    Red,
    /// A number that this version does not know.
    Other(i8),
}

impl Flag {
    /// The flag that a number stands for, in the flag channel's numbering.
    pub fn from_number(number: i8) -> Self {
        match number {
            -1 => Self::Unknown,
            0 => Self::None,
            1 => Self::Green,
            2 => Self::Blue,
            3 => Self::Yellow,
            4 => Self::Red,
            other => Self::Other(other),
        }
    }
}

/// A stretch of track watched by one marshal's post.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarshalZone {
    /// Where it begins, as a share of the lap.
    pub start: f32,
    /// The flag shown there.
    pub flag: Flag,
}

/// A track, by the game's own numbering or naming.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Track {
    /// The game's own id, printed.
    pub id: String,
    /// The name, where this version knows it.
    pub name: Option<String>,
}

impl Track {
    /// What the track is called everywhere: its name; where this version knows none, the game's own word for it, the
    /// number that stands for it, or its length where that is all that the game tells.
    pub fn title(&self) -> String {
        match &self.name {
            Some(name) => name.clone(),
            None if self.id.chars().any(char::is_alphabetic) => self.id.clone(),
            None => match self.id.split_once('.') {
                Some((metres, _)) => ["Track of ", metres, " m"].concat(),
                None => ["Track ", &self.id].concat(),
            },
        }
    }

    /// A track that the game names itself, in the layout that is driven; it may have but one.
    pub fn named(name: &str, layout: &str) -> Self {
        let parts = || [name, layout].into_iter().filter(|part| !part.is_empty());
        let joined = |between: &str| parts().collect::<Vec<_>>().join(between);
        Self { id: joined("/"), name: Some(joined(", ")) }
    }
}

/// What a session is like. Fields a game does not send are `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionInfo {
    /// The game's own identity of the session.
    pub uid: Option<u64>,
    /// The kind of session.
    pub kind: SessionKind,
    /// Where it is driven.
    pub track: Option<Track>,
    /// The lap's length in metres.
    pub track_length_m: Option<f32>,
    /// Laps in the race.
    pub total_laps: Option<u16>,
    /// The weather.
    pub weather: Option<Weather>,
    /// The weather in the game's own word.
    pub weather_name: Option<String>,
    /// How well the track grips, as a share of what it can.
    pub grip: Option<f32>,
    /// Degrees Celsius of the track.
    pub track_celsius: Option<i16>,
    /// Degrees Celsius of the air.
    pub air_celsius: Option<i16>,
    /// Seconds until the session ends.
    pub seconds_left: Option<u32>,
    /// Seconds that the session takes in all.
    pub duration_s: Option<u32>,
    /// The speed limit in the pit lane, in metres per second.
    pub pit_limit_mps: Option<f32>,
    /// Whether cars of another age are driven.
    pub classic: Option<bool>,
    /// Whether the game is paused.
    pub paused: Option<bool>,
    /// Whether the player only watches.
    pub spectating: Option<bool>,
    /// The car that is watched then.
    pub watching: Option<Car>,
    /// How many cars take part.
    pub cars: Option<u8>,
    /// Whether this is shown again and not driven now.
    pub replay: Option<bool>,
    /// Whether the session is driven against others over a network.
    pub online: Option<bool>,
    /// Whether the game drives an SLI-Pro display itself.
    pub sli_pro: Option<bool>,
    /// The safety car.
    pub safety_car: Option<SafetyCar>,
    /// The server that runs the session.
    pub server: Option<Box<ServerInfo>>,
    /// The marshals' zones, in order.
    pub marshal_zones: Vec<MarshalZone>,
}

/// How a car is set up, in the units that the game's own setup screen shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each field is the label of the game's own setup screen")]
pub struct CarSetup {
    pub front_wing: u8,
    pub rear_wing: u8,
    pub differential_on_throttle_percent: u8,
    pub differential_off_throttle_percent: u8,
    pub front_camber_deg: f32,
    pub rear_camber_deg: f32,
    pub front_toe_deg: f32,
    pub rear_toe_deg: f32,
    pub front_suspension: u8,
    pub rear_suspension: u8,
    pub front_anti_roll_bar: u8,
    pub rear_anti_roll_bar: u8,
    pub front_ride_height: u8,
    pub rear_ride_height: u8,
    pub brake_pressure_percent: u8,
    pub brake_bias_percent: u8,
    pub front_tyre_psi: f32,
    pub rear_tyre_psi: f32,
    pub ballast: u8,
    pub fuel_load_kg: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_session_come_back_from_their_words() {
        let kinds = [
            SessionKind::Practice(2),
            SessionKind::Qualifying(3),
            SessionKind::ShortPractice,
            SessionKind::ShortQualifying,
            SessionKind::Race(1),
            SessionKind::TimeTrial,
            SessionKind::Stage,
            SessionKind::Booking,
            SessionKind::Unknown,
        ];
        for kind in kinds {
            assert_eq!(SessionKind::from_words(&kind.words()), kind);
        }
        assert_eq!(SessionKind::from_words("Hotlap 3"), SessionKind::Unknown);
    }
}
