//! Where a capture file stops making sense, and how.

use thiserror::Error;

/// From here on the file cannot be read: what comes next is found only through what stood here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("at byte {offset}: {fault}")]
pub struct Damage {
    /// Where in the file.
    pub offset: u64,
    /// What is wrong there.
    pub fault: Fault,
}

/// What can be wrong with a capture file itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The file stops before a part of it does.
    #[error("the file ends within {part}, {has} of whose {wants} bytes are there")]
    Cut {
        /// The part.
        part: &'static str,
        /// Bytes that are there.
        has: usize,
        /// Bytes that it should have; when its length is itself cut off, of what tells the length.
        wants: usize,
    },
    /// A length that no capture program writes.
    #[error("a packet or block of {len} bytes, where none has more than {most}")]
    TooLong {
        /// The length that stands there.
        len: u32,
        /// The longest that is read.
        most: usize,
    },
    /// A block's length that cannot be one.
    #[error("a block of {len} bytes, which is no block's length")]
    BlockLength {
        /// The length that stands there.
        len: u32,
    },
    /// A block tells its length in front and behind, and differently.
    #[error("a block of {front} bytes that ends as one of {back}")]
    LengthsDiffer {
        /// The length in front.
        front: u32,
        /// The length behind.
        back: u32,
    },
    /// A section whose byte order is neither.
    #[error("a section header with no byte order mark")]
    NoByteOrder,
    /// A block too short for what it says or has to hold.
    #[error("{part} that is shorter than what it should hold")]
    Short {
        /// The block.
        part: &'static str,
    },
    /// A packet of an interface that the file does not describe.
    #[error("a packet of interface {id}, which the file does not describe")]
    NoInterface {
        /// The interface's number.
        id: u32,
    },
}
