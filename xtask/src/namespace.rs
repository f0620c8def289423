//! Namespaces for tests that need a network or a disk of their own, such as those of tablets and of a full disk.

use std::process::{Command, Stdio};

use crate::needs::Need;
use crate::packages::{self, Seat};

const DEBIAN_PACKAGES: &[&str] = &["iproute2", "util-linux"];

/// What those tests need: Linux's namespaces, where nothing leaves the machine.
pub(crate) fn need(seat: Seat) -> Need {
    if packages::on_path(&["ip"]).next().is_none()
        && packages::has_apt()
        && let Err(error) = seat.install_packages("ip, for the tests of tablets", DEBIAN_PACKAGES)
    {
        println!("{error:#}");
    }
    let has_namespaces = has_namespaces();
    if !has_namespaces {
        println!("no namespace can be made here, so the tests of tablets and of full disks do not run");
    }
    Need {
        reason: "needs a namespace of its own: run cargo xtask test",
        variables: has_namespaces.then(Vec::new),
    }
}

/// Whether a test can make one.
fn has_namespaces() -> bool {
    let mut unshare = Command::new("unshare");
    let set_up = "ip link set lo up && mount -t tmpfs none /mnt";
    unshare.args(["--map-root-user", "--net", "--mount", "sh", "-c", set_up]);
    unshare.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
