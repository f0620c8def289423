//! `trailbrake import`: makes recordings of captures, of bare packets, and of other recordings.

mod making;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use trailbrake_shared::feed::{self, Feed};
use trailbrake_shared::games::neighbours;
use trailbrake_shared::recording::{ENDING, UNCLAIMED};
use trailbrake_shared::wire::Datagram;

use crate::file;
use crate::options::Import;
pub(crate) use making::Making;

/// Writes a recording for each feed that the files hold, and says to `notes` what and where.
pub fn run(request: &Import, mut notes: impl Write) -> anyhow::Result<()> {
    let mut recordings: BTreeMap<Option<Feed>, Making> = BTreeMap::new();
    let mut left_out = 0_u64;
    for path in &request.files {
        let packets = file::open(path, &request.cutting)?;
        packets.datagrams(&mut notes, &mut |datagram| {
            let feed = datagram.feed.or_else(|| feed::recognise(datagram.bytes).ok().map(|known| known.feed));
            if feed.is_none() && !request.all && neighbours::resembles(datagram.bytes).is_none() {
                left_out += 1;
                return Ok(());
            }
            // What no feed claims stands beside what the same machine sent, as it does when it is recorded.
            let beside = feed.is_none().then(|| beside(&recordings, datagram)).flatten();
            let making = match recordings.entry(beside.or(feed)) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    entry.insert(Making::begin(feed, &named(feed, path, request), None, datagram)?)
                }
            };
            making.take(&Datagram { feed, ..*datagram })
        })?;
    }
    if left_out > 0 {
        writeln!(notes, "left out, being no known game's: {left_out} packets; --all keeps them")?;
    }
    if recordings.is_empty() {
        bail!("nothing to record: no packet of a known game is in what was given");
    }
    for making in recordings.into_values() {
        making.finish(&mut notes)?;
    }
    Ok(())
}

/// The feed whose recording has packets of the same machine.
fn beside(recordings: &BTreeMap<Option<Feed>, Making>, datagram: &Datagram<'_>) -> Option<Feed> {
    let same = |making: &Making| making.sender().ip() == datagram.sender.ip();
    recordings.iter().find(|(_, making)| same(making)).and_then(|(feed, _)| *feed)
}

/// The file that is asked for; else one that is named after the first file that holds the feed.
fn named(feed: Option<Feed>, from: &Path, request: &Import) -> PathBuf {
    let stem = from.file_stem().unwrap_or_default().to_string_lossy();
    let usual = || PathBuf::from(format!("{stem}_{}{ENDING}", feed.map_or(UNCLAIMED, Feed::id)));
    request.out.clone().unwrap_or_else(usual)
}
