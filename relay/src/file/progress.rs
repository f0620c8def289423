//! How far something has come, for whoever waits at a terminal for more than a second.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Nobody wonders before this.
const PATIENCE: Duration = Duration::from_secs(1);
/// The number changes no more often than this.
const PACE: Duration = Duration::from_millis(200);

/// A line that says how far it is.
pub(crate) struct Progress {
    whole: u64,
    began: Instant,
    said: Option<Instant>,
    terminal: bool,
}

impl Progress {
    /// Something begins that ends after so many bytes.
    pub(crate) fn new(whole: u64) -> Self {
        Self { whole, began: Instant::now(), said: None, terminal: std::io::stderr().is_terminal() }
    }

    /// It has come so far.
    pub(crate) fn reached(&mut self, bytes: u64) {
        let now = Instant::now();
        let soon = self.said.is_some_and(|said| now - said < PACE) || now - self.began < PATIENCE;
        if !self.terminal || soon || self.whole == 0 {
            return;
        }
        self.said = Some(now);
        let share = (bytes as f64 / self.whole as f64).min(1.0);
        let bar = "#".repeat((share * 40.0) as usize);
        // Whoever does not see it misses nothing.
        let _ = write!(std::io::stderr(), "\r[{bar:<40}] {:3.0} %", share * 100.0);
    }

    /// It has ended: the line goes.
    pub(crate) fn end(&self) {
        if self.said.is_some() {
            let _ = write!(std::io::stderr(), "\r{:50}\r", "");
        }
    }
}
