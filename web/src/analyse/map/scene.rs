//! What the map shows, read from the stores.

use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use trailbrake_shared::plot::colouring::ColouredLap;

use super::change::MapStore;
use super::colours::Tint;
use super::view::MapArea;
use crate::analyse::notes::note_ink;
use crate::analyse::{
    ComparisonStore, INKS, MeasureStore, NoteStore, PlacedNote, ShownLaps, View, ViewStore,
};
use crate::painter::{Framed, Ink, Looked, Pin, Spot};
use crate::room::{PeerCursor, Room};

/// A note's number stands beside the track. The track's direction there is measured this far before and after, metres.
const AROUND_M: f64 = 20.0;

/// What the map shows at a moment.
#[derive(Default)]
pub(super) struct MapScene {
    pub(super) shown: Option<Rc<ShownLaps>>,
    /// The main lap with its colours.
    pub(super) coloured: Option<Arc<ColouredLap>>,
    pub(super) looked: Looked,
    /// The cars at the cursor, the measuring cursors, and the cursors of other people.
    pub(super) dots: Vec<Spot>,
    /// The notes about the laps on screen.
    pub(super) pins: Vec<Pin>,
}

/// The stores from which the map is painted. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(super) struct MapStores {
    comparison: ComparisonStore,
    view: ViewStore,
    map: MapStore,
    measure: MeasureStore,
    notes: NoteStore,
    room: Room,
    tint: Tint,
}

impl MapStores {
    /// The stores that the page provided, and the colours of the panel.
    pub(super) fn here(tint: Tint) -> Self {
        Self {
            comparison: expect_context(),
            view: expect_context(),
            map: expect_context(),
            measure: expect_context(),
            notes: expect_context(),
            room: Room::here(),
            tint,
        }
    }

    /// What the map shows now. An effect that calls this runs again when that changes.
    pub(super) fn scene(self) -> MapScene {
        let view = self.map.state.get();
        let Some(shown) = self.comparison.shown() else {
            return MapScene {
                looked: Looked { framed: Framed::All, lines: view.lines },
                ..MapScene::default()
            };
        };
        let framed = self.view.state.with(|lanes| framed(&shown, lanes, view.look));
        MapScene {
            coloured: self.tint.coloured(),
            looked: Looked { framed, lines: view.lines },
            dots: self.dots(&shown),
            pins: self.pins(&shown),
            shown: Some(shown),
        }
    }

    fn dots(self, shown: &ShownLaps) -> Vec<Spot> {
        let mut dots = self.view.cursor_m().map(|at| cars(shown, at)).unwrap_or_default();
        let measured = self.measure.state.get().places_m.into_iter().flatten();
        let measured = measured.filter_map(|place| shown.seen_at(place));
        dots.extend(measured.map(|place| Spot { place, ink: Ink::Text, says: String::new() }));
        let peer = |PeerCursor { at_m, title }| {
            Some(Spot { place: shown.seen_at(at_m)?, ink: Ink::Peer, says: title })
        };
        dots.extend(self.room.cursors().into_iter().filter_map(peer));
        dots
    }

    /// The notes with their numbers in the lesson plan.
    fn pins(self, shown: &ShownLaps) -> Vec<Pin> {
        let pin = |(number, note): (usize, &PlacedNote)| {
            note.place?;
            let at_m = note.at_m?;
            let place = shown.seen_at(at_m)?;
            let around = [at_m - AROUND_M, at_m + AROUND_M].map(|at_m| shown.seen_at(at_m).unwrap_or(place));
            Some(Pin { place, around, ink: note_ink(&note.note.colour), number })
        };
        (1..).zip(self.notes.placed().iter()).filter_map(pin).collect()
    }
}

/// The part of the main lap's racing line that the map shows.
fn framed(shown: &ShownLaps, view: &View, look: MapArea) -> Framed {
    let rows = || {
        let (lap, part) = (shown.laps.first()?, view.part()?);
        let row = |at: f64| lap.row_at(shown.place(view.axis, at)?);
        Some(Framed::Rows(row(part.from)?, row(part.to)?))
    };
    match look {
        MapArea::Follows => rows().unwrap_or_default(),
        MapArea::All => Framed::All,
        MapArea::At(window) => Framed::At(window),
    }
}

/// Where each lap was when the main lap was at a lap distance, in metres.
fn cars(shown: &ShownLaps, at: f64) -> Vec<Spot> {
    let Some(clock_s) = shown.comparison().placed.first().and_then(|main| main.clock_at(at)) else {
        return Vec::new();
    };
    let places = shown.laps.iter().zip(INKS);
    let spot = |place, ink| Spot { place, ink, says: String::new() };
    places.filter_map(|(lap, ink)| Some(spot(lap.seen_when(clock_s)?, ink))).collect()
}
