//! A link that can be cut: a proxy between a rig and its hub.

use std::io;
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use trailbrake_isolation::free_port;

const OPEN: u8 = 0;
/// Connections end, and new ones are refused.
const CUT: u8 = 1;
/// Connections stay, and nothing gets through.
const SILENT: u8 = 2;

/// The link.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    state: Arc<AtomicU8>,
    streams: Arc<Mutex<Vec<TcpStream>>>,
}

impl Proxy {
    /// An open link to a port.
    pub(crate) fn to(target: u16) -> Self {
        let port = free_port();
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("a port");
        let (state, streams) = (Arc::<AtomicU8>::default(), Arc::<Mutex<Vec<TcpStream>>>::default());
        let (now, all) = (Arc::clone(&state), Arc::clone(&streams));
        std::thread::spawn(move || {
            for near in listener.incoming().flatten() {
                if now.load(Ordering::SeqCst) == CUT {
                    continue;
                }
                let Ok(far) = TcpStream::connect(("127.0.0.1", target)) else { continue };
                for (from, to) in [(&near, &far), (&far, &near)] {
                    let (from, to) = (from.try_clone().expect("a stream"), to.try_clone().expect("a stream"));
                    let now = Arc::clone(&now);
                    std::thread::spawn(move || drop(carry(from, to, &now)));
                }
                all.lock().expect("streams").extend([near, far]);
            }
        });
        Self { port, state, streams }
    }

    pub(crate) fn cut(&self) {
        self.state.store(CUT, Ordering::SeqCst);
        for stream in self.streams.lock().expect("streams").drain(..) {
            // It may be closed already.
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
    }

    pub(crate) fn silence(&self) {
        self.state.store(SILENT, Ordering::SeqCst);
    }

    pub(crate) fn open(&self) {
        self.state.store(OPEN, Ordering::SeqCst);
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream, state: &AtomicU8) -> io::Result<()> {
    let mut bytes = [0; 16 << 10];
    loop {
        let len = io::Read::read(&mut from, &mut bytes)?;
        while state.load(Ordering::SeqCst) == SILENT {
            std::thread::sleep(Duration::from_millis(10));
        }
        if len == 0 {
            return to.shutdown(std::net::Shutdown::Both);
        }
        io::Write::write_all(&mut to, bytes.get(..len).unwrap_or_default())?;
    }
}
