//! The file name of a recording.

use trailbrake_model::time::Micros;
use trailbrake_session::SessionSummary;

use crate::facts::{Facts, Info, track_title};

/// The end of every recording's file name.
pub const ENDING: &str = ".trailbrake.mcap";
/// Longest part of a name, in characters: file systems have limits, and some car names are long.
const LONGEST_PART: usize = 40;

/// The file name of a recording: its start on the driver's clock, `zone_s` seconds ahead of UTC, then game, track and
/// car.
pub fn called(info: &Info, session: &SessionSummary, zone_s: i32) -> String {
    let track = track_title(&Facts::default(), session);
    let car = session.car_words();
    let words = [Some(game(&info.feed, session)), track.as_deref(), car.as_deref()];
    file_name(info.created, zone_s, &words.into_iter().flatten().collect::<Vec<_>>())
}

/// The game's name where it says more than the feed's id, such as the year; else that id.
fn game<'a>(feed: &'a str, session: &'a SessionSummary) -> &'a str {
    let says_more = |game: &&str| reduced(game).strip_prefix(feed).is_some_and(|rest| rest.starts_with('-'));
    session.game.as_deref().filter(says_more).unwrap_or(feed)
}

/// The file name before anything is known but feed and time.
pub(super) fn began_as(info: &Info, zone_s: i32) -> String {
    called(info, &SessionSummary::default(), zone_s)
}

fn file_name(began: Micros, zone_s: i32, parts: &[&str]) -> String {
    let mut name = began.date_time(zone_s).strftime("%Y-%m-%d_%H%M").to_string();
    for part in parts.iter().map(|part| reduced(part)).filter(|part| !part.is_empty()) {
        name.push('_');
        name.push_str(&part);
    }
    name + ENDING
}

/// A name from a packet in characters that are safe on every file system: a-z, 0-9, and a dash for anything else.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_the_game_where_a_feed_has_several() {
        let check = |feed: &str, game: Option<&str>, expected: &str| {
            let session = SessionSummary { game: game.map(str::to_owned), ..SessionSummary::default() };
            assert_eq!(reduced(super::game(feed, &session)), expected);
        };
        check("f1", Some("F1 2018"), "f1-2018");
        check("f1", Some("F1 25"), "f1-25");
        check("f1", Some("F1 25, season 2026"), "f1-25-season-2026");
        check("f1", None, "f1");
        check("gran-turismo", Some("Gran Turismo 7"), "gran-turismo-7");
        check("ac-remote", Some("Assetto Corsa"), "ac-remote");
        check("f1-2018", Some("F1 2018"), "f1-2018");
    }

    #[test]
    fn files_are_named_by_date_feed_track_and_car() {
        let began = Micros(1_795_271_520_000_000);
        let parts = ["F1 2018", "Spa", "Ferrari"];
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
}
