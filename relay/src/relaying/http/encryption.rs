//! Encrypts the connections of a listener, with a certificate that others issue.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Context, bail};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::server::TlsStream;

use crate::lock::Lock;

/// How every encrypted connection begins.
const HANDSHAKE: u8 = 0x16;
/// The answer to a request without encryption.
const NOT_ENCRYPTED: &[u8] =
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n\
    This page is encrypted: its address begins with https://\n";

/// A certificate and its key, which are read again when their files have changed: others renew them every few weeks.
pub(crate) struct Encryption {
    certificate: PathBuf,
    key: PathBuf,
    current: Lock<Current>,
}

struct Current {
    changed: Changed,
    acceptor: TlsAcceptor,
}

/// When both files were changed.
type Changed = [Option<SystemTime>; 2];

impl Encryption {
    /// Reads the certificate and its key.
    pub(crate) fn open(certificate: &Path, key: &Path) -> anyhow::Result<Self> {
        let current = Current { changed: changed(certificate, key), acceptor: read(certificate, key)? };
        Ok(Self { certificate: certificate.to_owned(), key: key.to_owned(), current: Lock::new(current) })
    }

    /// Encrypts a connection.
    pub(super) async fn encrypt(&self, mut stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        let mut first = [0];
        stream.peek(&mut first).await?;
        if first != [HANDSHAKE] {
            stream.write_all(NOT_ENCRYPTED).await?;
            stream.shutdown().await?;
            // Unread bytes would reset the connection before the browser reads the answer.
            let _ = stream.take(1 << 10).read_to_end(&mut Vec::new()).await;
            return Err(io::ErrorKind::InvalidData.into());
        }
        self.acceptor().accept(stream).await
    }

    /// The current certificate. If the new files are invalid, the previous one stays.
    fn acceptor(&self) -> TlsAcceptor {
        let mut current = self.current.lock();
        let now = changed(&self.certificate, &self.key);
        if now != current.changed {
            current.changed = now;
            match read(&self.certificate, &self.key) {
                Ok(acceptor) => current.acceptor = acceptor,
                Err(error) => tracing::warn!("the page keeps its previous certificate: {error:#}"),
            }
        }
        current.acceptor.clone()
    }
}

/// Keeps the key out of logs.
impl fmt::Debug for Encryption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Encryption({})", self.certificate.display())
    }
}

fn changed(certificate: &Path, key: &Path) -> Changed {
    [certificate, key].map(|path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok())
}

fn read(certificate: &Path, key: &Path) -> anyhow::Result<TlsAcceptor> {
    let text = |path: &Path| fs::read(path).with_context(|| format!("{} can't be read", path.display()));
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text(certificate)?).collect();
    let chain = chain.with_context(|| format!("{} is no certificate", certificate.display()))?;
    if chain.is_empty() {
        bail!("{} holds no certificate", certificate.display());
    }
    let secret = PrivateKeyDer::from_pem_slice(&text(key)?);
    let secret = secret.map_err(|_| anyhow::anyhow!("{} holds no key", key.display()))?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, secret)
        .with_context(|| format!("{} does not fit {}", key.display(), certificate.display()))?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
