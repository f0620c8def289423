//! The part of the right column that scrolls. The map and the tabs above it stay.

use leptos::html::Div;
use leptos::prelude::*;
use web_sys::HtmlDivElement;

/// The element that scrolls. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(super) struct PanelArea(NodeRef<Div>);

impl PanelArea {
    /// Provides the area to the components of the page. Returns the node for its element.
    pub(super) fn provide() -> NodeRef<Div> {
        let area = NodeRef::new();
        provide_context(Self(area));
        area
    }

    /// The area that the page provided.
    pub(super) fn here() -> Self {
        expect_context()
    }

    /// The element, once it is on the page.
    pub(super) fn element(self) -> Option<HtmlDivElement> {
        self.0.get_untracked()
    }
}
