//! Reads the texts of settings. Errors are sentences for the driver.

use trailbrake_model::number;

use super::ForwardTarget;
use crate::feed::{AC_GAME_PORT, Feed, socket_address};

/// Most ports of a game, and most targets of forwarding.
const MOST_PORTS: usize = 8;
const MOST_FORWARDS: usize = 32;
/// Most letters of a name.
const LONGEST_NAME: usize = 60;

/// Ports, separated by commas or spaces; none for the usual ones.
pub(super) fn ports(text: &str) -> Result<Vec<u16>, String> {
    let mut ports = Vec::new();
    for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
        let port = word.parse().map_err(|_| format!("{word} is no port. Ports are numbers up to 65535."))?;
        if port == AC_GAME_PORT {
            return Err(format!("Port {AC_GAME_PORT} belongs to Assetto Corsa itself. Choose another."));
        }
        if !ports.contains(&port) {
            ports.push(port);
        }
    }
    if ports.len() > MOST_PORTS {
        return Err(format!("These are too many. A game can have {MOST_PORTS} ports."));
    }
    Ok(ports)
}

/// Targets of forwarding: a line for each, `f1=127.0.0.1:5300`.
pub(super) fn forwards(text: &str) -> Result<Vec<ForwardTarget>, String> {
    let mut targets = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (feed, to) =
            line.split_once('=').ok_or_else(|| format!("{line} names no game and no address."))?;
        let feed = Feed::from_id(feed.trim()).filter(|feed| feed.info().networked);
        let feed = feed.ok_or_else(|| format!("{line} names no game that sends packets."))?;
        let target = ForwardTarget { feed, to: socket_address(to.trim(), "127.0.0.1:5300")? };
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    if targets.len() > MOST_FORWARDS {
        return Err(format!("These are too many. There can be {MOST_FORWARDS}."));
    }
    Ok(targets)
}

/// A name.
pub(super) fn name(text: &str) -> Result<String, String> {
    if text.chars().count() > LONGEST_NAME {
        return Err(format!("This is too long. A name has up to {LONGEST_NAME} letters."));
    }
    if text.chars().any(char::is_control) {
        return Err("A name is one line of text.".to_owned());
    }
    Ok(text.to_owned())
}

/// A number within limits; the error says what it counts.
pub(super) fn number_from(text: &str, [least, most]: [f64; 2], of: &str) -> Result<f64, String> {
    let value = number::read(text).filter(|value| (least..=most).contains(value));
    value.ok_or_else(|| format!("Enter {of} from {least} to {most}."))
}

/// A temperature of a tyre.
pub(super) fn celsius(text: &str) -> Result<f64, String> {
    number_from(text, [-50.0, 300.0], "a temperature, in °C,")
}

/// Gigabytes to keep.
pub(super) fn gigabytes(text: &str) -> Result<f64, String> {
    let above_zero = number::read(text).filter(|gigabytes| *gigabytes > 0.0);
    above_zero.ok_or_else(|| "Enter gigabytes, a number above 0.".to_owned())
}

/// Days to keep.
pub(super) fn days(text: &str) -> Result<u32, String> {
    let above_zero = text.parse().ok().filter(|days| *days > 0);
    above_zero.ok_or_else(|| "Enter days, a whole number above 0.".to_owned())
}

/// Yes or no.
pub(super) fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("{text} is neither yes nor no.")),
    }
}
