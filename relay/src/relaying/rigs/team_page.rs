//! The hub's page, for all rigs of a team.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::bail;
use tokio::sync::watch;

use super::rig_sites::RigSites;
use crate::clock::Clock;
use crate::relaying::http::{self, Access, Page, Token};
use crate::relaying::tablets::{Link, listen};
use crate::shutdown::Shutdown;
use crate::team::{HubFolder, Rigs, follow_rigs};

/// The page, whose port is open.
pub(crate) struct TeamPage {
    listener: std::net::TcpListener,
    access: Access,
    /// Its address, with the secret that gives access where others reach it.
    pub(crate) url: String,
}

impl TeamPage {
    /// Opens the page's port. On another address than loopback it is not encrypted, which has to be asked for, and is
    /// served only to those who have its link.
    pub(crate) fn open(wanted: SocketAddr, is_plain: bool) -> anyhow::Result<Self> {
        if wanted.ip().is_unspecified() {
            bail!("the page needs one of this machine's addresses: name it with --http ADDRESS:PORT");
        }
        if !wanted.ip().is_loopback() && !is_plain {
            bail!(
                "the page at {wanted} would not be encrypted: add --plain in a network that you trust, or reach the page by \
                 a tunnel such as ssh -L"
            );
        }
        let (listener, address) = listen(wanted)?;
        if address.ip().is_loopback() {
            return Ok(Self { listener, access: Access::local(address), url: format!("http://{address}/") });
        }
        let token = Token::random()?;
        let url = Link { address, token: token.clone() }.url();
        Ok(Self { listener, access: Access::with_token(address, token, Arc::default()), url })
    }

    /// Serves the page until the end.
    pub(crate) async fn run(
        self,
        folder: HubFolder,
        rigs: Rigs,
        mut shutdown: Shutdown,
    ) -> anyhow::Result<()> {
        // The sender stays: the page does not change.
        let (_page, page) = watch::channel(Arc::new(Page::of_hub()));
        let sites = RigSites::new(rigs.clone(), page, Clock::start());
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let routes = http::team_routes(sites.clone(), shutdown.clone());
        let served = http::serve(listener, self.access, routes, shutdown.clone());
        let taking = sites.clone();
        let followed = follow_rigs(
            &folder,
            rigs,
            move |rig, number, message| taking.take(rig, number, message),
            shutdown.clone(),
        );
        let ended = async {
            shutdown.wait().await;
            sites.end();
        };
        let (followed, ..) = tokio::join!(followed, served, ended);
        followed
    }
}
