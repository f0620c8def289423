//! Bytes without sense, the same in every run.

/// A generator of the xorshift kind.
pub(crate) struct Noise(u64);

impl Noise {
    /// One whose bytes follow from a seed, which must not be zero.
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut byte = || {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 32) as u8
        };
        (0..len).map(|_| byte()).collect()
    }
}
