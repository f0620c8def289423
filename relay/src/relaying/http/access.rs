//! Decides which requests are answered. Every request and every upgrade is checked here first.
//!
//! The relay's own listener answers only to this machine's names, and only to its own pages: a page from elsewhere must
//! not read telemetry, neither by direct requests nor by resolving its own name to this machine (DNS rebinding). The
//! listener for tablets also answers to browsers that have the link from the terminal.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::Query;
use axum::http::header::{COOKIE, HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Uri};
use serde::Deserialize;

use super::header::single;
use super::token::Token;

/// One listener's rules.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    address: SocketAddr,
    token: Option<Token>,
}

/// The decision about a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Answer it.
    Enter,
    /// It has the link's token: set this cookie and go on to the address without the token.
    Welcome(String),
    /// Reject it, for this reason.
    Refuse(&'static str),
}

const WRONG_HOST: &str =
    "Trailbrake does not answer to this name. Open the address that it prints in its terminal.\n";
const WRONG_ORIGIN: &str = "Trailbrake answers only to its own pages.\n";
const NO_TOKEN: &str = "Open the link, or scan the code, that Trailbrake shows on its own computer: it carries the key to this page.\n";

impl Access {
    /// Access for this machine's own browsers.
    pub(crate) fn local(address: SocketAddr) -> Self {
        Self { address, token: None }
    }

    /// Access for browsers that have the token.
    pub(crate) fn with_token(address: SocketAddr, token: Token) -> Self {
        Self { address, token: Some(token) }
    }

    /// Whether this listener is for this machine's own browsers.
    pub(crate) fn needs_no_token(&self) -> bool {
        self.token.is_none()
    }

    /// Whether browsers trust this listener like an encrypted one.
    pub(crate) fn is_trustworthy(&self) -> bool {
        self.address.ip().is_loopback()
    }

    /// Decides on a request.
    pub(crate) fn judge(&self, uri: &Uri, headers: &HeaderMap) -> Verdict {
        let Some(host) = single(headers, HOST) else { return Verdict::Refuse(WRONG_HOST) };
        if !self.is_own_name(host) || uri.authority().is_some_and(|named| named.as_str() != host) {
            return Verdict::Refuse(WRONG_HOST);
        }
        if headers.contains_key(ORIGIN)
            && !single(headers, ORIGIN).is_some_and(|origin| is_from(origin, host))
        {
            return Verdict::Refuse(WRONG_ORIGIN);
        }
        let Some(token) = &self.token else { return Verdict::Enter };
        match offered_in_address(uri) {
            Some(offered) if token.is(&offered) => Verdict::Welcome(self.cookie(token)),
            Some(_) => Verdict::Refuse(NO_TOKEN),
            None if self.offered_in_cookies(headers).any(|offered| token.is(offered)) => Verdict::Enter,
            None => Verdict::Refuse(NO_TOKEN),
        }
    }

    fn is_own_name(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        if host.contains('@') || authority.port_u16().unwrap_or(80) != self.address.port() {
            return false;
        }
        let name = authority.host();
        if self.token.is_none() && name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let Ok(ip) = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() else {
            return false;
        };
        let loopback = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
        ip == self.address.ip() || self.token.is_none() && loopback.contains(&ip)
    }

    /// Cookies ignore ports, so the name contains the port: two relays on one machine do not share a cookie.
    fn cookie_name(&self) -> String {
        format!("trailbrake-{}", self.address.port())
    }

    fn cookie(&self, token: &Token) -> String {
        format!("{}={token}; HttpOnly; SameSite=Strict; Path=/", self.cookie_name())
    }

    fn offered_in_cookies<'a>(&self, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> {
        let name = self.cookie_name();
        let values = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(';')).filter_map(move |cookie| {
            let (key, value) = cookie.trim().split_once('=')?;
            (key == name).then_some(value)
        })
    }
}

fn is_from(origin: &str, host: &str) -> bool {
    origin.strip_prefix("http://").is_some_and(|authority| authority.eq_ignore_ascii_case(host))
}

