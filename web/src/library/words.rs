//! What the list says of a recording, field by field.

use trailbrake_shared::library::Entry;
use trailbrake_shared::number;
use trailbrake_shared::time::Micros;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The game, as drivers call it.
pub(crate) fn game(entry: &Entry) -> Option<String> {
    entry.game_word().map(str::to_owned)
}

/// What a recording is called: its name, else where and what was driven, else its file.
pub(crate) fn title(entry: &Entry) -> String {
    match (&entry.name, &entry.track, &entry.car) {
        (Some(name), ..) => name.clone(),
        (None, Some(track), Some(car)) => format!("{track} · {car}"),
        (None, Some(one), None) | (None, None, Some(one)) => one.clone(),
        (None, None, None) => entry.file.clone(),
    }
}

/// What a recording is known by as long as the page is open: its id, or the file that can't be opened.
pub(crate) fn key(entry: &Entry) -> String {
    entry.id.map_or_else(|| entry.file.clone(), |id| id.to_string())
}

/// A file's length.
pub(crate) fn size(bytes: u64) -> String {
    let (value, unit) = match bytes {
        ..1_000 => return format!("{bytes} B"),
        1_000..1_000_000 => (bytes as f64 / 1e3, "KB"),
        1_000_000..1_000_000_000 => (bytes as f64 / 1e6, "MB"),
        _ => (bytes as f64 / 1e9, "GB"),
    };
    format!("{} {unit}", number::write(value, if value < 9.95 { 1 } else { 0 }))
}

/// A moment on the clock of a place that is so many minutes west of Greenwich: `21 Nov 2026 14:32`.
pub(crate) fn date(at: Micros, minutes_west: i64) -> String {
    let minutes = (at.0 / 60_000_000) as i64 - minutes_west;
    let (days, minute) = (minutes.div_euclid(1440), minutes.rem_euclid(1440));
    let (year, month, day) = civil(days);
    let month = usize::try_from(month - 1).ok().and_then(|month| MONTHS.get(month)).unwrap_or(&"?");
    format!("{day} {month} {year} {:02}:{:02}", minute / 60, minute % 60)
}

/// Year, month and day of so many days after the first of 1970. Years are counted from March here, so that the odd day
/// of February comes last.
fn civil(days: i64) -> (i64, i64, i64) {
    const FOUR_CENTURIES: i64 = 146_097;
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(FOUR_CENTURIES), days.rem_euclid(FOUR_CENTURIES));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next, month, date)
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::recording::{RecordingId, UNCLAIMED};

    use super::*;

    #[test]
    fn sizes_have_two_figures_or_more() {
        for (bytes, words) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 KB"),
            (9_949, "9.9 KB"),
            (12_300, "12 KB"),
            (3_440_000, "3.4 MB"),
            (123_456_789, "123 MB"),
            (2_050_000_000, "2.0 GB"),
        ] {
            assert_eq!(size(bytes), words, "{bytes}");
        }
    }

    #[test]
    fn dates_are_those_of_the_place() {
        let second = |seconds: u64| Micros(seconds * 1_000_000);
        assert_eq!(date(second(0), 0), "1 Jan 1970 00:00");
        assert_eq!(date(second(0), 60), "31 Dec 1969 23:00");
        assert_eq!(date(second(1_795_271_520), 0), "21 Nov 2026 14:32");
        assert_eq!(date(second(1_795_271_520), -60), "21 Nov 2026 15:32");
        assert_eq!(date(second(951_782_340), 0), "28 Feb 2000 23:59");
        assert_eq!(date(second(951_782_400), 0), "29 Feb 2000 00:00");
        assert_eq!(date(second(4_107_542_400), 0), "1 Mar 2100 00:00");
    }

    #[test]
    fn what_is_not_known_is_not_made_up() {
        let mut entry = Entry { file: "a.mcap".into(), ..Entry::default() };
        assert_eq!((game(&entry), title(&entry), key(&entry)), (None, "a.mcap".into(), "a.mcap".into()));
        entry.id = Some(RecordingId(10));
        entry.feed = Some("f1-2018".into());
        entry.car = Some("Ferrari".into());
        assert_eq!((game(&entry).as_deref(), title(&entry).as_str()), (Some("F1 2018"), "Ferrari"));
        assert!(key(&entry).ends_with("0a"));
        entry.track = Some("Spa".into());
        entry.game = Some("Gran Turismo 6".into());
        entry.feed = Some(UNCLAIMED.into());
        assert_eq!(
            (game(&entry).as_deref(), title(&entry).as_str()),
            (Some("Gran Turismo 6"), "Spa · Ferrari")
        );
        entry.name = Some("Wet".into());
        assert_eq!(title(&entry), "Wet");
    }
}
