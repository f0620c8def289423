//! Serves the web app's files.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::folder;

/// An embedded file: its path, its bytes, and its compressed bytes.
type Embedded = (&'static str, &'static [u8], Option<&'static [u8]>);

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The viewer as one file.
const VIEWER: &str = "viewer.html";

/// The viewer as one file, with room for recordings; `None` if the program was built without the page.
pub(crate) fn viewer_file() -> Option<&'static str> {
    let (_, plain, _) = EMBEDDED.iter().find(|(path, ..)| *path == VIEWER)?;
    std::str::from_utf8(plain).ok()
}

/// The folder of the app's parts that are loaded when they are needed. Their names change with their content.
const PARTS: &str = "parts/";

/// Where the page's head begins.
#[cfg(feature = "team")]
const HEAD: &str = "<meta charset=\"utf-8\">";

/// Content types by file extension.
const TYPES: &[(&str, &str)] = &[
    ("html", "text/html; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("json", "application/json"),
    ("webmanifest", "application/manifest+json"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("woff2", "font/woff2"),
    ("mp4", "video/mp4"),
    ("webm", "video/webm"),
    ("txt", "text/plain; charset=utf-8"),
];

/// The web app, or the placeholder for it.
#[derive(Debug, Default)]
pub(crate) struct Page(BTreeMap<String, File>);

#[derive(Debug)]
struct File {
    content_type: &'static str,
    caching: &'static str,
    plain: PageFile,
    gzip: Option<PageFile>,
}

/// Content, and the ETag by which a browser knows that it has it already.
#[derive(Debug)]
struct PageFile {
    bytes: Bytes,
    tag: HeaderValue,
}

impl Page {
    /// The embedded page, whose head says that it belongs to a hub.
    #[cfg(feature = "team")]
    pub(crate) fn of_hub() -> Self {
        let mut page = Self::embedded();
        let first = page.0.get("index.html").map(|file| file.plain.bytes.clone()).unwrap_or_default();
        if let Ok(first) = std::str::from_utf8(&first) {
            let head = [HEAD, "\n  <meta name=\"trailbrake-team\" content=\"hub\">"].concat();
            let first = Bytes::from(first.replacen(HEAD, &head, 1));
            page.0.insert("index.html".to_owned(), File::new("index.html", first, None));
        }
        page
    }

    /// The embedded page.
    pub(crate) fn embedded() -> Self {
        let file = |&(path, plain, gzip): &Embedded| {
            (path.to_owned(), File::new(path, Bytes::from_static(plain), gzip.map(Bytes::from_static)))
        };
        Self(EMBEDDED.iter().map(file).collect())
    }

    /// The page in a folder, as it is at this moment.
    pub(crate) fn read(folder: &Path) -> io::Result<Self> {
        let mut files = BTreeMap::new();
        for file in folder::files(folder)? {
            let plain = fs::read(&file.plain)?.into();
            let gzip = file.gzip.map(fs::read).transpose()?.map(Bytes::from);
            files.insert(file.path.clone(), File::new(&file.path, plain, gzip));
        }
        Ok(Self(files))
    }

    /// Whether the other page has identical files.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let tags = |page: &Self| -> Vec<(String, HeaderValue)> {
            page.0.iter().map(|(path, file)| (path.clone(), file.plain.tag.clone())).collect()
        };
        tags(self) == tags(other)
    }

    /// Answers a request for a path.
    pub(crate) fn answer(&self, path: &str, asked: &HeaderMap) -> Response {
        let path = match path.trim_start_matches('/') {
            "" => "index.html",
            path => path,
        };
        match self.0.get(path) {
            Some(file) => file.answer(asked),
            None => (StatusCode::NOT_FOUND, "There is nothing at this address.\n").into_response(),
        }
    }
}

impl File {
    fn new(path: &str, plain: Bytes, gzip: Option<Bytes>) -> Self {
        let end = path.rsplit_once('.').map(|(_, end)| end).unwrap_or_default();
        let known = TYPES.iter().find(|(known, _)| *known == end);
        let content_type = known.map_or("application/octet-stream", |(_, name)| *name);
        let caching = match path.starts_with(PARTS) {
            true => "max-age=31536000, immutable",
            // Browsers may keep a file, but ask each time whether it has changed.
            false => "no-cache",
        };
        Self { content_type, caching, plain: PageFile::new(plain), gzip: gzip.map(PageFile::new) }
    }

