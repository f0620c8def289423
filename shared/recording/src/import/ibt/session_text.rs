//! Reads what is needed of the text about the session. It looks like YAML, but names stand in it without quotes, so
//! lines are read for the few keys that matter, and all others are skipped.

/// What the text says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SessionText {
    /// The track's name and layout.
    pub(super) track: String,
    /// The length of a lap in metres.
    pub(super) length_m: Option<f64>,
    /// Where the track is: latitude and longitude in degrees.
    pub(super) place_deg: Option<(f64, f64)>,
    /// The direction of the track's own north, clockwise from the world's, in radians.
    pub(super) north_offset: Option<f64>,
    /// The driver of the file.
    pub(super) driver: String,
    /// Their car.
    pub(super) vehicle: String,
    /// Where the sectors begin, as fractions of the lap, rising.
    pub(super) sectors: Vec<f64>,
    /// The sessions' numbers and types.
    pub(super) sessions: Vec<(i32, String)>,
    /// Figures of the car.
    pub(super) idle_rpm: Option<f64>,
    pub(super) red_line_rpm: Option<f64>,
    pub(super) shift_rpm: Option<f64>,
    pub(super) gears: Option<f64>,
    pub(super) tank_l: Option<f64>,
}

/// The driver in an entry of the list of drivers.
#[derive(Default)]
struct Seat {
    car: Option<i32>,
    driver: String,
    vehicle: String,
}

/// Real files have 64 cars and up to a dozen sectors.
const MOST_ENTRIES: usize = 1024;

impl SessionText {
    /// Reads the text.
    pub(super) fn read(text: &str) -> Self {
        let mut found = Self::default();
        let (mut track, mut layout) = ("", "");
        let (mut latitude, mut longitude) = (None, None);
        let (mut own, mut seats): (Option<i32>, Vec<Seat>) = (None, Vec::new());
        let mut section = "";
        for line in text.lines() {
            let content = line.trim_start();
            let (item, content) = match content.strip_prefix("- ") {
                Some(content) => (true, content.trim_start()),
                None => (false, content),
            };
            let Some((key, value)) = content.split_once(':') else { continue };
            if !line.starts_with([' ', '-']) {
                section = key;
                continue;
            }
            let value = unquoted(value.trim());
            match (section, key) {
                ("WeekendInfo", "TrackDisplayName") => track = value,
                ("WeekendInfo", "TrackConfigName") => layout = value,
                ("WeekendInfo", "TrackLength") => found.length_m = metres(value),
                ("WeekendInfo", "TrackLatitude") => latitude = first_number(value),
                ("WeekendInfo", "TrackLongitude") => longitude = first_number(value),
                ("WeekendInfo", "TrackNorthOffset") => found.north_offset = first_number(value),
                ("SessionInfo", "SessionNum") if item && found.sessions.len() < MOST_ENTRIES => {
                    found.sessions.extend(value.parse().ok().map(|number| (number, String::new())));
                }
                ("SessionInfo", "SessionType") => {
                    found.sessions.last_mut().into_iter().for_each(|(_, kind)| value.clone_into(kind));
                }
                ("DriverInfo", "DriverCarIdx") => own = value.parse().ok(),
                ("DriverInfo", "DriverCarIdleRPM") => found.idle_rpm = first_number(value),
                ("DriverInfo", "DriverCarRedLine") => found.red_line_rpm = first_number(value),
                ("DriverInfo", "DriverCarSLShiftRPM") => found.shift_rpm = first_number(value),
                ("DriverInfo", "DriverCarGearNumForward") => found.gears = first_number(value),
                ("DriverInfo", "DriverCarFuelMaxLtr") => found.tank_l = first_number(value),
                ("DriverInfo", "CarIdx") if item && seats.len() < MOST_ENTRIES => {
                    seats.push(Seat { car: value.parse().ok(), ..Seat::default() });
                }
                ("DriverInfo", "UserName") => {
                    seats.last_mut().into_iter().for_each(|seat| value.clone_into(&mut seat.driver));
                }
                ("DriverInfo", "CarScreenName") => {
                    seats.last_mut().into_iter().for_each(|seat| value.clone_into(&mut seat.vehicle));
                }
                ("SplitTimeInfo", "SectorStartPct") if found.sectors.len() < MOST_ENTRIES => {
                    found.sectors.extend(first_number(value).filter(|start| (0.0..1.0).contains(start)));
                }
                _ => {}
            }
        }
        found.track = match (track, layout) {
            (track, "") => track.to_owned(),
            ("", layout) => layout.to_owned(),
            (track, layout) => format!("{track} ({layout})"),
        };
        if let Some(seat) = seats.into_iter().find(|seat| seat.car.is_some() && seat.car == own) {
            (found.driver, found.vehicle) = (seat.driver, seat.vehicle);
        }
        found.place_deg = latitude.zip(longitude);
        found.sectors.sort_by(f64::total_cmp);
        found.sectors.dedup();
        found
    }

