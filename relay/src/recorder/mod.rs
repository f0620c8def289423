//! The recorder: what is heard is written into files, whether or not anybody looks.
//!
//! It has a listener of its own at the hub, and a thread of its own: a disk that is slow holds up nobody, and the
//! listener's queue keeps what comes meanwhile. The shared decoder runs here, to know where a recording ends.

mod files;
mod trouble;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::Context;
use tokio::sync::{mpsc, oneshot};
use tokio::time::MissedTickBehavior;
use trailbrake_shared::recording::recorder::{Policy, Recorder};
use trailbrake_shared::recording::{RecordingId, Stored};
use trailbrake_shared::wire::{RecorderStatus, RecordingStatus};

use crate::clock::Clock;
use crate::hub::{Batch, Listener};
use crate::library::{Library, Own};
use crate::lock::Lock;
use crate::shutdown::{self, Ending, Shutdown};
use files::Files;
pub(crate) use files::Underway;
pub(crate) use trouble::words;

/// Batches kept for the recorder: four seconds of fifty thousand packets a second, hours of a usual game.
pub(crate) const ROOM: usize = 64 << 20;
/// How often what came is written. With what a batch waits this stays well below the second that a kill may cost.
const TICK: Duration = Duration::from_millis(250);
/// Questions that may wait for an answer.
const QUESTIONS: usize = 64;

/// What the recorder needs to begin.
pub(crate) struct Plan {
    /// Where recordings go.
    pub(crate) library: Arc<Library>,
    /// Who is not recorded: the demo, unless the user wants it.
    pub(crate) except: Option<SocketAddr>,
    /// What takes less than so many seconds is not kept.
    pub(crate) shortest_s: f64,
    /// The clock that packets are stamped with.
    pub(crate) clock: Clock,
    /// How the person is told.
    pub(crate) tell: fn(&str, &str),
}

/// A recorder that runs. It ends, and finishes its files, when this is dropped.
pub(crate) struct Running {
    ending: Option<Ending>,
    thread: Option<JoinHandle<()>>,
}

/// Asks the recorder, from wherever.
#[derive(Clone)]
pub(crate) struct Desk {
    folder: PathBuf,
    state: Arc<Lock<State>>,
    questions: mpsc::Sender<Question>,
}

/// What is known of the recorder without asking it.
#[derive(Default)]
struct State {
    underway: Vec<Underway>,
    trouble: Option<String>,
    lost_batches: u64,
}

enum Question {
    /// What opens a recording under way, and how many bytes of it are in its file.
    Tail(RecordingId, oneshot::Sender<(Underway, Vec<u8>)>),
    /// A fact is to be put into a recording under way.
    Write(RecordingId, String, Stored, oneshot::Sender<bool>),
}

/// Begins to record what a listener hears.
pub(crate) fn start(plan: Plan, listener: Listener) -> anyhow::Result<(Running, Desk)> {
    let (ending, shutdown) = shutdown::pair();
    let (questions, asked) = mpsc::channel(QUESTIONS);
    let desk = Desk { folder: plan.library.folder().to_owned(), state: Arc::default(), questions };
    let state = Arc::clone(&desk.state);
    // Before anybody can bring a recording: what an earlier run left of that is removed.
    let own = plan.library.begin(plan.tell).unwrap_or_else(not_put_right);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.context("the system gives no thread to record with")?;
    let thread = std::thread::Builder::new().name("recorder".into()).spawn(move || {
        runtime.block_on(Task::new(plan, own, state).run(listener, asked, shutdown));
    });
    let thread = thread.context("the system gives no thread to record with")?;
    Ok((Running { ending: Some(ending), thread: Some(thread) }, desk))
}

fn not_put_right<T>(error: std::io::Error) -> Option<T> {
    tracing::warn!("what an earlier run left could not be put right: {error}");
    None
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.ending.take());
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the recorder broke off: what it was writing is repaired at the next start");
        }
    }
}

impl Desk {
    /// How recording goes.
    pub(crate) fn status(&self) -> RecorderStatus {
        let state = self.state.lock();
        let underway = state.underway.iter().map(|one| RecordingStatus {
            id: one.id.to_string(),
            file: one.name.clone(),
            bytes: one.len,
        });
        RecorderStatus {
            folder: Some(self.folder.display().to_string()),
            underway: underway.collect(),
            trouble: state.trouble.clone(),
            lost_batches: state.lost_batches,
        }
    }

    /// The recordings under way.
    pub(crate) fn underway(&self) -> Vec<Underway> {
        self.state.lock().underway.clone()
    }

    /// What opens a recording under way behind the bytes that are in its file.
    pub(crate) async fn tail(&self, id: RecordingId) -> Option<(Underway, Vec<u8>)> {
        let (answer, answered) = oneshot::channel();
        self.questions.send(Question::Tail(id, answer)).await.ok()?;
        answered.await.ok()
    }

