//! The table of a page's actions: buttons, keys, palette and key sheet read it.

/// A row of the table.
pub(crate) struct ActionRow<Group, Need> {
    /// The action's name for tests.
    pub(crate) id: &'static str,
    /// The heading under which the key sheet lists it.
    pub(crate) group: Group,
    pub(crate) label: &'static str,
    /// The keys that run it, as [`super::KeyPress`] names them.
    pub(crate) keys: &'static [&'static str],
    /// What the action requires.
    pub(crate) need: Need,
}

/// Declares the `enum Action` of a page: name, name for tests, a variant of its `enum Group`, label, keys as
/// [`crate::ui::KeyPress`] names them, and a variant of its `enum Need`.
macro_rules! action_table {
    ($($action:ident $id:literal $group:ident $label:literal [$($key:literal)*] $need:ident;)*) => {
        /// An action of the page.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Action {
            $(#[doc = $label] $action,)*
        }

        impl Action {
            /// All actions, in the order of the key sheet.
            pub(super) const ALL: &[Self] = &[$(Self::$action),*];

            const fn row(self) -> $crate::ui::ActionRow<Group, Need> {
                match self {
                    $(Self::$action => $crate::ui::ActionRow {
                        id: $id,
                        group: Group::$group,
                        label: $label,
                        keys: &[$($key),*],
                        need: Need::$need,
                    },)*
                }
            }

            /// The action's name for tests.
            pub(super) const fn id(self) -> &'static str {
                self.row().id
            }

            /// The heading under which the key sheet lists it.
            pub(super) const fn group(self) -> Group {
                self.row().group
            }

            /// The action's label.
            pub(super) const fn label(self) -> &'static str {
                self.row().label
            }

            /// The keys that run it.
            pub(super) const fn keys(self) -> &'static [&'static str] {
                self.row().keys
            }

            /// All actions as commands, for palette and key sheet.
            pub(super) fn commands(
                is_possible: impl Fn(Self) -> bool,
                run: impl Fn(Self) + Copy + Send + Sync + 'static,
            ) -> Vec<$crate::ui::Command> {
                let command = |action: Self| $crate::ui::Command {
                    id: action.id(),
                    group: action.group().label(),
                    label: action.label(),
                    keys: action.keys(),
                    possible: is_possible(action),
                    run: ::leptos::prelude::Callback::new(move |()| run(action)),
                };
                Self::ALL.iter().copied().map(command).collect()
            }

            /// The action that a key runs, if there is one.
            pub(super) fn of_key(key: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|action| action.keys().contains(&key))
            }
        }
    };
}

pub(crate) use action_table;
