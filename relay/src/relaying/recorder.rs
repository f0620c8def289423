//! The recorder writes what is received into files, whether or not a page is open. Sessions that are not recorded, such
//! as a demo, are kept in memory for pages that connect late.
//!
//! Each recorder has its own listener at the hub and its own thread: a slow disk holds up nothing else, and the
//! listener's queue keeps what comes meanwhile. It runs the shared decoder to know where a recording ends.

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::Context;
use tokio::sync::{mpsc, oneshot};
use tokio::time::MissedTickBehavior;
use trailbrake_shared::recording::recorder::{Policy, Recorder};
use trailbrake_shared::recording::{RecordingId, StoredFact};
use trailbrake_shared::time::Micros;
#[cfg(feature = "team")]
use trailbrake_shared::wire::RigDrive;
use trailbrake_shared::wire::{RecorderStatus, RecordingStatus, UnrecordedGame};

use crate::clock::Clock;
use crate::library::store::{Content, RecordingUnderway, Store};
use crate::lock::Lock;
use crate::recording_id;
use crate::relaying::hub::{Batch, Listener};
#[cfg(feature = "team")]
use crate::relaying::rig_drive;
use crate::shutdown::{self, Ending, Shutdown};
use crate::version::PROGRAM;

/// Bytes of batches kept for the recorder: four seconds of fifty thousand packets a second, hours of a usual game.
pub(crate) const ROOM: usize = 64 << 20;
/// How often received data is written. Together with the age of a batch this stays well below the second that a kill
/// may cost.
const TICK: Duration = Duration::from_millis(250);
/// Most questions that wait for an answer.
const QUESTIONS: usize = 64;

/// What the recorder needs to start.
pub(crate) struct RecorderPlan {
    /// Whose packets are recorded.
    pub(crate) senders: Senders,
    /// Where recordings begin and end.
    pub(crate) policy: Policy,
    /// The clock that timestamps packets.
    pub(crate) clock: Clock,
    /// Reports to the user.
    pub(crate) announce: fn(&str, &str),
}

/// Whose packets are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Senders {
    All,
    Only(SocketAddr),
    AllBut(SocketAddr),
}

impl Senders {
    fn include(self, sender: SocketAddr) -> bool {
        match self {
            Self::All => true,
            Self::Only(only) => sender == only,
            Self::AllBut(other) => sender != other,
        }
    }
}

/// A running recorder. Dropping it ends it and finishes its files.
pub(crate) struct RunningRecorder {
    ending: Option<Ending>,
    thread: Option<JoinHandle<()>>,
}

/// A handle of the recorder, for any task.
#[derive(Clone)]
pub(crate) struct RecorderHandle {
    state: Arc<Lock<RecorderState>>,
    questions: mpsc::Sender<Question>,
}

/// The recorder's state for other tasks.
#[derive(Default)]
struct RecorderState {
    /// The recordings under way, and when the last packet of each was received.
    underway: Vec<(RecordingUnderway, Micros)>,
    trouble: Option<String>,
    unrecorded: Option<UnrecordedGame>,
    lost_batches: u64,
}

pub(crate) enum Question {
    /// Asks for the tail of a recording under way, and how much of it is in its file.
    Tail(RecordingId, oneshot::Sender<(RecordingUnderway, Vec<u8>)>),
    /// Asks how the first of the recordings under way is driven.
    #[cfg(feature = "team")]
    Drive(oneshot::Sender<RigDrive>),
    /// Puts a fact into a recording under way.
    Write(RecordingId, String, StoredFact, oneshot::Sender<bool>),
}

impl Question {
    /// Whether the answer depends on which packets are in the file.
    fn is_about_packets(&self) -> bool {
        match self {
            Self::Tail(..) | Self::Write(..) => true,
            #[cfg(feature = "team")]
            Self::Drive(_) => false,
        }
    }
}

