//! The recorders: of games in the library's folder, and of what is not recorded in memory. Recording is switched while
//! the relay runs.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::sync::watch;
use tokio::task::JoinSet;
use trailbrake_shared::recording::recorder::Policy;

use super::addresses::is_here;
use super::hub::Hub;
use super::recorder::{self, RecorderHandle, RecorderPlan, RunningRecorder, Senders};
use crate::clock::Clock;
use crate::library::store::{FolderStore, MemoryStore};
use crate::library::{self, Library, RetentionLimits};
use crate::lock::Lock;

/// What recorders are made from.
pub(crate) struct RecordersPlan {
    pub(crate) hub: Arc<Hub>,
    /// The library; `None` where there is no folder for it.
    pub(crate) library: Option<Arc<Library>>,
    /// The sender of the demo, if it is not recorded.
    pub(crate) demo: Option<SocketAddr>,
    pub(crate) policy: Policy,
    /// Most bytes in memory for sessions that are not recorded.
    pub(crate) memory: usize,
    pub(crate) limits: watch::Receiver<RetentionLimits>,
    pub(crate) clock: Clock,
    pub(crate) announce: fn(&str, &str),
}

/// The recorders that run. Copies are handles to the same.
#[derive(Clone)]
pub(crate) struct Recorders(Arc<Shared>);

struct Shared {
    plan: RecordersPlan,
    handles: RecorderHandles,
    /// Locked while recording is switched.
    running: Lock<Running>,
}

/// The recorders as those see them that read what is recorded. Copies are handles to the same.
#[derive(Clone, Default)]
pub(crate) struct RecorderHandles(Arc<Lock<Handles>>);

#[derive(Clone, Default)]
struct Handles {
    folder: Option<RecorderHandle>,
    memory: Option<RecorderHandle>,
}

#[derive(Default)]
struct Running {
    recorders: Vec<RunningRecorder>,
    /// What the library does beside recording.
    upkeep: JoinSet<()>,
}

impl RecorderHandles {
    /// A recorder of games alone.
    #[cfg(feature = "team")]
    pub(crate) fn of(folder: RecorderHandle) -> Self {
        Self(Arc::new(Lock::new(Handles { folder: Some(folder), memory: None })))
    }

    /// The recorder of games; `None` while they are not recorded.
    pub(crate) fn folder(&self) -> Option<RecorderHandle> {
        self.0.lock().folder.clone()
    }

    /// The recorder of sessions in memory.
    pub(crate) fn memory(&self) -> Option<RecorderHandle> {
        self.0.lock().memory.clone()
    }
}

impl Recorders {
    /// None runs yet.
    pub(crate) fn new(plan: RecordersPlan) -> Self {
        Self(Arc::new(Shared { plan, handles: RecorderHandles::default(), running: Lock::default() }))
    }

    /// The recorders that run now, and those that take their place.
    pub(crate) fn handles(&self) -> RecorderHandles {
        self.0.handles.clone()
    }

    /// The recorder of games; `None` while they are not recorded.
    pub(crate) fn folder(&self) -> Option<RecorderHandle> {
        self.0.handles.folder()
    }

    /// The recorder of sessions in memory.
    pub(crate) fn memory(&self) -> Option<RecorderHandle> {
        self.0.handles.memory()
    }

    /// The library that games are recorded into.
    pub(crate) fn library(&self) -> Option<&Arc<Library>> {
        self.0.plan.library.as_ref()
    }

    /// Records games from now on, or keeps them in memory only. Blocks until the files under way are finished.
    pub(crate) fn switch(&self, on: bool) -> anyhow::Result<()> {
        let plan = &self.0.plan;
        let mut running = self.0.running.lock();
        let (mut next, mut handles) = (Running::default(), Handles::default());
        if let Some(library) = plan.library.as_ref().filter(|_| on) {
            let senders = plan.demo.map_or(Senders::All, Senders::AllBut);
            let place = library.folder().to_owned();
            let free = Box::new(move || fs4::available_space(&place));
            let folder = FolderStore::new(Arc::clone(library), plan.announce, free, is_here);
            let folder = Box::new(folder);
            let started = recorder::start(self.recorder(senders, plan.policy), folder, self.listen())?;
            next.recorders.push(started.0);
            handles.folder = Some(started.1);
            let library = || Arc::clone(library);
            let limits = plan.limits.clone();
            let (clock, announce) = (plan.clock, plan.announce);
            next.upkeep.spawn(library::enforce_retention(library(), limits, clock, is_here, announce));
            next.upkeep.spawn(library::recognise_tracks(library()));
            next.upkeep.spawn(library::reindex(library(), plan.announce));
        }
        let unrecorded = match handles.folder {
            Some(_) => plan.demo.map(Senders::Only),
            None => Some(Senders::All),
        };
        if let Some(senders) = unrecorded.filter(|_| plan.memory > 0) {
            // It stays until another session begins.
            let policy = Policy { silence_s: f64::INFINITY, ..plan.policy };
            let store = Box::new(MemoryStore::new(plan.memory));
            // These sessions are only in memory: if one has no room, no file misses anything.
            let plan = RecorderPlan { announce: |_, _| (), ..self.recorder(senders, policy) };
            let started = recorder::start(plan, store, self.listen())?;
            next.recorders.push(started.0);
            handles.memory = Some(started.1);
        }
        // The new ones listen before the old ones end, so nothing is missed.
        *self.0.handles.0.lock() = handles;
        *running = next;
        Ok(())
    }

    /// Ends all. Blocks until their files are finished.
    pub(crate) fn end(&self) {
        *self.0.running.lock() = Running::default();
    }

    fn recorder(&self, senders: Senders, policy: Policy) -> RecorderPlan {
        RecorderPlan { senders, policy, clock: self.0.plan.clock, announce: self.0.plan.announce }
    }

    fn listen(&self) -> super::hub::Listener {
        self.0.plan.hub.listen(recorder::ROOM)
    }
}
