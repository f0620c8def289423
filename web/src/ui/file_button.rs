//! A button that lets people choose files.

use leptos::html::Input;
use leptos::prelude::*;
use web_sys::{File, FileList};

/// What the file dialog offers: every kind of file that can be opened.
pub(crate) const ACCEPTED: &str = ".mcap,.pcap,.pcapng,.ld,.ldx,.csv";

/// A button that opens the browser's file dialog.
#[component]
pub(crate) fn FileButton(
    /// What it says.
    label: &'static str,
    /// Its classes.
    #[prop(default = "button plain")]
    class: &'static str,
    /// Its name for tests.
    testid: &'static str,
    /// Whether several files can be chosen at once.
    #[prop(optional)]
    several: bool,
    /// The field, for those who open the dialog by a key.
    #[prop(optional)]
    field: Option<NodeRef<Input>>,
    /// What is done with the files.
    on_files: impl Fn(FileList) + 'static,
) -> impl IntoView {
    let input = field.unwrap_or_default();
    let chosen = move |_| {
        let Some(input) = input.get_untracked() else { return };
        if let Some(files) = input.files() {
            on_files(files);
        }
        // The same file can be chosen again.
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
    (0..files.length()).filter_map(|place| files.get(place)).collect()
}
