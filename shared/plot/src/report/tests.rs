use proptest::prelude::*;
use trailbrake_analysis::laps::CarLaps;
use trailbrake_analysis::{Combo, ComparedLap, Comparing, OwnLine, TrackBook, compare};
use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::{Axis, Channel, Columns, LapProgress, Moment};

use super::*;
use crate::sheet::{Item, svg};

/// The laps of a session, each with its channels.
struct ReportLaps(Vec<(Lap, Columns)>);

/// A circuit of equal straights, joined by turns of one radius through these angles in degrees.
struct Circuit<'a> {
    turns: &'a [f64],
    straight_m: f64,
    radius_m: f64,
}

impl Circuit<'_> {
    /// A lap at 60 Hz with this braking deceleration, m/s², a little less for every third corner.
    fn driven(&self, brakes: f64) -> (Lap, Columns) {
        const STEP_S: f64 = 1.0 / 60.0;
        let Self { turns, straight_m, radius_m } = *self;
        let slow = (12.0 * radius_m).sqrt();
        let bends: Vec<f64> = turns.iter().map(|turn| turn.to_radians().abs() * radius_m).collect();
        let length: f64 = bends.iter().map(|bend| bend + straight_m).sum();
        let mut columns = Columns::default();
        let (mut metres, mut seconds, mut heading, mut x, mut z) = (0.0_f64, 0.0, 0.0_f64, 0.0, 0.0);
        while metres < length {
            let (mut begin, mut corner) = (0.0, 0);
            while metres - begin > straight_m + bends[corner] {
                begin += straight_m + bends[corner];
                corner += 1;
            }
            let to_corner = (straight_m - (metres - begin)).max(0.0);
            let brakes = if corner % 3 == 1 { 0.8 * brakes } else { brakes };
            let coming = (slow * slow + 2.0 * brakes * to_corner).sqrt();
            let going = (slow * slow + 8.0 * (metres - begin)).sqrt().min(85.0);
            let (speed, on_brakes) = (coming.min(going), coming < going && to_corner > 0.0);
            let turning = if to_corner > 0.0 { 0.0 } else { turns[corner].signum() };
            let values = [
                (Channel::LapClock.slot(), seconds),
                (Channel::Speed.slot(), speed),
                (Channel::Throttle.slot(), if on_brakes || turning != 0.0 { 0.0 } else { 1.0 }),
                (Channel::Brake.slot(), if on_brakes { 0.9 } else { 0.0 }),
                (Channel::Gear.slot(), (speed / 11.0).floor() + 1.0),
                (Channel::SteeringAngle.slot(), turning),
                (Channel::GLateral.slot(), turning * speed * speed / radius_m / 9.81),
                (Channel::Position.along(Axis::X), x),
                (Channel::Position.along(Axis::Y), 0.0),
                (Channel::Position.along(Axis::Z), z),
            ];
            let moment = Moment { at: Micros(0), session_time: Some(seconds), frame: None };
            columns.push(moment, values.map(|(slot, value)| (slot, value as f32)));
            let step = speed * STEP_S;
            heading += turning * step / radius_m;
            (x, z) = (x + step * heading.sin(), z + step * heading.cos());
            (metres, seconds) = (metres + step, seconds + STEP_S);
        }
        let mut lap = lap((seconds * 1e3) as u32);
        lap.sectors = [0.3, 0.3, 0.4].map(|share| Some(LapTime((seconds * share * 1e3) as u32))).into();
        (lap, columns)
    }

    fn two_laps(&self) -> ReportLaps {
        ReportLaps(vec![self.driven(9.0), self.driven(10.0)])
    }
}

fn lap(time_ms: u32) -> Lap {
    let mut laps = CarLaps::default();
    laps.progress(&LapProgress { lap: 1, clock: Some(0.0), ..LapProgress::default() });
    let mut lap = laps.current().cloned().expect("a lap");
    lap.time = Some(LapTime(time_ms));
    lap
}

impl ReportLaps {
    /// The report of a lap against another, both by index.
    fn sheet(&self, lap: usize, reference: usize, names: [&str; 4]) -> Sheet {
        let mut columns: Vec<LapColumns<'_>> =
            self.0.iter().map(|(lap, columns)| LapColumns::new(lap, columns)).collect();
        let session: Vec<Lap> = self.0.iter().map(|(lap, _)| lap.clone()).collect();
        let [driver, car, game, track] = names;
        let combo = Combo { game: Some(game.into()), track: Some(track.into()), car: Some(car.into()) };
        let own_lines: Vec<OwnLine> = self.0.iter().map(|_| OwnLine::default()).collect();
        let compared = |place: usize| ComparedLap {
            lap: &self.0[place].0,
            columns: &columns[place],
            combo: &combo,
            own_line: &own_lines[place],
        };
        let comparing = Comparing {
            main: compared(lap),
            reference: compared(reference),
            same_seat: true,
            reference_in_stint: true,
            book: &TrackBook::default(),
            anyway: false,
        };
        let compared = LapComparison::new(&comparing, &[]).expect("a comparison");
        columns[lap] = compared.comparison.in_order(&columns[lap]);
        let side = |place: usize| Side {
            lap: &self.0[place].0,
            columns: &columns[place],
            session: &session,
            driver: Some(driver),
            car: Some(car),
            game,
            track: Some(track),
            day: Some("21 Nov 2026"),
            time: Some("14:32"),
        };
        let (lap, reference) = (side(lap), side(reference));
        let chosen = Some("the best other lap of the same car");
        lay_out(&Report { lap, reference, chosen, compared: &compared, units: Units::default() })
    }
}

