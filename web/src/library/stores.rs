//! The state of the page: a signal for each subject, and the methods that change them. It loads the list and the details
//! from the relay.

use std::sync::Arc;

use leptos::prelude::*;
use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::library::{Entry, RecordingDetails};
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::session::LapId;

use super::contents::{Contents, OpenRecording, listed};
use super::found::{Listed, choices, found};
use super::query::{Filter, Query};
use super::ticked::Ticked;
use super::toast::{Deleted, Toasts};
use super::window::Window;
use super::words::title;
use crate::browser;
use crate::http;
use crate::jobs::Jobs;
use crate::laps::seats;
use crate::reactive::LatestTask;
use crate::route::Page;

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
    pub(super) toasts: Toasts,
    /// Whether the page asks for confirmation that the bin is emptied.
    pub(crate) asks_to_empty: RwSignal<bool>,
    /// Long operations of every page.
    pub(super) jobs: Jobs,
    /// The list row whose details were requested last, as it was then.
    learnt: StoredValue<Option<Arc<Listed>>>,
    pub(super) deleted: StoredValue<Vec<Deleted>>,
    /// Loads the list.
    listing: LatestTask,
    /// Loads the details of the open recording.
    loading: LatestTask,
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
            toasts: Toasts::new(),
            asks_to_empty: RwSignal::new(false),
            jobs: Jobs::here(),
            learnt: StoredValue::new(None),
            deleted: StoredValue::new(Vec::new()),
            listing: LatestTask::new(),
            loading: LatestTask::new(),
        }
    }

    /// Creates an empty library, provides it to all components, and follows the address as long as the page is open.
    pub(crate) fn start() -> Self {
        let library = Self::new();
        provide_context(library);
        library.follow_address();
        library.keep_address();
        window_event_listener(leptos::ev::hashchange, move |_| library.follow_address());
        library
    }

    /// The library that the app provided.
    pub(crate) fn here() -> Self {
        expect_context()
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

    fn follow_address(self) {
        let fragment = browser::fragment();
        if Page::from_hash(&fragment) != Page::Library {
            return;
        }
        let query = Query::from_hash(&fragment);
        let switches_bin = self.query.with_untracked(|before| before.bin != query.bin);
        self.set_open(query.open.clone());
        self.query.set(query);
        if switches_bin {
            self.start_over();
        }
    }

    /// Writes the search and the open recording into the address whenever they change.
    fn keep_address(self) {
        Effect::new(move |_| {
            let query = self.query.get();
            let fragment = browser::fragment();
            if Page::from_hash(&fragment) == Page::Library && Query::from_hash(&fragment) != query {
                browser::name_place(&query.fragment());
            }
        });
    }

    /// Changes the search.
    pub(crate) fn search(self, change: impl FnOnce(&mut Query)) {
        self.query.update(change);
    }

    /// Opens the details of a recording by its key. `None` closes them.
    pub(crate) fn open(self, key: Option<String>) {
        if let Some(words) = self.untick_message(key.as_deref()) {
            self.toasts.say(words, false);
        }
        self.set_open(key);
    }

    pub(super) fn set_open(self, key: Option<String>) {
        if key.is_some() {
            self.cursor.set(key.clone());
        }
        if self.query.with_untracked(|query| query.open != key) {
            self.repairing.set(None);
            self.loading.cancel();
            self.details.set(None);
            self.seat.set(None);
            self.learnt.set_value(None);
            self.ticked.set(Ticked::default());
        }
        self.query.update(|query| query.open = key);
    }

    /// The message if opening `key` unticks laps of another recording: an export has laps of one recording only.
    fn untick_message(self, key: Option<&str>) -> Option<String> {
        let is_ticked = self.ticked.with_untracked(|ticked| ticked.count() > 0);
        let opened = untrack(|| self.opened());
        let one = opened.filter(|one| is_ticked && key.is_some_and(|key| key != one.key))?;
        Some(format!(
            "The laps of {} are no longer ticked: an export has laps of one recording.",
            title(&one.entry)
        ))
    }

    /// Shows the bin, or the library.
    pub(crate) fn show_bin(self, bin: bool) {
        self.query.update(|query| query.bin = bin);
        self.set_open(None);
        self.start_over();
    }

    /// Clears the list and loads it again.
    fn start_over(self) {
        self.contents.set(Contents::default());
        self.asks_to_empty.set(false);
        self.refresh();
    }

    /// Moves the cursor down by so many rows, or up if negative. Open details follow it.
    pub(crate) fn step(self, rows: isize) {
        let here = untrack(|| self.cursor_row());
        let next = self.found.with_untracked(|found| {
            let last = found.len().checked_sub(1)?;
            let there = match here {
                Some(here) => here.saturating_add_signed(rows).min(last),
                None if rows == isize::MAX => last,
                None => 0,
            };
            found.get(there).map(|one| one.key.clone())
        });
        let is_open = self.query.with_untracked(|query| query.open.is_some());
        match next {
            Some(next) if is_open => self.open(Some(next)),
            Some(next) => self.cursor.set(Some(next)),
            None => {}
        }
    }

    /// Takes the new window after the list was scrolled or resized.
    pub(crate) fn show_window(self, window: Window) {
        let count = self.found.with_untracked(|found| found.len());
        let rows = |window: &Window| (window.row, window.rows(count));
        if self.window.with_untracked(rows) == rows(&window) {
            // The same rows are on the page.
            self.window.update_untracked(|now| *now = window);
        } else {
            self.window.set(window);
        }
    }

    /// Lists the laps of another seat, by its index in the seat chooser.
    pub(crate) fn choose_seat(self, place: usize) {
        let Some(recording) = untrack(|| self.recording()) else { return };
        self.seat.set(seats::at(&recording.catalogue, place).map(|entry| entry.id));
    }

    /// Loads the list. The old one stays until the answer arrives.
    pub(crate) fn refresh(self) {
        let bin = self.query.with_untracked(|query| query.bin);
        self.listing.run(async move {
            let answer = http::ask("GET", if bin { "/library/bin" } else { "/library" }, None).await;
            let contents = self.contents.with_untracked(|contents| contents.answered(answer));
            // An unchanged list is not drawn again.
            if self.contents.with_untracked(|before| *before != contents) {
                self.contents.set(contents);
            }
        });
    }

    /// Replaces the list's row of a changed recording.
    pub(super) fn put(self, entry: Entry) {
        let changed = listed(entry);
        self.contents.update(|contents| contents.replace(&changed.key.clone(), changed));
    }

    /// Loads the details again after another page wrote notes about recording `id`, if that is open.
    pub(crate) fn reload_written(self, id: RecordingId) {
        if self.opened_id() == Some(id) {
            self.reload_details();
        }
    }

    /// Loads the details of the open recording again.
    pub(super) fn reload_details(self) {
        self.learnt.set_value(None);
        self.load_details();
    }

    /// Loads the details of the open recording, unless they were loaded for the same state of its list row.
    pub(crate) fn load_details(self) {
        let is_bin = self.query.with_untracked(|query| query.bin);
        let opened = untrack(|| self.opened()).filter(|one| one.entry.id.is_some() && !is_bin);
        let Some(one) = opened.filter(|one| self.learnt.with_value(|learnt| learnt.as_ref() != Some(one)))
        else {
            return;
        };
        let key = one.key.clone();
        self.learnt.set_value(Some(one));
        self.loading.run(async move {
            let answer = http::ask("GET", &format!("/library/{key}"), None).await;
            let details = answer.map_err(|failed| failed.words()).and_then(|json| {
                let details = RecordingDetails::read(json.as_bytes());
                details.map_err(|why| format!("The relay's answer can't be read: {why}."))
            });
            let details = Some(details.map(|details| Arc::new(OpenRecording::new(details))));
            if self.details.with_untracked(|before| *before != details) {
                self.details.set(details);
            }
        });
    }

    /// Removes a recording from the list. The cursor moves to the next row, or from the last row to the one before.
    pub(super) fn remove(self, key: &str) {
        let next = self.found.with_untracked(|found| {
            let place = found.iter().position(|one| one.key == key)?;
            let next = found.get(place + 1).or_else(|| found.get(place.checked_sub(1)?));
            next.map(|one| one.key.clone())
        });
        if self.query.with_untracked(|query| query.open.as_deref() == Some(key)) {
            self.open(None);
        }
        if self.cursor.with_untracked(|cursor| cursor.as_deref() == Some(key)) {
            self.cursor.set(next);
        }
        self.contents.update(|contents| contents.all.retain(|one| one.key != key));
        self.refresh();
    }

    /// Ticks a lap, or unticks it.
    pub(super) fn tick(self, lap: LapId) {
        self.ticked.update(|ticked| ticked.toggle(lap));
    }
}
