//! The actions of the page. Buttons, keys, the palette and the key sheet all read this one table.

use std::rc::Rc;

use leptos::html::Input;
use leptos::prelude::*;
use trailbrake_shared::plot::colouring::Colouring;

use super::canvases::Canvases;
use super::dialogs::{save_layout, show_layout};
use super::laps::toggle_excluded;
use super::messages::Messages;
use super::{
    AllTimeBest, Analyse, Axis, CORNERS, DialogKind, LaneStore, LapKey, LapSource, MapArea, Measure,
    NameField, NoteStorage, View, ViewStore,
};
use super::{map, measuring};
use crate::browser;
use crate::cockpit::{RivalChoice, TelemetryStore};
use crate::route::Page;
use crate::ui::{ActionTable, KeyPress, PageAction, action_table};

/// The zoom factor of one key press, and how far it pans as a fraction of the visible part.
const ZOOM: f64 = 1.5;
const PAN: f64 = 0.2;
/// How far an arrow key moves the cursor, as a fraction of the visible part.
const STEP: f64 = 1.0 / 200.0;
/// Factor of the cursor's step with Shift.
const FAR: f64 = 10.0;

/// The condition under which an action is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// A source of laps is listed.
    ListedLap,
    /// A main lap is chosen, loaded or not.
    MainLap,
    /// A lap is on screen.
    Lap,
    /// A lap is compared with a reference.
    Comparison,
    /// A lap is on screen, and the page has Live.
    Rival,
    /// The lanes show only a part of the lap.
    Zoom,
    /// There is a change of the view to undo.
    UndoStep,
    /// A measuring cursor is placed.
    Measure,
    /// Both measuring cursors are placed.
    MeasuredArea,
    /// There are notes.
    Note,
    /// A deleted note can be restored.
    DeletedNote,
    /// The page has notes that are in no file.
    NotesInPage,
    /// The all-time best is known.
    AllTimeBest,
    /// Some laps could not be compared.
    Refusal,
    /// The lap is alone in an opened file, which has no official time.
    ComputedTime,
}

impl Need {
    fn is_met(self, analyse: Analyse) -> bool {
        match self {
            Self::ListedLap => analyse.sources.with(|sources| sources.listed().is_some()),
            Self::MainLap => analyse.selection.main_lap().is_some(),
            Self::Lap => analyse.comparison.shown().is_some(),
            Self::Comparison => analyse.comparison.shown().is_some_and(|shown| shown.compared),
            Self::Rival => analyse.comparison.shown().is_some() && browser::home().has_relay(),
            Self::Zoom => analyse.comparison.shown().is_some() && analyse.view.state.with(View::is_part),
            Self::UndoStep => analyse.view.state.with(View::can_undo),
            Self::Measure => analyse.measure.state.get().places_m.iter().any(Option::is_some),
            Self::MeasuredArea => analyse.measure.state.get().area_m().is_some(),
            Self::Note => !analyse.notes.placed().is_empty(),
            Self::DeletedNote => analyse.editor.can_restore(),
            Self::NotesInPage => analyse.notes.storage() == NoteStorage::InPage(true),
            Self::AllTimeBest => matches!(analyse.best.get(), AllTimeBest::Lap(_)),
            Self::ComputedTime => {
                analyse.sources.with(|sources| sources.listed().is_some_and(LapSource::has_computed_time))
            }
            Self::Refusal => {
                analyse.comparison.refused().is_some()
                    || analyse.comparison.shown().is_some_and(|shown| !shown.refused.is_empty())
            }
        }
    }
}

