//! The actions of the page. Buttons, keys, the palette and the key sheet all read this one table.

mod button;
mod run;

use leptos::prelude::*;

use crate::analyse::{AllTimeBest, Analyse, NoteStorage, View};
use crate::ui::action_table;

pub(super) use button::ActionButton;
pub(super) use run::ActionContext;

/// A heading of the key sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Laps,
    Cursor,
    View,
    Corners,
    Measuring,
    Notes,
    Layouts,
    Playback,
    Panels,
    Track,
    Page,
}

impl Group {
    /// The heading's text.
    const fn label(self) -> &'static str {
        match self {
            Self::Laps => "Laps",
            Self::Cursor => "Cursor",
            Self::View => "View",
            Self::Corners => "Corners",
            Self::Measuring => "Measuring",
            Self::Notes => "Notes",
            Self::Layouts => "Channels and layouts",
            Self::Playback => "Playback",
            Self::Panels => "Panels",
            Self::Track => "Track map",
            Self::Page => "Files and page",
        }
    }
}

/// The condition under which an action is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    Nothing,
    /// A source of laps is listed.
    ListedLap,
    /// A main lap is chosen, loaded or not.
    MainLap,
    /// A lap is on screen.
    Lap,
    /// A lap is compared with a reference.
    Comparison,
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
}

impl Need {
    fn is_met(self, analyse: Analyse) -> bool {
        match self {
            Self::Nothing => true,
            Self::ListedLap => analyse.sources.with(|sources| sources.listed().is_some()),
            Self::MainLap => analyse.selection.main_lap().is_some(),
            Self::Lap => analyse.comparison.shown().is_some(),
            Self::Comparison => analyse.comparison.shown().is_some_and(|shown| shown.compared),
            Self::Zoom => analyse.comparison.shown().is_some() && analyse.view.state.with(View::is_part),
            Self::UndoStep => analyse.view.state.with(View::can_undo),
            Self::Measure => analyse.measure.state.get().places_m.iter().any(Option::is_some),
            Self::MeasuredArea => analyse.measure.state.get().area_m().is_some(),
            Self::Note => !analyse.notes.placed().is_empty(),
            Self::DeletedNote => analyse.editor.can_restore(),
            Self::NotesInPage => analyse.notes.storage() == NoteStorage::InPage(true),
            Self::AllTimeBest => matches!(analyse.best.get(), AllTimeBest::Lap(_)),
            Self::Refusal => {
                analyse.comparison.refused().is_some()
                    || analyse.comparison.shown().is_some_and(|shown| !shown.refused.is_empty())
            }
        }
    }
}

