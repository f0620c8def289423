//! The table of demos: for each feed that is simulated, what sends it, and how its game is asked.

use trailbrake_games::feed::Feed;

use super::ac_lua::AcLua;
use super::ac_remote::{AcRemote, Handshake};
use super::ac_server::{PluginConnection, Server};
use super::ac_telemetry_tool::AcTelemetryTool;
use super::dirt_rally::DirtRally;
use super::emitter::Emitter;
use super::f1::F1;
use super::gran_turismo::GranTurismo;
use super::host::Host;

/// A row of the table.
pub(crate) struct DemoInfo {
    /// The game that runs the race and sends it.
    pub(crate) emitter: fn() -> Box<dyn Emitter>,
    /// How a game that sends only on request takes requests; `None` for one that sends unasked.
    pub(crate) host: Option<fn() -> Box<dyn Host>>,
}

/// Declares the demos. Their list is separate from their rows, so that reading it does not load the simulator.
macro_rules! demos {
    ($($feed:ident { emitter: $emitter:expr, host: $host:expr })*) => {
        /// The feeds with a demo.
        pub const SPOKEN: [Feed; [$(Feed::$feed),*].len()] = [$(Feed::$feed),*];

        /// A feed's demo; `None` if it has none.
        pub(crate) fn info(feed: Feed) -> Option<DemoInfo> {
            match feed {
                $(Feed::$feed => Some(DemoInfo { emitter: $emitter, host: $host }),)*
                _ => None,
            }
        }
    };
}

demos! {
    F1 { emitter: || Box::<F1>::default(), host: None }
    GranTurismo { emitter: || Box::<GranTurismo>::default(), host: None }
    AcRemote { emitter: || Box::<AcRemote>::default(), host: Some(|| Box::<Handshake>::default()) }
    AcTelemetryTool { emitter: || Box::<AcTelemetryTool>::default(), host: None }
    AcLua { emitter: || Box::<AcLua>::default(), host: None }
    DirtRally { emitter: || Box::<DirtRally>::default(), host: None }
    AcServer { emitter: || Box::new(Server::asked()), host: Some(|| Box::<PluginConnection>::default()) }
}

/// The demo that is driven unless another one is chosen.
pub const DEFAULT_DEMO: Feed = SPOKEN[0];

/// A host without clients; `None` for a feed whose demo sends unasked.
pub fn host(feed: Feed) -> Option<Box<dyn Host>> {
    info(feed)?.host.map(|host| host())
}

#[cfg(test)]
mod tests {
    use trailbrake_games::feed::FEEDS;
    use trailbrake_model::time::Micros;

    use super::*;
    use crate::{Demo, Options};

    #[test]
    fn every_feed_that_is_decoded_from_the_network_has_a_demo_that_it_recognises() {
        for row in FEEDS {
            let Some(codec) = row.codec.filter(|_| row.networked) else {
                assert!(!SPOKEN.contains(&row.feed), "{}", row.id);
                continue;
            };
            let sent = Demo::packets(row.feed, Options::default(), Micros(0), 2.0).expect(row.id);
            assert!(!sent.is_empty() && SPOKEN.contains(&row.feed), "{}", row.id);
            assert!(sent.iter().all(|(_, bytes)| (codec.recognise)(bytes).is_ok()), "{}", row.id);
        }
    }

    #[test]
    fn only_games_that_have_a_talker_are_asked() {
        // A console streams to who asked; its demo sends unasked.
        let is_asked = |feed: &Feed| host(*feed).is_some();
        for feed in SPOKEN.iter().filter(|feed| is_asked(feed)) {
            assert!(feed.talker().is_some(), "{feed:?}");
        }
        assert!(SPOKEN.iter().any(is_asked) && !SPOKEN.iter().all(is_asked));
    }
}
