use trailbrake_model::time::LapTime;
use trailbrake_model::{
    Car, CarResult, Fact, Moment, NamedId, Participant, ResultStatus, Rival, RivalLap, SessionInfo, Sink,
    TyreSet, TyreStint, Weather,
};

use super::*;
use crate::panel::Row;

/// A session of the newest F1 games in which these facts were reported. The second car is the player's.
fn session(facts: impl IntoIterator<Item = Fact>) -> Session {
    let mut session = Session::default();
    let named =
        |car: u8, name: &str| Participant { car: Car(car), name: name.into(), ..Participant::default() };
    let drivers = ["VETTEL", "Ann Smith", "ALONSO"].into_iter();
    let drivers = (0..).zip(drivers).map(|(car, name)| named(car, name)).collect();
    let before = [Fact::Player(Some(Car(1))), Fact::Participants(drivers)];
    for fact in before.into_iter().chain(facts) {
        session.fact(Moment::default(), fact);
    }
    session
}

fn table(table: SessionTable, facts: impl IntoIterator<Item = Fact>) -> Vec<String> {
    let table = table.of(&session(facts), Feed::F1, Units::default()).expect("a table");
    let row = |row: &Row| {
        let cells = row.cells.iter().map(Cell::words);
        let mark = if row.marked { "*" } else { "" };
        [format!("{mark}{}", row.name)].into_iter().chain(cells).collect::<Vec<_>>().join(" | ")
    };
    [table.heads.join(" | ")].into_iter().chain(table.rows.iter().map(row)).collect()
}

#[test]
fn results_begin_with_the_winner_and_say_who_is_out() {
    let result = |car: u8, position, laps| CarResult {
        car: Car(car),
        position,
        laps,
        result: ResultStatus::Finished,
        ..CarResult::default()
    };
    let stint = |last_lap, compound| TyreStint { last_lap, compound, compound_of_season: 0 };
    let results = vec![
        CarResult {
            grid: 4,
            race_ms: Some(3_600_000),
            penalty_s: 5,
            penalties: 1,
            best_lap: Some(LapTime(80_000)),
            pit_stops: 1,
            points: 18,
            stints: vec![stint(Some(12), 16), stint(None, 17)],
            ..result(0, 2, 30)
        },
        CarResult {
            race_ms: Some(3_601_250),
            best_lap: Some(LapTime(79_500)),
            points: 25,
            ..result(1, 1, 30)
        },
        CarResult {
            result: ResultStatus::Retired,
            reason: Some("Terminal damage".into()),
            ..result(2, 3, 11)
        },
        CarResult { result: ResultStatus::Inactive, ..result(3, 0, 0) },
    ];
    let rows = table(SessionTable::Results, [Fact::Results(results)]);
    assert_eq!(
        rows,
        [
            "Pos. | Driver | Time | Points | Grid | Laps | Best | Stops | Stints | Penalties",
            "*1 | Ann Smith | 60:01.250 | 25 | – | 30 | 1:19.500 (fastest) | – | – | –",
            "2 | VETTEL | +3.750 | 18 | 4 | 30 | 1:20.000 | 1 | S 12 · M | 5 s",
            "3 | ALONSO | retired: Terminal damage | – | – | 11 | – | – | – | –",
        ]
    );
}

#[test]
fn the_fitted_set_stands_before_those_that_may_be_fitted() {
    let set = |compound, wear| TyreSet { compound, wear, available: true, ..TyreSet::default() };
    let sets = vec![
        TyreSet { available: false, ..set(16, 0.8) },
        TyreSet { slower_ms: 420, laps_left: 20, usable_laps: 22, ..set(17, 0.05) },
        TyreSet { fitted: true, laps_left: 9, usable_laps: 18, ..set(16, 0.31) },
    ];
    let rows = table(SessionTable::TyreSets, [Fact::TyreSets(Car(1), sets)]);
    assert_eq!(
        rows,
        [
            "Set | Wear | Laps left | A lap",
            "*Soft | 31 % | 9 | fitted",
            "Medium | 5 % | 20 | +0.420 s",
            "Soft | 80 % | – | not available",
        ]
    );
}

#[test]
fn forecast_rules_lobby_and_rivals_are_in_words() {
    let forecast = |minutes, weather, rain_percent| Forecast {
        minutes,
        weather,
        track_celsius: 31,
        air_celsius: 22,
        rain_percent,
    };
    let info = SessionInfo {
        forecast: vec![forecast(0, Weather::Clear, None), forecast(15, Weather::LightRain, Some(60))],
        ..SessionInfo::default()
    };
    let rows = table(SessionTable::Forecast, [Fact::Session(Box::new(info))]);
    assert_eq!(
        rows[1..],
        ["now | Clear sky | – | 31 °C | 22 °C", "15 min | Light rain | 60 % | 31 °C | 22 °C"]
    );

    let rule = Rule { rule: "Damage".into(), setting: "Simulation".into() };
    assert_eq!(table(SessionTable::Rules, [Fact::Rules(vec![rule])])[1..], ["Damage | Simulation"]);

    let lobby = vec![
        LobbyPlayer {
            name: "Ann".into(),
            ready: Some(true),
            race_number: Some(44),
            ..LobbyPlayer::default()
        },
        LobbyPlayer { ai: true, team: NamedId::word("Williams"), ..LobbyPlayer::default() },
        LobbyPlayer { name: "Bo".into(), ready: None, ..LobbyPlayer::default() },
    ];
    assert_eq!(
        table(SessionTable::Lobby, [Fact::Lobby(lobby)]),
        [
            "Driver | Team | No. | Ready",
            "Ann | – | 44 | ready",
            "Driven by the game | Williams | – | driven by the game",
            "Bo | – | – | watches",
        ]
    );

    let rival = RivalLap {
        whose: Rival::PersonalBest,
        car: Car(2),
        team: NamedId::word("Ferrari"),
        time: Some(LapTime(81_234)),
        sectors: [Some(LapTime(30_000)), None, None],
        valid: false,
        aids: [true, false, true, false, false],
    };
    assert_eq!(
        table(SessionTable::Rivals, [Fact::Rivals(vec![rival])]),
        [
            "Lap | Time | S1 | Team | Driven with",
            "Your best ever (invalid) | 1:21.234 | 30.000 | Ferrari | traction control, ABS",
        ]
    );
}

#[test]
fn nothing_is_shown_that_was_not_reported() {
    let all = [
        SessionTable::Results,
        SessionTable::Rivals,
        SessionTable::Lobby,
        SessionTable::TyreSets,
        SessionTable::Forecast,
        SessionTable::Rules,
    ];
    let session = session([]);
    assert!(all.into_iter().all(|table| table.of(&session, Feed::F1, Units::default()).is_none()));
    assert!(position_lines(&session).is_empty());
}

#[test]
fn positions_are_lines_whose_order_is_the_last_one() {
    let laps = vec![vec![1, 2, 3], vec![2, 1, 0]];
    let lines = position_lines(&session([Fact::Positions { first_lap: 1, laps }]));
    let rows = lines.iter().map(|line| format!("{} {} {:?}", line.short, line.watched, line.places));
    let expected = [
        "SMI true [(1, 2), (2, 1)]",
        "VET false [(1, 1), (2, 2)]",
        // Out after the first lap.
        "ALO false [(1, 3)]",
    ];
    assert_eq!(rows.collect::<Vec<_>>(), expected);
}
