//! Requests to the relay whose failure the page shows.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::Library;
use crate::browser;
use crate::http::{self, Request};
use crate::jobs::RunningJob;

/// Interval of progress requests to the relay, in milliseconds.
const SHARES_MS: i32 = 300;

/// Sends a request to the relay. Calls `done` with the answer, or shows why there is none.
pub(super) fn request(
    library: Library,
    method: &'static str,
    path: String,
    body: Option<String>,
    done: impl FnOnce(String) + 'static,
) {
    spawn_local(async move {
        match http::ask(method, &path, body.as_deref()).await {
            Ok(answer) => done(answer),
            Err(failed) => {
                library.toasts.say(failed.words(), false);
                library.refresh();
            }
        }
    });
}

/// Sends a long request to the relay, as a job that shows progress and can be cancelled. Calls `done` with the
/// answer.
pub(super) fn long_request(
    library: Library,
    job: RunningJob,
    path: &str,
    body: Option<String>,
    done: impl FnOnce(String) + 'static,
) {
    let Some(request) = Request::open("POST", path) else { return job.finish() };
    let abort = request.clone();
    job.on_cancel(move || {
        abort.abort();
        library.repairing.set(None);
    });
    show_share(job, path.to_owned());
    spawn_local(async move {
        let answer = http::complete(&request, body.as_deref()).await;
        // The relay stops when the request is aborted.
        if !job.is_wanted() {
            return library.refresh();
        }
        match answer {
            Ok(answer) => {
                job.finish();
                done(answer);
            }
            Err(failed) => {
                job.fail(failed.words());
                library.repairing.set(None);
                library.refresh();
            }
        }
    });
}

/// Shows the relay's progress until the job ends.
fn show_share(job: RunningJob, path: String) {
    spawn_local(async move {
        loop {
            browser::pause(SHARES_MS).await;
            if !job.is_wanted() {
                return;
            }
            // If the relay does not answer, the job's own request fails too and says why.
            let Ok(answer) = http::ask("GET", &path, None).await else { return };
            if let Ok(share) = answer.trim().parse() {
                job.reached(share);
            }
        }
    });
}