action_table! {
    /// An action of the page.
    pub(super) enum Action requires Need;

    "Laps":
    NextLap "next-lap" "Next lap" ["n"] MainLap;
    PreviousLap "previous-lap" "Previous lap" ["p"] MainLap;
    FastestLap "fastest" "Fastest lap" ["f"] ListedLap;
    ReferToMainLap "refer" "Make this lap the reference" ["r"] MainLap;
    ReferToAllTimeBest "all-time-best" "Make the all-time best the reference" [] AllTimeBest;
    ExcludeLap "exclude" "Exclude / include this lap" ["e"] MainLap;
    SetLapTime "lap-time" "Official lap time" [] ComputedTime;
    RaceOnLive "race" "Race the reference on Live" [] Rival;
    CompareAnyway "anyway" "Compare laps of different tracks anyway" [] Refusal;

    "Cursor":
    CursorBack "cursor-back" "Cursor back (Shift: 10×)" ["arrowleft"] Lap;
    CursorForward "cursor-forward" "Cursor forward (Shift: 10×)" ["arrowright"] Lap;
    SampleBack "sample-back" "Cursor one sample back" [","] Lap;
    SampleForward "sample-forward" "Cursor one sample forward" ["."] Lap;
    CursorToStart "start" "Cursor to the start" ["home"] Lap;
    CursorToEnd "end" "Cursor to the end" ["end"] Lap;

    "View":
    ZoomIn "zoom-in" "Zoom in" ["+" "=" "w"] Lap;
    ZoomOut "zoom-out" "Zoom out" ["-" "s"] Lap;
    PanLeft "pan-left" "Pan left" ["a"] Lap;
    PanRight "pan-right" "Pan right" ["d"] Lap;
    ShowAll "all" "Show the whole lap" ["0" "z" "l"] Zoom;
    UndoZoom "undo" "Undo the last zoom" ["ctrl+z"] UndoStep;
    FitLanes "fit-lanes" "Fit lanes to view / show their whole range" ["y"] Lap;
    TurnAxis "axis" "Axis: distance / time" ["x"] Lap;
    FocusLanes "focus-lanes" "Go to the lanes" [] Lap;
    LanesTable "lanes-table" "Lanes as tables, and back" [] Lap;

    "Corners":
    PreviousCorner "corner-back" "Previous corner or event" ["["] Lap;
    NextCorner "corner-forward" "Next corner or event" ["]"] Lap;
    ZoomToCorner "corner-here" "Zoom to the corner" ["c"] Lap;
    NameTrack "name-track" "Name the track" [] Lap;
    NameCorner "names" "Rename, merge or split the corner" [] Lap;

    "Measuring":
    MeasureFrom "measure-in" "Measure from the cursor" ["i"] Lap;
    MeasureTo "measure-out" "Measure to the cursor" ["o"] Lap;
    ZoomToMeasured "zoom-measured" "Zoom to the measured part" [] MeasuredArea;
    ClearMeasure "clear-measure" "Clear measurement" ["escape"] Measure;

    "Notes":
    WriteNote "note" "Note at the cursor" ["m"] Lap;
    PreviousNote "previous-note" "Previous note" ["k"] Note;
    NextNote "next-note" "Next note" ["j"] Note;
    RestoreNote "restore-note" "Restore the deleted note" [] DeletedNote;
    SaveNotes "save-notes" "Save a copy of the file with the notes" [] NotesInPage;

    "Channels and layouts":
    ChooseChannels "channels" "Choose channels" ["v"] Lap;
    ShowLayout "recall-layout" "Show a layout" ["1" "2" "3" "4" "5" "6" "7" "8" "9"] Lap;
    SaveLayout "save-layout" "Save these lanes as a layout"
        ["shift+1" "shift+2" "shift+3" "shift+4" "shift+5" "shift+6" "shift+7" "shift+8" "shift+9"] Lap;
    ResetLanes "reset-lanes" "Reset the lanes to default" [] Lap;

    "Playback":
    Play "play" "Play / pause" [" "] Lap;
    PlayFaster "faster" "Play faster" [">"] Lap;
    PlaySlower "slower" "Play slower" ["<"] Lap;

    "Panels":
    PanelCorners "panel-corners" "Panel: corners" [] Lap;
    PanelGg "gg" "g-g diagram, and back" ["g"] Lap;
    PanelHistograms "panel-often" "Panel: histograms" [] Lap;
    PanelTyres "panel-tyres" "Panel: tyres and brakes" [] Lap;
    PanelSuspension "panel-suspension" "Panel: suspension" [] Lap;
    PanelBalance "panel-balance" "Panel: balance" [] Lap;
    PanelConsistency "panel-consistency" "Panel: consistency" [] Lap;
    PanelIdeal "panel-ideal" "Panel: ideal lap" [] Lap;
    PanelFuel "panel-fuel" "Panel: fuel and energy" [] Lap;
    PanelSplits "panel-splits" "Panel: splits, surfaces and jumps" [] Lap;
    PanelSetup "panel-setup" "Panel: setup" [] Lap;
    PanelTable "panel-table" "Figures of the panel as tables, and back" [] Lap;

    "Track map":
    NextColour "colour" "Next track colour" ["t"] Lap;
    ColourDelta "colour-delta" "Colour the track by delta" [] Lap;
    ColourCause "colour-cause" "Colour the track by cause" [] Lap;
    ColourSpeed "colour-speed" "Colour the track by speed" [] Lap;
    ColourPedals "colour-pedals" "Colour the track by pedals" [] Lap;
    ColourGear "colour-gear" "Colour the track by gear" [] Lap;
    ColourSlip "colour-slip" "Colour the track by slip" [] Lap;
    ColourTemperature "colour-temperature" "Colour the track by tyre temperature" [] Lap;
    ColourSurface "colour-surface" "Colour the track by surface" [] Lap;
    MapFollow "map-follow" "Track map: follow the lanes, or stay" [] Lap;
    MapAll "map-all" "Track map: show all of it" [] Lap;
    MapIn "map-in" "Track map: zoom in" [] Lap;
    MapOut "map-out" "Track map: zoom out" [] Lap;
    MapLines "map-lines" "Track map: always show all racing lines" [] Lap;
    MapTable "map-table" "Track map as tables, and back" [] Lap;

    "Files and page":
    OpenRecording "open-recording" "Open a recording" ["ctrl+o"];
    Report "report" "Report: the lap on one page" [] Comparison;
    Share "share" "Share the laps on screen" [] MainLap;
    Copy "copy" "Copy a link, a figure or a table" [] Lap;
    Print "print" "Print the page" [];
}

