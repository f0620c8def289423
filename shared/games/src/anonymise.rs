//! Removes other people's names, ids and messages from packets before a recording is shared.

use trailbrake_model::Car;

/// Rewrites a feed's datagrams so that they identify nobody outside the given cars.
#[derive(Clone, Copy)]
pub struct Anonymise {
    /// Anonymises a datagram in place: drivers of other cars lose their names. Returns false when the datagram must not
    /// be shared at all.
    pub others: fn(&mut [u8], &[Car]) -> bool,
}
