//! The context that actions run in; the page provides it to its components.

use leptos::html::Input;
use leptos::prelude::*;

use super::Action;
use crate::analyse::Analyse;
use crate::analyse::canvases::Canvases;
use crate::cockpit::Cockpit;
use crate::ui::{Command, KeyPress};

/// Runs actions. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct ActionContext {
    pub(crate) cockpit: Cockpit,
    pub(crate) analyse: Analyse,
    pub(crate) canvases: Canvases,
    /// The hidden file input that opens recordings.
    pub(crate) file: NodeRef<Input>,
}

impl ActionContext {
    /// Creates the context and provides it to the components below.
    pub(crate) fn provide() -> Self {
        let context = Self {
            cockpit: Cockpit::here(),
            analyse: Analyse::here(),
            canvases: Canvases::provide(),
            file: NodeRef::new(),
        };
        provide_context(context);
        context
    }

    /// The context that the page provided.
    pub(crate) fn here() -> Self {
        // Only a component outside of the page has none, and there is no such component.
        use_context().unwrap_or_else(Self::provide)
    }

    /// Runs an action that was chosen without a key.
    pub(crate) fn run(self, action: Action) {
        action.run(self, &KeyPress::default());
    }

    /// Runs the action of a key, if it has one that is possible now. Returns whether one ran.
    pub(crate) fn run_key(self, press: &KeyPress) -> bool {
        let action = Action::of_key(&press.name).filter(|action| self.is_possible(*action));
        action.into_iter().for_each(|action| action.run(self, press));
        action.is_some()
    }

    /// Whether an action is possible now.
    pub(crate) fn is_possible(self, action: Action) -> bool {
        untrack(|| action.is_possible(self.analyse))
    }

    /// All actions, as the palette and the key sheet list them.
    pub(crate) fn commands(self) -> Vec<Command> {
        Action::commands(|action| self.is_possible(action), move |action| self.run(action))
    }
}
