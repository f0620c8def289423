//! Which lanes are shown, in which order and how high; and layouts of them that are kept by number.

use std::fmt::Write;
use std::ops::RangeInclusive;
use std::rc::Rc;

use super::{Analyse, Aspect, Axis, lanes};
use crate::browser;

/// Where the browser keeps which lanes are shown, and the layouts.
const LANES_KEY: &str = "trailbrake-lanes";
const LAYOUTS_KEY: &str = "trailbrake-layouts";
/// A lane's usual height, and what it can be made, per cent.
const USUAL: u16 = 100;
const HEIGHTS: RangeInclusive<u16> = 20..=500;

/// A lane that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Strip {
    /// What addresses call it.
    pub(crate) id: String,
    /// Its height, per cent of its usual one.
    pub(crate) percent: u16,
}

/// Lanes that can be shown again by a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// From 1 to 9.
    pub(crate) number: u8,
    pub(crate) name: String,
    axis: Axis,
    strips: Vec<Strip>,
}

impl Strip {
    /// A lane of its usual height.
    pub(crate) fn usual(id: &str) -> Self {
        Self { id: id.to_owned(), percent: USUAL }
    }

    fn read(text: &str) -> Self {
        let (id, percent) = text.split_once('~').unwrap_or((text, ""));
        let percent = percent.parse().unwrap_or(USUAL);
        Self { id: id.to_owned(), percent: percent.clamp(*HEIGHTS.start(), *HEIGHTS.end()) }
    }
}

/// Lanes out of an address or the browser's memory.
pub(super) fn read(text: &str) -> Vec<Strip> {
    text.split(',').filter(|text| !text.is_empty()).map(Strip::read).collect()
}

/// Lanes as they stand there: `speed,pedals~150`.
pub(super) fn written(strips: &[Strip]) -> String {
    let mut text = String::new();
    for strip in strips {
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(&strip.id);
        if strip.percent != USUAL {
            // Writing into text never fails.
            let _ = write!(text, "~{}", strip.percent);
        }
    }
    text
}

impl Layout {
    fn read(line: &str) -> Option<Self> {
        let mut words = line.splitn(4, ' ');
        let number = words.next()?.parse().ok().filter(|number| (1..=9).contains(number))?;
        let axis = if words.next()? == "time" { Axis::Time } else { Axis::Distance };
        let strips = read(words.next()?);
        Some(Self { number, axis, strips, name: words.next()?.to_owned() })
    }

    fn written(&self) -> String {
        let axis = if self.axis == Axis::Time { "time" } else { "distance" };
        [&self.number.to_string(), axis, &written(&self.strips), &self.name].join(" ")
    }
}

impl Analyse {
    /// What the browser has kept.
    pub(super) fn remember(&self) {
        let kept = browser::kept(LANES_KEY).filter(|kept| !kept.is_empty());
        let layouts = browser::kept(LAYOUTS_KEY).unwrap_or_default();
        self.change(&[], |state| {
            state.lanes = Rc::new(kept.map_or_else(lanes::usual, |kept| read(&kept)));
            state.layouts = layouts.lines().filter_map(Layout::read).collect();
        });
    }

    /// Shows other lanes, or others of their heights.
    pub(crate) fn arrange(&self, change: &dyn Fn(&mut Vec<Strip>)) {
        self.drag_lanes(change);
        let lanes = self.read(|state| Rc::clone(&state.lanes));
        browser::keep(LANES_KEY, &if *lanes == lanes::usual() { String::new() } else { written(&lanes) });
        self.say_address();
    }

    /// The same for as long as a border is held: it is kept only in the end.
    pub(crate) fn drag_lanes(&self, change: &dyn Fn(&mut Vec<Strip>)) {
        let before = self.read(|state| Rc::clone(&state.lanes));
        let mut strips = before.as_ref().clone();
        change(&mut strips);
        for strip in &mut strips {
            strip.percent = strip.percent.clamp(*HEIGHTS.start(), *HEIGHTS.end());
        }
        if strips != *before {
            self.change(&[Aspect::View, Aspect::Sheet], |state| state.lanes = Rc::new(strips));
        }
    }

    /// Shows a lane below the others, or takes it away.
    pub(crate) fn toggle_lane(&self, id: &str) {
        self.arrange(&|strips| match strips.iter().position(|strip| strip.id == id) {
            Some(place) => drop(strips.remove(place)),
            None => strips.push(Strip::usual(id)),
        });
    }

