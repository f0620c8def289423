//! Checks lap numbers and the player's index, as any single packet may contain anything.

use super::layout::MOST_CARS;

/// A lap whose clock is below this has just begun, seconds.
const BEGUN_S: f32 = 1.0;
/// Another player is accepted after this many packets.
const PLAYER_PACKETS: u32 = 3;

/// The lap number of each car.
#[derive(Debug, Default)]
pub(super) struct LapNumbers([LapNumber; MOST_CARS]);

#[derive(Clone, Copy, Debug, Default)]
struct LapNumber {
    known: Option<u8>,
    /// Another number that one packet had.
    doubtful: Option<u8>,
}

impl LapNumbers {
    /// Whether a car's lap number is to be believed: it is the same as before, the next one at the start of a lap, or
    /// another one for the second time.
    pub(super) fn accept(&mut self, car: usize, number: u8, clock_s: f32) -> bool {
        let Some(lap) = self.0.get_mut(car) else { return false };
        let before = lap.doubtful.replace(number);
        let is_next = lap.known.and_then(|known| known.checked_add(1)) == Some(number);
        let accepted = lap.known.is_none_or(|known| known == number)
            || is_next && (0.0..BEGUN_S).contains(&clock_s)
            || before == Some(number);
        if accepted {
            *lap = LapNumber { known: Some(number), doubtful: None };
        }
        accepted
    }
}

/// The player's index in the packets.
#[derive(Debug, Default)]
pub(super) struct PlayerIndex {
    known: Option<u8>,
    /// Another index, and the number of consecutive packets with it.
    other: Option<(u8, u32)>,
}

impl PlayerIndex {
    /// The player's index, given the next packet's.
    pub(super) fn next(&mut self, index: u8) -> u8 {
        let known = *self.known.get_or_insert(index);
        if index == known {
            self.other = None;
            return known;
        }
        let packets = self.other.filter(|(other, _)| *other == index).map_or(1, |(_, packets)| packets + 1);
        self.other = Some((index, packets)).filter(|_| packets < PLAYER_PACKETS);
        if self.other.is_none() {
            self.known = Some(index);
        }
        self.known.unwrap_or(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lap_number_counts_on_at_the_line_and_jumps_with_the_second_packet() {
        let check = |packets: &[(u8, f32)], expected: &str| {
            let mut numbers = LapNumbers::default();
            let accepted = packets.iter().map(|&(number, clock)| numbers.accept(3, number, clock));
            let seen: String = accepted.map(|accepted| if accepted { '.' } else { '?' }).collect();
            assert_eq!(seen, expected, "{packets:?}");
        };
        check(&[(5, 30.0), (5, 30.1), (6, 0.02), (6, 0.1)], "....");
        check(&[(5, 30.0), (200, 30.1), (5, 30.2), (200, 30.3), (5, 30.4)], ".?.?.");
        check(&[(5, 30.0), (1, 30.1), (5, 30.2)], ".?.");
        check(&[(5, 30.0), (6, 30.1), (5, 30.2)], ".?.");
        check(&[(5, 30.0), (9, 40.0), (9, 40.1), (3, 2.0), (3, 2.1)], ".?.?.");
        check(&[(255, 30.0), (0, 0.0), (0, 0.1)], ".?.");
    }

    #[test]
    fn another_player_is_accepted_with_the_third_packet() {
        let mut index = PlayerIndex::default();
        let seen = [4, 4, 7, 4, 7, 7, 4, 7, 7, 7, 7, 19, 4].map(|sent| index.next(sent));
        assert_eq!(seen, [4, 4, 4, 4, 4, 4, 4, 4, 4, 7, 7, 7, 7]);
    }
}
