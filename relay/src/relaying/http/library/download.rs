//! Downloads a recording's bytes: all of them, or a range.

use std::io::SeekFrom;
use std::ops::Range;
use std::time::UNIX_EPOCH;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG,
    IF_RANGE, RANGE,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use trailbrake_shared::recording::RecordingId;

use super::request::parse_id;
use super::response::refuse;
use crate::library::store::{Content, RecordingUnderway};
use crate::library::{OpenedFile, Refusal, Version};
use crate::relaying::http::header::single;
use crate::relaying::http::site::LibrarySite;
use crate::relaying::recorder::RecorderHandle;

/// Bytes read and sent at a time.
const PIECE: u64 = 64 << 10;

/// A recording to send, with the number of its valid bytes.
struct ServedFile {
    content: FileSource,
    name: String,
    len: u64,
    /// Whether it is still being recorded.
    grows: bool,
    /// ETag: while it is the same, so are the bytes.
    tag: String,
}

/// Where the bytes are.
enum FileSource {
    /// A finished recording.
    Finished(std::fs::File, Version),
    /// A recording under way.
    Underway(Content),
}

/// Answers with the file, or with the requested range. Of a recording under way it is what was written so far.
pub(super) async fn file(
    State(site): State<LibrarySite>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let served = async { find(&site, parse_id(&id)?).await };
    match served.await {
        Ok(served) => send(served, &headers).await.unwrap_or_else(refuse),
        Err(refusal) => refuse(refusal),
    }
}

/// Answers with the tail that opens the bytes of a recording under way. A recording that has just ended has no such tail: the
/// answer is empty, and the page asks for the file again.
pub(super) async fn tail(State(site): State<LibrarySite>, Path(id): Path<String>) -> Response {
    let id = match parse_id(&id) {
        Ok(id) => id,
        Err(refusal) => return refuse(refusal),
    };
    let recorder = recorders(&site).find(|recorder| underway(recorder, id).is_some());
    let tail = match recorder {
        Some(recorder) => recorder.tail(id).await,
        None => None,
    };
    let Some((one, tail)) = tail else {
        let ended = find(&site, id).await;
        return ended.map_or_else(refuse, |_| StatusCode::NO_CONTENT.into_response());
    };
    let whole = one.len + tail.len() as u64;
    let mut answer = tail.into_response();
    for (header, value) in [
        (CACHE_CONTROL, "no-store".to_owned()),
        (CONTENT_DISPOSITION, disposition(&one.name)),
        (CONTENT_RANGE, content_range(&(one.len..whole), Some(whole))),
    ] {
        put(answer.headers_mut(), header, &value);
    }
    answer
}

/// All recorders: of the library and of sessions in memory.
fn recorders(site: &LibrarySite) -> impl Iterator<Item = RecorderHandle> {
    site.recorders.folder().into_iter().chain(site.recorders.memory())
}

fn underway(recorder: &RecorderHandle, id: RecordingId) -> Option<RecordingUnderway> {
    recorder.underway().into_iter().find(|one| one.id == id)
}

async fn find(site: &LibrarySite, id: RecordingId) -> Result<ServedFile, Refusal> {
    if let Some(one) = recorders(site).find_map(|recorder| underway(&recorder, id)) {
        // Recording only appends: written bytes never change.
        return Ok(ServedFile {
            content: FileSource::Underway(one.content),
            name: one.name,
            len: one.len,
            grows: true,
            tag: format!("\"{id}-underway\""),
        });
    }
    let service = site.library_service()?;
    let opened = service.with_files(move |library| library.open_file(id)).await?;
    let OpenedFile { name, file, metadata, version } = opened;
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let (len, changed) = (metadata.len(), changed.unwrap_or_default().as_nanos());
    let tag = format!("\"{id}-{len:x}-{changed:x}-{:x}\"", version.number());
    Ok(ServedFile { content: FileSource::Finished(file, version), name, len, grows: false, tag })
}

async fn send(served: ServedFile, headers: &HeaderMap) -> Result<Response, Refusal> {
    let (wanted, part) = match asked(headers, &served) {
        RequestedBytes::All => (0..served.len, false),
        RequestedBytes::Range(range) => (range, true),
        RequestedBytes::Impossible => {
            let none = HeaderValue::from_str(&format!("bytes */{}", served.len));
            let none = none.unwrap_or_else(|_| HeaderValue::from_static("bytes */*"));
            return Ok((StatusCode::RANGE_NOT_SATISFIABLE, [(CONTENT_RANGE, none)]).into_response());
        }
    };
    let left = wanted.end - wanted.start;
    let body = match served.content {
        FileSource::Finished(file, version) => {
            let mut file = File::from_std(file);
            file.seek(SeekFrom::Start(wanted.start)).await.map_err(|_| Refusal::NotThere)?;
            Body::from_stream(pieces(file, left, Some(version)))
        }
        FileSource::Underway(Content::File(path)) => {
            let mut file = File::open(path).await.map_err(|_| Refusal::NotThere)?;
            file.seek(SeekFrom::Start(wanted.start)).await.map_err(|_| Refusal::NotThere)?;
            Body::from_stream(pieces(file, left, None))
        }
        // The beginning of a long session is dropped.
        FileSource::Underway(Content::Memory(kept)) => {
            Body::from(kept.range(wanted.clone()).ok_or(Refusal::NotThere)?)
        }
    };
    let mut answer = body.into_response();
    if part {
        *answer.status_mut() = StatusCode::PARTIAL_CONTENT;
        let whole = (!served.grows).then_some(served.len);
        put(answer.headers_mut(), CONTENT_RANGE, &content_range(&wanted, whole));
    }
    for (header, value) in [
        (CONTENT_TYPE, "application/octet-stream".to_owned()),
        (CONTENT_LENGTH, left.to_string()),
        (CONTENT_DISPOSITION, disposition(&served.name)),
        (ACCEPT_RANGES, "bytes".to_owned()),
        // A caching browser would combine parts of the old file with parts of the changed one.
        (CACHE_CONTROL, "no-store".to_owned()),
        (ETAG, served.tag.clone()),
    ] {
        put(answer.headers_mut(), header, &value);
    }
    Ok(answer)
}