    /// Puts a fact into a recording under way; whether there is such a one.
    pub(crate) async fn write(&self, id: RecordingId, name: String, fact: Stored) -> bool {
        let (answer, answered) = oneshot::channel();
        let question = Question::Write(id, name, fact, answer);
        self.questions.send(question).await.is_ok() && answered.await.unwrap_or(false)
    }
}

/// What runs on the recorder's thread.
struct Task {
    recorder: Recorder,
    files: Files,
    own: Option<Own>,
    library: Arc<Library>,
    except: Option<SocketAddr>,
    clock: Clock,
    state: Arc<Lock<State>>,
    tell: fn(&str, &str),
    /// Threads that find out on which tracks finished recordings were driven.
    looking: Vec<JoinHandle<()>>,
}

impl Task {
    fn new(plan: Plan, own: Option<Own>, state: Arc<Lock<State>>) -> Self {
        let policy = Policy { zone_s: zone_s(), shortest_s: plan.shortest_s, ..Policy::default() };
        let program = concat!("trailbrake ", env!("CARGO_PKG_VERSION"));
        let recorder = Recorder::new(policy, program, Box::new(new_id));
        let files = Files::new(plan.library.folder().to_owned());
        Self {
            recorder,
            files,
            own,
            library: plan.library,
            except: plan.except,
            clock: plan.clock,
            state,
            tell: plan.tell,
            looking: Vec::new(),
        }
    }

    async fn run(mut self, listener: Listener, mut asked: mpsc::Receiver<Question>, mut shutdown: Shutdown) {
        // What comes meanwhile waits in the listener's queue.
        if let Some(Err(error)) = self.own.as_mut().map(|own| self.library.repair(own, self.tell)) {
            not_put_right::<()>(error);
        }
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
                    self.write(listener.lost());
                    self.answer(question);
                }
                () = shutdown.wait() => break,
            }
        }
        while let Some(batch) = listener.try_next() {
            self.take(&batch);
        }
        self.recorder.stop();
        self.write(listener.lost());
        self.looking.into_iter().for_each(|looking| drop(looking.join()));
    }

    fn take(&mut self, batch: &Batch) {
        match batch.datagrams() {
            Ok(datagrams) => {
                let heard = datagrams.iter().filter(|datagram| Some(datagram.sender) != self.except);
                heard.for_each(|datagram| self.recorder.receive(datagram));
            }
            Err(error) => tracing::error!("a batch could not be recorded: {error}"),
        }
    }

    /// Brings into the files what the recorder hands out, and tells how that went.
    fn write(&mut self, lost_batches: u64) {
        self.recorder.actions().into_iter().for_each(|action| self.files.take(action));
        for file in self.files.write() {
            self.recorder.abandon(file);
        }
        self.recognise_finished();
        let mut state = self.state.lock();
        state.underway = self.files.underway().collect();
        state.lost_batches = lost_batches;
        if state.trouble.as_deref() != self.files.trouble() {
            state.trouble = self.files.trouble().map(str::to_owned);
            match &state.trouble {
                Some(words) => (self.tell)("Not recorded", words),
                None => (self.tell)("Recording", "goes on"),
            }
        }
    }

    /// What was recorded is to know its track. That reads a lap of it, and recording does not wait for it.
    fn recognise_finished(&mut self) {
        self.looking.retain(|looking| !looking.is_finished());
        // Another program that has the folder changes what is in it.
        let finished = self.files.finished();
        for file in finished.into_iter().filter(|_| self.own.is_some()) {
            let library = Arc::clone(&self.library);
            let looking = std::thread::Builder::new().name("recognise".into()).spawn(move || {
                if let Err(refused) = library.recognise(&file) {
                    tracing::warn!("{file} could not be told of its track: {}", refused.words());
                }
            });
            self.looking.extend(looking);
        }
    }

    fn answer(&mut self, question: Question) {
        let underway = |id: RecordingId| self.files.underway().find(|one| one.id == id);
        // Whoever asked may have gone.
        match question {
            Question::Tail(id, answer) => {
                let Some(one) = underway(id) else { return };
                let Some(tail) = self.recorder.tail(one.file) else { return };
                let _ = answer.send((one, tail));
            }
            Question::Write(id, name, fact, answer) => {
                let written = underway(id).is_some_and(|one| self.recorder.write(one.file, &name, fact));
                let lost_batches = self.state.lock().lost_batches;
                self.write(lost_batches);
                let _ = answer.send(written);
            }
        }
    }
}

/// Seconds by which the driver's clock is ahead of UTC: files are named by it.
pub(crate) fn zone_s() -> i32 {
    chrono::Local::now().offset().local_minus_utc()
}

/// A random name for a recording.
pub(crate) fn new_id() -> RecordingId {
    let mut bytes = [0; 16];
    if let Err(error) = getrandom::fill(&mut bytes) {
        // Without randomness two machines could give the same name; the clock makes that unlikely.
        tracing::error!("the system gives no random numbers for a recording's name: {error}");
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        return RecordingId(now.as_nanos());
    }
    RecordingId(u128::from_le_bytes(bytes))
}