const NAMES: [&str; 4] = ["L. Hamilton", "Mercedes", "F1 2018", "Spa-Francorchamps"];
const OVAL: Circuit<'_> =
    Circuit { turns: &[90.0, 90.0, -60.0, 60.0, 90.0, 90.0], straight_m: 420.0, radius_m: 50.0 };

fn usual() -> ReportLaps {
    OVAL.two_laps()
}

/// Everything is on the paper, and no texts overlap.
fn assert_tidy(sheet: &Sheet) {
    let [right, bottom] = sheet.size_mm;
    let paper = Frame { left: 4.0, top: 4.0, right: right - 4.0, bottom: bottom - 4.0 };
    for item in &sheet.items {
        let (points, what) = match item {
            Item::Line { points, .. } => (points.as_slice(), "a line"),
            Item::Area { edge, .. } => (edge.as_slice(), "an area"),
            Item::Words(_) => continue,
        };
        for [x, y] in points {
            let spot = Frame { left: *x, top: *y, right: *x, bottom: *y };
            assert!(paper.holds(&spot), "{what} leads to {x} {y}");
        }
    }
    let words: Vec<&Words> = sheet.words().collect();
    for (place, one) in words.iter().enumerate() {
        assert!(paper.holds(&one.frame()), "{one:?} lies beside the paper");
        assert!(one.size_mm >= 1.9, "{one:?} can't be read");
        // Letters are lower than their line: that much may overlap.
        let slim = |words: &Words| {
            let frame = words.frame();
            let less = 0.12 * words.size_mm;
            Frame { top: frame.top + less, bottom: frame.bottom - less, ..frame }
        };
        for other in &words[..place] {
            assert!(!slim(one).overlaps(&slim(other)), "{one:?} lies over {other:?}");
        }
    }
}

fn texts(sheet: &Sheet) -> Vec<&str> {
    sheet.words().map(|words| words.text.as_str()).collect()
}

#[test]
fn a_usual_lap_has_everything_on_one_page() {
    let driven = usual();
    let sheet = driven.sheet(0, 1, NAMES);
    assert_tidy(&sheet);
    let texts = texts(&sheet);
    let (lap, reference) = (&driven.0[0].0, &driven.0[1].0);
    for needed in [
        "Spa-Francorchamps",
        "F1 2018 · Mercedes · 21 Nov 2026 · 14:32",
        &lap.time.expect("a time").to_string(),
        &reference.time.expect("a time").to_string(),
        "aligned by position on the reference line",
        "Where",
        "Delta",
        "Mini-sectors",
        "Speed",
        "Throttle",
        "Brake",
        "Gear",
        "Steering",
        "Lateral g",
        "Sector 3",
        "Turn 6 left",
        "↑ slower",
    ] {
        assert!(texts.contains(&needed), "{needed:?} is not in {texts:?}");
    }
    assert!(!texts.iter().any(|text| text.contains("Not sent")), "{texts:?}");
    assert!(texts.join(" ").contains("the best other lap of the same car: "), "{texts:?}");
    assert!(sheet.title.contains("lap") && sheet.title.contains("L. Hamilton"), "{}", sheet.title);
}

#[test]
fn a_lap_beside_itself_has_nothing_to_fix_and_no_colour() {
    let sheet = usual().sheet(0, 0, NAMES);
    assert_tidy(&sheet);
    let texts = texts(&sheet);
    assert!(texts.contains(&"0.000 s") && texts.contains(&"the same time"), "{texts:?}");
    assert!(texts.contains(&"To fix"), "{texts:?}");
    let coloured = |item: &&Item| matches!(item, Item::Area { ink: Ink::LossTint | Ink::GainTint, .. });
    assert_eq!(sheet.items.iter().filter(coloured).count(), 0);
}

#[test]
fn swapping_the_laps_turns_the_sign_of_the_difference() {
    let driven = usual();
    let difference = |lap, reference| {
        let sheet = driven.sheet(lap, reference, NAMES);
        sheet
            .words()
            .find(|words| words.size_mm == HUGE && words.text.ends_with(" s"))
            .map(|w| w.text.clone())
    };
    let (one, other) = (difference(0, 1).expect("a difference"), difference(1, 0).expect("a difference"));
    assert_eq!(one.replace('+', "−"), other.replace('+', "−"));
    assert_ne!(one, other);
}

