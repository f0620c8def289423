//! Two laps in a section: the time lost, and statistics of every channel.

use std::fmt;

use anyhow::Context;
use serde::Serialize;
use serde_json::{Map, Value, json};
use trailbrake_shared::analysis::{Area, SectionStatistics};
use trailbrake_shared::model::Slot;

use super::number::signed;
use crate::commands::lap_arguments::Metres;
use crate::commands::pair::ComparedPair;

/// Both laps in a section, as printed.
#[derive(Serialize)]
pub(super) struct AreaReport {
    #[serde(flatten)]
    area: Area,
    /// Statistics by channel, of the lap and of the reference; only where both have data.
    #[serde(serialize_with = "by_name")]
    channels: Vec<(Slot, [SectionStatistics; 2])>,
}

impl AreaReport {
    pub(super) fn new(pair: &ComparedPair, metres: &Metres) -> anyhow::Result<Self> {
        let (from_m, to_m) = (f64::from(*metres.0.start()), f64::from(*metres.0.end()));
        let comparison = &pair.compared.comparison;
        let area = Area::between(comparison, from_m, to_m);
        let area = area.with_context(|| format!("no data of the laps from {from_m} to {to_m} m"))?;
        let lap = comparison.in_order(&pair.lap.lap_columns());
        let reference = pair.reference.lap_columns();
        let mut slots: Vec<Slot> = pair.lap.columns.slots().collect();
        slots.sort_unstable();
        let both = |slot| match area.channel([&lap, &reference], slot) {
            [Ok(own), Ok(best)] => Some((slot, [own, best])),
            _ => None,
        };
        Ok(Self { channels: slots.into_iter().filter_map(both).collect(), area })
    }
}

fn by_name<S: serde::Serializer>(
    channels: &[(Slot, [SectionStatistics; 2])],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let named =
        channels.iter().map(|(slot, [own, best])| (slot.id(), json!({ "lap": own, "reference": best })));
    Value::Object(named.collect::<Map<String, Value>>()).serialize(serializer)
}

/// Prints for people: the time lost, and a row per channel in the unit it is stored in.
impl fmt::Display for AreaReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Area { from_m, to_m, seconds: [lap, reference], lost_s, .. } = &self.area;
        writeln!(
            f,
            "From {from_m:.1} to {to_m:.1} m: {lap:.3} s beside {reference:.3} s, {} s lost",
            signed(*lost_s, 3)
        )?;
        writeln!(f, "{:<28} {:>12} {:>12} {:>12}", "", "lowest", "highest", "mean")?;
        for (slot, [own, best]) in &self.channels {
            let unit = slot.channel().unit().symbol().unwrap_or_default();
            let row = |f: &mut fmt::Formatter<'_>, name: &str, statistics: &SectionStatistics| {
                let SectionStatistics { low, high, mean, .. } = statistics;
                writeln!(f, "{name:<28} {low:>12.3} {high:>12.3} {mean:>12.3}")
            };
            row(f, &format!("{} {unit}", slot.id()), own)?;
            row(f, "  reference", best)?;
        }
        Ok(())
    }
}
