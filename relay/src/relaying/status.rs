//! Publishes the relay's status twice a second.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::wire::{RecorderStatus, Status};

use crate::clock::Clock;
use crate::relaying::addresses::reachable;
use crate::relaying::forward::Forwards;
use crate::relaying::reception::OpenPorts;
use crate::relaying::recorder::RecorderHandle;
use crate::relaying::recorders::Recorders;
use crate::relaying::reject_log::RejectLog;

/// How often browsers get a status.
const INTERVAL: Duration = Duration::from_millis(500);

/// The sources of a status.
pub(crate) struct StatusSources {
    pub(crate) ports: OpenPorts,
    pub(crate) clock: Clock,
    /// The local address that games send to.
    pub(crate) udp_bind: IpAddr,
    pub(crate) forwards: Arc<Forwards>,
    pub(crate) demo: Option<Feed>,
    pub(crate) recorders: Recorders,
}

impl StatusSources {
    /// Publishes the status until dropped, and reports rejected packets in the terminal.
    pub(crate) async fn run(self, status: watch::Sender<Arc<Status>>) {
        let mut tick = tokio::time::interval(INTERVAL);
        let mut log = RejectLog::default();
        loop {
            tick.tick().await;
            let seen = self.look();
            for line in log.lines(&seen.ports, Instant::now()) {
                tracing::warn!("{line}");
            }
            status.send_replace(Arc::new(seen));
        }
    }

    /// The present status.
    pub(crate) fn look(&self) -> Status {
        let now = Instant::now();
        Status {
            ports: self.ports.counters().iter().map(|counters| counters.status(now)).collect(),
            // Filled in for each browser.
            lost_batches: 0,
            browsers: 0,
            talks: self.ports.talks().iter().map(|talk| talk.status(&self.clock)).collect(),
            forwards: self.forwards.status(),
            addresses: reachable(self.udp_bind).iter().map(ToString::to_string).collect(),
            demo: self.demo,
            recorder: self.recorder_status(),
        }
    }

    fn recorder_status(&self) -> RecorderStatus {
        let recorder = self.recorders.folder();
        let mut status = recorder.as_ref().map(RecorderHandle::status).unwrap_or_default();
        let library = recorder.and_then(|_| self.recorders.library());
        status.folder = library.map(|library| library.folder().display().to_string());
        let in_memory = self.recorders.memory().as_ref().map(RecorderHandle::status).unwrap_or_default();
        status.underway.extend(in_memory.underway);
        status
    }
}
