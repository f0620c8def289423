//! What each action does, and the context that it runs in.

use leptos::html::Input;
use leptos::prelude::*;
use trailbrake_shared::plot::colouring::Colouring;

use super::Action;
use crate::analyse::canvases::Canvases;
use crate::analyse::dialogs::{save_layout, show_layout};
use crate::analyse::laps::toggle_excluded;
use crate::analyse::{
    Analyse, Axis, CORNERS, DialogKind, LapKey, MapArea, Measure, NameField, map, measuring,
};
use crate::browser;
use crate::cockpit::TelemetryStore;
use crate::ui::{Command, KeyPress};

/// The zoom factor of one key press, and how far it pans as a fraction of the visible part.
const ZOOM: f64 = 1.5;
const PAN: f64 = 0.2;
/// How far an arrow key moves the cursor, as a fraction of the visible part.
const STEP: f64 = 1.0 / 200.0;
/// Factor of the cursor's step with Shift.
const FAR: f64 = 10.0;

/// Runs actions. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct ActionContext {
    telemetry: TelemetryStore,
    pub(crate) analyse: Analyse,
    pub(crate) canvases: Canvases,
    /// The hidden file input that opens recordings.
    pub(crate) file: NodeRef<Input>,
}

impl ActionContext {
    /// Creates the context and provides it to the components below.
    pub(crate) fn provide() -> Self {
        let context = Self {
            telemetry: TelemetryStore::here(),
            analyse: Analyse::here(),
            canvases: Canvases::provide(),
            file: NodeRef::new(),
        };
        provide_context(context);
        context
    }

    /// The context that the page provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Runs an action that was chosen without a key.
    pub(crate) fn run(self, action: Action) {
        run(action, self, &KeyPress::default());
    }

    /// Runs the action of a key, if it has one that is possible now. Returns whether one ran.
    pub(crate) fn run_key(self, press: &KeyPress) -> bool {
        let action = Action::of_key(&press.name).filter(|action| self.is_possible(*action));
        if let Some(action) = action {
            run(action, self, press);
        }
        action.is_some()
    }

    /// Whether an action is possible now.
    pub(crate) fn is_possible(self, action: Action) -> bool {
        untrack(|| action.is_possible(self.analyse))
    }

    /// All actions, as the palette and the key sheet list them.
    pub(crate) fn commands(self) -> Vec<Command> {
        Action::commands(|action| self.is_possible(action), move |action| self.run(action))
    }
}

/// Runs an action. `press` carries Shift and the digit, if a key chose it; otherwise it is empty.
fn run(action: Action, context: ActionContext, press: &KeyPress) {
    let ActionContext { telemetry, analyse, canvases, file } = context;
    match action {
        Action::NextLap => show_lap(context, neighbour(analyse, 1)),
        Action::PreviousLap => show_lap(context, neighbour(analyse, -1)),
        Action::FastestLap => show_lap(context, fastest(analyse)),
        Action::ReferToMainLap => {
            analyse.selection.main_lap().into_iter().for_each(|key| analyse.selection.refer_to(key));
        }
        Action::ReferToAllTimeBest => {
            if let Some(key) = untrack(|| analyse.best.get()).key() {
                analyse.selection.refer_to(key);
            }
        }
        Action::ExcludeLap => {
            analyse
                .selection
                .main_lap()
                .into_iter()
                .for_each(|key| toggle_excluded(analyse.selection, telemetry, key));
        }
        Action::CompareAnyway => analyse.selection.choose(|chosen| chosen.anyway = true),

        Action::CursorBack => step(analyse, if press.shift { -STEP * FAR } else { -STEP }),
        Action::CursorForward => step(analyse, if press.shift { STEP * FAR } else { STEP }),
        Action::SampleBack => sample(analyse, false),
        Action::SampleForward => sample(analyse, true),
        Action::CursorToStart => analyse.view.change(&|view, whole| view.point(0.0, whole)),
        Action::CursorToEnd => analyse.view.change(&|view, whole| view.point(whole, whole)),

        Action::ZoomIn => zoom(analyse, 1.0 / ZOOM),
        Action::ZoomOut => zoom(analyse, ZOOM),
        Action::PanLeft => analyse.view.change(&|view, whole| view.pan(-PAN, whole)),
        Action::PanRight => analyse.view.change(&|view, whole| view.pan(PAN, whole)),
        Action::ShowAll => analyse.view.change(&|view, whole| view.show(None, whole)),
        Action::FitLanes => analyse.lanes.toggle_fit(),
        Action::UndoZoom => analyse.view.change(&|view, _| view.undo()),
        Action::TurnAxis => analyse.view.toggle_axis(),
        Action::FocusLanes => canvases.focus_lanes(),
        Action::LanesTable => toggle(analyse.tables.lanes),

        Action::PreviousCorner => analyse.view.show_next_corner(false),
        Action::NextCorner => analyse.view.show_next_corner(true),
        Action::ZoomToCorner => analyse.view.show_corner_here(),
        Action::NameTrack => analyse.names.begin(NameField::Track),
        Action::NameCorner => analyse.names.begin(NameField::Corner),

        Action::MeasureFrom => measuring::put(analyse, 0),
        Action::MeasureTo => measuring::put(analyse, 1),
        Action::ZoomToMeasured => measuring::zoom(analyse),
        Action::ClearMeasure => analyse.measure.change(|measure| *measure = Measure::default()),

        Action::WriteNote => analyse.editor.begin(),
        Action::PreviousNote => analyse.plan.step(false),
        Action::NextNote => analyse.plan.step(true),
        Action::RestoreNote => analyse.editor.restore(),
        Action::SaveNotes => analyse.editor.save(),

        Action::ChooseChannels => analyse.dialog.set(Some(DialogKind::Channels)),
        Action::ShowLayout => by_digit(analyse, press, show_layout),
        Action::SaveLayout => by_digit(analyse, press, save_layout),
        Action::ResetLanes => analyse.lanes.reset(),

        Action::Play => analyse.playback.play(),
        Action::PlayFaster => analyse.playback.change_speed(1),
        Action::PlaySlower => analyse.playback.change_speed(-1),

        Action::PanelCorners => analyse.panel.show(CORNERS),
        Action::PanelGg => analyse.panel.toggle("gg"),
        Action::PanelHistograms => analyse.panel.show("often"),
        Action::PanelTyres => analyse.panel.show("tyres"),
        Action::PanelSuspension => analyse.panel.show("suspension"),
        Action::PanelBalance => analyse.panel.show("balance"),
        Action::PanelConsistency => analyse.panel.show("consistency"),
        Action::PanelIdeal => analyse.panel.show("ideal"),
        Action::PanelFuel => analyse.panel.show("fuel"),
        Action::PanelSplits => analyse.panel.show("splits"),
        Action::PanelSetup => analyse.panel.show("setup"),
        Action::PanelTable => toggle(analyse.tables.panel),

        Action::NextColour => analyse.map.colour_by_next(),
        Action::ColourDelta => colour(analyse, Colouring::Delta),
        Action::ColourSpeed => colour(analyse, Colouring::Speed),
        Action::ColourPedals => colour(analyse, Colouring::Pedals),
        Action::ColourGear => colour(analyse, Colouring::Gear),
        Action::ColourSlip => colour(analyse, Colouring::Slip),
        Action::ColourTemperature => colour(analyse, Colouring::Temperature),
        Action::ColourSurface => colour(analyse, Colouring::Surface),
        Action::MapFollow => map::toggle_following(analyse, canvases),
        Action::MapAll => analyse.map.change(|map| map.look = MapArea::All),
        Action::MapIn => map::zoom(analyse, canvases, true),
        Action::MapOut => map::zoom(analyse, canvases, false),
        Action::MapLines => analyse.map.change(|map| map.lines ^= true),
        Action::MapTable => toggle(analyse.tables.map),

        Action::OpenRecording => file.get_untracked().iter().for_each(|file| file.click()),
        Action::Report => analyse.report.show(),
        Action::Share => analyse.dialog.set(Some(DialogKind::Share)),
        Action::Copy => analyse.dialog.set(Some(DialogKind::Copy)),
        Action::Print => browser::print(),
        Action::ShowKeys => analyse.dialog.set(Some(DialogKind::Keys)),
        Action::ShowPalette => analyse.dialog.set(Some(DialogKind::Palette)),
        Action::About => analyse.dialog.set(Some(DialogKind::About)),
    }
}

