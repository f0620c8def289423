//! The corner table: what the laps did in each corner, and what was lost there.

use std::cell::Cell;
use trailbrake_shared::number::{self, write_signed};

use super::corner;
use crate::analyse::{Analyse, Shown, State};
use crate::browser;
use crate::dom::{Part, button, fill_id, part};
use crate::figures::NONE;
use crate::pages::analyse::things::corner_name;

/// m/s to km/h.
const KMH: f64 = 3.6;

thread_local! {
    /// The corner that is open.
    static OPEN: Cell<Option<u16>> = const { Cell::new(None) };
}

/// Draws it.
pub(super) fn draw(analyse: Analyse) {
    analyse.read(|state| {
        let shown = state.shown.as_ref().filter(|shown| !shown.comparison().corners.is_empty());
        fill_id("corners", shown.map(|shown| panel(state, shown)).unwrap_or_default());
        if OPEN.replace(state.view.corner) != state.view.corner {
            // By its key it may have been opened far below. Its first lines are enough: the map should stay, too.
            browser::reveal(".analyse .right", ".closely tr:nth-child(5)");
            browser::reveal(".analyse .right", ".corner-table tr:has(+ .opened)");
        }
    });
}

fn panel(state: &State, shown: &Shown) -> Vec<Part> {
    let comparison = shown.comparison();
    let mut places: Vec<usize> = (0..comparison.corners.len()).collect();
    let loss = |place: usize| comparison.lost_because_of(place).unwrap_or_default();
    if shown.compared {
        places.sort_by(|one, other| loss(*other).total_cmp(&loss(*one)));
    }
    let heads: &[(&str, &str)] = match shown.compared {
        true => &[
            ("", "The corner"),
            ("brake m", "Where the brake came on against the reference: + is later"),
            (
                "±",
                "How far the places are spread where the brake came on, over the laps of the stint: metres",
            ),
            ("min", "The lowest speed, km/h"),
            ("Δ km/h", "The lowest speed against the reference"),
            ("lost s", "Seconds lost from where either braked to the exit"),
            (
                "all s",
                "Seconds lost in all because of the corner: in it, and behind it since it was left slower",
            ),
        ],
        false => &[
            ("", "The corner"),
            ("brake m", "Metres before the apex"),
            ("min", "The lowest speed, km/h"),
            ("exit", "The speed at the exit, km/h"),
        ],
    };
    let heads =
        heads.iter().map(|(words, title)| part("th", "").set("scope", "col").set("title", title).says(words));
    let head = part("thead", "").with(part("tr", "").with_all(heads.collect()));
    let rows = places.into_iter().flat_map(|place| {
        let opened = comparison.corners.get(place).map(|corner| corner.number) == state.view.corner;
        let closely = opened.then(|| corner::closely(shown, place)).flatten();
        row(state, shown, place, opened).into_iter().chain(closely)
    });
    let by = if shown.compared { "by time lost" } else { "in their order" };
    vec![
        part("div", "head").with(part("h2", "").says("Corners")).with(part("span", "").says(by)),
        part("table", "").with(head).with(part("tbody", "").with_all(rows.collect())),
    ]
}

fn row(state: &State, shown: &Shown, place: usize, opened: bool) -> Option<Part> {
    let comparison = shown.comparison();
    let corner = comparison.corners.get(place)?;
    let [lap, reference] = comparison.tables.each_ref().map(|table| table.rows.get(place));
    let (lap, reference) = (lap?, reference?);
    let name = corner_name(shown, corner.number);
    let action = if opened { "close-corner" } else { "corner" };
    let press = button(&name, "", action)
        .set("data-of", &corner.number.to_string())
        .set("title", &corner.title())
        .set("aria-expanded", if opened { "true" } else { "false" });
    let mut cells = vec![part("th", "").set("scope", "row").with(press)];
    let min = lap.min_ms.map(|speed| number::write(speed * KMH, 0));
    if shown.compared {
        let later = lap.brake_on_m.zip(reference.brake_on_m).map(|(lap, reference)| lap - reference);
        let faster = lap.min_ms.zip(reference.min_ms).map(|(lap, reference)| (lap - reference) * KMH);
        let lost = comparison.lost_because_of(place);
        cells.push(cell("", later.map(|metres| write_signed(metres, 0))).set("data-figure", "brake"));
        let spread = shown.lap_comparison.stint.brake_spread_m.get(place).copied().flatten();
        cells.push(cell("soft", spread.map(|metres| number::write(metres, 1))).set("data-figure", "spread"));
        cells.push(cell("", min).set("data-figure", "min"));
        cells.push(cell("", faster.map(|kmh| write_signed(kmh, 0))));
        cells.push(cell(class_of(lost), lost.map(|lost| write_signed(lost, 3))).set("data-figure", "lost"));
    } else {
        cells.push(cell("", lap.before_apex_m.map(|metres| number::write(metres, 0))));
        cells.push(cell("", min));
        cells.push(cell("", lap.exit_ms.map(|speed| number::write(speed * KMH, 0))));
    }
    let here = state.cursor_m().is_some_and(|at| (corner.entry_m..=corner.exit_m).contains(&at));
    Some(
        part("tr", if here { "here" } else { "" })
            .set("data-corner", &corner.number.to_string())
            .with_all(cells),
    )
}

/// The class of seconds lost, or gained.
pub(super) fn class_of(lost: Option<f64>) -> &'static str {
    match lost {
        Some(lost) if lost >= 0.0005 => "loss",
        Some(_) => "gain",
        None => "",
    }
}

fn cell(class: &str, words: Option<String>) -> Part {
    part("td", class).says(words.as_deref().unwrap_or(NONE))
}
