//! The texts of a recording's fields.

use trailbrake_shared::library::Entry;
use trailbrake_shared::number;

/// The game, as drivers call it.
pub(crate) fn game(entry: &Entry) -> Option<String> {
    entry.game_word().map(str::to_owned)
}

/// The title of a recording: its name, else its track and car, else its file name.
pub(crate) fn title(entry: &Entry) -> String {
    match (&entry.name, &entry.track, &entry.car) {
        (Some(name), ..) => name.clone(),
        (None, Some(track), Some(car)) => format!("{track} · {car}"),
        (None, Some(one), None) | (None, None, Some(one)) => one.clone(),
        (None, None, None) => entry.file.clone(),
    }
}

/// The key of a recording: its id, or the name of a file that can't be opened.
pub(crate) fn key(entry: &Entry) -> String {
    entry.id.map_or_else(|| entry.file.clone(), |id| id.to_string())
}

/// A file's size in words.
pub(crate) fn size(bytes: u64) -> String {
    let (value, unit) = match bytes {
        ..1_000 => return format!("{bytes} B"),
        1_000..1_000_000 => (bytes as f64 / 1e3, "KB"),
        1_000_000..1_000_000_000 => (bytes as f64 / 1e6, "MB"),
        _ => (bytes as f64 / 1e9, "GB"),
    };
    format!("{} {unit}", number::write(value, if value < 9.95 { 1 } else { 0 }))
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
