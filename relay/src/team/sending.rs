//! What is sent, in which order: the recordings under way before all, then the finished ones, oldest first.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{FutureExt as _, StreamExt as _};
use tokio::sync::watch;
use tokio::task::{JoinSet, spawn_blocking};
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::{TeamLink, TeamStatus};

use super::connection::{Connection, KeyRefused};
use super::finished_file::{Stamp, piece, stamp};
use super::finished_sending::{FinishedSending, Turn};
use super::hub_request::HubRequest;
use super::json_message::JsonMessage as _;
use super::lag::Lag;
use super::message::{FilePart, FileRange};
use super::page_sending::PageSending;
use super::presence::{INTERVAL, Presence};
use super::publisher_plan::PublisherPlan;
use super::sender::{Sender, Unsent};
use super::subject;
use crate::library::store::{Content, RecordingUnderway};
use crate::shutdown::Shutdown;
use crate::version::VERSION;

/// How often the publisher looks for something new.
const LOOK: Duration = Duration::from_millis(250);
/// How often the library is listed.
const LIST: Duration = Duration::from_secs(5);
/// How often the hub is asked how much of a recording under way is safe.
const ASK: Duration = Duration::from_secs(5);
/// How long a recording waits that the hub can't take.
const LATER: Duration = Duration::from_secs(60);
/// So many times in a row without an answer, and the rig connects again.
const MOST_SILENCES: u32 = 3;
/// How long the program's end waits for what was recorded last.
const FAREWELL: Duration = Duration::from_secs(3);

/// The sending of everything, across connections. Nothing here says where to go on: after every connect and every error
/// the hub is asked.
pub(super) struct Sending {
    plan: PublisherPlan,
    /// What the pages of this rig show.
    status: watch::Sender<Option<TeamStatus>>,
    lag: Lag,
    instance: u64,
    underway: HashMap<RecordingId, Progress>,
    /// The finished recordings that are not confirmed, oldest first.
    finished: Vec<Finished>,
    listed: Option<Instant>,
    /// How far the hub's clock is ahead of this one, in microseconds.
    clock_offset: i64,
    /// The recordings that were under way when the library was listed.
    were_underway: Vec<RecordingId>,
    /// The recordings that are safe at the hub, as they were then.
    confirmed: HashMap<RecordingId, Stamp>,
    /// Recordings that the hub can't take, and since when.
    later: HashMap<RecordingId, Instant>,
    current: Option<FinishedSending>,
}

/// A finished recording that is to be sent.
struct Finished {
    id: RecordingId,
    created: Micros,
    stamp: Stamp,
}

/// What is known of a recording under way since the hub was asked.
struct Progress {
    next: u64,
    sequence: u64,
    safe: u64,
    asked: Instant,
}

/// Why sending ended.
pub(super) enum Sent {
    /// The program ends.
    All,
    /// A new connection is needed; whether this one worked.
    Interrupted { worked: bool },
}

impl Sending {
    pub(super) fn new(plan: PublisherPlan, status: watch::Sender<Option<TeamStatus>>, instance: u64) -> Self {
        Self {
            plan,
            status,
            lag: Lag::default(),
            instance,
            underway: HashMap::new(),
            finished: Vec::new(),
            listed: None,
            clock_offset: 0,
            were_underway: Vec::new(),
            confirmed: HashMap::new(),
            later: HashMap::new(),
            current: None,
        }
    }

    /// Notes that there is no connection, and why.
    pub(super) async fn offline(&mut self, error: &anyhow::Error) {
        self.list(&self.shared_underway()).await;
        let link = if error.is::<KeyRefused>() { TeamLink::KeyRefused } else { TeamLink::Offline };
        self.note(link, Some(format!("{error:#}")));
    }

