//! Decides which requests are answered. Every request and every upgrade is checked here first.
//!
//! The relay's own listener answers only to this machine's names, and only to its own pages: a page from elsewhere must
//! not read telemetry, neither by direct requests nor by resolving its own name to this machine (DNS rebinding). The
//! listener for tablets also answers to browsers that have the link from the terminal. A hub's listener answers to those
//! who have a link, by whatever name they reach it: no page from elsewhere has the cookie.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use axum::extract::Query;
use axum::http::header::{COOKIE, HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Uri};
use serde::Deserialize;

#[cfg(feature = "team")]
use super::encryption::Encryption;
use super::header::single;

use super::wrong_tokens::{Place, WrongTokens};
use crate::lock::Lock;
#[cfg(feature = "team")]
use crate::team::{PageLinks, Role};
use crate::token::Token;

/// One listener's rules.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    address: SocketAddr,
    key: Option<Key>,
}

/// What opens a listener to others.
#[derive(Clone, Debug)]
struct Key {
    tokens: Tokens,
    wrong: Arc<Lock<WrongTokens>>,
}

/// The tokens of a listener.
#[derive(Clone, Debug)]
enum Tokens {
    /// That of the link for tablets.
    Tablets(Token),
    /// Those of the links to a hub's page, which may be encrypted.
    #[cfg(feature = "team")]
    Team { links: PageLinks, encryption: Option<Arc<Encryption>> },
}

