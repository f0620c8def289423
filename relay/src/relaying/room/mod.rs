//! The room: the pages of this relay see who is there and what each one shows. It has a WebSocket of its own, so that
//! packets never wait for it.

mod members;
mod outbox;
mod socket;

pub(crate) use members::Room;
pub(crate) use socket::{LONGEST_READ, serve};
