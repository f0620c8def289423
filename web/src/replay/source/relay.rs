//! A recording at the relay, whose bytes are requested by range over HTTP.

use std::cell::RefCell;
use std::ops::Range;

use js_sys::Uint8Array;
use leptos::prelude::window;
use trailbrake_shared::recording::{LapId, RecordingId};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Headers, RequestInit, Response};

use super::Trouble;
use super::answer::{Head, Piece, SILENT};
use crate::browser;
use crate::http::{self, Failed, listing};

/// The number of bytes of the file's end that the first request asks for: usually enough to open the recording.
const END: u64 = 64 << 10;

/// A recording at the relay.
pub(super) struct AtRelay {
    id: RecordingId,
    found: RefCell<Found>,
}

/// The result of the last lookup.
#[derive(Clone)]
struct Found {
    name: String,
    /// The `ETag` of the file; `None` while it is being recorded, when it only grows.
    tag: Option<String>,
    /// The offset of `end` in the file. While it is being recorded, `end` is not in the file yet.
    end_from: u64,
    end: Vec<u8>,
}

impl AtRelay {
    /// Looks up a recording, or a clip that was cut out of it.
    pub(super) async fn find(id: RecordingId) -> Result<Self, Trouble> {
        // Browsers print every refused request in the console, so first ask the library's list whether the recording
        // exists.
        match listed(id).await? {
            Some(id) => Self::underway_now(id).await,
            None => Err(Head { status: 404, ..Head::default() }.refusal("")),
        }
    }

    /// Opens a recording without asking the list: one that is kept in memory only is in no list.
    pub(super) async fn underway_now(id: RecordingId) -> Result<Self, Trouble> {
        Ok(Self { id, found: RefCell::new(look(id).await?) })
    }

    /// Refreshes the recording's length and end. Returns how many bytes were fetched.
    pub(super) async fn renew(&self) -> Result<u64, Trouble> {
        let found = look(self.id).await?;
        self.found.replace(found);
        Ok(self.read())
    }

    /// The number of bytes fetched to look it up.
    pub(super) fn read(&self) -> u64 {
        self.found.borrow().end.len() as u64
    }

    pub(super) fn name(&self) -> String {
        self.found.borrow().name.clone()
    }

    pub(super) fn len(&self) -> u64 {
        let found = self.found.borrow();
        found.end_from + found.end.len() as u64
    }

    pub(super) fn underway(&self) -> bool {
        self.found.borrow().tag.is_none()
    }

    /// The bytes of a range, fewer if the recording ends within it; and how many of them were fetched.
    pub(super) async fn bytes(&self, range: Range<u64>) -> Result<(Vec<u8>, u64), Trouble> {
        let (path, in_file, tag, held) = {
            let found = self.found.borrow();
            let place = |offset: u64| {
                let offset = usize::try_from(offset.saturating_sub(found.end_from)).unwrap_or(usize::MAX);
                offset.min(found.end.len())
            };
            let held = found.end.get(place(range.start)..place(range.end)).unwrap_or_default().to_vec();
            let in_file = range.start..range.end.min(found.end_from);
            (path(self.id, "file"), in_file, found.tag.clone(), held)
        };
        if in_file.is_empty() {
            return Ok((held, 0));
        }
        let wanted = format!("bytes={}-{}", in_file.start, in_file.end - 1);
        let (head, response) = ask(&path, Some(&wanted), tag.as_deref()).await?;
        match head.brings(&in_file, tag.as_deref()) {
            Ok(()) => {}
            Err(Trouble::Changed) => {
                // The response may be the complete file, so don't read it.
                leave(&response);
                return Err(Trouble::Changed);
            }
            Err(_) => return Err(refused(&head, &response).await),
        }
        let mut bytes = body(&response).await?;
        let fetched = bytes.len() as u64;
        bytes.extend(held);
        Ok((bytes, fetched))
    }

    /// One lap as a recording of its own; `None` if the relay refuses, as it does for a very long one.
    pub(super) async fn lap(&self, id: LapId) -> Result<Option<Vec<u8>>, Trouble> {
        let LapId { session, car, serial } = id;
        let path = format!("{}?session={session}&car={}&serial={serial}", path(self.id, "lap"), car.0);
        match ask(&path, None, None).await? {
            (Head { status: 200, .. }, response) => body(&response).await.map(Some),
            (_, response) => {
                leave(&response);
                Ok(None)
            }
        }
    }
}

