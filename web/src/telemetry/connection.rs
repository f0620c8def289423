//! Where the telemetry comes from.

/// Where the telemetry comes from. The page shows one thing at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Connection {
    /// The relay that served the page: games that send.
    #[default]
    Relay,
    /// Nothing yet. No relay served the page: it is the viewer, or a file with recordings in it.
    Viewer,
    /// The page's own demo.
    Demo,
    /// A recording that plays.
    Replay,
}
