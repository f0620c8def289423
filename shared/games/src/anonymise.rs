//! Removes other people from packets before a recording is shared.

use serde::{Deserialize, Serialize};
use trailbrake_model::Car;

/// What stays of the cars that are not shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OtherCars {
    /// Nothing. The packets hold the shared cars only, and compress to a fraction.
    #[default]
    LeftOut,
    /// Where they were and how they drove, without names, ids and chat. Drivers that the game simulates lose their names,
    /// too: a reader can't tell them from people.
    Nameless,
    /// Everything: every byte is as received.
    Kept,
}

/// Rewrites a feed's datagrams so that they identify nobody outside the given cars.
#[derive(Clone, Copy)]
pub struct Anonymise {
    /// Rewrites a datagram: of other cars stays what [`OtherCars`] says, though never their names. Returns false when the
    /// datagram must not be shared at all.
    pub others: fn(&mut Vec<u8>, &[Car], OtherCars) -> bool,
}
