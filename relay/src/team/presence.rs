//! What a rig reports of itself.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::wire::{RigDrive, RigState, TeamRig};

use super::json_message::JsonMessage;
use super::rig_name::RigName;

/// How often a rig reports.
pub(super) const INTERVAL: Duration = Duration::from_secs(5);
/// A rig that has not reported for so long is offline.
const OFFLINE: Duration = Duration::from_secs(15);
/// A rig is behind when the hub lacks so many bytes: more than some seconds of any game.
const BEHIND: u64 = 1 << 20;

/// A rig's report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Presence {
    /// The version of Trailbrake.
    pub(crate) version: String,
    /// A random number of the running program: two at once use one invitation.
    pub(crate) instance: u64,
    /// The recording under way, and its feed.
    pub(crate) recording: Option<RecordingId>,
    pub(crate) feed: Option<String>,
    /// Its bytes, and how many of them are safe at the hub.
    pub(crate) recorded: u64,
    pub(crate) confirmed: u64,
    /// Finished recordings that are not confirmed.
    pub(crate) waiting: u64,
    /// The hub's clock minus the rig's, and how wrong that may be, microseconds.
    pub(crate) clock_offset: i64,
    pub(crate) clock_error: u64,
    /// What is wrong, in words.
    pub(crate) trouble: Option<String>,
    /// How it drives; older versions don't say.
    pub(crate) drive: RigDrive,
}

impl JsonMessage for Presence {}

/// The latest reports of all rigs.
#[derive(Default)]
pub(super) struct Presences(HashMap<RigName, Reports>);

struct Reports {
    latest: Presence,
    at: Instant,
    /// Another running program with the same invitation, and when it reported.
    other: Option<(u64, Instant)>,
    /// When two programs were noticed last.
    twice: Option<Instant>,
    is_online: bool,
}

/// What changed with a report, or without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Online(RigName),
    Offline(RigName),
    /// Two programs use the invitation of this rig.
    Twice(RigName),
}

impl Presences {
    /// Takes a report.
    pub(super) fn take(&mut self, rig: RigName, report: Presence, now: Instant) -> Vec<Change> {
        let Some(known) = self.0.get_mut(&rig) else {
            let reports = Reports { latest: report, at: now, other: None, twice: None, is_online: true };
            self.0.insert(rig.clone(), reports);
            return vec![Change::Online(rig)];
        };
        let mut changes = Vec::new();
        if !known.is_online {
            changes.push(Change::Online(rig.clone()));
        }
        let is_another = known.latest.instance != report.instance;
        // A program that was started again does not come back.
        if is_another && known.other.is_some_and(|(other, at)| other == report.instance && now - at < OFFLINE)
        {
            known.twice = Some(now);
            changes.push(Change::Twice(rig));
        }
        if is_another {
            known.other = Some((known.latest.instance, known.at));
        }
        (known.latest, known.at, known.is_online) = (report, now, true);
        changes
    }

    /// The latest report of a rig, while it is online.
    pub(super) fn latest(&self, rig: &RigName) -> Option<&Presence> {
        self.0.get(rig).filter(|known| known.is_online).map(|known| &known.latest)
    }

    /// A rig as the overview shows it.
    pub(super) fn overview(&self, rig: &RigName, now: Instant) -> TeamRig {
        let unknown = TeamRig { name: rig.to_string(), ..TeamRig::default() };
        let Some(known) = self.0.get(rig) else { return unknown };
        let Presence { version, recording, recorded, confirmed, waiting, trouble, drive, .. } = &known.latest;
        let missing_bytes = recorded.saturating_sub(*confirmed);
        let is_online = now.saturating_duration_since(known.at) <= OFFLINE;
        let state = match is_online {
            false => RigState::Offline,
            true if *waiting > 0 || missing_bytes > BEHIND => RigState::Behind,
            true => RigState::Online,
        };
        let is_twice = known.twice.is_some_and(|at| now.saturating_duration_since(at) <= OFFLINE);
        let twice = || is_twice.then(|| "Two programs use its invitation".to_owned());
        let help = || trouble.clone().or_else(twice).or_else(|| drive.help.clone());
        TeamRig {
            state,
            version: version.clone(),
            drive: drive.clone(),
            records: is_online && recording.is_some(),
            missing_bytes,
            waiting: *waiting,
            help: if is_online { help() } else { None },
            ..unknown
        }
    }

    /// The rigs that went silent since the last call.
    pub(super) fn silent(&mut self, now: Instant) -> Vec<Change> {
        let silent = self.0.iter_mut().filter(|(_, known)| known.is_online && now - known.at > OFFLINE);
        silent
            .map(|(rig, known)| {
                known.is_online = false;
                Change::Offline(rig.clone())
            })
            .collect()
    }

    /// Forgets rigs that are no longer in the team.
    pub(super) fn keep(&mut self, is_in: impl Fn(&RigName) -> bool) {
        self.0.retain(|rig, _| is_in(rig));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn report(instance: u64) -> Presence {
        Presence { instance, ..Presence::default() }
    }

    #[test]
    fn two_programs_with_one_invitation_are_noticed_and_a_restart_is_not() {
        let rig: RigName = "anna".parse().expect("a name");
        let (mut presences, start) = (Presences::default(), Instant::now());
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        assert_eq!(presences.take(rig.clone(), report(1), at(0)), [Change::Online(rig.clone())]);
        assert_eq!(presences.take(rig.clone(), report(2), at(3)), [], "it was started again");
        assert_eq!(presences.take(rig.clone(), report(2), at(8)), []);
        assert_eq!(presences.take(rig.clone(), report(1), at(9)), [Change::Twice(rig.clone())]);
        assert_eq!(presences.silent(at(20)), []);
        assert_eq!(presences.silent(at(30)), [Change::Offline(rig.clone())]);
        assert_eq!(presences.silent(at(31)), []);
        assert_eq!(presences.take(rig.clone(), report(1), at(40)), [Change::Online(rig)]);
    }

    #[test]
    fn the_overview_has_what_rigs_report() {
        let rig: RigName = "anna".parse().expect("a name");
        let (mut presences, start) = (Presences::default(), Instant::now());
        let unknown = presences.overview(&rig, start);
        assert_eq!((unknown.name.as_str(), unknown.state), ("anna", RigState::Offline));
        let drive = RigDrive { help: Some("no disk".into()), lap: Some(3), ..RigDrive::default() };
        let recording = Some(RecordingId(7));
        let report = Presence { drive, recording, recorded: BEHIND, ..report(1) };
        presences.take(rig.clone(), report.clone(), start);
        let online = presences.overview(&rig, start);
        assert_eq!((online.state, online.drive.lap, online.records), (RigState::Online, Some(3), true));
        assert_eq!(online.help.as_deref(), Some("no disk"));
        presences.take(rig.clone(), Presence { recorded: BEHIND + 1, ..report }, start);
        assert_eq!(presences.overview(&rig, start).state, RigState::Behind);
        let gone = presences.overview(&rig, start + OFFLINE * 2);
        assert_eq!((gone.state, gone.records, gone.help), (RigState::Offline, false, None));
    }

    #[test]
    fn a_report_of_an_older_version_is_read() {
        let older = br#"{"version":"0.1.0","instance":7,"recording":null,"waiting":2}"#;
        let read = Presence::read(older).expect("a report");
        assert_eq!((read.waiting, read.drive), (2, RigDrive::default()));
    }

    proptest! {
        #[test]
        fn no_report_breaks_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..100), text in "\\PC{0,60}") {
            let _ = Presence::read(&bytes);
            let _ = Presence::read(text.as_bytes());
        }
    }
}
