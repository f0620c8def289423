//! Sets a game up by its own files, for the owner.

use axum::Router;
use axum::body::Bytes;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use tower_http::limit::RequestBodyLimitLayer;
use trailbrake_shared::games::{FilesPlan, FilesRequest};

use super::json::json;
use super::owner::owner_only;
use super::site::Site;
use crate::feed_name::FeedName;
use crate::game_setup::GameSetup;

/// Most bytes of a request: it has what the driver read.
const BODY_BYTES: usize = 64 << 10;
/// What a driver reads who agreed with something else.
const CHANGED: &str = "The game's files have changed since you looked. Nothing was written: look again.";

/// The route. It writes only what its request says that the driver read.
pub(super) fn routes() -> Router<Site> {
    let setup = post(set_up).layer(from_fn(owner_only));
    Router::new().route("/game-files/{feed}", setup).layer(RequestBodyLimitLayer::new(BODY_BYTES))
}

async fn set_up(Path(FeedName(feed)): Path<FeedName>, body: Bytes) -> Response {
    let request: FilesRequest = match serde_json::from_slice(&body) {
        Ok(request) => request,
        Err(error) => {
            return (StatusCode::BAD_REQUEST, format!("that is not understood: {error}\n")).into_response();
        }
    };
    let setup = GameSetup { feed, folder: None, address: None, port: request.port, undo: request.undo };
    // Files of a game may be on a slow disk.
    let answer = tokio::task::spawn_blocking(move || write_agreed(&setup, request.agreed.as_deref())).await;
    match answer.unwrap_or_else(|error| Err(error.into())) {
        Ok(plan) => json(StatusCode::OK, &plan),
        Err(error) => (StatusCode::CONFLICT, format!("{error:#}\n")).into_response(),
    }
}

/// Writes what was agreed with, if it is what would be written; returns what is to do, or what was done.
fn write_agreed(setup: &GameSetup, agreed: Option<&str>) -> anyhow::Result<FilesPlan> {
    let plan = setup.plan()?;
    match agreed {
        None => Ok(FilesPlan { words: plan.words().to_owned(), is_done: plan.is_done() }),
        Some(agreed) if agreed == plan.words() => Ok(FilesPlan { words: plan.carry_out()?, is_done: true }),
        Some(_) => anyhow::bail!(CHANGED),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use trailbrake_shared::feed::Feed;

    use super::*;
    use crate::game_setup::tests::{CONFIG, game};

    #[test]
    fn only_what_the_driver_read_is_written() {
        let folder = game(3);
        let config = folder.path().join("config.json");
        let setup = |undo| GameSetup {
            feed: Feed::EaWrc,
            folder: Some(folder.path().to_owned()),
            address: None,
            port: None,
            undo,
        };
        let plan = write_agreed(&setup(false), None).expect("a plan");
        assert!(plan.words.contains("session_update") && !plan.is_done, "{plan:?}");
        let other = write_agreed(&setup(false), Some("something else")).expect_err("a reason");
        assert!(other.to_string().contains("look again"), "{other}");
        assert_eq!(fs::read_to_string(&config).expect("a file"), CONFIG);

        // The driver changes the file between reading and agreeing.
        fs::write(&config, CONFIG.replace("\"structure\": \"wrc\"", "\"structure\": \"trailbrake\""))
            .expect("a file");
        assert!(write_agreed(&setup(true), Some(&plan.words)).is_err());
        fs::write(&config, CONFIG).expect("a file");

        let done = write_agreed(&setup(false), Some(&plan.words)).expect("done");
        assert!(done.words.contains("Kept as it was") && done.is_done, "{done:?}");
        assert_ne!(fs::read_to_string(&config).expect("a file"), CONFIG);
        assert!(write_agreed(&setup(false), None).expect("a plan").is_done);
        let undo = write_agreed(&setup(true), None).expect("a plan");
        assert!(!undo.is_done);
        write_agreed(&setup(true), Some(&undo.words)).expect("done");
        assert_eq!(fs::read_to_string(&config).expect("a file"), CONFIG);
    }
}
