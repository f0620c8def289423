//! What every protocol's decoder can do.

use super::Rejected;
use crate::model::Sink;
use crate::time::Micros;

/// Understands the packets of one sender of one feed. Time is an argument; nothing here waits or asks for it.
pub trait Decode: Send {
    /// Takes one datagram. Valid content reaches the sink even when a part is rejected.
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected>;
}