/// What actions work on. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(super) struct ActionContext {
    telemetry: TelemetryStore,
    pub(super) analyse: Analyse,
    pub(super) canvases: Canvases,
    /// The hidden file input that opens recordings.
    pub(super) file: NodeRef<Input>,
    rival: RivalChoice,
}

impl ActionContext {
    pub(super) fn new(telemetry: TelemetryStore, analyse: Analyse, rival: RivalChoice) -> Self {
        Self { telemetry, analyse, canvases: Canvases::provide(), file: NodeRef::new(), rival }
    }
}

impl PageAction for Action {
    type Page = ActionContext;

    const PAGE_GROUP: &'static str = "Files and page";

    fn is_possible(self, page: ActionContext) -> bool {
        self.need().is_none_or(|need| need.is_met(page.analyse))
    }

    fn refusal(self, page: ActionContext) -> Option<&'static str> {
        match self {
            Self::WriteNote | Self::RestoreNote => page.analyse.notes.read_only(),
            _ => None,
        }
    }

    fn run(self, page: ActionContext, press: &KeyPress) {
        let ActionContext { telemetry, analyse, canvases, file, rival } = page;
        match self {
            Self::NextLap => show_lap(analyse, neighbour(analyse, 1)),
            Self::PreviousLap => show_lap(analyse, neighbour(analyse, -1)),
            Self::FastestLap => show_lap(analyse, fastest(analyse)),
            Self::ReferToMainLap => {
                analyse.selection.main_lap().into_iter().for_each(|key| analyse.selection.refer_to(key));
            }
            Self::ReferToAllTimeBest => {
                if let Some(key) = untrack(|| analyse.best.get()).key() {
                    analyse.selection.refer_to(key);
                }
            }
            Self::ExcludeLap => {
                analyse
                    .selection
                    .main_lap()
                    .into_iter()
                    .for_each(|key| toggle_excluded(analyse.selection, telemetry, key));
            }
            Self::SetLapTime => analyse.dialog.set(Some(DialogKind::LapTime)),
            Self::RaceOnLive => race(analyse, rival),
            Self::CompareAnyway => analyse.selection.choose(|chosen| chosen.anyway = true),

            Self::CursorBack => step(analyse, if press.shift { -STEP * FAR } else { -STEP }),
            Self::CursorForward => step(analyse, if press.shift { STEP * FAR } else { STEP }),
            Self::SampleBack => sample(analyse, false),
            Self::SampleForward => sample(analyse, true),
            Self::CursorToStart => analyse.view.change(&|view, whole| view.point(0.0, whole)),
            Self::CursorToEnd => analyse.view.change(&|view, whole| view.point(whole, whole)),

            Self::ZoomIn => zoom(analyse, 1.0 / ZOOM),
            Self::ZoomOut => zoom(analyse, ZOOM),
            Self::PanLeft => analyse.view.change(&|view, whole| view.pan(-PAN, whole)),
            Self::PanRight => analyse.view.change(&|view, whole| view.pan(PAN, whole)),
            Self::ShowAll => analyse.view.change(&|view, whole| view.show(None, whole)),
            Self::FitLanes => analyse.lanes.toggle_fit(),
            Self::UndoZoom => analyse.view.change(&|view, _| view.undo()),
            Self::TurnAxis => analyse.view.toggle_axis(),
            Self::FocusLanes => canvases.focus_lanes(),
            Self::LanesTable => toggle(analyse.tables.lanes),

            Self::PreviousCorner => analyse.view.show_next_corner(false),
            Self::NextCorner => analyse.view.show_next_corner(true),
            Self::ZoomToCorner => analyse.view.show_corner_here(),
            Self::NameTrack => analyse.names.begin(NameField::Track),
            Self::NameCorner => analyse.names.begin(NameField::Corner),

            Self::MeasureFrom => measuring::put(analyse.measure, analyse.messages, 0),
            Self::MeasureTo => measuring::put(analyse.measure, analyse.messages, 1),
            Self::ZoomToMeasured => measuring::zoom(analyse.comparison, analyse.view, analyse.measure),
            Self::ClearMeasure => analyse.measure.change(|measure| *measure = Measure::default()),

            Self::WriteNote => analyse.editor.begin(),
            Self::PreviousNote => analyse.plan.step(false),
            Self::NextNote => analyse.plan.step(true),
            Self::RestoreNote => analyse.editor.restore(),
            Self::SaveNotes => analyse.editor.save(),

            Self::ChooseChannels => analyse.dialog.set(Some(DialogKind::Channels)),
            Self::ShowLayout => by_digit(analyse, press, show_layout),
            Self::SaveLayout => by_digit(analyse, press, save_layout),
            Self::ResetLanes => analyse.lanes.reset(),

            Self::Play => analyse.playback.play(),
            Self::PlayFaster => analyse.playback.change_speed(1),
            Self::PlaySlower => analyse.playback.change_speed(-1),

            Self::PanelCorners => analyse.panel.show(CORNERS),
            Self::PanelGg => analyse.panel.toggle("gg"),
            Self::PanelHistograms => analyse.panel.show("often"),
            Self::PanelTyres => analyse.panel.show("tyres"),
            Self::PanelSuspension => analyse.panel.show("suspension"),
            Self::PanelBalance => analyse.panel.show("balance"),
            Self::PanelConsistency => analyse.panel.show("consistency"),
            Self::PanelIdeal => analyse.panel.show("ideal"),
            Self::PanelFuel => analyse.panel.show("fuel"),
            Self::PanelSplits => analyse.panel.show("splits"),
            Self::PanelSetup => analyse.panel.show("setup"),
            Self::PanelTable => toggle(analyse.tables.panel),

            Self::NextColour => analyse.map.colour_by_next(),
            Self::ColourDelta => colour(analyse, Colouring::Delta),
            Self::ColourCause => colour(analyse, Colouring::Cause),
            Self::ColourSpeed => colour(analyse, Colouring::Speed),
            Self::ColourPedals => colour(analyse, Colouring::Pedals),
            Self::ColourGear => colour(analyse, Colouring::Gear),
            Self::ColourSlip => colour(analyse, Colouring::Slip),
            Self::ColourTemperature => colour(analyse, Colouring::Temperature),
            Self::ColourSurface => colour(analyse, Colouring::Surface),
            Self::MapFollow => map::toggle_following(analyse.map, canvases),
            Self::MapAll => analyse.map.change(|map| map.look = MapArea::All),
            Self::MapIn => map::zoom(analyse.map, canvases, true),
            Self::MapOut => map::zoom(analyse.map, canvases, false),
            Self::MapLines => analyse.map.change(|map| map.lines ^= true),
            Self::MapTable => toggle(analyse.tables.map),

            Self::OpenRecording => file.get_untracked().iter().for_each(|file| file.click()),
            Self::Report => analyse.report.show(),
            Self::Share => analyse.dialog.set(Some(DialogKind::Share)),
            Self::Copy => analyse.dialog.set(Some(DialogKind::Copy)),
            Self::Print => browser::print(),
        }
    }

    fn are_keys_free(page: ActionContext) -> bool {
        // While a dialog is open, keys belong to it.
        page.analyse.dialog.with_untracked(Option::is_none)
    }
}

