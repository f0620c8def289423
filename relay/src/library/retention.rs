//! Moves recordings without tags, notes and tasks to the bin, where the user has set a limit: first those without a lap of the
//! driver's, then the oldest of the machine that takes most. What a team's hub lacks makes way last. The bin has a limit of
//! its own.

use std::collections::{HashMap, HashSet};
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::watch;
use trailbrake_shared::library::Entry;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::settings::DriverSettings;
use trailbrake_shared::time::Micros;

use super::bin;
use super::recordings::Library;
use crate::clock::Clock;
use crate::disk::{self, RESERVE};

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

/// The bin's part of the limit in bytes, on top of it.
const BIN_SHARE: u64 = 4;
/// What recordings of this machine's own games count for.
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
/// How often the limits are checked.
const INTERVAL: Duration = Duration::from_secs(60);

/// Enforces the limits, and changed ones at once, until dropped.
pub(crate) async fn enforce_retention(
    library: Arc<Library>,
    mut changes: watch::Receiver<RetentionLimits>,
    clock: Clock,
    is_here: fn(IpAddr) -> bool,
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
            let now = clock.now();
            let tidied = bin::tidy(&library, SystemTime::now()).and_then(|_| {
                let moved = bin_old(&library, limits, now, is_here)?;
                let free = fs4::available_space(library.folder()).unwrap_or(u64::MAX);
                shrink_bin(&library, limits, free)?;
                Ok(moved)
            });
            tidied.map_err(|error| disk::trouble(library.folder(), &error))
        });
        match tidied.await {
            Ok(Ok(moved)) => {
                moved.iter().for_each(|file| announce("Into the bin", file));
                trouble = None;
            }
            // Log each problem only once.
            Ok(Err(words)) if trouble.as_ref() != Some(&words) => {
                tracing::warn!("old recordings can't make way: {words}");
                trouble = Some(words);
            }
            Ok(Err(_)) | Err(_) => {}
        }
    }
}

/// Moves recordings beyond the limits to the bin; returns their file names.
fn bin_old(
    library: &Library,
    limits: RetentionLimits,
    now: Micros,
    is_here: fn(IpAddr) -> bool,
) -> io::Result<Vec<String>> {
    if limits == RetentionLimits::default() || !library.folder().exists() {
        return Ok(Vec::new());
    }
    let unsent = library.unsent.lock().clone();
    let files = chosen(&library.list().recordings, limits, &unsent, now, is_here);
    let _alone = library.changing.lock();
    let (mut moved, mut trouble) = (Vec::new(), Ok(()));
    for file in files.into_iter().filter(|file| library.folder().join(file).exists()) {
        match bin::move_to_bin(library, &file) {
            Ok(_) => moved.push(file),
            // One that is held open keeps no other from making way.
            Err(error) => trouble = Err(error),
        }
    }
    if moved.is_empty() { trouble.map(|()| moved) } else { Ok(moved) }
}

/// Removes from the bin, for good, what is beyond its limit or takes room that the disk needs.
fn shrink_bin(library: &Library, limits: RetentionLimits, free: u64) -> io::Result<()> {
    let Some(most) = limits.bytes else { return Ok(()) };
    let binned = bin::list(library).recordings;
    let held: u64 = binned.iter().map(|entry| entry.bytes).sum();
    let most = (most / BIN_SHARE).min(held.saturating_sub(RESERVE.saturating_sub(free)));
    let since = |entry: &Entry| {
        let metadata = bin::folder(library).join(&entry.file).metadata();
        metadata.and_then(|metadata| metadata.modified()).ok()
    };
    // First what no driver drove, then what has been there longest.
    let mut order: Vec<&Entry> = binned.iter().collect();
    order.sort_by_cached_key(|entry| (is_driven(entry), since(entry)));
    let mut bytes = held;
    let excess: Vec<&str> = order
        .into_iter()
        .take_while(|entry| {
            let is_beyond = bytes > most;
            bytes -= entry.bytes;
            is_beyond
        })
        .map(|entry| entry.file.as_str())
        .collect();
    let _alone = library.changing.lock();
    bin::remove(library, |file, _| excess.contains(&file)).map(drop)
}

