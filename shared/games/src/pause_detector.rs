//! Detects pauses in games that keep sending identical packets while paused.

use trailbrake_model::time::Micros;

use super::session_clock::Step;

/// The game is paused when nothing has changed for so many milliseconds.
#[derive(Debug, Default)]
pub(super) struct PauseDetector<const MILLIS: u32> {
    content: Vec<u8>,
    /// When anything last changed.
    moved: Option<Micros>,
    paused: bool,
}

impl<const MILLIS: u32> PauseDetector<MILLIS> {
    /// Takes whether the next packet equals the previous one.
    pub(super) fn next(&mut self, same: bool, at: Micros) -> Step {
        let moved = if same { *self.moved.get_or_insert(at) } else { *self.moved.insert(at) };
        let paused = same && (self.paused || at.seconds_since(moved) >= f64::from(MILLIS) / 1e3);
        match (std::mem::replace(&mut self.paused, paused), same) {
            (false, true) if paused => Step::Pauses,
            (_, true) => Step::Still,
            (true, false) => Step::Resumes,
            (false, false) => Step::Flows,
        }
    }

    /// Takes the next packet's content.
    pub(super) fn compare(&mut self, content: &[u8], at: Micros) -> Step {
        let same = self.has(content);
        if !same {
            self.content.clear();
            self.content.extend_from_slice(content);
        }
        self.next(same, at)
    }

    /// Takes the next packet's content, with what the session's clock says of the packet.
    pub(super) fn follow(&mut self, step: Step, content: &[u8], at: Micros) -> Step {
        if !step.moves() {
            return step;
        }
        let compared = self.compare(content, at);
        if step == Step::Flows {
            return compared;
        }
        // Anything else ends a pause.
        self.next(false, at);
        step
    }

    /// Whether the previous packet had this content.
    pub(super) fn has(&self, content: &[u8]) -> bool {
        self.content == content
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
        let mut pause_detector = PauseDetector::<500>::default();
        let mut next = |same: bool, millis: u64| pause_detector.next(same, Micros(millis * 1000));
        assert_eq!(next(false, 0), Step::Flows);
        assert_eq!(next(true, 400), Step::Still);
        assert_eq!(next(false, 480), Step::Flows);
        assert_eq!(
            (next(true, 970), next(true, 990), next(true, 1500)),
            (Step::Still, Step::Pauses, Step::Still)
        );
        assert_eq!((next(false, 1600), next(false, 1616)), (Step::Resumes, Step::Flows));
    }
}