/// Applies `run` to the layout of the pressed digit. Without a digit the channels dialog opens, which lists the
/// layouts.
fn by_digit(analyse: Analyse, press: &KeyPress, run: fn(Analyse, u8)) {
    match press.digit {
        Some(digit) => run(analyse, digit),
        None => analyse.dialog.set(Some(DialogKind::Channels)),
    }
}

fn toggle(shown: RwSignal<bool>) {
    shown.update(|shown| *shown = !*shown);
}

/// Moves the cursor by a fraction of the visible part.
fn step(analyse: Analyse, share: f64) {
    analyse.view.change(&|view, whole| {
        let part = view.shown(whole);
        let from = view.cursor.unwrap_or(part.from);
        view.point(from + part.length() * share, whole);
    });
}

/// Moves the cursor to the next sample of the main lap, or to the one before.
fn sample(analyse: Analyse, forward: bool) {
    let Some(lap) = analyse.comparison.shown().and_then(|shown| shown.laps.first().cloned()) else { return };
    let (axis, at) = analyse.view.state.with(|view| (view.axis, view.cursor.unwrap_or_default()));
    let rows = match axis {
        Axis::Distance => &lap.distance_m,
        Axis::Time => &lap.clock_s,
    };
    let next = match forward {
        true => rows.get(rows.partition_point(|row| *row <= at)),
        false => rows.partition_point(|row| *row < at).checked_sub(1).and_then(|before| rows.get(before)),
    };
    if let Some(next) = next {
        analyse.view.change(&|view, whole| view.point(*next, whole));
    }
}

fn zoom(analyse: Analyse, factor: f64) {
    analyse.view.change(&|view, whole| {
        let part = view.shown(whole);
        let about = view.cursor.filter(|at| (part.from..=part.to).contains(at));
        view.zoom(factor, about.unwrap_or((part.from + part.to) / 2.0), whole);
    });
}

/// The listed lap `by` laps after the main one, skipping the reference. `None` at the ends, and if the main lap is not
/// listed.
fn neighbour(analyse: Analyse, by: isize) -> Option<LapKey> {
    let (main, reference) =
        analyse.selection.state.with(|selection| (selection.chosen.main, selection.chosen.reference));
    analyse.sources.with(|sources| {
        let source = sources.listed()?;
        let keys = source.listed().map(|entry| source.key(entry));
        let laps: Vec<LapKey> = keys.filter(|key| Some(*key) != reference).collect();
        let here = laps.iter().position(|key| Some(*key) == main)?;
        laps.get(here.checked_add_signed(by)?).copied()
    })
}

fn fastest(analyse: Analyse) -> Option<LapKey> {
    analyse.sources.with(|sources| {
        let source = sources.listed()?;
        source.fastest_listed().map(|entry| source.key(entry))
    })
}

fn show_lap(context: ActionContext, key: Option<LapKey>) {
    key.into_iter().for_each(|key| context.analyse.selection.show_lap(key));
}

fn colour(analyse: Analyse, by: Colouring) {
    analyse.map.change(|map| map.by = Some(by));
}
