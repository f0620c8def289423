//! What an action of a page does, and when it is possible.

use super::{ActionTable, KeyPress};

/// The actions of a page.
pub(crate) trait PageAction: ActionTable {
    /// What actions work on. The page provides it to its components.
    type Page: Copy + Send + Sync + 'static;

    /// The heading under which the key sheet lists the actions that every page has.
    const PAGE_GROUP: &'static str = "Page";

    /// Whether the action can be run now. Tracks what it reads.
    fn is_possible(self, _page: Self::Page) -> bool {
        true
    }

    /// Why a possible action is refused. Tracks what it reads.
    fn refusal(self, _page: Self::Page) -> Option<&'static str> {
        None
    }

    /// Runs the action. `press` carries Shift and the digit, if a key chose it; otherwise it is empty.
    fn run(self, page: Self::Page, press: &KeyPress);

    /// Whether keys run actions now. If not, they belong to a dialog of the page.
    fn are_keys_free(_page: Self::Page) -> bool {
        true
    }

    /// Runs an action that was chosen without a key.
    fn choose(self, page: Self::Page) {
        self.run(page, &KeyPress::default());
    }
}
