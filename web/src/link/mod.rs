//! The connection to the relay: it opens and reconnects by itself.

mod machine;
mod socket;

use std::cell::RefCell;
use std::rc::Rc;

use trailbrake_shared::wire::{self, ToRelay};

pub(crate) use machine::Shown;

use crate::browser;
use machine::{Machine, Order};
use socket::{Report, Socket};

/// The connection to the relay.
#[derive(Clone)]
pub(crate) struct Link {
    /// Where the relay is; `None` when no relay served the page.
    address: Option<Rc<str>>,
    machine: Rc<RefCell<Machine>>,
    socket: Rc<RefCell<Option<Socket>>>,
    read: Rc<Read>,
}

/// Handles a message.
type Read = dyn Fn(Vec<u8>);

impl Link {
    /// Starts connecting; every message goes to `read`.
    pub(crate) fn start(read: impl Fn(Vec<u8>) + 'static) -> Self {
        let link = Self {
            address: browser::live_address().map(Rc::from),
            machine: Rc::new(RefCell::new(Machine::new(browser::now_ms()))),
            socket: Rc::default(),
            read: Rc::new(read),
        };
        link.obey(Order::Open);
        link
    }

    /// Handles the time; call it several times a second.
    pub(crate) fn tick(&self) {
        if self.address.is_some() {
            let order = self.machine.borrow_mut().tick(browser::now_ms(), browser::chance());
            self.obey(order);
        }
    }

    /// Sends a message. Returns whether there is a connection.
    pub(crate) fn send(&self, message: &[u8]) -> bool {
        let connected = self.shown() == Shown::Connected;
        let socket = self.socket.borrow();
        let sent = socket.as_ref().filter(|_| connected).map(|socket| socket.send(message));
        sent.is_some()
    }

    /// The state of the link.
    pub(crate) fn shown(&self) -> Shown {
        match self.address {
            Some(_) => self.machine.borrow().shown(browser::now_ms()),
            None => Shown::NoRelay,
        }
    }

    /// Ends the connection for good: the relay has another version than this page.
    pub(crate) fn outdated(&self) {
        let order = self.machine.borrow_mut().outdated();
        self.obey(order);
    }

    fn obey(&self, order: Order) {
        match order {
            Order::Rest => {}
            Order::Close => drop(self.socket.take()),
            Order::Open => {
                let Some(address) = &self.address else { return };
                drop(self.socket.take());
                let link = self.clone();
                let socket = Socket::open(address, move |report| link.take(report));
                if socket.is_none() {
                    self.machine.borrow_mut().broke(browser::now_ms(), browser::chance());
                }
                self.socket.replace(socket);
            }
        }
    }

    fn take(&self, report: Report) {
        match report {
            Report::Opened => self.greet(),
            Report::Closed => self.machine.borrow_mut().broke(browser::now_ms(), browser::chance()),
            Report::Message(message) => {
                self.machine.borrow_mut().heard(browser::now_ms());
                (self.read)(message);
            }
        }
    }

    fn greet(&self) {
        let hello = ToRelay::Hello { page: browser::VERSION.to_owned() };
        // A greeting of a few bytes is always under the limit, the only thing that encoding can fail at.
        if let (Ok(message), Some(socket)) = (wire::encode(&hello), &*self.socket.borrow()) {
            socket.send(&message);
        }
    }
}
