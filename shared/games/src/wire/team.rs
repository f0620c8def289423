//! What the page of a hub shows of a team's rigs, as JSON.

use std::collections::BTreeMap;

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
    /// The game's own id of the session, which is that of a lobby at all of its rigs.
    pub session: Option<u64>,
    /// The car's position in the session, from 1.
    pub position: Option<u8>,
    /// How far it is behind the leader.
    pub behind: Option<Behind>,
    /// Whether a game sends now.
    pub sends: bool,
    /// What is wrong, in words.
    pub help: Option<String>,
}

/// How far a car is behind another. In practice and qualifying it is the difference of the best laps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Behind {
    /// Milliseconds.
    Millis(u32),
    /// Whole laps.
    Laps(u16),
}

impl Behind {
    /// How far it is behind a car that is ahead of it.
    fn beyond(self, ahead: Self) -> Self {
        match (self, ahead) {
            (Self::Millis(own), Self::Millis(ahead)) => Self::Millis(own.saturating_sub(ahead)),
            (Self::Laps(own), Self::Laps(ahead)) => Self::Laps(own.saturating_sub(ahead)),
            (own, _) => own,
        }
    }
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
    /// How far it is behind the first rig of its lobby, if several of the team's share one.
    pub gap: Option<Behind>,
    /// What somebody has to look after, in words.
    pub help: Option<String>,
}

/// Fills in the gaps of rigs that share a lobby: that are online in the same session of the same game.
pub fn find_gaps(rigs: &mut [TeamRig]) {
    let mut lobbies: BTreeMap<(String, u64), Vec<&mut TeamRig>> = BTreeMap::new();
    for rig in rigs.iter_mut().filter(|rig| rig.state != RigState::Offline && rig.drive.sends) {
        let RigDrive { game: Some(game), session: Some(session), position: Some(_), .. } = &rig.drive else {
            continue;
        };
        lobbies.entry((game.clone(), *session)).or_default().push(rig);
    }
    for lobby in lobbies.values_mut().filter(|lobby| lobby.len() > 1) {
        lobby.sort_by_key(|rig| rig.drive.position);
        let first = lobby.first().and_then(|rig| rig.drive.behind);
        for rig in lobby {
            rig.gap = rig.drive.behind.zip(first).map(|(own, first)| own.beyond(first));
        }
    }
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

    #[test]
    fn rigs_of_one_lobby_have_gaps() {
        let rig = |name: &str, session: u64, position: u8, behind: Behind| TeamRig {
            name: name.into(),
            state: RigState::Online,
            drive: RigDrive {
                game: Some("F1 24".into()),
                session: Some(session),
                position: Some(position),
                behind: Some(behind),
                sends: true,
                ..RigDrive::default()
            },
            ..TeamRig::default()
        };
        let mut rigs = [
            rig("lapped", 7, 12, Behind::Laps(1)),
            rig("second", 7, 5, Behind::Millis(9_500)),
            rig("alone", 8, 1, Behind::Millis(0)),
            rig("first", 7, 3, Behind::Millis(4_000)),
            TeamRig { state: RigState::Offline, ..rig("gone", 7, 4, Behind::Millis(5_000)) },
        ];
        find_gaps(&mut rigs);
        let gaps = rigs.map(|rig| rig.gap);
        let expected =
            [Some(Behind::Laps(1)), Some(Behind::Millis(5_500)), None, Some(Behind::Millis(0)), None];
        assert_eq!(gaps, expected);
    }
}