/// Applies `run` to the layout of the pressed digit. Without a digit the channels dialog opens, which lists the
/// layouts.
fn by_digit(analyse: Analyse, press: &KeyPress, run: fn(LaneStore, ViewStore, Messages, u8)) {
    match press.digit {
        Some(digit) => run(analyse.lanes, analyse.view, analyse.messages, digit),
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

/// Makes the reference, or the lap that is alone, the rival on Live, and goes there.
fn race(analyse: Analyse, choice: RivalChoice) {
    let Some(pair) = untrack(|| analyse.comparison.shown()).map(|shown| Rc::clone(&shown.pair)) else {
        return;
    };
    let key = pair.reference().key;
    let driver = analyse
        .sources
        .with_untracked(|sources| sources.entry(key).map(|(_, entry)| entry.driver_words()))
        .unwrap_or_default();
    choice.race(pair.rival(driver));
    browser::go_to(Page::Live.hash());
}

fn show_lap(analyse: Analyse, key: Option<LapKey>) {
    key.into_iter().for_each(|key| analyse.selection.show_lap(key));
}

fn colour(analyse: Analyse, by: Colouring) {
    analyse.map.change(|map| map.by = Some(by));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::Connection;
    use crate::ui::{check_actions, possible_ids};

    #[test]
    fn no_key_and_no_id_means_two_actions() {
        check_actions::<Action>();
        assert_eq!(Action::of_key("ctrl+z"), Some(Action::UndoZoom));
    }

    #[test]
    fn without_a_lap_only_what_needs_none_is_possible() {
        let owner = Owner::new();
        owner.set();
        let telemetry = TelemetryStore::new(Connection::Viewer);
        let context = ActionContext::new(telemetry, Analyse::empty(), RivalChoice::new(telemetry));
        let possible = possible_ids::<Action>(context);
        assert_eq!(possible, ["open-recording", "print", "keys", "palette", "about"]);
    }
}