/// Whether the driver finished a lap in a recording.
fn is_driven(entry: &Entry) -> bool {
    entry.laps > 0
}

/// Chooses what to move to the bin. What has tags, notes or tasks stays, as the driver wants to find it again, and so does
/// what can't be read.
fn chosen(
    recordings: &[Entry],
    limits: RetentionLimits,
    unsent: &HashSet<RecordingId>,
    now: Micros,
    is_here: fn(IpAddr) -> bool,
) -> Vec<String> {
    let machines = machines(recordings, is_here);
    let machine = |entry: &Entry| machines.get(&entry.machine).copied().unwrap_or(HERE);
    let mut files = Vec::new();
    let oldest = limits.age.map_or(Micros(0), |age| now.plus_seconds(-age.as_secs_f64()));
    let may_go = |entry: &&Entry| {
        let is_kept = !entry.tags.is_empty() || entry.notes > 0 || entry.tasks > 0;
        !is_kept && entry.trouble.is_none() && !entry.underway
    };
    let is_unsent = |entry: &Entry| entry.id.is_some_and(|id| unsent.contains(&id));
    let (old, mut may): (Vec<&Entry>, Vec<&Entry>) =
        recordings.iter().filter(may_go).partition(|entry| entry.created < oldest && !is_unsent(entry));
    may.sort_by_key(|entry| entry.created);
    files.extend(old.iter().map(|entry| entry.file.clone()));

    let mut taken: HashMap<IpAddr, u64> = HashMap::new();
    for entry in recordings {
        *taken.entry(machine(entry)).or_default() += entry.bytes;
    }
    let give_back = |taken: &mut HashMap<IpAddr, u64>, entry: &Entry| {
        let bytes = taken.entry(machine(entry)).or_default();
        *bytes = bytes.saturating_sub(entry.bytes);
    };
    for entry in old {
        give_back(&mut taken, entry);
    }
    let most = limits.bytes.unwrap_or(u64::MAX);
    while taken.values().sum::<u64>() > most {
        let share = |entry: &&Entry| taken.get(&machine(entry)).copied().unwrap_or_default();
        let all_unsent = may.iter().all(|entry| is_unsent(entry));
        let may_now = |entry: &&Entry| all_unsent || !is_unsent(entry);
        let undriven = may.iter().position(|entry| may_now(entry) && !is_driven(entry));
        let greediest = may.iter().filter(|entry| may_now(entry)).map(share).max();
        let is_next = |entry: &&Entry| may_now(entry) && Some(share(entry)) == greediest;
        let next = undriven.or_else(|| may.iter().position(is_next));
        let Some(next) = next else { break };
        let entry = may.remove(next);
        give_back(&mut taken, entry);
        files.push(entry.file.clone());
    }
    files
}

