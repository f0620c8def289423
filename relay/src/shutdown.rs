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

/// What comes when the person or the system wants the program to end. Whoever calls this, within a runtime, is heard
/// from then on: a signal that comes before anybody waits is not lost.
#[cfg(unix)]
pub fn asked_for() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let [interrupt, terminate] = [SignalKind::interrupt(), SignalKind::terminate()].map(signal);
    async {
        // Where the system gives no signals, the program is ended by the system's own means.
        let (Ok(mut interrupt), Ok(mut terminate)) = (interrupt, terminate) else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    }
}

/// What comes when the person wants the program to end.
#[cfg(not(unix))]
pub async fn asked_for() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Without it the program is ended by the system's own means.
        std::future::pending::<()>().await;
    }
}
