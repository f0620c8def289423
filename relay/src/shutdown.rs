//! Signals everything that runs to end.

use tokio::sync::watch;

/// Dropping this signals the end.
pub(crate) struct Ending(
    #[cfg_attr(not(feature = "team"), expect(dead_code, reason = "its drop is the signal"))] watch::Sender<()>,
);

/// Held by everything that runs until the end.
#[derive(Clone)]
pub(crate) struct Shutdown(watch::Receiver<()>);

/// A signal and its receiver.
pub(crate) fn pair() -> (Ending, Shutdown) {
    let (sender, receiver) = watch::channel(());
    (Ending(sender), Shutdown(receiver))
}

impl Ending {
    /// One more that is held.
    #[cfg(feature = "team")]
    pub(crate) fn receiver(&self) -> Shutdown {
        Shutdown(self.0.subscribe())
    }
}

impl Shutdown {
    /// Waits for the end.
    pub(crate) async fn wait(&mut self) {
        while self.0.changed().await.is_ok() {}
    }

    /// Whether the end has come.
    #[cfg(feature = "team")]
    pub(crate) fn has_come(&self) -> bool {
        self.0.has_changed().is_err()
    }
}

/// Waits for the user or the system to end the program. Signals count from this call on, which needs a runtime: one
/// that comes before the first poll is not lost.
#[cfg(unix)]
pub fn end_signal() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let [interrupt, terminate] = [SignalKind::interrupt(), SignalKind::terminate()].map(signal);
    async {
        // Without signal handlers the system ends the program by its own means.
        let (Ok(mut interrupt), Ok(mut terminate)) = (interrupt, terminate) else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    }
}

/// Waits for the user or the system to end the program: by a key, by closing the window, by logging off. Signals count
/// from this call on, which needs a runtime.
#[cfg(windows)]
pub fn end_signal() -> impl Future<Output = ()> {
    use tokio::signal::windows;
    let keys = (windows::ctrl_c(), windows::ctrl_break());
    let system = (windows::ctrl_close(), windows::ctrl_logoff(), windows::ctrl_shutdown());
    async {
        // Without signal handlers the system ends the program by its own means.
        let ((Ok(mut interrupt), Ok(mut stop)), (Ok(mut close), Ok(mut log_off), Ok(mut shut_down))) =
            (keys, system)
        else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = stop.recv() => {}
            _ = close.recv() => {}
            _ = log_off.recv() => {}
            _ = shut_down.recv() => {}
        }
    }
}
