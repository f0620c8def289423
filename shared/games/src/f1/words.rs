//! Words for the numbers of channels that enumerate choices.

use trailbrake_model::Channel;

use super::names::{self, name};

/// The word for a channel's number, if there is one. Classic cars have only two kinds of tyres.
pub fn word(channel: Channel, number: i32, classic: bool) -> Option<String> {
    if channel == Channel::Buttons {
        return Some(buttons(number.cast_unsigned()));
    }
    if channel == Channel::UdpActions {
        let bound = (0..12).filter(|action| number & (1 << action) != 0);
        let bound: Vec<String> = bound.map(|action| (action + 1).to_string()).collect();
        return Some(if bound.is_empty() { "none".to_owned() } else { bound.join(" + ") });
    }
    let table = match channel {
        Channel::TyreCompound if number >= 9 => names::SHOWN_COMPOUNDS,
        Channel::TyreCompound if classic => names::CLASSIC_COMPOUNDS,
        Channel::TyreCompound => names::COMPOUNDS,
        Channel::TyreCompoundOfSeason => names::COMPOUNDS_OF_SEASON,
        Channel::FuelMix => names::FUEL_MIXES,
        Channel::ErsMode => names::ERS_MODES,
        Channel::TractionControl => names::TRACTION_CONTROL,
        _ => return None,
    };
    name(table, u8::try_from(number).ok()?).map(str::to_owned)
}

/// The names of the pressed buttons.
fn buttons(mask: u32) -> String {
    let pressed = names::BUTTONS.iter().filter(|(bit, _)| mask & bit != 0).map(|(_, name)| *name);
    let pressed: Vec<&str> = pressed.collect();
    if pressed.is_empty() { "none".to_owned() } else { pressed.join(" + ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_words_of_the_game() {
        let check = |channel, number, classic, expected: Option<&str>| {
            assert_eq!(word(channel, number, classic).as_deref(), expected);
        };
        check(Channel::TyreCompound, 0, false, Some("Hyper soft"));
        check(Channel::TyreCompound, 8, false, Some("Wet"));
        check(Channel::TyreCompound, 0, true, Some("Dry"));
        check(Channel::TyreCompound, 7, true, Some("Wet"));
        check(Channel::TyreCompound, 16, false, Some("Soft"));
        check(Channel::TyreCompound, 15, true, Some("Wet"));
        check(Channel::TyreCompound, 23, false, None);
        check(Channel::TyreCompoundOfSeason, 17, false, Some("C4"));
        check(Channel::UdpActions, 0b101, false, Some("1 + 3"));
        check(Channel::UdpActions, 0, false, Some("none"));
        check(Channel::FuelMix, 3, false, Some("Maximum"));
        check(Channel::ErsMode, 4, false, Some("Overtake"));
        check(Channel::ErsMode, -1, false, None);
        check(Channel::TractionControl, 1, false, Some("Medium"));
        check(Channel::Buttons, 0x1001, false, Some("Cross / A + R2 / RT"));
        check(Channel::Buttons, 0, false, Some("none"));
        check(Channel::Gear, 3, false, None);
    }
}
