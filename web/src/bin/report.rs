//! The printed report as a file of its own: whoever only looks at laps does not load what draws it.
//!
//! The page says piece by piece what it shows, and gets the sheet that `trailbrake report` writes of the same laps.
#![forbid(unsafe_code)]
#![allow(unreachable_pub, reason = "what is reached from JavaScript has to be public")]

use trailbrake_shared::analysis::{Combo, Comparison, LapColumns, TrackBook, things};
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
    laps: Vec<Told>,
    /// What people call tracks and corners.
    book: TrackBook,
}

/// A lap, and what is known of it.
struct Told {
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

    /// Begins the next lap: what is known of it as JSON, its car's laps in the session, when each of its rows was, and
    /// driver, car, game, track, day and time. Whether it was understood.
    pub fn lap(&mut self, lap: &str, session: &str, seconds: Vec<f64>, words: Vec<String>) -> bool {
        let (Ok(lap), Ok(session)) = (serde_json::from_str(lap), serde_json::from_str(session)) else {
            return false;
        };
        self.laps.push(Told { lap, seconds, channels: Vec::new(), session, words });
        true
    }

    /// Tells a channel of the lap that was begun last; what was not sent is no number.
    pub fn channel(&mut self, slot: usize, values: Vec<f32>) {
        if let (Some(told), Some(slot)) = (self.laps.last_mut(), Slot::from_index(slot)) {
            told.channels.push((slot, values));
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
        let columns: Vec<Columns> = self.laps.iter().map(Told::columns).collect();
        let laps: Vec<LapColumns<'_>> = self
            .laps
            .iter()
            .zip(&columns)
            .map(|(told, columns)| LapColumns::new(&told.lap, columns))
            .collect();
        let ([told, told_reference, ..], [lap, reference, others @ ..]) =
            (self.laps.as_slice(), laps.as_slice())
        else {
            return Err("A report takes a lap and a reference.".to_owned());
        };
        let (combo, reference_combo) = (told.combo(), told_reference.combo());
        let compared = |lap: &LapColumns<'_>, combo: &Combo| {
            Comparison::with_combos([(lap, combo), (reference, &reference_combo)], &self.book, false)
        };
        let comparison =
            compared(lap, &combo).map_err(|why| format!("These laps can't be compared: {why}."))?;
        // Other laps of the stint were driven where the lap was.
        let others: Vec<Comparison> =
            others.iter().filter_map(|other| compared(other, &combo).ok()).collect();
        let warnings: Vec<String> = if told.is_of_seat(told_reference) {
            Vec::new()
        } else {
            Combo::other_cars(&[("the lap", &combo), ("the reference", &reference_combo)])
                .into_iter()
                .collect()
        };
        let things = things(&comparison, &others);
        let lap = comparison.in_order(lap);
        let report = Report {
            lap: told.side(&lap),
            reference: told_reference.side(reference),
            chosen: None,
            warnings: &warnings,
            comparison: &comparison,
            others: &others,
            things: &things,
        };
        let sheet = report.sheet();
        let drawn = if page { svg::html(&sheet) } else { svg::draw(&sheet) };
        drawn.map_err(|error| format!("The report could not be drawn: {error}."))
    }
}

impl Told {
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

    /// Whether the other one is a lap of the same car in the same session.
    fn is_of_seat(&self, other: &Self) -> bool {
        self.session == other.session
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
            r#"{{"serial":1,"number":2,"run":0,"stint":1,"time":{time},"sectors":[null,null,null],"flags":[],"began_s":0.0,"ended_s":{}}}"#,
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
}
