//! Makes samples for bug reports from the last packets.

use std::collections::BTreeMap;
use std::env::consts;
use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::watch;
use trailbrake_shared::recording::{ENDING, SampleReport, sample};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Status;

use super::recent::RecentPackets;
use super::settings::Settings;
use super::tablet_view;
use crate::recording_id;
use crate::version::{COMMIT, PROGRAM};

/// What samples are made from.
#[derive(Clone)]
pub(crate) struct Sampling {
    pub(crate) recent: RecentPackets,
    pub(crate) status: watch::Receiver<Arc<Status>>,
    pub(crate) settings: BTreeMap<String, String>,
}

impl Sampling {
    /// A sample of the last minute: its file name and its bytes. A tablet's sample does not say how the
    /// program was started.
    pub(crate) fn sample(&self, now: Micros, for_owner: bool) -> (String, Vec<u8>) {
        let system = format!("{} {}", consts::OS, consts::ARCH);
        let mut status = Status::clone(&self.status.borrow());
        let mut settings = self.settings.clone();
        if !for_owner {
            settings.clear();
            tablet_view::hide_in_sample(&mut status);
        }
        let report = SampleReport::new(PROGRAM, COMMIT, system, settings, &status);
        let batches = self.recent.batches(now);
        // The relay wrote the batches: each can be read.
        let datagrams: Vec<_> = batches.iter().filter_map(|batch| batch.datagrams().ok()).flatten().collect();
        let name = format!("trailbrake-sample_{}{ENDING}", now.date_time(0).strftime("%Y-%m-%d_%H%M%S"));
        (name, sample(&datagrams, report, recording_id::new(), now))
    }
}

/// How the relay was started, without the names in folders.
pub(crate) fn settings_in_words(settings: &Settings) -> BTreeMap<String, String> {
    let yes_or_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    let forwards: Vec<String> =
        settings.forwards.iter().map(|one| format!("{}={}", one.feed.id(), one.to)).collect();
    let asked = settings.asking.iter().map(|one| format!("{}: {:?}", one.feed.id(), one.options));
    let recording = &settings.recording;
    [
        ("http", settings.http.to_string()),
        ("lan", yes_or_no(settings.lan)),
        ("udp-bind", settings.udp_bind.to_string()),
        ("udp-from", settings.udp_from.iter().map(IpAddr::to_string).collect::<Vec<_>>().join(", ")),
        ("forward", forwards.join(", ")),
        ("requests", asked.collect::<Vec<_>>().join("; ")),
        ("demo", settings.demo.as_ref().map_or_else(String::new, |demo| demo.game.id.to_owned())),
        ("recording", yes_or_no(recording.games && recording.folder.is_some())),
        ("session-memory", format!("{} MB", recording.memory >> 20)),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}
