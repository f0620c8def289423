//! How the loss of a corner adds up: a row for each part, with what was measured.

use leptos::prelude::*;
use trailbrake_shared::analysis::ledger::{LedgerRow, MeasuredWords, PartLoss};
use trailbrake_shared::model::Channel;
use trailbrake_shared::number::write_signed;
use trailbrake_shared::units::Units;

use super::lines::class_of;
use super::parts::{swatch, waterfall_bar};
use crate::analyse::ShownLaps;

/// Smaller parts are not shown, seconds.
const LEAST_S: f64 = 0.0005;

/// Channels without which a part stays in the rest.
const NEEDED: [(Channel, &str); 2] = [(Channel::Brake, "brake"), (Channel::Throttle, "throttle")];

/// A row of the waterfall.
#[derive(Clone, Debug, PartialEq)]
struct WaterfallRow {
    part: PartLoss,
    words: Option<MeasuredWords>,
    /// What was lost before it and with it, seconds.
    sums_s: [f64; 2],
}

/// How the loss of a corner adds up.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Waterfall {
    rows: Vec<WaterfallRow>,
    sum_s: f64,
    /// The least and the largest sum, seconds.
    range_s: [f64; 2],
    /// Why some parts are missing.
    missing: Option<String>,
}

impl Waterfall {
    /// The waterfall of a corner. `None` if data is missing in it.
    pub(super) fn of(shown: &ShownLaps, row: &LedgerRow, units: &Units) -> Option<Self> {
        let sum_s = row.loss_s?;
        let comparison = shown.comparison();
        let apex_m = row.place.find(&comparison.corners).map(|corner| corner.apex_m);
        let (mut sum, mut range_s) = (0.0, [0.0_f64; 2]);
        let mut rows = Vec::new();
        for part in row.parts.iter().filter(|part| part.whole_s().abs() >= LEAST_S) {
            let before = sum;
            sum += part.whole_s();
            range_s = [range_s[0].min(sum), range_s[1].max(sum)];
            let words = part.measured.map(|measured| measured.words(units, apex_m));
            rows.push(WaterfallRow { part: *part, words, sums_s: [before, sum] });
        }
        let columns = shown.pair.main.columns();
        let missing: Vec<&str> = NEEDED
            .into_iter()
            .filter(|(channel, _)| !columns.has(channel.slot()))
            .map(|(_, name)| name)
            .collect();
        let missing = (!missing.is_empty())
            .then(|| format!("This game sends no {}: its part is in the rest.", missing.join(" and no ")));
        Some(Self { rows, sum_s, range_s, missing })
    }
}

/// The table of a waterfall, with the names of both laps.
pub(super) fn waterfall(waterfall: Waterfall, [main, reference]: [String; 2]) -> impl IntoView {
    let Waterfall { rows, sum_s, range_s, missing } = waterfall;
    let rows = rows.into_iter().map(|row| {
        let WaterfallRow { part, words, sums_s: [from_s, to_s] } = row;
        let MeasuredWords { lap, reference, difference } = words.unwrap_or_else(|| MeasuredWords {
            lap: String::new(),
            reference: String::new(),
            difference: String::new(),
        });
        let class = class_of(Some(part.whole_s()));
        let bar = if part.whole_s() > 0.0 { "lost" } else { "gained" };
        let after = (part.after_s.abs() >= 0.005).then(|| {
            format!(
                "{} in the corner, {} after it",
                write_signed(part.loss_s, 3),
                write_signed(part.after_s, 3)
            )
        });
        view! {
            <tr data-part=part.part.label() title=after>
                <th scope="row">{swatch(part.part.group())}{part.part.label()}</th>
                <td class="main">{lap}</td>
                <td class="other">{reference}</td>
                <td>{difference}</td>
                <td class="steps">{waterfall_bar(bar, from_s, to_s, range_s)}</td>
                <td class=class>{write_signed(part.whole_s(), 3)}</td>
            </tr>
        }
    });
    view! {
        <table class="waterfall">
            <thead>
                <tr>
                    <th scope="col">"lift to full throttle"</th>
                    <th scope="col" class="main">{main}</th>
                    <th scope="col" class="other">{reference}</th>
                    <th scope="col"><span class="unseen">"difference"</span></th>
                    <th scope="col"><span class="unseen">"bar"</span></th>
                    <th scope="col">"s"</th>
                </tr>
            </thead>
            <tbody>{rows.collect_view()}</tbody>
            <tfoot>
                <tr>
                    <th scope="row">"Sum"</th>
                    <td class="main"></td>
                    <td class="other"></td>
                    <td></td>
                    <td class="steps">{waterfall_bar("sum", 0.0, sum_s, range_s)}</td>
                    <td data-figure="corner-sum">{write_signed(sum_s, 3)}</td>
                </tr>
            </tfoot>
        </table>
        {missing.map(|words| view! { <p class="faint">{words}</p> })}
    }
}
