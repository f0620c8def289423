//! The state of the page: a signal for each subject.

use leptos::prelude::*;
use trailbrake_shared::units::Units;

use super::comparison::{Compared, Loads, Selection};
use super::driver_input::DriverInput;
use super::{
    DialogKind, Gesture, LaneSettings, MapView, Measure, Names, Notes, OpenReport, PanelChoice, Playing,
    ShownTables, Sources, Tasks, Toast, View,
};
use crate::cockpit::Cockpit;
use crate::driver_settings::SettingsStore;
use crate::room::Room;
use crate::ui::ShownFigure;

/// A signal for values that must stay on the page's thread.
type Store<T> = RwSignal<T, LocalStorage>;

/// The state of the page, a signal for each subject. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct Analyse {
    /// The sources of laps, and the one whose laps are listed.
    pub(crate) sources: Store<Sources>,
    /// Which laps are compared.
    pub(crate) selection: Store<Selection>,
    /// The decoded laps, and those that are loading.
    pub(super) loads: StoredValue<Loads, LocalStorage>,
    /// The comparison on screen.
    pub(crate) comparison: Store<Compared>,
    /// How many laps of the main lap's stint are read besides those on screen, while they are read.
    pub(crate) stint_read: RwSignal<Option<usize>>,
    /// The axis, the visible part of it, and the cursor.
    pub(crate) view: RwSignal<View>,
    /// The measuring cursors.
    pub(crate) measure: RwSignal<Measure>,
    pub(crate) lanes: Store<LaneSettings>,
    pub(crate) playing: RwSignal<Playing>,
    pub(crate) map: RwSignal<MapView>,
    pub(crate) panel: RwSignal<PanelChoice>,
    /// The figures of the open panel, from the top, so that they can be copied.
    pub(crate) panel_figures: StoredValue<Vec<ShownFigure>, LocalStorage>,
    /// The charts that are shown as tables, too.
    pub(crate) tables: ShownTables,
    pub(crate) notes: Store<Notes>,
    pub(crate) tasks: Store<Tasks>,
    /// The sources whose debrief has ended.
    pub(super) debriefed: Store<Vec<super::SourceId>>,
    /// The names of tracks and corners.
    pub(super) names: Store<Names>,
    /// The display units.
    pub(crate) units: RwSignal<Units>,
    /// The driver's settings.
    pub(super) settings: SettingsStore,
    pub(crate) dialog: RwSignal<Option<DialogKind>>,
    pub(super) report: RwSignal<OpenReport>,
    pub(crate) toast: RwSignal<Option<Toast>>,
    /// The room: the other pages, and what this page may write.
    pub(super) room: Room,
    /// The number of the latest gesture.
    gestures: StoredValue<u32>,
    /// The changes that the driver makes by hand.
    pub(super) input: DriverInput,
    /// The address that was followed last.
    pub(super) followed: RwSignal<String>,
}

impl Analyse {
    /// An empty state with default units and settings.
    #[cfg(test)]
    pub(super) fn new() -> Self {
        Self::with(RwSignal::new(Units::default()), SettingsStore::new(), Room::new())
    }

    /// An empty state.
    pub(super) fn with(units: RwSignal<Units>, settings: SettingsStore, room: Room) -> Self {
        Self {
            sources: RwSignal::new_local(Sources::default()),
            selection: RwSignal::new_local(Selection::default()),
            loads: StoredValue::new_local(Loads::default()),
            comparison: RwSignal::new_local(Compared::default()),
            stint_read: RwSignal::new(None),
            view: RwSignal::new(View::default()),
            measure: RwSignal::new(Measure::default()),
            lanes: RwSignal::new_local(LaneSettings::usual()),
            playing: RwSignal::new(Playing::default()),
            map: RwSignal::new(MapView::default()),
            panel: RwSignal::new(PanelChoice::default()),
            panel_figures: StoredValue::new_local(Vec::new()),
            tables: ShownTables::default(),
            notes: RwSignal::new_local(Notes::default()),
            tasks: RwSignal::new_local(Tasks::default()),
            debriefed: RwSignal::new_local(Vec::new()),
            names: RwSignal::new_local(Names::default()),
            units,
            settings,
            dialog: RwSignal::new(None),
            report: RwSignal::new(OpenReport::default()),
            toast: RwSignal::new(None),
            room,
            gestures: StoredValue::new(0),
            input: DriverInput::new(),
            followed: RwSignal::new(String::new()),
        }
    }

    /// Begins a gesture.
    pub(crate) fn next_gesture(self) -> Gesture {
        self.gestures.update_value(|last| *last = last.wrapping_add(1));
        Gesture::Hands(self.gestures.get_value())
    }

    /// The state that `start` provided to the components.
    pub(crate) fn here() -> Self {
        // Only a component outside of the app has none, and there is no such component.
        use_context().unwrap_or_else(|| Self::start(Cockpit::here()))
    }

    /// Subscribes the calling effect to everything that is painted on canvases.
    pub(super) fn track_painted(self) {
        self.comparison.track();
        self.view.track();
        self.measure.track();
        self.lanes.track();
        self.playing.track();
        self.map.track();
        self.notes.track();
        self.units.track();
        self.room.track_cursors();
    }
}