/// Starts recording what a listener receives.
pub(crate) fn start(
    plan: RecorderPlan,
    store: Box<dyn Store>,
    listener: Listener,
) -> anyhow::Result<(RunningRecorder, RecorderHandle)> {
    let (ending, shutdown) = shutdown::pair();
    let (questions, asked) = mpsc::channel(QUESTIONS);
    let handle = RecorderHandle { state: Arc::default(), questions };
    let state = Arc::clone(&handle.state);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.context("the system gives no thread to record with")?;
    let thread = std::thread::Builder::new().name("recorder".into()).spawn(move || {
        runtime.block_on(RecorderTask::new(plan, store, state).run(listener, asked, shutdown));
    });
    let thread = thread.context("the system gives no thread to record with")?;
    Ok((RunningRecorder { ending: Some(ending), thread: Some(thread) }, handle))
}

/// The handle of a recorder on another machine: somebody here answers what is asked of it.
#[cfg(feature = "team")]
pub(crate) fn elsewhere() -> (RecorderHandle, mpsc::Receiver<Question>) {
    let (questions, asked) = mpsc::channel(QUESTIONS);
    (RecorderHandle { state: Arc::default(), questions }, asked)
}

impl Drop for RunningRecorder {
    fn drop(&mut self) {
        drop(self.ending.take());
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the recorder broke off: what it was writing is repaired at the next start");
        }
    }
}

impl RecorderHandle {
    /// The status of recording.
    pub(crate) fn status(&self) -> RecorderStatus {
        let state = self.state.lock();
        let underway = state.underway.iter().map(|(one, last)| RecordingStatus {
            id: one.id.to_string(),
            file: one.name.clone(),
            began: one.began,
            last: *last,
            bytes: one.len,
            in_memory: matches!(one.content, Content::Memory(_)),
        });
        RecorderStatus {
            folder: None,
            underway: underway.collect(),
            trouble: state.trouble.clone(),
            unrecorded: state.unrecorded,
            lost_batches: state.lost_batches,
        }
    }

    /// The recordings under way.
    pub(crate) fn underway(&self) -> Vec<RecordingUnderway> {
        self.state.lock().underway.iter().map(|(one, _)| one.clone()).collect()
    }

    /// Sets the recordings under way on another machine.
    #[cfg(feature = "team")]
    pub(crate) fn set_underway(&self, underway: Vec<(RecordingUnderway, Micros)>) {
        self.state.lock().underway = underway;
    }

    /// How the first of the recordings under way is driven.
    #[cfg(feature = "team")]
    pub(crate) async fn drive(&self) -> Option<RigDrive> {
        let (answer, answered) = oneshot::channel();
        self.questions.send(Question::Drive(answer)).await.ok()?;
        answered.await.ok()
    }

    /// The tail that opens the bytes in the file of a recording under way.
    pub(crate) async fn tail(&self, id: RecordingId) -> Option<(RecordingUnderway, Vec<u8>)> {
        let (answer, answered) = oneshot::channel();
        self.questions.send(Question::Tail(id, answer)).await.ok()?;
        answered.await.ok()
    }

    /// Puts a fact into a recording under way; returns whether there is such a recording.
    pub(crate) async fn write(&self, id: RecordingId, name: String, fact: StoredFact) -> bool {
        let (answer, answered) = oneshot::channel();
        let question = Question::Write(id, name, fact, answer);
        self.questions.send(question).await.is_ok() && answered.await.unwrap_or(false)
    }
}

/// The state on the recorder's thread.
struct RecorderTask {
    recorder: Recorder,
    store: Box<dyn Store>,
    senders: Senders,
    clock: Clock,
    state: Arc<Lock<RecorderState>>,
    announce: fn(&str, &str),
}

impl RecorderTask {
    fn new(plan: RecorderPlan, store: Box<dyn Store>, state: Arc<Lock<RecorderState>>) -> Self {
        let RecorderPlan { senders, policy, clock, announce } = plan;
        let recorder = Recorder::new(policy, PROGRAM, Box::new(recording_id::new));
        Self { recorder, store, senders, clock, state, announce }
    }

