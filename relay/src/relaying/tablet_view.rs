//! What tablets see in place of the owner's folders, addresses and settings.

use std::path::Path;

use trailbrake_shared::library::Listing;
use trailbrake_shared::wire::Status;

/// Leaves a status what a tablet's page shows.
pub(crate) fn of_status(status: &mut Status) {
    status.forwards.clear();
    let recorder = &mut status.recorder;
    if let Some(folder) = recorder.folder.take() {
        recorder.trouble = recorder.trouble.take().map(|words| without_path(&words, &folder));
        recorder.folder = Some(name(&folder));
    }
}

/// The same for a sample, which shows nothing: without the addresses of games and of this machine, too.
pub(crate) fn of_sampled_status(status: &mut Status) {
    of_status(status);
    status.talks.clear();
    status.addresses.clear();
}

/// Leaves a list of recordings the name of its folder.
pub(crate) fn of_listing(listing: &mut Listing) {
    let folder = std::mem::take(&mut listing.folder);
    let entries = listing.recordings.iter_mut().map(|entry| &mut entry.trouble);
    for trouble in entries.chain([&mut listing.trouble]) {
        *trouble = trouble.take().map(|words| without_path(&words, &folder));
    }
    listing.folder = name(&folder);
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
        let told = Some("the disk of laps is full: make room on it".to_owned());
        let recorder = RecorderStatus {
            folder: Some(folder.clone()),
            trouble: trouble.clone(),
            ..RecorderStatus::default()
        };
        let mut status = Status { recorder, ..Status::default() };
        of_status(&mut status);
        assert_eq!((status.recorder.folder.as_deref(), &status.recorder.trouble), (Some("laps"), &told));

        let entry = Entry { trouble: trouble.clone(), ..Entry::default() };
        let mut listing = Listing { folder, trouble, recordings: vec![entry], ..Listing::default() };
        of_listing(&mut listing);
        assert_eq!((listing.folder.as_str(), &listing.trouble), ("laps", &told));
        assert_eq!(listing.recordings[0].trouble, told);
    }
}
