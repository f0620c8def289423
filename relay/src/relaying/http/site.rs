//! The state that HTTP handlers share.

use std::sync::Arc;

use tokio::sync::watch;

use super::library::LibraryService;
use super::page::Page;
use crate::library::Refusal;
use crate::relaying::live::Live;
use crate::relaying::live_settings::LiveSettings;
use crate::relaying::reception::OpenPorts;
use crate::relaying::recorders::RecorderHandles;
use crate::relaying::room::Room;
use crate::relaying::sampling::Sampling;
use crate::relaying::tablets::Tablets;
#[cfg(feature = "team")]
use crate::team::Membership;

/// What the routes of a relay need.
#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) live: Live,
    pub(crate) page: watch::Receiver<Arc<Page>>,
    pub(crate) library: LibrarySite,
    /// What samples for bug reports are made from.
    pub(crate) sampling: Sampling,
    /// The UDP ports.
    pub(crate) ports: OpenPorts,
    /// What the driver sets on the page.
    pub(crate) settings: LiveSettings,
    /// The listeners for tablets.
    pub(crate) tablets: Tablets,
    /// The rig's membership in a team.
    #[cfg(feature = "team")]
    pub(crate) team: Membership,
}

/// What the routes of a library need.
#[derive(Clone)]
pub(crate) struct LibrarySite {
    /// The library; `None` where there is no folder for recordings.
    pub(crate) service: Option<LibraryService>,
    pub(crate) recorders: RecorderHandles,
    /// Where the pages see each other.
    pub(crate) room: Room,
}

impl LibrarySite {
    /// The library, or why there is none.
    pub(super) fn library_service(&self) -> Result<&LibraryService, Refusal> {
        let nowhere =
            || Refusal::Conflict("there is no folder for recordings: name one with --recordings".into());
        self.service.as_ref().ok_or_else(nowhere)
    }
}
