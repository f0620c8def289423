//! The bars that show how much each part cost.

use leptos::prelude::*;
use trailbrake_shared::analysis::ledger::{LedgerRow, PartGroup, PartLoss};
use trailbrake_shared::number::write_signed;

/// Width of the bars, CSS pixels.
const WIDTH: f64 = 140.0;
const HEIGHT: f64 = 14.0;
/// The bars of rows that lost less than this do not fill the width, seconds.
const LEAST_S: f64 = 0.05;
/// Narrower bars are not drawn, CSS pixels.
const LEAST: f64 = 0.4;

/// Where zero stands, and how wide a second is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BarScale {
    zero: f64,
    per_s: f64,
}

impl BarScale {
    /// The scale of all rows: that of the corners. A straight that lost more is cut, so that a battery does not flatten
    /// the corners.
    pub(super) fn of(rows: &[LedgerRow]) -> Self {
        let corners = rows.iter().filter(|row| row.place.corner.is_some());
        let most = |sign: f64| {
            let sums = corners
                .clone()
                .map(|row| row.parts.iter().map(|part| (sign * part.whole_s()).max(0.0)).sum());
            sums.fold(0.0, f64::max)
        };
        let (lost_s, gained_s) = (most(1.0), most(-1.0));
        let per_s = WIDTH / (lost_s + gained_s).max(LEAST_S);
        Self { zero: gained_s * per_s, per_s }
    }
}

/// A bar: its colour, where it begins and how wide it is.
type Bar = (PartGroup, f64, f64);

/// The bars of a row: what cost time to the right, what gained to the left. The last one is cut where there is no room.
fn bars(parts: &[PartLoss], scale: BarScale) -> Vec<Bar> {
    let (mut left, mut right) = (scale.zero, scale.zero);
    let mut bars = Vec::new();
    for part in parts {
        let width = part.whole_s() * scale.per_s;
        let (from, to) = if width > 0.0 {
            let from = right;
            right = (right + width).min(WIDTH);
            (from, right)
        } else {
            let to = left;
            left = (left + width).max(0.0);
            (left, to)
        };
        if to - from >= LEAST {
            bars.push((part.part.group(), from, to - from));
        }
    }
    bars
}

/// Whether the bars of a row are cut.
fn is_cut(parts: &[PartLoss], scale: BarScale) -> bool {
    let lost_s: f64 = parts.iter().map(|part| part.whole_s().max(0.0)).sum();
    scale.zero + lost_s * scale.per_s > WIDTH + 1.0
}

/// The bars of a row of the ledger, with their seconds as a tooltip.
pub(super) fn part_bars(parts: &[PartLoss], scale: BarScale) -> impl IntoView + use<> {
    let words: Vec<String> = parts
        .iter()
        .filter(|part| part.whole_s().abs() >= 0.0005)
        .map(|part| format!("{} {}", part.part.label(), write_signed(part.whole_s(), 3)))
        .collect();
    let bars = bars(parts, scale).into_iter().map(|(group, x, width)| {
        view! { <rect class=format!("part-{}", group.id()) x=x y="2" width=(width - 0.8).max(LEAST) height=HEIGHT - 4.0></rect> }
    });
    let notch = is_cut(parts, scale).then(|| {
        let at = WIDTH - 14.0;
        view! { <path class="notch" d=format!("M{} {HEIGHT}l5 -{HEIGHT}M{} {HEIGHT}l5 -{HEIGHT}", at, at + 5.0)></path> }
    });
    let words = words.join(", ");
    view! {
        <svg class="part-bars" width=WIDTH height=HEIGHT viewBox=format!("0 0 {WIDTH} {HEIGHT}") aria-hidden="true">
            <title>{words.clone()}</title>
            {bars.collect_view()}
            {notch}
            <path class="zero" d=format!("M{} 0V{HEIGHT}", scale.zero.max(0.5))></path>
        </svg>
        <span class="unseen">{words}</span>
    }
}

/// One part's step from what was lost before it, for a waterfall. `most_s` are the least and the largest sum.
pub(super) fn waterfall_bar(
    class: &'static str,
    from_s: f64,
    to_s: f64,
    [least_s, most_s]: [f64; 2],
) -> impl IntoView {
    const WIDE: f64 = 84.0;
    let scale = WIDE / (most_s - least_s).max(LEAST_S);
    let x = |seconds: f64| (seconds - least_s) * scale;
    let (left, right) = (x(from_s.min(to_s)), x(from_s.max(to_s)));
    view! {
        <svg class="waterfall-bar" width=WIDE + 2.0 height="20" viewBox=format!("-1 0 {} 20", WIDE + 2.0) aria-hidden="true">
            <path class="zero" d=format!("M{0} 0V20", x(0.0))></path>
            <rect class=class x=left y="4" width=(right - left).max(1.0) height="12"></rect>
        </svg>
    }
}

/// A small square in the colour of some parts.
pub(super) fn swatch(group: PartGroup) -> impl IntoView {
    view! {
        <svg class="swatch" width="9" height="9" aria-hidden="true">
            <rect class=format!("part-{}", group.id()) x="0.5" y="0.5" width="8" height="8"></rect>
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::analysis::ledger::{Part, RowPlace};

    use super::*;

    fn part(part: Part, loss_s: f64) -> PartLoss {
        PartLoss { part, loss_s, after_s: 0.0, measured: None }
    }

    fn row(place: RowPlace, parts: Vec<PartLoss>) -> LedgerRow {
        LedgerRow { place, parts, ..LedgerRow::default() }
    }

    #[test]
    fn bars_stand_beside_each_other_and_gains_on_the_other_side_of_zero() {
        let corner =
            vec![part(Part::BrakePoint, -0.05), part(Part::Release, 0.05), part(Part::Throttle, 0.1)];
        let straight = vec![part(Part::Battery, 0.7)];
        let scale = BarScale::of(&[
            row(RowPlace::corner(5), corner.clone()),
            row(RowPlace::straight(5), straight.clone()),
        ]);
        let [gain, release, throttle] = bars(&corner, scale)[..] else { panic!("three bars") };
        assert_eq!((gain.1, gain.1 + gain.2), (0.0, scale.zero));
        assert_eq!(release.1, scale.zero);
        assert!((release.1 + release.2 - throttle.1).abs() < 1e-9);
        assert!((throttle.1 + throttle.2 - WIDTH).abs() < 1e-9);
        assert!(!is_cut(&corner, scale) && is_cut(&straight, scale));
        let [battery] = bars(&straight, scale)[..] else { panic!("a bar") };
        assert!((battery.1 + battery.2 - WIDTH).abs() < 1e-9);
    }
}
