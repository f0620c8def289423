//! The laps of the car that is shown: the one under way on top, then back in time. Of a recording that plays they are
//! all there from the beginning, each a link to where it begins.

use trailbrake_shared::session::Session;

use super::{Live, why_missing};
use crate::browser;
use crate::dom::{Part, button, link, part};
use crate::figures::{NONE, clock, delta};
use crate::laps::{self as rows, Row};
use crate::telemetry::Telemetry;

/// The panel.
pub(super) fn laps(live: &Live, telemetry: &Telemetry) -> Part {
    let session = telemetry.session();
    let running = session.and_then(running);
    let recorded = live.cockpit.replay(|replay| {
        // The address of the lap that is played now.
        let here = replay.link_here(session.and_then(Session::watched));
        (rows::of_recording(replay, session), here)
    });
    let (recorded, here) = recorded.unwrap_or_default();
    let listed = recorded.unwrap_or_else(|| session.map(rows::of_session).unwrap_or_default());
    let title = if session.is_some_and(Session::is_stage) { "Runs of the stage" } else { "Laps" };
    let best = listed.best.map(|best| format!("best {best}")).unwrap_or_default();
    let nothing = running.is_none() && listed.rows.is_empty();
    let nothing = nothing.then(|| part("p", "missing").says(&why_missing(telemetry, "laps")));
    let listed = listed.rows.into_iter().map(|lap| row(lap, here.as_deref())).collect();
    let panel = part("section", "panel laps")
        .set("aria-label", "Laps")
        .with(
            part("div", "head")
                .with(part("h2", "").says(title))
                .with(part("span", "").set("data-figure", "best").says(&best)),
        )
        .with(
            part("div", "scroll")
                .set("tabindex", "0")
                .with(part("table", "").perhaps(running).with_all(listed))
                .perhaps(nothing),
        );
    live.plays(here);
    panel
}

/// However many laps there are, the one that is played is seen.
pub(super) fn bring_into_sight() {
    browser::bring_into_sight(".laps .scroll", "[aria-current]");
}

fn row(lap: Row, here: Option<&str>) -> Part {
    // A time that nobody took is no more than about right.
    let about = if lap.inferred { "≈ " } else { "" };
    let time = lap.time.map_or_else(|| "–:––.–––".to_owned(), |time| format!("{about}{time}"));
    let comparison = match lap.behind {
        _ if !lap.said.is_empty() => lap.said.clone(),
        Some(0) => "best".to_owned(),
        Some(behind) => delta(behind),
        None => String::new(),
    };
    // A game that times no sectors has none to show.
    let timed = lap.sectors.iter().any(|rank| *rank != "none");
    let sectors =
        lap.sectors.iter().filter(|_| timed).map(|rank| part("i", "").set("data-rank", rank)).collect();
    let current = lap.address.is_some() && lap.address.as_deref() == here;
    let (name, beside) = match &lap.address {
        None => (compare(&lap, &time), None),
        Some(address) => {
            let beside = lap.serial.map(|_| compare(&lap, "vs"));
            let hint = "Play from the beginning of this lap";
            let name = link(&time, "", address).set("title", hint).set("data-action", "play-lap");
            (name, Some(part("td", "beside").perhaps(beside)))
        }
    };
    let mut row = part("tr", if lap.reference { "reference" } else { "" })
        .set("data-lap", &lap.number.to_string())
        .set("data-inferred", if lap.inferred { "true" } else { "false" });
    if current {
        row = row.set("aria-current", "true");
    }
    if let Some(time) = lap.time {
        row = row.set("data-time", &time.0.to_string());
    }
    row.with(part("td", "place").says(&lap.number.to_string()))
        .with(part("th", "").set("scope", "row").with(name))
        .with(part("td", "comparison").says(&comparison))
        .with(part("td", "sectors").set("aria-hidden", "true").with_all(sectors))
        .perhaps(beside)
}

/// What is pressed to compare with a lap, and again for the best one.
fn compare(lap: &Row, label: &str) -> Part {
    let hint = if lap.reference { "Compared with: press for the best lap" } else { "Compare with this lap" };
    let chosen = lap.serial.filter(|_| !lap.reference);
    button(label, "", "compare")
        .set("title", hint)
        .set("aria-pressed", if lap.reference { "true" } else { "false" })
        .set("data-of", &chosen.map(|serial| serial.to_string()).unwrap_or_default())
}

fn running(session: &Session) -> Option<Part> {
    let car = session.car(session.watched()?)?;
    let words = car.progress?.clock.map_or_else(|| NONE.to_owned(), clock);
    let number = rows::number(car.laps.current()?, session.is_stage());
    let row = part("tr", "running")
        .with(part("td", "place").says(&number.to_string()))
        .with(part("th", "").set("scope", "row").says(&words));
    Some(row.with(part("td", "").set("colspan", "3").says("running")))
}
