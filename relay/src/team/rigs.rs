//! The rigs of a hub as its pages know them: their libraries, their reports, and what they send while a page is open.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_nats::Client;
use axum::body::Bytes;
use futures_util::StreamExt as _;
use tokio::sync::{Notify, oneshot};
use tokio::time::{MissedTickBehavior, timeout};
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::recording::recorder::FileId;
use trailbrake_shared::wire::{RoomPages, TeamRig};

use super::archived_file;
use super::connection::Connection;
use super::hub_request::{HubRequest, TailRequest};
use super::json_message::JsonMessage as _;
use super::presence::{Presence, Presences};
use super::rig_message::{RigMessage, TailPiece};
use super::rig_name::RigName;
use super::stream::answered;
use super::subject;
use crate::library::Library;
use crate::library::store::{Content, RecordingUnderway};
use crate::lock::Lock;

/// How often a rig is asked to go on while a page is open.
const RENEWED: Duration = Duration::from_secs(5);
/// For how long a rig is asked.
const LEASE_S: u64 = 15;
/// How long a rig may take to answer.
const ANSWER: Duration = Duration::from_secs(4);
/// How long an archived file may stop growing before a page waits for it no more.
const STOPPED: Duration = Duration::from_secs(6);
/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// The rigs. Copies are handles to the same.
#[derive(Clone, Default)]
pub(crate) struct Rigs(Arc<Shared>);

#[derive(Default)]
struct Shared {
    libraries: Lock<BTreeMap<RigName, Arc<Library>>>,
    presences: Lock<Presences>,
    /// How many pages watch each rig.
    watched: Lock<HashMap<RigName, usize>>,
    /// Notified when a page begins to watch a rig.
    begun: Notify,
    client: Lock<Option<Client>>,
    tails: Lock<HashMap<u64, WaitingTail>>,
    tickets: AtomicU64,
    /// The recordings into which somebody wrote here since each rig's last report.
    written: Lock<HashMap<RigName, BTreeSet<RecordingId>>>,
}

/// What a rig sends for the pages at the hub.
pub(crate) enum ForPages {
    /// What its own pages get, with its number.
    Message(u64, Bytes),
    /// What its own pages show.
    Room(RoomPages),
}

/// A rig that sends what pages get until this is dropped.
pub(crate) struct WatchedRig {
    rigs: Rigs,
    rig: RigName,
}

/// A tail that a rig was asked for.
struct WaitingTail {
    rig: RigName,
    recording: RecordingId,
    bytes: Vec<u8>,
    answer: oneshot::Sender<Option<(TailPiece, Vec<u8>)>>,
}

impl Rigs {
    /// Sets the libraries of all rigs.
    pub(super) fn set(&self, libraries: BTreeMap<RigName, Arc<Library>>) {
        self.0.presences.lock().keep(|rig| libraries.contains_key(rig));
        *self.0.libraries.lock() = libraries;
    }

    /// The library of a rig; `None` for a rig that is not in the team.
    pub(crate) fn library(&self, rig: &RigName) -> Option<Arc<Library>> {
        self.0.libraries.lock().get(rig).cloned()
    }

    /// The libraries of all rigs, by name.
    pub(crate) fn libraries(&self) -> Vec<(RigName, Arc<Library>)> {
        self.0.libraries.lock().iter().map(|(rig, library)| (rig.clone(), Arc::clone(library))).collect()
    }

    /// All rigs, by name.
    pub(crate) fn overview(&self) -> Vec<TeamRig> {
        let names: Vec<RigName> = self.0.libraries.lock().keys().cloned().collect();
        let (presences, now) = (self.0.presences.lock(), Instant::now());
        names.iter().map(|rig| presences.overview(rig, now)).collect()
    }

    /// What a rig reported last, while it is online.
    pub(crate) fn recording(&self, rig: &RigName) -> Option<RecordingId> {
        self.0.presences.lock().latest(rig)?.recording
    }

