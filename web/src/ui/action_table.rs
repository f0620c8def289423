//! The table of a page's actions: buttons, keys, palette and key sheet read it.

use leptos::prelude::Callback;

/// A row of the table.
#[derive(Clone, Copy)]
pub(crate) struct ActionRow {
    /// The action's name for tests.
    pub(crate) id: &'static str,
    /// The heading under which the key sheet lists it.
    pub(crate) group: &'static str,
    pub(crate) label: &'static str,
    /// The keys that run it, as [`super::KeyPress`] names them.
    pub(crate) keys: &'static [&'static str],
}

/// One command of a page.
#[derive(Clone)]
pub(crate) struct Command {
    pub(crate) row: ActionRow,
    /// Whether it can be run now.
    pub(crate) possible: bool,
    pub(crate) run: Callback<()>,
}

/// An `enum` of actions, which `action_table!` declares.
pub(crate) trait ActionTable: Copy + PartialEq + Send + Sync + 'static {
    /// What an action can require.
    type Need;

    /// All actions, in the order of the key sheet.
    const ALL: &'static [Self];

    fn row(self) -> ActionRow;

    /// What the action requires; `None` if it is always possible.
    fn need(self) -> Option<Self::Need>;

    /// The action's name for tests.
    fn id(self) -> &'static str {
        self.row().id
    }

    fn label(self) -> &'static str {
        self.row().label
    }

    /// The action that a key runs, if there is one.
    fn of_key(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|action| action.row().keys.contains(&key))
    }
}

/// Declares an `enum` of actions and its table. Below each heading of the key sheet: name, name for tests, label, keys as
/// [`crate::ui::KeyPress`] names them, and what the action requires, if it requires something.
macro_rules! action_table {
    (
        $(#[$about:meta])*
        $scope:vis enum $name:ident requires $needs:ty;
        $($group:literal: $($action:ident $id:literal $label:literal [$($key:literal)*] $($need:ident)?;)*)*
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $scope enum $name {
            $($(#[doc = $label] $action,)*)*
        }

        impl $crate::ui::ActionTable for $name {
            type Need = $needs;

            const ALL: &'static [Self] = &[$($(Self::$action),*),*];

            fn row(self) -> $crate::ui::ActionRow {
                let (id, group, label, keys): (_, _, _, &[&str]) = match self {
                    $($(Self::$action => ($id, $group, $label, &[$($key),*]),)*)*
                };
                $crate::ui::ActionRow { id, group, label, keys }
            }

            fn need(self) -> Option<$needs> {
                match self {
                    $($(Self::$action => [$(<$needs>::$need)?].into_iter().next(),)*)*
                }
            }
        }
    };
}

pub(crate) use action_table;
