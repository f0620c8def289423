//! What a line of a lane shows: a channel, or what is computed from several.

use std::rc::Rc;

use trailbrake_shared::model::{Drawing, Slot};
use trailbrake_shared::units::Unit;

use crate::analyse::{ShownLap, Values};

/// What a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaneValue {
    /// A channel.
    Channel(Slot),
    /// The grip used, by the lap's own g-g diagram.
    GripUsed,
}

impl LaneValue {
    /// Its values in each row of a lap. `None` if the game does not send them.
    pub(crate) fn of(self, lap: &ShownLap) -> Option<Rc<Values>> {
        match self {
            Self::Channel(slot) => lap.values(slot),
            Self::GripUsed => lap.grip_used(),
        }
    }

    /// The channel, if it is one.
    pub(super) fn slot(self) -> Option<Slot> {
        match self {
            Self::Channel(slot) => Some(slot),
            Self::GripUsed => None,
        }
    }

    pub(crate) fn unit(self) -> Unit {
        match self {
            Self::Channel(slot) => slot.channel().unit(),
            Self::GripUsed => Unit::Ratio,
        }
    }

    pub(crate) fn drawing(self) -> Drawing {
        match self {
            Self::Channel(slot) => slot.channel().drawing(),
            Self::GripUsed => Drawing::Line,
        }
    }
}
