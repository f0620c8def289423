//! The printed report as a file of its own: whoever only looks at laps does not load what draws it.
//!
//! The page says piece by piece what it shows, and gets the sheet that `trailbrake report` writes of the same laps.
#![forbid(unsafe_code)]
#![allow(unreachable_pub, reason = "what is reached from JavaScript has to be public")]

use trailbrake_shared::analysis::{Combo, ComparedLap, Comparing, LapColumns, LapComparison, TrackBook};
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::{Columns, Moment, Slot};
use trailbrake_shared::plot::report::{Report, Side};
use trailbrake_shared::plot::sheet::svg;
use trailbrake_shared::time::Micros;
use wasm_bindgen::prelude::wasm_bindgen;

fn main() {}

/// A report that is being told: the lap, then the reference, then other laps of the stint.
#[wasm_bindgen]
#[derive(Default)]
pub struct Page {
    laps: Vec<ReportedLap>,
    /// What people call tracks and corners.
    book: TrackBook,
    same_seat: bool,
    reference_in_stint: bool,
}

/// A lap, and what is known of it.
struct ReportedLap {
    lap: Lap,
    seconds: Vec<f64>,
    channels: Vec<(Slot, Vec<f32>)>,
    session: Vec<Lap>,
    /// Driver, car, game, track, day and time; what is not known is empty.
    words: Vec<String>,
}

#[wasm_bindgen]
impl Page {
    /// A report of nothing yet.
    pub fn begin() -> Page {
        Page::default()
    }

    /// Knows what people call tracks and corners: a book of tracks as JSON. Whether it was understood.
    pub fn names(&mut self, book: &str) -> bool {
        let known = serde_json::from_str(book);
        known.map(|book| self.book = book).is_ok()
    }

    /// Whether the lap and the reference are of one driver in one car, and whether the reference is of the lap's stint.
    pub fn relate(&mut self, same_seat: bool, reference_in_stint: bool) {
        (self.same_seat, self.reference_in_stint) = (same_seat, reference_in_stint);
    }

    /// Begins the next lap: what is known of it as JSON, its car's laps in the session, when each of its rows was, and
    /// driver, car, game, track, day and time. Whether it was understood.
    pub fn lap(&mut self, lap: &str, session: &str, seconds: Vec<f64>, words: Vec<String>) -> bool {
        let (Ok(lap), Ok(session)) = (serde_json::from_str(lap), serde_json::from_str(session)) else {
            return false;
        };
        self.laps.push(ReportedLap { lap, seconds, channels: Vec::new(), session, words });
        true
    }

    /// Tells a channel of the lap that was begun last; what was not sent is no number.
    pub fn channel(&mut self, slot: usize, values: Vec<f32>) {
        if let (Some(lap), Some(slot)) = (self.laps.last_mut(), Slot::from_index(slot)) {
            lap.channels.push((slot, values));
        }
    }

    /// Lays the sheet out: as a picture, or as a page of its own that prints on one sheet of paper. Words that say why
    /// there is none begin with none of the two's marks.
    pub fn draw(&self, page: bool) -> String {
        self.drawn(page).unwrap_or_else(|why| why)
    }
}

impl Page {
    fn drawn(&self, page: bool) -> Result<String, String> {
        let columns: Vec<Columns> = self.laps.iter().map(ReportedLap::columns).collect();
        let columns: Vec<LapColumns<'_>> =
            self.laps.iter().zip(&columns).map(|(lap, columns)| LapColumns::new(&lap.lap, columns)).collect();
        let combos: Vec<Combo> = self.laps.iter().map(ReportedLap::combo).collect();
        let laps: Vec<ComparedLap<'_>> = (self.laps.iter().zip(&columns).zip(&combos))
            .map(|((lap, columns), combo)| ComparedLap { lap: &lap.lap, columns, combo })
            .collect();
        let ([own, best, ..], [main, reference, stint @ ..]) = (self.laps.as_slice(), laps.as_slice()) else {
            return Err("A report takes a lap and a reference.".to_owned());
        };
        let comparing = Comparing {
            main: *main,
            reference: *reference,
            same_seat: self.same_seat,
            reference_in_stint: self.reference_in_stint,
            book: &self.book,
            anyway: false,
        };
        let compared = LapComparison::new(&comparing, stint)
            .map_err(|why| format!("These laps can't be compared: {why}."))?;
        let lap = compared.comparison.in_order(main.columns);
        let report = Report {
            lap: own.side(&lap),
            reference: best.side(reference.columns),
            chosen: None,
            compared: &compared,
        };
        let sheet = report.sheet();
        let drawn = if page { svg::html(&sheet) } else { svg::draw(&sheet) };
        drawn.map_err(|error| format!("The report could not be drawn: {error}."))
    }
}