    /// Sends with a connection until it is of no use any more. `report` takes what the driver should know.
    pub(super) async fn run(
        &mut self,
        connection: Connection,
        shutdown: &Shutdown,
        report: &mut impl FnMut(String),
    ) -> Sent {
        self.forget();
        let rig = self.plan.invitation.rig.clone();
        let Ok(mut asked) = connection.client.subscribe(subject::ask(&rig)).await else {
            return Sent::Interrupted { worked: false };
        };
        let mut sender = Sender::new(connection, rig.clone(), self.plan.clock);
        let pages = PageSending {
            client: sender.connection.client.clone(),
            rig: rig.clone(),
            source: Arc::clone(&self.plan.source),
            acknowledgements: sender.acknowledgements(),
        };
        // Ends with this connection.
        let mut beside = JoinSet::new();
        beside.spawn(pages.run());
        let (mut silences, mut worked, mut reported, mut farewell) =
            (0, false, None::<Instant>, None::<Instant>);
        loop {
            if shutdown.has_come() {
                let begun = *farewell.get_or_insert_with(|| {
                    self.listed = None;
                    Instant::now()
                });
                if begun.elapsed() > FAREWELL {
                    return Sent::All;
                }
            }
            if reported.is_none_or(|at| at.elapsed() >= INTERVAL) {
                sender.report(self.presence(&sender).await.text()).await;
                reported = Some(Instant::now());
            }
            // The hub misses something: ask it for everything again.
            while let Some(Some(request)) = asked.next().now_or_never() {
                let request = HubRequest::understand(&request.payload);
                if request.again.is_some() {
                    self.forget();
                }
                if let Some(id) = request.written {
                    self.confirmed.remove(&id);
                    self.listed = None;
                }
            }
            let turn = self.turn(&mut sender).await;
            if let Some(words) = sender.connection.refused() {
                let words = format!(
                    "the invitation's key is not that of {rig}: ask the hub's owner for a new one ({words})"
                );
                self.note(TeamLink::KeyRefused, Some(words.clone()));
                report(words);
                return Sent::Interrupted { worked: false };
            }
            // A new connection says why: the key may be worth nothing any more.
            if sender.connection.losses() > 0 {
                self.note(TeamLink::Offline, Some("the connection is lost".to_owned()));
                return Sent::Interrupted { worked };
            }
            match turn {
                Ok(is_idle) => {
                    silences = 0;
                    if !worked {
                        worked = true;
                        report(format!("connected as {rig}"));
                    }
                    self.note(TeamLink::Connected, None);
                    if !is_idle {
                        continue;
                    }
                    if farewell.is_some() && self.finished.is_empty() {
                        return Sent::All;
                    }
                }
                Err(unsent) => {
                    self.forget();
                    if unsent != Unsent::OutOfOrder {
                        self.note(TeamLink::Offline, Some(unsent.words()));
                        report(unsent.words());
                        worked = false;
                    }
                    silences = if unsent == Unsent::Silence { silences + 1 } else { 0 };
                    if silences >= MOST_SILENCES || farewell.is_some() {
                        return Sent::Interrupted { worked };
                    }
                }
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Forgets where to go on.
    fn forget(&mut self) {
        self.underway.clear();
        self.current = None;
    }

    /// Reports how the rig stands with its team.
    fn note(&mut self, link: TeamLink, trouble: Option<String>) {
        let now = Instant::now();
        match self.shared_underway().first() {
            Some(one) => {
                let taken = self.underway.get(&one.id).map_or(0, |progress| progress.next);
                self.lag.note(one.id, one.len, taken, now);
            }
            None => self.lag = Lag::default(),
        }
        let behind_s = u32::try_from(self.lag.behind(now).as_secs()).unwrap_or(u32::MAX);
        let waiting = u32::try_from(self.finished.len()).unwrap_or(u32::MAX);
        let rig = self.plan.invitation.rig.to_string();
        let next = Some(TeamStatus { rig, link, behind_s, waiting, trouble });
        self.status.send_if_modified(|status| {
            let is_news = next != *status;
            *status = next;
            is_news
        });
    }

    /// Does one thing: asks, or sends one piece. Returns whether there was nothing to do.
    async fn turn(&mut self, sender: &mut Sender) -> Result<bool, Unsent> {
        if sender.clock_offset.is_none()
            && let Some(any) = self.plan.source.underway().first()
        {
            // The answer shows how far the clocks differ, and so what is the team's.
            sender.ask(any.id).await?;
        }
        self.clock_offset = sender.clock_offset.map_or(self.clock_offset, |(offset, _)| offset);
        let underway = self.shared_underway();
        self.underway.retain(|id, _| underway.iter().any(|one| one.id == *id));
        for one in &underway {
            if self.send_underway(sender, one).await? {
                return Ok(false);
            }
        }
        self.list(&underway).await;
        let mut current = match self.current.take() {
            Some(current) => current,
            None => {
                self.later.retain(|_, since| since.elapsed() < LATER);
                let next = self.finished.iter().find(|one| !self.later.contains_key(&one.id));
                let Some(next) = next else { return Ok(true) };
                FinishedSending::new(next.id, next.stamp)
            }
        };
        let (id, stamp) = (current.id, current.stamp);
        match current.turn(sender, &self.plan.library).await? {
            Turn::Worked => self.current = Some(current),
            Turn::Merged => {
                self.plan.source.announce_written(id);
                self.current = Some(current);
            }
            Turn::Waits => {
                self.current = Some(current);
                return Ok(true);
            }
            Turn::Confirmed => {
                self.finished.retain(|one| one.id != id);
                self.note_unsent();
                self.confirmed.insert(id, stamp);
            }
            Turn::Failed(words) => {
                if self.later.insert(id, Instant::now()).is_none() {
                    (self.plan.announce)("Team", &format!("a recording waits ({id}): {words}"));
                }
            }
            Turn::Unreadable => drop(self.later.insert(id, Instant::now())),
            // It changed meanwhile, or is gone.
            Turn::Changed => {
                self.finished.retain(|one| one.id != id);
                self.listed = None;
            }
        }
        Ok(false)
    }

    /// Sends the next piece of a recording under way; returns whether there was something to do.
    async fn send_underway(&mut self, sender: &mut Sender, one: &RecordingUnderway) -> Result<bool, Unsent> {
        let Content::File(path) = &one.content else { return Ok(false) };
        let known = self.underway.get_mut(&one.id);
        let is_due = |progress: &Progress| {
            progress.next >= one.len && progress.safe < one.len && progress.asked.elapsed() > ASK
        };
        let Some(progress) = known.filter(|progress| !is_due(progress)) else {
            let answer = sender.ask(one.id).await?;
            let progress = Progress {
                next: answer.next,
                sequence: answer.sequence,
                safe: answer.safe,
                asked: Instant::now(),
            };
            self.underway.insert(one.id, progress);
            return Ok(true);
        };
        if progress.next >= one.len {
            return Ok(false);
        }
        let (path, from, len) = (path.clone(), progress.next, one.len);
        let Ok(Ok(payload)) = spawn_blocking(move || piece(&path, from, len)).await else {
            // It was finished or removed at this moment.
            return Ok(false);
        };
        let range = FileRange { part: FilePart::Data, from, to: from + payload.len() as u64 };
        let expected = progress.sequence;
        let sequence = sender.send(one.id, &range, payload, expected).await?;
        if let Some(progress) = self.underway.get_mut(&one.id) {
            (progress.next, progress.sequence) = (range.to, sequence);
        }
        Ok(true)
    }

    /// Lists the finished recordings, from time to time, and when one was finished.
    async fn list(&mut self, underway: &[RecordingUnderway]) {
        let ids: Vec<RecordingId> = underway.iter().map(|one| one.id).collect();
        let is_due = self.listed.is_none_or(|at| at.elapsed() > LIST) || ids != self.were_underway;
        if !is_due {
            return;
        }
        let library = Arc::clone(&self.plan.library);
        let listing = spawn_blocking(move || {
            let files = library
                .list()
                .recordings
                .into_iter()
                .filter(|entry| entry.trouble.is_none() && !entry.underway);
            let dated = files.filter_map(|entry| {
                let metadata = std::fs::metadata(library.folder().join(&entry.file)).ok()?;
                Some(Finished { id: entry.id?, created: entry.created, stamp: stamp(&metadata) })
            });
            dated.collect::<Vec<Finished>>()
        });
        let Ok(mut listed) = listing.await else { return };
        listed.retain(|one| {
            let is_confirmed = self.confirmed.get(&one.id) == Some(&one.stamp);
            self.is_shared(one.created) && !is_confirmed && !ids.contains(&one.id)
        });
        listed.sort_by_key(|one| one.created);
        (self.finished, self.listed, self.were_underway) = (listed, Some(Instant::now()), ids);
        self.note_unsent();
    }

    /// Lets the library know what the hub does not have yet.
    fn note_unsent(&self) {
        self.plan.library.note_unsent(self.finished.iter().map(|one| one.id).collect());
    }

    /// Whether a recording is the team's: sharing begins with the invitation. Clocks differ, which the hub's answers show.
    fn is_shared(&self, created: Micros) -> bool {
        created.0.saturating_add_signed(self.clock_offset) >= self.plan.invitation.issued.0
    }

    /// The team's recordings under way.
    fn shared_underway(&self) -> Vec<RecordingUnderway> {
        let mut underway = self.plan.source.underway();
        underway.retain(|one| self.is_shared(one.began));
        underway
    }

    /// What this rig reports of itself.
    async fn presence(&self, sender: &Sender) -> Presence {
        let underway = self.shared_underway().into_iter().next();
        // The recorder's thread may be busy with a disk.
        let drive = tokio::time::timeout(LOOK, self.plan.source.drive()).await.unwrap_or_default();
        let trouble = self.status.borrow().as_ref().and_then(|status| status.trouble.clone());
        let (clock_offset, clock_error) = sender.clock_offset.unwrap_or_default();
        let safe = |one: &RecordingUnderway| self.underway.get(&one.id).map_or(0, |progress| progress.safe);
        Presence {
            version: VERSION.to_owned(),
            instance: self.instance,
            recording: underway.as_ref().map(|one| one.id),
            feed: drive.feed.clone(),
            recorded: underway.as_ref().map_or(0, |one| one.len),
            confirmed: underway.as_ref().map_or(0, safe),
            waiting: self.finished.len() as u64,
            clock_offset,
            clock_error,
            trouble,
            drive,
        }
    }
}
