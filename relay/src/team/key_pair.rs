//! Keys of rigs and hubs.

use std::fmt;

use nkeys::{KeyPair as NatsKeyPair, KeyPairType};

/// A key of `nats-server`: the public half stands in its configuration, the seed with its owner.
#[derive(Clone)]
pub(crate) struct KeyPair {
    pub(crate) seed: String,
    pub(crate) public: String,
}

impl KeyPair {
    /// A new key.
    pub(crate) fn new() -> anyhow::Result<Self> {
        let mut random = [0; 32];
        getrandom::fill(&mut random)?;
        let pair = NatsKeyPair::new_from_raw(KeyPairType::User, random)?;
        Ok(Self { seed: pair.seed()?, public: pair.public_key() })
    }

    /// The key of a seed, unless it is none.
    pub(crate) fn of_seed(seed: &str) -> Option<Self> {
        let pair = NatsKeyPair::from_seed(seed).ok()?;
        let is_user = pair.key_pair_type() == KeyPairType::User;
        is_user.then(|| Self { seed: seed.to_owned(), public: pair.public_key() })
    }
}

impl fmt::Debug for KeyPair {
    // A seed never gets into a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyPair({})", self.public)
    }
}