fn put(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

/// The value of `Content-Range`; of a recording under way the total length is unknown.
fn content_range(range: &Range<u64>, whole: Option<u64>) -> String {
    let whole = whole.map_or_else(|| "*".to_owned(), |whole| whole.to_string());
    format!("bytes {}-{}/{whole}", range.start, range.end.saturating_sub(1))
}

fn disposition(name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let name: String = name.chars().map(|letter| if plain(letter) { letter } else { '-' }).collect();
    format!("attachment; filename=\"{name}\"")
}

/// The next `left` bytes of a file, in pieces. An error breaks the connection, so the receiver knows that the file is
/// incomplete.
fn pieces(
    file: File,
    left: u64,
    version: Option<Version>,
) -> impl stream::Stream<Item = std::io::Result<Bytes>> {
    stream::try_unfold((file, left, version), |(mut file, left, version)| async move {
        if left == 0 {
            return Ok(None);
        }
        let mut piece = vec![0; usize::try_from(left.min(PIECE)).unwrap_or_default()];
        let read = file.read(&mut piece).await?;
        // A note was written meanwhile: the rest belongs to another version than what was sent.
        let is_current = version.as_ref().is_none_or(Version::is_current);
        if read == 0 || !is_current {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        piece.truncate(read);
        Ok(Some((Bytes::from(piece), (file, left - read as u64, version))))
    })
}

/// The bytes a request asks for.
#[derive(Debug, PartialEq, Eq)]
enum RequestedBytes {
    All,
    Range(Range<u64>),
    Impossible,
}

/// Parses the requested range. Several ranges, or a range of a file that has changed, are answered with everything.
fn asked(headers: &HeaderMap, served: &ServedFile) -> RequestedBytes {
    let unchanged = single(headers, IF_RANGE).is_none_or(|tag| tag == served.tag);
    let range = if unchanged { single(headers, RANGE) } else { None };
    let Some((first, last)) = range.and_then(|range| range.strip_prefix("bytes=")?.split_once('-')) else {
        return RequestedBytes::All;
    };
    let len = served.len;
    let range = match (first.trim().parse::<u64>(), last.trim().parse::<u64>()) {
        (Ok(first), Ok(last)) if first <= last => first..last.saturating_add(1).min(len),
        (Ok(first), Err(_)) if last.trim().is_empty() => first..len,
        (Err(_), Ok(last)) if first.trim().is_empty() => len.saturating_sub(last)..len,
        _ => return RequestedBytes::All,
    };
    if range.start < range.end { RequestedBytes::Range(range) } else { RequestedBytes::Impossible }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(range: Option<&str>, if_range: Option<&str>) -> RequestedBytes {
        let (content, name) = (FileSource::Underway(Content::File("".into())), String::new());
        let served = ServedFile { content, name, len: 1000, grows: false, tag: "\"now\"".into() };
        let mut headers = HeaderMap::new();
        for (name, value) in [(RANGE, range), (IF_RANGE, if_range)] {
            if let Some(value) = value {
                put(&mut headers, name.clone(), value);
            }
        }
        asked(&headers, &served)
    }

    #[test]
    fn ranges_are_those_that_were_asked_for() {
        for (range, expected) in [
            ("bytes=0-0", RequestedBytes::Range(0..1)),
            ("bytes=10-19", RequestedBytes::Range(10..20)),
            ("bytes=990-5000", RequestedBytes::Range(990..1000)),
            ("bytes=990-", RequestedBytes::Range(990..1000)),
            ("bytes=-10", RequestedBytes::Range(990..1000)),
            ("bytes=-5000", RequestedBytes::Range(0..1000)),
            ("bytes=1000-", RequestedBytes::Impossible),
            ("bytes=-0", RequestedBytes::Impossible),
            ("bytes=20-10", RequestedBytes::All),
            ("bytes=0-1,5-6", RequestedBytes::All),
            ("bytes=-", RequestedBytes::All),
            ("lines=1-2", RequestedBytes::All),
        ] {
            assert_eq!(ask(Some(range), None), expected, "{range}");
        }
        assert_eq!(ask(None, None), RequestedBytes::All);
    }

    #[test]
    fn a_range_of_what_has_changed_is_answered_with_everything() {
        assert_eq!(ask(Some("bytes=1-2"), Some("\"now\"")), RequestedBytes::Range(1..3));
        assert_eq!(ask(Some("bytes=1-2"), Some("\"before\"")), RequestedBytes::All);
    }
}
