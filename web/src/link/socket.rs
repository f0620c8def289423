//! One WebSocket with its callbacks.

use wasm_bindgen::prelude::*;
use web_sys::{BinaryType, CloseEvent, MessageEvent, WebSocket};

/// The close code by which the relay cuts off a page that sent too much, or nonsense.
const CUT_OFF: u16 = 1008;
/// The close code by which it turns away a page that it has no seat for.
const NO_SEAT: u16 = 1013;

/// An event of a socket.
pub(crate) enum Report {
    /// It is open.
    Opened,
    /// A binary message.
    Message(Vec<u8>),
    /// It is closed, or could not be opened.
    Closed(Closing),
}

/// Why a socket closed.
pub(crate) enum Closing {
    /// The relay cut this page off, for this reason.
    CutOff(String),
    /// The relay has no seat for this page, for this reason.
    NoSeat(String),
    /// Anything else.
    Lost,
}

/// A WebSocket that closes when it is dropped.
pub(crate) struct Socket {
    socket: WebSocket,
    /// The closures have to live as long as the browser may call them.
    _opened: Closure<dyn FnMut()>,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _closed: Closure<dyn FnMut(CloseEvent)>,
}

impl Socket {
    /// Opens a socket; `None` if the browser refuses.
    pub(crate) fn open(address: &str, report: impl Fn(Report) + Clone + 'static) -> Option<Self> {
        let socket = WebSocket::new(address).ok()?;
        socket.set_binary_type(BinaryType::Arraybuffer);
        let on_open = report.clone();
        let opened = Closure::<dyn FnMut()>::new(move || on_open(Report::Opened));
        let on_message = report.clone();
        let message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            // The relay never sends text. Pass it on as an empty message, which the reader rejects.
            let buffer = event.data().dyn_into::<js_sys::ArrayBuffer>();
            let bytes = buffer.map(|buffer| js_sys::Uint8Array::new(&buffer).to_vec());
            on_message(Report::Message(bytes.unwrap_or_default()));
        });
        let closed = Closure::<dyn FnMut(CloseEvent)>::new(move |event: CloseEvent| {
            report(Report::Closed(match event.code() {
                CUT_OFF => Closing::CutOff(event.reason()),
                NO_SEAT => Closing::NoSeat(event.reason()),
                _ => Closing::Lost,
            }));
        });
        socket.set_onopen(Some(opened.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(message.as_ref().unchecked_ref()));
        // A failed socket reports an error and then that it closed; the latter is enough.
        socket.set_onclose(Some(closed.as_ref().unchecked_ref()));
        Some(Self { socket, _opened: opened, _message: message, _closed: closed })
    }

    /// Sends a binary message. If that fails, the socket closes and reports that.
    pub(crate) fn send(&self, message: &[u8]) {
        let _ = self.socket.send_with_u8_array(message);
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.socket.set_onopen(None);
        self.socket.set_onmessage(None);
        self.socket.set_onclose(None);
        let _ = self.socket.close();
    }
}
