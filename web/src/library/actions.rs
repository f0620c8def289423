//! The actions of the Library page. Buttons, keys, command palette and key sheet read this one table.

use leptos::html::{Div, Input};
use leptos::prelude::*;

use super::{Library, Query, changes};
use crate::browser;
use crate::route::Page;
use crate::ui::{ActionTable, KeyPress, PageAction, action_table};

/// The condition under which an action is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
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
    /// An action of the page.
    pub(super) enum Action requires Need;

    "List":
    NextRow "next-row" "Next recording" ["arrowdown"] Row;
    PreviousRow "previous-row" "Previous recording" ["arrowup"] Row;
    NextPage "next-page" "One page down" ["pagedown"] Row;
    PreviousPage "previous-page" "One page up" ["pageup"] Row;
    FirstRow "first-row" "First recording" ["home"] Row;
    LastRow "last-row" "Last recording" ["end"] Row;
    Search "search" "Search" ["/"] Library;
    ClearSearch "clear-search" "Clear search and filters" [] Search;

    "Recording":
    OpenDetails "open-details" "Open the recording" ["enter"] Cursor;
    CloseDetails "close-details" "Close the recording" ["escape"] Details;
    Play "play-recording" "Play on the Live page" [] Whole;
    Analyse "analyse-recording" "Compare its laps" [] Whole;
    Delete "delete" "Move the recording to the bin" ["delete"] Deletable;
    Undo "undo" "Undo the last deletion" ["ctrl+z"] Deleted;

    "Bin":
    ShowBin "bin" "Show the bin" [] OutsideBin;
    LeaveBin "leave-bin" "Back to the library" [] Bin;
    Restore "restore" "Restore the recording" [] Binned;
    EmptyBin "empty-bin" "Empty the bin" [] FullBin;

    "Files and page":
    Import "import" "Import files" ["ctrl+o"] Library;
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
    pub(super) fn new(library: Library) -> Self {
        Self { library, list: NodeRef::new(), search: NodeRef::new(), files: NodeRef::new() }
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
}

impl PageAction for Action {
    type Page = ActionContext;

    const PAGE_GROUP: &'static str = "Files and page";

    fn is_possible(self, page: ActionContext) -> bool {
        self.need().is_none_or(|need| need.is_met(page.library))
    }

    fn run(self, page: ActionContext, _press: &KeyPress) {
        let library = page.library;
        let rows = library.window.with_untracked(super::Window::page) as isize;
        let cursor = || library.cursor.get_untracked();
        let go_to = |page: Page| {
            if let Some(one) = untrack(|| library.opened()) {
                browser::go_to(&recording_link(page, &one.key));
            }
        };
        match self {
            Self::NextRow => library.step(1),
            Self::PreviousRow => library.step(-1),
            Self::NextPage => library.step(rows),
            Self::PreviousPage => library.step(-rows),
            Self::FirstRow => library.step(isize::MIN),
            Self::LastRow => library.step(isize::MAX),
            Self::Search => {
                if let Some(search) = page.search.get_untracked() {
                    // It is on the page.
                    let _ = search.focus();
                }
            }
            Self::ClearSearch => library.search(Query::clear),
            Self::OpenDetails => library.open(cursor()),
            Self::CloseDetails => library.open(None),
            Self::Play => go_to(Page::Live),
            Self::Analyse => go_to(Page::Analyse),
            Self::Delete => cursor().into_iter().for_each(|key| changes::delete(library, &key)),
            Self::Undo => changes::undo(library),
            Self::ShowBin => library.show_bin(true),
            Self::LeaveBin => library.show_bin(false),
            Self::Restore => changes::restore(library),
            Self::EmptyBin => library.asks_to_empty.set(true),
            Self::Import => page.files.get_untracked().iter().for_each(|files| files.click()),
        }
    }
}

/// The link to a recording on another page, by the recording's key.
pub(super) fn recording_link(page: Page, key: &str) -> String {
    format!("{}?recording={key}", page.hash())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::{check_actions, possible_ids};

    #[test]
    fn no_key_and_no_id_means_two_actions() {
        check_actions::<Action>();
    }

    #[test]
    fn without_recordings_only_what_needs_none_is_possible() {
        let owner = Owner::new();
        owner.set();
        crate::jobs::Jobs::start();
        let possible = possible_ids::<Action>(ActionContext::new(Library::new()));
        assert_eq!(possible, ["search", "bin", "import", "keys", "palette", "about"]);
    }
}
