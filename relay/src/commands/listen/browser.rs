//! Opening the page in the person's browser.

use std::process::{Command, Stdio};

/// Opens an address in the browser. Where there is none, the printed address is all there is.
pub(super) fn open(url: &str) {
    let Some((program, arguments)) = opener() else { return };
    let opened = Command::new(program)
        .args(arguments)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match opened {
        // Without a wait it stays in the system's list of processes.
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(error) => tracing::debug!("{program} could not open the browser: {error}"),
    }
}

fn opener() -> Option<(&'static str, &'static [&'static str])> {
    if cfg!(windows) {
        Some(("rundll32", &["url.dll,FileProtocolHandler"]))
    } else if cfg!(target_os = "macos") {
        Some(("open", &[]))
    } else {
        let screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
        screen.then_some(("xdg-open", &[]))
    }
}
