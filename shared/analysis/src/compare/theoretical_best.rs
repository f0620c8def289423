//! The theoretical best: the best sectors, or mini-sectors, of several laps.

use super::Comparison;
use crate::ideal::{BestPart, IdealParts, IdealSectors, ideal_of_sectors};
use crate::laps::Lap;

/// The theoretical best of a stint, by sectors and by mini-sectors of the same laps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TheoreticalBest {
    /// The laps' numbers, in the order in which they were driven.
    pub laps: Vec<u16>,
    /// By official sectors, if the game times them.
    pub sectors: Option<IdealSectors>,
    /// By mini-sectors, if places are known.
    pub mini_sectors: Option<IdealParts>,
}

impl TheoreticalBest {
    /// The theoretical best of the counted laps, all compared with the same reference, and of the reference if it is
    /// given.
    pub fn of(laps: &[(&Lap, &Comparison)], reference: Option<&Lap>) -> Self {
        let laps: Vec<(&Lap, &Comparison)> =
            laps.iter().copied().filter(|(lap, _)| lap.counts().is_some()).collect();
        let reference = reference.filter(|lap| lap.counts().is_some());
        let compared = laps.iter().map(|(lap, _)| *lap);
        let mut counted: Vec<Lap> = compared.chain(reference).cloned().collect();
        counted.sort_by_key(|lap| lap.serial);
        counted.dedup_by_key(|lap| lap.serial);
        Self {
            laps: counted.iter().map(|lap| lap.number).collect(),
            sectors: ideal_of_sectors(&counted).ok(),
            mini_sectors: best_mini_sectors(&laps, reference),
        }
    }
}

fn best_mini_sectors(laps: &[(&Lap, &Comparison)], reference: Option<&Lap>) -> Option<IdealParts> {
    let (_, axis) = laps.first()?;
    let [_, placed] = &axis.placed;
    let all = laps.iter().map(|(lap, _)| *lap).chain(reference);
    let best_lap = all.min_by_key(|lap| (lap.time, lap.serial))?;
    let mut parts = Vec::with_capacity(axis.minis.len());
    for (index, mini) in axis.minis.iter().enumerate() {
        let reference_s = placed.clock_at(mini.to_m)? - placed.clock_at(mini.from_m)?;
        let of_laps = laps
            .iter()
            .filter_map(|(lap, compared)| Some((reference_s + compared.minis.get(index)?.loss_s?, *lap)));
        let took: Vec<(f64, &Lap)> = of_laps.chain(reference.map(|lap| (reference_s, lap))).collect();
        let (time_s, lap) = took.iter().min_by(|(one, _), (other, _)| one.total_cmp(other))?;
        let of_best = took.iter().find(|(_, lap)| lap.serial == best_lap.serial);
        parts.push(BestPart {
            from: index as f64 / axis.minis.len() as f64,
            time_s: *time_s,
            lap: lap.number,
            serial: lap.serial,
            best_lap_behind_s: of_best.map_or(0.0, |(best_s, _)| best_s - time_s),
        });
    }
    let time_s: f64 = parts.iter().map(|part| part.time_s).sum();
    Some(IdealParts { time_s, best_lap_behind_s: best_lap.time?.seconds() - time_s, parts })
}
