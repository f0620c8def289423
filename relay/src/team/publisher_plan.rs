//! What the publisher is made from.

use std::sync::Arc;

use super::invitation::Invitation;
use crate::clock::Clock;
use crate::library::Library;
use crate::library::store::RecordingUnderway;

/// What the publisher needs.
pub(crate) struct PublisherPlan {
    pub(crate) invitation: Invitation,
    pub(crate) library: Arc<Library>,
    /// The recordings under way that are certain to be kept.
    pub(crate) underway: Arc<dyn Fn() -> Vec<RecordingUnderway> + Send + Sync>,
    pub(crate) clock: Clock,
    /// Reports to the user.
    pub(crate) announce: fn(&str, &str),
}
