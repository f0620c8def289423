//! Tables of what a game reports of a session besides what it measures: results, tyre sets, the forecast, rules, who
//! waits in the lobby, and the laps that a time trial is driven against.

mod positions;
mod reports;
mod results;
mod rivals;
mod tyre_sets;

use trailbrake_games::feed::Feed;
use trailbrake_model::units::{Unit, Units};
use trailbrake_model::{Forecast, LobbyPlayer, Rule, number};
use trailbrake_session::{LogKind, Session};

use super::panel::{Cell, Table};
pub use positions::{PositionLine, position_lines};
use reports::{Reports, words};

/// A table of what a game reports of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SessionTable {
    /// The results at the end.
    Results,
    /// The laps that a time trial is driven against.
    Rivals,
    /// Who waits in the lobby.
    Lobby,
    /// The sets of tyres of the watched car.
    TyreSets,
    /// The weather to come.
    Forecast,
    /// The session's rules and the player's aids.
    Rules,
}

impl SessionTable {
    /// Its title.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Results => "Result",
            Self::Rivals => "Time trial",
            Self::Lobby => "Lobby",
            Self::TyreSets => "Tyre sets",
            Self::Forecast => "Forecast",
            Self::Rules => "Rules and aids",
        }
    }

    /// Whether the game has reported it.
    pub fn is_reported(self, session: &Session) -> bool {
        let reported = session.reported();
        match self {
            Self::Results => !reported.results.is_empty(),
            Self::Rivals => !reported.rivals.is_empty(),
            Self::Lobby => !reported.lobby.is_empty(),
            Self::TyreSets => session.watched().is_some_and(|car| reported.tyre_sets.contains_key(&car)),
            Self::Forecast => session.info().is_some_and(|info| !info.forecast.is_empty()),
            Self::Rules => !reported.rules.is_empty(),
        }
    }

    /// The table; `None` until the game has reported it.
    pub fn of(self, session: &Session, feed: Feed, units: Units) -> Option<Table> {
        if !self.is_reported(session) {
            return None;
        }
        let (title, reported) = (self.title(), session.reported());
        let reports = Reports { session, feed };
        let mut table = match self {
            Self::Results => results::table(title, reports, &reported.results),
            Self::Rivals => rivals::table(title, &reported.rivals),
            Self::Lobby => lobby(title, &reported.lobby),
            Self::TyreSets => tyre_sets::table(title, reports, reported.tyre_sets.get(&session.watched()?)?),
            Self::Forecast => forecast(title, units, &session.info()?.forecast),
            Self::Rules => rules(title, &reported.rules),
        };
        table.remove_empty_columns();
        Some(table)
    }
}

/// The weather to come, a row for each time.
fn forecast(title: &str, units: Units, forecast: &[Forecast]) -> Table {
    let celsius = units.shown(Unit::Celsius);
    let heads = ["In", "Weather", "Rain", "Track", "Air"];
    let mut table = Table::new(title, &heads);
    for Forecast { minutes, weather, track_celsius, air_celsius, rain_percent } in forecast {
        let degrees = |kept: i8| {
            let shown = number::write(celsius.value(kept.into()), celsius.decimals);
            Cell::Words(format!("{shown} {}", celsius.suffix))
        };
        let cells = vec![
            Cell::Words(LogKind::Weather(*weather).to_string()),
            words(rain_percent.map(|percent| format!("{percent} %")).as_deref()),
            degrees(*track_celsius),
            degrees(*air_celsius),
        ];
        let when = if *minutes == 0 { "now".to_owned() } else { format!("{minutes} min") };
        table.row(&when, cells);
    }
    table
}

fn rules(title: &str, rules: &[Rule]) -> Table {
    let mut table = Table::new(title, &["Rule", "Setting"]);
    for Rule { rule, setting } in rules {
        table.row(rule, vec![Cell::Words(setting.clone())]);
    }
    table
}

fn lobby(title: &str, players: &[LobbyPlayer]) -> Table {
    let heads = ["Driver", "Team", "Nationality", "Plays on", "No.", "Tech level", "Ready"];
    let mut table = Table::new(title, &heads);
    for player in players {
        let name = match (player.name.trim(), player.ai) {
            ("", true) => "Driven by the game",
            ("", false) => "Player",
            (name, _) => name,
        };
        let ready = match (player.ai, player.ready) {
            (true, _) => "driven by the game",
            (false, Some(true)) => "ready",
            (false, Some(false)) => "not ready",
            (false, None) => "watches",
        };
        let whole = |value: Option<u16>| value.map_or(Cell::Nothing, |value| Cell::Number(value.into(), 0));
        let cells = vec![
            words(player.team.name.as_deref()),
            words(player.nationality.name.as_deref()),
            words(player.platform.name.as_deref()),
            whole(player.race_number.map(u16::from)),
            whole(player.tech_level),
            Cell::Words(ready.to_owned()),
        ];
        table.row(name, cells);
    }
    table
}

#[cfg(test)]
mod tests;
