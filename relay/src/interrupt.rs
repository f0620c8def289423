//! Ctrl+C during a command that writes files.

use std::io::{IsTerminal as _, Write as _};
use std::process;
use std::sync::mpsc;
use std::thread;

use tokio::runtime;

use crate::shutdown::end_signal;
use crate::unfinished;

/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// From now on a signal removes what is unfinished, says so, and ends the program.
pub(crate) fn clean_up_on_signal() {
    let (ready, waiting) = mpsc::channel::<()>();
    // Without the thread a signal ends the program by the system's means.
    let _ = thread::Builder::new().name("interrupt".to_owned()).spawn(move || {
        let Ok(runtime) = runtime::Builder::new_current_thread().enable_all().build() else { return };
        runtime.block_on(async {
            let signal = end_signal();
            drop(ready);
            signal.await;
        });
        end();
    });
    // No file is begun before signals count.
    let _ = waiting.recv();
}

fn end() {
    let removed = unfinished::remove_all();
    let mut errors = std::io::stderr();
    // A progress bar may be on the line.
    let clear = if errors.is_terminal() { "\r\x1b[K" } else { "" };
    let what = if removed.is_empty() { String::new() } else { format!(": {}", removed.join(", ")) };
    let _ = writeln!(errors, "{clear}trailbrake: stopped{what}");
    process::exit(INTERRUPTED);
}
