//! Dialogs over the page.

mod channel_row;
mod channels;
mod copy;
mod debrief;
mod kind;
mod lap_time;
mod layouts;
mod names;
mod note;
mod share;
mod task;

use leptos::prelude::*;

use crate::analyse::ReportDialog;
use channels::ChannelDialog;
use copy::CopyDialog;
use debrief::DebriefDialog;
use lap_time::LapTimeDialog;
use names::NamesDialog;
use note::NoteDialog;
use share::ShareDialog;
use task::TaskDialog;

pub(crate) use kind::{DialogKind, OpenDialog};
pub(super) use layouts::{save_layout, show_layout};

/// The open dialog, if there is one.
#[component]
pub(super) fn Dialogs() -> impl IntoView {
    let dialog = expect_context::<OpenDialog>();
    let on_close = Callback::new(move |()| dialog.set(None));
    move || {
        dialog.get().map(|kind| match kind {
            DialogKind::Channels => view! { <ChannelDialog on_close/> }.into_any(),
            DialogKind::Note => view! { <NoteDialog on_close/> }.into_any(),
            DialogKind::Task => view! { <TaskDialog on_close/> }.into_any(),
            DialogKind::Debrief => view! { <DebriefDialog/> }.into_any(),
            DialogKind::Report => view! { <ReportDialog on_close/> }.into_any(),
            DialogKind::Share => view! { <ShareDialog on_close/> }.into_any(),
            DialogKind::LapTime => view! { <LapTimeDialog on_close/> }.into_any(),
            DialogKind::Copy => view! { <CopyDialog on_close/> }.into_any(),
            DialogKind::Names(field) => view! { <NamesDialog field on_close/> }.into_any(),
        })
    }
}
