//! Shows the dialog about a table's columns while there is a question.

use leptos::prelude::*;

use super::parts;
use crate::cockpit::{TableQuestions, TelemetryStore};

#[component]
pub(super) fn OpenTableQuestion() -> impl IntoView {
    let (questions, telemetry) = (TableQuestions::here(), TelemetryStore::here());
    move || {
        if questions.asked.with(Option::is_none) {
            return None;
        }
        let dialog = parts::table_dialog();
        let dialog = Suspend::new(async move {
            let dialog = dialog.await;
            if dialog.is_err() {
                questions.close();
                telemetry.complain("The dialog about the columns did not load. Try again.".to_owned());
            }
            dialog.ok()
        });
        Some(view! { <Suspense>{dialog}</Suspense> })
    }
}
