//! `trailbrake import`: makes recordings of captures, of bare packets, and of other recordings.

mod making;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use trailbrake_shared::feed::{self, Feed};
use trailbrake_shared::wire::Datagram;

use crate::file;
use crate::options::Import;
pub(crate) use making::Making;

/// Writes a recording for each feed that the files hold, and says to `notes` what and where.
pub fn run(request: &Import, mut notes: impl Write) -> anyhow::Result<()> {
    let mut recordings: BTreeMap<Feed, Making> = BTreeMap::new();
    let mut unclaimed = 0_u64;
    for path in &request.files {
        let packets = file::open(path, &request.cutting)?;
        packets.datagrams(&mut notes, &mut |datagram| {
            let feed = datagram.feed.or_else(|| feed::recognise(datagram.bytes).ok().map(|known| known.feed));
            let Some(feed) = feed else {
                unclaimed += 1;
                return Ok(());
            };
            let making = match recordings.entry(feed) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    entry.insert(Making::begin(feed, &named(feed, path, request), None, datagram.at)?)
                }
            };
            making.take(&Datagram { feed: Some(feed), ..*datagram })
        })?;
    }
    if unclaimed > 0 {
        writeln!(notes, "left out, being no known game's: {unclaimed} packets")?;
    }
    if recordings.is_empty() {
        bail!("nothing to record: no packet of a known game is in what was given");
    }
    for making in recordings.into_values() {
        making.finish(&mut notes)?;
    }
    Ok(())
}

/// The file that is asked for; else one that is named after the first file that holds the feed.
fn named(feed: Feed, from: &Path, request: &Import) -> PathBuf {
    let stem = from.file_stem().unwrap_or_default().to_string_lossy();
    let usual = || PathBuf::from(format!("{stem}_{}.trailbrake.mcap", feed.id()));
    request.out.clone().unwrap_or_else(usual)
}
