//! The page that is shown.

use leptos::html::Main;
use leptos::prelude::*;

use crate::browser;
use crate::route::Page;

/// The page that is shown, by its address. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub(crate) struct Navigation {
    /// The fragment of the address, when it was last changed by a link, the driver or `browser::go_to`.
    pub(super) fragment: ReadSignal<String>,
    /// The page that is shown.
    pub(crate) page: Signal<Page>,
    /// The page's main element, which the skip link goes to.
    pub(crate) main: NodeRef<Main>,
}

impl Navigation {
    /// Follows the address as long as the page is open.
    pub(super) fn start() -> Self {
        let (fragment, set_fragment) = signal(browser::fragment());
        window_event_listener(leptos::ev::hashchange, move |_| set_fragment.set(browser::fragment()));
        let page = Signal::derive(move || fragment.with(|fragment| Page::from_hash(fragment)));
        Self { fragment, page, main: NodeRef::new() }
    }

    /// The navigation that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }
}
