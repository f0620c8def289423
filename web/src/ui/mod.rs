//! Components that every page shares.

mod about;
mod action_table;
mod canvas;
mod command;
mod copied_text;
mod dialog;
mod figure;
mod file_button;
mod job_rows;
mod key_press;
mod key_sheet;
mod page_actions;
mod palette;
mod sample_link;
mod search;
mod seat_chooser;
mod segments;
mod tabs;

pub(crate) use about::AboutDialog;
pub(crate) use action_table::{ActionRow, action_table};
pub(crate) use canvas::{Canvas, Painting};
pub(crate) use command::Command;
pub(crate) use copied_text::CopiedText;
pub(crate) use dialog::Dialog;
pub(crate) use figure::{CursorPoint, Figure, ShownFigure};
pub(crate) use file_button::{ACCEPTED, FileButton, list};
pub(crate) use job_rows::JobRows;
pub(crate) use key_press::{KeyPress, is_for_field, printed_key};
pub(crate) use key_sheet::KeySheet;
pub(crate) use page_actions::{PageActions, PageDialog, PageDialogs, follow_keys};
pub(crate) use palette::Palette;
pub(crate) use sample_link::SampleLink;
pub(crate) use search::Search;
pub(crate) use seat_chooser::SeatChooser;
pub(crate) use segments::Segments;
pub(crate) use tabs::Tabs;