/// Fetches a recording's length and end.
async fn look(id: RecordingId) -> Result<Found, Trouble> {
    let (head, response) = ask(&path(id, "file"), Some(&format!("bytes=-{END}")), None).await?;
    match head.piece() {
        Some(Piece { whole: Some(_), .. }) => found(id, &head, &response, head.tag.clone()).await,
        // Still being recorded: the relay has the index of the file so far in memory.
        Some(Piece { whole: None, .. }) => {
            leave(&response);
            let (head, response) = ask(&path(id, "tail"), None, None).await?;
            found(id, &head, &response, None).await
        }
        None => Err(refused(&head, &response).await),
    }
}

/// Reads the response with a recording's end.
async fn found(
    id: RecordingId,
    head: &Head,
    response: &Response,
    tag: Option<String>,
) -> Result<Found, Trouble> {
    let end = body(response).await?;
    match head.piece() {
        Some(Piece { range, whole })
            if whole == Some(range.end) && end.len() as u64 == range.end - range.start =>
        {
            let name = head.file_name().map_or_else(|| id.to_string(), str::to_owned);
            Ok(Found { name, tag, end_from: range.start, end })
        }
        // The recording has just ended, or the response was cut off: trying again may help.
        _ => Err(Trouble::Silent(SILENT.to_owned())),
    }
}

/// The library's recording with an id, or a clip that was cut out of it; `None` if the library has neither.
async fn listed(id: RecordingId) -> Result<Option<RecordingId>, Trouble> {
    if !browser::home().has_relay() {
        let words = "This viewer has no library: open the file of the recording.";
        return Err(Trouble::Gone(words.to_owned()));
    }
    match listing(http::ask("GET", &["/library?id=", &id.to_string()].concat(), None).await) {
        Ok(listing) => Ok(listing.recordings.first().and_then(|entry| entry.id)),
        Err(Failed::Silent) => Err(Trouble::Silent(SILENT.to_owned())),
        Err(failed) => Err(Trouble::Gone(failed.words())),
    }
}

fn path(id: RecordingId, what: &str) -> String {
    format!("/library/{id}/{what}")
}

/// Sends a request to the relay.
async fn ask(path: &str, range: Option<&str>, tag: Option<&str>) -> Result<(Head, Response), Trouble> {
    let response = fetch(path, range, tag).await.map_err(|_| Trouble::Silent(SILENT.to_owned()))?;
    let headers = response.headers();
    let header = |name: &str| headers.get(name).ok().flatten();
    let head = Head {
        status: response.status(),
        range: header("content-range"),
        tag: header("etag"),
        disposition: header("content-disposition"),
    };
    Ok((head, response))
}

async fn fetch(path: &str, range: Option<&str>, tag: Option<&str>) -> Result<Response, JsValue> {
    let headers = Headers::new()?;
    for (name, value) in [("range", range), ("if-range", tag)] {
        if let Some(value) = value {
            headers.set(name, value)?;
        }
    }
    let init = RequestInit::new();
    init.set_headers(&headers);
    JsFuture::from(window().fetch_with_str_and_init(&http::address(path), &init)).await?.dyn_into()
}

/// The complete body of a response. A response that is cut off counts as silence, so the request is repeated.
async fn body(response: &Response) -> Result<Vec<u8>, Trouble> {
    let broken = |_| Trouble::Silent(SILENT.to_owned());
    let buffer = JsFuture::from(response.array_buffer().map_err(broken)?).await.map_err(broken)?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

/// Why a request was refused, in the relay's words if it gives a reason.
async fn refused(head: &Head, response: &Response) -> Trouble {
    let text = body(response).await.unwrap_or_default();
    head.refusal(&String::from_utf8_lossy(&text))
}

/// Drops a response unread.
fn leave(response: &Response) {
    if let Some(stream) = response.body() {
        // The result does not matter.
        let _ = stream.cancel();
    }
}
