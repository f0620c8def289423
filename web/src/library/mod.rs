//! The relay's library as this page knows it: what is in it, what is looked for, and what the driver has done with it.

mod arrivals;
mod deeds;
mod excerpt;
mod notes;
mod query;
mod sought;
mod window;
mod words;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry};
use trailbrake_shared::library::{Entry, Listing, RecordingDetails, RecordingFacts};
use trailbrake_shared::session::LapId;

use crate::browser;
use crate::http::{self, Failed};
use crate::route::Page;
use crate::seats;

pub(crate) use arrivals::Arrival;
pub(crate) use deeds::Toast;
pub(crate) use excerpt::Ticked;
pub(crate) use notes::{author, keep_author};
pub(crate) use query::{Column, Filter, Query};
pub(crate) use sought::Listed;
pub(crate) use window::Window;
pub(crate) use words::{date, size, title};

use arrivals::Gate;
use deeds::Deleted;

/// The library, or its bin. Copies are handles to the same.
#[derive(Clone)]
pub(crate) struct Library(Rc<Shared>);

struct Shared {
    state: RefCell<State>,
    changed: [RwSignal<u32>; 9],
}

/// What can change by itself. Everything is in one place and counts its changes: a signal for each value would make the
/// page larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aspect {
    Shelf,
    Query,
    /// Which recording is open.
    Open,
    Cursor,
    /// What is on the screen of the list.
    Window,
    RecordingDetails,
    /// Which laps are ticked.
    Ticked,
    Toast,
    Arrivals,
}

/// All that is known and done.
#[derive(Default)]
pub(crate) struct State {
    /// What is in the library.
    pub(crate) shelf: Shelf,
    /// What is looked for.
    pub(crate) query: Query,
    /// What is found, in its order.
    pub(crate) found: Vec<Rc<Listed>>,
    /// What each filter can be set to, with how many recordings that would show.
    choices: Vec<(Filter, Vec<(String, usize)>)>,
    /// What of it is on the screen.
    pub(crate) window: Window,
    /// The recording on which the keyboard stands.
    pub(crate) cursor: Option<String>,
    /// Everything about the recording that is open, or why it can't be had.
    pub(crate) known: Option<Result<Rc<OpenRecording>, String>>,
    /// A lap of the seat whose laps are shown, where the driver wants others than the player's.
    whose: Option<LapId>,
    /// Its laps that are to become a recording of their own.
    pub(crate) ticked: Ticked,
    /// The damaged file that is being repaired.
    pub(crate) repairing: Option<String>,
    /// What was saved of the recording that was repaired last, by what it is known by.
    pub(crate) repaired: Option<(String, Vec<String>)>,
    /// What was done just now.
    pub(crate) toast: Option<Toast>,
    /// Whether it was asked if the bin is to be emptied.
    pub(crate) sure: bool,
    /// Files on their way into the library.
    pub(crate) arrivals: Vec<Arrival>,
    /// The recording about which everything was asked for last, as it was then.
    learnt: Option<Rc<Listed>>,
    deleted: Vec<Deleted>,
    gate: Gate,
    /// How often the list was asked for: only the latest answer counts.
    asked: u32,
}

/// Everything about the recording that is open.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct OpenRecording {
    /// What the list shows of it.
    pub(crate) entry: Entry,
    pub(crate) facts: RecordingFacts,
    /// Its laps.
    pub(crate) catalogue: LapCatalogue,
}

impl OpenRecording {
    fn new(known: RecordingDetails) -> Self {
        let RecordingDetails { entry, facts } = known;
        let feed = entry.feed.as_deref().and_then(Feed::from_id);
        let track = |_: &_| entry.track.clone();
        let catalogue = LapCatalogue::of_table(feed, &facts.session, &facts.laps, &track);
        Self { entry, facts, catalogue }
    }
}

/// What is in the library, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Shelf {
    /// Whether the list is here.
    pub(crate) here: bool,
    /// Why it can't be had, and maybe never; what is listed is what was there last.
    pub(crate) failed: Option<Failed>,
    /// The folder.
    pub(crate) folder: String,
    /// Why the folder can't be read, or nothing can be recorded in it.
    pub(crate) trouble: Option<String>,
    /// The recordings.
    pub(crate) all: Vec<Rc<Listed>>,
}

impl State {
    /// A recording of the list.
    pub(crate) fn listed(&self, key: &str) -> Option<&Rc<Listed>> {
        self.shelf.all.iter().find(|one| one.key == key)
    }

    /// What a filter can be set to, with how many recordings that would show.
    pub(crate) fn choices(&self, filter: Filter) -> &[(String, usize)] {
        let own = self.choices.iter().find(|(other, _)| *other == filter);
        own.map(|(_, choices)| choices.as_slice()).unwrap_or_default()
    }

    /// The recording whose details are shown.
    pub(crate) fn opened(&self) -> Option<&Rc<Listed>> {
        self.listed(self.query.open.as_deref()?)
    }

