//! Everything that is served.

use std::sync::Arc;

use tokio::sync::watch;

use super::library::LibraryService;
use super::page::Page;
use crate::library::Refusal;
use crate::relaying::live::Live;
use crate::relaying::recorder::RecorderHandle;

/// What is served.
#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) live: Live,
    pub(crate) page: watch::Receiver<Arc<Page>>,
    /// Recordings; `None` where there is no folder for them.
    pub(crate) library: Option<LibraryService>,
    /// What keeps sessions in memory that are not recorded.
    pub(crate) memory: Option<RecorderHandle>,
}

impl Site {
    /// The library; where there is no folder for one, why.
    pub(super) fn library_service(&self) -> Result<&LibraryService, Refusal> {
        let nowhere =
            || Refusal::Conflict("there is no folder for recordings: name one with --recordings".into());
        self.library.as_ref().ok_or_else(nowhere)
    }
}
