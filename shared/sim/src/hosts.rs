//! The simulated games that wait for a request.

use trailbrake_games::feed::Feed;

use super::ac_remote::Handshake;
use super::ac_server::PluginConnection;
use super::host::Host;

/// A host without clients; `None` for a feed whose demo sends unasked.
pub fn host(feed: Feed) -> Option<Box<dyn Host>> {
    match feed {
        Feed::AcRemote => Some(Box::<Handshake>::default()),
        Feed::AcServer => Some(Box::<PluginConnection>::default()),
        _ => None,
    }
}
