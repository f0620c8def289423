//! The rigs that pages opened.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::watch;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::wire::TeamRig;

use super::rig_site::RigSite;
use crate::clock::Clock;
use crate::library::Library;
use crate::lock::Lock;
use crate::relaying::http::Page;
use crate::relaying::live::{Live, SEATS};
use crate::relaying::reception::OpenPorts;
use crate::relaying::room::Room;
use crate::relaying::seats::Seats;
use crate::shutdown::{self, Ending, Shutdown};
use crate::team::{ForPages, RigName, Rigs, Role};

/// The rigs. Copies are handles to the same.
#[derive(Clone)]
pub(crate) struct RigSites(Arc<Shared>);

struct Shared {
    rigs: Rigs,
    page: watch::Receiver<Arc<Page>>,
    clock: Clock,
    open: Lock<HashMap<RigName, OpenRig>>,
    /// The rooms of the page of all rigs, by role.
    rooms: Lock<HashMap<Role, Room>>,
    seats: Seats,
    /// Its drop ends the pages' visits.
    visits: Lock<Ending>,
}

/// A rig, and the library that it was opened with: a rig that was removed and comes back has another.
struct OpenRig {
    library: Arc<Library>,
    site: Arc<RigSite>,
}

impl RigSites {
    /// The rigs of a hub, of which none is open.
    pub(super) fn new(rigs: Rigs, page: watch::Receiver<Arc<Page>>, clock: Clock) -> Self {
        Self(Arc::new(Shared {
            rigs,
            page,
            clock,
            open: Lock::default(),
            rooms: Lock::default(),
            seats: Seats::new(SEATS),
            visits: Lock::new(shutdown::pair().0),
        }))
    }

    /// A rig; `None` if it is not in the team.
    pub(crate) fn rig(&self, name: &str) -> Option<Arc<RigSite>> {
        let Shared { rigs, page, clock, open, .. } = &*self.0;
        let name: RigName = name.parse().ok()?;
        let library = rigs.library(&name);
        let mut open = open.lock();
        let Some(library) = library else {
            // Its pages learn that it was removed.
            open.remove(&name);
            return None;
        };
        if let Some(known) = open.get(&name).filter(|known| Arc::ptr_eq(&known.library, &library)) {
            return Some(Arc::clone(&known.site));
        }
        let new = RigSite::new(name.clone(), rigs.clone(), Arc::clone(&library), page.clone(), *clock);
        let site = Arc::new(new);
        open.insert(name, OpenRig { library, site: Arc::clone(&site) });
        Some(site)
    }

    /// Takes what a rig sent for pages.
    pub(super) fn take(&self, name: &RigName, sent: ForPages) {
        // Without a page nobody needs it.
        let open = self.0.open.lock().get(name).map(|known| Arc::clone(&known.site));
        match (open, sent) {
            (Some(rig), ForPages::Message(number, message)) => rig.take(number, message),
            (Some(rig), ForPages::Room(pages)) => rig.show_rigs_pages(pages),
            (None, _) => {}
        }
    }

    /// All rigs.
    pub(crate) fn overview(&self) -> Vec<TeamRig> {
        self.0.rigs.overview()
    }

    /// The page.
    pub(crate) fn page(&self) -> Arc<Page> {
        Arc::clone(&self.0.page.borrow())
    }

    /// The libraries of the rigs that somebody sees.
    pub(crate) fn libraries(&self, role: &Role) -> Vec<(RigName, Arc<Library>)> {
        let mut all = self.0.rigs.libraries();
        all.retain(|(rig, _)| role.sees(rig.as_str()));
        all
    }

    /// The rig, of those that somebody sees, that has a recording. Blocks on the disk.
    pub(crate) fn rig_with(&self, id: RecordingId, role: &Role) -> Option<RigName> {
        let has = |(rig, library): &(RigName, Arc<Library>)| {
            self.0.rigs.underway(rig, id).is_some() || library.find_now(id).is_ok()
        };
        self.libraries(role).into_iter().find(has).map(|(rig, _)| rig)
    }

    /// The room of the page of all rigs. Each role has its own, so that no member learns of rigs outside it.
    pub(crate) fn room(&self, role: &Role) -> Room {
        self.0.rooms.lock().entry(role.clone()).or_insert_with(Room::at_hub).clone()
    }

    /// What the connection of a page of all rigs needs.
    pub(crate) fn live_without_games(&self) -> Live {
        Live {
            hub: Arc::default(),
            status: watch::channel(Arc::default()).1,
            team: watch::channel(None).1,
            page: self.0.page.clone(),
            shutdown: self.visit(),
            ports: OpenPorts::default(),
            seats: self.0.seats.clone(),
            clock: self.0.clock,
        }
    }

    /// Ends when pages have to reconnect and show their links again.
    pub(crate) fn visit(&self) -> Shutdown {
        self.0.visits.lock().receiver()
    }

    /// Ends the connections of all pages. They connect again if they may.
    pub(super) fn end_visits(&self) {
        *self.0.visits.lock() = shutdown::pair().0;
        self.0.open.lock().values().for_each(|known| known.site.end_pages());
    }
}
