//! The panel of positions: each car's position at the end of each lap, as a line.

use std::fmt::Write as _;

use leptos::prelude::*;
use trailbrake_shared::number;
use trailbrake_shared::plot::session_table::{PositionLine, position_lines};

use crate::cockpit::TelemetryStore;
use crate::telemetry::Telemetry;

/// Whether the game lists positions of at least two laps, which make a line.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    telemetry.session().is_some_and(|session| session.reported().positions.len() > 1)
}

/// The panel.
#[component]
pub(super) fn PositionPanel() -> impl IntoView {
    let lines = TelemetryStore::here()
        .sampled(|telemetry| telemetry.session().map(position_lines).filter(|_| is_sent(telemetry)));
    view! {
        <section class="panel positions" aria-label="Positions by lap">
            <div class="head"><h2>"Positions by lap"</h2></div>
            {move || lines.get().map(|lines| view! { <Chart lines/> })}
        </section>
    }
    .into_any()
}

#[component]
fn Chart(lines: Vec<PositionLine>) -> impl IntoView {
    let places = || lines.iter().flat_map(|line| line.places.iter());
    let first = places().map(|(lap, _)| *lap).min().unwrap_or(0);
    let last = places().map(|(lap, _)| *lap).max().unwrap_or(first);
    let rows = places().map(|(_, place)| *place).max().unwrap_or(1);
    // Shares of the chart's width and height, in percent.
    let x = move |lap: u16| f64::from(lap - first) / f64::from((last - first).max(1)) * 100.0;
    let y = move |place: u8| (f64::from(place) - 0.5) / f64::from(rows.max(1)) * 100.0;
    let words = description(&lines);
    let line = |line: &PositionLine| {
        let mut points = String::new();
        for (lap, place) in &line.places {
            // Writing to a string cannot fail.
            let _ = write!(points, "{},{} ", number::write(x(*lap), 2), number::write(y(*place), 2));
        }
        view! { <polyline points=points class:own=line.watched></polyline> }
    };
    let name = |line: &PositionLine| {
        let (lap, place) = line.places.last()?;
        let percent = |share: f64| format!("{}%", number::write(share, 2));
        let (left, top) = (percent(x(*lap)), percent(y(*place)));
        Some(view! {
            <span class:own=line.watched style:left=left style:top=top>{line.short.clone()}</span>
        })
    };
    // The watched car's line lies over the others.
    let (own, others): (Vec<&PositionLine>, Vec<&PositionLine>) = lines.iter().partition(|line| line.watched);
    let drawing = others.into_iter().chain(own).map(line).collect_view();
    view! {
        <div class="chart" role="img" aria-label=words>
            <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">{drawing}</svg>
            <div class="names" aria-hidden="true">{lines.iter().map(name).collect_view()}</div>
        </div>
    }
}

/// What the chart says of the watched car, in words.
fn description(lines: &[PositionLine]) -> String {
    let own = lines.iter().find(|line| line.watched);
    let ends = own.and_then(|line| line.places.first().zip(line.places.last()));
    match ends {
        Some(((from, first), (to, last))) => {
            format!("Position {first} after lap {from}, {last} after lap {to}")
        }
        None => number::count(lines.len(), "car", "cars"),
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::model::Car;

    use super::*;

    #[test]
    fn a_chart_says_what_became_of_the_watched_car() {
        let line = |watched, places: &[(u16, u8)]| PositionLine {
            car: Car(0),
            short: "ANN".into(),
            watched,
            places: places.to_vec(),
        };
        let others = line(false, &[(1, 1), (9, 2)]);
        let own = line(true, &[(1, 7), (9, 3)]);
        assert_eq!(description(&[others.clone(), own]), "Position 7 after lap 1, 3 after lap 9");
        assert_eq!(description(&[others]), "1 car");
    }
}