    /// Moves a lane up or down among the others.
    pub(crate) fn move_lane(&self, id: &str, by: isize) {
        self.arrange(&|strips| {
            let place = strips.iter().position(|strip| strip.id == id);
            let other =
                place.and_then(|place| place.checked_add_signed(by)).filter(|other| *other < strips.len());
            place.zip(other).into_iter().for_each(|(place, other)| strips.swap(place, other));
        });
    }

    /// Makes a lane higher or lower by so many per cent of its usual height.
    pub(crate) fn resize_lane(&self, id: &str, by: i16) {
        self.arrange(&|strips| {
            for strip in strips.iter_mut().filter(|strip| strip.id == id) {
                strip.percent = strip.percent.saturating_add_signed(by);
            }
        });
    }

    /// Shows the lanes that are shown at first.
    pub(crate) fn usual_lanes(&self) {
        self.arrange(&|strips| *strips = lanes::usual());
    }

    /// Keeps what is shown under a number, in the place of what was kept there; it has the old name.
    pub(crate) fn save_layout(&self, number: u8) {
        self.change_layouts(&|state| {
            let old = state.layouts.iter().position(|layout| layout.number == number);
            let old = old.map(|place| state.layouts.remove(place));
            let name = old.map_or_else(|| format!("Layout {number}"), |old| old.name);
            let strips = state.lanes.as_ref().clone();
            state.layouts.push(Layout { number, name, axis: state.view.axis, strips });
            state.layouts.sort_by_key(|layout| layout.number);
        });
    }

    /// Shows what is kept under a number: its name, if there is something.
    pub(crate) fn recall_layout(&self, number: u8) -> Option<String> {
        let kept = |state: &super::State| {
            let layout = state.layouts.iter().find(|layout| layout.number == number)?.clone();
            Some((layout, state.view.axis))
        };
        let (layout, axis) = self.read(kept)?;
        self.arrange(&|strips| strips.clone_from(&layout.strips));
        if layout.axis != axis {
            self.turn_axis();
        }
        Some(layout.name)
    }

    /// Gives what is kept under a number another name.
    pub(crate) fn rename_layout(&self, number: u8, name: &str) {
        let name = name.replace('\n', " ");
        let mut layouts = self.read(|state| state.layouts.clone());
        layouts
            .iter_mut()
            .filter(|layout| layout.number == number)
            .for_each(|layout| layout.name.clone_from(&name));
        // What is typed into stays as it is.
        self.change(&[], |state| state.layouts = layouts);
        self.keep_layouts();
    }

    /// Forgets what is kept under a number.
    pub(crate) fn forget_layout(&self, number: u8) {
        self.change_layouts(&|state| state.layouts.retain(|layout| layout.number != number));
    }

    fn change_layouts(&self, change: &dyn Fn(&mut super::State)) {
        self.change(&[Aspect::Sheet], change);
        self.keep_layouts();
    }

    fn keep_layouts(&self) {
        let lines: Vec<String> = self.read(|state| state.layouts.iter().map(Layout::written).collect());
        browser::keep(LAYOUTS_KEY, &lines.join("\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_and_heights_survive_being_written() {
        let text = "delta,speed~150,tyre_pressure_fl~40";
        let strips = read(text);
        assert_eq!(strips.len(), 3);
        assert_eq!((strips[1].id.as_str(), strips[1].percent), ("speed", 150));
        assert_eq!(written(&strips), text);
        // What somebody has written by hand is no height that hides a lane.
        let heights: Vec<u16> = read("a~0,b~9999,c~x,d~").iter().map(|strip| strip.percent).collect();
        assert_eq!(heights, [20, 500, 100, 100]);
        assert_eq!(read(""), []);
    }

    #[test]
    fn layouts_survive_being_written() {
        let layout = Layout {
            number: 3,
            name: "Braking zones".to_owned(),
            axis: Axis::Time,
            strips: read("speed,brake~200"),
        };
        assert_eq!(layout.written(), "3 time speed,brake~200 Braking zones");
        assert_eq!(Layout::read(&layout.written()), Some(layout));
        for line in ["", "0 time speed name", "12 time speed name", "3 time", "x distance speed name"] {
            assert_eq!(Layout::read(line), None, "{line}");
        }
    }
}
