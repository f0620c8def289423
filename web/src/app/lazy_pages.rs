//! Pages whose code is a file of its own, loaded when they are first opened.

use leptos::prelude::*;
use leptos::wasm_split::{SplitLoaderError, wasm_split};

use crate::analyse::AnalysePage;
use crate::library::LibraryPage;
use crate::server::ServerPage;
use crate::settings::Settings;

/// The Analyse page, once its code has come.
#[component]
pub(super) fn LazyAnalysePage() -> impl IntoView {
    let page = async { analyse_page().await.unwrap_or_else(|_| missing()) };
    view! { <Suspense>{Suspend::new(page)}</Suspense> }
}

/// What stands in for a page whose code could not be loaded.
fn missing() -> AnyView {
    view! {
        <main id="main" tabindex="-1" data-page="missing">
            <p role="alert">"This page could not be loaded. Open another page and come back, or load the app again."</p>
        </main>
    }
    .into_any()
}

// Leptos's own `#[lazy]` ends the app when the file can't be loaded.
#[wasm_split(analyse, wasm_split_path = leptos::wasm_split, fallible)]
fn analyse_page() -> Result<AnyView, SplitLoaderError> {
    Ok(view! { <AnalysePage/> }.into_any())
}

/// The page, once its code has come.
#[component]
pub(super) fn LazyLibraryPage() -> impl IntoView {
    let page = async { library_page().await.unwrap_or_else(|_| missing()) };
    view! { <Suspense>{Suspend::new(page)}</Suspense> }
}

#[wasm_split(library, wasm_split_path = leptos::wasm_split, fallible)]
fn library_page() -> Result<AnyView, SplitLoaderError> {
    Ok(view! { <LibraryPage/> }.into_any())
}

/// The page, once its code has come.
#[component]
pub(super) fn LazySettings() -> impl IntoView {
    let page = async { settings_page().await.unwrap_or_else(|_| missing()) };
    view! { <Suspense>{Suspend::new(page)}</Suspense> }
}

#[wasm_split(settings, wasm_split_path = leptos::wasm_split, fallible)]
fn settings_page() -> Result<AnyView, SplitLoaderError> {
    Ok(view! { <Settings/> }.into_any())
}

/// The page, once its code has come.
#[component]
pub(super) fn LazyServerPage() -> impl IntoView {
    let page = async { server_page().await.unwrap_or_else(|_| missing()) };
    view! { <Suspense>{Suspend::new(page)}</Suspense> }
}

#[wasm_split(server, wasm_split_path = leptos::wasm_split, fallible)]
fn server_page() -> Result<AnyView, SplitLoaderError> {
    Ok(view! { <ServerPage/> }.into_any())
}
