//! Variable-length integers, and a reader of little-endian bytes that never reads past the end.

/// A 64-bit number takes at most this many bytes.
const LONGEST: u32 = 10;

/// Appends a number as LEB128: seven bits per byte, the lowest first; every byte but the last has its top bit set.
pub(crate) fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a signed number, zigzag-coded: 0, -1, 1, -2, 2 … become 0, 1, 2, 3, 4 …
pub(crate) fn put_signed(out: &mut Vec<u8>, number: i64) {
    put_number(out, ((number << 1) ^ (number >> 63)).cast_unsigned());
}

/// Reads bytes from the front. Each method returns `None` when too few are left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads a number written by [`put_number`]; `None` if it exceeds 64 bits.
    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for place in 0..LONGEST {
            let byte = self.u8()?;
            let bits = u64::from(byte & 0x7f);
            let shifted = bits.checked_shl(7 * place).filter(|shifted| shifted >> (7 * place) == bits)?;
            number |= shifted;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// Reads a number written by [`put_signed`].
    pub(crate) fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_short() {
        for (number, bytes) in [(0, &[0][..]), (127, &[0x7f]), (128, &[0x80, 1]), (16_667, &[0x9b, 0x82, 1])]
        {
            let mut out = Vec::new();
            put_number(&mut out, number);
            assert_eq!(out, bytes, "{number}");
        }
    }

    #[test]
    fn numbers_beyond_64_bits_are_none() {
        let mut bytes = vec![0xff; 9];
        bytes.push(1);
        assert_eq!(Bytes(&bytes).number(), Some(u64::MAX));
        bytes[9] = 2;
        assert_eq!(Bytes(&bytes).number(), None);
        assert_eq!(Bytes(&[0x80; 20]).number(), None);
    }

    proptest! {
        #[test]
        fn numbers_come_back(number: u64, signed: i64) {
            let mut out = Vec::new();
            put_number(&mut out, number);
            put_signed(&mut out, signed);
            let mut bytes = Bytes(&out);
            prop_assert_eq!((bytes.number(), bytes.signed()), (Some(number), Some(signed)));
            prop_assert!(bytes.0.is_empty());
        }
    }
}
