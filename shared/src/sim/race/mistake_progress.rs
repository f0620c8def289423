//! How far a planted mistake has come.

/// How far a driver has come with the mistake that he is to make.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MistakeProgress {
    /// Whether he is off the throttle before his time.
    pub(super) lifted: bool,
    /// Whether he has braked for the corner.
    pub(super) braked: bool,
    /// Where he would have been on it again.
    pub(super) waits_from_m: Option<f64>,
}
