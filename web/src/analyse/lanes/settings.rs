//! What the browser keeps of the lanes.

use std::rc::Rc;

use super::build::usual;
use super::layout::{Layout, Strip, read};
use crate::browser;

/// Where the browser keeps which lanes are shown, and the layouts.
pub(super) const LANES_KEY: &str = "trailbrake-lanes";
pub(super) const LAYOUTS_KEY: &str = "trailbrake-layouts";
pub(super) const FIT_KEY: &str = "trailbrake-fit-lanes";

/// The lanes on screen, and the layouts that can be shown again.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneSettings {
    /// The lanes, from the top.
    pub(crate) strips: Rc<Vec<Strip>>,
    pub(crate) layouts: Vec<Layout>,
    /// Whether every lane's scale fits a part that is shown. The delta's always does.
    pub(crate) fit: bool,
}

impl LaneSettings {
    /// Those of a browser that keeps none.
    pub(crate) fn usual() -> Self {
        Self { strips: Rc::new(usual()), layouts: Vec::new(), fit: false }
    }

    /// Those that the browser has kept.
    pub(crate) fn kept() -> Self {
        let strips =
            browser::kept(LANES_KEY).filter(|kept| !kept.is_empty()).map(|kept| Rc::new(read(&kept)));
        let layouts = browser::kept(LAYOUTS_KEY).unwrap_or_default();
        let usual = Self::usual();
        Self {
            strips: strips.unwrap_or(usual.strips),
            layouts: layouts.lines().filter_map(Layout::read).collect(),
            fit: browser::kept(FIT_KEY).is_some(),
        }
    }

    pub(crate) fn layout(&self, number: u8) -> Option<&Layout> {
        self.layouts.iter().find(|layout| layout.number == number)
    }
}
