//! Changes settings while the relay runs: keeps them, and applies at once what they change.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::{Mutex, watch};
use tokio::task::spawn_blocking;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::TalkOptions;
use trailbrake_shared::settings::{DriverSettings, Problem, Setting, SettingsReport, Texts};

use super::addresses::of_this_machine;
use super::forward::{Forwards, loops_at};
use super::ports::{PortRequest, wanted};
use super::reception::Reception;
use super::recorders::Recorders;
use super::talk::TalkRequest;
use crate::kept_settings::{KeptSettings, NotChanged};
use crate::library::RetentionLimits;

/// The parts of the relay that settings change.
pub(crate) struct ChangeableParts {
    pub(crate) reception: Arc<Reception>,
    pub(crate) forwards: Arc<Forwards>,
    pub(crate) recorders: Recorders,
    pub(crate) limits: watch::Sender<RetentionLimits>,
    /// The feed of the demo. Its game is not asked anywhere else.
    pub(crate) demo: Option<Feed>,
}

/// The settings of a running relay. Copies are handles to the same.
#[derive(Clone)]
pub(crate) struct LiveSettings(Arc<Shared>);

struct Shared {
    parts: ChangeableParts,
    /// Locked for a whole change: one at a time.
    current: Mutex<Current>,
}

/// What counts now.
struct Current {
    kept: KeptSettings,
    ports: Vec<PortRequest>,
    asking: Vec<TalkRequest>,
}

impl LiveSettings {
    /// What the relay was started with.
    pub(crate) fn new(
        parts: ChangeableParts,
        kept: KeptSettings,
        ports: Vec<PortRequest>,
        asking: Vec<TalkRequest>,
    ) -> Self {
        Self(Arc::new(Shared { parts, current: Mutex::new(Current { kept, ports, asking }) }))
    }

    /// The settings as a page may see them.
    pub(crate) async fn report(&self, owner: bool) -> SettingsReport {
        self.0.current.lock().await.kept.report(owner)
    }

    /// Changes settings: all of them, or none where one is wrong.
    pub(crate) async fn change(&self, changes: &Texts) -> Result<SettingsReport, NotChanged> {
        let parts = &self.0.parts;
        let mut current = self.0.current.lock().await;
        let here = of_this_machine();
        let mut next = current.kept.changed(changes, &here)?;
        let (before, after) = (current.kept.settings(), next.settings());
        let ports = changed_ports(&current.ports, &before, &after);
        let own = parts.reception.addresses_with(&ports).await;
        let looping =
            after.forwards.iter().find_map(|target| Some((target.to, loops_at(*target, &own, &here)?)));
        if before.forwards != after.forwards
            && let Some((to, port)) = looping
        {
            let words = format!(
                "Packets sent to {to} would come back: Trailbrake itself listens on port {port}. \
                 Give the port of the other program."
            );
            return Err(NotChanged::Wrong(vec![Problem::new(Setting::Forwards, words)]));
        }
        let failed =
            |error: anyhow::Error| NotChanged::NotKept(format!("it could not be applied: {error:#}"));
        next = spawn_blocking(move || next.keep().map(|()| next))
            .await
            .map_err(|error| failed(error.into()))??;
        current.kept = next;

        if before.forwards != after.forwards {
            parts.forwards.change(&after.forwards).map_err(failed)?;
        }
        parts.limits.send_if_modified(|limits| {
            let wanted = RetentionLimits::of(&after);
            std::mem::replace(limits, wanted) != wanted
        });
        let asking = self.changed_requests(&current.asking, &before, &after);
        if ports != current.ports || asking != current.asking {
            parts.reception.change(&ports, asking.clone()).await.map_err(|error| failed(error.into()))?;
            (current.ports, current.asking) = (ports, asking);
        }
        if before.record != after.record {
            let recorders = parts.recorders.clone();
            let switched = spawn_blocking(move || recorders.switch(after.record)).await;
            switched.map_err(|error| failed(error.into()))?.map_err(failed)?;
        }
        Ok(current.kept.report(true))
    }

    /// The requests with the options that a change sets. The demo's game is asked where the demo is.
    fn changed_requests(
        &self,
        requests: &[TalkRequest],
        before: &DriverSettings,
        after: &DriverSettings,
    ) -> Vec<TalkRequest> {
        let mut requests = requests.to_vec();
        for request in requests.iter_mut().filter(|request| Some(request.feed) != self.0.parts.demo) {
            let new = after.talk_of(request.feed);
            // What did not change stays as the relay was started.
            if before.talk_of(request.feed) != new {
                let short_registration = request.options.short_registration;
                request.options = TalkOptions { short_registration, ..new };
            }
        }
        requests
    }
}

/// The ports after a change: those of other feeds stay as the relay was started.
fn changed_ports(ports: &[PortRequest], before: &DriverSettings, after: &DriverSettings) -> Vec<PortRequest> {
    let changed = |feed: Feed| before.ports_of(feed) != after.ports_of(feed);
    let pairs = ports.iter().flat_map(|request| request.feeds.iter().map(|feed| (*feed, request.port)));
    let mut feeds: BTreeMap<Feed, ()> =
        before.ports.keys().chain(after.ports.keys()).map(|feed| (*feed, ())).collect();
    feeds.retain(|feed, ()| changed(*feed));
    if feeds.is_empty() {
        return ports.to_vec();
    }
    let stay = pairs.filter(|(feed, _)| !changed(*feed));
    let new = feeds.keys().flat_map(|feed| after.ports_of(*feed).iter().map(|port| (*feed, *port)));
    wanted(stay.chain(new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_ports_of_changed_feeds_move() {
        use Feed::{DirtRally, F1, GranTurismo};
        let settings = |feed: Feed, ports: &[u16]| DriverSettings {
            ports: BTreeMap::from([(feed, ports.to_vec())]),
            ..DriverSettings::default()
        };
        let usual = DriverSettings::default();
        let request = |port, feeds: &[Feed]| PortRequest { port, feeds: feeds.to_vec() };
        // As started for a test, with a port that the system chose and without most feeds.
        let ports = [request(20777, &[F1, DirtRally]), request(0, &[GranTurismo])];
        assert_eq!(changed_ports(&ports, &usual, &usual), ports);
        let moved = changed_ports(&ports, &usual, &settings(F1, &[20778, 20779]));
        let expected = [
            request(20777, &[DirtRally]),
            request(20778, &[F1]),
            request(20779, &[F1]),
            request(0, &[GranTurismo]),
        ];
        assert_eq!(moved, expected);
        let back = changed_ports(&moved, &settings(F1, &[20778, 20779]), &usual);
        assert_eq!(back, [request(20777, &[DirtRally, F1]), request(0, &[GranTurismo])]);
    }
}
