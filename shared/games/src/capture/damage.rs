//! Damage in a capture file: where and what.

use thiserror::Error;

/// The file can't be read from here on, since each part is found only through the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("at byte {offset}: {fault}")]
pub struct Damage {
    /// The offset in the file.
    pub offset: u64,
    /// What is wrong.
    pub fault: Fault,
}

/// What can be wrong with a capture file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The file ends in the middle of a part.
    #[error("the file ends within {part}, {has} of whose {wants} bytes are there")]
    Cut {
        /// The part.
        part: &'static str,
        /// Bytes found.
        has: usize,
        /// Bytes expected; if the length field itself is cut off, those up to and including it.
        wants: usize,
    },
    /// A length that no capture program writes.
    #[error("a packet or block of {len} bytes, where none has more than {most}")]
    TooLong {
        /// The length found.
        len: u32,
        /// The longest that is read.
        most: usize,
    },
    /// An impossible block length.
    #[error("a block of {len} bytes, which is no block's length")]
    BlockLength {
        /// The length found.
        len: u32,
    },
    /// The two length fields of a block differ.
    #[error("a block of {front} bytes that ends as one of {back}")]
    LengthsDiffer {
        /// The length at the start.
        front: u32,
        /// The length at the end.
        back: u32,
    },
    /// A section without a valid byte order mark.
    #[error("a section header with no byte order mark")]
    NoByteOrder,
    /// A block too short for its content.
    #[error("{part} that is shorter than what it should hold")]
    Short {
        /// The block.
        part: &'static str,
    },
    /// A packet of an undeclared interface.
    #[error("a packet of interface {id}, which the file does not describe")]
    NoInterface {
        /// The interface's number.
        id: u32,
    },
}
