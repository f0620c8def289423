//! What the lanes show, read from the stores.

use std::rc::Rc;

use leptos::prelude::*;
use trailbrake_shared::plot::{Domain, TickKind};
use trailbrake_shared::units::Units;

use super::arrange::LaneStore;
use super::layout::Strip;
use crate::analyse::notes::note_ink;
use crate::analyse::{
    Axis, ComparisonStore, MeasureStore, NoteStore, PlacedNote, ShownLaps, View, ViewStore,
};
use crate::painter::{Flag, PeerMark};
use crate::room::{PeerCursor, Room};

/// What the lanes are built from. They are rebuilt when it changes.
pub(super) struct Source {
    pub(super) shown: Rc<ShownLaps>,
    pub(super) axis: Axis,
    pub(super) strips: Rc<Vec<Strip>>,
    pub(super) fit: bool,
    pub(super) units: Units,
}

impl Source {
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.shown, &other.shown)
            && Rc::ptr_eq(&self.strips, &other.strips)
            && (self.axis, self.fit, self.units) == (other.axis, other.fit, other.units)
    }
}

/// What the lanes show at a moment.
pub(super) struct LaneScene {
    /// `None` while no laps are shown.
    pub(super) source: Option<Source>,
    /// The visible part of the axis, and whether it is less than the whole.
    pub(super) part: Option<(Domain, TickKind)>,
    pub(super) is_part: bool,
    pub(super) cursor: Option<f64>,
    /// Whether the main lap is the driver's own.
    pub(super) is_own: bool,
    /// The measuring cursors.
    pub(super) measured: [Option<f64>; 2],
    /// The notes about the laps on screen.
    pub(super) flags: Vec<Flag>,
    /// The cursors of other people in the room who look at the same laps.
    pub(super) peers: Vec<PeerMark>,
}

/// The stores from which the lanes are painted. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(super) struct LaneStores {
    comparison: ComparisonStore,
    view: ViewStore,
    lanes: LaneStore,
    measure: MeasureStore,
    notes: NoteStore,
    units: RwSignal<Units>,
    room: Room,
}

impl LaneStores {
    /// The stores that the page provided.
    pub(super) fn here() -> Self {
        Self {
            comparison: expect_context(),
            view: expect_context(),
            lanes: expect_context(),
            measure: expect_context(),
            notes: expect_context(),
            units: expect_context(),
            room: Room::here(),
        }
    }

    /// What the lanes show now. An effect that calls this runs again when that changes.
    pub(super) fn scene(self) -> LaneScene {
        let (view, lanes) = (self.view.state.read(), self.lanes.state.read());
        let shown = self.comparison.shown();
        let kind = match view.axis {
            Axis::Distance => TickKind::Distance,
            Axis::Time => TickKind::Time,
        };
        let part = shown.as_ref().map(|shown| {
            let part = view.shown(shown.whole(view.axis));
            (Domain::new(part.from, part.to), kind)
        });
        LaneScene {
            part,
            is_part: View::is_part(&view),
            cursor: view.cursor,
            is_own: self.comparison.is_own(),
            measured: self.measure.on_axis(),
            flags: shown.as_ref().map(|shown| self.flags(shown, view.axis)).unwrap_or_default(),
            peers: shown.as_ref().map(|shown| self.peers(shown, view.axis)).unwrap_or_default(),
            source: shown.map(|shown| Source {
                shown,
                axis: view.axis,
                strips: Rc::clone(&lanes.strips),
                fit: lanes.fit,
                units: self.units.get(),
            }),
        }
    }

    /// The flags of the notes about the laps on screen, each with its number and in its colour.
    fn flags(self, shown: &ShownLaps, axis: Axis) -> Vec<Flag> {
        let flag = |(number, note): (usize, &PlacedNote)| {
            note.place?;
            Some(Flag { at: shown.on_axis(axis, note.at_m?)?, ink: note_ink(&note.note.colour), number })
        };
        (1..).zip(self.notes.placed().iter()).filter_map(flag).collect()
    }

    fn peers(self, shown: &ShownLaps, axis: Axis) -> Vec<PeerMark> {
        let mark =
            |peer: PeerCursor| Some(PeerMark { at: shown.on_axis(axis, peer.at_m)?, name: peer.title });
        self.room.cursors().into_iter().filter_map(mark).collect()
    }
}
