//! The values of options, and messages about wrong ones.

use std::net::SocketAddr;
use std::str::FromStr;

use serde::Deserialize;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::feed::{AC_GAME_PORT, HEARTBEATS, game_address, heartbeat};
use trailbrake_shared::sim::{DEMOS, DemoGame};

use crate::feed_name::FeedName;

/// A feed and the port to receive it at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct FeedPort {
    /// The feed.
    pub feed: Feed,
    /// The port; 0 lets the system choose.
    pub port: u16,
}

/// A feed and where to forward its packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct FeedTarget {
    /// The feed.
    pub feed: Feed,
    /// Where its packets go.
    pub to: SocketAddr,
}

/// A simulated game, by the id of its demo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct DemoName(pub DemoGame);

impl DemoName {
    /// The ids of all demos, as text.
    fn all() -> String {
        DEMOS.map(|demo| demo.id).join(", ")
    }

    /// What the option does, with the names that it takes.
    pub(super) fn help() -> String {
        format!("Drive a simulated car, through the same path as a game: {}", Self::all())
    }
}

impl FromStr for DemoName {
    type Err = String;

    fn from_str(id: &str) -> Result<Self, String> {
        DemoGame::from_id(id)
            .map(Self)
            .ok_or_else(|| format!("there is no demo {id:?}; the demos are {}", Self::all()))
    }
}

/// Where a game listens: an address, and its port where it is not the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct GameAddress(pub SocketAddr);

/// Which packet to request from Gran Turismo, by its letter; `None` for the most detailed one the console sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Heartbeat(pub Option<char>);

impl FromStr for FeedPort {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (feed, port) = text.split_once('=').ok_or("FEED=PORT is wanted, such as f1=20777")?;
        let feed = networked_feed(feed)?;
        let port =
            port.parse().map_err(|_| format!("{port:?} is no port: those are the numbers up to 65535"))?;
        if port == AC_GAME_PORT {
            return Err(format!(
                "port {AC_GAME_PORT} belongs to the game Assetto Corsa and is never listened on"
            ));
        }
        Ok(Self { feed, port })
    }
}

impl FromStr for FeedTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = "FEED=ADDR:PORT is wanted, such as f1=127.0.0.1:5300";
        let (feed, to) = text.split_once('=').ok_or(wanted)?;
        let feed = networked_feed(feed)?;
        let to: SocketAddr = to.parse().map_err(|_| format!("{to:?} is no address with a port: {wanted}"))?;
        if to.port() == 0 {
            return Err("nobody can listen at port 0".into());
        }
        Ok(Self { feed, to })
    }
}

impl FromStr for GameAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        game_address(text).map(Self).ok_or_else(|| format!("{text:?} is no address such as 192.168.1.7"))
    }
}

impl FromStr for Heartbeat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        heartbeat(text).map(Self).ok_or_else(|| {
            let names = HEARTBEATS.map(|(name, _)| name);
            format!("the heartbeats are {}", names.join(", "))
        })
    }
}

/// A feed whose packets come over the network.
fn networked_feed(name: &str) -> Result<Feed, String> {
    let FeedName(feed) = name.parse()?;
    if feed.info().networked {
        Ok(feed)
    } else {
        Err(format!("nobody sends {name}: they are only found in files"))
    }
}

macro_rules! from_the_file {
    ($($type:ty),*) => {$(
        impl TryFrom<String> for $type {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                text.parse()
            }
        }
    )*};
}

from_the_file!(DemoName, FeedPort, FeedTarget, GameAddress, Heartbeat);