    /// Whether a rig is online.
    pub(crate) fn is_online(&self, rig: &RigName) -> bool {
        self.0.presences.lock().latest(rig).is_some()
    }

    /// Lets a rig know that somebody wrote into a finished recording of it here: now, and with its next report, before
    /// which it may be offline. After this program's end the rig finds out when it is started again.
    pub(crate) async fn written(&self, rig: &RigName, id: RecordingId) {
        self.0.written.lock().entry(rig.clone()).or_default().insert(id);
        let client = self.0.client.lock().clone();
        if let Some(client) = client {
            let _ = answered(client.publish(subject::ask(rig), HubRequest::written(id).text().into())).await;
        }
    }

    /// Lets a rig's pages know what those at the hub show.
    pub(crate) async fn share_room(&self, rig: &RigName, pages: RoomPages) {
        let client = self.0.client.lock().clone();
        if let Some(client) = client {
            let request = HubRequest { room: Some(pages), ..HubRequest::default() };
            let _ = answered(client.publish(subject::ask(rig), request.text().into())).await;
        }
    }

    /// Lets a rig send what pages get.
    pub(crate) fn watch(&self, rig: &RigName) -> WatchedRig {
        *self.0.watched.lock().entry(rig.clone()).or_default() += 1;
        self.0.begun.notify_one();
        WatchedRig { rigs: self.clone(), rig: rig.clone() }
    }

    /// A recording under way as far as the archive has it; `None` where it has nothing.
    pub(crate) fn underway(&self, rig: &RigName, id: RecordingId) -> Option<RecordingUnderway> {
        let path = archived_file::path(self.library(rig)?.folder(), id);
        let len = std::fs::metadata(&path).ok()?.len();
        let name = archived_file::file_name(id);
        Some(RecordingUnderway {
            file: FileId(0),
            id,
            name,
            began: Default::default(),
            content: Content::File(path),
            len,
        })
    }

