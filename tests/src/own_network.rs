//! Runs a test in a network of its own, where this machine has an address that is not loopback.

use std::process::Command;

/// This machine's address there.
pub const ADDRESS: &str = "10.77.0.1";

/// Marks the process that runs there.
const INSIDE: &str = "TRAILBRAKE_OWN_NETWORK";

/// Whether this process runs there. Otherwise the test of this name is run there, and has to pass.
pub fn entered(test: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let set_up = format!(
        "ip link set lo up && ip address add {ADDRESS}/24 dev lo && exec \"$0\" --exact {test} --ignored"
    );
    let program = std::env::current_exe().expect("this program");
    let mut unshare = Command::new("unshare");
    unshare.args(["--map-root-user", "--net", "sh", "-c", &set_up]).arg(program).env(INSIDE, "1");
    let done = unshare.output().expect("unshare runs");
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(
        done.status.success() && said.contains("1 passed"),
        "{said}\n{}",
        String::from_utf8_lossy(&done.stderr)
    );
    false
}
