//! Serialises channels and wheels by the names that files and scripts use.

use serde::Serializer;
use trailbrake_model::{Channel, Wheel};

/// A channel by its id.
pub(super) fn channel<S: Serializer>(channel: &Channel, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(channel.id())
}

/// A wheel by its short name, such as `FL`.
pub(super) fn wheel<S: Serializer>(wheel: &Wheel, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(wheel.short())
}

/// A wheel by its short name, or none.
pub(super) fn some_wheel<S: Serializer>(wheel: &Option<Wheel>, serializer: S) -> Result<S::Ok, S::Error> {
    match wheel {
        Some(known) => self::wheel(known, serializer),
        None => serializer.serialize_none(),
    }
}
