//! Runs the archive at a server, and goes on after every loss.

use std::io;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::consumer::pull::{Ordered, OrderedConfig};
use async_nats::{Message, Subscriber};
use futures_util::StreamExt as _;
use tokio::task::{JoinSet, block_in_place};
use tokio::time::MissedTickBehavior;
use trailbrake_shared::recording::RecordingId;

use super::answer::TailQuestion;
use super::archive::{Archive, Place, Wish};
use super::connection::{Connection, Login};
use super::hub_folder::HubFolder;
use super::hub_request::{AgainRequest, HubRequest};
use super::json_message::JsonMessage as _;
use super::nats_server::RunningServer;
use super::position::Position;
use super::rig_name::RigName;
use super::rigs::{ForPages, Rigs};
use super::server_address::ServerAddress;
use super::stream::{Silence, Stream, answered};
use super::subject;
use crate::clock::Clock;
use crate::disk;
use crate::shutdown::Shutdown;
use crate::terminal;

/// How often files are synced.
const SYNC: Duration = Duration::from_millis(500);
/// How often the stream is looked at.
const LOOK: Duration = Duration::from_secs(1);
/// How long a server may take to start.
const STARTING: Duration = Duration::from_secs(20);
/// How long the archive waits after a loss.
const AGAIN: Duration = Duration::from_millis(500);
/// A consumer that delivers nothing for so long although there is something is made again.
const STUCK: Duration = Duration::from_secs(5);
/// Messages that a consumer brings at a time.
const AT_ONCE: i64 = 64;
/// From here on a stream is almost full, in per cent.
const ALMOST_FULL: u64 = 75;

/// The result of a check: of which recording, and what it is.
type Checked = (RigName, RecordingId, io::Result<Result<String, String>>);

/// The archive at work.
struct Serving {
    archive: Archive,
    /// Recordings that are being checked.
    checks: JoinSet<Checked>,
    /// A server that this program started.
    server: Option<RunningServer>,
    folder: HubFolder,
    /// What is wrong, while it is.
    trouble: Option<String>,
}

/// Why reading ends, to begin again.
enum Reading {
    /// From where it was.
    Again,
    /// From the stream's beginning.
    FromBeginning,
    /// The program ends.
    Ended,
}

/// Archives until the end, and lets `rigs` know whose recordings are where. Starts `nats-server` if none runs.
pub(crate) async fn serve(folder: HubFolder, rigs: Rigs, mut shutdown: Shutdown) -> anyhow::Result<()> {
    let clock = Clock::start();
    let archive = block_in_place(|| Archive::open(folder.clone(), rigs, clock))?;
    let login = login(&folder)?;
    terminal::report("Archive", &archive.library().display().to_string());
    let mut serving = Serving { archive, checks: JoinSet::new(), server: None, folder, trouble: None };
    // What is wrong with the set-up ends the program; what goes wrong later passes.
    let mut connection = tokio::select! {
        () = shutdown.wait() => return Ok(()),
        opened = serving.first_connection(&login) => Some(opened?),
    };
    loop {
        let session = async {
            let opened = match connection.take() {
                Some(opened) => opened,
                None => Connection::open(&login).await?,
            };
            serving.session(&opened, &mut shutdown.clone()).await
        };
        match session.await {
            Ok(()) => break,
            Err(error) => serving.report(Some(format!("{error:#}"))),
        }
        tokio::select! {
            () = shutdown.wait() => break,
            () = tokio::time::sleep(AGAIN) => {}
        }
        serving.keep_server()?;
    }
    block_in_place(|| serving.archive.sync()).context("the archive's last bytes are not synced")
}

/// Follows what all rigs report and send to pages, until the end. `take` gets what is for pages.
pub(crate) async fn follow_rigs(
    folder: &HubFolder,
    rigs: Rigs,
    take: impl Fn(&RigName, ForPages) + Send,
    mut shutdown: Shutdown,
) -> anyhow::Result<()> {
    let login = Login { name: "page".to_owned(), ..login(folder)? };
    loop {
        let followed = async {
            // The archive starts the server, and says what is wrong with it.
            if let Ok(connection) = Connection::open(&login).await {
                let _ = rigs.follow(&connection, &take).await;
            }
            tokio::time::sleep(AGAIN).await;
        };
        tokio::select! {
            () = shutdown.wait() => return Ok(()),
            () = followed => {}
        }
    }
}

/// The archive's way in: by loopback where the server is on this machine.
fn login(folder: &HubFolder) -> anyhow::Result<Login> {
    let hub = folder.hub()?;
    let servers = match hub.servers.as_slice() {
        [only] => vec![local(only), only.clone()],
        several => several.to_vec(),
    };
    Ok(Login {
        servers,
        key: folder.archive_key()?,
        authority: folder.authority(&hub)?,
        inbox: "_INBOX".to_owned(),
        name: "archive".to_owned(),
    })
}

