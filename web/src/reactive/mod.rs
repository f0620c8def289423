//! What Leptos lacks: rows by key, values that stay on the page's thread, and work of which only the latest is wanted.

mod latest_task;
mod local;
mod rows;

pub(crate) use latest_task::LatestTask;
pub(crate) use local::{LocalMemo, LocalSignal, is_same};
pub(crate) use rows::{EachRow, Rows};
