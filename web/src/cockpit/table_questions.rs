//! Asks the driver how the columns of a table are read.

use std::rc::Rc;

use leptos::prelude::*;
use trailbrake_shared::import::mapped_table::TableMapping;

use crate::reactive::LocalSignal;
use crate::replay::UnknownTable;

/// A table, and what happens once the driver has said how it is read.
#[derive(Clone)]
pub(crate) struct TableQuestion {
    pub(crate) table: Rc<UnknownTable>,
    answer: Rc<dyn Fn(TableMapping)>,
}

/// The table that the driver is asked about. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct TableQuestions {
    pub(crate) asked: LocalSignal<Option<TableQuestion>>,
}

impl TableQuestions {
    pub(super) fn new() -> Self {
        Self { asked: RwSignal::new_local(None) }
    }

    /// The questions that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Asks about a table. A question that is open is dropped.
    pub(crate) fn ask(self, table: UnknownTable, answer: impl Fn(TableMapping) + 'static) {
        self.asked.set(Some(TableQuestion { table: Rc::new(table), answer: Rc::new(answer) }));
    }

    /// Opens the table with a mapping, which is kept for tables with the same columns.
    pub(crate) fn answer(self, mapping: TableMapping) {
        let question = self.asked.try_update(Option::take).flatten();
        if let Some(TableQuestion { table, answer }) = question {
            table.remember(&mapping);
            answer(mapping);
        }
    }

    /// Opens nothing.
    pub(crate) fn close(self) {
        self.asked.set(None);
    }
}
