//! How datagrams are told apart.

use trailbrake_shared::feed::{self, FEEDS};

/// One datagram from anybody: at most one feed may claim it, and who claims nothing has to say why.
pub fn recognise(bytes: &[u8]) {
    let claims = |row: &&feed::FeedInfo| row.codec.is_some_and(|codec| (codec.recognise)(bytes).is_ok());
    let claimed: Vec<_> = FEEDS.iter().filter(claims).map(|row| row.feed).collect();
    assert!(claimed.len() < 2, "claimed by {claimed:?}");
    match feed::recognise(bytes) {
        Ok(recognised) => {
            assert_eq!(claimed, [recognised.feed], "the table says what its feeds say");
            assert!(!recognised.packet.is_empty(), "a packet has a name");
        }
        Err(reason) => assert!(!reason.to_string().is_empty(), "a refusal has a reason"),
    }
}
