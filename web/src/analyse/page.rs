//! The layout of the page.

use leptos::html::Input;
use leptos::prelude::*;

use super::actions::{Action, ActionContext};
use super::columns::{ColumnEdge, Columns, FoldButton, Side};
use super::corners::{Advice, CornerTable};
use super::dialogs::Dialogs;
use super::empty::EmptyState;
use super::lanes::LanesPanel;
use super::laps::{LapChips, LapList, SessionHeading, Toolbar};
use super::map::TrackPanel;
use super::measuring::MeasuredPanel;
use super::messages::Toasts;
use super::notes::NoteList;
use super::panel_area::PanelArea;
use super::playback::Transport;
use super::status_bar::StatusBar;
use super::tasks::TaskList;
use super::warnings::Warnings;
use super::{Analyse, ComparisonStore, DebriefStore, LapFinder, OpenPanel, PanelTabs};
use crate::cockpit::{Navigation, Playback, RivalChoice, TelemetryStore};
use crate::ui::{ACCEPTED, ActionButton, PageDialog, PageDialogs, list, provide_actions};

/// The page.
#[component]
pub(crate) fn AnalysePage() -> impl IntoView {
    // The actions change every store.
    let context = ActionContext::new(TelemetryStore::here(), Analyse::here(), RivalChoice::here());
    let ActionContext { canvases, file, .. } = context;
    let comparison = expect_context::<ComparisonStore>();
    let is_empty = Memo::new(move |_| comparison.shown().is_none());
    let columns = Columns::provide();
    let area = PanelArea::provide();
    provide_actions::<Action>(context);
    let debriefing = expect_context::<DebriefStore>().follow();
    expect_context::<LapFinder>().follow();
    view! {
        <main
            id="main"
            node_ref=Navigation::here().main
            class="analyse"
            class:debriefing=move || debriefing.get()
            class:left-folded=move || columns.is_folded(Side::Left)
            class:right-folded=move || columns.is_folded(Side::Right)
            style=("--left", move || columns.width(Side::Left))
            style=("--right", move || columns.width(Side::Right))
            tabindex="-1"
            data-page="analyse"
            data-empty=move || is_empty.get()
        >
            <h1 class="unseen">"Analyse"</h1>
            <Show when=move || !is_empty.get()>
                <button type="button" class="skip" data-testid="skip-to-lanes" on:click=move |_| canvases.focus_lanes()>
                    "Skip to the lanes"
                </button>
            </Show>
            <RecordingInput file/>
            <div class="beside" id="beside">
                <LapChips/>
                <Toolbar/>
            </div>
            <aside class="left" aria-label="Session and laps">
                <SessionHeading/>
                <LapList/>
                <NoteList/>
                <TaskList/>
            </aside>
            <div class="centre">
                <Warnings/>
                <LanesPanel/>
                <EmptyState/>
                <Toasts/>
            </div>
            <ColumnEdge side=Side::Left/>
            <ColumnEdge side=Side::Right/>
            <aside class="track" aria-label="Track">
                <TrackPanel/>
            </aside>
            <aside class="right" aria-label="Panels">
                <PanelTabs/>
                <div class="panel-area" node_ref=area>
                    <MeasuredPanel/>
                    <OpenPanel/>
                    <Advice/>
                    <CornerTable/>
                </div>
            </aside>
            <footer class="foot">
                <FoldButton side=Side::Left/>
                <Transport/>
                <StatusBar/>
                <div class="more">
                    <ActionButton action=PageDialog::Palette class="quiet"><kbd>"Ctrl K"</kbd>"commands"</ActionButton>
                    <ActionButton action=PageDialog::Keys class="quiet"><kbd>"?"</kbd>"keys"</ActionButton>
                    <FoldButton side=Side::Right/>
                </div>
            </footer>
            <Dialogs/>
            <PageDialogs/>
        </main>
    }
}

/// The hidden file input for recordings. The action that opens a recording clicks it.
#[component]
fn RecordingInput(file: NodeRef<Input>) -> impl IntoView {
    let playback = Playback::here();
    let chosen = move |_| {
        let Some(input) = file.get_untracked() else { return };
        if let Some(files) = input.files() {
            playback.open_files(list(&files));
        }
        // The same file can be chosen again.
        input.set_value("");
    };
    view! {
        <input
            class="unseen"
            type="file"
            accept=ACCEPTED
            multiple=true
            tabindex="-1"
            aria-label="Open a recording"
            data-testid="open"
            node_ref=file
            on:change=chosen
        />
    }
}
