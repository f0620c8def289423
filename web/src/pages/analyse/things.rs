//! The three things to fix: where most is lost, and what was different there.

use trailbrake_shared::analysis::Advice;
use trailbrake_shared::number::{self, write_signed};

use crate::analyse::{Analyse, Shown};
use crate::dom::{Part, button, fill_id, part};

/// Draws them.
pub(super) fn draw(analyse: Analyse) {
    analyse.read(|state| {
        let shown = state.shown.as_ref().filter(|shown| shown.compares_places());
        let things = |shown: &Shown| panel(shown, &shown.lap_comparison.stint.advice);
        fill_id("things", shown.map(|shown| things(shown)).unwrap_or_default());
    });
}

fn panel(shown: &Shown, things: &[Advice]) -> Vec<Part> {
    let mut parts = vec![part("div", "head").with(part("h2", "").says("Three things to fix"))];
    parts.extend(things.iter().map(|thing| {
        let name = corner_name(shown, thing.corner);
        let again = match thing.of {
            0 | 1 => String::new(),
            of => format!(", in {} of {of} laps compared", thing.laps),
        };
        let split = thing.split_s().map(|(own, behind)| {
            let words =
                format!(" ({} in the corner, {} behind it)", write_signed(own, 3), write_signed(behind, 3));
            part("span", "soft").set("data-figure", "split").says(&words)
        });
        button("", "thing", "corner")
            .set("data-of", &thing.corner.to_string())
            .with(part("b", "loss").says(&number::write(thing.loss_s, 3)))
            .with(
                part("span", "")
                    .with(part("b", "").says(&name))
                    .with(part("span", "").says(&format!(": {}{again}", thing.cause)))
                    .perhaps(split),
            )
    }));
    if things.is_empty() {
        let words = "Nothing was lost in a corner that could be told from what was measured.";
        parts.push(part("p", "missing").says(words));
    }
    parts
}

/// What a corner is called where there is little room.
pub(super) fn corner_name(shown: &Shown, number: u16) -> String {
    let corner = shown.comparison().corners.iter().find(|corner| corner.number == number);
    corner.and_then(|corner| corner.name.clone()).unwrap_or_else(|| format!("T{number}"))
}
