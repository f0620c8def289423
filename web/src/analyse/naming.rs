//! Names tracks and corners in the relay's track book.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::analysis::{
    Corner, CornerEdit, CornerRequest, Fingerprint, KnownTrack, TrackBook, TrackName,
};

use super::{Analyse, DialogKind};
use super::{NameChange, NameField};
use crate::browser;
use crate::cockpit::Cockpit;
use crate::http;

impl Analyse {
    /// The corner that is being edited, and the next one; `None` without corners.
    pub(crate) fn named_corner(self) -> Option<(Corner, Option<Corner>)> {
        let shown = self.shown()?;
        let corners = &shown.comparison().corners;
        let at_m = self.names.with(|names| names.at_m);
        let off = |corner: &Corner| (corner.entry_m - at_m).max(at_m - corner.exit_m).max(0.0);
        let (place, corner) =
            corners.iter().enumerate().min_by(|(_, one), (_, other)| off(one).total_cmp(&off(other)))?;
        Some((corner.clone(), corners.get(place + 1).cloned()))
    }

    /// The main lap's track: its shape, and its entry in the track book. `None` without positions.
    pub(crate) fn track(self) -> Option<(Fingerprint, Option<KnownTrack>)> {
        let shown = self.shown()?;
        let shape = shown.comparison().track.as_ref()?;
        let known = self.names.with(|names| names.book.recognise(shape).map(|(known, _)| known.clone()));
        Some((shape.clone(), known))
    }

    /// Shows the track book's name of the main lap's track, if its game has none.
    pub(crate) fn name_track(self) {
        let name = untrack(|| self.track()).and_then(|(_, known)| Some(known?.name));
        let main = untrack(|| self.shown()).and_then(|shown| Some(shown.laps.first()?.loaded.key));
        if let Some((name, main)) = name.zip(main) {
            self.sources.update(|sources| {
                let source = sources.get_mut(main.of);
                source.into_iter().for_each(|source| source.name_track(main.id.session, &name));
            });
        }
    }

    /// Requests the track book from the relay.
    pub(crate) fn ask_names(self, cockpit: Cockpit) {
        if !browser::has_relay() {
            return;
        }
        spawn_local(async move {
            // Without a relay, names come from recordings only.
            if let Ok(book) = http::ask("GET", "/tracks", None).await {
                self.take_book(cockpit, &book);
            }
        });
    }

    /// Opens the names dialog for the track and the open corner, or else the corner nearest to the cursor. `field` gets
    /// the focus.
    pub(crate) fn begin_naming(self, field: NameField) {
        let Some(shown) = self.shown() else { return };
        let open = self.view.with(|view| view.corner);
        let mut corners = shown.comparison().corners.iter();
        let open = corners.find(|corner| Some(corner.number) == open).map(|corner| corner.apex_m);
        let at_m = open.or_else(|| self.cursor_m()).unwrap_or_default();
        self.names.update(|names| names.at_m = at_m);
        self.dialog.set(Some(DialogKind::Names(field)));
    }

    /// Changes the track book. An error is text for the dialog.
    pub(crate) async fn change_names(self, cockpit: Cockpit, change: NameChange) -> Result<(), String> {
        for (path, body) in untrack(|| self.name_requests(change))? {
            let book = http::ask("POST", path, Some(&body)).await.map_err(|failed| failed.words())?;
            self.take_book(cockpit, &book);
        }
        Ok(())
    }

    /// Takes the relay's answer, and compares the laps again if names have changed.
    fn take_book(self, cockpit: Cockpit, book: &str) {
        let Ok(kept) = serde_json::from_str::<TrackBook>(book) else { return };
        if self.names.with_untracked(|names| names.kept == kept) {
            return;
        }
        self.names.update(|names| {
            names.kept = kept;
            names.join();
        });
        self.settle(cockpit);
        self.find_all_time_best();
    }

    /// The requests that make a change at the relay, each with its path and body.
    fn name_requests(self, change: NameChange) -> Result<Vec<(&'static str, String)>, String> {
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
            (NameChange::Split, Some(_)) => self.cursor_m().map(|at_m| Some(CornerEdit::Split { at_m })),
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
