//! Notices two games that a repeater sends on from one address.

use crate::Rejected;

/// So many turns are no late packets any more.
const TURNS: u32 = 20;

/// Whose turn it is to send: the session's that is followed, or another one's.
#[derive(Debug, Default)]
pub(super) struct SecondGame {
    is_others_turn: bool,
    turns: u32,
}

impl SecondGame {
    /// Takes whether a packet is of another session than the one that is followed. The packet that makes it sure that
    /// there are two games is a reason to tell the driver.
    pub(super) fn take(
        &mut self,
        is_other: bool,
        game: &'static str,
        packet: &'static str,
    ) -> Result<(), Rejected> {
        if is_other == self.is_others_turn {
            return Ok(());
        }
        self.is_others_turn = is_other;
        self.turns = self.turns.saturating_add(1);
        if self.turns != TURNS {
            return Ok(());
        }
        Err(Rejected::Caution {
            game,
            packet,
            what: "two games send from one address, in turns, and only one of them is shown",
            advice: "let each send to Trailbrake itself",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_packets_are_no_second_game() {
        let mut second = SecondGame::default();
        let mut take = |is_other| second.take(is_other, "F1 25", "Motion");
        assert!((0..1000).all(|packet| take(matches!(packet, 500..520 | 530)).is_ok()));
        let sure = (0..100).filter(|packet| take(packet % 2 == 1).is_err()).count();
        assert_eq!(sure, 1);
    }
}
