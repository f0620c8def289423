//! Finds a Lua with sockets, to test the app that the documentation ships.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::needs::Need;
use crate::packages::{self, Seat};
use crate::step;

const VARIABLE: &str = "TRAILBRAKE_LUA";
const NAMES: &[&str] = &["lua5.4", "lua", "lua5.3", "luajit", "lua5.1"];
const DEBIAN_PACKAGES: &[&str] = &["lua5.4", "lua-socket"];
const HOW_TO_GET_IT: &str = "\
  Debian, Ubuntu:     sudo apt-get install lua5.4 lua-socket
  Fedora:             sudo dnf install lua lua-socket
  Arch:               sudo pacman -S lua lua-socket
  macOS, Windows:     install Lua and LuaRocks, then: luarocks install luasocket
or say where it is with TRAILBRAKE_LUA.";

/// A Lua that has sockets.
pub(crate) struct Lua(PathBuf);

impl Lua {
    /// Finds one, or installs it where possible.
    pub(crate) fn obtain(seat: Seat) -> Result<Self> {
        if let Some(found) = Self::find() {
            return Ok(found);
        }
        if packages::has_apt() {
            seat.install_packages("Lua with sockets, for the test of the Lua app", DEBIAN_PACKAGES)?;
        }
        match Self::find() {
            Some(found) => Ok(found),
            None => bail!("no Lua with sockets for the test of the Lua app. What to do:\n{HOW_TO_GET_IT}"),
        }
    }

    /// One line: what was found.
    pub(crate) fn describe(&self) -> String {
        format!("Lua: {}", self.0.display())
    }

    /// What the app's tests need.
    pub(crate) fn need(&self) -> Need {
        let variables = Some(vec![(VARIABLE, self.0.clone().into())]);
        Need { reason: "needs Lua with sockets: run cargo xtask test", variables }
    }

    fn find() -> Option<Self> {
        if let Some(path) = env::var_os(VARIABLE) {
            return Some(Self(path.into()));
        }
        packages::on_path(NAMES).find(|program| has_sockets(program)).map(Self)
    }
}

fn has_sockets(program: &Path) -> bool {
    step::answer(Command::new(program).args(["-e", "require 'socket' print 'yes'"])).as_deref() == Some("yes")
}
