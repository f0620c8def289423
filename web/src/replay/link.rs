//! Links to a recording and a position in it.

use std::fmt;

use trailbrake_shared::model::Car;
use trailbrake_shared::number;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::session::LapId;

use crate::route::{self, Page};

/// A link to a recording.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Link {
    /// The recording's id.
    pub(crate) id: RecordingId,
    /// The name of the recording's file, so that people can find the file.
    pub(crate) file: Option<String>,
    /// The position in the recording.
    pub(crate) place: Option<Place>,
}

/// A position in a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    /// Seconds from the recording's beginning.
    At(f64),
    /// The beginning of a lap.
    Lap(LapName),
}

/// Identifies a lap in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LapName {
    /// The car; the player's if `None`.
    pub(crate) car: Option<Car>,
    /// The session in the recording, counted from 0.
    pub(crate) session: u16,
    /// The lap's serial in the session.
    pub(crate) serial: u32,
}

impl Link {
    /// The link in a fragment, if it names a recording. Values that make no sense are ignored.
    pub(crate) fn from_hash(hash: &str) -> Option<Self> {
        let value = |key: &str| route::value(hash, key);
        let id = RecordingId::read(value("recording")?)?;
        let file = value("file").filter(|name| is_plain(name)).map(str::to_owned);
        let lap = || LapName::read(value("lap")?, value("car")).map(Place::Lap);
        let at = || number::read(value("at")?).filter(|at| at.is_finite() && *at >= 0.0).map(Place::At);
        Some(Self { id, file, place: lap().or_else(at) })
    }
}

/// Prints the link as an address fragment.
impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}?recording={}", Page::Live.hash(), self.id)?;
        if let Some(file) = self.file.as_ref().filter(|name| is_plain(name)) {
            write!(f, "&file={file}")?;
        }
        match self.place {
            None => Ok(()),
            Some(Place::At(seconds)) => write!(f, "&at={seconds:.1}"),
            Some(Place::Lap(LapName { car, session, serial })) => {
                match session {
                    0 => write!(f, "&lap={serial}")?,
                    _ => write!(f, "&lap={session}.{serial}")?,
                }
                car.map_or(Ok(()), |car| write!(f, "&car={}", car.0))
            }
        }
    }
}

impl LapName {
    /// The name of a lap in addresses. Laps of `driver`, the player's car, need no car.
    pub(crate) fn of(id: LapId, driver: Option<Car>) -> Self {
        let car = Some(id.car).filter(|car| Some(*car) != driver);
        Self { car, session: id.session, serial: id.serial }
    }

    /// Parses a serial, with the session and a dot in front unless that is session 0.
    fn read(text: &str, car: Option<&str>) -> Option<Self> {
        let (session, serial) = text.split_once('.').unwrap_or(("0", text));
        let car = car.and_then(|car| car.parse().ok()).map(Car);
        Some(Self { car, session: session.parse().ok()?, serial: serial.parse().ok()? })
    }
}

/// Whether a name needs no encoding in an address. The recorder's own file names need none.
fn is_plain(name: &str) -> bool {
    let plain = |letter: u8| letter.is_ascii_alphanumeric() || b"-_.".contains(&letter);
    !name.is_empty() && name.len() <= 200 && name.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0000000000000000000000000000fe3d";

    fn check(rest: &str, file: Option<&str>, place: Option<Place>) {
        let hash = format!("#/live?recording={ID}{rest}");
        let link = Link { id: RecordingId(0xfe3d), file: file.map(str::to_owned), place };
        assert_eq!(Link::from_hash(&hash), Some(link.clone()), "{hash}");
        assert_eq!(Link::from_hash(&link.to_string()), Some(link), "{hash}");
    }

    #[test]
    fn addresses_name_a_recording_and_a_place_in_it() {
        let lap = |car: Option<u8>, session, serial| {
            Some(Place::Lap(LapName { car: car.map(Car), session, serial }))
        };
        check("", None, None);
        check("&file=2026-11-21_1432_spa.trailbrake.mcap", Some("2026-11-21_1432_spa.trailbrake.mcap"), None);
        check("&at=12.5", None, Some(Place::At(12.5)));
        check("&lap=3", None, lap(None, 0, 3));
        check("&lap=2.3&car=7&at=5", None, lap(Some(7), 2, 3));
    }

    #[test]
    fn what_makes_no_sense_is_left_out() {
        for rest in ["&at=-1", "&at=inf", "&at=soon", "&lap=", "&lap=x.3", "&file=", "&file=<b>", "&car=7"] {
            check(rest, None, None);
        }
        for hash in ["#/live", "#/live?recording=", "#/live?recording=fe3d", "#/live?lap=3"] {
            assert_eq!(Link::from_hash(hash), None, "{hash}");
        }
    }

    #[test]
    fn a_name_that_is_not_plain_stands_in_no_address() {
        let link = Link { id: RecordingId(0xfe3d), file: Some("my lap & more".into()), place: None };
        assert_eq!(link.to_string(), format!("#/live?recording={ID}"));
    }
}
