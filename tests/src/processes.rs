//! What processes of this machine take, as Linux reports it.

use std::collections::HashMap;
use std::fs;

/// The resident memory of the page processes that descend from a process, in bytes.
pub(crate) fn page_bytes(ancestor: u32) -> u64 {
    let parents: HashMap<u32, u32> = running().filter_map(|id| Some((id, parent(id)?))).collect();
    let descends = |mut id: u32| loop {
        match parents.get(&id) {
            Some(&parent) if parent == ancestor => return true,
            Some(&parent) => id = parent,
            None => return false,
        }
    };
    parents.keys().filter(|id| descends(**id) && draws_a_page(**id)).filter_map(|id| resident(*id)).sum()
}

fn running() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// A field of a process's status.
fn status(id: u32, field: &str) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    text.lines().find_map(|line| Some(line.strip_prefix(field)?.trim().to_owned()))
}

fn parent(id: u32) -> Option<u32> {
    status(id, "PPid:")?.parse().ok()
}

/// The resident memory of a process, in bytes.
pub(crate) fn resident(id: u32) -> Option<u64> {
    let kilobytes: u64 = status(id, "VmRSS:")?.split(' ').next()?.parse().ok()?;
    Some(kilobytes << 10)
}

fn draws_a_page(id: u32) -> bool {
    let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    let line = String::from_utf8_lossy(&line);
    line.contains("--type=renderer") && !line.contains("--extension-process")
}
