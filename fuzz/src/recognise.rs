//! How datagrams are told apart.

use trailbrake_shared::feed::{self, FEEDS};

/// One datagram from anybody: the first feed that claims it has it, and who claims nothing has to say why.
///
/// That two claim it can be brought about on purpose, since one byte is all the mark that some packets have. What games
/// really send is claimed once: the tests of the table say so.
pub fn recognise(bytes: &[u8]) {
    let claims = |row: &&feed::FeedInfo| row.codec.is_some_and(|codec| (codec.recognise)(bytes).is_ok());
    let claimed: Vec<_> = FEEDS.iter().filter(|row| row.heard).filter(claims).map(|row| row.feed).collect();
    match feed::recognise(bytes) {
        Ok(recognised) => {
            assert_eq!(claimed.first(), Some(&recognised.feed), "the table says what its feeds say");
            assert!(!recognised.packet.is_empty(), "a packet has a name");
        }
        Err(reason) => assert!(!reason.to_string().is_empty(), "a refusal has a reason"),
    }
}
