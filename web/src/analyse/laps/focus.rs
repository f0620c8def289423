//! Keyboard focus in the lap list: Tab reaches one button, and arrow keys go from there to the others.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use crate::analyse::LapKey;

/// The buttons of a row, from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Overlay,
    Lap,
    Exclude,
    Reference,
}

impl Column {
    const ALL: [Self; 4] = [Self::Overlay, Self::Lap, Self::Exclude, Self::Reference];
}

/// A button of the list.
pub(super) type Stop = (LapKey, Column);

/// A row of the list, for the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) key: LapKey,
    pub(super) is_main: bool,
}

/// The keyboard focus of the list. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(super) struct ListFocus {
    lines: Memo<Vec<Line>>,
    /// The button that had the focus last.
    focused: RwSignal<Option<Stop>>,
    /// The button that Tab reaches.
    tab_stop: Memo<Option<Stop>>,
    /// The button that an arrow key moves the focus to.
    pub(super) sought: RwSignal<Option<Stop>>,
}

impl ListFocus {
    pub(super) fn new(lines: Memo<Vec<Line>>) -> Self {
        let focused = RwSignal::new(None);
        let tab_stop = Memo::new(move |_| lines.with(|lines| tab_stop(lines, focused.get())));
        Self { lines, focused, tab_stop, sought: RwSignal::new(None) }
    }

    /// The `tabindex` attribute of a button.
    pub(super) fn tab_index(self, stop: Stop) -> &'static str {
        if self.tab_stop.get() == Some(stop) { "0" } else { "-1" }
    }

    /// Records that a button has received the focus.
    pub(super) fn take(self, stop: Stop) {
        self.focused.set(Some(stop));
    }

    /// Moves the focus by an arrow key, and consumes the event: outside of the list arrow keys move the cursor.
    pub(super) fn follow(self, event: &KeyboardEvent) {
        let Some(step) = step_of(event) else { return };
        let here = self.tab_stop.get_untracked();
        let next = self.lines.with_untracked(|lines| neighbour(lines, here?, step));
        if next.is_some() {
            self.sought.set(next);
        }
        event.stop_propagation();
        event.prevent_default();
    }
}

/// The button that Tab reaches: the one that had the focus last, otherwise the main lap's, or the first lap's.
fn tab_stop(lines: &[Line], focused: Option<Stop>) -> Option<Stop> {
    let focused = focused.filter(|(key, _)| lines.iter().any(|line| line.key == *key));
    let main = lines.iter().find(|line| line.is_main).or(lines.first());
    focused.or(main.map(|line| (line.key, Column::Lap)))
}

/// The step of an arrow key: rows down, columns right. `None` for other keys, and with modifier keys.
fn step_of(event: &KeyboardEvent) -> Option<[isize; 2]> {
    if event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key() {
        return None;
    }
    match event.key().as_str() {
        "ArrowUp" => Some([-1, 0]),
        "ArrowDown" => Some([1, 0]),
        "ArrowLeft" => Some([0, -1]),
        "ArrowRight" => Some([0, 1]),
        _ => None,
    }
}

/// The button one step from another one; `None` beyond the edges of the list.
fn neighbour(lines: &[Line], (key, column): Stop, [down, right]: [isize; 2]) -> Option<Stop> {
    let row = lines.iter().position(|line| line.key == key)?.checked_add_signed(down)?;
    let place = Column::ALL.iter().position(|other| *other == column)?.checked_add_signed(right)?;
    Some((lines.get(row)?.key, *Column::ALL.get(place)?))
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::model::Car;
    use trailbrake_shared::session::LapId;

    use super::*;
    use crate::analyse::SourceId;

    fn key(serial: u32) -> LapKey {
        LapKey { of: SourceId::Live, id: LapId { session: 0, car: Car(0), serial } }
    }

    fn lines() -> Vec<Line> {
        [3, 2, 1].map(|serial| Line { key: key(serial), is_main: serial == 2 }).to_vec()
    }

    #[test]
    fn tab_reaches_the_main_lap_and_then_what_had_the_focus() {
        assert_eq!(tab_stop(&lines(), None), Some((key(2), Column::Lap)));
        let there = (key(1), Column::Exclude);
        assert_eq!(tab_stop(&lines(), Some(there)), Some(there));
        assert_eq!(tab_stop(&lines(), Some((key(9), Column::Lap))), Some((key(2), Column::Lap)));
        assert_eq!(tab_stop(&[], None), None);
    }

    #[test]
    fn arrows_stay_in_the_list() {
        let from = |serial, column, step| neighbour(&lines(), (key(serial), column), step);
        assert_eq!(from(2, Column::Lap, [1, 0]), Some((key(1), Column::Lap)));
        assert_eq!(from(2, Column::Lap, [0, 1]), Some((key(2), Column::Exclude)));
        assert_eq!(from(1, Column::Lap, [1, 0]), None);
        assert_eq!(from(3, Column::Lap, [-1, 0]), None);
        assert_eq!(from(3, Column::Reference, [0, 1]), None);
        assert_eq!(from(3, Column::Overlay, [0, -1]), None);
    }
}
