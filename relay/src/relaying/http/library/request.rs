//! Ids and bodies of requests about recordings.

use axum::body::Bytes;
use serde::de::DeserializeOwned;
use trailbrake_shared::recording::RecordingId;

use crate::library::Refusal;

pub(super) fn parse_id(id: &str) -> Result<RecordingId, Refusal> {
    RecordingId::read(id).ok_or(Refusal::NotThere)
}

pub(in crate::relaying::http) fn parse_body<T: DeserializeOwned>(body: &Bytes) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::Wrong(format!("that is not understood: {error}")))
}