/// The machine that each address counts for. Older recordings have no address: they count for this machine.
fn machines(recordings: &[Entry], is_here: fn(IpAddr) -> bool) -> HashMap<Option<IpAddr>, IpAddr> {
    let mut machines = HashMap::new();
    for address in recordings.iter().map(|entry| entry.machine) {
        // The system is asked once for each address.
        machines.entry(address).or_insert_with(|| {
            address.filter(|address| !is_here(*address)).map_or(HERE, |address| address.to_canonical())
        });
    }
    machines
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 86_400_000_000;
    const STRANGER: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 66));

    fn entry(day: u64, megabytes: u64, tag: &str) -> Entry {
        let tags = if tag.is_empty() { vec![] } else { vec![tag.to_owned()] };
        let (file, created) = (format!("day-{day}"), Micros(day * DAY));
        Entry { file, bytes: megabytes * 1_000_000, created, tags, laps: 1, ..Entry::default() }
    }

    fn limits(keep_mb: Option<u64>, keep_days: Option<u64>) -> RetentionLimits {
        RetentionLimits {
            bytes: keep_mb.map(|megabytes| megabytes * 1_000_000),
            age: keep_days.map(|days| Duration::from_secs(days * 86_400)),
        }
    }

    fn files_of(recordings: &[Entry], limits: RetentionLimits) -> Vec<String> {
        chosen(recordings, limits, &HashSet::new(), Micros(10 * DAY), |_| false)
    }

    fn check(keep_mb: Option<u64>, keep_days: Option<u64>, expected: &[&str]) {
        let recordings = [entry(9, 30, ""), entry(1, 10, "mine"), entry(5, 20, ""), entry(3, 15, "")];
        let files = files_of(&recordings, limits(keep_mb, keep_days));
        assert_eq!(files, expected, "{keep_mb:?} MB, {keep_days:?} days");
    }

    #[test]
    fn the_oldest_without_a_tag_make_way() {
        check(None, None, &[]);
        check(Some(75), None, &[]);
        check(Some(74), None, &["day-3"]);
        check(Some(45), None, &["day-3", "day-5"]);
        check(Some(1), None, &["day-3", "day-5", "day-9"]);
        check(None, Some(6), &["day-3"]);
        check(None, Some(1), &["day-5", "day-3"]);
        check(Some(65), Some(6), &["day-3"]);
    }

    #[test]
    fn noise_and_a_strangers_races_make_way_before_the_drivers() {
        let mine = [entry(1, 10, ""), entry(2, 10, ""), entry(3, 10, "")];
        let noise = Entry { laps: 0, machine: Some(STRANGER), ..entry(8, 30, "") };
        let files = |recordings: &[Entry], keep| files_of(recordings, limits(Some(keep), None));
        assert_eq!(files(&[&mine[..], &[noise]].concat(), 30), ["day-8"]);
        let races = [5, 6, 7].map(|day| Entry { machine: Some(STRANGER), ..entry(day, 20, "") });
        let all = [&mine[..], &races].concat();
        assert_eq!(files(&all, 70), ["day-5"], "the stranger takes 60, the driver 30");
        assert_eq!(files(&all, 50), ["day-5", "day-6"]);
        assert_eq!(files(&all, 40), ["day-5", "day-6", "day-1"], "20 are less than 30");
    }

    #[test]
    fn what_has_notes_or_tasks_is_under_way_or_cannot_be_read_stays() {
        let noted = Entry { notes: 1, ..entry(1, 10, "") };
        let underway = Entry { underway: true, ..entry(2, 10, "") };
        let broken = Entry { trouble: Some("damaged".into()), ..entry(4, 10, "") };
        let coached = Entry { tasks: 1, ..entry(5, 10, "") };
        let recordings = [noted, underway, entry(3, 10, ""), broken, coached];
        assert_eq!(files_of(&recordings, limits(Some(0), Some(1))), ["day-3"]);
    }

    #[test]
    fn what_a_hub_lacks_makes_way_last() {
        let recordings = [1, 2, 3].map(|day| {
            let laps = u32::from(day != 2);
            Entry { id: Some(RecordingId(day.into())), laps, ..entry(day, 10, "") }
        });
        let unsent = HashSet::from([RecordingId(1), RecordingId(2)]);
        let files = |keep_mb, keep_days| {
            chosen(&recordings, limits(keep_mb, keep_days), &unsent, Micros(10 * DAY), |_| false)
        };
        assert_eq!(files(Some(20), None), ["day-3"]);
        assert_eq!(files(Some(10), None), ["day-3", "day-2"]);
        assert_eq!(files(Some(0), None), ["day-3", "day-2", "day-1"], "a limit holds all the same");
        assert_eq!(files(None, Some(1)), ["day-3"], "an age waits for the hub");
    }
}
