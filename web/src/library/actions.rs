//! The actions of the Library page. Buttons, keys, command palette and key sheet read this one table.

use leptos::html::{Div, Input};
use leptos::prelude::*;

use super::{Library, Query, changes};
use crate::browser;
use crate::route::Page;
use crate::ui::{Command, KeyPress, PageActions, PageDialog, action_table};

/// A heading of the key sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    List,
    Recording,
    Bin,
    Page,
}

impl Group {
    const fn label(self) -> &'static str {
        match self {
            Self::List => "List",
            Self::Recording => "Recording",
            Self::Bin => "Bin",
            Self::Page => "Files and page",
        }
    }
}

/// The condition under which an action is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Nothing,
    /// The server has a library.
    Library,
    /// Recordings are listed.
    Row,
    /// The cursor is on a row.
    Cursor,
    /// The cursor is on a row outside of the bin.
    Deletable,
    /// A search text or a filter is set.
    Search,
    /// A recording is open.
    Details,
    /// A recording that can be played is open, outside of the bin.
    Whole,
    /// A deletion can be undone.
    Deleted,
    /// The bin is shown, and a recording in it is open.
    Binned,
    /// The bin is shown.
    Bin,
    /// The library is shown.
    OutsideBin,
    /// The bin is shown, with recordings in it.
    FullBin,
}

impl Need {
    fn is_met(self, library: Library) -> bool {
        let bin = || library.query.with(|query| query.bin);
        match self {
            Self::Nothing => true,
            Self::Library => library.contents.with(super::Contents::is_somewhere),
            Self::Row => library.found.with(|found| !found.is_empty()),
            Self::Cursor => library.cursor.with(Option::is_some),
            Self::Deletable => library.cursor.with(Option::is_some) && !bin(),
            Self::Search => library.query.with(Query::is_narrowed),
            Self::Details => library.query.with(|query| query.open.is_some()),
            Self::Whole => library.opened().is_some_and(|one| one.entry.id.is_some()) && !bin(),
            Self::Deleted => library.deleted.with_value(|deleted| !deleted.is_empty()),
            Self::Binned => library.opened().is_some() && bin(),
            Self::Bin => bin(),
            Self::OutsideBin => !bin(),
            Self::FullBin => bin() && library.contents.with(|contents| !contents.all.is_empty()),
        }
    }
}

action_table! {
    NextRow "next-row" List "Next recording" ["arrowdown"] Row;
    PreviousRow "previous-row" List "Previous recording" ["arrowup"] Row;
    NextPage "next-page" List "One page down" ["pagedown"] Row;
    PreviousPage "previous-page" List "One page up" ["pageup"] Row;
    FirstRow "first-row" List "First recording" ["home"] Row;
    LastRow "last-row" List "Last recording" ["end"] Row;
    Search "search" List "Search" ["/"] Library;
    ClearSearch "clear-search" List "Clear search and filters" [] Search;

    OpenDetails "open-details" Recording "Open the recording" ["enter"] Cursor;
    CloseDetails "close-details" Recording "Close the recording" ["escape"] Details;
    Play "play-recording" Recording "Play on the Live page" [] Whole;
    Analyse "analyse-recording" Recording "Compare its laps" [] Whole;
    Delete "delete" Recording "Move the recording to the bin" ["delete"] Deletable;
    Undo "undo" Recording "Undo the last deletion" ["ctrl+z"] Deleted;

    ShowBin "bin" Bin "Show the bin" [] OutsideBin;
    LeaveBin "leave-bin" Bin "Back to the library" [] Bin;
    Restore "restore" Bin "Restore the recording" [] Binned;
    EmptyBin "empty-bin" Bin "Empty the bin" [] FullBin;

    Import "import" Page "Import files" ["ctrl+o"] Library;
    ShowKeys "keys" Page "All keys" ["?"] Nothing;
    ShowPalette "palette" Page "Find a command" ["ctrl+k"] Nothing;
    About "about" Page "About Trailbrake" [] Nothing;
}

/// What actions need to run. The page provides it to its components. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub(super) struct ActionContext {
    pub(super) library: Library,
    /// The list, which gets the keyboard focus back from fields.
    pub(super) list: NodeRef<Div>,
    pub(super) search: NodeRef<Input>,
    /// The file field of the import.
    pub(super) files: NodeRef<Input>,
}

impl ActionContext {
    /// Creates the context and provides it to the components below.
    pub(super) fn provide() -> Self {
        let context = Self {
            library: Library::here(),
            list: NodeRef::new(),
            search: NodeRef::new(),
            files: NodeRef::new(),
        };
        provide_context(context);
        context
    }

