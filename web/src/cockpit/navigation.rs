//! The page that is shown.

use leptos::html::Main;
use leptos::prelude::*;

use crate::browser;
use crate::route::Page;

/// The page that is shown, by its address. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub(crate) struct Navigation {
    /// The fragment of the address, when it was last changed by a link, the driver or `browser::go_to`.
    pub(super) fragment: RwSignal<String>,
    /// The page that is shown.
    pub(crate) page: RwSignal<Page>,
    /// The page's main element, which the skip link goes to.
    pub(crate) main: NodeRef<Main>,
}

impl Navigation {
    /// Follows the address as long as the page is open.
    pub(super) fn start() -> Self {
        let fragment = browser::fragment();
        let navigation = Self {
            page: RwSignal::new(Page::from_hash(&fragment)),
            fragment: RwSignal::new(fragment),
            main: NodeRef::new(),
        };
        window_event_listener(leptos::ev::hashchange, move |_| {
            let fragment = browser::fragment();
            navigation.page.set(Page::from_hash(&fragment));
            navigation.fragment.set(fragment);
        });
        navigation
    }

    /// The navigation that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }
}