    /// The row of what is found on which the keyboard stands.
    pub(crate) fn cursor_row(&self) -> Option<usize> {
        let cursor = self.cursor.as_ref()?;
        self.found.iter().position(|one| one.key == *cursor)
    }

    /// A lap of the seat whose laps of the open recording are shown.
    pub(crate) fn seat<'a>(&self, recording: &'a OpenRecording) -> Option<&'a LapEntry> {
        let chosen = self.whose.and_then(|lap| recording.catalogue.get(lap));
        chosen.or_else(|| seats::first(&recording.catalogue))
    }

    /// What is to be said when another recording is opened whose laps can't join those that are ticked.
    fn unticks(&self, key: Option<&str>) -> Option<String> {
        let one =
            self.opened().filter(|one| self.ticked.count() > 0 && key.is_some_and(|key| key != one.key))?;
        Some(format!(
            "The laps of {} are no longer ticked: a small recording takes its laps from one recording.",
            title(&one.entry)
        ))
    }

    fn open(&mut self, key: Option<String>) {
        if key.is_some() {
            self.cursor.clone_from(&key);
        }
        if self.query.open != key {
            self.repairing = None;
            (self.known, self.whose, self.learnt) = (None, None, None);
            self.ticked = Ticked::default();
        }
        self.query.open = key;
    }
}

impl Library {
    /// An empty one, which follows the address for as long as the page is open.
    pub(crate) fn start() -> Self {
        let changed = [(); 9].map(|()| RwSignal::new(0));
        let library = Self(Rc::new(Shared { state: RefCell::default(), changed }));
        HERE.with(|here| drop(here.set(library.clone())));
        library.follow();
        let following = library.clone();
        window_event_listener(leptos::ev::hashchange, move |_| following.follow());
        library
    }

    /// The library that `start` began.
    pub(crate) fn here() -> Self {
        HERE.with(|here| here.get().cloned()).unwrap_or_else(Self::start)
    }

