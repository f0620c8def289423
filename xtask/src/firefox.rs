//! Finds Firefox, for the tests in a second browser. It speaks WebDriver itself and needs no driver.

use std::path::PathBuf;

use crate::needs::Need;
use crate::packages::{self, Requirement, Seat};

const FIREFOX: Requirement = Requirement {
    variable: "TRAILBRAKE_FIREFOX",
    names: &["firefox-esr", "firefox"],
    places: &[
        "/Applications/Firefox.app/Contents/MacOS/firefox",
        r"C:\Program Files\Mozilla Firefox\firefox.exe",
    ],
};
const DEBIAN_PACKAGES: &[&str] = &["firefox-esr"];
const HOW_TO_GET_IT: &str = "\
  Debian:             sudo apt-get install firefox-esr
  Ubuntu:             sudo snap install firefox
  Fedora, Arch:       install the package firefox
  macOS:              brew install --cask firefox
or say where it is with TRAILBRAKE_FIREFOX.";

/// What the tests in Firefox need. Installs it where possible; without it those tests do not run.
pub(crate) fn need(seat: Seat) -> Need {
    let found = FIREFOX.find().or_else(|| {
        if packages::has_apt()
            && let Err(error) = seat.install_packages("Firefox, for the tests in it", DEBIAN_PACKAGES)
        {
            println!("{error:#}");
        }
        FIREFOX.find()
    });
    match &found {
        Some(firefox) => println!("second browser: {}", firefox.display()),
        None => println!("no Firefox, so its tests do not run. What to do:\n{HOW_TO_GET_IT}"),
    }
    let variables = |firefox: PathBuf| vec![(FIREFOX.variable, firefox.into())];
    Need { reason: "needs Firefox: run cargo xtask test", variables: found.map(variables) }
}
