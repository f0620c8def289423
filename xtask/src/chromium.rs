//! Finds a browser for the tests, and its driver.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::packages::{self, Seat};

/// A program that the browser tests need: the variable that names it, its names on the path, and other locations.
struct Requirement {
    variable: &'static str,
    names: &'static [&'static str],
    places: &'static [&'static str],
}

const BROWSER: Requirement = Requirement {
    variable: "TRAILBRAKE_CHROMIUM",
    names: &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"],
    places: &[
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    ],
};
const DRIVER: Requirement = Requirement {
    variable: "TRAILBRAKE_CHROMEDRIVER",
    names: &["chromedriver"],
    places: &["/usr/lib/chromium/chromedriver", "/usr/lib/chromium-browser/chromedriver"],
};

const DEBIAN_PACKAGES: &[&str] = &["chromium", "chromium-driver"];

const HOW_TO_GET_THEM: &str = "\
  Debian:             sudo apt-get install chromium chromium-driver
  Ubuntu:             sudo snap install chromium
  Fedora:             sudo dnf install chromium chromedriver
  Arch:               sudo pacman -S chromium
  macOS:              brew install --cask google-chrome chromedriver
  Windows:            install Chrome and the chromedriver of the same version
or say where they are with TRAILBRAKE_CHROMIUM and TRAILBRAKE_CHROMEDRIVER.";

/// A browser and its driver.
pub(crate) struct Chromium {
    browser: PathBuf,
    driver: PathBuf,
}

impl Chromium {
    /// Finds both, or installs them where possible.
    pub(crate) fn obtain(seat: Seat) -> Result<Self> {
        if let Some(found) = Self::find() {
            return Ok(found);
        }
        if packages::has_apt() {
            seat.install_packages("Chromium with its driver, for the browser tests", DEBIAN_PACKAGES)?;
        }
        match Self::find() {
            Some(found) => Ok(found),
            None => {
                bail!("no Chromium with its driver for the browser tests. What to do:\n{HOW_TO_GET_THEM}")
            }
        }
    }

    /// One line: what was found.
    pub(crate) fn describe(&self) -> String {
        format!("browser: {}, driven by {}", self.browser.display(), self.driver.display())
    }

    /// The environment variables that name both for the tests.
    pub(crate) fn variables(&self) -> [(&'static str, &Path); 2] {
        [(BROWSER.variable, &self.browser), (DRIVER.variable, &self.driver)]
    }

    fn find() -> Option<Self> {
        Some(Self { browser: BROWSER.find()?, driver: DRIVER.find()? })
    }
}

impl Requirement {
    fn find(&self) -> Option<PathBuf> {
        if let Some(told) = env::var_os(self.variable) {
            return Some(told.into());
        }
        packages::on_path(self.names).chain(self.places.iter().map(PathBuf::from)).find(|path| path.is_file())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_on_the_path_and_a_stranger_is_not() {
        let cargo = Requirement {
            variable: "TRAILBRAKE_NO_SUCH_VARIABLE",
            names: &["no-such", "cargo"],
            places: &[],
        };
        assert!(cargo.find().is_some_and(|path| path.is_file()));
        let stranger = Requirement {
            variable: "TRAILBRAKE_NO_SUCH_VARIABLE",
            names: &["no-such"],
            places: &["/no/such"],
        };
        assert_eq!(stranger.find(), None);
    }
}
