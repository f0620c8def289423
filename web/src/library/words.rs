//! The texts of a recording's fields.

use trailbrake_shared::library::Entry;

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

#[cfg(test)]
mod tests {
    use trailbrake_shared::recording::{RecordingId, UNCLAIMED};

    use super::*;

    #[test]
    fn what_is_not_known_is_not_made_up() {
        let mut entry = Entry { file: "a.mcap".into(), ..Entry::default() };
        assert_eq!((game(&entry), title(&entry), key(&entry)), (None, "a.mcap".into(), "a.mcap".into()));
        entry.id = Some(RecordingId(10));
        entry.feed = Some("f1-2018".into());
        entry.car = Some("Ferrari".into());
        assert_eq!((game(&entry).as_deref(), title(&entry).as_str()), (Some("F1 2018 to 25"), "Ferrari"));
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
