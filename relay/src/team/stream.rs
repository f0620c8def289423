//! The stream that carries recordings from rigs to the archive.

use std::future::Future;
use std::time::Duration;

use anyhow::{anyhow, bail};
use async_nats::jetstream::context::{CreateStreamError, CreateStreamErrorKind};
use async_nats::jetstream::stream::{
    Config, DiscardPolicy, Info, LastRawMessageErrorKind, RetentionPolicy, StorageType, Stream as NatsStream,
};
use async_nats::jetstream::{self, ErrorCode};

use super::connection::Connection;
use super::hub::Hub;
use super::subject;

/// The stream's name.
const NAME: &str = "REC";
/// Every request has its own deadline: after a hub's loss NATS answers with silence.
pub(super) const DEADLINE: Duration = Duration::from_secs(3);
/// Largest message, with its headers.
const MOST_MESSAGE: i32 = 512 << 10;

/// The stream.
#[derive(Clone)]
pub(super) struct Stream(pub(super) NatsStream);

/// The last message of a subject.
pub(super) struct LastMessage {
    pub(super) sequence: u64,
    pub(super) headers: async_nats::HeaderMap,
    pub(super) payload: Vec<u8>,
}

/// What a stream has to be.
fn config(hub: &Hub) -> Config {
    Config {
        name: NAME.to_owned(),
        subjects: vec![subject::ALL_RECORDED.to_owned()],
        storage: StorageType::File,
        // A full stream makes rigs wait.
        discard: DiscardPolicy::New,
        max_bytes: i64::try_from(hub.store_bytes).unwrap_or(i64::MAX),
        max_message_size: MOST_MESSAGE,
        num_replicas: hub.replicas(),
        ..Config::default()
    }
}

/// No answer in time: the server may have one later.
#[derive(Debug)]
pub(super) struct Silence;

impl std::fmt::Display for Silence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the server does not answer")
    }
}

impl std::error::Error for Silence {}

/// Awaits an answer for as long as one may take.
pub(super) async fn answered<T, E: Into<anyhow::Error>>(
    asked: impl Future<Output = Result<T, E>>,
) -> anyhow::Result<T> {
    match tokio::time::timeout(DEADLINE, asked).await {
        Ok(answer) => answer.map_err(Into::into),
        Err(_) => Err(Silence.into()),
    }
}

impl Stream {
    /// Opens the stream, which is made if there is none.
    pub(super) async fn open(connection: &Connection, hub: &Hub) -> anyhow::Result<Self> {
        let mut context = jetstream::new(connection.client.clone());
        context.set_timeout(DEADLINE);
        let wanted = config(hub);
        let opened = answered(context.get_or_create_stream(wanted.clone())).await;
        let stream = opened.map_err(|error| in_words(&error))?;
        check(&stream.cached_info().config, &wanted)?;
        Ok(Self(stream))
    }

    /// The stream's present state.
    pub(super) async fn info(&self) -> anyhow::Result<Info> {
        answered(self.0.get_info()).await
    }

    /// The last message of a subject, if there is one.
    pub(super) async fn last_of(&self, subject: &str) -> anyhow::Result<Option<LastMessage>> {
        let asked = async {
            match self.0.get_last_raw_message_by_subject(subject).await {
                Ok(message) => Ok(Some(message)),
                Err(error) if matches!(error.kind(), LastRawMessageErrorKind::NoMessageFound) => Ok(None),
                Err(error) => Err(error),
            }
        };
        let found = answered(asked).await?;
        Ok(found.map(|message| LastMessage {
            sequence: message.sequence,
            headers: message.headers,
            payload: message.payload.into(),
        }))
    }

    /// When the message with a sequence was stored, nanoseconds since 1970; `None` where there is none.
    pub(super) async fn time_of(&self, sequence: u64) -> anyhow::Result<Option<i128>> {
        let asked = async {
            match self.0.get_raw_message(sequence).await {
                Ok(message) => Ok(Some(message.time.unix_timestamp_nanos())),
                Err(error) if matches!(error.kind(), LastRawMessageErrorKind::NoMessageFound) => Ok(None),
                Err(error) => Err(error),
            }
        };
        answered(asked).await
    }

    /// Removes all messages before a sequence.
    pub(super) async fn purge_before(&self, sequence: u64) -> anyhow::Result<()> {
        answered(self.0.purge().sequence(sequence).into_future()).await.map(drop)
    }

    /// Removes all messages of a subject.
    pub(super) async fn purge_subject(&self, subject: &str) -> anyhow::Result<()> {
        answered(self.0.purge().filter(subject).into_future()).await.map(drop)
    }
}

fn in_words(error: &anyhow::Error) -> anyhow::Error {
    let off = [ErrorCode::JETSTREAM_NOT_ENABLED, ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT];
    match error.downcast_ref::<CreateStreamError>().map(CreateStreamError::kind) {
        Some(CreateStreamErrorKind::JetStreamUnavailable) => without_jetstream(),
        Some(CreateStreamErrorKind::JetStream(error)) if off.contains(&error.error_code()) => {
            without_jetstream()
        }
        // As long as three servers have no leader.
        Some(CreateStreamErrorKind::JetStream(error)) if error.code() == 503 => Silence.into(),
        Some(CreateStreamErrorKind::TimedOut) => Silence.into(),
        Some(CreateStreamErrorKind::JetStream(error)) => {
            anyhow!("the server makes no stream for recordings: {error}. Is its disk full?")
        }
        None if error.is::<Silence>() => Silence.into(),
        _ => anyhow!("the server does not answer: {error}"),
    }
}

fn without_jetstream() -> anyhow::Error {
    anyhow!("nats-server runs without JetStream: start it with the configuration in the hub's folder")
}

/// Refuses a stream of another shape, in words.
fn check(found: &Config, wanted: &Config) -> anyhow::Result<()> {
    let differs = [
        ("subjects", found.subjects != wanted.subjects),
        ("storage", found.storage != wanted.storage),
        ("discard", found.discard != wanted.discard || found.discard_new_per_subject),
        ("retention", found.retention != RetentionPolicy::Limits),
        ("max_age", !found.max_age.is_zero()),
        ("max_msgs", found.max_messages > 0 || found.max_messages_per_subject > 0),
        ("max_msg_size", (0..wanted.max_message_size).contains(&found.max_message_size)),
        ("sealed", found.sealed || found.deny_purge),
        ("no_ack", found.no_ack),
        (
            "mirror",
            found.mirror.is_some() || found.sources.as_ref().is_some_and(|sources| !sources.is_empty()),
        ),
        ("republish", found.republish.is_some() || found.subject_transform.is_some()),
    ];
    let names: Vec<&str> =
        differs.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect();
    if names.is_empty() {
        return Ok(());
    }
    bail!(
        "the server has a stream {NAME} that is not Trailbrake's ({}): remove it, or give Trailbrake a server of its own",
        names.join(", ")
    )
}