    /// Looks at what is known.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        read(&self.0.state.borrow())
    }

    /// Whether there is a library, as far as is known.
    pub(crate) fn is_somewhere(&self) -> bool {
        self.read(|state| matches!(state.shelf.failed, None | Some(Failed::Silent)))
    }

    /// Lets whoever calls be called again when something changes.
    pub(crate) fn track(&self, aspects: &[Aspect]) {
        aspects.iter().filter_map(|aspect| self.0.changed.get(*aspect as usize)).for_each(Track::track);
    }

    /// Changes something, and tells those who look at it.
    fn change(&self, aspects: &[Aspect], change: impl FnOnce(&mut State)) {
        change(&mut self.0.state.borrow_mut());
        self.tell(aspects);
    }

    fn tell(&self, aspects: &[Aspect]) {
        let shelf = aspects.contains(&Aspect::Shelf);
        if shelf || aspects.contains(&Aspect::Query) {
            let state = &mut *self.0.state.borrow_mut();
            state.found = sought::sought(&state.shelf.all, &state.query);
            if shelf {
                let choices = |filter| (filter, sought::choices(&state.shelf.all, filter));
                state.choices = Filter::ALL.into_iter().map(choices).collect();
            }
        }
        for changed in aspects.iter().filter_map(|aspect| self.0.changed.get(*aspect as usize)) {
            changed.update(|count| *count = count.wrapping_add(1));
        }
    }

    /// Looks for something else, and says so in the address.
    pub(crate) fn look(&self, change: impl FnOnce(&mut Query)) {
        self.change(&[Aspect::Query], |state| change(&mut state.query));
        self.say_address();
    }

    /// Shows everything about a recording, or closes what is shown.
    pub(crate) fn open(&self, key: Option<String>) {
        if let Some(words) = self.read(|state| state.unticks(key.as_deref())) {
            self.say(words, false);
        }
        self.change(&[Aspect::Open, Aspect::Cursor, Aspect::RecordingDetails], |state| state.open(key));
        self.say_address();
    }

    /// Goes from the library into its bin, or back.
    pub(crate) fn turn_to(&self, bin: bool) {
        self.change(&[Aspect::Query, Aspect::Open], |state| {
            state.query.bin = bin;
            state.open(None);
        });
        self.say_address();
        self.begin_anew();
    }

    /// Forgets the list: another one is asked for.
    fn begin_anew(&self) {
        self.change(&[Aspect::Shelf], |state| (state.shelf, state.sure) = (Shelf::default(), false));
        self.refresh();
    }

    /// The keyboard goes so many rows down. What is open goes along.
    pub(crate) fn step(&self, rows: isize) {
        let next = self.read(|state| {
            let last = state.found.len().checked_sub(1)?;
            let there = match state.cursor_row() {
                Some(here) => here.saturating_add_signed(rows).min(last),
                None if rows == isize::MAX => last,
                None => 0,
            };
            state.found.get(there).map(|one| one.key.clone())
        });
        match next {
            Some(next) if self.read(|state| state.query.open.is_some()) => self.open(Some(next)),
            Some(next) => self.change(&[Aspect::Cursor], |state| state.cursor = Some(next)),
            None => {}
        }
    }

    /// The list was scrolled, or has another size.
    pub(crate) fn see(&self, window: Window) {
        let rows = |state: &State| (state.window.row, state.window.rows(state.found.len()));
        let before = self.read(rows);
        self.change(&[], |state| state.window = window);
        if self.read(rows) != before {
            self.tell(&[Aspect::Window]);
        }
    }

    /// Shows another seat's laps, by its place among the seats.
    pub(crate) fn look_at_seat(&self, place: usize) {
        self.change(&[Aspect::RecordingDetails], |state| {
            if let Some(Ok(known)) = &state.known {
                state.whose = seats::at(&known.catalogue, place).map(|entry| entry.id);
            }
        });
    }

    /// Asks whether the bin is to be emptied, or does not any more.
    pub(crate) fn ask_whether_sure(&self, sure: bool) {
        self.change(&[Aspect::Shelf], |state| state.sure = sure);
    }

    /// Asks for the list anew. What is listed stays until the answer is here.
    pub(crate) fn refresh(&self) {
        let library = self.clone();
        let (number, bin) = {
            let state = &mut *self.0.state.borrow_mut();
            state.asked = state.asked.wrapping_add(1);
            (state.asked, state.query.bin)
        };
        spawn_local(async move {
            let answer = http::ask("GET", if bin { "/library/bin" } else { "/library" }, None).await;
            if library.read(|state| state.asked == number) {
                library.take(answer);
            }
        });
    }

    fn take(&self, answer: Result<String, Failed>) {
        let shelf = match listing(answer) {
            Ok(Listing { folder, trouble, recordings, .. }) => {
                let all = recordings.into_iter().map(listed).collect();
                Shelf { here: true, failed: None, folder, trouble, all }
            }
            Err(failed) => Shelf { failed: Some(failed), ..self.read(|state| state.shelf.clone()) },
        };
        // What has not changed is not drawn anew.
        if self.read(|state| state.shelf == shelf) {
            return;
        }
        // A link may have named the row to begin at.
        let first = !self.read(|state| state.shelf.here);
        let aspects: &[Aspect] = if first { &[Aspect::Shelf, Aspect::Cursor] } else { &[Aspect::Shelf] };
        self.change(aspects, |state| state.shelf = shelf);
    }

    /// Puts what has changed of a recording into its place.
    fn put(&self, entry: Entry) {
        let changed = listed(entry);
        self.change(&[Aspect::Shelf], |state| {
            if let Some(one) = state.shelf.all.iter_mut().find(|one| one.key == changed.key) {
                *one = changed;
            }
        });
    }

    /// Asks for everything about the recording that is open, though it has been asked for.
    fn learn_anew(&self) {
        self.change(&[], |state| state.learnt = None);
        self.learn();
    }

    /// Asks for everything about the recording that is open, unless that is known as it is now.
    pub(crate) fn learn(&self) {
        let opened = |state: &State| {
            let one = state.opened().filter(|one| one.entry.id.is_some() && !state.query.bin)?;
            (state.learnt.as_ref() != Some(one)).then(|| Rc::clone(one))
        };
        let Some(one) = self.read(opened) else { return };
        let key = one.key.clone();
        self.change(&[], |state| state.learnt = Some(one));
        let library = self.clone();
        spawn_local(async move {
            let answer = http::ask("GET", &format!("/library/{key}"), None).await;
            let known = answer.map_err(|failed| failed.words()).and_then(|json| {
                let known = RecordingDetails::read(json.as_bytes());
                known.map_err(|why| format!("What is told of it is not understood: {why}."))
            });
            let known = Some(known.map(|known| Rc::new(OpenRecording::new(known))));
            // Meanwhile another one may have been opened.
            if library.read(|state| state.query.open.as_ref() == Some(&key) && state.known != known) {
                library.change(&[Aspect::RecordingDetails], |state| state.known = known);
            }
        });
    }

    fn follow(&self) {
        let fragment = browser::fragment();
        let query = Query::from_hash(&fragment);
        if Page::from_hash(&fragment) != Page::Library {
            return;
        }
        let turns = self.read(|state| state.query.bin != query.bin);
        self.change(&[Aspect::Query, Aspect::Open, Aspect::Cursor, Aspect::RecordingDetails], |state| {
            state.open(query.open.clone());
            state.query = query;
        });
        if turns {
            self.begin_anew();
        }
    }

    fn say_address(&self) {
        browser::name_place(&self.read(|state| state.query.fragment()));
    }
}

/// What the relay lists. Whoever answers with something else is no relay.
pub(crate) fn listing(answer: Result<String, Failed>) -> Result<Listing, Failed> {
    serde_json::from_slice(answer?.as_bytes()).map_err(|_| Failed::Stranger)
}

thread_local! {
    static HERE: OnceCell<Library> = const { OnceCell::new() };
}

fn listed(entry: Entry) -> Rc<Listed> {
    let west = browser::minutes_west(entry.created);
    Rc::new(Listed::new(entry, west))
}
