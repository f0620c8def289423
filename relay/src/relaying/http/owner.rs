//! The owner of the relay: somebody at the machine that it runs on.

use std::net::SocketAddr;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::access::Access;

/// A mark on requests of the owner.
#[derive(Clone, Copy)]
pub(super) struct Owner;

/// Whether a client of a listener is the owner. Tablets are not, not even one that runs on this machine.
pub(super) fn is_owner(access: &Access, client: SocketAddr) -> bool {
    access.needs_no_token() && client.ip().to_canonical().is_loopback()
}

/// Rejects everybody but the owner.
pub(super) async fn owner_only(request: Request, next: Next) -> Response {
    if request.extensions().get::<Owner>().is_none() {
        let words = "Only the computer that Trailbrake runs on may do this.\n";
        return (StatusCode::FORBIDDEN, words).into_response();
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::token::Token;

    #[test]
    fn the_owner_is_at_this_machine_and_needs_no_link() {
        let here: SocketAddr = ([127, 0, 0, 1], 8777).into();
        let local = Access::local(here);
        assert!(is_owner(&local, ([127, 0, 0, 1], 40_000).into()));
        assert!(is_owner(&local, "[::ffff:127.0.0.1]:40000".parse().expect("an address")));
        assert!(!is_owner(&local, ([192, 168, 1, 9], 40_000).into()));
        assert!(!is_owner(&local, "[fe80::1]:40000".parse().expect("an address")));
        let tablets = Access::with_token(here, Token::random().expect("a token"), Arc::default());
        assert!(!is_owner(&tablets, ([127, 0, 0, 1], 40_000).into()));
    }
}
