//! Asks the hub where to go on, and sends it ranges of files: one message at a time.

use std::time::Instant;

use async_nats::jetstream::{ErrorCode, response::Response};
use async_nats::{Message, Request, RequestErrorKind};
use axum::body::Bytes;
use serde::Deserialize;
use trailbrake_shared::recording::RecordingId;

use super::acknowledgements::Acknowledgements;
use super::answer::{Answer, TailQuestion};
use super::connection::Connection;
use super::json_message::JsonMessage as _;
use super::message::FileRange;
use super::rig_name::RigName;
use super::stream::DEADLINE;
use super::subject;
use crate::clock::Clock;

/// Sends with one connection.
pub(super) struct Sender {
    pub(super) connection: Connection,
    rig: RigName,
    clock: Clock,
    acknowledgements: Acknowledgements,
    /// The hub's clock minus this one's, and how wrong that may be, microseconds.
    pub(super) clock_offset: Option<(i64, u64)>,
}

/// Why something could not be sent. After each of these the rig asks again where to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unsent {
    /// No answer in time.
    Silence,
    /// Nobody listens: the archive does not run, or the stream has no leader at the moment.
    NobodyThere,
    /// The stream has another last message than this rig knows.
    OutOfOrder,
    /// The stream is full.
    Full,
    /// The hub refuses, in its own words.
    Refused(String),
}

impl Unsent {
    /// What a driver reads.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Silence | Self::OutOfOrder => "the hub does not answer".to_owned(),
            Self::NobodyThere => "the hub's archive does not run at the moment".to_owned(),
            Self::Full => "the hub's store is full: its owner has to make room".to_owned(),
            Self::Refused(words) => format!("the hub refuses: {words}"),
        }
    }
}

/// What a server answers when it stored a message.
#[derive(Deserialize)]
struct Acknowledgement {
    seq: u64,
}

impl Sender {
    pub(super) fn new(connection: Connection, rig: RigName, clock: Clock) -> Self {
        let acknowledgements = Acknowledgements::default();
        Self { connection, rig, clock, acknowledgements, clock_offset: None }
    }

    /// Whether the hub's answers come in time.
    pub(super) fn acknowledgements(&self) -> Acknowledgements {
        self.acknowledgements.clone()
    }

    /// Asks where to go on with a recording.
    pub(super) async fn ask(&mut self, id: RecordingId) -> Result<Answer, Unsent> {
        let (begun, asked) = (Instant::now(), self.clock.now());
        let answer = self.request(subject::have(&self.rig, id), Request::new()).await?;
        let answer = Answer::read(&answer.payload)
            .ok_or_else(|| Unsent::Refused("it speaks another language".to_owned()))?;
        let took = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        let error = took / 2;
        // The quickest answer says most about the clocks.
        if self.clock_offset.is_none_or(|(_, before)| error <= before) {
            let here = asked.0.saturating_add(error);
            let offset = i64::try_from(i128::from(answer.now) - i128::from(here)).unwrap_or_default();
            self.clock_offset = Some((offset, error));
        }
        Ok(answer)
    }

    /// Asks for the tail of a finished recording at the hub, from a byte of the file on; `None` where it has none.
    pub(super) async fn ask_for_tail(
        &mut self,
        id: RecordingId,
        tail_from: u64,
    ) -> Result<Option<(FileRange, Bytes)>, Unsent> {
        let question = Request::new().payload(TailQuestion { tail_from }.text().into());
        let answer = self.request(subject::have(&self.rig, id), question).await?;
        let range = FileRange::of(answer.headers.as_ref(), &answer.payload);
        Ok(range.ok().map(|range| (range, answer.payload)))
    }

    /// Sends a range of a recording; returns the sequence that the stream gave it.
    pub(super) async fn send(
        &mut self,
        id: RecordingId,
        range: &FileRange,
        payload: Vec<u8>,
        expected: u64,
    ) -> Result<u64, Unsent> {
        let request = Request::new().headers(range.headers(expected)).payload(payload.into());
        let answer = self.request(subject::recorded(&self.rig, id), request).await?;
        match serde_json::from_slice::<Response<Acknowledgement>>(&answer.payload) {
            Ok(Response::Ok(acknowledged)) => Ok(acknowledged.seq),
            Ok(Response::Err { error }) => Err(match error.error_code() {
                ErrorCode::STREAM_WRONG_LAST_SEQUENCE | ErrorCode::STREAM_WRONG_LAST_SEQUENCE_CONSTANT => {
                    Unsent::OutOfOrder
                }
                ErrorCode::STREAM_STORE_FAILED | ErrorCode::INSUFFICIENT_RESOURCES => Unsent::Full,
                _ => Unsent::Refused(error.to_string()),
            }),
            Err(_) => Err(Unsent::Refused("it speaks another language".to_owned())),
        }
    }

    /// Reports of this rig, which nobody answers.
    pub(super) async fn report(&self, report: Vec<u8>) {
        let sent = self.connection.client.publish(subject::rig(&self.rig), report.into());
        // While the connection is lost, the next report comes soon.
        let _ = tokio::time::timeout(DEADLINE, sent).await;
    }

    async fn request(&self, subject: String, request: Request) -> Result<Message, Unsent> {
        let _awaited = self.acknowledgements.awaits();
        let asked = self.connection.client.send_request(subject, request.timeout(Some(DEADLINE)));
        match tokio::time::timeout(DEADLINE, asked).await {
            Ok(Ok(message)) => Ok(message),
            Ok(Err(error)) if error.kind() == RequestErrorKind::NoResponders => Err(Unsent::NobodyThere),
            Ok(Err(_)) | Err(_) => Err(Unsent::Silence),
        }
    }
}
