//! Each machine's share of the disk. What runs on this machine may fill the disk; another machine may take as much as it
//! leaves free, and leaves some gigabytes. So nobody in the network fills the disk, and every driver has room.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;

use crate::disk::RESERVE;

/// What is free on the disk, in bytes.
pub(super) type Free = Box<dyn Fn() -> io::Result<u64> + Send>;

/// What each other machine has taken since the start.
pub(super) struct DiskShares {
    free: Free,
    is_here: fn(IpAddr) -> bool,
    machines: HashMap<IpAddr, Share>,
}

#[derive(Default)]
struct Share {
    is_here: bool,
    taken: u64,
    is_full: bool,
}

impl DiskShares {
    /// Nothing is taken yet. `is_here` decides which addresses are this machine's.
    pub(super) fn new(free: Free, is_here: fn(IpAddr) -> bool) -> Self {
        Self { free, is_here, machines: HashMap::new() }
    }

    /// A machine takes bytes.
    pub(super) fn take(&mut self, machine: IpAddr, bytes: u64) {
        let is_here = self.is_here;
        let new = || Share { is_here: is_here(machine), ..Share::default() };
        self.machines.entry(machine).or_insert_with(new).taken += bytes;
    }

    /// A machine's bytes are deleted.
    pub(super) fn give_back(&mut self, machine: IpAddr, bytes: u64) {
        if let Some(share) = self.machines.get_mut(&machine) {
            share.taken = share.taken.saturating_sub(bytes);
        }
    }

    /// The machines whose share has become full since the last call, and those that have room again.
    pub(super) fn changed(&mut self) -> Vec<(IpAddr, bool)> {
        self.machines.retain(|_, share| share.taken > 0 || share.is_full);
        let others = self.machines.iter_mut().filter(|(_, share)| !share.is_here);
        let mut others = others.peekable();
        if others.peek().is_none() {
            return Vec::new();
        }
        // Where the system does not say what is free, a full disk is noticed by writing.
        let Ok(free) = (self.free)() else { return Vec::new() };
        let changed = others.filter_map(|(machine, share)| {
            // A full share has room again once there is plenty, so that no recording is cut into many.
            let is_full = match share.is_full {
                false => share.taken > free || free < RESERVE,
                true => share.taken > free / 2 || free < 2 * RESERVE,
            };
            let has_changed = std::mem::replace(&mut share.is_full, is_full) != is_full;
            has_changed.then_some((*machine, is_full))
        });
        changed.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    const GIB: u64 = 1 << 30;
    const OTHER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 7));
    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn shares(free: &Arc<AtomicU64>) -> DiskShares {
        let free = Arc::clone(free);
        DiskShares::new(Box::new(move || Ok(free.load(Ordering::Relaxed))), |machine| machine == HERE)
    }

    #[test]
    fn another_machine_takes_no_more_than_it_leaves_and_this_one_what_it_wants() {
        let free = Arc::new(AtomicU64::new(100 * GIB));
        let mut shares = shares(&free);
        let mut take = |machine, bytes| {
            free.fetch_sub(bytes, Ordering::Relaxed);
            shares.take(machine, bytes);
            shares.changed()
        };
        assert_eq!(take(HERE, 60 * GIB), []);
        assert_eq!(take(OTHER, 20 * GIB), []);
        assert_eq!(take(OTHER, 1), [(OTHER, true)]);
        assert_eq!(take(HERE, 19 * GIB), [], "it is full already");
        free.store(40 * GIB, Ordering::Relaxed);
        assert_eq!(take(HERE, 0), [], "not yet plenty");
        free.store(50 * GIB, Ordering::Relaxed);
        assert_eq!(take(HERE, 0), [(OTHER, false)]);
    }

    #[test]
    fn some_gigabytes_stay_free_and_what_is_deleted_counts_no_more() {
        let free = Arc::new(AtomicU64::new(RESERVE - 1));
        let mut shares = shares(&free);
        shares.take(OTHER, 1);
        assert_eq!(shares.changed(), [(OTHER, true)]);
        free.store(4 * RESERVE, Ordering::Relaxed);
        shares.give_back(OTHER, 1);
        assert_eq!(shares.changed(), [(OTHER, false)]);
    }
}
