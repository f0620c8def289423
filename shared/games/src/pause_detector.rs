//! Detects pauses in games that keep sending identical packets while paused.

use trailbrake_model::EventKind;
use trailbrake_model::time::Micros;

/// The game is paused when nothing has changed for this long.
const PAUSED_S: f64 = 0.5;

#[derive(Debug, Default)]
pub(super) struct PauseDetector {
    /// When anything last changed.
    moved: Option<Micros>,
    paused: bool,
}

impl PauseDetector {
    /// Takes whether the next packet equals the previous one. Returns an event when the game pauses or resumes.
    pub(super) fn next(&mut self, same: bool, at: Micros) -> Option<EventKind> {
        let moved = if same { *self.moved.get_or_insert(at) } else { *self.moved.insert(at) };
        let paused = same && (self.paused || at.seconds_since(moved) >= PAUSED_S);
        let news = paused != self.paused;
        self.paused = paused;
        news.then_some(if paused { EventKind::Paused } else { EventKind::Resumed })
    }

    pub(super) fn is_paused(&self) -> bool {
        self.paused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_paused_after_half_a_second_and_goes_on_at_once() {
        let mut pause_detector = PauseDetector::default();
        let mut next = |same: bool, millis: u64| pause_detector.next(same, Micros(millis * 1000));
        assert_eq!(next(false, 0), None);
        assert_eq!(next(true, 400), None);
        assert_eq!(next(false, 480), None);
        assert_eq!(
            (next(true, 970), next(true, 990), next(true, 1500)),
            (None, Some(EventKind::Paused), None)
        );
        assert_eq!((next(false, 1600), next(false, 1616)), (Some(EventKind::Resumed), None));
    }
}
