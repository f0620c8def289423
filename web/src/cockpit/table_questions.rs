//! Asks the driver how the columns of a table are read.

use std::collections::VecDeque;
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
    /// Tables that are asked about after that one.
    waiting: StoredValue<VecDeque<TableQuestion>, LocalStorage>,
}

impl TableQuestions {
    pub(super) fn new() -> Self {
        Self { asked: RwSignal::new_local(None), waiting: StoredValue::new_local(VecDeque::new()) }
    }

    /// The questions that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Asks about a table, after those that the driver is already asked about.
    pub(crate) fn ask(self, table: UnknownTable, answer: impl Fn(TableMapping) + 'static) {
        let question = TableQuestion { table: Rc::new(table), answer: Rc::new(answer) };
        if self.asked.with_untracked(Option::is_some) {
            self.waiting.update_value(|waiting| waiting.push_back(question));
        } else {
            self.asked.set(Some(question));
        }
    }

    /// Opens the table with a mapping, which is kept for tables with the same columns and opens those that wait.
    pub(crate) fn answer(self, mapping: TableMapping) {
        let Some(answered) = self.asked.get_untracked() else { return };
        answered.table.remember(&mapping);
        (answered.answer)(mapping.clone());
        let (alike, others) = self
            .waiting
            .get_value()
            .into_iter()
            .partition::<VecDeque<_>, _>(|other| other.table.has_columns_of(&answered.table));
        self.waiting.set_value(others);
        for other in alike {
            (other.answer)(mapping.clone());
        }
        self.close();
    }

    /// Opens nothing, and asks about the next table.
    pub(crate) fn close(self) {
        let next = self.waiting.try_update_value(VecDeque::pop_front).flatten();
        self.asked.set(next);
    }
}
