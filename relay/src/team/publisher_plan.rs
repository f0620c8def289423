//! What the publisher is made from.

use std::sync::Arc;

use super::invitation::Invitation;
use super::rig_source::RigSource;
use crate::clock::Clock;
use crate::library::Library;

/// What the publisher needs.
pub(crate) struct PublisherPlan {
    pub(crate) invitation: Invitation,
    pub(crate) library: Arc<Library>,
    /// The relay of this rig.
    pub(crate) source: Arc<dyn RigSource>,
    pub(crate) clock: Clock,
    /// Reports to the user.
    pub(crate) announce: fn(&str, &str),
}
