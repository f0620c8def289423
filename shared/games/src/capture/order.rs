//! Reads numbers in either byte order: a capture uses the order of the machine that took it.

/// A file's byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

impl Order {
    pub(super) fn u16(self, bytes: &[u8], at: usize) -> Option<u16> {
        let bytes = *bytes.get(at..)?.first_chunk()?;
        Some(match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        })
    }

    pub(super) fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        let bytes = *bytes.get(at..)?.first_chunk()?;
        Some(match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => u32::from_be_bytes(bytes),
        })
    }

    pub(super) fn i64(self, bytes: &[u8], at: usize) -> Option<i64> {
        let bytes = *bytes.get(at..)?.first_chunk()?;
        Some(match self {
            Self::Little => i64::from_le_bytes(bytes),
            Self::Big => i64::from_be_bytes(bytes),
        })
    }

    /// A 64-bit number as two halves, the upper one first in either order.
    pub(super) fn halves(self, bytes: &[u8], at: usize) -> Option<u64> {
        let (upper, lower) = (self.u32(bytes, at)?, self.u32(bytes, at.checked_add(4)?)?);
        Some(u64::from(upper) << 32 | u64::from(lower))
    }
}
