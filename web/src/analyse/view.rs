//! The visible part of the axis and the cursor, as plain numbers that keys, wheel and touch change.

/// The unit of the x axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Axis {
    /// Metres from the line.
    #[default]
    Distance,
    /// Seconds of each lap's own clock.
    Time,
}

/// A stretch of the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) from: f64,
    pub(crate) to: f64,
}

/// The smallest visible part, as a fraction of the axis.
const LEAST_SHARE: f64 = 1e-4;
/// The maximum number of undo steps.
const MOST_UNDONE: usize = 100;

/// An undo step: the visible part and the open corner.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Before {
    part: Option<Part>,
    corner: Option<u16>,
}

/// Changes that are undone together: a whole drag, successive notches of a wheel, everything during playback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gesture {
    /// A gesture of mouse, wheel or touch, by its number.
    Hands(u32),
    /// Playback.
    Playing,
}

/// The view of the laps on screen. Methods take the length of the axis as `whole`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct View {
    pub(crate) axis: Axis,
    /// The visible part of the axis; `None` for all of it.
    part: Option<Part>,
    /// The cursor, in the axis' unit.
    pub(crate) cursor: Option<f64>,
    /// The open corner, by its number.
    pub(crate) corner: Option<u16>,
    /// The undo steps, the latest last.
    before: Vec<Before>,
    /// The current gesture.
    gesture: Option<Gesture>,
    /// The gesture of the last undo step.
    begun_by: Option<Gesture>,
}

impl Part {
    pub(crate) fn length(self) -> f64 {
        self.to - self.from
    }
}

impl View {
    /// The view for other laps: all of them, on the same axis.
    pub(super) fn reset(&self) -> Self {
        Self { axis: self.axis, ..Self::default() }
    }

    /// The visible part of an axis of this length.
    pub(crate) fn shown(&self, whole: f64) -> Part {
        self.part.unwrap_or(Part { from: 0.0, to: whole })
    }

    /// Whether the view is zoomed in.
    pub(crate) fn is_part(&self) -> bool {
        self.part.is_some()
    }

    /// The visible part; `None` for the whole axis.
    pub(crate) fn part(&self) -> Option<Part> {
        self.part
    }

    /// Shows a part, clamped to the axis; `None` shows the whole axis. It can be undone.
    pub(crate) fn show(&mut self, part: Option<Part>, whole: f64) {
        let part = part.and_then(|part| within(part, whole));
        self.go_to(part, self.corner);
    }

    /// Opens a corner's card, or closes the open one with `None`. It can be undone.
    pub(crate) fn open_corner(&mut self, corner: Option<u16>) {
        self.go_to(self.part, corner);
    }

    /// Sets the gesture of the changes that follow. With `None`, each of them is an undo step of its own.
    pub(super) fn belongs_to(&mut self, gesture: Option<Gesture>) {
        self.gesture = gesture;
    }

    fn go_to(&mut self, part: Option<Part>, corner: Option<u16>) {
        let before = Before { part: self.part, corner: self.corner };
        if before == (Before { part, corner }) {
            return;
        }
        (self.part, self.corner) = (part, corner);
        if self.gesture.is_some() && self.gesture == self.begun_by {
            return;
        }
        self.begun_by = self.gesture;
        self.before.push(before);
        if self.before.len() > MOST_UNDONE {
            self.before.remove(0);
        }
    }

    /// Shows the part from an address, before the length of the axis is known. It can't be undone.
    pub(crate) fn restore(&mut self, part: Option<Part>) {
        self.part = part.filter(|part| part.from >= 0.0 && part.length() > 0.0 && part.to.is_finite());
    }

    /// Whether there is a step to undo.
    pub(crate) fn can_undo(&self) -> bool {
        !self.before.is_empty()
    }

    /// Undoes the last step.
    pub(crate) fn undo(&mut self) {
        if let Some(before) = self.before.pop() {
            (self.part, self.corner, self.begun_by) = (before.part, before.corner, None);
        }
    }

    /// Makes the visible part `factor` times as long. The point `about` stays where it is on screen.
    pub(crate) fn zoom(&mut self, factor: f64, about: f64, whole: f64) {
        let Part { from, to } = self.shown(whole);
        let about = about.clamp(from, to);
        let part = Part { from: about - (about - from) * factor, to: about + (to - about) * factor };
        self.show(Some(part), whole);
    }

    /// Moves the visible part by a fraction of its length, towards the end if positive.
    pub(crate) fn pan(&mut self, share: f64, whole: f64) {
        let part = self.shown(whole);
        let by = (part.length() * share).clamp(-part.from, (whole - part.to).max(0.0));
        self.show(Some(Part { from: part.from + by, to: part.to + by }), whole);
    }

    /// Moves the cursor, and moves the visible part along if the cursor would be outside of it.
    pub(crate) fn point(&mut self, at: f64, whole: f64) {
        let at = at.clamp(0.0, whole);
        self.cursor = Some(at);
        let part = self.shown(whole);
        if !(part.from..=part.to).contains(&at) {
            let half = part.length() / 2.0;
            let from = (at - half).clamp(0.0, (whole - part.length()).max(0.0));
            self.show(Some(Part { from, to: from + part.length() }), whole);
        }
    }

    /// Switches the axis; `convert` converts a position of the old axis into one of the new.
    pub(crate) fn turn(&mut self, axis: Axis, convert: impl Fn(f64) -> Option<f64>) {
        if axis == self.axis {
            return;
        }
        self.axis = axis;
        self.cursor = self.cursor.and_then(&convert);
        let converted = |part: Part| Some(Part { from: convert(part.from)?, to: convert(part.to)? });
        self.part = self.part.and_then(converted);
        self.before.iter_mut().for_each(|before| before.part = before.part.and_then(converted));
    }
}

