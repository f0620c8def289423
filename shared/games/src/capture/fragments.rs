//! Reassembles fragmented datagrams.
//!
//! Memory is bounded, in the number of datagrams and in time. Overlapping fragments must agree, since it is unknown
//! which of them the game's receiver would have kept.

use std::collections::HashMap;
use std::net::IpAddr;

use trailbrake_model::time::Micros;

use super::ip::Piece;
use super::packet::{Packet, SkipReason};

/// The most incomplete datagrams at once.
pub(super) const MOST: usize = 256;
/// A fragment that arrives this many seconds later belongs to another datagram: operating systems wait 30 s.
const PATIENCE: f64 = 30.0;
/// The longest datagram in IP.
const LONGEST: usize = 65_535;

/// What the fragments of one datagram have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) interface: u32,
    pub(super) device: u32,
    pub(super) source: IpAddr,
    pub(super) destination: IpAddr,
    pub(super) protocol: u8,
    pub(super) whole: u32,
}

/// The incomplete datagrams.
#[derive(Default)]
pub(super) struct Fragments {
    open: HashMap<Key, PartialDatagram>,
}

/// A datagram with fragments missing.
struct PartialDatagram {
    /// Offset of the first fragment in the file.
    offset: u64,
    /// Time of the latest fragment.
    at: Option<Micros>,
    bytes: Vec<u8>,
    /// Received byte ranges (from, to): sorted and disjoint.
    came: Vec<(usize, usize)>,
    /// The length, known once the last fragment is received.
    end: Option<usize>,
    /// Whether it is contradictory and has been reported as such.
    spoilt: bool,
}

/// A reassembled datagram.
pub(super) struct Complete {
    pub(super) offset: u64,
    pub(super) bytes: Vec<u8>,
}

/// A datagram that was given up.
pub(super) struct Incomplete {
    pub(super) offset: u64,
    pub(super) at: Option<Micros>,
    pub(super) why: SkipReason,
}

impl Incomplete {
    /// The skipped packet that stands for it.
    pub(super) fn packet(self) -> Packet {
        Packet { offset: self.offset, at: self.at, content: Err(self.why) }
    }
}

impl Fragments {
    /// Adds a fragment. Returns the datagram if this completes it.
    pub(super) fn add(
        &mut self,
        key: Key,
        piece: Piece,
        bytes: &[u8],
        (offset, at): (u64, Option<Micros>),
        given_up: &mut Vec<Incomplete>,
    ) -> Option<Complete> {
        self.expire(at, given_up);
        if !self.open.contains_key(&key) && self.open.len() >= MOST {
            self.give_up_oldest(given_up);
        }
        let whole = self.open.entry(key).or_insert_with(|| PartialDatagram::new(offset));
        whole.at = at;
        if whole.spoilt {
            return None;
        }
        if whole.put(piece, bytes).is_none() {
            whole.spoilt = true;
            given_up.push(Incomplete { offset: whole.offset, at, why: SkipReason::Contradictory });
            return None;
        }
        if !whole.complete() {
            return None;
        }
        let PartialDatagram { offset, bytes, .. } = self.open.remove(&key)?;
        Some(Complete { offset, bytes })
    }

    /// Gives up all incomplete datagrams at the end of the file.
    pub(super) fn finish(&mut self, given_up: &mut Vec<Incomplete>) {
        self.give_up(|_| true, given_up);
    }

    /// Gives up datagrams that waited too long.
    fn expire(&mut self, now: Option<Micros>, given_up: &mut Vec<Incomplete>) {
        let Some(now) = now else { return };
        self.give_up(|whole| whole.at.is_some_and(|at| now.seconds_since(at) > PATIENCE), given_up);
    }

    /// Gives up the chosen datagrams, in file order.
    fn give_up(&mut self, which: impl Fn(&PartialDatagram) -> bool, given_up: &mut Vec<Incomplete>) {
        let begin = given_up.len();
        let gone = self.open.extract_if(|_, whole| which(whole));
        given_up.extend(gone.filter_map(|(_, whole)| whole.given_up()));
        if let Some(new) = given_up.get_mut(begin..) {
            new.sort_by_key(|one| one.offset);
        }
    }

    fn give_up_oldest(&mut self, given_up: &mut Vec<Incomplete>) {
        let oldest = self.open.iter().min_by_key(|(_, whole)| whole.offset).map(|(key, _)| *key);
        let Some(whole) = oldest.and_then(|key| self.open.remove(&key)) else { return };
        if !whole.spoilt {
            let why = SkipReason::Crowded { most: MOST };
            given_up.push(Incomplete { offset: whole.offset, at: whole.at, why });
        }
    }
}

impl PartialDatagram {
    fn new(offset: u64) -> Self {
        Self { offset, at: None, bytes: Vec::new(), came: Vec::new(), end: None, spoilt: false }
    }

    /// Adds a fragment; `None` if it contradicts the others.
    fn put(&mut self, piece: Piece, piece_bytes: &[u8]) -> Option<()> {
        let (begin, end) = (piece.begin, piece.begin + piece_bytes.len());
        // Fragment offsets are in units of eight bytes.
        let uneven = !piece.last && !piece_bytes.len().is_multiple_of(8);
        let beyond = self.end.is_some_and(|last| end > last);
        let ends_twice = piece.last && (self.end.is_some_and(|last| end != last) || end < self.bytes.len());
        if uneven || beyond || ends_twice || end > LONGEST {
            return None;
        }
        if piece.last {
            self.end = Some(end);
        }
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        // Merge with the received ranges that this one overlaps or touches.
        let first = self.came.partition_point(|(_, to)| *to < begin);
        let behind = self.came.partition_point(|(from, _)| *from <= end);
        let mut stretch = (begin, end);
        for (from, to) in self.came.drain(first..behind) {
            let (from_both, to_both) = (from.max(begin), to.min(end));
            if from_both < to_both {
                let had = self.bytes.get(from_both..to_both)?;
                let has = piece_bytes.get(from_both - begin..to_both - begin)?;
                if had != has {
                    return None;
                }
            }
            stretch = (stretch.0.min(from), stretch.1.max(to));
        }
        self.came.insert(first, stretch);
        self.bytes.get_mut(begin..end)?.copy_from_slice(piece_bytes);
        Some(())
    }

    fn complete(&self) -> bool {
        self.end.is_some_and(|end| self.came == [(0, end)])
    }

    fn given_up(self) -> Option<Incomplete> {
        let has = self.came.iter().map(|(from, to)| to - from).sum();
        let why = SkipReason::Incomplete { has, wants: self.end };
        (!self.spoilt).then_some(Incomplete { offset: self.offset, at: self.at, why })
    }
}
