//! Arranges the lanes and their layouts, and stores both in the browser.

use std::rc::Rc;

use leptos::prelude::*;

use super::build::usual;
use super::layout::{HEIGHTS, Layout, Strip, written};
use super::settings::LaneSettings;
use crate::analyse::Axis;
use crate::analyse::driver_input::DriverInput;
use crate::browser::{self, keys};
use crate::reactive::LocalSignal;

/// The lanes on screen, and their layouts. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct LaneStore {
    pub(crate) state: LocalSignal<LaneSettings>,
    input: DriverInput,
}

impl LaneStore {
    pub(crate) fn new(settings: LaneSettings, input: DriverInput) -> Self {
        Self { state: LocalSignal::new_local(settings), input }
    }

    /// Toggles whether the scales of all lanes fit the visible part. The delta's scale always does.
    pub(crate) fn toggle_fit(self) {
        self.state.update(|lanes| lanes.fit ^= true);
        match self.state.with_untracked(|lanes| lanes.fit) {
            true => browser::forget(keys::NO_FIT),
            false => browser::keep(keys::NO_FIT, "all"),
        }
    }

    /// Changes which lanes are shown, their order or their heights, and stores them.
    pub(crate) fn arrange(self, change: impl FnOnce(&mut Vec<Strip>)) {
        self.drag(change);
        let strips = self.state.with_untracked(|lanes| Rc::clone(&lanes.strips));
        browser::keep(keys::LANES, &if *strips == usual() { String::new() } else { written(&strips) });
        self.input.note_change();
    }

    /// Like `arrange`, while a border is dragged: nothing is stored until the border is released.
    pub(crate) fn drag(self, change: impl FnOnce(&mut Vec<Strip>)) {
        let before = self.state.with_untracked(|lanes| Rc::clone(&lanes.strips));
        let mut strips = before.as_ref().clone();
        change(&mut strips);
        for strip in &mut strips {
            strip.percent = strip.percent.clamp(*HEIGHTS.start(), *HEIGHTS.end());
        }
        if strips != *before {
            self.state.update(|lanes| lanes.strips = Rc::new(strips));
        }
    }

    /// Shows a lane below the others, or removes it.
    pub(crate) fn toggle(self, id: &str) {
        self.arrange(|strips| match strips.iter().position(|strip| strip.id == id) {
            Some(place) => drop(strips.remove(place)),
            None => strips.push(Strip::usual(id)),
        });
    }

    /// Moves a lane down by a number of lanes, or up if negative. It stays where it is at the ends.
    pub(crate) fn shift(self, id: &str, by: isize) {
        self.arrange(|strips| {
            let place = strips.iter().position(|strip| strip.id == id);
            let other =
                place.and_then(|place| place.checked_add_signed(by)).filter(|other| *other < strips.len());
            place.zip(other).into_iter().for_each(|(place, other)| strips.swap(place, other));
        });
    }

    /// Changes a lane's height by `by` per cent of its default height.
    pub(crate) fn resize(self, id: &str, by: i16) {
        self.arrange(|strips| {
            for strip in strips.iter_mut().filter(|strip| strip.id == id) {
                strip.percent = strip.percent.saturating_add_signed(by);
            }
        });
    }

    /// Shows the default lanes.
    pub(crate) fn reset(self) {
        self.arrange(|strips| *strips = usual());
    }

    /// Saves the lanes on screen and the axis as a layout. A layout that is replaced keeps its name.
    pub(crate) fn save_layout(self, number: u8, axis: Axis) {
        self.change_layouts(|lanes| {
            let old = lanes.layouts.iter().position(|layout| layout.number == number);
            let old = old.map(|place| lanes.layouts.remove(place));
            let name = old.map_or_else(|| format!("Layout {number}"), |old| old.name);
            let strips = lanes.strips.as_ref().clone();
            lanes.layouts.push(Layout { number, name, axis, strips });
            lanes.layouts.sort_by_key(|layout| layout.number);
        });
    }

    /// Shows the lanes of a layout, and returns it; `None` if no layout has this number.
    pub(crate) fn show_layout(self, number: u8) -> Option<Layout> {
        let layout = self.state.with_untracked(|lanes| lanes.layout(number).cloned())?;
        self.arrange(|strips| strips.clone_from(&layout.strips));
        Some(layout)
    }

    /// Renames a layout.
    pub(crate) fn rename_layout(self, number: u8, name: &str) {
        self.change_layouts(|lanes| {
            let layout = lanes.layouts.iter_mut().find(|layout| layout.number == number);
            if let Some(layout) = layout {
                layout.name = name.replace('\n', " ");
            }
        });
    }

    /// Deletes a layout.
    pub(crate) fn delete_layout(self, number: u8) {
        self.change_layouts(|lanes| lanes.layouts.retain(|layout| layout.number != number));
    }

    fn change_layouts(self, change: impl FnOnce(&mut LaneSettings)) {
        self.state.update(change);
        let lines: Vec<String> =
            self.state.with_untracked(|lanes| lanes.layouts.iter().map(Layout::written).collect());
        browser::keep(keys::LAYOUTS, &lines.join("\n"));
    }
}
