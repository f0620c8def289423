//! Arranges the lanes and their layouts, and stores both in the browser.

use std::rc::Rc;

use leptos::prelude::*;

use super::build::usual;
use super::layout::{HEIGHTS, Layout, Strip, written};
use super::settings::{LANES_KEY, LAYOUTS_KEY, LaneSettings, NO_FIT_KEY};
use crate::analyse::Analyse;
use crate::browser;

impl Analyse {
    /// Toggles whether the scales of all lanes fit the visible part. The delta's scale always does.
    pub(crate) fn toggle_fit(self) {
        self.lanes.update(|lanes| lanes.fit ^= true);
        match self.lanes.with_untracked(|lanes| lanes.fit) {
            true => browser::forget(NO_FIT_KEY),
            false => browser::keep(NO_FIT_KEY, "all"),
        }
    }

    /// Changes which lanes are shown, their order or their heights, and stores them.
    pub(crate) fn arrange_lanes(self, change: impl FnOnce(&mut Vec<Strip>)) {
        self.drag_lanes(change);
        let strips = self.lanes.with_untracked(|lanes| Rc::clone(&lanes.strips));
        browser::keep(LANES_KEY, &if *strips == usual() { String::new() } else { written(&strips) });
        self.input.note_change();
    }

    /// Like `arrange_lanes`, while a border is dragged: nothing is stored until the border is released.
    pub(crate) fn drag_lanes(self, change: impl FnOnce(&mut Vec<Strip>)) {
        let before = self.lanes.with_untracked(|lanes| Rc::clone(&lanes.strips));
        let mut strips = before.as_ref().clone();
        change(&mut strips);
        for strip in &mut strips {
            strip.percent = strip.percent.clamp(*HEIGHTS.start(), *HEIGHTS.end());
        }
        if strips != *before {
            self.lanes.update(|lanes| lanes.strips = Rc::new(strips));
        }
    }

    /// Shows a lane below the others, or removes it.
    pub(crate) fn toggle_lane(self, id: &str) {
        self.arrange_lanes(|strips| match strips.iter().position(|strip| strip.id == id) {
            Some(place) => drop(strips.remove(place)),
            None => strips.push(Strip::usual(id)),
        });
    }

    /// Moves a lane down by a number of lanes, or up if negative. It stays where it is at the ends.
    pub(crate) fn move_lane(self, id: &str, by: isize) {
        self.arrange_lanes(|strips| {
            let place = strips.iter().position(|strip| strip.id == id);
            let other =
                place.and_then(|place| place.checked_add_signed(by)).filter(|other| *other < strips.len());
            place.zip(other).into_iter().for_each(|(place, other)| strips.swap(place, other));
        });
    }

    /// Changes a lane's height by `by` per cent of its default height.
    pub(crate) fn resize_lane(self, id: &str, by: i16) {
        self.arrange_lanes(|strips| {
            for strip in strips.iter_mut().filter(|strip| strip.id == id) {
                strip.percent = strip.percent.saturating_add_signed(by);
            }
        });
    }

    /// Shows the default lanes.
    pub(crate) fn reset_lanes(self) {
        self.arrange_lanes(|strips| *strips = usual());
    }

    /// Saves the lanes on screen and the axis as a layout. A layout that is replaced keeps its name.
    pub(crate) fn save_layout(self, number: u8) {
        let axis = self.view.with_untracked(|view| view.axis);
        self.change_layouts(|lanes| {
            let old = lanes.layouts.iter().position(|layout| layout.number == number);
            let old = old.map(|place| lanes.layouts.remove(place));
            let name = old.map_or_else(|| format!("Layout {number}"), |old| old.name);
            let strips = lanes.strips.as_ref().clone();
            lanes.layouts.push(Layout { number, name, axis, strips });
            lanes.layouts.sort_by_key(|layout| layout.number);
        });
    }

    /// Shows a layout. Returns its name; `None` if no layout has this number.
    pub(crate) fn show_layout(self, number: u8) -> Option<String> {
        let layout = self.lanes.with_untracked(|lanes| lanes.layout(number).cloned())?;
        self.arrange_lanes(|strips| strips.clone_from(&layout.strips));
        if layout.axis != self.view.with_untracked(|view| view.axis) {
            self.toggle_axis();
        }
        Some(layout.name)
    }

    /// Renames a layout.
    pub(crate) fn rename_layout(self, number: u8, name: &str) {
        self.change_layouts(|lanes| {
            let layout = lanes.layouts.iter_mut().find(|layout| layout.number == number);
            layout.into_iter().for_each(|layout| layout.name = name.replace('\n', " "));
        });
    }

    /// Deletes a layout.
    pub(crate) fn delete_layout(self, number: u8) {
        self.change_layouts(|lanes| lanes.layouts.retain(|layout| layout.number != number));
    }

    fn change_layouts(self, change: impl FnOnce(&mut LaneSettings)) {
        self.lanes.update(change);
        let lines: Vec<String> =
            self.lanes.with_untracked(|lanes| lanes.layouts.iter().map(Layout::written).collect());
        browser::keep(LAYOUTS_KEY, &lines.join("\n"));
    }
}
