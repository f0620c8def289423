//! Seeded random numbers: the same seed gives the same race on every machine and in the browser.

/// A stream of random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The stream of a place in the race, such as "car 3, lap 7, corner 5"; always the same for it.
    pub fn of(seed: u64, place: [u64; 4]) -> Self {
        Self(place.iter().fold(seed, |mixed, &part| mix(mixed ^ mix(part.wrapping_add(GOLDEN)))))
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }

    /// A uniform number in `0.0..1.0`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A uniform number between `low` and `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A bell-shaped number with mean 0 and standard deviation 1, never beyond 3.5: the sum of four uniform ones.
    pub fn bell(&mut self) -> f64 {
        let dice = self.unit() + self.unit() + self.unit() + self.unit();
        (dice - 2.0) * 3f64.sqrt()
    }
}

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence_of_splitmix64_comes_out() {
        // The algorithm authors' reference output for the seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!(
            [random.bits(), random.bits(), random.bits()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn a_place_has_its_own_chance() {
        let first = Random::of(1, [3, 7, 5, 0]).unit();
        assert_eq!(first, Random::of(1, [3, 7, 5, 0]).unit());
        for other in [[3, 7, 6, 0], [3, 8, 5, 0], [4, 7, 5, 0], [3, 7, 5, 1]] {
            assert_ne!(first, Random::of(1, other).unit());
        }
        assert_ne!(first, Random::of(2, [3, 7, 5, 0]).unit());
    }

    #[test]
    fn the_bell_is_centred_with_a_spread_of_one() {
        let mut random = Random::new(5);
        let drawn: Vec<f64> = (0..20_000).map(|_| random.bell()).collect();
        let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
        let spread = (drawn.iter().map(|x| x * x).sum::<f64>() / drawn.len() as f64).sqrt();
        assert!(mean.abs() < 0.03 && (spread - 1.0).abs() < 0.03, "{mean} {spread}");
        assert!(drawn.iter().all(|x| x.abs() < 3.5));
    }
}
