//! Pseudo-random bytes, the same in every run.

/// An xorshift generator.
pub(crate) struct Noise(u64);

impl Noise {
    /// A generator whose bytes follow from a seed, which must not be zero.
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
