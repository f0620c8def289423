//! Links: the address holds the whole view, and a link restores it.

use trailbrake_shared::number;
use trailbrake_shared::plot::colouring::Colouring;
use trailbrake_shared::recording::RecordingId;

use super::link_laps::{Lap, recordings};
use super::{Axis, MapArea, MapView, Measure, PanelChoice, Part, Strip, lanes, wheel_of};
use crate::route::{self};
use crate::text::words::decoded;

/// The keys of the measuring cursors, whose values are lap distances in metres on both axes.
pub(super) const MEASURED: [&str; 2] = ["in", "out"];

/// A parsed link.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Link {
    /// The fragment that was parsed.
    pub(super) fragment: String,
    /// The main lap's recording. Without it a link names no laps: those of no recording can't be linked.
    pub(super) of: Option<RecordingId>,
    /// The file names of the recordings, as far as the link has them.
    pub(super) files: Vec<(RecordingId, String)>,
    /// The description of the session: what was driven, where, by whom and when.
    pub(super) session: Option<String>,
    pub(super) main: Option<Lap>,
    pub(super) reference: Option<Lap>,
    pub(super) others: Vec<Lap>,
    /// The excluded laps.
    pub(super) without: Vec<Lap>,
    /// Whether laps of different tracks are compared, too.
    pub(super) anyway: bool,
    pub(super) axis: Axis,
    pub(super) part: Option<Part>,
    /// The cursor, in the axis' unit.
    pub(super) cursor: Option<f64>,
    pub(super) corner: Option<u16>,
    pub(super) measure: Measure,
    /// The lanes on screen; `None` leaves them as they are.
    pub(super) lanes: Option<Vec<Strip>>,
    pub(super) panel: PanelChoice,
    pub(super) map: MapView,
}

/// The outcome of following a link.
pub(super) enum Followed {
    /// Everything is shown.
    Whole,
    /// The recording is open but does not have the main lap, so its latest lap is shown instead.
    WithoutItsLap,
    /// Nothing is shown: the recording is not open.
    Not(Box<Link>),
}

/// A link whose recording is not open.
pub(crate) struct PendingLink {
    /// The recording.
    pub(crate) id: RecordingId,
    /// Why it can't be opened; `None` while the relay is being asked.
    pub(crate) why: Option<String>,
    pub(super) link: Box<Link>,
}

impl PendingLink {
    /// Parses a fragment; `None` if it names no recording.
    pub(crate) fn read(fragment: &str) -> Option<Self> {
        Self::of(Box::new(Link::from_hash(fragment)?))
    }

    pub(super) fn of(link: Box<Link>) -> Option<Self> {
        Some(Self { id: link.of?, why: None, link })
    }
}

impl Link {
    /// Parses a fragment, whichever page it is of; `None` if it names nothing. Malformed values are ignored.
    pub(super) fn from_hash(hash: &str) -> Option<Self> {
        let (_, query) = hash.split_once('?')?;
        let value = |key: &str| route::value(hash, key);
        let of = value("recording").and_then(RecordingId::read);
        let number = |key: &str| number::read(value(key)?).filter(|number| number.is_finite());
        let part = || Some(Part { from: number("from")?, to: number("to")? });
        let laps = |key: &str| {
            let text = value(key).filter(|_| of.is_some()).unwrap_or_default();
            text.split(',').filter_map(Lap::read).collect::<Vec<Lap>>()
        };
        let (main, reference, others) = (laps("lap"), laps("reference"), laps("others"));
        let mut files = Vec::new();
        for (id, file) in recordings(of, [&reference, &others])
            .into_iter()
            .zip(value("file").unwrap_or_default().split(','))
        {
            if !file.is_empty() {
                files.push((id, decoded(file)));
            }
        }
        let link = Self {
            fragment: hash.to_owned(),
            of,
            files,
            session: value("session").filter(|words| !words.is_empty()).map(decoded),
            main: main.first().copied(),
            reference: reference.first().copied(),
            others,
            without: laps("without"),
            anyway: value("anyway").is_some(),
            axis: if value("axis") == Some("time") { Axis::Time } else { Axis::Distance },
            part: part(),
            cursor: number("cursor"),
            corner: value("corner").and_then(|corner| corner.parse().ok()),
            measure: Measure { places_m: MEASURED.map(number) },
            lanes: value("lanes").map(lanes::read),
            panel: PanelChoice::named(value("panel").unwrap_or_default(), value("of").unwrap_or_default()),
            map: MapView {
                by: value("colour").and_then(Colouring::of_id),
                wheel: value("wheel").and_then(wheel_of),
                look: MapArea::of_word(value("map").unwrap_or_default()),
                lines: value("lines").is_some(),
            },
        };
        (!query.is_empty()).then_some(link)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_senseless_address_names_nothing() {
        for hash in ["#/analyse", "#/analyse?"] {
            assert_eq!(Link::from_hash(hash), None, "{hash}");
        }
        for lap in ["", "1.2", "1.2.3.4", "x:1.2.3"] {
            let hash = format!("#/analyse?recording={}&lap={lap}", RecordingId(7));
            assert_eq!(Link::from_hash(&hash).expect("a link").main, None, "{hash}");
        }
        let link = Link::from_hash("#/analyse?lap=0.0.3&from=NaN&to=5&cursor=inf").expect("a link");
        assert_eq!((link.of, link.main, link.part, link.cursor), (None, None, None, None));
    }
}