#[test]
fn short_and_long_tracks_with_few_and_many_corners_fit() {
    let square = Circuit { turns: &[90.0; 4], straight_m: 430.0, radius_m: 45.0 };
    let winding = [45.0, -70.0, 70.0, -60.0, 60.0, -80.0, 80.0, -50.0, 50.0, 45.0].repeat(4);
    let long = Circuit { turns: &winding, straight_m: 430.0, radius_m: 60.0 };
    let endless = Circuit { turns: &winding.repeat(2), straight_m: 150.0, radius_m: 40.0 };
    for (circuit, corners) in [(square, 4..=4), (OVAL, 6..=6), (long, 38..=41), (endless, 44..=44)] {
        let sheet = circuit.two_laps().sheet(0, 1, NAMES);
        assert_tidy(&sheet);
        let rows = rows(&sheet);
        assert!(corners.contains(&rows), "{rows} corners: {:?}", texts(&sheet));
        for lane in ["Delta", "Mini-sectors", "Speed", "Throttle", "Brake"] {
            assert!(texts(&sheet).contains(&lane), "{lane}");
        }
    }
}

/// The number of corners that the table names: `Turn 5 left`, or `T5` in a table with two columns.
fn rows(sheet: &Sheet) -> usize {
    let name = |words: &&Words| {
        let rest = words.text.strip_prefix("Turn ").or(words.text.strip_prefix('T'));
        let number = rest.and_then(|rest| rest.split(' ').next());
        words.size_mm == SMALL && number.is_some_and(|number| number.parse::<u16>().is_ok())
    };
    sheet.words().filter(name).count()
}

#[test]
fn names_from_packets_harm_nothing() {
    let driven = usual();
    let long = "Maximilian-Ferdinand ".repeat(40);
    let hebrew = "\u{5d0}\u{5d1}\u{5d2} <b>\u{202e}evil".repeat(9);
    for names in [
        ["<script>alert(1)</script>", "\"quoted\" & 'single'", "]]><!--", "</svg></title><script>"],
        ["\u{0}\u{1b}[31mred\u{7}", "a\nb\r\nc\td", "\u{feff}\u{fffe}\u{ffff}", "\u{2028}\u{85}"],
        [&long, &long, &long, &long],
        [&hebrew, "🏎🏁 зима 冬 ⛄", &hebrew, "\u{0635}\u{200f}\u{2067}سباق"],
        ["", " ", "", "\u{200b}"],
    ] {
        let sheet = driven.sheet(0, 1, names);
        assert_tidy(&sheet);
        let html = svg::html(&sheet).expect("a page");
        assert_eq!(html.matches("<script").count(), 0, "{names:?}");
        for (tag, times) in [("<svg ", 1), ("</svg>", 1), ("</html>", 1), ("<title>", 2), ("</title>", 2)] {
            assert_eq!(html.matches(tag).count(), times, "{tag} of {names:?}");
        }
        assert!(!html.chars().any(|letter| letter.is_control() && letter != '\n'), "{names:?}");
        assert_eq!(html.matches("<text").count(), html.matches("</text>").count());
    }
}

/// A lap of rows, each with a step along x and z, a speed, and a duration in hundredths of a second.
fn made(rows: &[([f32; 2], f32, u8)], time: Option<u32>) -> (Lap, Columns) {
    let mut lap = lap(0);
    lap.time = time.map(LapTime);
    let mut columns = Columns::default();
    let (mut x, mut z, mut seconds) = (0.0, 0.0, 0.0);
    for (row, ([dx, dz], speed, hundredths)) in (0_u32..).zip(rows) {
        (x, z) = (x + dx, z + dz);
        seconds += f64::from(*hundredths) / 100.0;
        let moment = Moment { at: Micros(0), session_time: Some(seconds), frame: Some(row) };
        let places = Axis::ALL.map(|axis| Channel::Position.along(axis)).into_iter().zip([x, 0.0, z]);
        let others = [
            (Channel::LapClock.slot(), seconds as f32),
            (Channel::Speed.slot(), *speed),
            (Channel::Gear.slot(), speed.rem_euclid(9.0).floor()),
            (Channel::SteeringAngle.slot(), *dx),
        ];
        columns.push(moment, places.chain(others));
    }
    (lap, columns)
}

fn made_rows() -> impl Strategy<Value = Vec<([f32; 2], f32, u8)>> {
    let usual = || ([-1.0_f32..4.0, -4.0_f32..4.0], 0.0_f32..90.0, 1_u8..3);
    let wild = (any::<[f32; 2]>(), any::<f32>(), any::<u8>());
    prop_oneof![
        prop::collection::vec(usual(), 0..300),
        prop::collection::vec(prop_oneof![20 => usual(), 1 => wild], 0..300),
    ]
}

proptest! {
    #[test]
    fn any_laps_that_can_be_compared_are_drawn(one in made_rows(), other in made_rows(), time in prop::option::of(1_u32..20_000)) {
        let driven = ReportLaps(vec![made(&one, time), made(&other, Some(4000))]);
        let columns: Vec<LapColumns<'_>> = driven.0.iter().map(|(lap, columns)| LapColumns::new(lap, columns)).collect();
        if compare(&columns[0], &columns[1]).is_ok() {
            let html = svg::html(&driven.sheet(0, 1, NAMES)).expect("a page");
            prop_assert!(html.len() < 1_000_000 && !html.contains("NaN") && !html.contains("inf"), "{}", html.len());
        }
    }
}
