//! The canvases of the page, lanes and map, which its components and actions share.

use leptos::html::Div;
use leptos::prelude::*;

use super::lanes::LaneCanvas;
use crate::painter::RouteMap;

/// Both canvases, while they are on the page. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(super) struct Canvases {
    /// The element of the lanes, which takes the keyboard focus.
    pub(super) lanes_host: NodeRef<Div>,
    lanes: StoredValue<Option<LaneCanvas>, LocalStorage>,
    map: StoredValue<Option<RouteMap>, LocalStorage>,
}

impl Canvases {
    /// Creates the handles and provides them to the components of the page.
    pub(super) fn provide() -> Self {
        let canvases = Self {
            lanes_host: NodeRef::new(),
            lanes: StoredValue::new_local(None),
            map: StoredValue::new_local(None),
        };
        provide_context(canvases);
        canvases
    }

    /// The canvases that the page provided.
    pub(super) fn here() -> Self {
        expect_context()
    }

    /// Moves the focus to the lanes.
    pub(super) fn focus_lanes(self) {
        if let Some(lanes) = self.lanes_host.get_untracked() {
            // An element on the page takes the focus.
            let _ = lanes.focus();
        }
    }

    pub(super) fn mount_lanes(self, lanes: Option<LaneCanvas>) {
        self.lanes.set_value(lanes);
    }

    pub(super) fn mount_map(self, map: Option<RouteMap>) {
        self.map.set_value(map);
    }

    /// Reads the lanes; `None` while there are none.
    pub(super) fn with_lanes<T>(self, read: impl FnOnce(&LaneCanvas) -> T) -> Option<T> {
        self.lanes.try_with_value(|lanes| lanes.as_ref().map(read)).flatten()
    }

    pub(super) fn change_lanes<T>(self, change: impl FnOnce(&mut LaneCanvas) -> T) -> Option<T> {
        self.lanes.try_update_value(|lanes| lanes.as_mut().map(change)).flatten()
    }

    /// Reads the map; `None` while there is none.
    pub(super) fn with_map<T>(self, read: impl FnOnce(&RouteMap) -> T) -> Option<T> {
        self.map.try_with_value(|map| map.as_ref().map(read)).flatten()
    }

    pub(super) fn change_map<T>(self, change: impl FnOnce(&mut RouteMap) -> T) -> Option<T> {
        self.map.try_update_value(|map| map.as_mut().map(change)).flatten()
    }
}