/// The decision about a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Answer it.
    Enter,
    /// Answer it within the rights of this role.
    #[cfg(feature = "team")]
    EnterAs(Role),
    /// It has the link's token: set this cookie and go on to the address without the token.
    Welcome(String),
    /// Reject it, for this reason.
    Refuse(&'static str),
    /// It comes from our own page, but without a valid token: reject it.
    Lock(&'static LockedOut),
    /// The client has tried too many wrong tokens: reject it for a while, whatever it offers.
    Wait(&'static str),
}

/// What somebody without a valid token reads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LockedOut {
    /// In the browser, instead of the page.
    pub(crate) instead: &'static str,
    /// On a page that is open.
    pub(crate) on_page: &'static str,
}

const WRONG_HOST: &str =
    "Trailbrake does not answer to this name. Open the address that it prints in its terminal.\n";
const WRONG_ORIGIN: &str = "Trailbrake answers only to its own pages.\n";
const NO_TOKEN: &LockedOut = &LockedOut {
    instead: "Open the link, or scan the code, that Trailbrake shows on its own computer: it carries the key to this page.\n",
    on_page: "this device's link is not valid any more: open the one that Trailbrake shows now",
};
#[cfg(feature = "team")]
const NO_LINK: &LockedOut = &LockedOut {
    instead: "Open the link that you were given: it carries the key to this page. The team's organiser makes one with `trailbrake team link`.\n",
    on_page: "your link is not valid any more: ask the team's organiser for another",
};
const TOO_MANY: &str =
    "This device has tried too many wrong links. Wait a minute, then open the link again.\n";

impl Access {
    /// Access for this machine's own browsers.
    pub(crate) fn local(address: SocketAddr) -> Self {
        Self { address, key: None }
    }

    /// Access for browsers that have the token. Wrong ones are counted.
    pub(crate) fn with_token(address: SocketAddr, token: Token, wrong: Arc<Lock<WrongTokens>>) -> Self {
        Self { address, key: Some(Key { tokens: Tokens::Tablets(token), wrong }) }
    }

    /// Access for those who have a link to a hub's page. As long as nobody has one, this machine's own browsers need none.
    #[cfg(feature = "team")]
    pub(crate) fn with_links(
        address: SocketAddr,
        links: PageLinks,
        encryption: Option<Arc<Encryption>>,
    ) -> Self {
        let key = Key { tokens: Tokens::Team { links, encryption }, wrong: Arc::default() };
        Self { address, key: Some(key) }
    }

    /// Whether this listener is for this machine's own browsers.
    pub(crate) fn needs_no_token(&self) -> bool {
        self.key.is_none()
    }

    /// Whether a client may be a proxy, which stands for many.
    pub(crate) fn may_be_proxy(&self, client: IpAddr) -> bool {
        self.is_team() && client.to_canonical().is_loopback()
    }

    /// Whether this is a hub's listener.
    pub(crate) fn is_team(&self) -> bool {
        match self.key.as_ref().map(|key| &key.tokens) {
            #[cfg(feature = "team")]
            Some(Tokens::Team { .. }) => true,
            Some(Tokens::Tablets(_)) | None => false,
        }
    }

    /// What encrypts the connections.
    #[cfg(feature = "team")]
    pub(crate) fn encryption(&self) -> Option<&Arc<Encryption>> {
        match &self.key.as_ref()?.tokens {
            Tokens::Team { encryption, .. } => encryption.as_ref(),
            Tokens::Tablets(_) => None,
        }
    }

    fn is_encrypted(&self) -> bool {
        #[cfg(feature = "team")]
        return self.encryption().is_some();
        #[cfg(not(feature = "team"))]
        false
    }

    /// Whether browsers trust this listener.
    pub(crate) fn is_trustworthy(&self) -> bool {
        self.is_encrypted() || self.address.ip().is_loopback()
    }

    /// Decides on a request.
    pub(crate) fn judge(&self, uri: &Uri, headers: &HeaderMap, client: IpAddr, now: Instant) -> Verdict {
        let Some(host) = single(headers, HOST) else { return Verdict::Refuse(WRONG_HOST) };
        let key = self.key.as_ref().filter(|key| !self.is_open(key));
        if !self.is_own_name(host, key) || uri.authority().is_some_and(|named| named.as_str() != host) {
            return Verdict::Refuse(WRONG_HOST);
        }
        if headers.contains_key(ORIGIN)
            && !single(headers, ORIGIN).is_some_and(|origin| self.is_from(origin, host))
        {
            return Verdict::Refuse(WRONG_ORIGIN);
        }
        let Some(key) = key else { return self.entry_without_token() };
        let in_address = offered_in_address(uri).map(|token| (Place::Address, token));
        let in_cookie = || self.offered_in_cookie(headers).map(|token| (Place::Cookie, token.to_owned()));
        let refused = Verdict::Lock(key.tokens.missing());
        let Some((place, offered)) = in_address.or_else(in_cookie) else { return refused };
        let mut wrong = key.wrong.lock();
        // Behind a proxy, one client that guesses would slow down all others.
        if !self.may_be_proxy(client) && wrong.slows_down(client, place, now) {
            return Verdict::Wait(TOO_MANY);
        }
        let Some(entry) = key.tokens.entry(&offered) else {
            wrong.add(client, place, &offered, now).into_iter().for_each(|line| tracing::warn!("{line}"));
            return refused;
        };
        match place {
            Place::Address => Verdict::Welcome(self.cookie(&offered)),
            Place::Cookie => entry,
        }
    }

    /// Whether no token is needed: at a hub, by this machine's browsers, until the first link exists.
    fn is_open(&self, key: &Key) -> bool {
        match &key.tokens {
            Tokens::Tablets(_) => false,
            #[cfg(feature = "team")]
            Tokens::Team { links, .. } => self.address.ip().is_loopback() && links.links().is_empty(),
        }
    }

    /// The verdict where no token is needed.
    fn entry_without_token(&self) -> Verdict {
        #[cfg(feature = "team")]
        if self.is_team() {
            return Verdict::EnterAs(Role::Organiser);
        }
        Verdict::Enter
    }

    fn is_own_name(&self, host: &str, key: Option<&Key>) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        if key.is_some() && self.is_team() {
            let fits = |letter: char| letter.is_ascii_alphanumeric() || ".-:[]".contains(letter);
            return host.chars().all(fits);
        }
        if host.contains('@') || authority.port_u16().unwrap_or(80) != self.address.port() {
            return false;
        }
        let name = authority.host();
        if key.is_none() && name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let Ok(ip) = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() else {
            return false;
        };
        let loopback = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
        ip == self.address.ip() || key.is_none() && loopback.contains(&ip)
    }

    /// Whether a page that asks is one of ours. A hub's may be encrypted, by a proxy before it.
    fn is_from(&self, origin: &str, host: &str) -> bool {
        let own = |scheme| {
            origin.strip_prefix(scheme).is_some_and(|authority: &str| authority.eq_ignore_ascii_case(host))
        };
        !self.is_encrypted() && own("http://") || self.is_team() && own("https://")
    }

    /// Cookies ignore ports, so the name contains the port: two relays on one machine do not share a cookie.
    fn cookie_name(&self) -> String {
        format!("trailbrake-{}", self.address.port())
    }

    fn cookie(&self, token: &str) -> String {
        let secure = if self.is_encrypted() { "; Secure" } else { "" };
        format!("{}={token}; HttpOnly; SameSite=Strict; Path=/{secure}", self.cookie_name())
    }

    /// The token in the cookie. A request has one try: of several cookies the first counts.
    fn offered_in_cookie<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let name = self.cookie_name();
        let values = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(';')).find_map(|cookie| {
            let (key, value) = cookie.trim().split_once('=')?;
            (key == name).then_some(value)
        })
    }
}

