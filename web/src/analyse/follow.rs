//! Follows the address, links and other pages of the room.

use leptos::prelude::*;
use leptos::task::spawn_local_scoped_with_cancellation;

use super::address::AddressStore;
use super::link::{Followed, Link, PendingLink};
use super::{Chosen, LapFinder, SelectionStore, Sources, ViewStore};
use crate::browser;
use crate::reactive::LocalSignal;
use crate::replay::Opened;
use crate::route::Page;

/// Follows addresses. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct AddressFollower {
    sources: LocalSignal<Sources>,
    selection: SelectionStore,
    view: ViewStore,
    address: AddressStore,
    finder: LapFinder,
    /// The address that was followed last.
    followed: RwSignal<String>,
    /// How often opening the pending link's recording was asked for.
    requests: RwSignal<u32>,
}

impl AddressFollower {
    pub(super) fn new(
        sources: LocalSignal<Sources>,
        selection: SelectionStore,
        view: ViewStore,
        address: AddressStore,
        finder: LapFinder,
    ) -> Self {
        let (followed, requests) = (RwSignal::new(String::new()), RwSignal::new(0));
        Self { sources, selection, view, address, finder, followed, requests }
    }

    /// Follows the address for as long as the app is open, and keeps it up to date.
    pub(super) fn follow(self) {
        self.open_pending();
        self.address.keep(self.followed);
        untrack(|| self.follow_address());
        window_event_listener(leptos::ev::hashchange, move |_| self.follow_address());
    }

    /// Shows what the address names, if it is this page's.
    fn follow_address(self) {
        let fragment = browser::fragment();
        if Page::from_hash(&fragment) != Page::Analyse {
            return;
        }
        self.followed.set(fragment.clone());
        self.follow_fragment(&fragment);
    }

    /// Shows the view of another page in the room. Its cursor is sent separately; until it arrives, this page's cursor
    /// stays where it is.
    pub(crate) fn follow_view(self, fragment: &str) {
        let (axis, cursor) = self.view.state.with_untracked(|view| (view.axis, view.cursor));
        self.follow_fragment(fragment);
        self.view.state.update(|view| view.cursor = view.cursor.or(cursor.filter(|_| view.axis == axis)));
    }

    /// Moves the cursor to another page's, given by its lap distance in metres.
    pub(crate) fn follow_cursor(self, at_m: f64) {
        let at = untrack(|| self.view.on_axis(at_m));
        self.view.move_by(None, &|view, _| view.cursor = at.or(view.cursor));
    }

    /// Whether the recording of the pending link could not be opened. When following another page, only that browser
    /// has the recording.
    pub(crate) fn misses_recording(self) -> bool {
        let is_missing = |link: &PendingLink| link.why.is_some();
        self.selection.state.with(|selection| selection.pending.as_ref().is_some_and(is_missing))
    }

    fn follow_fragment(self, fragment: &str) {
        // The link may be about the recording that is being played.
        self.finder.find();
        let Some(link) = Link::from_hash(fragment) else { return };
        self.sources.update(|sources| {
            for (id, file) in &link.files {
                sources.name_file(*id, file);
            }
        });
        self.selection.state.update(|selection| selection.pending = None);
        match self.address.show_link(link) {
            Followed::Not(link) => self.selection.state.update(|selection| {
                // The laps on screen could be mistaken for those of the link.
                selection.chosen = Chosen::default();
                selection.pending = PendingLink::of(link);
            }),
            Followed::WithoutItsLap => self.finder.complain_of_lap(),
            Followed::Whole => {}
        }
    }

    /// Tries once more to open the recording of the pending link.
    pub(crate) fn retry(self) {
        self.requests.update(|requests| *requests += 1);
    }

    /// Opens the recording of the pending link at the relay, whenever there is another one.
    fn open_pending(self) {
        let wanted = Memo::new(move |_| {
            let id = self.selection.state.with(|selection| Some(selection.pending.as_ref()?.id));
            id.zip(Some(self.requests.get()))
        });
        let answer = move |why: Option<String>| {
            self.selection.state.update(|selection| {
                if let Some(pending) = &mut selection.pending {
                    pending.why = why;
                }
            });
        };
        Effect::new(move |_| {
            let Some((id, _)) = wanted.get() else { return };
            answer(None);
            spawn_local_scoped_with_cancellation(async move {
                match Opened::at_relay(id).await {
                    Ok(opened) => self.finder.add_opened(opened),
                    Err(why) => answer(Some(why)),
                }
            });
        });
    }
}
