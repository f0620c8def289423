//! The state of the page: a signal for each subject.

use std::sync::Arc;

use leptos::prelude::*;
use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::session::LapId;

use super::contents::{Contents, OpenRecording};
use super::found::{Listed, choices, found};
use super::import::ImportQueue;
use super::query::{Filter, Query};
use super::ticked::Ticked;
use super::toast::{Deleted, Toast};
use super::window::Window;
use crate::jobs::Jobs;
use crate::seats;
use crate::ui::PageDialog;

/// The values of a filter, with how many recordings each would show.
type Choices = Vec<(String, usize)>;

/// The state of the Library page, which shows the library or its bin. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub(crate) struct Library {
    pub(crate) contents: RwSignal<Contents>,
    /// The search, and which recording is open.
    pub(crate) query: RwSignal<Query>,
    /// The recordings that the search finds, in their order.
    pub(crate) found: Memo<Arc<Vec<Arc<Listed>>>>,
    choices: Memo<Vec<(Filter, Choices)>>,
    /// The part of the list that is on the screen.
    pub(crate) window: RwSignal<Window>,
    /// The key of the recording on the cursor's row.
    pub(crate) cursor: RwSignal<Option<String>>,
    /// Everything about the open recording, or why it could not be loaded. `None` until then.
    pub(crate) details: RwSignal<Option<Result<Arc<OpenRecording>, String>>>,
    /// A lap that identifies the chosen seat, whose laps are listed. `None` for the default seat.
    pub(super) seat: RwSignal<Option<LapId>>,
    pub(crate) ticked: RwSignal<Ticked>,
    /// The damaged file that is being repaired.
    pub(crate) repairing: RwSignal<Option<String>>,
    /// What the last repair saved: the recording's key, and sentences.
    pub(crate) repaired: RwSignal<Option<(String, Vec<String>)>>,
    pub(crate) toast: RwSignal<Option<Toast>>,
    /// Whether the page asks for confirmation that the bin is emptied.
    pub(crate) asks_to_empty: RwSignal<bool>,
    pub(crate) dialog: RwSignal<Option<PageDialog>>,
    /// Long operations of every page.
    pub(super) jobs: Jobs,
    pub(super) import_queue: StoredValue<ImportQueue, LocalStorage>,
    /// The list row whose details were requested last, as it was then.
    pub(super) learnt: StoredValue<Option<Arc<Listed>>>,
    pub(super) deleted: StoredValue<Vec<Deleted>>,
    /// The number of requests for the list: only the answer to the last one counts.
    pub(super) asked: StoredValue<u32>,
}

impl Library {
    /// An empty library.
    pub(super) fn new() -> Self {
        let contents = RwSignal::new(Contents::default());
        let query = RwSignal::new(Query::default());
        // Opening a recording does not repeat the search.
        let search = Memo::new(move |_| query.with(Query::without_details));
        Self {
            contents,
            query,
            found: Memo::new(move |_| {
                search.with(|search| contents.with(|contents| Arc::new(found(&contents.all, search))))
            }),
            choices: Memo::new(move |_| {
                let choices = |all: &[Arc<Listed>]| Filter::ALL.map(|filter| (filter, choices(all, filter)));
                contents.with(|contents| choices(&contents.all).into())
            }),
            window: RwSignal::new(Window::default()),
            cursor: RwSignal::new(None),
            details: RwSignal::new(None),
            seat: RwSignal::new(None),
            ticked: RwSignal::new(Ticked::default()),
            repairing: RwSignal::new(None),
            repaired: RwSignal::new(None),
            toast: RwSignal::new(None),
            asks_to_empty: RwSignal::new(false),
            dialog: RwSignal::new(None),
            jobs: Jobs::here(),
            import_queue: StoredValue::new_local(ImportQueue::default()),
            learnt: StoredValue::new(None),
            deleted: StoredValue::new(Vec::new()),
            asked: StoredValue::new(0),
        }
    }

    /// The library that the app provided.
    pub(crate) fn here() -> Self {
        // Every component is inside the app, so the context exists.
        use_context().unwrap_or_else(Self::start)
    }

    /// The values of a filter, with how many recordings each would show.
    pub(crate) fn choices(self, filter: Filter) -> Choices {
        self.choices.with(|all| {
            let own = all.iter().find(|(other, _)| *other == filter);
            own.map(|(_, choices)| choices.clone()).unwrap_or_default()
        })
    }

    /// The list row of the recording whose details are open.
    pub(crate) fn opened(self) -> Option<Arc<Listed>> {
        let key = self.query.with(|query| query.open.clone())?;
        self.contents.with(|contents| contents.get(&key).cloned())
    }

    pub(super) fn opened_id(self) -> Option<RecordingId> {
        untrack(|| self.opened())?.entry.id
    }

    /// The index of the cursor's row among the recordings found.
    pub(crate) fn cursor_row(self) -> Option<usize> {
        let cursor = self.cursor.get()?;
        self.found.with(|found| found.iter().position(|one| one.key == cursor))
    }

    /// Everything about the open recording, once it is loaded.
    pub(crate) fn recording(self) -> Option<Arc<OpenRecording>> {
        self.details.with(|details| details.as_ref()?.as_ref().ok().cloned())
    }

    /// A lap that identifies the seat whose laps are listed: the chosen seat, else the default one.
    pub(crate) fn seat_in(self, recording: &OpenRecording) -> Option<&LapEntry> {
        let chosen = self.seat.get().and_then(|lap| recording.catalogue.get(lap));
        chosen.or_else(|| seats::first(&recording.catalogue))
    }
}
