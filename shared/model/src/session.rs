//! Facts: what is true of a session, its cars and its weather until the next report.

use serde::{Deserialize, Serialize};

use super::{
    Car, CarResult, Forecast, LobbyPlayer, Participant, PastLaps, RivalLap, Rule, ServerInfo, SessionKind,
    TrackPrint, TyreSet, Vehicle, Weather,
};

/// A fact: true until the next of its kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// The player's car; `None` when the game names no car.
    Player(Option<Car>),
    /// The session's properties.
    Session(Box<SessionInfo>),
    /// Everyone in the session, ordered by car number.
    Participants(Vec<Participant>),
    /// A car's setup; `None` if the game keeps it secret.
    Setup(Car, Option<Box<CarSetup>>),
    /// Which of a feed's games is running, if its packets identify it.
    Game(String),
    /// A car's model.
    Vehicle(Car, Box<Vehicle>),
    /// The shape of an unnamed track, after a complete lap, for the driver to name.
    Track(TrackPrint),
    /// The session's rules, and the aids that the player drives with.
    Rules(Vec<Rule>),
    /// The results at the end of the session, in the order of the cars.
    Results(Vec<CarResult>),
    /// All laps of a car, those before Trailbrake was started among them.
    PastLaps(Car, Box<PastLaps>),
    /// The sets of tyres of a car.
    TyreSets(Car, Vec<TyreSet>),
    /// Who waits in the lobby.
    Lobby(Vec<LobbyPlayer>),
    /// The laps that a time trial is driven against.
    Rivals(Vec<RivalLap>),
    /// The positions of the cars in each lap from one on, 0 where a car has none.
    Positions {
        /// The first lap.
        first_lap: u16,
        /// For each lap the position of each car.
        laps: Vec<Vec<u8>>,
    },
}

/// The safety car state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SafetyCar {
    /// No safety car.
    #[default]
    None,
    /// A safety car leads the field.
    Full,
    /// A virtual safety car: everybody keeps to a slower pace.
    Virtual,
    /// The lap to the start.
    FormationLap,
    /// A number that this version does not know.
    Other(u8),
}

/// A flag, as shown to a car or in a marshal zone.
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
    /// The flag of a number of the flag channel.
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

/// A section of track with its own marshal post.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarshalZone {
    /// Its start, as a lap fraction.
    pub start: f32,
    /// The flag shown there.
    pub flag: Flag,
}

/// A track, by the game's own numbering or naming.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Track {
    /// The game's own id, printed; the track's name where it is recognised.
    pub id: String,
    /// The name, if this version knows it.
    pub name: Option<String>,
    /// How much is known, where the game sends no name and the path that the car drove was recognised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recognised: Option<Recognised>,
}

/// How much of a track the driven path identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recognised {
    /// The track, on one of several layouts.
    Track,
    /// The layout.
    Layout,
}

impl Track {
    /// Whether the game, or the driver on the page, names it. A recognised name gives way to one in the track book.
    pub fn is_named(&self) -> bool {
        self.name.is_some() && self.recognised.is_none()
    }

    /// What identifies it among tracks and layouts: the game's id, else the recognised layout; `None` as long as the
    /// layout is not recognised.
    pub fn layout(&self) -> Option<&str> {
        match self.recognised {
            None => Some(&self.id),
            Some(Recognised::Layout) => self.name.as_deref(),
            Some(Recognised::Track) => None,
        }
    }

    /// The track as it is known now, or as it was known before in the same session, if more was recognised of it then.
    pub fn or_recognised(now: Option<Self>, before: Option<&Self>) -> Option<Self> {
        let before = before.filter(|before| before.recognised.is_some());
        let knew_more = before.filter(|before| match &now {
            None => true,
            Some(now) => now.recognised == Some(Recognised::Track) && now.id == before.id,
        });
        knew_more.cloned().or(now)
    }

    /// The display name: the track's name, else the game's own word, number, or length if that is all the game sends.
    pub fn title(&self) -> String {
        match &self.name {
            Some(name) => name.clone(),
            None if self.id.chars().any(char::is_alphabetic) => self.id.clone(),
            None => match self.id.split_once('.') {
                Some((metres, _)) => ["Unnamed stage (", metres, " m)"].concat(),
                None => ["Track ", &self.id].concat(),
            },
        }
    }

    /// A track that the game names; `layout` may be empty.
    pub fn named(name: &str, layout: &str) -> Self {
        let parts = || [name, layout].into_iter().filter(|part| !part.is_empty());
        let joined = |between: &str| parts().collect::<Vec<_>>().join(between);
        Self { id: joined("/"), name: Some(joined(", ")), recognised: None }
    }
}

