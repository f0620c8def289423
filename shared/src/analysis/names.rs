//! How channels and wheels stand in JSON: by the names that files and scripts know them by.

use serde::Serializer;

use crate::model::{Channel, Wheel};

/// A channel by its id.
pub(super) fn channel<S: Serializer>(channel: &Channel, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(channel.id())
}

/// A wheel as it stands behind a channel's name, such as `FL`.
pub(super) fn wheel<S: Serializer>(wheel: &Wheel, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(wheel.short())
}

/// The same of a wheel where there is one.
pub(super) fn some_wheel<S: Serializer>(wheel: &Option<Wheel>, serializer: S) -> Result<S::Ok, S::Error> {
    match wheel {
        Some(known) => self::wheel(known, serializer),
        None => serializer.serialize_none(),
    }
}
