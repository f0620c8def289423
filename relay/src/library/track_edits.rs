//! Changes to the track book, and the rules for its names.

use anyhow::bail;
use trailbrake_shared::analysis::{CornerEdit, Fingerprint, TrackBook};

/// The longest name of a track or a corner, in letters.
const LONGEST_NAME: usize = 60;

/// A trimmed name that fits into one line; empty where nothing is left.
fn plain(name: &str) -> anyhow::Result<String> {
    let name = name.trim();
    if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        bail!("a name is one line of at most {LONGEST_NAME} letters");
    }
    Ok(name.to_owned())
}

/// Names a track in the book.
pub(crate) fn give_name(book: &mut TrackBook, fingerprint: &Fingerprint, name: &str) -> anyhow::Result<()> {
    let name = plain(name)?;
    if name.is_empty() {
        bail!("a track's name is not empty");
    }
    book.name(fingerprint, &name);
    Ok(())
}

/// Adds a change to the corners of a track. A track that is not in the book is added with its name.
pub(crate) fn give_edit(
    book: &mut TrackBook,
    fingerprint: &Fingerprint,
    name: Option<&str>,
    mut edit: CornerEdit,
) -> anyhow::Result<()> {
    if let CornerEdit::Rename { name, .. } = &mut edit {
        *name = plain(name)?;
    }
    if !(0.0..=fingerprint.length_m).contains(&edit.at_m()) {
        bail!("a lap of this track is {:.0} m long", fingerprint.length_m);
    }
    if let Some(name) = name
        && book.recognise(fingerprint).is_none()
    {
        give_name(book, fingerprint, name)?;
    }
    if !book.edit(fingerprint, edit) {
        bail!("the track has no name yet: give it one first");
    }
    Ok(())
}

/// Undoes the last change to the corners of a track.
pub(crate) fn take_back(book: &mut TrackBook, fingerprint: &Fingerprint) -> anyhow::Result<()> {
    if !book.take_back(fingerprint) {
        bail!("no corner of this track was changed");
    }
    Ok(())
}
