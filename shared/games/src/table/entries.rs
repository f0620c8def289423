//! Entries, such as one for each car, which are read one by one.

use core::marker::PhantomData;

use super::{Alike, MOST_VERSIONS, Sent, Sizes, Table, Version, describe_list, sizes_product};
use crate::Value;

/// The number of entries of an array in each version.
pub trait Count {
    /// The numbers.
    const COUNTS: Sizes;
}

/// The same number in every version.
#[derive(Clone, Copy, Debug)]
pub struct Always<const N: usize>;

impl<const N: usize> Count for Always<N> {
    const COUNTS: Sizes = [N; MOST_VERSIONS];
}

/// The form of an array of `N` records, of which not all are in use.
pub type Slots<T, const N: usize> = SlotsBy<T, Always<N>>;

/// The form of such an array whose length depends on the version.
#[derive(Clone, Copy, Debug)]
pub struct SlotsBy<T, C>(PhantomData<(T, C)>);

/// The form of entries that fill the rest of a packet.
#[derive(Clone, Copy, Debug)]
pub struct Rest<F>(PhantomData<F>);

/// Entries as sent, or made to be sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Entries<'a, F: Sent<'a>> {
    /// As sent.
    Sent {
        /// The bytes of all entries.
        bytes: &'a [u8],
        /// The protocol's version.
        version: Version,
    },
    /// Made. Those behind them are sent as zeros.
    Made(Vec<F::Value>),
}

impl<'a, F: Sent<'a>> Default for Entries<'a, F> {
    fn default() -> Self {
        Self::Made(Vec::new())
    }
}

/// An entry that was sent and is not read yet: of most entries only some rows are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a, F> {
    bytes: &'a [u8],
    version: Version,
    of: PhantomData<F>,
}

impl<'a, F: Sent<'a>> Entry<'a, F> {
    /// Reads it.
    #[inline(always)]
    pub fn read(&self) -> F::Value {
        F::read_inline(self.bytes, &mut 0, self.version)
    }

    /// Its bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

impl<'a, F: Sent<'a>> Entries<'a, F> {
    /// The entries that were sent, in their places.
    #[inline]
    pub fn all(&self) -> impl Iterator<Item = Entry<'a, F>> + use<'a, F> {
        let (bytes, version): (&'a [u8], _) = match self {
            Self::Sent { bytes, version } => (bytes, Some(*version)),
            Self::Made(_) => (&[], None),
        };
        let size = F::FIXED.or(version.map(|version| version.of(&F::SIZES))).unwrap_or(1).max(1);
        let entry = move |bytes| version.map(|version| Entry { bytes, version, of: PhantomData });
        bytes.chunks_exact(size).filter_map(entry)
    }

    /// The entries that were sent, in their places. `None` is one in which every byte is zero: the place is not in use, or
    /// its car was left out of a clip.
    #[inline]
    pub fn used(&self) -> impl Iterator<Item = Option<Entry<'a, F>>> + use<'a, F> {
        self.all().map(|entry| Some(entry).filter(|entry| !is_empty(entry.bytes)))
    }

    /// Whether there is an entry at a place, and any byte of it is not zero.
    pub fn is_used(&self, place: usize) -> bool {
        self.used().nth(place).flatten().is_some()
    }

    /// The entry at a place; `None` if there is none, or every byte of it is zero.
    pub fn get(&self, place: usize) -> Option<F::Value> {
        self.used().nth(place).flatten().map(|entry| entry.read())
    }
}

/// Looks at the entries of an array.
pub trait Visitor<T> {
    /// Looks at the entry at a place. It is not in use if every byte of it is zero.
    fn visit<const LAYOUT: usize>(&mut self, place: usize, is_used: bool, entry: LaidOut<'_, T, LAYOUT>);
}

/// An entry of a layout that the compiler knows.
#[derive(Clone, Copy, Debug)]
pub struct LaidOut<'a, T, const LAYOUT: usize> {
    bytes: &'a [u8],
    of: PhantomData<T>,
}

