//! The g-g panel: acceleration in every direction, and how much of the available grip was used.

use trailbrake_analysis::{Grip, Unavailable, grip};

use super::{Content, Laps, Table};
use crate::figure::grips_figure;

/// A fact of a lap: its name, its decimals, and how to read it.
type Fact = (&'static str, usize, fn(&Grip) -> Option<f64>);

const FACTS: &[Fact] = &[
    ("Grip used, %", 1, |grip| Some(grip.usage * 100.0)),
    ("Time above 90 % grip, %", 1, |grip| Some(grip.at_limit * 100.0)),
    ("Max braking, g", 2, |grip| grip.hardest.braking_g),
    ("Max acceleration, g", 2, |grip| grip.hardest.accelerating_g),
    ("Max left, g", 2, |grip| grip.hardest.left_g),
    ("Max right, g", 2, |grip| grip.hardest.right_g),
];

pub(super) fn panel(laps: &Laps<'_>, _: &str) -> Result<Content, Unavailable> {
    let (lap, reference) = laps.both(&grip)?;
    let mut table = Table::beside("Grip", reference.is_some());
    for (name, decimals, fact) in FACTS {
        table.numbers(name, *decimals, &[fact(&lap), reference.as_ref().and_then(fact)]);
    }
    Ok(Content::of(grips_figure(&lap, reference.as_ref()), table))
}
