//! A simulated network between sender and receiver.

use trailbrake_shared::sim::random::Random;

/// The order in which datagrams arrive. A bad network loses, duplicates and reorders them.
pub(crate) fn arrivals(sent: usize, bad: bool) -> impl Iterator<Item = usize> {
    let mut chance = Random::new(99);
    let mut arriving: Vec<(usize, usize)> = Vec::new();
    for place in 0..sent {
        let mut late = || place + if bad { (chance.unit() * 4.0) as usize } else { 0 };
        let (first, second) = (late(), late());
        if !bad || chance.unit() >= 0.05 {
            arriving.push((first, place));
        }
        if bad && chance.unit() < 0.05 {
            arriving.push((second, place));
        }
    }
    arriving.sort_unstable();
    arriving.into_iter().map(|(_, place)| place)
}
