//! Opens the page in the user's browser.

use std::process::{Command, Stdio};

/// Opens an address in the browser. Without one, the user has the printed address.
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
        // Without a wait the child would stay in the process list.
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