    fn answer(&self, asked: &HeaderMap) -> Response {
        let (tagged, encoding) = match &self.gzip {
            Some(gzip) if takes_gzip(asked) => (gzip, Some("gzip")),
            _ => (&self.plain, None),
        };
        let mut answer = if has_already(asked, &tagged.tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let mut whole = Body::from(tagged.bytes.clone()).into_response();
            whole.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
            if let Some(encoding) = encoding {
                whole.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
            }
            whole
        };
        let headers = answer.headers_mut();
        headers.insert(ETAG, tagged.tag.clone());
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(self.caching));
        answer
    }
}

impl PageFile {
    fn new(bytes: Bytes) -> Self {
        let tag = format!("\"{:08x}-{:x}\"", crc32fast::hash(&bytes), bytes.len());
        let tag = HeaderValue::from_str(&tag).unwrap_or_else(|_| HeaderValue::from_static("\"\""));
        Self { bytes, tag }
    }
}

fn takes_gzip(asked: &HeaderMap) -> bool {
    let listed = asked.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    listed.flat_map(|value| value.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let refused =
            parts.any(|part| part.strip_prefix("q=").is_some_and(|weight| weight.parse() == Ok(0.0)));
        name.eq_ignore_ascii_case("gzip") && !refused
    })
}

fn has_already(asked: &HeaderMap, tag: &HeaderValue) -> bool {
    let listed = asked.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    listed.flat_map(|value| value.split(',')).any(|one| {
        let one = one.trim();
        one == "*" || one.strip_prefix("W/").unwrap_or(one).as_bytes() == tag.as_bytes()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        let file = File::new("app.js", Bytes::from_static(b"plain"), Some(Bytes::from_static(b"packed")));
        let first = File::new("index.html", Bytes::from_static(b"<!doctype html>"), None);
        let part = File::new("parts/a-1.wasm", Bytes::from_static(b"part"), None);
        let files = [("app.js", file), ("index.html", first), ("parts/a-1.wasm", part)];
        Page(files.map(|(path, file)| (path.to_owned(), file)).into())
    }

    fn ask(path: &str, headers: &[(&'static str, &str)]) -> Response {
        let headers = headers.iter().map(|(name, value)| {
            let value = HeaderValue::from_str(value).expect("a value");
            (axum::http::HeaderName::from_static(name), value)
        });
        page().answer(path, &headers.collect())
    }

    fn header<'a>(answer: &'a Response, name: &str) -> Option<&'a str> {
        answer.headers().get(name).and_then(|value| value.to_str().ok())
    }

    #[test]
    fn the_compressed_copy_goes_to_those_who_take_it() {
        for (accepted, encoding) in [
            ("gzip, deflate, br", Some("gzip")),
            ("br, GZIP;q=0.5", Some("gzip")),
            ("gzip;q=0", None),
            ("br", None),
            ("", None),
        ] {
            let answer = ask("/app.js", &[("accept-encoding", accepted)]);
            assert_eq!(answer.status(), StatusCode::OK);
            assert_eq!(header(&answer, "content-encoding"), encoding, "{accepted:?}");
            assert_eq!(header(&answer, "content-type"), Some("text/javascript; charset=utf-8"));
        }
        let answer = ask("/", &[("accept-encoding", "gzip")]);
        assert_eq!(header(&answer, "content-encoding"), None);
        assert_eq!(header(&answer, "content-type"), Some("text/html; charset=utf-8"));
    }

    #[test]
    fn what_a_browser_has_is_not_sent_again() {
        let plain = ask("/app.js", &[]);
        let tag = header(&plain, "etag").expect("a tag").to_owned();
        for known in [tag.as_str(), &format!("\"other\", {tag}"), &format!("W/{tag}"), "*"] {
            let again = ask("/app.js", &[("if-none-match", known)]);
            assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{known}");
            assert_eq!(header(&again, "etag"), Some(tag.as_str()));
        }
        let packed = ask("/app.js", &[("if-none-match", &tag), ("accept-encoding", "gzip")]);
        assert_eq!(packed.status(), StatusCode::OK, "the compressed copy is another thing with another tag");
    }

    #[test]
    fn only_what_changes_its_name_is_kept_without_asking() {
        for (path, caching) in
            [("/", "no-cache"), ("/app.js", "no-cache"), ("/parts/a-1.wasm", "max-age=31536000, immutable")]
        {
            assert_eq!(header(&ask(path, &[]), "cache-control"), Some(caching), "{path}");
        }
    }

    #[test]
    fn only_the_pages_own_paths_exist() {
        for path in ["/nothing", "/../Cargo.toml", "/app.js.gz", "/app.js/"] {
            assert_eq!(ask(path, &[]).status(), StatusCode::NOT_FOUND, "{path}");
        }
    }

    #[test]
    fn the_program_holds_a_page() {
        assert_eq!(Page::embedded().answer("/", &HeaderMap::new()).status(), StatusCode::OK);
    }
}
