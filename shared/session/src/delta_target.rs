//! What the live delta is against.

/// What the live delta is against.
///
/// Corners, brake points, pedals and tones need a lap that was driven. Under [`Self::TheoreticalBest`] they are those of
/// the session's best lap; delta, predicted time, ghost and the spoken difference at the line are the theoretical lap's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeltaTarget {
    /// The best lap of the session; until there is one, the best of earlier sessions.
    #[default]
    SessionBest,
    /// The best lap of this session and earlier ones.
    AllTimeBest,
    /// The best mini-sectors of the session's laps as one lap.
    TheoreticalBest,
    /// Anybody's lap that the driver chose elsewhere; while there is none here, the best of the session.
    Rival,
    /// A lap of the session, by serial.
    Lap(u32),
}
