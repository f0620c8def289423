//! Ports of a test's own.

use std::net::{Ipv4Addr, TcpListener, UdpSocket};
use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};

/// Below what systems hand out by themselves, and above what racing games use.
const RANGE: Range<u16> = 22_000..30_000;

/// How many ports have been handed out.
static HANDED_OUT: AtomicU16 = AtomicU16::new(0);

/// A port of loopback that nobody uses, for TCP and UDP. No test of this process gets it again, and no socket that lets
/// the system choose its port takes it meanwhile.
pub fn free_port() -> u16 {
    // Test programs that run at the same time begin in different places.
    let begin = std::process::id().wrapping_mul(97) as u16 % RANGE.len() as u16;
    let next = || {
        let step = HANDED_OUT.fetch_add(1, Ordering::Relaxed);
        RANGE.start + begin.wrapping_add(step) % RANGE.len() as u16
    };
    let is_free = |port: &u16| {
        let address = (Ipv4Addr::LOCALHOST, *port);
        UdpSocket::bind(address).is_ok() && TcpListener::bind(address).is_ok()
    };
    std::iter::repeat_with(next).take(RANGE.len()).find(is_free).expect("a free port")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_port_is_given_twice_and_none_that_is_taken() {
        let first = free_port();
        let taken = UdpSocket::bind((Ipv4Addr::LOCALHOST, first + 1));
        let mut ports: Vec<u16> = (0..50).map(|_| free_port()).chain([first]).collect();
        assert!(ports.iter().all(|port| RANGE.contains(port)), "{ports:?}");
        assert!(taken.is_err() || !ports.contains(&(first + 1)), "{ports:?}");
        ports.sort_unstable();
        ports.dedup();
        assert_eq!(ports.len(), 51);
    }
}
