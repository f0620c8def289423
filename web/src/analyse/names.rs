//! What people call tracks and corners: the book that the relay keeps, and what the recordings bring that are open.

use leptos::task::spawn_local;
use trailbrake_shared::analysis::{
    Corner, CornerEdit, CornerRequest, Fingerprint, KnownTrack, TrackBook, TrackName,
};

use super::{Analyse, Aspect, Origin, Sheet, State};
use crate::browser;
use crate::cockpit::Cockpit;
use crate::http;

/// The names, wherever they come from.
#[derive(Default)]
pub(crate) struct Names {
    /// The relay's book.
    kept: TrackBook,
    /// What recordings say of their tracks.
    brought: Vec<KnownTrack>,
    /// Both together; what the relay says comes first.
    book: TrackBook,
    /// The place of the corner that is being renamed, metres from the line.
    at_m: f64,
}

/// What is wanted of the book.
pub(crate) enum Wanted {
    /// The track has another name, and the corner one: only what differs from what is known is changed.
    Called { track: Option<String>, corner: String },
    /// The corner and the next one are one.
    Merged,
    /// The corner is two, and the second begins at the cursor.
    Split,
    /// The last change to a corner is taken back.
    Undone,
}

impl Names {
    /// All that is known.
    pub(super) fn book(&self) -> &TrackBook {
        &self.book
    }

    /// Knows what a recording says of its track.
    pub(super) fn learn(&mut self, origin: &Origin) {
        let facts = origin.opened.as_ref().map(|opened| opened.recording.facts());
        let brought: Option<KnownTrack> = facts.and_then(|facts| facts.get().ok().flatten());
        if let Some(track) = brought.filter(|track| !self.brought.contains(track)) {
            self.brought.push(track);
            self.join();
        }
    }

    fn join(&mut self) {
        self.book = self.kept.clone();
        for track in &self.brought {
            self.book.learn(track.clone());
        }
    }
}

impl State {
    /// The corner that is being renamed, and the one behind it.
    pub(crate) fn named_corner(&self) -> Option<(&Corner, Option<&Corner>)> {
        let corners = &self.shown.as_ref()?.comparison().corners;
        let off = |corner: &Corner| {
            let at_m = self.names.at_m;
            (corner.entry_m - at_m).max(at_m - corner.exit_m).max(0.0)
        };
        let (place, corner) =
            corners.iter().enumerate().min_by(|(_, one), (_, other)| off(one).total_cmp(&off(other)))?;
        Some((corner, corners.get(place + 1)))
    }

    /// The track of the main lap: what it is known by, and what people call it.
    pub(crate) fn track(&self) -> Option<(&Fingerprint, Option<&KnownTrack>)> {
        let track = self.shown.as_ref()?.comparison().track.as_ref()?;
        Some((track, self.names.book.recognise(track).map(|(known, _)| known)))
    }

    /// Calls the track of what is shown by the name that people have for it, where its game has none.
    pub(super) fn call_track(&mut self) {
        let name = self.track().and_then(|(_, known)| Some(known?.name.clone()));
        let main = self.shown.as_ref().and_then(|shown| Some(shown.laps.first()?.driven.key));
        if let Some((name, main)) = name.zip(main) {
            let origin = self.origins.iter_mut().find(|origin| origin.name == main.of);
            origin.into_iter().for_each(|origin| origin.name_track(main.id.session, &name));
        }
    }
}

impl Analyse {
    /// Asks the relay what people call tracks and corners.
    pub(super) fn ask_names(&self, cockpit: Cockpit) {
        if browser::live_address().is_none() {
            return;
        }
        let analyse = *self;
        spawn_local(async move {
            // Where no relay answers, names are those that recordings bring.
            if let Ok(told) = http::ask("GET", "/tracks", None).await {
                analyse.take_book(cockpit, &told);
            }
        });
    }

    /// Opens what renames the corner that is looked at, and the track.
    pub(crate) fn begin_naming(&self) {
        self.change(&[Aspect::Sheet], |state| {
            let opened = state.view.corner.and_then(|number| {
                let mut corners = state.shown.as_ref()?.comparison().corners.iter();
                Some(corners.find(|corner| corner.number == number)?.apex_m)
            });
            state.names.at_m = opened.or(state.cursor_m()).unwrap_or_default();
            state.sheet = state.shown.as_ref().map(|_| Sheet::Names);
        });
    }

    /// Has the book changed; why not, if it can't be.
    pub(crate) async fn change_names(&self, cockpit: Cockpit, wanted: Wanted) -> Result<(), String> {
        for (path, body) in self.read(|state| wishes(state, wanted))? {
            let told = http::ask("POST", path, Some(&body)).await.map_err(|failed| failed.words())?;
            self.take_book(cockpit, &told);
        }
        Ok(())
    }

    fn take_book(&self, cockpit: Cockpit, told: &str) {
        let Ok(kept) = serde_json::from_slice::<TrackBook>(told.as_bytes()) else { return };
        if self.read(|state| state.names.kept == kept) {
            return;
        }
        self.change(&[], |state| {
            state.names.kept = kept;
            state.names.join();
        });
        self.settle(cockpit);
        self.ask_shelf();
    }
}

/// What the relay is asked for: where it is asked, and its words.
fn wishes(state: &State, wanted: Wanted) -> Result<Vec<(&'static str, String)>, String> {
    let Some((fingerprint, known)) = state.track() else {
        return Err("What a track is like is not told here: nothing can be called by its place.".to_owned());
    };
    let json = |wish: Result<String, serde_json::Error>| wish.map_err(|error| error.to_string());
    let mut wishes = Vec::new();
    let edit = match (wanted, state.named_corner()) {
        (Wanted::Undone, _) => Some(None),
        (Wanted::Called { track, corner: name }, corner) => {
            let had = known.map_or("", |known| &known.name);
            if let Some(track) = track.filter(|track| track != had) {
                let wish = TrackName { fingerprint: fingerprint.clone(), name: track };
                wishes.push(("/tracks/name", json(serde_json::to_string(&wish))?));
            }
            let corner = corner.filter(|(corner, _)| corner.name.as_deref().unwrap_or_default() != name);
            corner.map(|(corner, _)| Some(CornerEdit::Rename { at_m: corner.apex_m, name }))
        }
        (Wanted::Merged, Some((corner, _))) => Some(Some(CornerEdit::Merge { at_m: corner.apex_m })),
        (Wanted::Split, Some(_)) => state.cursor_m().map(|at_m| Some(CornerEdit::Split { at_m })),
        (_, None) => None,
    };
    if let Some(edit) = edit {
        // A track that its game names needs no other name.
        let name = state.origin().and_then(|origin| origin.seat()?.session.track.clone());
        let wish = CornerRequest { fingerprint: fingerprint.clone(), name, edit };
        wishes.push(("/tracks/corner", json(serde_json::to_string(&wish))?));
    }
    Ok(wishes)
}
