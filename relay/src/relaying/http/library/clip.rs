//! Laps of a recording as one of their own.

use std::sync::Arc;

use super::request::{named, understood};
use super::response::{ended_just_now, json};
use super::service::Counter;
use crate::library::Refusal;
use crate::relaying::http::site::Site;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use trailbrake_shared::library::{Entry, Excerpt};
use trailbrake_shared::recording::RecordingId;

/// Makes a new recording, which stands on the shelf once it has been looked through.
pub(super) async fn clip(State(site): State<Site>, Path(id): Path<String>, body: Bytes) -> Response {
    let clipped = async {
        let (counter, id) = (site.counter()?, named(&id)?);
        take_out(counter, id, understood(&body)?).await
    };
    match clipped.await {
        Ok(entry) => json(StatusCode::CREATED, &entry),
        Err(refusal) => refusal.into_response(),
    }
}

async fn take_out(counter: &Counter, id: RecordingId, excerpt: Excerpt) -> Result<Entry, Refusal> {
    // It comes into the folder as one that is brought does.
    let seats = Arc::clone(&counter.seats);
    let _seat = seats.acquire_owned().await.map_err(|_| ended_just_now())?;
    let now = counter.clock.now();
    if counter.underway(id).is_none() {
        return counter.with_files(move |library| library.clip(id, &excerpt, now)).await;
    }
    let desk = counter.desk.as_ref().ok_or_else(ended_just_now)?;
    let (one, tail) = desk.tail(id).await.ok_or_else(ended_just_now)?;
    counter.with_files(move |library| library.clip_underway(&one, tail, &excerpt, now)).await
}
