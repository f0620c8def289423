//! Leaving other people out of what is given away: their names, their ids, what they wrote.

use crate::model::Car;

/// Rewrites datagrams of a feed so that they tell of nobody but those in a few cars.
#[derive(Clone, Copy)]
pub struct Anonymise {
    /// Rewrites a datagram in place, as if those in other cars had no name. Tells whether anything of it may be given
    /// away.
    pub others: fn(&mut [u8], &[Car]) -> bool,
}
