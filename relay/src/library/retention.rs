//! Removes the oldest recordings without tags and notes, where the user has set a limit.

use std::sync::Arc;
use std::time::{Duration, SystemTime};
use std::{fs, io};

use tokio::sync::watch;
use trailbrake_shared::library::Entry;
use trailbrake_shared::settings::DriverSettings;
use trailbrake_shared::time::Micros;

use super::recordings::Library;
use crate::clock::Clock;
use crate::disk;

/// Limits for recordings without a tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetentionLimits {
    /// Bytes of all recordings together.
    pub bytes: Option<u64>,
    /// Greatest age.
    pub age: Option<Duration>,
}

impl RetentionLimits {
    /// The limits that the driver set.
    pub(crate) fn of(settings: &DriverSettings) -> Self {
        Self {
            bytes: settings.keep_gb.map(|gigabytes| (gigabytes * 1e9) as u64),
            age: settings.keep_days.map(|days| Duration::from_secs(u64::from(days) * 86_400)),
        }
    }
}

/// How often the limits are checked.
const INTERVAL: Duration = Duration::from_secs(60);

/// Enforces the limits, and changed ones at once, until dropped.
pub(crate) async fn enforce_retention(
    library: Arc<Library>,
    mut changes: watch::Receiver<RetentionLimits>,
    clock: Clock,
    announce: fn(&str, &str),
) {
    let mut tick = tokio::time::interval(INTERVAL);
    let mut trouble = None;
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            Ok(()) = changes.changed() => {}
        }
        let limits = *changes.borrow_and_update();
        let library = Arc::clone(&library);
        let tidied = tokio::task::spawn_blocking(move || {
            let tidied =
                library.tidy_bin(SystemTime::now()).and_then(|_| library.remove_old(limits, clock.now()));
            tidied.map_err(|error| disk::trouble(library.folder(), &error))
        });
        match tidied.await {
            Ok(Ok(removed)) => {
                removed.iter().for_each(|file| announce("Made way", file));
                trouble = None;
            }
            // Log each problem only once.
            Ok(Err(words)) if trouble.as_ref() != Some(&words) => {
                tracing::warn!("old recordings can't be removed: {words}");
                trouble = Some(words);
            }
            Ok(Err(_)) | Err(_) => {}
        }
    }
}

impl Library {
    /// Removes recordings beyond the limits; returns their file names.
    pub(super) fn remove_old(&self, limits: RetentionLimits, now: Micros) -> io::Result<Vec<String>> {
        if limits == RetentionLimits::default() || !self.folder().exists() {
            return Ok(Vec::new());
        }
        let recordings = self.list().recordings;
        let binned: u64 = self.bin().recordings.iter().map(|entry| entry.bytes).sum();
        let mut removal = chosen(&recordings, binned, limits, now);
        if removal.bin {
            self.empty_bin().map_err(|refusal| io::Error::other(refusal.words().to_owned()))?;
        }
        let _alone = self.changing.lock();
        removal.files.retain(|file| fs::exists(self.folder().join(file)).unwrap_or_default());
        for file in &removal.files {
            fs::remove_file(self.folder().join(file))?;
        }
        Ok(removal.files)
    }
}

/// What to remove.
#[derive(Debug, Default, PartialEq, Eq)]
struct Removal {
    /// Everything in the bin.
    bin: bool,
    /// These recordings.
    files: Vec<String>,
}

/// Chooses what to remove. Unreadable files stay.
fn chosen(recordings: &[Entry], binned: u64, limits: RetentionLimits, now: Micros) -> Removal {
    let mut removal = Removal::default();
    let mut bytes = binned + recordings.iter().map(|entry| entry.bytes).sum::<u64>();
    let most = limits.bytes.unwrap_or(u64::MAX);
    if bytes > most && binned > 0 {
        removal.bin = true;
        bytes -= binned;
    }
    let oldest = limits.age.map_or(Micros(0), |age| now.plus_seconds(-age.as_secs_f64()));
    // Notes or tags show that the driver wants to find a recording again.
    let may = recordings.iter().filter(|entry| entry.tags.is_empty() && entry.notes == 0);
    let mut may: Vec<&Entry> = may.filter(|entry| entry.trouble.is_none() && !entry.underway).collect();
    may.sort_by_key(|entry| entry.created);
    for entry in may {
        if entry.created < oldest || bytes > most {
            bytes = bytes.saturating_sub(entry.bytes);
            removal.files.push(entry.file.clone());
        }
    }
    removal
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 86_400_000_000;

    fn entry(day: u64, megabytes: u64, tag: &str) -> Entry {
        let tags = if tag.is_empty() { vec![] } else { vec![tag.to_owned()] };
        let file = format!("day-{day}");
        Entry { file, bytes: megabytes * 1_000_000, created: Micros(day * DAY), tags, ..Entry::default() }
    }

    fn check(keep_mb: Option<u64>, keep_days: Option<u64>, binned_mb: u64, expected: (bool, &[&str])) {
        let recordings = [entry(9, 30, ""), entry(1, 10, "mine"), entry(5, 20, ""), entry(3, 15, "")];
        let limits = RetentionLimits {
            bytes: keep_mb.map(|megabytes| megabytes * 1_000_000),
            age: keep_days.map(|days| Duration::from_secs(days * 86_400)),
        };
        let removal = chosen(&recordings, binned_mb * 1_000_000, limits, Micros(10 * DAY));
        let files: Vec<&str> = removal.files.iter().map(String::as_str).collect();
        assert_eq!((removal.bin, files.as_slice()), expected, "{keep_mb:?} MB, {keep_days:?} days");
    }

    #[test]
    fn the_oldest_without_a_tag_remove_old_after_the_bin() {
        check(None, None, 50, (false, &[]));
        check(Some(75), None, 0, (false, &[]));
        check(Some(75), None, 5, (true, &[]));
        check(Some(74), None, 5, (true, &["day-3"]));
        check(Some(45), None, 0, (false, &["day-3", "day-5"]));
        check(Some(1), None, 0, (false, &["day-3", "day-5", "day-9"]));
        check(None, Some(6), 50, (false, &["day-3"]));
        check(None, Some(1), 0, (false, &["day-3", "day-5"]));
        check(Some(65), Some(6), 0, (false, &["day-3"]));
    }

    #[test]
    fn what_has_notes_or_is_under_way_stays() {
        let noted = Entry { notes: 1, ..entry(1, 10, "") };
        let underway = Entry { underway: true, ..entry(2, 10, "") };
        let limits = RetentionLimits { bytes: Some(1), age: Some(Duration::from_secs(86_400)) };
        let removal = chosen(&[noted, underway, entry(3, 10, "")], 0, limits, Micros(10 * DAY));
        assert_eq!(removal, Removal { bin: false, files: vec!["day-3".into()] });
    }

    #[test]
    fn what_cannot_be_read_is_left_alone() {
        let broken = Entry { trouble: Some("damaged".into()), ..entry(1, 10, "") };
        let limits = RetentionLimits { bytes: Some(1), age: None };
        assert_eq!(chosen(&[broken], 0, limits, Micros(10 * DAY)), Removal::default());
    }
}
