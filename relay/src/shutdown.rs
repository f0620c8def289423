//! Telling everything that runs to come to an end.

use tokio::sync::watch;

/// Held by whoever decides on the end, which comes when it is dropped.
pub(crate) struct Ending(#[expect(dead_code, reason = "its drop is the signal")] watch::Sender<()>);

/// Held by whatever runs until then.
#[derive(Clone)]
pub(crate) struct Shutdown(watch::Receiver<()>);

/// An end and what waits for it.
pub(crate) fn pair() -> (Ending, Shutdown) {
    let (sender, receiver) = watch::channel(());
    (Ending(sender), Shutdown(receiver))
}

impl Shutdown {
    /// Returns at the end.
    pub(crate) async fn wait(&mut self) {
        while self.0.changed().await.is_ok() {}
    }
}

/// Returns when the person or the system wants the program to end.
pub async fn asked_for() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminate) = signal(SignalKind::terminate()) else {
            return ctrl_c().await;
        };
        tokio::select! {
            () = ctrl_c() => {}
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    ctrl_c().await;
}

async fn ctrl_c() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Without it the program is ended by the system's own means.
        std::future::pending::<()>().await;
    }
}
