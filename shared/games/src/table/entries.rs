//! The entries of an array, one for each car, which are read one by one.

use core::marker::PhantomData;

use super::{Sent, Sizes, Version, sizes_times};
use crate::Value;

/// The form of an array of `N` records, of which not all are in use.
#[derive(Clone, Copy, Debug)]
pub struct Slots<T, const N: usize>(PhantomData<T>);

/// The entries of such an array: as sent, or made to be sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Entries<'a, T> {
    /// As sent.
    Sent {
        /// The bytes of all entries.
        bytes: &'a [u8],
        /// The protocol's version.
        version: Version,
    },
    /// Made. Those behind them are sent as zeros.
    Made(Vec<T>),
}

impl<T> Default for Entries<'_, T> {
    fn default() -> Self {
        Self::Made(Vec::new())
    }
}

/// An entry that was sent and is not read yet: of most entries only some rows are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a, T> {
    bytes: &'a [u8],
    version: Version,
    of: PhantomData<T>,
}

impl<'a, T: Sent<'a, Value = T>> Entry<'a, T> {
    /// Reads it.
    #[inline(always)]
    pub fn read(&self) -> T {
        T::read(self.bytes, &mut 0, self.version)
    }
}

impl<'a, T: Sent<'a, Value = T>> Entries<'a, T> {
    /// The entries that were sent, in their places.
    #[inline]
    pub fn all(&self) -> impl Iterator<Item = Entry<'a, T>> + use<'a, T> {
        let (bytes, version): (&'a [u8], _) = match self {
            Self::Sent { bytes, version } => (bytes, Some(*version)),
            Self::Made(_) => (&[], None),
        };
        let size = version.map_or(1, |version| version.of(&T::SIZES)).max(1);
        let entry = move |bytes| version.map(|version| Entry { bytes, version, of: PhantomData });
        bytes.chunks_exact(size).filter_map(entry)
    }

    /// The entries that were sent, in their places. `None` is one in which every byte is zero: the place is not in use, or
    /// its car was left out of a clip.
    #[inline]
    pub fn used(&self) -> impl Iterator<Item = Option<Entry<'a, T>>> + use<'a, T> {
        self.all().map(|entry| Some(entry).filter(|entry| !is_empty(entry.bytes)))
    }

    /// The entry at a place; `None` if there is none, or every byte of it is zero.
    pub fn get(&self, place: usize) -> Option<T> {
        self.used().nth(place).flatten().map(|entry| entry.read())
    }
}

/// Whether there is nothing but zeros.
#[inline]
fn is_empty(bytes: &[u8]) -> bool {
    // The first byte of most entries is not zero.
    bytes.first() == Some(&0) && bytes.iter().all(|byte| *byte == 0)
}

impl<'a, T: Sent<'a, Value = T>, const N: usize> Sent<'a> for Slots<T, N> {
    type Value = Entries<'a, T>;
    const SIZES: Sizes = sizes_times(T::SIZES, N);

    #[inline]
    fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> Entries<'a, T> {
        let begin = *at;
        *at += version.of(&Self::SIZES);
        Entries::Sent { bytes: bytes.get(begin..*at).unwrap_or_default(), version }
    }

    fn write(value: &Entries<'a, T>, version: Version, out: &mut Vec<u8>) {
        let end = out.len() + version.of(&Self::SIZES);
        match value {
            Entries::Sent { bytes, .. } => out.extend_from_slice(bytes),
            Entries::Made(made) => made.iter().take(N).for_each(|one| T::write(one, version, out)),
        }
        out.resize(end, 0);
    }

    fn describe(bytes: &'a [u8], at: &mut usize, version: Version) -> Value {
        Value::List((0..N).map(|_| T::describe(bytes, at, version)).collect())
    }
}
