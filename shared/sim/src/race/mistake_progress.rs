//! The progress of a planted mistake.

/// The state of a driver's planted mistake.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MistakeProgress {
    /// Whether the driver has lifted early.
    pub(super) lifted: bool,
    /// Whether the driver has braked for the corner.
    pub(super) braked: bool,
    /// Where the driver would have been back on the throttle, in metres since the first crossing of the line.
    pub(super) waits_from_m: Option<f64>,
}