    /// The type of a session in our words; empty if unknown.
    pub(super) fn occasion(&self, number: i32) -> String {
        let kind = self.sessions.iter().find(|(other, _)| *other == number).map_or("", |(_, kind)| kind);
        let words = match kind {
            "Offline Testing" | "Warmup" => "Practice",
            "Open Qualify" | "Lone Qualify" => "Qualifying",
            "Time Trial" => "Time trial",
            other => other,
        };
        words.to_owned()
    }
}

fn unquoted(value: &str) -> &str {
    let inner = |mark| value.strip_prefix(mark).and_then(|value| value.strip_suffix(mark));
    inner('"').or_else(|| inner('\'')).unwrap_or(value)
}

/// The number before a unit: `1.5876 rad`.
fn first_number(value: &str) -> Option<f64> {
    let number = value.split_whitespace().next()?.parse().ok()?;
    Some(number).filter(|number: &f64| number.is_finite())
}

/// A length with its unit: `4.28 km`, `2.66 mi`.
fn metres(value: &str) -> Option<f64> {
    let unit = value.split_whitespace().nth(1).unwrap_or("km");
    let scale = match unit {
        "mi" => 1_609.344,
        "m" => 1.0,
        _ => 1_000.0,
    };
    first_number(value).map(|length| length * scale).filter(|length| *length > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "---\nWeekendInfo:\n TrackName: okayama full\n TrackLength: 3.65 km\n TrackDisplayName: Okayama: \
        Circuit\n TrackConfigName: \n TrackLatitude: 34.915 m\n TrackLongitude: 134.221 m\n TrackNorthOffset: 0.5000 rad\n WeekendOptions:\n  Date: 2026-05-01\n\nSessionInfo:\n \
        Sessions:\n - SessionNum: 0\n   SessionType: Open Qualify\n   ResultsPositions:\n - SessionNum: 1\n   SessionType: \
        Race\n\nDriverInfo:\n DriverCarIdx: 7\n DriverCarIdleRPM: 900.000\n Drivers:\n - CarIdx: 0\n   UserName: Pace Car\n \
        - CarIdx: 7\n   UserName: J\u{fc}rgen \"Flash\" O'Neill\n   CarScreenName: \"Mazda MX-5: Cup\"\n - CarIdx: 8\n   \
        UserName: Another\n\nSplitTimeInfo:\n Sectors:\n - SectorNum: 0\n   SectorStartPct: 0.000000\n - SectorNum: 1\n   \
        SectorStartPct: 0.4\n...\n";

    #[test]
    fn names_and_figures_are_found_among_other_lines() {
        let found = SessionText::read(TEXT);
        assert_eq!(found.track, "Okayama: Circuit");
        assert_eq!(found.driver, "J\u{fc}rgen \"Flash\" O'Neill");
        assert_eq!(found.vehicle, "Mazda MX-5: Cup");
        assert_eq!((found.length_m, found.north_offset), (Some(3_650.0), Some(0.5)));
        assert_eq!(found.place_deg, Some((34.915, 134.221)));
        assert_eq!(found.sectors, [0.0, 0.4]);
        assert_eq!([0, 1, 2].map(|number| found.occasion(number)), ["Qualifying", "Race", ""]);
        assert_eq!((found.idle_rpm, found.red_line_rpm), (Some(900.0), None));
    }

    #[test]
    fn any_text_is_read_as_far_as_it_goes() {
        for text in ["", "---", "WeekendInfo", "WeekendInfo:\n TrackLength: far", "- CarIdx: x\n :\n::"] {
            assert_eq!(SessionText::read(text), SessionText::default(), "{text:?}");
        }
        let miles = SessionText::read("WeekendInfo:\n TrackLength: 2.5 mi\n TrackConfigName: Oval");
        assert_eq!((miles.length_m, miles.track.as_str()), (Some(4_023.36), "Oval"));
    }
}
