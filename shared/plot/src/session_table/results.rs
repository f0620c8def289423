//! The results of a session.

use trailbrake_model::time::LapTime;
use trailbrake_model::{CarResult, Channel, ResultStatus, TyreStint, number};

use trailbrake_session::initials;

use super::reports::{Reports, words};
use crate::panel::{Cell, Row, Table};

const HEADS: [&str; 10] =
    ["Pos.", "Driver", "Time", "Points", "Grid", "Laps", "Best", "Stops", "Stints", "Penalties"];

/// The results, the winner first; those without a position last.
pub(super) fn table(title: &str, reports: Reports<'_>, results: &[CarResult]) -> Table {
    let mut results: Vec<&CarResult> = results.iter().filter(|result| takes_part(result)).collect();
    results.sort_by_key(|result| (result.position == 0, result.position, result.car));
    let winner = results.first().copied();
    let best = results.iter().filter_map(|result| result.best_lap).min();
    let mut table = Table::new(title, &HEADS);
    for result in results {
        let count = |count: u8| if count > 0 { Cell::Number(count.into(), 0) } else { Cell::Nothing };
        let best_words = result.best_lap.map(|lap| {
            let note = if best == Some(lap) { " (fastest)" } else { "" };
            format!("{lap}{note}")
        });
        let cells = vec![
            Cell::Words(reports.session.name(result.car)),
            Cell::Words(time_words(result, winner)),
            count(result.points),
            count(result.grid),
            Cell::Number(result.laps.into(), 0),
            words(best_words.as_deref()),
            count(result.pit_stops),
            words(Some(stints(reports, &result.stints).as_str())),
            words(penalty_words(result).as_deref()),
        ];
        let marked = reports.session.watched() == Some(result.car);
        let position = count(result.position).words();
        table.rows.push(Row { name: position, cells, stretch: None, marked });
    }
    table
}

/// The initials of the stints' tyres, with the laps driven on each where the game sends their ends: `S 12 · M`.
fn stints(reports: Reports<'_>, stints: &[TyreStint]) -> String {
    let mut before = 0;
    let mut all = Vec::new();
    for stint in stints {
        let laps = stint.last_lap.and_then(|last| last.checked_sub(before)).filter(|laps| *laps > 0);
        before = stint.last_lap.unwrap_or(before);
        let tyres = reports
            .word(Channel::TyreCompound, stint.compound)
            .or_else(|| reports.word(Channel::TyreCompoundOfSeason, stint.compound_of_season))
            .map_or_else(|| "?".to_owned(), |name| initials(&name));
        all.push(laps.map_or_else(|| tyres.clone(), |laps| format!("{tyres} {laps}")));
    }
    all.join(" · ")
}

fn takes_part(result: &CarResult) -> bool {
    !matches!(result.result, ResultStatus::Invalid | ResultStatus::Inactive)
}

/// The race time with penalties, in milliseconds.
fn total_ms(result: &CarResult) -> Option<u64> {
    result.race_ms.map(|millis| millis + u64::from(result.penalty_s) * 1000)
}

/// The winner's time, the gap to it, or why there is none.
fn time_words(result: &CarResult, winner: Option<&CarResult>) -> String {
    let out = result.result.why_out();
    if let Some(out) = out {
        return result.reason.as_ref().map_or_else(|| out.to_owned(), |why| format!("{out}: {why}"));
    }
    let Some(winner) = winner.filter(|winner| winner.car != result.car) else {
        let millis = total_ms(result).and_then(|millis| u32::try_from(millis).ok());
        return millis.map_or_else(|| "–".to_owned(), |millis| LapTime(millis).to_string());
    };
    match (winner.laps.saturating_sub(result.laps), total_ms(result).zip(total_ms(winner))) {
        (0, Some((own, first))) => {
            let behind = (own as f64 - first as f64) / 1e3;
            format!("+{}", number::write(behind, 3))
        }
        (0, None) => "–".to_owned(),
        (1, _) => "+1 lap".to_owned(),
        (laps, _) => format!("+{laps} laps"),
    }
}

fn penalty_words(result: &CarResult) -> Option<String> {
    match (result.penalties, result.penalty_s) {
        (0, 0) => None,
        (_, 0) => Some(result.penalties.to_string()),
        (0 | 1, seconds) => Some(format!("{seconds} s")),
        (several, seconds) => Some(format!("{seconds} s ({several})")),
    }
}
