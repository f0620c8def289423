//! The printed report of the main lap and its reference, drawn from the comparison on screen.

mod print;
mod view;

use std::rc::Rc;

use trailbrake_shared::analysis::{Combo, LapColumns};
use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::plot::report::{Report, Side, lay_out};
use trailbrake_shared::plot::sheet::Sheet as Paper;
use trailbrake_shared::units::Units;

use super::{LoadedLap, ShownLaps, Sources};
use crate::browser;
use crate::text::dates::date;

pub(crate) use print::ReportStore;
pub(crate) use view::ReportDialog;

/// A report as the text of both file formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PrintedReport {
    svg: String,
    html: String,
}

/// A report, or why there is none.
pub(crate) type Printed = Result<PrintedReport, String>;

/// The report that is open.
#[derive(Clone, Debug, Default)]
struct OpenReport {
    /// The step that is being prepared, in words.
    progress: String,
    /// The report, once it is drawn.
    printed: Option<Printed>,
}

/// The laps on screen if they can have a report; otherwise why not.
fn comparable(shown: Option<Rc<ShownLaps>>) -> Result<Rc<ShownLaps>, String> {
    let Some(shown) = shown.filter(|shown| shown.compared) else {
        return Err("A report takes a lap and a reference: choose two laps.".to_owned());
    };
    match shown.comparison().strangers {
        Some(why) => Err(format!("These laps can't be compared: {why}.")),
        None => Ok(shown),
    }
}

/// Lays out the report of two laps.
fn paper(sources: &Sources, shown: &ShownLaps, units: Units) -> Option<Paper> {
    let (main, reference) = (&shown.pair.main, shown.pair.reference());
    let (lap, best) = (ReportedLap::new(sources, main)?, ReportedLap::new(sources, reference)?);
    let lap_columns = shown.comparison().in_order(&main.columns());
    let best_columns = reference.columns();
    let report = Report {
        lap: lap.side(&lap_columns),
        reference: best.side(&best_columns),
        chosen: None,
        compared: &shown.lap_comparison,
        units,
    };
    Some(lay_out(&report))
}

/// A lap with everything that the report prints about it, except for its channels.
struct ReportedLap {
    lap: Lap,
    session: Vec<Lap>,
    driver: Option<String>,
    combo: Combo,
    /// The day and the time of day at which it began.
    began: Option<[String; 2]>,
}

impl ReportedLap {
    fn new(sources: &Sources, loaded: &Rc<LoadedLap>) -> Option<Self> {
        let (source, entry) = sources.entry(loaded.key)?;
        let mut lap = entry.lap.clone();
        // The channels are on the clock of the decoded lap.
        lap.began_s = loaded.lap.began_s;
        Some(Self {
            lap,
            session: source.catalogue.seat_laps(entry).map(|entry| entry.lap.clone()).collect(),
            driver: entry.driver.clone(),
            combo: loaded.combo.clone(),
            began: began(entry),
        })
    }

    fn side<'a>(&'a self, columns: &'a LapColumns<'a>) -> Side<'a> {
        let [day, time] = match &self.began {
            Some([day, time]) => [Some(day.as_str()), Some(time.as_str())],
            None => [None; 2],
        };
        Side {
            lap: &self.lap,
            columns,
            session: &self.session,
            driver: self.driver.as_deref(),
            car: self.combo.car.as_deref(),
            game: self.combo.game.as_deref().unwrap_or_default(),
            track: self.combo.track.as_deref(),
            day,
            time,
        }
    }
}

/// The day and the time of day at which a lap began.
fn began(entry: &LapEntry) -> Option<[String; 2]> {
    let at = entry.began()?;
    let when = date(at, browser::minutes_west(at));
    let (day, time) = when.rsplit_once(' ')?;
    Some([day.to_owned(), time.to_owned()])
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::analysis::TrackBook;

    use super::super::comparison::tests::{Pair, decoded};
    use super::super::sources::tests::{key, loaded};
    use super::*;
    use crate::laps::seats::tests::catalogue;

    /// Two drivers: three laps of the one, two of the other.
    fn session() -> Sources {
        let laps = [80_000, 77_000, 78_500];
        loaded(catalogue(&[(0, 1, Some("Ann"), &laps), (0, 3, Some("Cid"), &[79_000, 76_000])]))
    }

    /// A lap in a car on a track.
    fn lap(sources: &Sources, (car, serial): (u8, u32), [model, track]: [&str; 2]) -> Rc<LoadedLap> {
        let mut lap = decoded(sources, key(car, serial));
        let [car, track] = [model, track].map(|name| Some(name.to_owned()));
        Rc::get_mut(&mut lap).expect("the only one").combo = Combo { game: None, track, car };
        lap
    }

    fn shown(sources: &Sources, main: &Rc<LoadedLap>, reference: Option<&Rc<LoadedLap>>) -> Rc<ShownLaps> {
        let pair = Pair::new(sources, main, reference, true);
        Rc::new(ShownLaps::new(Rc::new(pair), &[], &TrackBook::default()).expect("a comparison"))
    }

    fn words(sources: &Sources, shown: &ShownLaps) -> String {
        let paper = paper(sources, shown, Units::default()).expect("a report");
        paper.words().map(|words| words.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_lap_alone_has_no_report_and_neither_have_laps_of_different_tracks() {
        let sources = session();
        let ferrari = lap(&sources, (1, 1), ["Ferrari", "Spa"]);
        let refusal = |shown| comparable(shown).err().unwrap_or_default();
        let alone = "A report takes a lap and a reference: choose two laps.";
        assert_eq!([refusal(None), refusal(Some(shown(&sources, &ferrari, None)))], [alone; 2]);
        let monza = lap(&sources, (3, 1), ["Ferrari", "Monza"]);
        let why = refusal(Some(shown(&sources, &ferrari, Some(&monza))));
        assert!(why.contains("they are of different tracks, by the names"), "{why}");
    }

    #[test]
    fn other_cars_are_compared_under_a_warning() {
        let sources = session();
        let ferrari = lap(&sources, (1, 1), ["Ferrari", "Spa"]);
        let reported =
            |car| words(&sources, &shown(&sources, &ferrari, Some(&lap(&sources, (3, 2), [car, "Spa"]))));
        let warning =
            "These laps were driven in different cars: the lap in Ferrari, the reference in Williams.";
        assert!(reported("Williams").contains(warning));
        assert!(!reported("Ferrari").contains("different cars"));
    }

    #[test]
    fn the_rest_of_the_stint_counts() {
        let sources = session();
        let [main, reference, other] = [1, 2, 3].map(|serial| lap(&sources, (1, serial), ["Ferrari", "Spa"]));
        let shown = shown(&sources, &main, Some(&reference));
        assert!(words(&sources, &shown).contains("mini-sectors (best of 2 laps)"));
        let book = TrackBook::default();
        let comparison = shown.pair.compare_other(&other, &book).expect("a comparison");
        let whole = words(&sources, &shown.with_stint(vec![(sources.lap(&other), comparison)], &book));
        assert!(whole.contains("mini-sectors (best of 3 laps)"), "{whole}");
    }
}
