//! Where each packet goes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use anyhow::{Context, bail};
use futures_util::StreamExt;
use tokio_tungstenite::tungstenite::Message;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::wire::{self, PortState, PortStatus, ToBrowser};

use crate::commands::client;

/// The receiver of the packets.
#[derive(Clone, Debug)]
pub(super) enum Targets {
    /// The running Trailbrake, at the ports where it receives games.
    Relay(Vec<PortStatus>),
    /// The address on the command line.
    Address {
        /// The target of packets received at the file's first port.
        to: SocketAddr,
        /// The file's first port, once known.
        first: Option<u16>,
    },
}

impl Targets {
    /// A program at an address.
    pub(super) fn at(to: SocketAddr) -> Self {
        Self::Address { to, first: None }
    }

    /// The Trailbrake whose page is served at an address.
    pub(super) async fn of_relay(http: SocketAddr) -> anyhow::Result<Self> {
        let socket = client::connect(http).await;
        let mut socket = socket.with_context(|| {
            format!(
                "no Trailbrake runs at http://{http}/: start one, say where it is with --http, or send elsewhere \
                 with --to"
            )
        })?;
        while let Some(Ok(message)) = socket.next().await {
            let Message::Binary(message) = message else { continue };
            let message = wire::decode(&message)
                .context("use one version of Trailbrake for both: this one does not understand the other")?;
            let ToBrowser::Status(status) = message else { continue };
            let mut ports = status.ports;
            ports.retain(|port| matches!(port.state, PortState::Open | PortState::Asks { .. }));
            if ports.is_empty() {
                bail!("the Trailbrake at http://{http}/ receives at no port: its page Connections shows why");
            }
            return Ok(Self::Relay(ports));
        }
        bail!("the Trailbrake at http://{http}/ was closed")
    }

    /// The target of a packet, by the port it was received at and its feed, if any.
    pub(super) fn of(&mut self, port: u16, feed: Option<Feed>) -> anyhow::Result<SocketAddr> {
        match self {
            Self::Relay(_) if feed.is_some_and(|feed| !feed.info().networked) => bail!(
                "laps that were imported go over no network: play the recording on the page, or send it elsewhere \
                 with --to"
            ),
            Self::Relay(ports) => {
                let rank = |open: &&PortStatus| {
                    let of_feed = feed.is_some_and(|feed| open.feeds.contains(&feed));
                    // Packets are recognised by content, whatever the port.
                    (of_feed, open.port == port, matches!(open.state, PortState::Open))
                };
                // The first of equally good ones.
                let best = ports.iter().rev().max_by_key(rank);
                let port = best.map(|open| open.port).context("no port is open")?;
                Ok((Ipv4Addr::LOCALHOST, port).into())
            }
            Self::Address { to, first } => {
                let first = *first.get_or_insert(port);
                let wanted = i32::from(to.port()) + i32::from(port) - i32::from(first);
                let there = u16::try_from(wanted).ok().filter(|port| *port != 0);
                let there = there.with_context(|| {
                    format!(
                        "the file's packets came in by ports {first} and {port}, and there is no port {wanted} to \
                         send the second kind to: name another port with --to"
                    )
                });
                Ok((to.ip(), there?).into())
            }
        }
    }

    /// The local address from which the targets can be reached.
    pub(super) fn from(&self) -> IpAddr {
        match self {
            Self::Relay(_) => Ipv4Addr::LOCALHOST.into(),
            Self::Address { to, .. } if to.ip().is_loopback() => to.ip(),
            Self::Address { to: SocketAddr::V4(_), .. } => Ipv4Addr::UNSPECIFIED.into(),
            Self::Address { to: SocketAddr::V6(_), .. } => std::net::Ipv6Addr::UNSPECIFIED.into(),
        }
    }

    /// Whether the targets are on this machine, so that its backlog can be read.
    pub(super) fn are_here(&self) -> bool {
        self.from().is_loopback()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relay_gets_each_feed_at_its_port() {
        let game = ([127, 0, 0, 1], 9996).into();
        let mut targets = Targets::Relay(vec![
            PortStatus::silent(20777, &[Feed::F1, Feed::DirtRally], PortState::Open),
            PortStatus::silent(33740, &[Feed::GranTurismo], PortState::Open),
            PortStatus::silent(33340, &[Feed::GranTurismo], PortState::Open),
            PortStatus::silent(50_001, &[Feed::AcRemote], PortState::Asks { game }),
        ]);
        let mut of = |port, feed| targets.of(port, feed).expect("a port").port();
        assert_eq!(of(20777, Some(Feed::F1)), 20777);
        assert_eq!(of(33340, Some(Feed::GranTurismo)), 33340, "by the port that it came by, where it can be");
        assert_eq!(of(5000, Some(Feed::GranTurismo)), 33740, "else by the first of its feed");
        assert_eq!(of(44_444, Some(Feed::AcRemote)), 50_001);
        assert_eq!(
            of(5005, Some(Feed::AcLua)),
            20777,
            "without a port of its own it is recognised by its content"
        );
        assert_eq!(of(33740, None), 33740);
        let refused = Targets::Relay(Vec::new()).of(0, Some(Feed::ImportedLaps)).expect_err("a reason");
        assert!(refused.to_string().contains("play the recording on the page"), "{refused}");
        assert_eq!(of(1, None), 20777);
    }

    #[test]
    fn ports_stay_as_far_from_each_other_as_they_were() {
        let mut targets = Targets::at(([192, 0, 2, 1], 5300).into());
        let mut of = |port| targets.of(port, None).map(|to| to.to_string());
        assert_eq!(of(10_000).ok().as_deref(), Some("192.0.2.1:5300"));
        assert_eq!(of(12_000).ok().as_deref(), Some("192.0.2.1:7300"));
        assert_eq!(of(9_999).ok().as_deref(), Some("192.0.2.1:5299"));
        let error = of(4_700).expect_err("no port").to_string();
        assert!(error.contains("10000 and 4700") && error.contains("no port 0"), "{error}");
    }
}
