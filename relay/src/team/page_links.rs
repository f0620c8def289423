//! The links to a hub's page, as its file has them now.

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use super::hub_folder::HubFolder;
use super::page_link::{PageLink, Role};
use crate::lock::Lock;
use crate::token::Token;

/// The links. Copies are handles to the same.
#[derive(Clone)]
pub(crate) struct PageLinks(Arc<Shared>);

struct Shared {
    folder: HubFolder,
    /// Opens everything until the program ends.
    own: Token,
    cache: Lock<LinkCache>,
}

/// The links as last read.
#[derive(Default)]
struct LinkCache {
    /// When the file was changed before.
    changed: Option<SystemTime>,
    links: Vec<PageLink>,
}

impl PageLinks {
    /// The links of a hub, and one that opens everything until the program ends.
    pub(crate) fn of(folder: HubFolder, own: Token) -> anyhow::Result<Self> {
        let (changed, links) = (folder.changed(), folder.hub()?.links);
        Ok(Self(Arc::new(Shared { folder, own, cache: Lock::new(LinkCache { changed, links }) })))
    }

    /// What a secret opens.
    pub(crate) fn role_of(&self, secret: &str) -> Option<Role> {
        if self.0.own.is(secret) {
            return Some(Role::Organiser);
        }
        self.links().into_iter().find(|link| link.is(secret)).map(|link| link.role)
    }

    /// The links now. While the file can't be read, those that are known.
    pub(crate) fn links(&self) -> Vec<PageLink> {
        let mut cache = self.0.cache.lock();
        let changed = self.0.folder.changed();
        if changed.is_some()
            && changed != cache.changed
            && let Ok(hub) = self.0.folder.hub()
        {
            *cache = LinkCache { changed, links: hub.links };
        }
        cache.links.clone()
    }
}

/// Keeps secrets out of logs.
impl fmt::Debug for PageLinks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PageLinks(…)")
    }
}
