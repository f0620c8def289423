//! Prints on a thread of its own, so that a slow reader does not delay the program's exit.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use crate::terminal::note;

/// Pieces of text that may wait.
const ROOM: usize = 64;
/// Time for the last lines at the end.
const FAREWELL: Duration = Duration::from_millis(500);

/// The reader has closed the output.
pub(super) struct OutputClosed;

/// Prints text in order.
pub(super) struct Printer {
    pieces: Option<mpsc::Sender<String>>,
    done: oneshot::Receiver<()>,
}

impl Printer {
    pub(super) fn start(mut out: impl Write + Send + 'static) -> Self {
        let (pieces, mut waiting) = mpsc::channel::<String>(ROOM);
        let (finished, done) = oneshot::channel();
        thread::spawn(move || {
            while let Some(piece) = waiting.blocking_recv() {
                if let Err(error) = out.write_all(piece.as_bytes()).and_then(|()| out.flush()) {
                    if error.kind() != io::ErrorKind::BrokenPipe {
                        note(&format!("the lines cannot be written: {error}"));
                    }
                    break;
                }
            }
            // The waiting side may already be gone.
            let _ = finished.send(());
        });
        Self { pieces: Some(pieces), done }
    }

    /// Prints whole lines, once there is room for them.
    pub(super) async fn print(&self, text: String) -> Result<(), OutputClosed> {
        let Some(pieces) = self.pieces.as_ref().filter(|_| !text.is_empty()) else { return Ok(()) };
        pieces.send(text).await.map_err(|_| OutputClosed)
    }

    /// Gives the last lines a moment to be read.
    pub(super) async fn finish(&mut self) {
        self.pieces = None;
        let _ = tokio::time::timeout(FAREWELL, &mut self.done).await;
    }
}
