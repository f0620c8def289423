//! Finds a browser for the tests, and its driver.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::packages::{self, Requirement, Seat};

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