/// The properties of a session. Fields a game does not send are `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionInfo {
    /// The game's own id of the session.
    pub uid: Option<u64>,
    /// The kind of session.
    pub kind: SessionKind,
    /// The track.
    pub track: Option<Track>,
    /// The lap length in metres.
    pub track_length_m: Option<f32>,
    /// Laps in the race.
    pub total_laps: Option<u16>,
    /// The weather.
    pub weather: Option<Weather>,
    /// The weather in the game's own word.
    pub weather_name: Option<String>,
    /// The track's grip, as a fraction of its best.
    pub grip: Option<f32>,
    /// Track temperature in °C.
    pub track_celsius: Option<i16>,
    /// Air temperature in °C.
    pub air_celsius: Option<i16>,
    /// Seconds until the session ends.
    pub seconds_left: Option<u32>,
    /// The length of the session in seconds.
    pub duration_s: Option<u32>,
    /// The pit lane speed limit in m/s.
    pub pit_limit_mps: Option<f32>,
    /// Whether classic cars are driven.
    pub classic: Option<bool>,
    /// Whether the game is paused.
    pub paused: Option<bool>,
    /// Whether the player is spectating.
    pub spectating: Option<bool>,
    /// The car that is then watched.
    pub watching: Option<Car>,
    /// The number of cars.
    pub cars: Option<u8>,
    /// Whether this is a replay.
    pub replay: Option<bool>,
    /// Whether the session is online.
    pub online: Option<bool>,
    /// Whether the game drives an SLI-Pro display itself.
    pub sli_pro: Option<bool>,
    /// The safety car.
    pub safety_car: Option<SafetyCar>,
    /// The server that runs the session.
    pub server: Option<Box<ServerInfo>>,
    /// The marshal zones, in order.
    pub marshal_zones: Vec<MarshalZone>,
    /// The weather that is expected in this session, the next first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forecast: Vec<Forecast>,
    /// The distances at which the second and the third sector begin, in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sectors_from_m: Option<[f32; 2]>,
    /// The lap in which the game advises to stop, the last one that it advises, and the position after the stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pit_window: Option<PitWindow>,
    /// Where DRS may be opened and wings may be set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub zones: Vec<TrackZone>,
    /// The ghosts of a time trial, which are no opponents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ghosts: Vec<Car>,
}

impl SessionInfo {
    /// The marshal zone with the worst flag; `None` if nothing is in the way anywhere.
    pub fn worst_zone(&self) -> Option<&MarshalZone> {
        let severity = |zone: &&MarshalZone| match zone.flag {
            Flag::Red => 2,
            Flag::Yellow => 1,
            _ => 0,
        };
        self.marshal_zones.iter().filter(|zone| severity(zone) > 0).max_by_key(severity)
    }
}

/// What may be done in a part of the track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ZoneUse {
    /// DRS may be opened.
    Drs,
    /// The wings may be set for the straight.
    ActiveAero,
    /// The wings may be set for the straight in the rain too.
    ActiveAeroInRain,
}

/// A part of the track in which something may be done. It may reach over the line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrackZone {
    /// What.
    pub usage: ZoneUse,
    /// Where it begins, as a lap fraction.
    pub start: f32,
    /// Where it ends.
    pub end: f32,
}

/// When the game advises to stop for tyres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PitWindow {
    /// The best lap.
    pub ideal_lap: u8,
    /// The last lap.
    pub latest_lap: u8,
    /// The position after the stop.
    pub rejoin_position: u8,
}

/// A car's setup, in the units of the game's own setup screen.
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
    pub front_tyre_psi: Option<f32>,
    pub rear_tyre_psi: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front_left_tyre_psi: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front_right_tyre_psi: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rear_left_tyre_psi: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rear_right_tyre_psi: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine_braking_percent: Option<u8>,
    /// The front wing that the next stop fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_front_wing: Option<f32>,
    pub ballast: u8,
    pub fuel_load_kg: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_recognised_of_a_track_stays_known_for_the_session() {
        let track = |id: &str, name: &str, recognised| Track {
            id: id.to_owned(),
            name: Some(name.to_owned()),
            recognised,
        };
        let (eifel, gp) = (
            track("Eifel", "Eifel", Some(Recognised::Track)),
            track("Eifel", "Eifel GP", Some(Recognised::Layout)),
        );
        let (other, named) = (track("Spa", "Spa", Some(Recognised::Track)), track("Home", "Home", None));
        for (now, before, expected) in [
            (None, Some(&gp), Some(&gp)),
            (Some(&eifel), Some(&gp), Some(&gp)),
            (Some(&gp), Some(&eifel), Some(&gp)),
            (Some(&other), Some(&gp), Some(&other)),
            (Some(&named), Some(&gp), Some(&named)),
            (None, Some(&named), None),
            (Some(&eifel), None, Some(&eifel)),
        ] {
            assert_eq!(Track::or_recognised(now.cloned(), before).as_ref(), expected);
        }
        let names = [&eifel, &gp, &named].map(|track| (track.is_named(), track.layout()));
        assert_eq!(names, [(false, None), (false, Some("Eifel GP")), (true, Some("Home"))]);
        let json = |track: &Track| serde_json::to_string(track).expect("JSON");
        assert_eq!(json(&named), r#"{"id":"Home","name":"Home"}"#);
        assert_eq!(json(&gp), r#"{"id":"Eifel","name":"Eifel GP","recognised":"layout"}"#);
    }
}