    /// The context that the page provided.
    pub(super) fn here() -> Self {
        expect_context()
    }

    /// Returns the keyboard focus to the list.
    pub(super) fn focus_list(self) {
        if let Some(list) = self.list.get_untracked() {
            // It is on the page.
            let _ = list.focus();
        }
    }

    fn is_possible(self, action: Action) -> bool {
        untrack(|| action.row().need.is_met(self.library))
    }

    pub(super) fn run(self, action: Action) {
        let library = self.library;
        let page = library.window.with_untracked(super::Window::page) as isize;
        let cursor = || library.cursor.get_untracked();
        let go_to = |page: Page| {
            if let Some(one) = untrack(|| library.opened()) {
                browser::go_to(&recording_link(page, &one.key));
            }
        };
        match action {
            Action::NextRow => library.step(1),
            Action::PreviousRow => library.step(-1),
            Action::NextPage => library.step(page),
            Action::PreviousPage => library.step(-page),
            Action::FirstRow => library.step(isize::MIN),
            Action::LastRow => library.step(isize::MAX),
            Action::Search => {
                if let Some(search) = self.search.get_untracked() {
                    // It is on the page.
                    let _ = search.focus();
                }
            }
            Action::ClearSearch => library.search(Query::clear),
            Action::OpenDetails => library.open(cursor()),
            Action::CloseDetails => library.open(None),
            Action::Play => go_to(Page::Live),
            Action::Analyse => go_to(Page::Analyse),
            Action::Delete => cursor().into_iter().for_each(|key| changes::delete(library, &key)),
            Action::Undo => changes::undo(library),
            Action::ShowBin => library.show_bin(true),
            Action::LeaveBin => library.show_bin(false),
            Action::Restore => changes::restore(library),
            Action::EmptyBin => library.asks_to_empty.set(true),
            Action::Import => self.files.get_untracked().iter().for_each(|files| files.click()),
            Action::ShowKeys => library.dialog.set(Some(PageDialog::Keys)),
            Action::ShowPalette => library.dialog.set(Some(PageDialog::Palette)),
            Action::About => library.dialog.set(Some(PageDialog::About)),
        }
    }
}

/// The link to a recording on another page, by the recording's key.
pub(super) fn recording_link(page: Page, key: &str) -> String {
    format!("{}?recording={key}", page.hash())
}

/// A button that runs an action. It is hidden while the action is impossible.
#[component]
pub(super) fn ActionButton(
    action: Action,
    #[prop(default = "plain")] class: &'static str,
    label: &'static str,
) -> impl IntoView {
    let context = ActionContext::here();
    let possible = Memo::new(move |_| action.row().need.is_met(context.library));
    view! {
        <Show when=move || possible.get()>
            <button
                type="button"
                class=class
                title=action.label()
                data-testid=action.id()
                on:click=move |_| context.run(action)
            >
                {label}
            </button>
        </Show>
    }
}

impl PageActions for ActionContext {
    fn commands(self) -> Vec<Command> {
        Action::commands(|action| self.is_possible(action), move |action| self.run(action))
    }

    fn dialog(self) -> RwSignal<Option<PageDialog>> {
        self.library.dialog
    }

    fn run_key(self, press: &KeyPress) -> bool {
        let action = Action::of_key(&press.name).filter(|action| self.is_possible(*action));
        action.into_iter().for_each(|action| self.run(action));
        action.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_and_no_id_means_two_actions() {
        let mut ids: Vec<&str> = Action::ALL.iter().map(|action| action.id()).collect();
        let mut keys: Vec<&str> = Action::ALL.iter().flat_map(|action| action.keys()).copied().collect();
        for words in [&mut ids, &mut keys] {
            words.sort_unstable();
            let count = words.len();
            words.dedup();
            assert_eq!(words.len(), count);
        }
    }

    #[test]
    fn without_recordings_only_what_needs_none_is_possible() {
        let owner = Owner::new();
        owner.set();
        crate::jobs::Jobs::start();
        let library = Library::new();
        let possible: Vec<Action> =
            Action::ALL.iter().copied().filter(|action| action.row().need.is_met(library)).collect();
        let expected = [
            Action::Search,
            Action::ShowBin,
            Action::Import,
            Action::ShowKeys,
            Action::ShowPalette,
            Action::About,
        ];
        assert_eq!(possible, expected);
    }
}
