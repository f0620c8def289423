//! The Analyse page: where time is lost, and what the faster lap did there.

mod actions;
mod address;
mod alignment;
mod canvases;
mod columns;
mod comparison;
mod copy;
mod corners;
mod debrief;
mod dialogs;
mod driver_input;
mod empty;
mod follow;
mod keys;
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
mod toast;
mod view;
mod warnings;

pub(crate) use page::AnalysePage;
pub(crate) use stores::Analyse;

pub(crate) use comparison::{
    Braked, Chosen, Delta, LoadedLap, Loads, Selection, ShownLap, ShownLaps, Values, apart,
};
pub(crate) use debrief::{RatedCorner, Rating};
pub(crate) use dialogs::DialogKind;
pub(crate) use lanes::{INKS, LaneChoice, LaneSettings, MOST, Strip, choices, slots};
pub(crate) use link::PendingLink;
pub(crate) use map::{MapArea, MapView, wheel_of};
pub(crate) use measuring::Measure;
pub(crate) use names::{NameChange, NameField, Names};
pub(crate) use notes::{NoteStorage, Notes, PlacedNote, Writing};
pub(crate) use panels::{CORNERS, OpenPanel, PanelChoice, PanelTabs};
pub(crate) use playback::Playing;
pub(crate) use report::{OpenReport, ReportDialog};
pub(crate) use share::{ShareSizes, SharedAs, SharedPart};
pub(crate) use sources::{AllTimeBest, LapKey, LapSource, SourceId, Sources};
pub(crate) use tables::ShownTables;
pub(crate) use tasks::{TaskDraft, TaskFields, Tasks};
pub(crate) use toast::Toast;
pub(crate) use view::{Axis, Gesture, Part, View};
