//! The strip between header and page that shows faults.

use leptos::prelude::*;

use crate::cockpit::TelemetryStore;
use crate::telemetry::{Fault, Telemetry};

/// The faults in one line, until they are dismissed.
#[component]
pub(super) fn FaultStrip() -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let faults = telemetry.sampled(Telemetry::faults);
    let words = Memo::new(move |_| faults.with(|faults| fault_words(faults)));
    view! {
        <Show when=move || words.with(Option::is_some)>
            <div class="faults" role="alert" data-testid="faults">
                <span>{move || words.get()}</span>
                <button type="button" on:click=move |_| telemetry.clear_faults()>"Dismiss"</button>
            </div>
        </Show>
    }
}

/// The latest fault and the number of others; `None` without faults.
fn fault_words(faults: &[Fault]) -> Option<String> {
    let (latest, others) = faults.split_first()?;
    let latest = match latest.count {
        1 => latest.words.clone(),
        count => format!("{} ({count} times)", latest.words),
    };
    Some(match others.len() {
        0 => latest,
        1 => format!("{latest} And one other fault."),
        count => format!("{latest} And {count} other faults."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_fault_is_shown_and_the_others_counted() {
        let fault = |words: &str, count| Fault { words: words.to_owned(), count };
        assert_eq!(fault_words(&[]), None);
        let three = [fault("The disk is full.", 2), fault("b", 1), fault("c", 1)];
        let words = |count: usize| fault_words(three.get(..count).unwrap_or_default());
        assert_eq!(words(1).as_deref(), Some("The disk is full. (2 times)"));
        assert_eq!(words(2).as_deref(), Some("The disk is full. (2 times) And one other fault."));
        assert_eq!(words(3).as_deref(), Some("The disk is full. (2 times) And 2 other faults."));
    }
}
