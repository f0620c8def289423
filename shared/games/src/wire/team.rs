//! What the page of a hub shows of a team's rigs, as JSON.

use serde::{Deserialize, Serialize};
use trailbrake_model::time::LapTime;

/// How a rig drives. What is unknown is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RigDrive {
    /// The id of the feed.
    pub feed: Option<String>,
    /// The game, as drivers call it.
    pub game: Option<String>,
    /// The track.
    pub track: Option<String>,
    /// The player's name.
    pub driver: Option<String>,
    /// The number of the lap under way.
    pub lap: Option<u16>,
    /// The time of the last finished lap.
    pub last: Option<LapTime>,
    /// The fastest counted lap of the session.
    pub best: Option<LapTime>,
    /// Whether a game sends now.
    pub sends: bool,
    /// What is wrong, in words.
    pub help: Option<String>,
}

/// A rig in the overview of its team.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TeamRig {
    /// Its name.
    pub name: String,
    /// Its place in the team.
    pub state: RigState,
    /// The version of its Trailbrake.
    pub version: String,
    /// How it drives.
    pub drive: RigDrive,
    /// Whether it records.
    pub records: bool,
    /// Recorded bytes that the hub lacks.
    pub missing_bytes: u64,
    /// Finished recordings that the hub lacks.
    pub waiting: u64,
    /// What somebody has to look after, in words.
    pub help: Option<String>,
}

/// A rig's place in its team.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RigState {
    /// It has not reported for a while.
    #[default]
    Offline,
    /// The hub lacks some of its recordings.
    Behind,
    /// The hub has all that it recorded.
    Online,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rig_of_another_version_is_read_as_far_as_it_is_known() {
        let rig = TeamRig {
            name: "anna".into(),
            state: RigState::Behind,
            drive: RigDrive { lap: Some(7), best: Some(LapTime(81_234)), ..RigDrive::default() },
            ..TeamRig::default()
        };
        let json = serde_json::to_string(&rig).expect("JSON");
        assert_eq!(serde_json::from_str::<TeamRig>(&json).expect("a rig"), rig);
        let later = r#"{"name":"bob","tyres":4,"drive":{"track":"Spa","mood":"good"}}"#;
        let read: TeamRig = serde_json::from_str(later).expect("a rig");
        assert_eq!((read.name.as_str(), read.drive.track.as_deref()), ("bob", Some("Spa")));
        assert_eq!(read.state, RigState::Offline);
    }
}