/// A part clamped to the axis; `None` if it covers the whole axis or is not finite.
fn within(part: Part, whole: f64) -> Option<Part> {
    let least = whole * LEAST_SHARE;
    let (from, to) = (part.from.min(part.to).max(0.0), part.from.max(part.to).min(whole));
    let all = from <= 0.0 && to >= whole;
    let length = (to - from).max(least);
    let from = from.min((whole - length).max(0.0));
    (!all && from.is_finite() && length.is_finite() && length > 0.0)
        .then_some(Part { from, to: from + length })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: f64 = 1000.0;

    fn shown(view: &View) -> (f64, f64) {
        let Part { from, to } = view.shown(WHOLE);
        (from, to)
    }

    #[test]
    fn a_place_stays_where_it_is_while_zooming() {
        let mut view = View::default();
        assert_eq!(shown(&view), (0.0, 1000.0));
        view.zoom(0.5, 250.0, WHOLE);
        assert_eq!(shown(&view), (125.0, 625.0));
        view.zoom(2.0, 250.0, WHOLE);
        assert_eq!(shown(&view), (0.0, 1000.0));
        assert!(!view.is_part());
        view.undo();
        assert_eq!(shown(&view), (125.0, 625.0));
        view.undo();
        view.undo();
        assert_eq!(shown(&view), (0.0, 1000.0));
    }

    #[test]
    fn nothing_leads_beyond_the_ends() {
        let mut view = View::default();
        view.show(Some(Part { from: 800.0, to: 1400.0 }), WHOLE);
        assert_eq!(shown(&view), (800.0, 1000.0));
        view.pan(3.0, WHOLE);
        assert_eq!(shown(&view), (800.0, 1000.0));
        view.pan(-30.0, WHOLE);
        assert_eq!(shown(&view), (0.0, 200.0));
        view.zoom(1e-12, 1000.0, WHOLE);
        let (from, to) = shown(&view);
        assert!(from < to && to <= WHOLE, "{from} {to}");
        view.show(Some(Part { from: f64::NAN, to: 3.0 }), WHOLE);
        let (from, to) = shown(&view);
        assert!(from < to, "{from} {to}");
    }

    #[test]
    fn what_an_address_names_is_shown_as_it_is() {
        let mut view = View::default();
        let part = Part { from: 100.25, to: 200.5 };
        view.restore(Some(part));
        assert_eq!((view.part(), shown(&view)), (Some(part), (100.25, 200.5)));
        for (from, to) in [(200.0, 100.0), (-1.0, 5.0), (0.0, f64::INFINITY)] {
            view.restore(Some(Part { from, to }));
            assert_eq!(view.part(), None);
        }
    }

    #[test]
    fn the_cursor_is_seen_where_it_goes() {
        let mut view = View::default();
        view.show(Some(Part { from: 100.0, to: 200.0 }), WHOLE);
        view.point(150.0, WHOLE);
        assert_eq!((view.cursor, shown(&view)), (Some(150.0), (100.0, 200.0)));
        view.point(980.0, WHOLE);
        assert_eq!((view.cursor, shown(&view)), (Some(980.0), (900.0, 1000.0)));
        view.point(-5.0, WHOLE);
        assert_eq!((view.cursor, shown(&view)), (Some(0.0), (0.0, 100.0)));
    }

    #[test]
    fn another_axis_shows_the_same_part() {
        let mut view = View::default();
        view.show(Some(Part { from: 100.0, to: 200.0 }), WHOLE);
        view.point(150.0, WHOLE);
        view.turn(Axis::Time, |metres| Some(metres / 50.0));
        assert_eq!((view.cursor, view.part()), (Some(3.0), Some(Part { from: 2.0, to: 4.0 })));
    }

    #[test]
    fn what_was_shown_before_can_be_shown_again_on_another_axis() {
        let mut view = View::default();
        view.show(Some(Part { from: 100.0, to: 200.0 }), WHOLE);
        view.show(Some(Part { from: 120.0, to: 140.0 }), WHOLE);
        view.turn(Axis::Time, |metres| Some(metres / 50.0));
        view.undo();
        assert_eq!(view.part(), Some(Part { from: 2.0, to: 4.0 }));
        view.undo();
        assert_eq!(view.part(), None);
    }

    #[test]
    fn a_gesture_is_taken_back_at_once_and_a_corner_with_what_it_showed() {
        let mut view = View::default();
        view.show(Some(Part { from: 0.0, to: 500.0 }), WHOLE);
        for gesture in [1, 2] {
            view.belongs_to(Some(Gesture::Hands(gesture)));
            (0..30).for_each(|_| view.pan(0.01, WHOLE));
        }
        view.belongs_to(None);
        let moved = shown(&view);
        view.open_corner(Some(5));
        view.show(Some(Part { from: 600.0, to: 700.0 }), WHOLE);
        view.undo();
        assert_eq!((shown(&view), view.corner), (moved, Some(5)));
        view.undo();
        assert_eq!((shown(&view), view.corner), (moved, None));
        view.undo();
        assert_eq!(shown(&view), (150.0, 650.0));
        // The same gesture goes on: what it does now can be taken back by itself.
        view.belongs_to(Some(Gesture::Hands(2)));
        view.pan(0.1, WHOLE);
        view.undo();
        assert_eq!(shown(&view), (150.0, 650.0));
        view.undo();
        assert_eq!(shown(&view), (0.0, 500.0));
    }
}
