//! Packets of games that are not supported: how to recognise them, and what to advise.
//!
//! A new neighbour is one row. When a game becomes supported, its row moves to the table of feeds.

mod acc;
mod floats;
mod project_cars;

use std::ops::RangeInclusive;

use super::Rejected;

/// A kind of packet that is recognised but not read.
pub struct Neighbour {
    /// The game or the family of games.
    pub family: &'static str,
    /// The possible sizes of its packets, in bytes.
    pub sizes: &'static [RangeInclusive<usize>],
    /// Whether its mark is unambiguous, so that no feed may claim the packet by its content.
    pub certain: bool,
    /// The exact name of a packet of such a size; `None` when it is something else.
    pub name: fn(&[u8]) -> Option<String>,
    /// Advice for the driver.
    pub advice: &'static str,
}

impl Neighbour {
    /// The rejection, if the packet is this neighbour's.
    pub fn claims(&self, datagram: &[u8]) -> Option<Rejected> {
        let fits = self.sizes.iter().any(|sizes| sizes.contains(&datagram.len()));
        let what = fits.then(|| (self.name)(datagram)).flatten()?;
        Some(Rejected::Resembles { what, advice: self.advice.to_owned() })
    }
}

/// The rejection of a packet that no feed reads, if it looks like a neighbour's.
pub fn resembles(datagram: &[u8]) -> Option<Rejected> {
    NEIGHBOURS.iter().find_map(|neighbour| neighbour.claims(datagram))
}

/// Replaces a rejection that only says "unknown" or "too short" by what the packet looks like.
pub fn instead(reason: Rejected, datagram: &[u8]) -> Rejected {
    match reason {
        Rejected::Unknown { .. } | Rejected::TooShort { .. } => resembles(datagram).unwrap_or(reason),
        reason => reason,
    }
}

const NOT_READ: &str = "this version of Trailbrake does not read that game";
const ANY: &[RangeInclusive<usize>] = &[4..=usize::MAX];

/// Every neighbour. Rows with marks come before rows with sizes; among sizes, the rows with more checks come first.
pub static NEIGHBOURS: &[Neighbour] = &[
    Neighbour {
        family: "F1 after 2026",
        sizes: &[29..=2000],
        certain: false,
        name: |datagram| {
            let year = u16::from_le_bytes(*datagram.first_chunk()?);
            (2027..=2040).contains(&year).then(|| format!("F1 {year}"))
        },
        advice: "it is newer than this version of Trailbrake; please update, or send a sample so that it can be read",
    },
    Neighbour {
        family: "Live for Speed OutSim, all options",
        sizes: &[280..=280],
        certain: true,
        name: |datagram| datagram.starts_with(b"LFST").then(|| "Live for Speed (OutSim)".to_owned()),
        advice: NOT_READ,
    },
    Neighbour {
        family: "BeamNG.drive MotionSim",
        sizes: &[88..=88],
        certain: true,
        name: |datagram| datagram.starts_with(b"BNG1").then(|| "BeamNG.drive (MotionSim)".to_owned()),
        advice: NOT_READ,
    },
    Neighbour {
        family: "F1 2015, F1 2016, WRC Generations",
        sizes: &[280..=280],
        certain: false,
        name: |datagram| {
            floats::are_finite(datagram).then(|| "F1 2015 or 2016, or WRC Generations".to_owned())
        },
        advice: NOT_READ,
    },
    Neighbour {
        family: "F1 2017",
        sizes: &[1289..=1289],
        certain: false,
        name: |_| Some("the \"legacy\" packet of F1 2017".to_owned()),
        advice: "in F1 2018, set UDP Format to 2018",
    },
    Neighbour {
        family: "OutGauge",
        sizes: &[92..=92, 96..=96],
        certain: false,
        name: floats::outgauge,
        advice: NOT_READ,
    },
    Neighbour {
        family: "OutSim",
        sizes: &[64..=64, 68..=68],
        certain: false,
        name: |datagram| floats::is_outsim(datagram).then(|| "Live for Speed (OutSim)".to_owned()),
        advice: NOT_READ,
    },
    Neighbour {
        family: "Project CARS 2, Automobilista 2",
        sizes: &[24..=1500],
        certain: false,
        name: project_cars::second,
        advice: NOT_READ,
    },
    Neighbour {
        family: "Project CARS",
        sizes: &[1028..=1028, 1347..=1347, 1367..=1367],
        certain: false,
        name: project_cars::first,
        advice: NOT_READ,
    },
    Neighbour {
        family: "Assetto Corsa Competizione",
        sizes: ANY,
        certain: false,
        name: acc::name,
        advice: NOT_READ,
    },
];

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::specimens;
