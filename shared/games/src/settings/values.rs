//! The values of settings.

use std::collections::BTreeMap;

use super::{ForwardTarget, TyreWindows};
use crate::TalkOptions;
use crate::feed::Feed;

/// All settings of a driver.
#[derive(Clone, Debug, PartialEq)]
pub struct DriverSettings {
    /// Who writes notes and tasks; empty if not set.
    pub author: String,
    /// Whether the driver rates corners before times are shown.
    pub debrief_first: bool,
    /// Degrees from lock to lock, where the driver set them.
    pub steering_deg: BTreeMap<Feed, f64>,
    /// The windows of tyre temperatures.
    pub tyres: TyreWindows,
    /// The ports of feeds, where they are not the usual ones.
    pub ports: BTreeMap<Feed, Vec<u16>>,
    /// What games that send only on request are asked, and where, as far as the driver set it.
    pub talks: BTreeMap<Feed, TalkOptions>,
    /// Targets of forwarding.
    pub forwards: Vec<ForwardTarget>,
    /// Whether games are recorded.
    pub record: bool,
    /// How many gigabytes of recordings are kept; `None` for all.
    pub keep_gb: Option<f64>,
    /// For how many days recordings are kept; `None` for ever.
    pub keep_days: Option<u32>,
}

impl Default for DriverSettings {
    fn default() -> Self {
        Self {
            author: String::new(),
            debrief_first: false,
            steering_deg: BTreeMap::new(),
            tyres: TyreWindows::default(),
            ports: BTreeMap::new(),
            talks: BTreeMap::new(),
            forwards: Vec::new(),
            record: true,
            keep_gb: None,
            keep_days: None,
        }
    }
}

impl DriverSettings {
    /// The ports of a feed.
    pub fn ports_of(&self, feed: Feed) -> &[u16] {
        self.ports.get(&feed).map_or(feed.info().ports, Vec::as_slice)
    }

    /// What the driver set for the game that a feed asks.
    pub fn talk_of(&self, feed: Feed) -> TalkOptions {
        self.talks.get(&feed).copied().unwrap_or_default()
    }
}

/// Sets or removes the value of a feed.
pub(super) fn replace<T>(values: &mut BTreeMap<Feed, T>, feed: Feed, value: Option<T>) {
    match value {
        Some(value) => drop(values.insert(feed, value)),
        None => drop(values.remove(&feed)),
    }
}