impl Tokens {
    /// The messages for a request without a valid token.
    fn missing(&self) -> &'static LockedOut {
        match self {
            Self::Tablets(_) => NO_TOKEN,
            #[cfg(feature = "team")]
            Self::Team { .. } => NO_LINK,
        }
    }

    /// The verdict for an offered token, if it is valid.
    fn entry(&self, offered: &str) -> Option<Verdict> {
        match self {
            Self::Tablets(token) => token.is(offered).then_some(Verdict::Enter),
            #[cfg(feature = "team")]
            Self::Team { links, .. } => links.role_of(offered).map(Verdict::EnterAs),
        }
    }
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
        let client = ([192, 168, 1, 9]).into();
        access.judge(&uri.parse().expect("an address"), &headers(pairs), client, Instant::now())
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
        let access = Access::with_token(([192, 168, 1, 5], 8777).into(), token.clone(), Arc::default());
        let host = (HOST, "192.168.1.5:8777");
        let check = |uri: &str, cookie: &str, want: &Verdict| {
            let cookie = if cookie.is_empty() { vec![] } else { vec![(COOKIE, cookie)] };
            let pairs: Vec<_> = [host.clone()].into_iter().chain(cookie).collect();
            assert_eq!(judge(&access, uri, &pairs), *want, "{uri}");
        };
        let out = Verdict::Lock(NO_TOKEN);
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

    #[test]
    fn who_guesses_has_to_wait_even_with_the_right_token() {
        let token = Token::random().expect("a token");
        let access = Access::with_token(([192, 168, 1, 5], 8777).into(), token.clone(), Arc::default());
        let start = Instant::now();
        let offer = |client: u8, token: &str, seconds: u64| {
            let uri = format!("/?token={token}").parse().expect("an address");
            let now = start + std::time::Duration::from_secs(seconds);
            access.judge(&uri, &headers(&[(HOST, "192.168.1.5:8777")]), [192, 168, 1, client].into(), now)
        };
        let right = token.to_string();
        for guess in 0..10 {
            assert_eq!(offer(9, &guess.to_string(), 0), Verdict::Lock(NO_TOKEN), "{guess}");
        }
        assert_eq!(offer(9, &right, 0), Verdict::Wait(TOO_MANY));
        assert!(matches!(offer(8, &right, 0), Verdict::Welcome(_)), "another device comes in");
        let cookie = format!("trailbrake-8777={right}");
        let pairs = headers(&[(HOST, "192.168.1.5:8777"), (COOKIE, &cookie)]);
        let uri = "/live".parse().expect("an address");
        assert_eq!(access.judge(&uri, &pairs, [192, 168, 1, 9].into(), start), Verdict::Enter);
        assert!(matches!(offer(9, &right, 30), Verdict::Welcome(_)), "it waited");
    }
}