    /// The rig's tail of a recording under way, once the archive has all bytes before it.
    pub(crate) async fn tail(&self, rig: &RigName, id: RecordingId) -> Option<(RecordingUnderway, Vec<u8>)> {
        let (piece, tail) = self.ask_for_tail(rig, id).await?;
        let (mut before, mut grown) = (0, Instant::now());
        loop {
            let one = self.underway(rig, id);
            let len = one.as_ref().map_or(0, |one| one.len);
            if let Some(one) = one.filter(|_| len >= piece.len) {
                let TailPiece { len, name, began, .. } = piece;
                return Some((RecordingUnderway { len, name, began, ..one }, tail));
            }
            if len != before {
                (before, grown) = (len, Instant::now());
            } else if grown.elapsed() > STOPPED {
                return None;
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    async fn ask_for_tail(&self, rig: &RigName, id: RecordingId) -> Option<(TailPiece, Vec<u8>)> {
        let client = self.0.client.lock().clone()?;
        let ticket = self.0.tickets.fetch_add(1, Ordering::Relaxed);
        // Another page server of this hub counts for itself.
        let ticket = ticket ^ u64::from(std::process::id()) << 40;
        let (answer, answered) = oneshot::channel();
        let waiting = WaitingTail { rig: rig.clone(), recording: id, bytes: Vec::new(), answer };
        self.0.tails.lock().insert(ticket, waiting);
        let tail = Some(TailRequest { recording: id, ticket });
        let request = HubRequest { tail, ..HubRequest::default() };
        let _ = client.publish(subject::ask(rig), request.text().into()).await;
        let tail = timeout(ANSWER, answered).await;
        self.0.tails.lock().remove(&ticket);
        tail.ok()?.ok()?
    }

    /// Follows all rigs with one connection, which connects again by itself. `take` gets what is for pages.
    pub(super) async fn follow(
        &self,
        connection: &Connection,
        take: &(impl Fn(&RigName, ForPages) + Send),
    ) -> anyhow::Result<()> {
        let client = &connection.client;
        let mut reports = answered(client.subscribe(subject::ALL_RIGS)).await?;
        let mut live = answered(client.subscribe(subject::ALL_LIVE)).await?;
        *self.0.client.lock() = Some(client.clone());
        let mut renew = tokio::time::interval(RENEWED);
        renew.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                report = reports.next() => {
                    let Some(report) = report else { return Ok(()) };
                    if let Some(rig) = self.report(&report.subject, &report.payload) {
                        self.remind(client, &rig).await;
                    }
                }
                message = live.next() => {
                    let Some(message) = message else { return Ok(()) };
                    let rig = subject::live_rig(&message.subject).filter(|rig| self.library(rig).is_some());
                    let read = RigMessage::of(message.headers.as_ref(), message.payload);
                    if let Some((rig, read)) = rig.zip(read) {
                        self.take(&rig, read, take);
                    }
                }
                () = self.0.begun.notified() => self.renew(client).await,
                _ = renew.tick() => {
                    // The archive says who went silent.
                    self.0.presences.lock().silent(Instant::now());
                    self.renew(client).await;
                }
            }
        }
    }

    /// Takes a rig's report; returns the rig.
    fn report(&self, subject: &str, payload: &[u8]) -> Option<RigName> {
        let rig = subject::reporting_rig(subject).filter(|rig| self.library(rig).is_some())?;
        let report = Presence::read(payload)?;
        self.0.presences.lock().take(rig.clone(), report, Instant::now());
        Some(rig)
    }

    /// Lets a rig that has just reported know once more what was written here before.
    async fn remind(&self, client: &Client, rig: &RigName) {
        let written = self.0.written.lock().remove(rig).unwrap_or_default();
        for id in written {
            let _ = answered(client.publish(subject::ask(rig), HubRequest::written(id).text().into())).await;
        }
    }

    fn take(&self, rig: &RigName, message: RigMessage, take: &impl Fn(&RigName, ForPages)) {
        match message {
            RigMessage::Page(number, bytes) => take(rig, ForPages::Message(number, bytes)),
            RigMessage::Room(pages) => take(rig, ForPages::Room(pages)),
            RigMessage::NoTail(ticket) => self.finish_tail(rig, ticket, None),
            RigMessage::Tail(piece, bytes) => {
                let mut tails = self.0.tails.lock();
                let Some(waiting) = tails.get_mut(&piece.ticket) else { return };
                let is_next = waiting.rig == *rig
                    && waiting.recording == piece.recording
                    && waiting.bytes.len() as u64 == piece.from;
                if !is_next {
                    return;
                }
                waiting.bytes.extend_from_slice(&bytes);
                let is_whole = waiting.bytes.len() as u64 == piece.size;
                drop(tails);
                if is_whole {
                    self.finish_tail(rig, piece.ticket, Some(piece));
                }
            }
        }
    }

    fn finish_tail(&self, rig: &RigName, ticket: u64, piece: Option<TailPiece>) {
        let mut tails = self.0.tails.lock();
        if tails.get(&ticket).is_some_and(|waiting| waiting.rig == *rig)
            && let Some(waiting) = tails.remove(&ticket)
        {
            // The page may have gone.
            let _ = waiting.answer.send(piece.map(|piece| (piece, waiting.bytes)));
        }
    }

    /// Asks the watched rigs to go on.
    async fn renew(&self, client: &Client) {
        let watched: Vec<RigName> = self.0.watched.lock().keys().cloned().collect();
        let request = HubRequest { live_s: Some(LEASE_S), ..HubRequest::default() }.text();
        for rig in watched {
            // While the connection is lost, the next request comes soon.
            let _ = answered(client.publish(subject::ask(&rig), request.clone().into())).await;
        }
    }
}

impl Drop for WatchedRig {
    fn drop(&mut self) {
        let mut watched = self.rigs.0.watched.lock();
        if let Some(count) = watched.get_mut(&self.rig) {
            *count -= 1;
            if *count == 0 {
                watched.remove(&self.rig);
            }
        }
    }
}
