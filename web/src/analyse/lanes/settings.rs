//! The lanes and layouts that the browser stores.

use std::rc::Rc;

use super::build::usual;
use super::layout::{Layout, Strip, read};
use crate::browser::{self, keys};

/// The lanes on screen, and the saved layouts.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneSettings {
    /// The lanes, from the top.
    pub(crate) strips: Rc<Vec<Strip>>,
    pub(crate) layouts: Vec<Layout>,
    /// Whether every lane's scale fits the visible part, so that 3 km/h are more than a line's width. The delta's always
    /// does.
    pub(crate) fit: bool,
}

impl LaneSettings {
    /// The default lanes and no layouts.
    pub(crate) fn usual() -> Self {
        Self { strips: Rc::new(usual()), layouts: Vec::new(), fit: true }
    }

    /// The settings that the browser has stored, with defaults for the rest.
    pub(crate) fn kept() -> Self {
        let strips =
            browser::kept(keys::LANES).filter(|kept| !kept.is_empty()).map(|kept| Rc::new(read(&kept)));
        let layouts = browser::kept(keys::LAYOUTS).unwrap_or_default();
        let usual = Self::usual();
        Self {
            strips: strips.unwrap_or(usual.strips),
            layouts: layouts.lines().filter_map(Layout::read).collect(),
            fit: browser::kept(keys::NO_FIT).is_none(),
        }
    }

    /// The layout of a number.
    pub(crate) fn layout(&self, number: u8) -> Option<&Layout> {
        self.layouts.iter().find(|layout| layout.number == number)
    }
}