/// A server's address on its own machine.
fn local(server: &ServerAddress) -> ServerAddress {
    let loopback = || ServerAddress { host: "127.0.0.1".to_owned(), port: server.port };
    if server.is_loopback() { server.clone() } else { loopback() }
}

/// Whether something answers there.
async fn is_there(server: &ServerAddress) -> bool {
    tokio::net::TcpStream::connect((server.host.as_str(), server.port)).await.is_ok()
}

impl Serving {
    /// Connects, after starting a server where none answers and only one is wanted.
    async fn first_connection(&mut self, login: &Login) -> anyhow::Result<Connection> {
        let hub = self.archive.hub().clone();
        let (begun, several) = (Instant::now(), hub.servers.len() > 1);
        if let [only] = hub.servers.as_slice()
            && !is_there(&local(only)).await
        {
            if let Some(other) = &hub.shares {
                bail!(
                    "no nats-server runs: start the hub whose server this one shares first, with trailbrake team serve {}",
                    other.display()
                );
            }
            self.server = Some(RunningServer::start(&self.folder, &hub)?);
            terminal::report("nats-server", &format!("started for {only}"));
            while !is_there(&local(only)).await {
                if self.server.as_mut().is_none_or(RunningServer::has_ended) || begun.elapsed() > STARTING {
                    bail!(
                        "nats-server does not start: {} says why",
                        self.folder.path().join("nats.log").display()
                    );
                }
                tokio::time::sleep(AGAIN / 10).await;
            }
        }
        loop {
            let opened = async {
                let connection = Connection::open(login).await?;
                Stream::open(&connection, &hub).await.map(|_| connection)
            };
            match opened.await {
                // JetStream is there a moment after the server.
                Err(_) if self.server.is_some() && begun.elapsed() < STARTING => {}
                // Three servers are without a leader until most of them run.
                Err(error) if several && (error.is::<Silence>() || begun.elapsed() < STARTING) => {
                    self.report(Some(format!("{error:#}")));
                }
                opened => return opened,
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Starts a server again that ended by itself.
    fn keep_server(&mut self) -> anyhow::Result<()> {
        if self.server.as_mut().is_some_and(RunningServer::has_ended) {
            self.server = Some(RunningServer::start(&self.folder, self.archive.hub())?);
        }
        Ok(())
    }

    /// Works with one connection; an error is a reason to make another.
    async fn session(&mut self, connection: &Connection, shutdown: &mut Shutdown) -> anyhow::Result<()> {
        let stream = Stream::open(connection, self.archive.hub()).await?;
        let mut questions = answered(connection.client.subscribe(subject::ALL_HAVE)).await?;
        let mut reports = answered(connection.client.subscribe(subject::ALL_RIGS)).await?;
        self.report(None);
        let mut from_beginning = false;
        loop {
            let info = stream.info().await?;
            let position = self.begin(&stream, info.created.unix_timestamp_nanos(), from_beginning).await?;
            let start = position.sequence + 1;
            block_in_place(|| self.archive.go_to(position));
            let config = OrderedConfig {
                deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: start.max(1) },
                max_batch: AT_ONCE,
                ..OrderedConfig::default()
            };
            let consumer = answered(stream.0.create_consumer(config)).await?;
            let messages = answered(consumer.messages()).await?;
            let read =
                self.read(connection, &stream, messages, &mut questions, &mut reports, shutdown).await?;
            match read {
                Reading::Ended => return Ok(()),
                Reading::Again => from_beginning = false,
                Reading::FromBeginning => from_beginning = true,
            }
        }
    }

    /// Where to begin: behind what was taken, if the stream still is what that was taken from.
    async fn begin(&self, stream: &Stream, created: i128, from_beginning: bool) -> anyhow::Result<Position> {
        let nothing = Position { stream: created, ..Position::default() };
        let taken = self.archive.taken_of(created);
        if from_beginning || taken.sequence == 0 {
            return Ok(nothing);
        }
        let state = stream.info().await?.state;
        // A store that came back older lacks the last messages, or has others in their place.
        let is_same = match stream.time_of(taken.sequence).await? {
            Some(time) => time == taken.time,
            None => taken.sequence < state.first_sequence && taken.sequence <= state.last_sequence,
        };
        Ok(if is_same { taken } else { nothing })
    }

    async fn read(
        &mut self,
        connection: &Connection,
        stream: &Stream,
        mut messages: Ordered,
        questions: &mut Subscriber,
        reports: &mut Subscriber,
        shutdown: &mut Shutdown,
    ) -> anyhow::Result<Reading> {
        let losses = connection.losses();
        let (mut sync, mut look) = (tokio::time::interval(SYNC), tokio::time::interval(LOOK));
        sync.set_missed_tick_behavior(MissedTickBehavior::Delay);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut delivered = Instant::now();
        loop {
            tokio::select! {
                () = shutdown.wait() => return Ok(Reading::Ended),
                message = messages.next() => {
                    let Some(Ok(message)) = message else { return Ok(Reading::Again) };
                    delivered = Instant::now();
                    let Ok(info) = message.info() else { continue };
                    let place = Place { sequence: info.stream_sequence, time: info.published.unix_timestamp_nanos() };
                    match self.take(connection, place, &message).await {
                        Ok(true) => {}
                        Ok(false) => return Ok(Reading::FromBeginning),
                        Err(error) => {
                            self.report(Some(disk::trouble(&self.archive.library(), &error)));
                            tokio::time::sleep(LOOK).await;
                            return Ok(Reading::Again);
                        }
                    }
                }
                question = questions.next() => {
                    let Some(question) = question else { bail!("the connection is lost") };
                    self.answer(connection, stream, &question).await?;
                }
                report = reports.next() => {
                    let Some(report) = report else { bail!("the connection is lost") };
                    self.archive.report(&report.subject, &report.payload);
                }
                Some(checked) = self.checks.join_next() => {
                    if let Ok((rig, id, checked)) = checked {
                        self.archive.finish(&rig, id, checked);
                    }
                }
                _ = sync.tick() => {
                    match block_in_place(|| self.archive.sync()) {
                        Ok(()) => self.report(None),
                        Err(error) => self.report(Some(disk::trouble(&self.archive.library(), &error))),
                    }
                }
                _ = look.tick() => {
                    // Messages that came meanwhile are lost for this consumer.
                    if connection.losses() != losses {
                        return Ok(Reading::Again);
                    }
                    let Some(behind) = self.look(stream).await? else { return Ok(Reading::Again) };
                    if behind > 0 && delivered.elapsed() > STUCK {
                        return Ok(Reading::Again);
                    }
                }
            }
        }
    }

    /// Takes a message; returns whether reading goes on.
    async fn take(&mut self, connection: &Connection, place: Place, message: &Message) -> io::Result<bool> {
        let taken = block_in_place(|| {
            self.archive.take(place, &message.subject, message.headers.as_ref(), &message.payload)
        });
        match taken? {
            None => {}
            Some(Wish::ReadAgain) => return Ok(false),
            Some(Wish::Ask(rig, id, from)) => {
                let again = Some(AgainRequest { recording: id, from });
                let request = HubRequest { again, ..HubRequest::default() };
                // The rig asks by itself, too, only later.
                let _ = connection.client.publish(subject::ask(&rig), request.text().into()).await;
            }
            Some(Wish::Check(rig, check)) => {
                self.checks.spawn_blocking(move || (rig, check.id, check.run()));
            }
        }
        Ok(true)
    }

    /// Answers a rig that asks where to go on.
    async fn answer(
        &mut self,
        connection: &Connection,
        stream: &Stream,
        question: &Message,
    ) -> anyhow::Result<()> {
        let Some(reply) = question.reply.clone() else { return Ok(()) };
        let Some((rig, id)) = self.archive.asking(&question.subject, Some(&reply)) else { return Ok(()) };
        if let Some(TailQuestion { tail_from }) = TailQuestion::read(&question.payload)
            && let Some((range, piece)) = block_in_place(|| self.archive.tail_piece(&rig, id, tail_from))
        {
            let sent = connection.client.publish_with_headers(reply, range.headers(0), piece.into());
            return answered(sent).await;
        }
        let last = stream.last_of(&subject::recorded(&rig, id)).await?;
        let answer = block_in_place(|| self.archive.answer(&rig, id, last.as_ref()));
        answered(connection.client.publish(reply, answer.text().into())).await
    }

    /// Looks after the stream and the hub's file; returns how many messages are to be read, or `None` if it is another
    /// stream, or an older one.
    async fn look(&mut self, stream: &Stream) -> anyhow::Result<Option<u64>> {
        block_in_place(|| self.archive.follow_hub())?;
        self.archive.look();
        let info = stream.info().await?;
        let created = info.created.unix_timestamp_nanos();
        if !self.archive.reads(created) {
            return Ok(None);
        }
        let most = self.archive.hub().store_bytes;
        let is_almost_full = info.state.bytes > most / 100 * ALMOST_FULL;
        if let Some(last) = self.archive.may_leave(is_almost_full) {
            stream.purge_before(last + 1).await?;
        }
        Ok(info.state.last_sequence.checked_sub(self.archive.taken_of(created).sequence))
    }

    /// Says what is wrong, once, and when it is over.
    fn report(&mut self, trouble: Option<String>) {
        if self.trouble == trouble {
            return;
        }
        match &trouble {
            Some(words) => terminal::report("Trouble", words),
            None => terminal::report("Archive", "goes on"),
        }
        self.trouble = trouble;
    }
}

/// Removes the messages of rigs from the stream, where the hub's server runs.
pub(crate) async fn forget_messages(folder: &HubFolder, rig: &RigName) -> anyhow::Result<()> {
    let connection = Connection::open(&login(folder)?).await?;
    let stream = Stream::open(&connection, &folder.hub()?).await?;
    stream.purge_subject(&subject::all_recorded(rig)).await
}
