//! A progress bar at the terminal for work that takes more than a second.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// No bar is shown before this.
const PATIENCE: Duration = Duration::from_secs(1);
/// Least time between two updates.
const PACE: Duration = Duration::from_millis(200);
/// Width of the bar in characters.
const WIDTH: usize = 40;

/// A progress bar. Not shown where standard error is no terminal.
pub(crate) struct Progress {
    bar: Bar,
    seen: bool,
}

impl Progress {
    /// Progress of work on this many bytes.
    pub(crate) fn new(whole: u64) -> Self {
        Self { bar: Bar::new(whole, Instant::now()), seen: std::io::stderr().is_terminal() }
    }

    /// Like `new`, for work that prints lines: at a terminal those show the progress.
    pub(crate) fn beside_lines(whole: u64) -> Self {
        let mut progress = Self::new(whole);
        progress.seen &= !std::io::stdout().is_terminal();
        progress
    }

    /// Updates the progress.
    pub(crate) fn reached(&mut self, bytes: u64) {
        if let Some(line) = self.bar.reached(bytes, Instant::now())
            && self.seen
        {
            // A bar that is not seen is no loss.
            let _ = write!(std::io::stderr(), "\r{line}");
        }
    }
}

/// Removes the bar at the end.
impl Drop for Progress {
    fn drop(&mut self) {
        if self.bar.updated.is_some() && self.seen {
            let _ = write!(std::io::stderr(), "\r{:WIDTH$}          \r", "");
        }
    }
}

/// The content and the timing of the bar.
struct Bar {
    whole: u64,
    began: Instant,
    /// When the text last changed.
    updated: Option<Instant>,
}

impl Bar {
    fn new(whole: u64, now: Instant) -> Self {
        Self { whole, began: now, updated: None }
    }

    /// The bar's text, when an update is due.
    fn reached(&mut self, bytes: u64, now: Instant) -> Option<String> {
        let soon = self.updated.is_some_and(|updated| now - updated < PACE) || now - self.began < PATIENCE;
        if soon || self.whole == 0 {
            return None;
        }
        self.updated = Some(now);
        let share = (bytes as f64 / self.whole as f64).min(1.0);
        let bar = "#".repeat((share * WIDTH as f64) as usize);
        // Rounded down: 100 % means finished.
        Some(format!("[{bar:<WIDTH$}] {:3.0} %", (share * 100.0).floor()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_update_comes_after_a_second_and_then_at_most_five_a_second() {
        let began = Instant::now();
        let mut bar = Bar::new(1000, began);
        let mut updates = Vec::new();
        for step in 0..400 {
            let now = began + Duration::from_millis(step * 10);
            if let Some(line) = bar.reached(step * 2, now) {
                updates.push((step * 10, line));
            }
        }
        assert_eq!(updates.len(), 15, "{updates:#?}");
        assert_eq!(updates[0], (1000, format!("[{:<40}]  20 %", "########")));
        assert_eq!(updates[14].0, 3800);
    }

    #[test]
    fn a_hundred_per_cent_means_finished() {
        let late = Instant::now() + PATIENCE;
        for (bytes, end) in [(0, "  0 %"), (999, " 99 %"), (1000, "100 %"), (2000, "100 %")] {
            let mut bar = Bar::new(1000, late - PATIENCE);
            let line = bar.reached(bytes, late).expect("a line");
            assert!(line.ends_with(end), "{line}");
        }
        assert_eq!(Bar::new(0, late - PATIENCE).reached(5, late), None);
    }
}
