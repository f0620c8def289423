//! The hub's page, for all rigs of a team.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use tokio::sync::watch;

use super::rig_sites::RigSites;
use crate::clock::Clock;
use crate::relaying::http::{self, Access, Encryption, Page};
use crate::relaying::tablets::listen;
use crate::shutdown::Shutdown;
use crate::team::{HubFolder, PageLinks, Rigs, follow_rigs};
use crate::token::Token;

/// How often the links are looked at while pages are open.
const LOOK: Duration = Duration::from_secs(1);

/// The page, whose port is open.
pub(crate) struct TeamPage {
    listener: std::net::TcpListener,
    access: Access,
    links: PageLinks,
    /// Its address, with the secret that gives access where others reach it.
    pub(crate) url: String,
}

impl TeamPage {
    /// Opens the page's port. Without encryption on another address than loopback, which has to be asked for, and only for
    /// those who have a link.
    pub(crate) fn open(
        folder: &HubFolder,
        wanted: SocketAddr,
        encryption: Option<Encryption>,
        is_plain: bool,
    ) -> anyhow::Result<Self> {
        let is_encrypted = encryption.is_some();
        if wanted.ip().is_unspecified() && !is_encrypted {
            bail!("the page needs one of this machine's addresses: name it with --http ADDRESS:PORT");
        }
        if !wanted.ip().is_loopback() && !is_plain && !is_encrypted {
            bail!(
                "the page at {wanted} would not be encrypted: name a certificate with --cert and --key, add --plain in a \
                 network that you trust, or reach the page by a tunnel such as ssh -L"
            );
        }
        let (listener, address) = listen(wanted)?;
        let token = Token::random()?;
        let links = PageLinks::of(folder.clone(), token.clone())?;
        let is_open = address.ip().is_loopback() && links.links().is_empty();
        let query = if is_open { String::new() } else { format!("?token={token}") };
        let url = match folder.hub()?.servers.first() {
            // A certificate is for a name.
            Some(server) if is_encrypted => format!("https://{}:{}/{query}", server.host, address.port()),
            _ => format!("http://{address}/{query}"),
        };
        let access = Access::with_links(address, links.clone(), encryption.map(Arc::new));
        Ok(Self { listener, access, links, url })
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
        let routes = http::team_routes(sites.clone());
        let served = http::serve(listener, self.access, routes, shutdown.clone());
        let taking = sites.clone();
        let followed = follow_rigs(&folder, rigs, move |rig, sent| taking.take(rig, sent), shutdown.clone());
        let ended = async {
            tokio::select! {
                () = shutdown.wait() => {}
                () = follow_links(&sites, &self.links) => {}
            }
            sites.end_visits();
        };
        let (followed, ..) = tokio::join!(followed, served, ended);
        followed
    }
}

/// Ends all visits whenever the links have changed: who has one still connects again.
async fn follow_links(sites: &RigSites, links: &PageLinks) {
    let mut known = links.links();
    loop {
        tokio::time::sleep(LOOK).await;
        let now = links.links();
        if now != known {
            known = now;
            sites.end_visits();
        }
    }
}
