//! What a test has for itself: a Linux namespace with a network or a disk that nothing else has, and ports.
//!
//! A test in a namespace is ignored where no namespace can be made: `#[ignore = "needs a namespace of its own: run cargo xtask test"]`.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a tool for tests: it says what it expects by panicking"
)]

mod ports;

use std::process::Command;

pub use ports::free_port;

/// This machine's address in its own network, which is not loopback.
pub const ADDRESS: &str = "10.77.0.1";
/// The folder of its own disk.
pub const DISK: &str = "/mnt";

/// Marks the process within.
const INSIDE: &str = "TRAILBRAKE_NAMESPACE";

/// Whether this process runs in a network of its own, where this machine is [`ADDRESS`]. Otherwise the test of this name
/// runs there, and has to pass.
pub fn has_own_network(test: &str) -> bool {
    entered("--net", &format!("ip link set lo up && ip address add {ADDRESS}/24 dev lo"), test)
}

/// Whether this process has a disk of its own with so many KiB, at [`DISK`]. Otherwise the test of this name runs with
/// one, and has to pass.
pub fn has_own_disk(kib: u32, test: &str) -> bool {
    entered("--mount", &format!("mount -t tmpfs -o size={kib}k none {DISK}"), test)
}

/// Whether this process runs in a namespace of this kind. Otherwise the test of this name runs there after the commands
/// that set it up.
fn entered(kind: &str, set_up: &str, test: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let program = std::env::current_exe().expect("this program");
    let mut unshare = Command::new("unshare");
    unshare.args(["--map-root-user", kind, "sh", "-c"]);
    unshare.arg(format!("{set_up} && exec \"$0\" --exact {test} --ignored --nocapture"));
    let done = unshare.arg(program).env(INSIDE, "1").output().expect("unshare runs");
    let output = String::from_utf8_lossy(&done.stdout);
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && output.contains("1 passed"), "{output}\n{errors}");
    print!("{output}");
    false
}
