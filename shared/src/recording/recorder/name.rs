//! What a recording's file is called.

use crate::recording::facts::{Facts, Info, track_title};
use crate::session::SessionSummary;
use crate::time::Micros;

/// How the name of every recording ends.
pub const ENDING: &str = ".trailbrake.mcap";
const SECONDS_PER_DAY: i64 = 86_400;
/// A part of the name is cut after so many letters: file systems have limits, and games have long names for cars.
const LONGEST_PART: usize = 40;

/// What a recording's file is called: when it began by the driver's clock, so many seconds ahead of UTC, the game, the
/// track and the car.
pub fn called(info: &Info, session: &SessionSummary, zone_s: i32) -> String {
    let track = track_title(&Facts::default(), session);
    let car = session.car_words();
    let words = [Some(info.feed.as_str()), track.as_deref(), car.as_deref()];
    file_name(info.created, zone_s, &words.into_iter().flatten().collect::<Vec<_>>())
}

/// What it is called as long as nothing is known of it.
pub(super) fn began_as(info: &Info, zone_s: i32) -> String {
    called(info, &SessionSummary::default(), zone_s)
}

fn file_name(began: Micros, zone_s: i32, parts: &[&str]) -> String {
    let seconds = (began.0 / 1_000_000).cast_signed().saturating_add(i64::from(zone_s));
    let (days, of_day) = (seconds.div_euclid(SECONDS_PER_DAY), seconds.rem_euclid(SECONDS_PER_DAY));
    let (year, month, day) = date(days);
    let (hour, minute) = (of_day / 3600, of_day / 60 % 60);
    let mut name = format!("{year:04}-{month:02}-{day:02}_{hour:02}{minute:02}");
    for part in parts.iter().map(|part| reduced(part)).filter(|part| !part.is_empty()) {
        name.push('_');
        name.push_str(&part);
    }
    name + ENDING
}

/// What a packet named, in letters that no file system minds: a-z, 0-9, and a dash for anything else.
fn reduced(part: &str) -> String {
    let mut reduced = String::new();
    for letter in part.chars() {
        match plain(letter) {
            Some(letter) => reduced.push(letter),
            None if !reduced.is_empty() && !reduced.ends_with('-') => reduced.push('-'),
            None => {}
        }
        if reduced.len() >= LONGEST_PART {
            break;
        }
    }
    reduced.trim_end_matches('-').to_owned()
}

fn plain(letter: char) -> Option<char> {
    let without_accent = match letter.to_lowercase().next().unwrap_or(letter) {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => 'a',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        'ñ' => 'n',
        'ç' => 'c',
        other => other,
    };
    without_accent.is_ascii_alphanumeric().then_some(without_accent)
}

/// Year, month and day of so many days after the first of January 1970, by the calendar of today.
fn date(days: i64) -> (i64, i64, i64) {
    // Years begin in March here, so that the leap day is a year's last: 400 of them always have as many days.
    const DAYS_OF_400_YEARS: i64 = 146_097;
    const FROM_MARCH_OF_YEAR_0: i64 = 719_468;
    let days = days + FROM_MARCH_OF_YEAR_0;
    let (era, day) = (days.div_euclid(DAYS_OF_400_YEARS), days.rem_euclid(DAYS_OF_400_YEARS));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next_year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_by_date_feed_track_and_car() {
        let began = Micros(1_795_271_520_000_000);
        let parts = ["f1-2018", "Spa", "Ferrari"];
        assert_eq!(file_name(began, 0, &parts), "2026-11-21_1432_f1-2018_spa_ferrari.trailbrake.mcap");
        assert_eq!(file_name(began, 36_000, &parts[..1]), "2026-11-22_0032_f1-2018.trailbrake.mcap");
        assert_eq!(file_name(began, -52_321, &[]), "2026-11-20_2359.trailbrake.mcap");
    }

    #[test]
    fn names_out_of_packets_can_do_no_harm() {
        for (named, expected) in [
            ("../../etc/passwd", "etc-passwd"),
            ("Älgsjön Sprint", "algsjon-sprint"),
            ("C:\\CON", "c-con"),
            ("  --  ", ""),
            ("鈴鹿", ""),
            ("Škoda\u{202e}Fabia\0", "koda-fabia"),
        ] {
            assert_eq!(reduced(named), expected);
        }
        assert_eq!(reduced(&"x".repeat(999)).len(), LONGEST_PART);
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, expected) in [
            (0, (1970, 1, 1)),
            (-1, (1969, 12, 31)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (19_782, (2024, 2, 29)),
            (20_778, (2026, 11, 21)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(date(days), expected, "{days}");
        }
    }
}
