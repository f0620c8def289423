//! The publisher: sends what this rig recorded to the hub. It has a thread of its own, and reads what the recorder and
//! the library wrote: neither ever waits for it.

use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::Context as _;
use tokio::sync::watch;
use trailbrake_shared::wire::TeamStatus;

use super::connection::{Connection, Login};
use super::invitation::Invitation;
use super::publisher_plan::PublisherPlan;
use super::sending::{Sending, Sent};
use super::subject;
use crate::recording_id;
use crate::shutdown::{self, Ending, Shutdown};

/// How long the rig waits before it connects again; each time twice as long.
const SHORTEST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// How long the program's end waits for the publisher.
const LONGEST_FAREWELL: Duration = Duration::from_secs(4);

/// A running publisher. Dropping it ends it, after a moment for what was recorded last.
pub(super) struct RunningPublisher {
    ending: Option<Ending>,
    thread: Option<JoinHandle<()>>,
}

/// Starts the publisher, which reports how the rig stands with its team.
pub(super) fn start(
    plan: PublisherPlan,
    status: watch::Sender<Option<TeamStatus>>,
) -> anyhow::Result<RunningPublisher> {
    let (ending, shutdown) = shutdown::pair();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("the system gives no thread for the team")?;
    let thread = std::thread::Builder::new().name("team".into()).spawn(move || {
        let mut ended = shutdown.clone();
        runtime.block_on(async {
            tokio::select! {
                () = publish(plan, status, shutdown) => {}
                // A hub that does not answer keeps the program no longer than one that does.
                () = async {
                    ended.wait().await;
                    tokio::time::sleep(LONGEST_FAREWELL).await;
                } => {}
            }
        });
        // A slow look-up of a name keeps nobody waiting.
        runtime.shutdown_background();
    });
    let thread = thread.context("the system gives no thread for the team")?;
    Ok(RunningPublisher { ending: Some(ending), thread: Some(thread) })
}

impl Drop for RunningPublisher {
    fn drop(&mut self) {
        drop(self.ending.take());
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the team's publisher broke off: what it was sending is sent at the next start");
        }
    }
}

async fn publish(plan: PublisherPlan, status: watch::Sender<Option<TeamStatus>>, mut shutdown: Shutdown) {
    let Invitation { rig, key, servers, authority, .. } = plan.invitation.clone();
    let login = Login { servers, key, authority, inbox: subject::inbox(&rig), name: rig.to_string() };
    let instance = recording_id::new().0 as u64;
    let (mut wait, mut announced) = (SHORTEST_WAIT, None);
    let announce = plan.announce;
    let mut report = |words: String| {
        if announced.as_ref() != Some(&words) {
            announce("Team", &words);
            announced = Some(words);
        }
    };
    let mut sending = Sending::new(plan, status, instance);
    loop {
        let connected = tokio::select! {
            () = shutdown.wait() => return,
            connected = Connection::open(&login) => connected,
        };
        match connected {
            Ok(connection) => match sending.run(connection, &shutdown, &mut report).await {
                Sent::All => return,
                Sent::Interrupted { worked: true } => wait = SHORTEST_WAIT,
                Sent::Interrupted { worked: false } => {}
            },
            Err(error) => {
                sending.offline(&error).await;
                report(format!("{error:#}"));
            }
        }
        tokio::select! {
            () = shutdown.wait() => return,
            () = tokio::time::sleep(wait) => {}
        }
        wait = (2 * wait).min(LONGEST_WAIT);
    }
}
