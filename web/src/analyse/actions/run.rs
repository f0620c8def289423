//! What each action does.

use leptos::prelude::*;
use trailbrake_shared::plot::colouring::Colouring;

use super::{Action, ActionContext};
use crate::analyse::{Analyse, Axis, CORNERS, DialogKind, LapKey, MapArea, Measure, NameField};
use crate::analyse::{dialogs, map, measuring, notes};
use crate::browser;
use crate::ui::KeyPress;

/// The zoom factor of one key press, and how far it pans as a fraction of the visible part.
const ZOOM: f64 = 1.5;
const PAN: f64 = 0.2;
/// How far an arrow key moves the cursor, as a fraction of the visible part.
const STEP: f64 = 1.0 / 200.0;
/// Factor of the cursor's step with Shift.
const FAR: f64 = 10.0;

impl Action {
    /// Runs the action. `press` carries Shift and the digit, if a key chose it; otherwise it is empty.
    pub(super) fn run(self, context: ActionContext, press: &KeyPress) {
        let ActionContext { cockpit, analyse, canvases, file } = context;
        match self {
            Self::NextLap => show_lap(context, neighbour(analyse, 1)),
            Self::PreviousLap => show_lap(context, neighbour(analyse, -1)),
            Self::FastestLap => show_lap(context, fastest(analyse)),
            Self::ReferToMainLap => {
                analyse.main_lap().into_iter().for_each(|key| analyse.refer_to(cockpit, key));
            }
            Self::ReferToAllTimeBest => analyse.refer_to_all_time_best(cockpit),
            Self::ExcludeLap => {
                analyse.main_lap().into_iter().for_each(|key| analyse.toggle_excluded(cockpit, key));
            }
            Self::CompareAnyway => analyse.choose(cockpit, |chosen| chosen.anyway = true),

            Self::CursorBack => step(analyse, if press.shift { -STEP * FAR } else { -STEP }),
            Self::CursorForward => step(analyse, if press.shift { STEP * FAR } else { STEP }),
            Self::SampleBack => sample(analyse, false),
            Self::SampleForward => sample(analyse, true),
            Self::CursorToStart => analyse.change_view(&|view, whole| view.point(0.0, whole)),
            Self::CursorToEnd => analyse.change_view(&|view, whole| view.point(whole, whole)),

            Self::ZoomIn => zoom(analyse, 1.0 / ZOOM),
            Self::ZoomOut => zoom(analyse, ZOOM),
            Self::PanLeft => analyse.change_view(&|view, whole| view.pan(-PAN, whole)),
            Self::PanRight => analyse.change_view(&|view, whole| view.pan(PAN, whole)),
            Self::ShowAll => analyse.change_view(&|view, whole| view.show(None, whole)),
            Self::FitLanes => analyse.toggle_fit(),
            Self::UndoZoom => analyse.change_view(&|view, _| view.undo()),
            Self::TurnAxis => analyse.toggle_axis(),
            Self::FocusLanes => canvases.focus_lanes(),
            Self::LanesTable => toggle(analyse.tables.lanes),

            Self::PreviousCorner => analyse.show_next_corner(false),
            Self::NextCorner => analyse.show_next_corner(true),
            Self::ZoomToCorner => analyse.show_corner_here(),
            Self::NameTrack => analyse.begin_naming(NameField::Track),
            Self::NameCorner => analyse.begin_naming(NameField::Corner),

            Self::MeasureFrom => measuring::put(analyse, 0),
            Self::MeasureTo => measuring::put(analyse, 1),
            Self::ZoomToMeasured => measuring::zoom(analyse),
            Self::ClearMeasure => analyse.move_measure(|measure| *measure = Measure::default()),

            Self::WriteNote => notes::begin(analyse),
            Self::PreviousNote => analyse.step_note(cockpit, false),
            Self::NextNote => analyse.step_note(cockpit, true),
            Self::RestoreNote => analyse.restore_note(),
            Self::SaveNotes => analyse.save_notes(),

            Self::ChooseChannels => analyse.dialog.set(Some(DialogKind::Channels)),
            Self::ShowLayout => by_digit(analyse, press, dialogs::show_layout),
            Self::SaveLayout => by_digit(analyse, press, dialogs::save_layout),
            Self::ResetLanes => analyse.reset_lanes(),

            Self::Play => analyse.play(),
            Self::PlayFaster => analyse.change_speed(1),
            Self::PlaySlower => analyse.change_speed(-1),

            Self::PanelCorners => analyse.show_panel(CORNERS),
            Self::PanelGg => analyse.toggle_panel("gg"),
            Self::PanelHistograms => analyse.show_panel("often"),
            Self::PanelTyres => analyse.show_panel("tyres"),
            Self::PanelSuspension => analyse.show_panel("suspension"),
            Self::PanelBalance => analyse.show_panel("balance"),
            Self::PanelConsistency => analyse.show_panel("consistency"),
            Self::PanelIdeal => analyse.show_panel("ideal"),
            Self::PanelFuel => analyse.show_panel("fuel"),
            Self::PanelSplits => analyse.show_panel("splits"),
            Self::PanelSetup => analyse.show_panel("setup"),
            Self::PanelTable => toggle(analyse.tables.panel),

            Self::NextColour => analyse.colour_by_next(),
            Self::ColourDelta => colour(analyse, Colouring::Delta),
            Self::ColourSpeed => colour(analyse, Colouring::Speed),
            Self::ColourPedals => colour(analyse, Colouring::Pedals),
            Self::ColourGear => colour(analyse, Colouring::Gear),
            Self::ColourSlip => colour(analyse, Colouring::Slip),
            Self::ColourTemperature => colour(analyse, Colouring::Temperature),
            Self::ColourSurface => colour(analyse, Colouring::Surface),
            Self::MapFollow => map::toggle_following(analyse, canvases),
            Self::MapAll => analyse.change_map(|map| map.look = MapArea::All),
            Self::MapIn => map::zoom(analyse, canvases, true),
            Self::MapOut => map::zoom(analyse, canvases, false),
            Self::MapLines => analyse.change_map(|map| map.lines ^= true),
            Self::MapTable => toggle(analyse.tables.map),

            Self::OpenRecording => file.get_untracked().iter().for_each(|file| file.click()),
            Self::Report => analyse.show_report(cockpit),
            Self::Share => analyse.dialog.set(Some(DialogKind::Share)),
            Self::Copy => analyse.dialog.set(Some(DialogKind::Copy)),
            Self::Print => browser::print(),
            Self::ShowKeys => analyse.dialog.set(Some(DialogKind::Keys)),
            Self::ShowPalette => analyse.dialog.set(Some(DialogKind::Palette)),
            Self::About => analyse.dialog.set(Some(DialogKind::About)),
        }
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
    analyse.change_view(&|view, whole| {
        let part = view.shown(whole);
        let from = view.cursor.unwrap_or(part.from);
        view.point(from + part.length() * share, whole);
    });
}

/// Moves the cursor to the next sample of the main lap, or to the one before.
fn sample(analyse: Analyse, forward: bool) {
    let Some(lap) = analyse.shown().and_then(|shown| shown.laps.first().cloned()) else { return };
    let (axis, at) = analyse.view.with(|view| (view.axis, view.cursor.unwrap_or_default()));
    let rows = match axis {
        Axis::Distance => &lap.distance_m,
        Axis::Time => &lap.clock_s,
    };
    let next = match forward {
        true => rows.get(rows.partition_point(|row| *row <= at)),
        false => rows.partition_point(|row| *row < at).checked_sub(1).and_then(|before| rows.get(before)),
    };
    if let Some(next) = next {
        analyse.change_view(&|view, whole| view.point(*next, whole));
    }
}

fn zoom(analyse: Analyse, factor: f64) {
    analyse.change_view(&|view, whole| {
        let part = view.shown(whole);
        let about = view.cursor.filter(|at| (part.from..=part.to).contains(at));
        view.zoom(factor, about.unwrap_or((part.from + part.to) / 2.0), whole);
    });
}

/// The listed lap `by` laps after the main one, skipping the reference. `None` at the ends, and if the main lap is not
/// listed.
fn neighbour(analyse: Analyse, by: isize) -> Option<LapKey> {
    let (main, reference) =
        analyse.selection.with(|selection| (selection.chosen.main, selection.chosen.reference));
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
    key.into_iter().for_each(|key| context.analyse.show_lap(context.cockpit, key));
}

fn colour(analyse: Analyse, by: Colouring) {
    analyse.change_map(|map| map.by = Some(by));
}
