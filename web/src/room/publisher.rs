//! Decides what this page sends to the room, and when: only changes, and no more often than others can follow.

use trailbrake_shared::wire::{Presence, ToRoom};

/// The least interval between two views that are sent, in milliseconds.
const VIEW_EVERY_MS: f64 = 250.0;
/// The resolution of a cursor that is sent, in metres.
const STEP_M: f64 = 0.1;

/// What this page last sent.
#[derive(Debug, Default)]
pub(super) struct Publisher {
    /// The last presence, and when it was sent, in milliseconds of the page.
    presence: Option<(Presence, f64)>,
    cursor_m: Option<f64>,
}

impl Publisher {
    /// The messages to send now.
    pub(super) fn due(&mut self, presence: Presence, cursor_m: Option<f64>, now_ms: f64) -> Vec<ToRoom> {
        let mut messages = Vec::new();
        let is_due = self
            .presence
            .as_ref()
            .is_none_or(|(sent, at_ms)| *sent != presence && now_ms - at_ms >= VIEW_EVERY_MS);
        if is_due {
            self.presence = Some((presence.clone(), now_ms));
            messages.push(ToRoom::Present(presence));
        }
        let cursor_m = cursor_m.map(|at_m| (at_m / STEP_M).round() * STEP_M);
        if cursor_m != self.cursor_m {
            self.cursor_m = cursor_m;
            messages.push(ToRoom::Cursor(cursor_m));
        }
        messages
    }

    /// The last view that was sent; empty before the first one.
    pub(super) fn view(&self) -> &str {
        self.presence.as_ref().map_or("", |(presence, _)| presence.view.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn presence(view: &str) -> Presence {
        Presence { view: view.to_owned(), ..Presence::default() }
    }

    #[test]
    fn only_changes_are_sent() {
        let mut publisher = Publisher::default();
        let first = publisher.due(presence("#/live"), None, 0.0);
        assert_eq!(first, [ToRoom::Present(presence("#/live"))]);
        assert!(publisher.due(presence("#/live"), None, 1e6).is_empty());
        let moved = publisher.due(presence("#/live"), Some(812.54), 1e6);
        assert!(
            matches!(moved[..], [ToRoom::Cursor(Some(at_m))] if (at_m - 812.5).abs() < 1e-9),
            "{moved:?}"
        );
        assert!(publisher.due(presence("#/live"), Some(812.52), 1e6).is_empty());
        assert_eq!(publisher.due(presence("#/live"), None, 1e6), [ToRoom::Cursor(None)]);
    }

    #[test]
    fn a_view_that_moves_all_the_time_is_sent_four_times_a_second() {
        let mut publisher = Publisher::default();
        let ticks = (0..=100).map(|tick| {
            publisher.due(presence(&format!("#/analyse?from={tick}")), None, f64::from(tick) * 100.0).len()
        });
        let sent: usize = ticks.sum();
        assert!((30..=40).contains(&sent), "{sent} in ten seconds");
        // The last view is always sent, if late.
        assert_eq!(publisher.due(presence("#/analyse?from=100"), None, 1e6).len(), 1);
    }
}
