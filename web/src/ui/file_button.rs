//! A button to choose files.

use leptos::html::Input;
use leptos::prelude::*;
use web_sys::{File, FileList};

/// The endings that the file dialog offers: every kind of file that can be opened.
pub(crate) const ACCEPTED: &str = ".mcap,.pcap,.pcapng,.ibt,.ld,.ldx,.csv,.tsv,.txt";

/// A button that opens the browser's file dialog.
#[component]
pub(crate) fn FileButton(
    /// The button's text.
    label: &'static str,
    /// The button's classes.
    #[prop(default = "button plain")]
    class: &'static str,
    /// The button's name for tests.
    testid: &'static str,
    /// Whether several files can be chosen at once.
    #[prop(optional)]
    several: bool,
    /// The file field, for a caller that also opens the dialog by a key.
    #[prop(optional)]
    field: Option<NodeRef<Input>>,
    /// Called with the chosen files.
    on_files: impl Fn(FileList) + 'static,
) -> impl IntoView {
    let input = field.unwrap_or_default();
    let chosen = move |_| {
        let Some(input) = input.get_untracked() else { return };
        if let Some(files) = input.files() {
            on_files(files);
        }
        // Without this, choosing the same file again would cause no event.
        input.set_value("");
    };
    view! {
        <label class=class>
            {label}
            <input
                class="unseen"
                type="file"
                accept=ACCEPTED
                multiple=several
                data-testid=testid
                node_ref=input
                on:change=chosen
            />
        </label>
    }
}

/// The files of a list.
pub(crate) fn list(files: &FileList) -> Vec<File> {
    (0..files.length()).filter_map(|index| files.get(index)).collect()
}
