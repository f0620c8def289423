//! The versions of a protocol.

/// Most versions of one protocol.
pub const MOST_VERSIONS: usize = 32;

/// The number of bytes in each version.
pub type Sizes = [usize; MOST_VERSIONS];

/// The versions of a protocol, the oldest first: years, or whatever the protocol counts.
#[derive(Clone, Copy, Debug)]
pub struct Versions(pub &'static [u16]);

/// The versions of a protocol that has only one.
pub const ONE_VERSION: Versions = Versions(&[1]);
/// The version of a protocol that has only one.
pub const ONLY_VERSION: Version = ONE_VERSION.at(0);

/// A version of a protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    number: u16,
    place: usize,
    is_big_endian: bool,
}

impl Versions {
    /// How many there are.
    #[expect(clippy::len_without_is_empty, reason = "a protocol has a version")]
    pub const fn len(self) -> usize {
        self.0.len()
    }

    /// The version at a place. Only places below [`len`](Self::len) have one.
    #[expect(
        clippy::indexing_slicing,
        reason = "used where the compiler evaluates it, and a bad place does not build"
    )]
    pub const fn at(self, place: usize) -> Version {
        Version { number: self.0[place], place, is_big_endian: false }
    }

    /// The version with a number.
    pub fn find(self, number: u16) -> Option<Version> {
        self.0.iter().position(|other| *other == number).map(|place| self.at(place))
    }
}

impl Version {
    /// The year, or the number that the protocol gives it.
    #[inline]
    pub const fn number(self) -> u16 {
        self.number
    }

    /// Whether it has a record of these sizes.
    #[expect(
        clippy::indexing_slicing,
        reason = "used where the compiler evaluates it, and a bad place does not build"
    )]
    pub const fn is_in(self, sizes: &[usize]) -> bool {
        // A size that is written once is that of every version.
        sizes[if sizes.len() == 1 { 0 } else { self.place }] > 0
    }

    /// The place of the first version that is read alike.
    #[inline(always)]
    pub fn first_alike(self, alike: &Alike) -> usize {
        alike.get(self.place).map_or(self.place, |first| usize::from(*first))
    }

    /// The same version, with numbers in the other byte order.
    pub const fn in_big_endian(self) -> Self {
        Self { is_big_endian: true, ..self }
    }

    /// Whether numbers that are sent in either byte order begin with their greatest byte.
    #[inline(always)]
    pub const fn is_big_endian(self) -> bool {
        self.is_big_endian
    }

    /// Its size.
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "the place is checked")]
    pub const fn of(self, sizes: &Sizes) -> usize {
        if self.place < sizes.len() { sizes[self.place] } else { 0 }
    }
}

/// These numbers, one for each of the first versions.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, where a bad index does not build")]
pub const fn sizes_of<const N: usize>(of_first: [usize; N]) -> Sizes {
    let (mut sizes, mut place) = ([0; MOST_VERSIONS], 0);
    while place < N {
        sizes[place] = of_first[place];
        place += 1;
    }
    sizes
}

/// For each version the first one that is read alike: the place of it.
pub type Alike = [u8; MOST_VERSIONS];

/// Finds versions that are read alike: they have the same rows, and these are read alike.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, where a bad index does not build")]
pub const fn alike(rows: [u128; MOST_VERSIONS], forms: &[Alike]) -> Alike {
    let mut found = [0; MOST_VERSIONS];
    let mut place = 0;
    while place < MOST_VERSIONS {
        let mut other = 0;
        while other < place {
            let mut same = rows[other] == rows[place];
            let mut form = 0;
            while form < forms.len() {
                same &= forms[form][other] == forms[form][place];
                form += 1;
            }
            if same {
                break;
            }
            other += 1;
        }
        found[place] = other as u8;
        place += 1;
    }
    found
}

/// The rows of all versions with those of one more.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, where a bad index does not build")]
pub const fn rows_with(
    mut rows: [u128; MOST_VERSIONS],
    version: Version,
    row: u128,
) -> [u128; MOST_VERSIONS] {
    rows[version.place] = row;
    rows
}

/// The sizes with that of one more version.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, where a bad index does not build")]
pub const fn sizes_with(mut sizes: Sizes, version: Version, size: usize) -> Sizes {
    sizes[version.place] = size;
    sizes
}

/// Checks that a table has these sizes: one for each version, or one for all of them.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, where a bad index does not build")]
pub const fn check_sizes(versions: Versions, sizes: &Sizes, expected: &[usize]) {
    let is_one = expected.len() == 1;
    assert!(is_one || expected.len() == versions.len(), "a size for each version");
    let mut place = 0;
    while place < versions.len() {
        let expected = expected[if is_one { 0 } else { place }];
        assert!(sizes[place] == expected, "the rows have another size than the table says");
        place += 1;
    }
}

/// The sizes of as many in a row as each version has.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, where a bad index does not build")]
pub const fn sizes_product(mut sizes: Sizes, counts: Sizes) -> Sizes {
    let mut place = 0;
    while place < MOST_VERSIONS {
        sizes[place] *= counts[place];
        place += 1;
    }
    sizes
}

/// The sizes of so many in a row.
pub const fn sizes_times(sizes: Sizes, count: usize) -> Sizes {
    sizes_product(sizes, [count; MOST_VERSIONS])
}

/// The sizes with that of the first version in the places behind the last one, where there is none.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, where a bad index does not build")]
pub const fn sizes_filled(mut sizes: Sizes, versions: Versions) -> Sizes {
    let mut place = versions.len();
    while place < MOST_VERSIONS {
        sizes[place] = sizes[0];
        place += 1;
    }
    sizes
}

/// The size, if it is the same in every version.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, where a bad index does not build")]
pub const fn same(sizes: &Sizes) -> Option<usize> {
    let mut place = 1;
    while place < MOST_VERSIONS {
        if sizes[place] != sizes[0] {
            return None;
        }
        place += 1;
    }
    Some(sizes[0])
}
