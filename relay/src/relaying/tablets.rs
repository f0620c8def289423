//! The page's listeners for tablets: opened at the start or from the page, and closed again.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;

use anyhow::{Context, bail};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use crate::lock::Lock;
use crate::relaying::addresses::addresses;
use crate::relaying::http::{Access, WrongTokens};
use crate::shutdown::{self, Ending, Shutdown};
use crate::token::Token;

/// Ports tried after the requested one.
const NEXT_PORTS: u16 = 50;

/// A link for tablets.
#[derive(Clone, Debug)]
pub struct Link {
    /// The page's address.
    pub address: SocketAddr,
    /// The secret that gives access.
    pub token: Token,
}

impl Link {
    /// The link as a URL.
    pub fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token)
    }
}

/// An open listener that somebody has to serve until it is shut down.
pub(crate) struct TabletListener {
    pub(crate) listener: TcpListener,
    pub(crate) access: Access,
    pub(crate) shutdown: Shutdown,
}

/// Opens and closes the listeners for tablets. Copies are handles to the same.
#[derive(Clone)]
pub(crate) struct Tablets(Arc<Shared>);

struct Shared {
    /// The addresses to listen at; `None` for all of this machine's network addresses.
    at: Option<Vec<IpAddr>>,
    /// The page's port on this machine, tried first.
    port: u16,
    /// Takes each listener as it opens.
    opened: UnboundedSender<TabletListener>,
    open: Lock<Option<Open>>,
}

/// The open listeners.
struct Open {
    links: Vec<Link>,
    wrong: Arc<Lock<WrongTokens>>,
    /// Its drop closes them, with all connections.
    _ending: Ending,
}

impl Tablets {
    /// Closed to tablets so far. The receiver gets each listener as it opens.
    pub(crate) fn new(at: Option<Vec<IpAddr>>, port: u16) -> (Self, UnboundedReceiver<TabletListener>) {
        let (opened, listeners) = mpsc::unbounded_channel();
        (Self(Arc::new(Shared { at, port, opened, open: Lock::default() })), listeners)
    }

    /// Opens the page to tablets, with a new secret, unless it is open.
    pub(crate) fn open(&self) -> anyhow::Result<()> {
        let mut open = self.0.open.lock();
        if open.is_some() {
            return Ok(());
        }
        let addresses = self.0.at.clone().unwrap_or_else(addresses);
        if addresses.is_empty() {
            bail!("this machine is in no network that a tablet could use");
        }
        let token = Token::random()?;
        let (ending, shutdown) = shutdown::pair();
        let wrong = Arc::<Lock<WrongTokens>>::default();
        let (mut links, mut listeners) = (Vec::new(), Vec::new());
        for ip in addresses {
            let (listener, address) = listen(SocketAddr::new(ip, self.0.port))?;
            let access = Access::with_token(address, token.clone(), Arc::clone(&wrong));
            listeners.push(TabletListener { listener, access, shutdown: shutdown.clone() });
            links.push(Link { address, token: token.clone() });
        }
        for listener in listeners {
            // Only a relay that has ended serves nobody any more.
            let _ = self.0.opened.send(listener);
        }
        *open = Some(Open { links, wrong, _ending: ending });
        Ok(())
    }

    /// Closes the page to tablets. Their links lead nowhere from now on.
    pub(crate) fn close(&self) {
        *self.0.open.lock() = None;
    }

    /// How many wrong tokens were tried since the page was opened to tablets, and where the latest came from.
    pub(crate) fn wrong_tokens(&self) -> (u64, Option<IpAddr>) {
        self.0.open.lock().as_ref().map(|open| open.wrong.lock().report()).unwrap_or_default()
    }

    /// The links, while the page is open to tablets.
    pub(crate) fn links(&self) -> Vec<Link> {
        self.0.open.lock().as_ref().map(|open| open.links.clone()).unwrap_or_default()
    }
}

/// Listens at an address, or at one of the next ports when its own is taken.
pub(crate) fn listen(wanted: SocketAddr) -> anyhow::Result<(TcpListener, SocketAddr)> {
    let last = if wanted.port() == 0 { 0 } else { wanted.port().saturating_add(NEXT_PORTS) };
    for port in wanted.port()..=last {
        match TcpListener::bind((wanted.ip(), port)) {
            Ok(listener) => {
                listener.set_nonblocking(true)?;
                let address = listener.local_addr()?;
                return Ok((listener, address));
            }
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            Err(error) => {
                return Err(error).with_context(|| format!("the page cannot be served at {wanted}"));
            }
        }
    }
    bail!(
        "the ports {} to {last} are all taken: choose another with --http {}:PORT",
        wanted.port(),
        wanted.ip()
    )
}
