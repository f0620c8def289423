//! Batches of datagrams.

use std::net::SocketAddr;

use axum::body::Bytes;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::{self, Datagram, ToBrowser, WireError};

/// Datagrams in order of arrival, encoded as the message browsers receive.
#[derive(Clone, Debug)]
pub struct Batch(Bytes);

impl Batch {
    /// A batch that another machine sent, as the message that it is.
    #[cfg(feature = "team")]
    pub(crate) fn received(message: Bytes) -> Self {
        Self(message)
    }

    /// The message, shared by all who have this batch.
    pub fn message(&self) -> Bytes {
        self.0.clone()
    }

    /// The datagrams, read in place.
    pub fn datagrams(&self) -> Result<Vec<Datagram<'_>>, WireError> {
        match wire::decode(&self.0)? {
            ToBrowser::Batch(datagrams) => Ok(datagrams),
            other => Err(WireError::Damaged { what: format!("a batch was expected and not {other:?}") }),
        }
    }

    /// Its length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// Datagrams since the last batch. Its buffers are reused, so that taking a datagram allocates nothing.
#[derive(Default)]
pub(super) struct Pending {
    heads: Vec<Head>,
    /// The datagrams' bytes, end to end.
    bytes: Vec<u8>,
    latest: Micros,
}

struct Head {
    at: Micros,
    sender: SocketAddr,
    port: u16,
    feed: Option<Feed>,
    len: usize,
}

impl Pending {
    pub(super) fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.len() + self.heads.len() * size_of::<Head>()
    }

    pub(super) fn push(&mut self, datagram: &Datagram<'_>) {
        let &Datagram { at, sender, port, feed, bytes } = datagram;
        self.latest = self.latest.max(at);
        self.heads.push(Head { at: self.latest, sender, port, feed, len: bytes.len() });
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn clear(&mut self) {
        self.heads.clear();
        self.bytes.clear();
    }

    /// Takes everything as a batch, if there is anything.
    pub(super) fn take(&mut self) -> Option<Batch> {
        if self.is_empty() {
            return None;
        }
        let mut rest = self.bytes.as_slice();
        let mut datagrams = Vec::with_capacity(self.heads.len());
        for &Head { at, sender, port, feed, len } in &self.heads {
            let (bytes, behind) = rest.split_at_checked(len)?;
            rest = behind;
            datagrams.push(Datagram { at, sender, port, feed, bytes });
        }
        let message = wire::encode(&ToBrowser::Batch(datagrams));
        self.clear();
        match message {
            Ok(message) => Some(Batch(message.into())),
            Err(error) => {
                tracing::error!("packets could not be put into a message and are lost: {error}");
                None
            }
        }
    }
}
