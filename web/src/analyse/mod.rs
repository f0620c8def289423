//! The Analyse page: where time is lost, and what the faster lap did there.

mod actions;
mod address;
mod alignment;
mod canvases;
mod charts;
mod columns;
mod comparison;
mod corners;
mod debrief;
mod dialogs;
mod driver_input;
mod empty;
mod follow;
mod lanes;
mod laps;
mod link;
mod link_laps;
mod map;
mod measuring;
mod messages;
mod names;
mod naming;
mod navigation;
mod notes;
mod page;
mod panel_area;
mod panels;
mod playback;
mod report;
mod share;
mod sources;
mod start;
mod status_bar;
mod stores;
mod tables;
mod tasks;
mod view;
mod warnings;

pub(crate) use page::AnalysePage;
pub(crate) use start::start;
pub(crate) use stores::Analyse;

pub(crate) use charts::Charts;
pub(crate) use comparison::{
    Braked, Chosen, ComparisonStore, LapLoader, LoadedLap, Loads, Selection, SelectionStore, ShownLap,
    ShownLaps, StintReader, Values, apart,
};
pub(crate) use debrief::{DebriefStore, RatedCorner, Rating};
pub(crate) use dialogs::{DialogKind, OpenDialog};
pub(crate) use follow::AddressFollower;
pub(crate) use lanes::{INKS, LaneChoice, LaneSettings, LaneStore, MOST, Strip, choices, slots};
pub(crate) use link::PendingLink;
pub(crate) use map::{MapArea, MapStore, MapView, wheel_of};
pub(crate) use measuring::{Measure, MeasureStore};
pub(crate) use names::{NameChange, NameField, Names};
pub(crate) use naming::NameStore;
pub(crate) use navigation::ViewStore;
pub(crate) use notes::{BookStore, LessonPlan, NoteEditor, NoteStorage, NoteStore, PlacedNote, Writing};
pub(crate) use panels::{CORNERS, OpenPanel, PanelChoice, PanelSource, PanelStore, PanelTabs};
pub(crate) use playback::PlaybackStore;
pub(crate) use report::{ReportDialog, ReportStore};
pub(crate) use share::{ShareSizes, ShareStore, SharedAs, SharedPart};
pub(crate) use sources::{AllTimeBest, BestStore, LapFinder, LapKey, LapSource, SourceId, Sources};
pub(crate) use tables::ShownTables;
pub(crate) use tasks::{TaskDraft, TaskFields, TaskStore, Tasks};
pub(crate) use view::{Axis, Gesture, Part, View};
