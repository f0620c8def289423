//! The track book over HTTP: reading it, naming a track, changing a corner.

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use trailbrake_shared::analysis::{CornerRequest, TrackBook, TrackName};

use super::request::parse_body;
use super::response::answer;
use crate::library::Refusal;
use crate::library::TrackBookFile;
use crate::library::track_edits::{give_edit, give_name, take_back};
use crate::relaying::http::site::LibrarySite;

/// Answers with the track book.
pub(super) async fn book(State(site): State<LibrarySite>) -> Response {
    let read = async {
        let service = site.library_service()?;
        service
            .with_files(|library| with_logged_notes(|notes| TrackBookFile::new(library.folder()).read(notes)))
            .await
    };
    answer(read.await)
}

/// Names a track.
pub(super) async fn name(State(site): State<LibrarySite>, body: Bytes) -> Response {
    let named = async {
        let TrackName { fingerprint, name } = parse_body(&body)?;
        change(&site, move |book| give_name(book, &fingerprint, &name)).await
    };
    answer(named.await)
}

/// Changes a corner, or undoes the last change.
pub(super) async fn corner(State(site): State<LibrarySite>, body: Bytes) -> Response {
    let changed = async {
        let CornerRequest { fingerprint, name, edit } = parse_body(&body)?;
        let change = change(&site, move |book| match edit {
            Some(edit) => give_edit(book, &fingerprint, name.as_deref(), edit),
            None => take_back(book, &fingerprint),
        });
        change.await
    };
    answer(changed.await)
}

/// Changes the book; returns its new content.
async fn change(
    site: &LibrarySite,
    change: impl FnOnce(&mut TrackBook) -> anyhow::Result<()> + Send + 'static,
) -> Result<TrackBook, Refusal> {
    let changed = site.library_service()?.with_files(|library| {
        let file = TrackBookFile::new(library.folder());
        let mut wrong = None;
        let book = with_logged_notes(|notes| {
            file.change(notes, |book| {
                // A wrong request is no error of the file.
                wrong = change(book).err();
                anyhow::ensure!(wrong.is_none(), "nothing was changed");
                Ok(book.clone())
            })
        });
        wrong.map_or(book, |why| Err(Refusal::Wrong(format!("{why:#}"))))
    });
    changed.await
}

/// Runs work on the book; its notes go to the log.
fn with_logged_notes(
    work: impl FnOnce(&mut dyn std::io::Write) -> anyhow::Result<TrackBook>,
) -> Result<TrackBook, Refusal> {
    let mut notes = Vec::new();
    let done = work(&mut notes);
    if !notes.is_empty() {
        tracing::warn!("{}", String::from_utf8_lossy(&notes).trim_end());
    }
    done.map_err(|error| Refusal::Conflict(format!("{error:#}")))
}
