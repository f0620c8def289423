//! Names tracks and corners in the relay's track book.

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::analysis::{
    Corner, CornerEdit, CornerRequest, Fingerprint, KnownTrack, TrackBook, TrackName,
};

use super::{ComparisonStore, DialogKind, OpenDialog, Sources, ViewStore};
use super::{NameChange, NameField, Names};
use crate::browser;
use crate::http;
use crate::reactive::{LocalMemo, LocalSignal};

/// The names of tracks and corners on this page. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct NameStore {
    state: LocalSignal<Names>,
    /// All names, of the relay and of open recordings.
    book: LocalMemo<Rc<TrackBook>>,
    sources: LocalSignal<Sources>,
    comparison: ComparisonStore,
    view: ViewStore,
    dialog: OpenDialog,
}

impl NameStore {
    pub(super) fn new(
        state: LocalSignal<Names>,
        book: LocalMemo<Rc<TrackBook>>,
        sources: LocalSignal<Sources>,
        comparison: ComparisonStore,
        view: ViewStore,
        dialog: OpenDialog,
    ) -> Self {
        Self { state, book, sources, comparison, view, dialog }
    }

    /// Asks the relay for its track book whenever there are other laps, and names the main lap's track.
    pub(super) fn follow(self) {
        let laps = Memo::new(move |_| self.sources.with(Sources::lap_counts));
        Effect::new(move |_| {
            if laps.with(|laps| !laps.is_empty()) {
                self.ask();
            }
        });
        let named = Memo::new(move |_| {
            let main = self.comparison.shown()?.laps.first()?.loaded.key;
            Some((main, self.track()?.1?.name))
        });
        Effect::new(move |_| {
            let Some((main, name)) = named.get() else { return };
            if self.sources.with(|sources| sources.lacks_track_name(main, &name)) {
                self.sources.update(|sources| sources.name_track(main, &name));
            }
        });
    }

    /// The corner that is being edited, and the next one; `None` without corners.
    pub(crate) fn named_corner(self) -> Option<(Corner, Option<Corner>)> {
        let shown = self.comparison.shown()?;
        let corners = &shown.comparison().corners;
        let at_m = self.state.with(|names| names.at_m);
        let off = |corner: &Corner| (corner.entry_m - at_m).max(at_m - corner.exit_m).max(0.0);
        let (place, corner) =
            corners.iter().enumerate().min_by(|(_, one), (_, other)| off(one).total_cmp(&off(other)))?;
        Some((corner.clone(), corners.get(place + 1).cloned()))
    }

    /// The main lap's track: its shape, and its entry in the track book. `None` without positions.
    pub(crate) fn track(self) -> Option<(Fingerprint, Option<KnownTrack>)> {
        let shape = self.comparison.track_shape()?;
        let known = self.book.with(|book| book.recognise(&shape).map(|(known, _)| known.clone()));
        Some((shape, known))
    }

    /// Requests the track book from the relay.
    fn ask(self) {
        if !browser::home().has_relay() {
            return;
        }
        spawn_local(async move {
            // Without a relay, names come from recordings only.
            if let Ok(book) = http::ask("GET", "/tracks", None).await {
                self.take(&book);
            }
        });
    }

    /// Opens the names dialog for the track and the open corner, or else the corner nearest to the cursor. `field` gets
    /// the focus.
    pub(crate) fn begin(self, field: NameField) {
        let Some(shown) = untrack(|| self.comparison.shown()) else { return };
        let open = self.view.state.with_untracked(|view| view.corner);
        let mut corners = shown.comparison().corners.iter();
        let open = corners.find(|corner| Some(corner.number) == open).map(|corner| corner.apex_m);
        let at_m = open.or_else(|| untrack(|| self.view.cursor_m())).unwrap_or_default();
        self.state.update(|names| names.at_m = at_m);
        self.dialog.set(Some(DialogKind::Names(field)));
    }

    /// Changes the track book. An error is text for the dialog.
    pub(crate) async fn change(self, change: NameChange) -> Result<(), String> {
        for (path, body) in untrack(|| self.requests(change))? {
            let book = http::ask("POST", path, Some(&body)).await.map_err(|failed| failed.words())?;
            self.take(&book);
        }
        Ok(())
    }

    /// Takes the relay's answer.
    fn take(self, book: &str) {
        let Ok(book) = serde_json::from_str::<TrackBook>(book) else { return };
        if !self.state.with_untracked(|names| names.has(&book)) {
            self.state.update(|names| names.take(book));
        }
    }

    /// The requests that make a change at the relay, each with its path and body.
    fn requests(self, change: NameChange) -> Result<Vec<(&'static str, String)>, String> {
        let Some((fingerprint, known)) = self.track() else {
            return Err("This game sends no positions, so tracks and corners can't be named.".to_owned());
        };
        let json = |body: Result<String, serde_json::Error>| body.map_err(|error| error.to_string());
        let mut requests = Vec::new();
        let edit = match (change, self.named_corner()) {
            (NameChange::Undo, _) => Some(None),
            (NameChange::Rename { track, corner: name }, corner) => {
                let before = known.map(|known| known.name).unwrap_or_default();
                if let Some(track) = track.filter(|track| *track != before) {
                    let body = TrackName { fingerprint: fingerprint.clone(), name: track };
                    requests.push(("/tracks/name", json(serde_json::to_string(&body))?));
                }
                let corner = corner.filter(|(corner, _)| corner.name.as_deref().unwrap_or_default() != name);
                corner.map(|(corner, _)| Some(CornerEdit::Rename { at_m: corner.apex_m, name }))
            }
            (NameChange::Merge, Some((corner, _))) => Some(Some(CornerEdit::Merge { at_m: corner.apex_m })),
            (NameChange::Split, Some(_)) => self.view.cursor_m().map(|at_m| Some(CornerEdit::Split { at_m })),
            (_, None) => None,
        };
        if let Some(edit) = edit {
            // The book may not know the track yet: then it takes the game's name.
            let name = self.sources.with(|sources| sources.listed()?.seat()?.session.track.clone());
            let body = CornerRequest { fingerprint, name, edit };
            requests.push(("/tracks/corner", json(serde_json::to_string(&body))?));
        }
        Ok(requests)
    }
}
