//! The simulated games that wait for a request.

use super::ac_remote::Handshake;
use super::ac_server::PluginConnection;
use super::host::Host;
use crate::feed::Feed;

/// A host without clients; `None` for a feed whose demo sends unasked.
pub fn host(feed: Feed) -> Option<Box<dyn Host>> {
    match feed {
        Feed::AcRemote => Some(Box::<Handshake>::default()),
        Feed::AcServer => Some(Box::<PluginConnection>::default()),
        _ => None,
    }
}
