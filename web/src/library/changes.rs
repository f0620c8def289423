//! Renames, tags, deletes, restores and repairs recordings.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::library::{Entry, Repaired};
use trailbrake_shared::number::count;
use trailbrake_shared::recording::RecordingId;
use wasm_bindgen::JsValue;

use super::Library;
use super::contents::listed;
use super::requests::{long_request, request};
use super::toast::Deleted;
use super::words::{key, title};
use crate::http;
use crate::jobs::Work;
use crate::text::words::encoded;

/// Renames the open recording. Calls `failed` if the relay refuses.
pub(super) fn rename(library: Library, name: &str, failed: impl FnOnce() + 'static) {
    let before = untrack(|| library.opened()).and_then(|one| one.entry.name.clone());
    if before.unwrap_or_default() != name.trim() {
        relabel(library, &[("name", name.into())], failed);
    }
}

/// Adds a tag to the open recording, or removes it.
pub(super) fn tag_recording(library: Library, tag: &str, is_added: bool) {
    let mut tags = untrack(|| library.opened()).map(|one| one.entry.tags.clone()).unwrap_or_default();
    tags.retain(|other| other != tag.trim());
    if is_added && !tag.trim().is_empty() {
        tags.push(tag.trim().to_owned());
    }
    let tags: js_sys::Array = tags.iter().map(JsValue::from).collect();
    relabel(library, &[("tags", tags.into())], || {});
}

fn relabel(library: Library, labels: &[(&str, JsValue)], failed: impl FnOnce() + 'static) {
    let Some(id) = library.opened_id() else { return };
    let (path, body) = (format!("/library/{id}"), http::json(labels));
    spawn_local(async move {
        match http::ask("PATCH", &path, Some(&body)).await {
            Ok(answer) => {
                serde_json::from_str(&answer).into_iter().for_each(|entry: Entry| library.put(entry));
            }
            Err(why) => {
                library.toasts.say(why.words(), false);
                failed();
                library.refresh();
            }
        }
    });
}

/// Moves a recording to the bin.
pub(super) fn delete(library: Library, key: &str) {
    let Some(deleted) = library.contents.with_untracked(|all| all.get(key).map(|one| Deleted::of(one)))
    else {
        return;
    };
    request(library, "DELETE", format!("/library/{}", encoded(key)), None, move |answer| {
        library.remove(&deleted.key);
        library.toasts.say(format!("{}: moved to bin.", deleted.title), true);
        // A file may get another name in the bin.
        let binned = serde_json::from_str::<Entry>(&answer);
        let key = binned.map(|entry| bin_key(&deleted.key, &entry)).unwrap_or_default();
        library.deleted.update_value(|all| all.push(Deleted { key, ..deleted }));
    });
}

/// Restores the recording that was deleted last.
pub(super) fn undo(library: Library) {
    if let Some(last) = library.deleted.with_value(|deleted| deleted.last().cloned()) {
        restore_deleted(library, last);
    }
}

/// Restores the open recording from the bin.
pub(super) fn restore(library: Library) {
    if let Some(opened) = untrack(|| library.opened()) {
        restore_deleted(library, Deleted::of(&opened));
    }
}

fn restore_deleted(library: Library, one: Deleted) {
    request(library, "POST", format!("/library/bin/{}", encoded(&one.key)), None, move |answer| {
        let restored = serde_json::from_str::<Entry>(&answer);
        library.deleted.update_value(|all| all.retain(|deleted| deleted.key != one.key));
        match library.query.with_untracked(|query| query.bin) {
            true => library.remove(&one.key),
            false => library.cursor.set(restored.ok().map(|entry| key(&entry))),
        }
        library.toasts.say(format!("{}: back in the library.", one.title), false);
        library.refresh();
    });
}

/// Removes all recordings in the bin for good.
pub(super) fn empty_bin(library: Library) {
    request(library, "DELETE", "/library/bin".to_owned(), None, move |answer| {
        let removed: u64 = answer.trim().parse().unwrap_or_default();
        library.deleted.update_value(Vec::clear);
        library.show_bin(true);
        library.toasts.say(format!("{} removed for good.", count(removed, "recording", "recordings")), false);
    });
}

/// Has the relay repair a damaged file, and opens the repaired recording.
pub(super) fn repair(library: Library, file: &str) {
    let file = file.to_owned();
    let path = format!("/library/repair/{}", encoded(&file));
    library.repairing.set(Some(file.clone()));
    long_request(library, library.jobs.begin(Work::Repair, &file), &path, None, move |answer| {
        if let Ok(repaired) = serde_json::from_str::<Repaired>(&answer) {
            take_repaired(library, &file, repaired);
        }
    });
}

/// Replaces the row of a damaged file by the repaired recording, and opens it.
fn take_repaired(library: Library, file: &str, repaired: Repaired) {
    let (words, whole) = (saved(&repaired), listed(repaired.entry));
    let key = whole.key.clone();
    library.toasts.say(format!("{} is repaired.", title(&whole.entry)), false);
    library.repaired.set(Some((key.clone(), words)));
    library.contents.update(|contents| contents.replace(file, whole));
    library.open(Some(key));
    library.refresh();
}

/// The key in the bin of a recording that had this key in the library.
fn bin_key(key: &str, binned: &Entry) -> String {
    if RecordingId::read(key).is_some() { key.to_owned() } else { binned.file.clone() }
}

/// What a repair saved and what was lost, in sentences.
fn saved(repaired: &Repaired) -> Vec<String> {
    let packets = count(usize::try_from(repaired.packets).unwrap_or(usize::MAX), "packet", "packets");
    let gaps = match repaired.gaps {
        0 => "without a gap".to_owned(),
        gaps => format!("with {}", count(usize::try_from(gaps).unwrap_or(usize::MAX), "gap", "gaps")),
    };
    vec![
        format!("Saved: {packets}, {gaps}."),
        format!("Lost: {}.", repaired.lost),
        format!("The file as it was stays beside it, as {}.", repaired.kept),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repair_lists_what_it_saved_and_what_was_lost() {
        let mut repaired = Repaired {
            packets: 20_204,
            gaps: 1,
            lost: "1 stretch of 0.9 s (54 packets), in lap 3".to_owned(),
            kept: "spa.broken".to_owned(),
            ..Repaired::default()
        };
        let words = saved(&repaired);
        assert_eq!(words[0], "Saved: 20\u{202f}204 packets, with 1 gap.");
        assert_eq!(words[1], "Lost: 1 stretch of 0.9 s (54 packets), in lap 3.");
        assert!(words[2].ends_with("spa.broken."));
        (repaired.packets, repaired.gaps) = (1, 0);
        assert_eq!(saved(&repaired)[0], "Saved: 1 packet, without a gap.");
    }

    #[test]
    fn a_file_is_known_in_the_bin_by_its_name_there() {
        let id = RecordingId(7).to_string();
        let entry = Entry { file: "cut-2.mcap".into(), ..Entry::default() };
        assert_eq!([bin_key("cut.mcap", &entry), bin_key(&id, &entry)], ["cut-2.mcap".to_owned(), id]);
    }
}
