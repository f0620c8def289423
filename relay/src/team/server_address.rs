//! Addresses of servers.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The usual port of `nats-server`.
const PORT: u16 = 4222;
/// How far behind the port for rigs the one for other servers is, as `nats-server` usually has them.
const TO_CLUSTER: u16 = 2000;

/// A server's name or address, and its port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct ServerAddress {
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl ServerAddress {
    /// Whether only this machine reaches it.
    pub(crate) fn is_loopback(&self) -> bool {
        self.host == "localhost" || self.host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }

    /// The port for the other servers.
    pub(crate) fn cluster_port(&self) -> u16 {
        self.port.checked_add(TO_CLUSTER).unwrap_or(self.port - TO_CLUSTER)
    }

    /// The host as it stands before a port.
    pub(crate) fn bracketed_host(&self) -> String {
        if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() }
    }
}

impl FromStr for ServerAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "{text:?} is no server: a name or an address is wanted, such as hub.example or hub.example:4222"
            )
        };
        if let Ok(ip) = text.trim_matches(['[', ']']).parse::<IpAddr>() {
            return Ok(Self { host: ip.to_string(), port: PORT });
        }
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().ok().filter(|port| *port > 0).ok_or_else(wrong)?),
            None => (text, PORT),
        };
        let host = host.trim_matches(['[', ']']);
        let fits = |letter: char| letter.is_ascii_alphanumeric() || ".-".contains(letter);
        let is_name =
            !host.is_empty() && host.len() <= 253 && host.chars().all(fits) && !host.starts_with('-');
        if is_name || host.parse::<IpAddr>().is_ok() {
            Ok(Self { host: host.to_owned(), port })
        } else {
            Err(wrong())
        }
    }
}

impl TryFrom<String> for ServerAddress {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<ServerAddress> for String {
    fn from(address: ServerAddress) -> Self {
        address.to_string()
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.bracketed_host(), self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_a_name_or_an_address_with_or_without_a_port() {
        for (text, expected) in [
            ("hub.example", "hub.example:4222"),
            ("hub.example:4333", "hub.example:4333"),
            ("10.0.0.7", "10.0.0.7:4222"),
            ("::1", "[::1]:4222"),
            ("[::1]:4333", "[::1]:4333"),
        ] {
            assert_eq!(text.parse::<ServerAddress>().map(|one| one.to_string()).as_deref(), Ok(expected));
        }
        for text in ["", "a b", "hub:0", "hub:99999", "-x", "a/b", "\"; include x", "hub:"] {
            assert!(text.parse::<ServerAddress>().is_err(), "{text}");
        }
        let loopback = |text: &str| text.parse::<ServerAddress>().expect("an address").is_loopback();
        assert!(loopback("localhost") && loopback("127.0.0.1:1") && loopback("::1") && !loopback("10.0.0.1"));
    }
}
