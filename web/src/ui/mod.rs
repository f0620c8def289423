//! Components that every page shares.

mod about;
mod action_button;
mod action_table;
mod canvas;
mod chart_table;
mod copied_text;
mod dialog;
mod figure;
mod file_button;
mod job_rows;
mod key_press;
mod key_sheet;
mod other_cars;
mod page_action;
mod page_actions;
mod page_dialog;
mod palette;
mod row_list;
mod search;
mod seat_chooser;
mod segments;
mod tabs;

pub(crate) use about::{AboutDialog, SampleLink};
pub(crate) use action_button::ActionButton;
pub(crate) use action_table::{ActionRow, ActionTable, Command, action_table};
pub(crate) use canvas::{Canvas, Painting};
pub(crate) use chart_table::{ChartTables, TableButton};
pub(crate) use copied_text::CopiedText;
pub(crate) use dialog::Dialog;
pub(crate) use figure::{CursorPoint, Figure, ShownFigure};
pub(crate) use file_button::{ACCEPTED, FileButton, list};
pub(crate) use job_rows::JobRows;
pub(crate) use key_press::{KeyPress, is_for_field, printed_key};
pub(crate) use key_sheet::KeySheet;
pub(crate) use other_cars::{OtherCarsChoice, other_cars_choice};
pub(crate) use page_action::PageAction;
pub(crate) use page_actions::provide_actions;
#[cfg(test)]
pub(crate) use page_actions::{check_actions, possible_ids};
pub(crate) use page_dialog::{PageDialog, PageDialogs};
pub(crate) use palette::Palette;
pub(crate) use row_list::RowList;
pub(crate) use search::Search;
pub(crate) use seat_chooser::SeatChooser;
pub(crate) use segments::Segments;
pub(crate) use tabs::Tabs;