impl ReportedLap {
    fn columns(&self) -> Columns {
        let mut columns = Columns::default();
        for (row, seconds) in self.seconds.iter().enumerate() {
            let moment =
                Moment { at: Micros(0), session_time: Some(*seconds), frame: u32::try_from(row).ok() };
            let values = self.channels.iter().filter_map(|(slot, values)| {
                Some((*slot, *values.get(row).filter(|value| value.is_finite())?))
            });
            columns.push(moment, values);
        }
        columns
    }

    /// What is known of it by words, from the driver to the time.
    fn word(&self, place: usize) -> Option<&str> {
        self.words.get(place).map(String::as_str).filter(|word| !word.is_empty())
    }

    fn combo(&self) -> Combo {
        let [car, game, track] = [1, 2, 3].map(|place| self.word(place).map(str::to_owned));
        Combo { game, track, car }
    }

    fn side<'a>(&'a self, columns: &'a LapColumns<'a>) -> Side<'a> {
        let word = |place: usize| self.word(place);
        Side {
            lap: &self.lap,
            columns,
            session: &self.session,
            driver: word(0),
            car: word(1),
            game: word(2).unwrap_or_default(),
            track: word(3),
            day: word(4),
            time: word(5),
        }
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::model::Channel;

    use super::*;

    #[test]
    fn nothing_told_is_said_and_draws_nothing() {
        let mut page = Page::begin();
        assert_eq!(page.draw(false), "A report takes a lap and a reference.");
        assert!(page.names(r#"{"tracks":[]}"#) && !page.names("["));
        assert!(!page.lap("{", "[]", Vec::new(), Vec::new()));
        page.channel(usize::MAX, Vec::new());
        assert!(page.draw(true).starts_with("A report"));
    }

    /// A lap without positions at a steady speed, in a session of its own.
    fn tell(page: &mut Page, speed: f32, [car, track]: [&str; 2]) {
        let time = (4000.0 / speed * 1e3) as u32;
        let lap = format!(
            r#"{{"serial":{},"number":2,"run":0,"stint":1,"time":{time},"sectors":[null,null,null],"flags":[],"began_s":0.0,"ended_s":{}}}"#,
            page.laps.len() + 1,
            4000.0 / speed
        );
        let rows = (4000.0 / speed) as usize * 10;
        let seconds: Vec<f64> = (0..rows).map(|row| row as f64 / 10.0).collect();
        let words = ["A. Driver", car, "A game", track, "", ""].map(str::to_owned);
        assert!(page.lap(&lap, &format!("[{lap}]"), seconds.clone(), words.to_vec()));
        for (channel, values) in [
            (Channel::LapClock, seconds.iter().map(|seconds| *seconds as f32).collect()),
            (Channel::Speed, vec![speed; rows]),
            (Channel::LapDistance, seconds.iter().map(|seconds| *seconds as f32 * speed).collect()),
        ] {
            page.channel(channel.slot().index(), values);
        }
    }

    fn drawn(reference: [&str; 2]) -> String {
        let mut page = Page::begin();
        tell(&mut page, 50.0, ["Ferrari", "Spa"]);
        tell(&mut page, 52.0, reference);
        page.draw(false)
    }

    #[test]
    fn other_tracks_are_refused_and_other_cars_stand_under_a_warning() {
        let refused = drawn(["Ferrari", "Monza"]);
        assert!(refused.contains("they are of different tracks, by the names"), "{refused}");
        let words =
            "These laps were driven in different cars: the lap in Ferrari, the reference in Williams.";
        assert!(drawn(["Williams", "Spa"]).contains(words));
        let alike = drawn(["Ferrari", "Spa"]);
        assert!(alike.starts_with("<svg") && !alike.contains("different cars"), "{alike}");
    }

    #[test]
    fn the_rest_of_the_stint_weighs_in_and_one_seat_has_one_car() {
        let mut page = Page::begin();
        for (speed, car) in [(50.0, "Ferrari"), (52.0, "Williams"), (51.0, "Ferrari")] {
            tell(&mut page, speed, [car, "Spa"]);
        }
        assert!(page.draw(false).contains("mini-sectors (best of 2 laps)"));
        page.relate(true, true);
        let drawn = page.draw(false);
        assert!(
            drawn.contains("mini-sectors (best of 3 laps)") && !drawn.contains("different cars"),
            "{drawn}"
        );
    }
}
