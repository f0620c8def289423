//! How datagrams are recognised.

use trailbrake_shared::feed::{self, FEEDS};

/// One datagram of any sender. The first feed that recognises it gets it; otherwise there must be a reason.
///
/// Crafted bytes can match two feeds, since some packets have a mark of only one byte. The table's own tests check that
/// packets of real games match one.
pub fn recognise(bytes: &[u8]) {
    let claims = |row: &&feed::FeedInfo| row.codec.is_some_and(|codec| (codec.recognise)(bytes).is_ok());
    let claimed: Vec<_> =
        FEEDS.iter().filter(|row| row.networked).filter(claims).map(|row| row.feed).collect();
    match feed::recognise(bytes) {
        Ok(recognised) => {
            assert_eq!(claimed.first(), Some(&recognised.feed), "the table says what its feeds say");
            assert!(!recognised.packet.is_empty(), "a packet has a name");
        }
        Err(reason) => assert!(!reason.to_string().is_empty(), "a refusal has a reason"),
    }
}
