//! The pressed buttons.

use trailbrake_model::Channel;

use super::layout::ButtonsPressed;
use crate::table::{Becomes, Record, Same, Values};

/// The first of the bits that stand for actions of the driver's choice.
const FIRST_ACTION: u32 = 20;

/// The pressed buttons, and the actions that the driver bound to some.
pub(super) struct Pressed {
    buttons: u32,
    actions: u32,
}

impl Record for Pressed {
    fn channels<const ALL: bool>(&self, values: &mut Values) {
        self.buttons.put::<Same, ALL>(Channel::Buttons, values);
        self.actions.put::<Same, ALL>(Channel::UdpActions, values);
    }
}

/// The buttons and actions of an event.
pub(super) fn pressed_buttons(pressed: ButtonsPressed) -> Pressed {
    let actions = pressed.buttons >> FIRST_ACTION;
    Pressed { buttons: pressed.buttons & ((1 << FIRST_ACTION) - 1), actions }
}
