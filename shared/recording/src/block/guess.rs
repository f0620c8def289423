//! What the values of a word are expected to be, from those before.

use super::width::Width;

/// What a value is expected to be, from the three before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guess {
    /// The same value.
    Same,
    /// The same change.
    Slope,
    /// The same change of the change.
    Bend,
}

impl Guess {
    /// Every guess, ordered by code.
    pub(super) const ALL: [Self; 3] = [Self::Same, Self::Slope, Self::Bend];

    /// The guess after some values, the latest first.
    pub(super) fn after(self, [a, b, c]: [u32; 3]) -> u32 {
        match self {
            Self::Same => a,
            Self::Slope => a.wrapping_mul(2).wrapping_sub(b),
            Self::Bend => a.wrapping_sub(b).wrapping_mul(3).wrapping_add(c),
        }
    }
}

/// The differences of values from the guess for them.
pub(super) fn differences(
    width: Width,
    guess: Guess,
    first: u32,
    values: &[u32],
) -> impl Iterator<Item = u32> {
    let mut past = [first; 3];
    values.iter().map(move |value| {
        let difference = width.difference(*value, guess.after(past));
        let [a, b, _] = past;
        past = [*value, a, b];
        difference
    })
}
