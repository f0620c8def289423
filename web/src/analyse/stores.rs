//! The state of the page: what it stores, and what follows from that.

use leptos::prelude::*;
use trailbrake_shared::units::Units;

use super::address::AddressStore;
use super::driver_input::DriverInput;
use super::messages::Messages;
use super::names::track_book;
use super::{
    BestStore, BookStore, Charts, ComparisonStore, DebriefStore, LaneSettings, LaneStore, LapLoader,
    LessonPlan, Loads, MapStore, MeasureStore, NameStore, Names, NoteEditor, NoteStore, OpenDialog,
    PanelSource, PanelStore, PlaybackStore, ReportStore, SelectionStore, ShareStore, ShownTables, Sources,
    StintReader, TaskStore, Tasks, ViewStore,
};
use crate::cockpit::TelemetryStore;
use crate::driver_settings::SettingsStore;
use crate::reactive::LocalSignal;
use crate::room::Room;

/// The stores of the page, each of which knows only those before it. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct Analyse {
    /// The changes that the driver makes by hand.
    pub(super) input: DriverInput,
    /// The sources of laps, and the one whose laps are listed.
    pub(crate) sources: LocalSignal<Sources>,
    /// Which laps are compared.
    pub(crate) selection: SelectionStore,
    /// The decoded laps, and those that are loading.
    pub(super) loads: LocalSignal<Loads>,
    pub(super) loader: LapLoader,
    /// The comparison on screen.
    pub(crate) comparison: ComparisonStore,
    pub(super) stint: StintReader,
    /// The axis, the visible part of it, and the cursor.
    pub(crate) view: ViewStore,
    /// The measuring cursors.
    pub(crate) measure: MeasureStore,
    pub(crate) lanes: LaneStore,
    pub(crate) map: MapStore,
    pub(crate) panel: PanelStore,
    pub(super) panels: PanelSource,
    pub(crate) playback: PlaybackStore,
    /// The charts that are shown as tables, too.
    pub(crate) tables: ShownTables,
    /// The names of tracks and corners.
    pub(super) names: NameStore,
    pub(crate) best: BestStore,
    pub(crate) books: BookStore,
    pub(crate) notes: NoteStore,
    pub(crate) editor: NoteEditor,
    pub(crate) plan: LessonPlan,
    pub(crate) tasks: TaskStore,
    pub(super) debrief: DebriefStore,
    pub(super) report: ReportStore,
    pub(super) charts: Charts,
    pub(super) share: ShareStore,
    pub(crate) address: AddressStore,
    pub(crate) dialog: OpenDialog,
    pub(super) messages: Messages,
    /// The display units.
    pub(crate) units: RwSignal<Units>,
    /// The room: the other pages, and what this page may write.
    pub(super) room: Room,
}

impl Analyse {
    /// Connects the stores.
    pub(super) fn new(
        telemetry: TelemetryStore,
        units: RwSignal<Units>,
        settings: SettingsStore,
        room: Room,
        lanes: LaneSettings,
    ) -> Self {
        let input = DriverInput::new();
        let (messages, dialog) = (Messages::new(), RwSignal::new(None));
        let sources = LocalSignal::new_local(Sources::default());
        let loads = LocalSignal::new_local(Loads::default());
        let names = LocalSignal::new_local(Names::default());
        let book = track_book(names, sources);
        let selection = SelectionStore::new(sources, loads, input);
        let loader = LapLoader::new(sources, selection, loads, settings, telemetry);
        let comparison = ComparisonStore::new(sources, selection.state, loads, book);
        let shown = comparison.memo();
        let stint = StintReader::new(sources, comparison, book, loader);
        let view = ViewStore::new(shown, input);
        let measure = MeasureStore::new(view, input);
        let lanes = LaneStore::new(lanes, input);
        let map = MapStore::new(shown, input);
        let panel = PanelStore::new(input);
        let panels = PanelSource::new(panel, comparison, sources, view, units, settings);
        let playback = PlaybackStore::new(view, shown, input);
        let best = BestStore::new(sources, selection, comparison, names);
        let names = NameStore::new(names, book, sources, comparison, view, dialog);
        let books = BookStore::new(sources, room);
        let notes = NoteStore::new(books, sources, selection, comparison, messages, room);
        let editor = NoteEditor::new(notes, selection, comparison, view, dialog, messages);
        let plan = LessonPlan::new(notes, editor, selection, view, input);
        let state = LocalSignal::new_local(Tasks::default());
        let tasks = TaskStore { state, notes, books, comparison, sources, book, units, dialog, messages };
        let ended = LocalSignal::new_local(Vec::new());
        let debrief =
            DebriefStore { sources, selection, comparison, books, notes, editor, settings, dialog, ended };
        let report = ReportStore::new(comparison, stint, loader, sources, units, dialog);
        let charts = Charts { comparison, selection, view, lanes, map, units };
        let address =
            AddressStore { sources, selection, comparison, view, measure, lanes, panel, map, playback };
        let share = ShareStore::new(sources, selection, comparison, books, address);
        let tables = ShownTables::default();
        Self {
            input,
            sources,
            selection,
            loads,
            loader,
            comparison,
            stint,
            view,
            measure,
            lanes,
            map,
            panel,
            panels,
            playback,
            tables,
            names,
            best,
            books,
            notes,
            editor,
            plan,
            tasks,
            debrief,
            report,
            charts,
            share,
            address,
            dialog,
            messages,
            units,
            room,
        }
    }

    /// An empty state with default settings, without telemetry.
    #[cfg(test)]
    pub(super) fn empty() -> Self {
        let telemetry = TelemetryStore::new(crate::telemetry::Connection::Viewer);
        let (units, settings) = (RwSignal::new(Units::default()), SettingsStore::new());
        Self::new(telemetry, units, settings, Room::new(), LaneSettings::usual())
    }

    /// The state that `start` provided to the components.
    pub(crate) fn here() -> Self {
        expect_context()
    }
}
