//! The simulated games that have to be asked.

use super::ac_remote::Handshake;
use super::ac_server::PluginConnection;
use super::host::Host;
use crate::feed::Feed;

/// A host that nobody has spoken to; `None` for a feed whose demo sends without being asked.
pub fn host(feed: Feed) -> Option<Box<dyn Host>> {
    match feed {
        Feed::AcRemote => Some(Box::<Handshake>::default()),
        Feed::AcServer => Some(Box::<PluginConnection>::default()),
        _ => None,
    }
}
