//! A web host for files, as a coach may have one: it serves a folder below a path, and nothing else.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// Content types by the end of a file's name.
const TYPES: &[(&str, &str)] = &[
    (".html", "text/html; charset=utf-8"),
    (".css", "text/css"),
    (".js", "text/javascript"),
    (".wasm", "application/wasm"),
    (".svg", "image/svg+xml"),
    (".txt", "text/plain; charset=utf-8"),
];

/// A running host. It ends when dropped.
pub struct WebHost {
    /// The address of the folder.
    pub url: String,
    address: SocketAddr,
    shared: Arc<Shared>,
    thread: Option<thread::JoinHandle<()>>,
}

struct Shared {
    folder: PathBuf,
    path: String,
    is_ended: AtomicBool,
    /// Requests that were not for a file: the first line of each.
    strange: Mutex<Vec<String>>,
}

impl WebHost {
    /// Serves a folder below a path such as `/tools/laps/`.
    pub fn start(folder: PathBuf, path: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("its address");
        let strange = Mutex::default();
        let shared = Shared { folder, path: path.to_owned(), is_ended: AtomicBool::new(false), strange };
        let shared = Arc::new(shared);
        let serving = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if serving.is_ended.load(Ordering::Relaxed) {
                    return;
                }
                let serving = Arc::clone(&serving);
                thread::spawn(move || drop(serving.answer(&stream)));
            }
        });
        Self { url: format!("http://{address}{path}"), address, shared, thread: Some(thread) }
    }

    /// Requests for anything but a file of the folder: the first line of each.
    pub fn strange(&self) -> Vec<String> {
        self.shared.strange.lock().expect("no panic").clone()
    }
}

impl Drop for WebHost {
    fn drop(&mut self) {
        self.shared.is_ended.store(true, Ordering::Relaxed);
        // The thread waits for a connection.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn answer(&self, mut stream: &TcpStream) -> std::io::Result<()> {
        let mut lines = BufReader::new(stream).lines();
        let Some(first) = lines.next().transpose()?.filter(|line| !line.is_empty()) else { return Ok(()) };
        // The headers have to be read before the answer.
        for line in lines {
            if line?.is_empty() {
                break;
            }
        }
        let name = first.strip_prefix("GET ").and_then(|rest| rest.strip_suffix(" HTTP/1.1"));
        let name = name.and_then(|path| path.strip_prefix(self.path.as_str()));
        let name = name.map(|name| if name.is_empty() { "index.html" } else { name });
        let is_below = |name: &&str| !name.contains("..") && !name.starts_with('/');
        let file =
            name.filter(is_below).and_then(|name| Some((name, fs::read(self.folder.join(name)).ok()?)));
        let Some((name, bytes)) = file else {
            self.strange.lock().expect("no panic").push(first);
            return stream
                .write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        };
        let kind = TYPES
            .iter()
            .find(|(end, _)| name.ends_with(end))
            .map_or("application/octet-stream", |(_, kind)| kind);
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            bytes.len()
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(&bytes)
    }
}
