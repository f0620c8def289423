//! A page whose code may still have to be loaded.

use leptos::prelude::*;
use leptos::wasm_split::SplitLoaderError;

use super::parts::Loading;
use crate::browser;
use crate::cockpit::Navigation;

/// Shows a page once its code has arrived, and what to do if it did not.
#[component]
pub(super) fn LazyPage(page: fn() -> Loading<AnyView>) -> impl IntoView {
    let attempts = RwSignal::new(0_u32);
    let shown = move |loaded: Result<AnyView, SplitLoaderError>| match loaded {
        Ok(page) => page,
        Err(_) => view! { <MissingPage attempts/> }.into_any(),
    };
    move || {
        attempts.track();
        let page = page();
        view! {
            <Suspense fallback=move || view! { <LoadingPage/> }>
                {Suspend::new(async move { shown(page.await) })}
            </Suspense>
        }
    }
}

#[component]
fn LoadingPage() -> impl IntoView {
    let navigation = Navigation::here();
    view! {
        <main id="main" node_ref=navigation.main class="empty" tabindex="-1" data-page="loading">
            <p role="status">"Loading…"</p>
        </main>
    }
}

#[component]
fn MissingPage(attempts: RwSignal<u32>) -> impl IntoView {
    let navigation = Navigation::here();
    view! {
        <main id="main" node_ref=navigation.main class="empty" tabindex="-1" data-page="missing">
            <div role="alert">
                <p><b>"This page did not load"</b></p>
                <p>
                    "The connection is gone, or Trailbrake was updated. Try again, and if that does not help, reload the page."
                </p>
            </div>
            <p class="actions">
                <button
                    type="button"
                    class="button"
                    data-testid="load-page"
                    on:click=move |_| attempts.update(|attempts| *attempts += 1)
                >
                    "Try again"
                </button>
                <button type="button" class="button plain" data-testid="reload" on:click=move |_| browser::reload()>
                    "Reload"
                </button>
            </p>
        </main>
    }
}
