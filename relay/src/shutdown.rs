//! Telling everything that runs to come to an end.

use tokio::sync::watch;

/// Decides on the end, which comes when this is dropped.
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

/// Waits for the person or the system to end the program. Signals count from this call on, which needs a runtime: one
/// that comes before the first poll is not lost.
#[cfg(unix)]
pub fn end_signal() -> impl Future<Output = ()> {
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

/// Waits for the person to end the program.
#[cfg(not(unix))]
pub async fn end_signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Without it the program is ended by the system's own means.
        std::future::pending::<()>().await;
    }
}