action_table! {
    NextLap "next-lap" Laps "Next lap" ["n"] MainLap;
    PreviousLap "previous-lap" Laps "Previous lap" ["p"] MainLap;
    FastestLap "fastest" Laps "Fastest lap" ["f"] ListedLap;
    ReferToMainLap "refer" Laps "Make this lap the reference" ["r"] MainLap;
    ReferToAllTimeBest "all-time-best" Laps "Make the all-time best the reference" [] AllTimeBest;
    ExcludeLap "exclude" Laps "Exclude / include this lap" ["e"] MainLap;
    CompareAnyway "anyway" Laps "Compare laps of different tracks anyway" [] Refusal;

    CursorBack "cursor-back" Cursor "Cursor back (Shift: 10×)" ["arrowleft"] Lap;
    CursorForward "cursor-forward" Cursor "Cursor forward (Shift: 10×)" ["arrowright"] Lap;
    SampleBack "sample-back" Cursor "Cursor one sample back" [","] Lap;
    SampleForward "sample-forward" Cursor "Cursor one sample forward" ["."] Lap;
    CursorToStart "start" Cursor "Cursor to the start" ["home"] Lap;
    CursorToEnd "end" Cursor "Cursor to the end" ["end"] Lap;

    ZoomIn "zoom-in" View "Zoom in" ["+" "=" "w"] Lap;
    ZoomOut "zoom-out" View "Zoom out" ["-" "s"] Lap;
    PanLeft "pan-left" View "Pan left" ["a"] Lap;
    PanRight "pan-right" View "Pan right" ["d"] Lap;
    ShowAll "all" View "Show the whole lap" ["0" "z" "l"] Zoom;
    UndoZoom "undo" View "Undo the last zoom" ["ctrl+z"] UndoStep;
    FitLanes "fit-lanes" View "Fit lanes to view / show their whole range" ["y"] Lap;
    TurnAxis "axis" View "Axis: distance / time" ["x"] Lap;
    FocusLanes "focus-lanes" View "Go to the lanes" [] Lap;
    LanesTable "lanes-table" View "Lanes as tables, and back" [] Lap;

    PreviousCorner "corner-back" Corners "Previous corner or event" ["["] Lap;
    NextCorner "corner-forward" Corners "Next corner or event" ["]"] Lap;
    ZoomToCorner "corner-here" Corners "Zoom to the corner" ["c"] Lap;
    NameTrack "name-track" Corners "Name the track" [] Lap;
    NameCorner "names" Corners "Rename, merge or split the corner" [] Lap;

    MeasureFrom "measure-in" Measuring "Measure from the cursor" ["i"] Lap;
    MeasureTo "measure-out" Measuring "Measure to the cursor" ["o"] Lap;
    ZoomToMeasured "zoom-measured" Measuring "Zoom to the measured part" [] MeasuredArea;
    ClearMeasure "clear-measure" Measuring "Clear measurement" ["escape"] Measure;

    WriteNote "note" Notes "Note at the cursor" ["m"] Lap;
    PreviousNote "previous-note" Notes "Previous note" ["k"] Note;
    NextNote "next-note" Notes "Next note" ["j"] Note;
    RestoreNote "restore-note" Notes "Restore the deleted note" [] DeletedNote;
    SaveNotes "save-notes" Notes "Save a copy of the file with the notes" [] NotesInPage;

    ChooseChannels "channels" Layouts "Choose channels" ["v"] Lap;
    ShowLayout "recall-layout" Layouts "Show a layout" ["1" "2" "3" "4" "5" "6" "7" "8" "9"] Lap;
    SaveLayout "save-layout" Layouts "Save these lanes as a layout"
        ["shift+1" "shift+2" "shift+3" "shift+4" "shift+5" "shift+6" "shift+7" "shift+8" "shift+9"] Lap;
    ResetLanes "reset-lanes" Layouts "Reset the lanes to default" [] Lap;

    Play "play" Playback "Play / pause" [" "] Lap;
    PlayFaster "faster" Playback "Play faster" [">"] Lap;
    PlaySlower "slower" Playback "Play slower" ["<"] Lap;

    PanelCorners "panel-corners" Panels "Panel: corners" [] Lap;
    PanelGg "gg" Panels "g-g diagram, and back" ["g"] Lap;
    PanelHistograms "panel-often" Panels "Panel: histograms" [] Lap;
    PanelTyres "panel-tyres" Panels "Panel: tyres and brakes" [] Lap;
    PanelSuspension "panel-suspension" Panels "Panel: suspension" [] Lap;
    PanelBalance "panel-balance" Panels "Panel: balance" [] Lap;
    PanelConsistency "panel-consistency" Panels "Panel: consistency" [] Lap;
    PanelIdeal "panel-ideal" Panels "Panel: ideal lap" [] Lap;
    PanelFuel "panel-fuel" Panels "Panel: fuel and energy" [] Lap;
    PanelSplits "panel-splits" Panels "Panel: splits, surfaces and jumps" [] Lap;
    PanelSetup "panel-setup" Panels "Panel: setup" [] Lap;
    PanelTable "panel-table" Panels "Figures of the panel as tables, and back" [] Lap;

    NextColour "colour" Track "Next track colour" ["t"] Lap;
    ColourDelta "colour-delta" Track "Colour the track by delta" [] Lap;
    ColourSpeed "colour-speed" Track "Colour the track by speed" [] Lap;
    ColourPedals "colour-pedals" Track "Colour the track by pedals" [] Lap;
    ColourGear "colour-gear" Track "Colour the track by gear" [] Lap;
    ColourSlip "colour-slip" Track "Colour the track by slip" [] Lap;
    ColourTemperature "colour-temperature" Track "Colour the track by tyre temperature" [] Lap;
    ColourSurface "colour-surface" Track "Colour the track by surface" [] Lap;
    MapFollow "map-follow" Track "Track map: follow the lanes, or stay" [] Lap;
    MapAll "map-all" Track "Track map: show all of it" [] Lap;
    MapIn "map-in" Track "Track map: zoom in" [] Lap;
    MapOut "map-out" Track "Track map: zoom out" [] Lap;
    MapLines "map-lines" Track "Track map: always show all racing lines" [] Lap;
    MapTable "map-table" Track "Track map as tables, and back" [] Lap;

    OpenRecording "open-recording" Page "Open a recording" ["ctrl+o"] Nothing;
    Report "report" Page "Report: the lap on one page" [] Comparison;
    Share "share" Page "Share the laps on screen" [] MainLap;
    Copy "copy" Page "Copy a link, a figure or a table" [] Lap;
    Print "print" Page "Print the page" [] Nothing;
    ShowKeys "keys" Page "All keys" ["?"] Nothing;
    ShowPalette "palette" Page "Find a command" ["ctrl+k"] Nothing;
    About "about" Page "About Trailbrake" [] Nothing;
}

impl Action {
    /// Whether the action's condition is met now.
    pub(super) fn is_possible(self, analyse: Analyse) -> bool {
        self.row().need.is_met(analyse)
    }

    /// Why a possible action is refused: its button is marked as disabled and has the reason as its tooltip.
    pub(super) fn refusal(self, analyse: Analyse) -> Option<&'static str> {
        match self {
            Self::WriteNote | Self::RestoreNote => analyse.notes.read_only(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_and_no_id_means_two_actions() {
        let mut ids: Vec<&str> = Action::ALL.iter().map(|action| action.id()).collect();
        let mut keys: Vec<&str> = Action::ALL.iter().flat_map(|action| action.keys()).copied().collect();
        for words in [&mut ids, &mut keys] {
            words.sort_unstable();
            let count = words.len();
            words.dedup();
            assert_eq!(words.len(), count);
        }
        assert!(keys.iter().all(|key| *key == key.to_ascii_lowercase()));
        assert_eq!(Action::of_key("ctrl+z"), Some(Action::UndoZoom));
    }

    #[test]
    fn groups_are_not_scattered() {
        let mut groups: Vec<Group> = Action::ALL.iter().map(|action| action.group()).collect();
        groups.dedup();
        let labels: Vec<&str> = groups.iter().map(|group| group.label()).collect();
        for (place, label) in labels.iter().enumerate() {
            assert!(!labels.iter().skip(place + 1).any(|other| other == label), "{label}");
        }
    }

    #[test]
    fn without_a_lap_only_what_needs_none_is_possible() {
        let owner = Owner::new();
        owner.set();
        let analyse = Analyse::empty();
        let possible: Vec<Action> =
            Action::ALL.iter().copied().filter(|action| action.is_possible(analyse)).collect();
        let expected =
            [Action::OpenRecording, Action::Print, Action::ShowKeys, Action::ShowPalette, Action::About];
        assert_eq!(possible, expected);
    }
}
