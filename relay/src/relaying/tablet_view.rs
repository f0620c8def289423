//! What tablets see in place of the owner's folders, addresses and settings.

use std::path::Path;

use trailbrake_shared::library::Listing;
use trailbrake_shared::wire::{PortState, Status};

/// Removes from a status what tablets may not see.
pub(crate) fn hide_in_status(status: &mut Status) {
    status.forwards.clear();
    let recorder = &mut status.recorder;
    if let Some(folder) = recorder.folder.take() {
        recorder.trouble = recorder.trouble.take().map(|words| without_path(&words, &folder));
        recorder.folder = Some(name(&folder));
    }
}

/// Removes more from the status in a sample: no page shows it.
pub(crate) fn hide_in_sample(status: &mut Status) {
    hide_in_status(status);
    status.talks.clear();
    status.addresses.clear();
    status.recorder.unrecorded = None;
    for port in &mut status.ports {
        port.sender = None;
        port.rejects.clear();
        if let PortState::Asks { .. } = port.state {
            port.state = PortState::Open;
        }
    }
}

/// Reduces the folder of a list of recordings to its name.
pub(crate) fn hide_in_listing(listing: &mut Listing) {
    let folder = std::mem::take(&mut listing.folder);
    let entries = listing.recordings.iter_mut().map(|entry| &mut entry.trouble);
    for trouble in entries.chain([&mut listing.trouble]) {
        *trouble = trouble.take().map(|words| without_path(&words, &folder));
    }
    listing.folder = name(&folder);
}

/// Reduces the folder in the words of a problem to its name.
pub(crate) fn hide_in_words(words: &mut Option<String>, folder: &Path) {
    let folder = folder.display().to_string();
    *words = words.take().map(|words| without_path(&words, &folder));
}

fn name(folder: &str) -> String {
    Path::new(folder).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn without_path(words: &str, folder: &str) -> String {
    if folder.is_empty() { words.to_owned() } else { words.replace(folder, &name(folder)) }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::library::Entry;
    use trailbrake_shared::wire::RecorderStatus;

    use super::*;

    #[test]
    fn a_folder_keeps_its_name_alone_wherever_it_stands() {
        let folder = Path::new("/home").join("ann").join("laps").display().to_string();
        let trouble = Some(format!("the disk of {folder} is full: make room on it"));
        let expected = Some("the disk of laps is full: make room on it".to_owned());
        let recorder = RecorderStatus {
            folder: Some(folder.clone()),
            trouble: trouble.clone(),
            ..RecorderStatus::default()
        };
        let mut status = Status { recorder, ..Status::default() };
        hide_in_status(&mut status);
        assert_eq!((status.recorder.folder.as_deref(), &status.recorder.trouble), (Some("laps"), &expected));

        let entry = Entry { trouble: trouble.clone(), ..Entry::default() };
        let mut listing = Listing { folder, trouble, recordings: vec![entry], ..Listing::default() };
        hide_in_listing(&mut listing);
        assert_eq!((listing.folder.as_str(), &listing.trouble), ("laps", &expected));
        assert_eq!(listing.recordings[0].trouble, expected);
    }
}