impl<'a, T: Sent<'a, Value = T> + Table, const LAYOUT: usize> LaidOut<'a, T, LAYOUT> {
    /// Reads it.
    #[inline(always)]
    pub fn read(&self) -> T {
        T::read_inline(self.bytes, &mut 0, self.version())
    }

    /// Its bytes.
    #[inline(always)]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The first version with this layout.
    #[inline(always)]
    pub fn version(&self) -> Version {
        const { T::VERSIONS.at(if LAYOUT < T::VERSIONS.len() { LAYOUT } else { 0 }) }
    }
}

impl<'a, T: Sent<'a, Value = T> + Table> Entries<'a, T> {
    /// Shows all entries that were sent to a visitor, in their places. The code that reads them is made for each layout.
    pub fn show(&self, visitor: &mut impl Visitor<T>) {
        let Self::Sent { bytes, version } = self else { return };
        macro_rules! layouts {
            ($($place:literal)*) => {
                match version.first_alike(&T::ALIKE) {
                    $($place => show_layout::<T, $place>(bytes, visitor),)*
                    _ => {}
                }
            };
        }
        layouts! { 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 }
    }
}

/// Shows the entries of one layout.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, where a bad index does not build")]
fn show_layout<'a, T: Sent<'a, Value = T> + Table, const LAYOUT: usize>(
    bytes: &'a [u8],
    visitor: &mut impl Visitor<T>,
) {
    if const { LAYOUT < T::VERSIONS.len() && T::ALIKE[LAYOUT] as usize == LAYOUT && T::SIZES[LAYOUT] > 0 } {
        let size = const { T::SIZES[LAYOUT] };
        for (place, bytes) in bytes.chunks_exact(size).enumerate() {
            visitor.visit(place, !is_empty(bytes), LaidOut::<'_, T, LAYOUT> { bytes, of: PhantomData });
        }
    }
}

/// Whether there is nothing but zeros.
#[inline]
fn is_empty(bytes: &[u8]) -> bool {
    // The first byte of most entries is not zero.
    bytes.first() == Some(&0) && bytes.iter().all(|byte| *byte == 0)
}

impl<'a, T: Sent<'a>, C: Count> Sent<'a> for SlotsBy<T, C> {
    type Value = Entries<'a, T>;
    const SIZES: Sizes = sizes_product(T::SIZES, C::COUNTS);
    const ALIKE: Alike = T::ALIKE;

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
            Entries::Made(made) => {
                made.iter().take(version.of(&C::COUNTS)).for_each(|one| T::write(one, version, out));
            }
        }
        out.resize(end, 0);
    }

    fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value {
        describe_list(version.of(&C::COUNTS), T::describe, bytes, at, version)
    }
}

impl<'a, F: Sent<'a>> Sent<'a> for Rest<F> {
    type Value = Entries<'a, F>;
    const SIZES: Sizes = [0; MOST_VERSIONS];
    const VARIES: bool = true;

    #[inline]
    fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> Entries<'a, F> {
        let bytes = bytes.get(*at..).unwrap_or_default();
        *at += bytes.len();
        Entries::Sent { bytes, version }
    }

    fn write(value: &Entries<'a, F>, version: Version, out: &mut Vec<u8>) {
        match value {
            Entries::Sent { bytes, .. } => out.extend_from_slice(bytes),
            Entries::Made(made) => made.iter().for_each(|one| F::write(one, version, out)),
        }
    }

    fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value {
        let rest = bytes.len().saturating_sub(*at);
        describe_list(rest / version.of(&F::SIZES).max(1), F::describe, bytes, at, version)
    }
}

/// The form of entries behind their number, which is sent in one byte.
#[derive(Clone, Copy, Debug)]
pub struct Counted<F>(PhantomData<F>);

impl<'a, F: Sent<'a>> Sent<'a> for Counted<F> {
    type Value = Vec<F::Value>;
    const SIZES: Sizes = [1; MOST_VERSIONS];
    const VARIES: bool = true;

    fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> Self::Value {
        (0..u8::read(bytes, at, version)).map(|_| F::read(bytes, at, version)).collect()
    }

    fn write(value: &Self::Value, version: Version, out: &mut Vec<u8>) {
        let entries = value.iter().take(usize::from(u8::MAX));
        out.push(entries.len() as u8);
        entries.for_each(|entry| F::write(entry, version, out));
    }

    fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value {
        let count = u8::read(bytes, at, version).into();
        describe_list(count, F::describe, bytes, at, version)
    }
}
