//! The parts of the app whose code is a file of its own. Each is loaded when one of its pages is opened, and without
//! that once the page is usable and the browser has nothing else to do: then every page opens at once, even if the relay
//! is gone by then.

use std::future::Future;
use std::pin::Pin;

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_split::{SplitLoaderError, wasm_split};

use super::analyse_state::AnalyseState;
use crate::analyse::AnalysePage;
use crate::browser;
use crate::cockpit::TelemetryStore;
use crate::library::{Imports, LibraryPage};
use crate::replay;
use crate::server::ServerPage;
use crate::settings::Settings;
use crate::team::TeamPage;
use crate::ui::TableDialog;

/// What is loading: a page, or a part without a page of it. Fails if the code did not arrive.
pub(super) type Loading<T> = Pin<Box<dyn Future<Output = Result<T, SplitLoaderError>> + Send>>;

/// How long the page has before parts are loaded that nobody asked for, in milliseconds: what it shows first comes first.
const FIRST_MS: i32 = 500;
/// How long a part waits for a browser that is never idle, in milliseconds.
const BUSY_MS: u32 = 3_000;
/// How long to wait after a part did not arrive, in milliseconds, and at most: twice as long after each failure.
const AGAIN_MS: i32 = 4_000;
const MOST_MS: i32 = 64_000;

/// Loads every part while the browser is idle, those that are opened most often first.
pub(super) fn load_when_idle(state: AnalyseState) {
    let parts: [fn(AnalyseState) -> Loading<()>; 4] = [
        |_| Box::pin(replay::load()),
        |state| Box::pin(start_analyse(state)),
        |_| Box::pin(load_other_pages()),
        |_| Box::pin(load_library()),
    ];
    // The viewer in one file has no code of the library, which comes last.
    let wanted = if TelemetryStore::here().is_viewer() { parts.len() - 1 } else { parts.len() };
    spawn_local(async move {
        browser::pause(FIRST_MS).await;
        for load in parts.into_iter().take(wanted) {
            let mut rest_ms = AGAIN_MS;
            browser::idle(BUSY_MS).await;
            while load(state).await.is_err() {
                browser::pause(rest_ms).await;
                rest_ms = (rest_ms * 2).min(MOST_MS);
            }
        }
    });
}

pub(super) fn analyse() -> Loading<AnyView> {
    Box::pin(analyse_page(AnalyseState::here()))
}

pub(super) fn library() -> Loading<AnyView> {
    Box::pin(library_page())
}

pub(super) fn server() -> Loading<AnyView> {
    Box::pin(server_page())
}

pub(super) fn settings() -> Loading<AnyView> {
    Box::pin(settings_page())
}

pub(super) fn team() -> Loading<AnyView> {
    Box::pin(team_page())
}

/// The dialog about the columns of the table that is asked about.
pub(super) fn table_dialog() -> Loading<AnyView> {
    Box::pin(begin_table_dialog())
}

// `#[lazy]` of leptos would stop the app if the file can't be loaded.
#[wasm_split(analyse, wasm_split_path = leptos::wasm_split, fallible)]
fn start_analyse(state: AnalyseState) -> Result<(), SplitLoaderError> {
    state.start();
    Ok(())
}

#[wasm_split(analyse, wasm_split_path = leptos::wasm_split, fallible)]
fn analyse_page(state: AnalyseState) -> Result<AnyView, SplitLoaderError> {
    state.start();
    Ok(view! { <AnalysePage/> }.into_any())
}

#[wasm_split(library, wasm_split_path = leptos::wasm_split, fallible, preload(load_library))]
fn library_page() -> Result<AnyView, SplitLoaderError> {
    Ok(view! { <LibraryPage/> }.into_any())
}

/// Adds files to the library.
#[wasm_split(library, wasm_split_path = leptos::wasm_split, fallible)]
pub(super) fn import(imports: Imports, files: Vec<web_sys::File>) -> Result<(), SplitLoaderError> {
    imports.add(files);
    Ok(())
}

#[wasm_split(recordings, wasm_split_path = leptos::wasm_split, fallible)]
fn begin_table_dialog() -> Result<AnyView, SplitLoaderError> {
    Ok(view! { <TableDialog/> }.into_any())
}

#[wasm_split(other_pages, wasm_split_path = leptos::wasm_split, fallible, preload(load_other_pages))]
fn server_page() -> Result<AnyView, SplitLoaderError> {
    Ok(view! { <ServerPage/> }.into_any())
}

#[wasm_split(other_pages, wasm_split_path = leptos::wasm_split, fallible)]
fn settings_page() -> Result<AnyView, SplitLoaderError> {
    Ok(view! { <Settings/> }.into_any())
}

#[wasm_split(other_pages, wasm_split_path = leptos::wasm_split, fallible)]
fn team_page() -> Result<AnyView, SplitLoaderError> {
    Ok(view! { <TeamPage/> }.into_any())
}
