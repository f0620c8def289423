//! Seats: a driver in a car in a session. A lap list shows the laps of one seat.

use trailbrake_shared::lap_catalogue::{Drivers, LapCatalogue, LapChoice, LapEntry, LapQuery, Seat};

use crate::browser;
use crate::text::dates::date;

/// The first lap of the default seat: the player's, in the last session that they drove.
pub(crate) fn first(catalogue: &LapCatalogue) -> Option<&LapEntry> {
    let last = catalogue.select(&LapQuery::default()).last()?.id.session;
    // The player's seat is the first of its session.
    catalogue.seats().into_iter().map(|seat| seat.first).find(|entry| entry.id.session == last)
}

/// The first lap of the seat at an index of the chooser.
pub(crate) fn at(catalogue: &LapCatalogue, index: usize) -> Option<&LapEntry> {
    catalogue.seats().get(index).map(|seat| seat.first)
}

/// The fastest counted lap of a seat, given by one of its laps.
pub(crate) fn fastest<'a>(catalogue: &'a LapCatalogue, seat: &LapEntry) -> Option<&'a LapEntry> {
    let best = LapQuery {
        drivers: Drivers::Car(seat.id.car),
        session: Some(seat.id.session),
        laps: vec![LapChoice::Best],
        ..LapQuery::default()
    };
    // A car can have had several drivers, so the query may return several best laps.
    catalogue.select(&best).into_iter().find(|entry| entry.is_of_seat(seat))
}

/// A session's seats in the chooser.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SeatGroup {
    /// The session's name, if there are several.
    pub(crate) title: Option<String>,
    /// Each seat's index in the chooser, its label, and whether its laps are listed.
    pub(crate) seats: Vec<(usize, String, bool)>,
}

/// The chooser's seats, grouped by session; `None` if there is only one seat.
pub(crate) fn groups(
    catalogue: &LapCatalogue,
    listed: &LapEntry,
    words: &dyn Fn(&Seat<'_>) -> String,
) -> Option<Vec<SeatGroup>> {
    let seats = catalogue.seats();
    let several = seats.iter().any(|seat| seat.first.id.session > 0);
    let mut groups: Vec<SeatGroup> = Vec::new();
    let mut session = None;
    for (index, seat) in seats.iter().enumerate() {
        if session != Some(seat.first.id.session) {
            session = Some(seat.first.id.session);
            let title = several.then(|| session_title(seat.first));
            groups.push(SeatGroup { title, seats: Vec::new() });
        }
        if let Some(group) = groups.last_mut() {
            group.seats.push((index, words(seat), seat.first.is_of_seat(listed)));
        }
    }
    (seats.len() > 1).then_some(groups)
}

/// The name of one of several sessions.
fn session_title(first: &LapEntry) -> String {
    let number = first.id.session + 1;
    match first.began() {
        Some(began) => format!("Session {number} · {}", date(began, browser::minutes_west(began))),
        None => format!("Session {number}"),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use trailbrake_shared::laps::{CarLaps, Lap};
    use trailbrake_shared::model::{Car, LapProgress, Moment};
    use trailbrake_shared::recording::{LapRow, LapTable};
    use trailbrake_shared::session::{LapId, SessionSummary};
    use trailbrake_shared::time::{LapTime, Micros};

    use super::*;

    /// Laps one after the other with these times in milliseconds.
    fn laps(times: &[u32]) -> Vec<Lap> {
        let mut laps = CarLaps::default();
        let (mut began_s, mut last_lap) = (0.0, None);
        for (lap, millis) in (1..).zip(times.iter().chain([&60_000])) {
            for clock in [0.0, 0.5] {
                let moment = Moment { at: Micros(0), session_time: Some(began_s + clock), frame: None };
                let clock = Some(clock as f32);
                laps.progress(&LapProgress { moment, lap, clock, last_lap, ..LapProgress::default() });
            }
            last_lap = Some(LapTime(*millis));
            began_s += f64::from(*millis) / 1e3;
        }
        laps.finished().to_vec()
    }

    /// The catalogue of drivers, each with a session, a car and lap times in milliseconds. Car 1 is the player's.
    pub(crate) fn catalogue(drivers: &[(u16, u8, Option<&str>, &[u32])]) -> LapCatalogue {
        let mut rows: Vec<LapRow> = Vec::new();
        for &(session, car, driver, times) in drivers {
            let car = Car(car);
            let before = rows.iter().filter(|row| (row.session, row.car) == (session, car)).count();
            for (serial, mut lap) in (before as u32 + 1..).zip(laps(times)) {
                lap.serial = serial;
                let [from, to] = [lap.began_s, lap.ended_s.unwrap_or_default()]
                    .map(|seconds| Micros(0).plus_seconds(f64::from(serial) * 1e3 + seconds));
                let driver = driver.map(str::to_owned);
                rows.push(LapRow { session, car, driver, model: None, player: None, from, to, lap });
            }
        }
        let summary = SessionSummary { player: Some(Car(1)), ..SessionSummary::default() };
        let table = LapTable { laps: rows, ..LapTable::default() };
        LapCatalogue::of_table(None, &summary, &table, &|_| None)
    }

    #[test]
    fn a_driver_who_left_a_slot_keeps_a_seat_and_a_best_lap() {
        let catalogue = catalogue(&[
            (0, 1, Some("Ann"), &[90_000]),
            (0, 3, Some("Cid"), &[80_000, 81_000]),
            (0, 3, Some("Bea"), &[95_000, 94_000]),
            (0, 4, None, &[99_000]),
        ]);
        let words: Vec<(String, usize)> =
            catalogue.seats().iter().map(|seat| (seat.first.driver_words(), seat.laps)).collect();
        let expected = [("Ann", 1), ("Bea", 2), ("Car 5", 1), ("Cid", 2)];
        assert_eq!(words, expected.map(|(driver, laps)| (driver.to_owned(), laps)));
        let best = |index| {
            let seat = at(&catalogue, index).expect("a seat");
            fastest(&catalogue, seat).expect("a lap").lap.time
        };
        assert_eq!([best(1), best(3)], [94_000, 80_000].map(|time| Some(LapTime(time))));
    }

    #[test]
    fn the_player_is_listed_first_as_they_drove_last() {
        let catalogue = catalogue(&[
            (0, 1, Some("Ann"), &[90_000]),
            (1, 1, Some("Ann"), &[91_000]),
            (1, 0, Some("Abe"), &[80_000]),
            (2, 0, Some("Abe"), &[80_000]),
        ]);
        let seat = first(&catalogue).expect("a seat");
        assert_eq!(seat.id, LapId { session: 1, car: Car(1), serial: 1 });
        assert_eq!(first(&LapCatalogue::default()), None);
    }
}
