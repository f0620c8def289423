//! The connection to the relay. It connects and reconnects by itself.

mod machine;
mod sleep;
mod socket;

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::queue_microtask;
use trailbrake_shared::wire::{self, ToRelay};

pub(crate) use machine::Shown;

use crate::browser;
use crate::text::words::sentence;
use machine::{Machine, Order};
use sleep::{Moment, SleepWatch};
use socket::{Closing, Report, Socket};

/// A connection to one of the relay's WebSockets. Clones are handles to the same connection.
#[derive(Clone)]
pub(crate) struct Link {
    /// The WebSocket's address.
    address: Rc<str>,
    machine: Rc<RefCell<Machine>>,
    sleep: Rc<RefCell<SleepWatch>>,
    socket: Rc<RefCell<Option<Socket>>>,
    /// The message to send when a connection opens.
    greeting: Option<ToRelay>,
    read: Rc<Read>,
    cut_off: Rc<CutOff>,
}

/// Handles a message.
type Read = dyn Fn(Vec<u8>);
/// Shows why the relay cut this page off, in a sentence.
type CutOff = dyn Fn(String);

impl Link {
    /// Starts connecting to the WebSocket of packets; every message goes to `read`, and a reason why the relay cuts
    /// this page off to `cut_off`. `None` if no relay served the page.
    pub(crate) fn to_packets(
        read: impl Fn(Vec<u8>) + 'static,
        cut_off: impl Fn(String) + 'static,
    ) -> Option<Self> {
        Self::start("live", Some(ToRelay::Hello { page: browser::VERSION.to_owned() }), read, cut_off)
    }

    /// Like [`to_packets`](Self::to_packets), to the WebSocket of the room.
    pub(crate) fn to_room(
        read: impl Fn(Vec<u8>) + 'static,
        cut_off: impl Fn(String) + 'static,
    ) -> Option<Self> {
        Self::start("room", None, read, cut_off)
    }

    fn start(
        path: &str,
        greeting: Option<ToRelay>,
        read: impl Fn(Vec<u8>) + 'static,
        cut_off: impl Fn(String) + 'static,
    ) -> Option<Self> {
        let link = Self {
            address: browser::socket_address(path)?.into(),
            machine: Rc::new(RefCell::new(Machine::new(browser::now_ms()))),
            sleep: Rc::default(),
            socket: Rc::default(),
            greeting,
            read: Rc::new(read),
            cut_off: Rc::new(cut_off),
        };
        link.obey(Order::Open);
        let woken = link.clone();
        browser::on_waking(move || woken.retry());
        let left = link.clone();
        browser::on_leaving(move || left.leave());
        Some(link)
    }

    /// Handles the passing of time; call it several times a second.
    pub(crate) fn tick(&self) {
        if !self.reconnects_after_sleep() {
            let order = self.machine.borrow_mut().tick(browser::now_ms(), browser::chance());
            self.obey(order);
        }
    }

    /// Sends a message. Returns false if there is no connection.
    pub(crate) fn send(&self, message: &[u8]) -> bool {
        let connected = self.shown() == Shown::Connected;
        let socket = self.socket.borrow();
        let sent = socket.as_ref().filter(|_| connected).map(|socket| socket.send(message));
        sent.is_some()
    }

    /// The state of the link.
    pub(crate) fn shown(&self) -> Shown {
        self.machine.borrow().shown(browser::now_ms())
    }

    /// Ends the connection for good: the relay has another version than this page.
    pub(crate) fn outdated(&self) {
        let order = self.machine.borrow_mut().outdated();
        self.obey(order);
    }

    /// The page may reach the relay again: connects now instead of waiting on.
    fn retry(&self) {
        if !self.reconnects_after_sleep() {
            let order = self.machine.borrow_mut().retry(browser::now_ms());
            self.obey(order);
        }
    }

    /// Closes the connection when the user leaves the page: otherwise a page that the browser keeps frozen would still
    /// seem present.
    fn leave(&self) {
        drop(self.socket.take());
        self.machine.borrow_mut().broke(browser::now_ms(), browser::chance());
    }

    /// Connects again if the device slept, since the messages of the old connection are outdated. Returns whether it
    /// slept.
    fn reconnects_after_sleep(&self) -> bool {
        let now = Moment { page_ms: browser::now_ms(), day_ms: browser::now().0 as f64 / 1e3 };
        let slept = self.sleep.borrow_mut().slept_until(now);
        if slept {
            let order = self.machine.borrow_mut().reconnect(now.page_ms);
            let link = self.clone();
            // Deferred: the caller may be a callback of the old socket, which `obey` drops.
            queue_microtask(move || link.obey(order));
        }
        slept
    }

    fn obey(&self, order: Order) {
        match order {
            Order::Rest => {}
            Order::Close => drop(self.socket.take()),
            Order::Open => {
                drop(self.socket.take());
                let link = self.clone();
                let socket = Socket::open(&self.address, move |report| link.take(report));
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
            Report::Closed(Closing::NoSeat(reason)) => {
                let (now, chance) = (browser::now_ms(), browser::chance());
                self.machine.borrow_mut().turned_away(sentence(&reason), now, chance);
            }
            Report::Closed(closing) => {
                self.machine.borrow_mut().broke(browser::now_ms(), browser::chance());
                if let Closing::CutOff(reason) = closing {
                    (self.cut_off)(sentence(&reason));
                }
            }
            Report::Message(_) if self.reconnects_after_sleep() => {}
            Report::Message(message) => {
                self.machine.borrow_mut().received(browser::now_ms());
                (self.read)(message);
            }
        }
    }

    fn greet(&self) {
        let Some(hello) = &self.greeting else { return };
        // Encoding fails only above the size limit, and a greeting has a few bytes.
        if let (Ok(message), Some(socket)) = (wire::encode(hello), &*self.socket.borrow()) {
            socket.send(&message);
        }
    }
}