/// The token in the address. An address with two of them offers none that is right.
fn offered_in_address(uri: &Uri) -> Option<String> {
    #[derive(Deserialize)]
    struct Offer {
        token: Option<String>,
    }
    Query::<Offer>::try_from_uri(uri).map_or_else(|_| Some(String::new()), |Query(offer)| offer.token)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(name.clone(), HeaderValue::from_str(value).expect("a value"));
        }
        headers
    }

    fn judge(access: &Access, uri: &str, pairs: &[(HeaderName, &str)]) -> Verdict {
        access.judge(&uri.parse().expect("an address"), &headers(pairs))
    }

    fn local() -> Access {
        Access::local(([127, 0, 0, 1], 8777).into())
    }

    #[test]
    fn this_machines_own_names_come_in() {
        for host in ["127.0.0.1:8777", "localhost:8777", "LOCALHOST:8777", "[::1]:8777"] {
            assert_eq!(judge(&local(), "/", &[(HOST, host)]), Verdict::Enter, "{host}");
            let origin = format!("http://{host}");
            assert_eq!(
                judge(&local(), "/live", &[(HOST, host), (ORIGIN, &origin)]),
                Verdict::Enter,
                "{host}"
            );
        }
        let other = Access::local(([127, 0, 0, 2], 80).into());
        assert_eq!(judge(&other, "/", &[(HOST, "127.0.0.2")]), Verdict::Enter);
    }

    #[test]
    fn other_names_stay_out() {
        for host in [
            "evil.example:8777",
            "127.0.0.1.evil.example:8777",
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.2:8777",
            "192.168.1.5:8777",
            "localhost.:8777",
            "me@127.0.0.1:8777",
            "",
        ] {
            assert_eq!(judge(&local(), "/", &[(HOST, host)]), Verdict::Refuse(WRONG_HOST), "{host}");
        }
        assert_eq!(judge(&local(), "/", &[]), Verdict::Refuse(WRONG_HOST));
        let twice = [(HOST, "127.0.0.1:8777"), (HOST, "evil.example")];
        assert_eq!(judge(&local(), "/", &twice), Verdict::Refuse(WRONG_HOST));
        let absolute = judge(&local(), "http://evil.example/", &[(HOST, "127.0.0.1:8777")]);
        assert_eq!(absolute, Verdict::Refuse(WRONG_HOST));
    }

    #[test]
    fn pages_from_elsewhere_stay_out() {
        let host = "127.0.0.1:8777";
        for origin in [
            "http://evil.example",
            "https://127.0.0.1:8777",
            "http://127.0.0.1:8778",
            "http://localhost:8777",
            "null",
            "",
        ] {
            let verdict = judge(&local(), "/live", &[(HOST, host), (ORIGIN, origin)]);
            assert_eq!(verdict, Verdict::Refuse(WRONG_ORIGIN), "{origin}");
        }
        let twice = [(HOST, host), (ORIGIN, "http://127.0.0.1:8777"), (ORIGIN, "http://evil.example")];
        assert_eq!(judge(&local(), "/live", &twice), Verdict::Refuse(WRONG_ORIGIN));
    }

    #[test]
    fn the_tablets_door_opens_by_link_and_then_by_cookie() {
        let token = Token::random().expect("a token");
        let other = Token::random().expect("a token");
        let access = Access::with_token(([192, 168, 1, 5], 8777).into(), token.clone());
        let host = (HOST, "192.168.1.5:8777");
        let check = |uri: &str, cookie: &str, want: &Verdict| {
            let cookie = if cookie.is_empty() { vec![] } else { vec![(COOKIE, cookie)] };
            let pairs: Vec<_> = [host.clone()].into_iter().chain(cookie).collect();
            assert_eq!(judge(&access, uri, &pairs), *want, "{uri}");
        };
        let out = Verdict::Refuse(NO_TOKEN);
        let cookie = format!("trailbrake-8777={token}");
        check(
            &format!("/?token={token}"),
            "",
            &Verdict::Welcome(format!("{cookie}; HttpOnly; SameSite=Strict; Path=/")),
        );
        check("/live", &format!("theme=dark; {cookie}"), &Verdict::Enter);
        check("/", "", &out);
        check("/live", "", &out);
        check("/?token=", "", &out);
        check(&format!("/?token={token}&token={other}"), &cookie, &out);
        check(&format!("/?token={other}"), &cookie, &out);
        check("/", &format!("trailbrake-8777={other}"), &out);
        check("/", &format!("trailbrake-8778={token}"), &out);

        for name in ["localhost:8777", "127.0.0.1:8777", "tablet.example:8777"] {
            let verdict = judge(&access, &format!("/?token={token}"), &[(HOST, name)]);
            assert_eq!(verdict, Verdict::Refuse(WRONG_HOST), "{name}");
        }
    }
}
