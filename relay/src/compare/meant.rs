//! Which of a file's laps is meant.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::Car;

use super::laps::{Key, Row};
use crate::options::LapName;

/// Which lap is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) lap: LapName,
    pub(crate) car: Option<Car>,
    /// Of several sessions this one, counted from 1.
    pub(crate) session: Option<u32>,
    /// Of several runs of a session this one, counted from 1.
    pub(crate) run: Option<u16>,
}

/// The lap of the same file that another one is to be laid beside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside {
    pub(super) key: Key,
    pub(super) run: u16,
}

impl Wanted {
    /// Whether a lap is of the car, the session and the run that are asked for.
    fn is_there(&self, row: &Row) -> bool {
        let session = self.session.is_none_or(|number| row.session + 1 == number as usize);
        self.is_of_car(row) && session && self.run.is_none_or(|run| row.lap.run.checked_add(1) == Some(run))
    }

    fn is_of_car(&self, row: &Row) -> bool {
        self.car.map_or(row.player, |car| row.car == car)
    }
}

/// The lap that is meant. A number can be that of several laps: where a session was begun anew, and in the next one. Finished
/// ones go before others then, and the last before those driven earlier; a reference is of the lap's session and run before all,
/// and not the lap itself while another one has its number.
pub(super) fn choose<'a>(rows: &'a [Row], wanted: &Wanted, beside: Option<Beside>) -> Option<&'a Row> {
    let there = rows.iter().filter(|row| wanted.is_there(row));
    match wanted.lap {
        LapName::Number(number) => there.filter(|row| row.lap.number == number).max_by_key(|row| {
            let near = beside.map(|Beside { key, run }| {
                let (session, ..) = key;
                (row.session == session, row.lap.time.is_some(), row.key() != key, row.lap.run == run)
            });
            (near, row.lap.time.is_some(), row.session, row.lap.serial)
        }),
        LapName::Best => there
            .filter(|row| row.lap.counts().is_some() && beside.is_none_or(|beside| row.key() != beside.key))
            .min_by_key(|row| (Reverse(row.session), row.lap.time)),
    }
}

/// What is said where a number is that of laps of several runs, and nobody said of which.
pub(super) fn note_of_runs(rows: &[Row], wanted: &Wanted, chosen: &Row) -> Option<String> {
    let LapName::Number(number) = wanted.lap else { return None };
    let alike = rows.iter().filter(|row| {
        (row.session, row.car, row.lap.number) == (chosen.session, chosen.car, number) && wanted.is_there(row)
    });
    let runs: BTreeSet<u16> = alike.map(|row| row.lap.run).collect();
    let run = u32::from(chosen.lap.run) + 1;
    (runs.len() > 1).then(|| {
        format!(
            "lap {number} was driven in {} runs: this is that of run {run}; --run takes another",
            runs.len()
        )
    })
}

/// A lap's run, counted from 1, where laps of its car were driven in more than the first one.
pub(super) fn run(lap: &Lap, session: &[Lap]) -> Option<u32> {
    session.iter().any(|other| other.run > 0).then(|| u32::from(lap.run) + 1)
}

/// Why no lap of a file is the one that is looked for.
pub(super) fn why_none(rows: &[Row], wanted: &Wanted, file: &str) -> String {
    let whose = match wanted.car {
        Some(Car(number)) => format!("car {number}"),
        None => "the player".to_owned(),
    };
    let of_car: Vec<&Row> = rows.iter().filter(|row| wanted.is_of_car(row)).collect();
    let there = || of_car.iter().filter(|row| wanted.is_there(row));
    let mut place = String::new();
    if let Some(session) = wanted.session {
        place.push_str(&format!(" in session {session}"));
    }
    if let Some(run) = wanted.run {
        place.push_str(&format!(" in run {run}"));
    }
    let why = match wanted.lap {
        _ if of_car.is_empty() => format!("there is no lap of {whose}"),
        _ if there().next().is_none() => format!("{whose} has no lap{place}"),
        LapName::Number(number) => format!("{whose} has no lap {number}{place}"),
        LapName::Best => {
            format!("no lap of {whose}{place} counts, and so none is the best: name one by its number")
        }
    };
    format!("{file}: {why}; `trailbrake laps --car all {file}` lists what there is")
}