    async fn run(mut self, listener: Listener, mut asked: mpsc::Receiver<Question>, mut shutdown: Shutdown) {
        // Data that comes meanwhile waits in the listener's queue.
        self.store.begin();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                batch = listener.next() => self.take(&batch),
                _ = tick.tick() => {
                    self.recorder.poll(self.clock.now());
                    self.write(listener.lost());
                }
                Some(question) = asked.recv() => {
                    if question.is_about_packets() {
                        // The answer contains every packet sent to pages so far.
                        self.take_waiting(&listener);
                        self.recorder.flush();
                        self.write(listener.lost());
                    }
                    self.answer(question);
                }
                () = shutdown.wait() => break,
            }
        }
        self.take_waiting(&listener);
        self.recorder.stop();
        self.write(listener.lost());
        self.store.finish();
    }

    fn take_waiting(&mut self, listener: &Listener) {
        while let Some(batch) = listener.try_next() {
            self.take(&batch);
        }
    }

    fn take(&mut self, batch: &Batch) {
        match batch.datagrams() {
            Ok(datagrams) => {
                let recorded = datagrams.iter().filter(|datagram| self.senders.include(datagram.sender));
                recorded.for_each(|datagram| self.recorder.receive(datagram));
            }
            Err(error) => tracing::error!("a batch could not be recorded: {error}"),
        }
    }

    /// Passes the recorder's actions to the store, and updates the shared state.
    fn write(&mut self, lost_batches: u64) {
        for action in self.recorder.actions() {
            self.store.take(action);
        }
        for file in self.store.write() {
            self.recorder.abandon(file);
        }
        for (machine, is_stopped) in self.store.stopped() {
            self.recorder.stop_recording(machine, is_stopped);
            let words = "has filled its share of the disk: make room on it, or leave it out with --udp-from";
            match is_stopped {
                true => (self.announce)("Not recorded", &format!("{machine} {words}")),
                false => (self.announce)("Recording", &format!("{machine} again: there is room for it")),
            }
        }
        for (file, before) in self.store.dropped() {
            self.recorder.forget(file, before);
        }
        let trouble = self.store.trouble().map(str::to_owned);
        let unrecorded = self.recorder.unrecorded(self.clock.now());
        let mut state = self.state.lock();
        let underway = self.store.underway().into_iter().map(|one| {
            let last = self.recorder.last_in(one.file).unwrap_or(one.began);
            (one, last)
        });
        state.underway = underway.collect();
        state.lost_batches = lost_batches;
        if state.trouble != trouble {
            state.trouble = trouble;
            match &state.trouble {
                Some(words) => (self.announce)("Not recorded", words),
                None => (self.announce)("Recording", "goes on"),
            }
        }
        // A crowd has many ports: its machine is named once.
        let machine = |game: UnrecordedGame| (game.feed, game.sender.ip());
        let is_new = state.unrecorded.map(machine) != unrecorded.map(machine);
        state.unrecorded = unrecorded;
        if let Some(game) = unrecorded.filter(|_| is_new) {
            (self.announce)("Not recorded", &game.to_string());
        }
    }

    #[cfg(feature = "team")]
    fn drive(&self) -> RigDrive {
        let first = self.store.underway().into_iter().next();
        let found = first.and_then(|one| self.recorder.session_in(one.file));
        found.map(|(feed, session)| rig_drive::of(feed, session)).unwrap_or_default()
    }

    fn answer(&mut self, question: Question) {
        let underway = |id: RecordingId| self.store.underway().into_iter().find(|one| one.id == id);
        // The asker may have gone.
        match question {
            Question::Tail(id, answer) => {
                let Some(one) = underway(id) else { return };
                let Some(tail) = self.recorder.tail(one.file) else { return };
                let _ = answer.send((one, tail));
            }
            #[cfg(feature = "team")]
            Question::Drive(answer) => drop(answer.send(self.drive())),
            Question::Write(id, name, fact, answer) => {
                let written = underway(id).is_some_and(|one| self.recorder.write(one.file, &name, fact));
                let lost_batches = self.state.lock().lost_batches;
                self.write(lost_batches);
                let _ = answer.send(written);
            }
        }
    }
}
