//! `shared` does no IO, the page is the same code on every target, and files stay short enough to read.

use crate::crates;
use crate::tree;

#[test]
fn shared_has_no_io_clock_or_thread() {
    let forbidden = [
        "std::fs",
        "std::io::",
        "std::thread",
        "std::process",
        "std::env",
        "UdpSocket",
        "TcpStream",
        "Instant::now",
        "SystemTime",
        "println!",
        "eprintln!",
    ];
    for (path, source) in crates::sources_of_shared() {
        // Tests may read captures.
        if tree::is_test(&path) {
            continue;
        }
        let code = tree::code(&source);
        let code = code.split("#[cfg(test)]").next().unwrap_or_default();
        // `Cursor` reads and writes memory, not files.
        let code = code.replace("std::io::Cursor", "");
        for name in forbidden {
            assert!(!code.contains(name), "{} uses {name}", path.display());
        }
    }
}

#[test]
fn what_the_page_runs_is_linted_natively() {
    let page = tree::sources("web/src").into_iter();
    for (path, source) in crates::sources_of_shared().into_iter().chain(page) {
        for name in ["target_arch", "target_family", "target_os", "cfg(windows)", "cfg(unix)"] {
            assert!(
                !tree::code(&source).contains(name),
                "{} uses {name}: the native lints check no code of another target",
                path.display()
            );
        }
    }
}

#[test]
fn files_are_short() {
    const LINES: usize = 600;
    // Longer, since tests are read one case at a time.
    const LINES_OF_CASES: usize = 700;
    for folder in ["shared", "relay", "web", "tests", "xtask", "fuzz"] {
        for (path, source) in tree::sources(folder) {
            let lines = source.lines().count();
            let most = if path.to_string_lossy().ends_with("tests.rs") { LINES_OF_CASES } else { LINES };
            assert!(lines <= most, "{} has {lines} lines: it has more than one subject", path.display());
        }
    }
}
