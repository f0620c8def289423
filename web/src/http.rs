//! Requests to the relay over HTTP.
//!
//! Requests use `XMLHttpRequest`, since `fetch` does not report the progress of uploads.

use js_sys::{JSON, Object, Promise, Reflect};
use trailbrake_shared::library::Listing;
use trailbrake_shared::settings::Problem;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{ProgressEvent, XmlHttpRequest};

use crate::browser;
use crate::text::words::sentence;

/// A response; the status is 0 if there was none.
pub(crate) struct Answer {
    status: u16,
    body: String,
}

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failed {
    /// No relay answers: it may have stopped.
    Silent,
    /// The server is not Trailbrake's relay.
    Stranger,
    /// The relay refused, with its reason.
    Refused(String),
}

/// Parses the relay's list of recordings. A body of another form means that the server is not a relay.
pub(crate) fn listing(answer: Result<String, Failed>) -> Result<Listing, Failed> {
    serde_json::from_str(&answer?).map_err(|_| Failed::Stranger)
}

/// A request that can be aborted.
#[derive(Clone)]
pub(crate) struct Request(XmlHttpRequest);

/// The JSON of an object with these values.
pub(crate) fn json(values: &[(&str, JsValue)]) -> String {
    JSON::stringify(&object(values)).map(String::from).unwrap_or_default()
}

/// A JavaScript object with these values.
pub(crate) fn object(values: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in values {
        // A plain object accepts every property.
        let _ = Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object.into()
}

/// Sends a request and returns the response's body. The request's body is JSON.
pub(crate) async fn ask(method: &str, path: &str, body: Option<&str>) -> Result<String, Failed> {
    if !browser::home().has_relay() {
        return Err(Failed::Stranger);
    }
    complete(&Request::open(method, path).ok_or(Failed::Silent)?, body).await
}

/// Asks a team's hub for something that is no rig's.
pub(crate) async fn ask_hub(path: &str) -> Result<String, Failed> {
    complete(&Request::to("GET", path).ok_or(Failed::Silent)?, None).await
}

/// The address of a path at the relay; a name without a path is that of one of the page's own files.
pub(crate) fn address(path: &str) -> String {
    if path.starts_with('/') { browser::home().path(path) } else { path.to_owned() }
}

/// Like [`ask`], for a request that the caller may abort.
pub(crate) async fn complete(request: &Request, body: Option<&str>) -> Result<String, Failed> {
    request.send(body.map(JsValue::from_str)).await.content()
}

/// The text of one of the page's own files.
pub(crate) async fn page_file(name: &str) -> Result<String, Failed> {
    let request = Request::open("GET", name).ok_or(Failed::Silent)?;
    request.send(None).await.content()
}

/// Uploads a file; `gone` is called with the number of bytes sent so far.
pub(crate) async fn send_file(
    request: &Request,
    file: &web_sys::File,
    gone: impl Fn(u64) + 'static,
) -> Result<String, Failed> {
    let on_progress =
        Closure::<dyn Fn(ProgressEvent)>::new(move |event: ProgressEvent| gone(event.loaded() as u64));
    if let Ok(upload) = request.0.upload() {
        upload.set_onprogress(Some(on_progress.as_ref().unchecked_ref()));
    }
    request.send(Some(file.clone().into())).await.content()
}

impl Request {
    /// Makes a request without sending it; `None` if the browser refuses.
    pub(crate) fn open(method: &str, path: &str) -> Option<Self> {
        Self::to(method, &address(path))
    }

    fn to(method: &str, address: &str) -> Option<Self> {
        let request = XmlHttpRequest::new().ok()?;
        request.open(method, address).ok()?;
        if method != "GET" {
            // Proves to the relay that its own page sends this: browsers send the header from no other site without
            // asking the relay first.
            request.set_request_header("x-trailbrake", "page").ok()?;
        }
        Some(Self(request))
    }

    /// Aborts the request: its future then returns [`Failed::Silent`].
    pub(crate) fn abort(&self) {
        let _ = self.0.abort();
    }

    async fn send(&self, body: Option<JsValue>) -> Answer {
        let request = &self.0;
        let ended = Promise::new(&mut |ended, _| request.set_onloadend(Some(&ended)));
        let sent = match &body {
            Some(body) => match body.as_string() {
                Some(text) => request.send_with_opt_str(Some(&text)),
                None => request.send_with_opt_blob(Some(body.unchecked_ref())),
            },
            None => request.send(),
        };
        if sent.is_ok() {
            // The promise is never rejected.
            let _ = JsFuture::from(ended).await;
        }
        Answer {
            status: request.status().unwrap_or_default(),
            body: request.response_text().ok().flatten().unwrap_or_default(),
        }
    }
}

impl Answer {
    /// The body of a successful response, or why the request failed.
    fn content(self) -> Result<String, Failed> {
        let refusal = self.body.trim();
        match self.status {
            200..=299 => Ok(self.body),
            0 | 502..=504 => Err(Failed::Silent),
            422 if let Some(words) = problem_words(refusal) => Err(Failed::Refused(words)),
            // The relay's reasons are one line of plain text; other servers send whole pages.
            _ if !refusal.is_empty() && !refusal.contains(['<', '\n']) => {
                Err(Failed::Refused(sentence(refusal)))
            }
            _ => Err(Failed::Stranger),
        }
    }
}

/// The problems of refused settings, as sentences; `None` if the body is not a list of problems.
fn problem_words(refusal: &str) -> Option<String> {
    let problems: Vec<Problem> = serde_json::from_str(refusal).ok()?;
    Some(problems.into_iter().map(|problem| problem.words).collect::<Vec<_>>().join(" "))
}

impl Failed {
    /// The reason in a driver's words.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Silent => "The relay does not answer. Is it still running?".to_owned(),
            Self::Stranger => "No Trailbrake answers at this address.".to_owned(),
            Self::Refused(words) => words.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(status: u16, body: &str, expected: Result<&str, Failed>) {
        let answer = Answer { status, body: body.to_owned() };
        assert_eq!(answer.content(), expected.map(str::to_owned), "{status} {body:?}");
    }

    #[test]
    fn an_answer_is_read_refused_or_nobody_s() {
        check(200, "{}", Ok("{}"));
        check(201, "", Ok(""));
        check(0, "", Err(Failed::Silent));
        check(
            404,
            "there is no such recording\n",
            Err(Failed::Refused("There is no such recording.".into())),
        );
        check(404, "<html><body>Not found</body></html>", Err(Failed::Stranger));
        let problems = r#"[{"setting":"forward","words":"They would come back."}]"#;
        check(422, problems, Err(Failed::Refused("They would come back.".into())));
        check(422, "not laps\n", Err(Failed::Refused("Not laps.".into())));
        check(405, "", Err(Failed::Stranger));
        check(503, "", Err(Failed::Silent));
    }
}
