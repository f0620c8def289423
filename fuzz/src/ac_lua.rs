//! Packets of the Lua app: text that should be JSON.

use trailbrake_shared::games::Decode;
use trailbrake_shared::games::ac_lua::{Decoder, describe, recognise};
use trailbrake_shared::time::Micros;

use super::datagram::{Taken, consume};

/// Packets of one app, each terminated by a zero, one frame apart.
pub fn ac_lua(bytes: &[u8]) {
    let mut decoder = Decoder::default();
    for (frame, datagram) in (0..).zip(bytes.split(|&byte| byte == 0)) {
        let known = recognise(datagram).is_ok();
        assert_eq!(known, describe(datagram).is_ok(), "what is recognised has fields, and nothing else");
        consume(decoder.receive(Micros(frame * 16_667), datagram, &mut Taken));
    }
}
