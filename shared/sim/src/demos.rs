//! The table of demos: the games that are simulated, what sends them, and how those are asked that send on request.

use trailbrake_games::feed::Feed;

use super::ac_lua::AcLua;
use super::ac_remote::{AcRemote, Handshake};
use super::ac_server::{PluginConnection, Server};
use super::ac_telemetry_tool::AcTelemetryTool;
use super::dirt_rally::DirtRally;
use super::ea_wrc::EaWrc;
use super::emitter::Emitter;
use super::f1::F1;
use super::forza::Forza;
use super::gran_turismo::GranTurismo;
use super::host::Host;

/// A game that is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DemoGame {
    /// Its id in options and links: that of its feed, or of the game where a feed has games of several years.
    pub id: &'static str,
    /// The feed of its packets.
    pub feed: Feed,
    /// The year of the game, where a feed has games of several years.
    pub year: Option<u16>,
}

impl DemoGame {
    /// The demo with an id. A feed's id, or one of its earlier ones, names its first demo.
    pub fn from_id(id: &str) -> Option<Self> {
        let named = DEMOS.iter().copied().find(|demo| demo.id == id);
        named.or_else(|| Self::of_feed(Feed::from_id(id)?))
    }

    /// A feed's first demo; `None` if it has none.
    pub fn of_feed(feed: Feed) -> Option<Self> {
        DEMOS.iter().copied().find(|demo| demo.feed == feed)
    }
}

/// What simulates a feed.
pub(crate) struct FeedDemo {
    /// The game that runs the race and sends it.
    pub(crate) emitter: fn() -> Box<dyn Emitter>,
    /// How a game that sends only on request takes requests; `None` for one that sends unasked.
    pub(crate) host: Option<fn() -> Box<dyn Host>>,
}

macro_rules! year {
    () => {
        None
    };
    ($year:literal) => {
        Some($year)
    };
}

/// Declares the demos. Their list is separate from what simulates them, so that reading it does not load the simulator.
macro_rules! demos {
    ($($feed:ident [$($id:literal $($year:literal)?),*] { emitter: $emitter:expr, host: $host:expr })*) => {
        /// The feeds with a demo.
        pub const SPOKEN: [Feed; [$(Feed::$feed),*].len()] = [$(Feed::$feed),*];

        /// All demos: of each feed the one that stands for it first.
        pub const DEMOS: [DemoGame; [$($($id),*),*].len()] =
            [$($(DemoGame { id: $id, feed: Feed::$feed, year: year!($($year)?) }),*),*];

        /// What simulates a feed; `None` if it has no demo.
        pub(crate) fn of_feed(feed: Feed) -> Option<FeedDemo> {
            match feed {
                $(Feed::$feed => Some(FeedDemo { emitter: $emitter, host: $host }),)*
                _ => None,
            }
        }
    };
}

demos! {
    F1 [
        "f1-25" 2025, "f1-2018" 2018, "f1-2019" 2019, "f1-2020" 2020, "f1-2021" 2021, "f1-22" 2022, "f1-23" 2023,
        "f1-24" 2024, "f1-25-season-2026" 2026
    ] { emitter: || Box::<F1>::default(), host: None }
    Forza ["forza"] { emitter: || Box::<Forza>::default(), host: None }
    GranTurismo ["gran-turismo"] { emitter: || Box::<GranTurismo>::default(), host: None }
    AcRemote ["ac-remote"] { emitter: || Box::<AcRemote>::default(), host: Some(|| Box::<Handshake>::default()) }
    AcTelemetryTool ["ac-telemetry-tool"] { emitter: || Box::<AcTelemetryTool>::default(), host: None }
    AcLua ["ac-lua"] { emitter: || Box::<AcLua>::default(), host: None }
    DirtRally ["dirt-rally"] { emitter: || Box::<DirtRally>::default(), host: None }
    EaWrc ["ea-wrc"] { emitter: || Box::<EaWrc>::default(), host: None }
    AcServer ["ac-server"] {
        emitter: || Box::new(Server::asked()),
        host: Some(|| Box::<PluginConnection>::default())
    }
}

/// The demo that is driven unless another one is chosen.
pub const DEFAULT_DEMO: DemoGame = DEMOS[0];

/// A host without clients; `None` for a feed whose demo sends unasked.
pub fn host(feed: Feed) -> Option<Box<dyn Host>> {
    of_feed(feed)?.host.map(|host| host())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use trailbrake_games::f1::layout::YEARS;
    use trailbrake_games::feed::FEEDS;
    use trailbrake_model::time::Micros;

    use super::*;
    use crate::{Demo, Options};

    #[test]
    fn every_feed_that_is_decoded_from_the_network_has_demos_that_it_recognises() {
        for row in FEEDS {
            let Some(codec) = row.codec.filter(|_| row.networked) else {
                assert!(!SPOKEN.contains(&row.feed), "{}", row.id);
                continue;
            };
            assert!(SPOKEN.contains(&row.feed) && DemoGame::of_feed(row.feed).is_some(), "{}", row.id);
            for demo in DEMOS.iter().filter(|demo| demo.feed == row.feed) {
                let mut sent = 0;
                Demo::of(*demo, Options::default(), Micros(0)).expect(demo.id).drive(2.0, &mut |_, bytes| {
                    sent += 1;
                    assert!((codec.recognise)(bytes).is_ok(), "{}", demo.id);
                });
                assert!(sent > 0, "{}", demo.id);
            }
        }
    }

    #[test]
    fn a_demo_is_found_by_its_id_and_by_its_feeds() {
        let ids: BTreeSet<&str> = DEMOS.iter().map(|demo| demo.id).collect();
        assert_eq!(ids.len(), DEMOS.len(), "{ids:?}");
        assert!(DEMOS.iter().all(|demo| DemoGame::from_id(demo.id) == Some(*demo)));
        let year = |id: &str| DemoGame::from_id(id).map(|demo| (demo.feed, demo.year));
        assert_eq!(year("f1"), Some((Feed::F1, Some(2025))));
        // Also an earlier id of its feed, and a demo of its own.
        assert_eq!(year("f1-2018"), Some((Feed::F1, Some(2018))));
        assert_eq!(year("dirt-rally"), Some((Feed::DirtRally, None)));
        assert_eq!([year("imported-laps"), year("f1-2017")], [None, None]);
        assert_eq!(DEFAULT_DEMO.id, "f1-25");
        for demo in DEMOS.iter().filter(|demo| demo.year.is_none()) {
            assert_eq!(demo.id, demo.feed.id());
        }
    }

    #[test]
    fn each_year_of_the_f1_games_has_a_demo_that_sends_it() {
        let years = DEMOS.iter().filter_map(|demo| Some((demo.year?, demo)));
        for (year, demo) in years.clone() {
            let mut sent = 0;
            Demo::of(*demo, Options::default(), Micros(0)).expect(demo.id).drive(0.1, &mut |_, bytes| {
                sent += 1;
                assert_eq!(bytes[..2], year.to_le_bytes(), "{}", demo.id);
            });
            assert!(sent > 0, "{}", demo.id);
        }
        let years: BTreeSet<u16> = years.map(|(year, _)| year).collect();
        assert_eq!(years, (0..YEARS.len()).map(|place| YEARS.at(place).number()).collect());
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
