//! Connections to a hub's servers, and what goes wrong with them in a driver's words.

use std::error::Error as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use async_nats::rustls::pki_types::CertificateDer;
use async_nats::rustls::pki_types::pem::PemObject;
use async_nats::rustls::{CertificateError, ClientConfig, Error as TlsError, RootCertStore, crypto};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, Event, ServerError};

use super::key_pair::KeyPair;
use super::nats_server::check_version;
use super::server_address::ServerAddress;
use crate::lock::Lock;

/// How long a connection may take.
const CONNECTING: Duration = Duration::from_secs(5);
/// How often the other end is asked whether it is still there.
const PING: Duration = Duration::from_secs(5);
/// How long the client waits before it tries again by itself.
const AGAIN: Duration = Duration::from_millis(500);

/// What a connection needs.
#[derive(Clone, Debug)]
pub(crate) struct Login {
    pub(crate) servers: Vec<ServerAddress>,
    pub(crate) key: KeyPair,
    /// The certificate of the only authority that is trusted; `None` on loopback.
    pub(crate) authority: Option<String>,
    /// Where answers go.
    pub(crate) inbox: String,
    /// Who connects, for the server's list of connections.
    pub(crate) name: String,
}

/// A connection to a hub.
#[derive(Clone)]
pub(crate) struct Connection {
    pub(crate) client: Client,
    refused: Arc<Lock<Option<String>>>,
    losses: Arc<AtomicU64>,
}

impl Connection {
    /// Connects; an error says what to do.
    pub(crate) async fn open(login: &Login) -> anyhow::Result<Self> {
        let refused = Arc::<Lock<Option<String>>>::default();
        let losses = Arc::<AtomicU64>::default();
        let (noted, lost) = (Arc::clone(&refused), Arc::clone(&losses));
        let mut options = ConnectOptions::with_nkey(login.key.seed.clone())
            .name(&login.name)
            .custom_inbox_prefix(&login.inbox)
            .connection_timeout(CONNECTING)
            .ping_interval(PING)
            .reconnect_delay_callback(|_| AGAIN)
            // They may name themselves by addresses that are not in their certificate.
            .ignore_discovered_servers()
            .event_callback(move |event| {
                match event {
                    Event::Disconnected => drop(lost.fetch_add(1, Ordering::Relaxed)),
                    Event::ServerError(ServerError::Other(words))
                        if words.to_lowercase().contains("permissions violation") =>
                    {
                        *noted.lock() = Some(words);
                    }
                    _ => {}
                }
                std::future::ready(())
            });
        if let Some(authority) = &login.authority {
            options = options.require_tls(true).tls_client_config(trusting(authority)?);
        }
        let scheme = if login.authority.is_some() { "tls" } else { "nats" };
        let urls: Vec<String> = login.servers.iter().map(|server| format!("{scheme}://{server}")).collect();
        let connected = tokio::time::timeout(2 * CONNECTING, options.connect(urls)).await;
        let where_to = login.servers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let client = match connected {
            Ok(connected) => connected.map_err(|error| in_words(&error, &where_to))?,
            Err(_) => bail!("{where_to} does not answer: is it the hub, and does its firewall let you in?"),
        };
        check_version(&client.server_info().version)?;
        Ok(Self { client, refused, losses })
    }

    /// How often the connection was lost.
    pub(crate) fn losses(&self) -> u64 {
        self.losses.load(Ordering::Relaxed)
    }

    /// Why the server refuses what this connection does, if it does.
    pub(crate) fn refused(&self) -> Option<String> {
        self.refused.lock().clone()
    }
}

/// The servers do not know the key: it was removed.
#[derive(Debug)]
pub(crate) struct KeyRefused;

impl std::fmt::Display for KeyRefused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the key is no longer valid: ask the hub's owner for a new invitation")
    }
}

impl std::error::Error for KeyRefused {}

/// Trusts one authority, and none that the system trusts.
fn trusting(authority: &str) -> anyhow::Result<ClientConfig> {
    let mut roots = RootCertStore::empty();
    let certificate = CertificateDer::from_pem_slice(authority.as_bytes());
    let certificate = certificate
        .map_err(|_| anyhow!("the authority's certificate is broken: ask for a new invitation"))?;
    roots.add(certificate).context("the authority's certificate is broken: ask for a new invitation")?;
    let provider = Arc::new(crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

fn in_words(error: &ConnectError, where_to: &str) -> anyhow::Error {
    if let Some(tls) = tls_error(error) {
        return match tls {
            TlsError::InvalidCertificate(
                CertificateError::Expired | CertificateError::ExpiredContext { .. },
            ) => {
                anyhow!(
                    "the certificate of {where_to} has expired, or a clock is wrong: ask the hub's owner for a new one"
                )
            }
            TlsError::InvalidCertificate(
                CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. },
            ) => {
                anyhow!("the certificate of {where_to} is not valid yet: is this machine's clock right?")
            }
            TlsError::InvalidCertificate(_) => {
                anyhow!(
                    "{where_to} is not the hub that sent the invitation: its certificate is another's. Ask for a new invitation"
                )
            }
            other => anyhow!("no encrypted connection to {where_to}: {other}"),
        };
    }
    match error.kind() {
        ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => KeyRefused.into(),
        ConnectErrorKind::Dns => anyhow!("the name of {where_to} can't be found: is this machine online?"),
        ConnectErrorKind::TimedOut => {
            anyhow!("{where_to} does not answer: is it the hub, and does its firewall let you in?")
        }
        ConnectErrorKind::Tls => anyhow!("no encrypted connection to {where_to}: {error:#}"),
        ConnectErrorKind::ServerParse | ConnectErrorKind::Io | ConnectErrorKind::MaxReconnects => {
            anyhow!("no hub at {where_to}: {error}")
        }
    }
}

/// The reason of a failed encryption, wherever in the chain of errors it is.
fn tls_error(error: &ConnectError) -> Option<&TlsError> {
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(tls) = error.downcast_ref::<TlsError>() {
            return Some(tls);
        }
        // An IO error is no source of itself.
        let io = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        if let Some(tls) = io.and_then(|inner| inner.downcast_ref::<TlsError>()) {
            return Some(tls);
        }
        cause = error.source();
    }
    None
}
