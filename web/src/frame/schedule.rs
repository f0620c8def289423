//! The subscribers of a frame's phases.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use leptos::prelude::untrack;

/// The parts of a frame, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Read the link.
    Link,
    /// Update the stores.
    Stores,
    /// Lay out figures.
    Layout,
    /// Draw figures.
    Draw,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Self; 4] = [Self::Link, Self::Stores, Self::Layout, Self::Draw];

    /// The phase's name beside its times.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Stores => "stores",
            Self::Layout => "layout",
            Self::Draw => "draw",
        }
    }
}

/// A frame, as subscribers see it.
#[derive(Clone, Copy, Debug)]
pub struct Tick {
    /// When the frame began, in milliseconds of the page; the same for all phases.
    pub now_ms: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SubscriberId(u64);

type Call = Rc<RefCell<dyn FnMut(&Tick)>>;

struct Subscriber {
    id: SubscriberId,
    phase: Phase,
    /// `None` if the subscriber was removed while a frame runs; the frame's end then drops it.
    call: Option<Call>,
}

/// The subscribers of all phases. They may be added and removed while a frame runs.
#[derive(Default)]
pub(super) struct Schedule {
    subscribers: RefCell<Vec<Subscriber>>,
    next: Cell<u64>,
    /// How many calls of `run` are in progress.
    running: Cell<u32>,
}

impl Schedule {
    pub(super) fn add(&self, phase: Phase, call: impl FnMut(&Tick) + 'static) -> SubscriberId {
        let id = SubscriberId(self.next.get());
        self.next.set(id.0 + 1);
        let call: Call = Rc::new(RefCell::new(call));
        self.subscribers.borrow_mut().push(Subscriber { id, phase, call: Some(call) });
        id
    }

    pub(super) fn remove(&self, id: SubscriberId) {
        let mut left = None;
        {
            let mut subscribers = self.subscribers.borrow_mut();
            if let Some(index) = subscribers.iter().position(|subscriber| subscriber.id == id) {
                match self.running.get() {
                    0 => left = subscribers.remove(index).call,
                    _ => left = subscribers.get_mut(index).and_then(|leaving| leaving.call.take()),
                }
            }
        }
        // Dropped after the borrow: the closure may own subscriptions, whose drop borrows the list again.
        drop(left);
    }

    /// Calls the subscribers of a phase in the order of subscription, including those added meanwhile.
    pub(super) fn run(&self, phase: Phase, tick: &Tick) {
        self.running.set(self.running.get() + 1);
        let mut index = 0;
        while let Some(call) = self.at(index, phase) {
            if let Some(call) = call
                && let Ok(mut call) = call.try_borrow_mut()
            {
                // A frame reads signals without tracking them.
                untrack(|| call(tick));
            }
            index += 1;
        }
        self.running.set(self.running.get() - 1);
        if self.running.get() == 0 {
            self.subscribers.borrow_mut().retain(|subscriber| subscriber.call.is_some());
        }
    }

    /// The call at an index: `None` beyond the last one, `Some(None)` if it was removed or belongs to another phase.
    fn at(&self, index: usize, phase: Phase) -> Option<Option<Call>> {
        let subscribers = self.subscribers.borrow();
        let subscriber = subscribers.get(index)?;
        Some(subscriber.call.clone().filter(|_| subscriber.phase == phase))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICK: Tick = Tick { now_ms: 0.0 };

    type Log = Rc<RefCell<Vec<&'static str>>>;

    fn frame(schedule: &Schedule) {
        for phase in Phase::ALL {
            schedule.run(phase, &TICK);
        }
    }

    fn note(log: &Log, word: &'static str) -> impl FnMut(&Tick) + use<> {
        let log = Rc::clone(log);
        move |_| log.borrow_mut().push(word)
    }

    #[test]
    fn phases_run_in_order_not_in_the_order_of_subscription() {
        let (schedule, log) = (Schedule::default(), Log::default());
        schedule.add(Phase::Draw, note(&log, "draw"));
        schedule.add(Phase::Link, note(&log, "link"));
        schedule.add(Phase::Layout, note(&log, "layout"));
        schedule.add(Phase::Stores, note(&log, "stores"));
        schedule.add(Phase::Draw, note(&log, "draw too"));
        frame(&schedule);
        assert_eq!(*log.borrow(), ["link", "stores", "layout", "draw", "draw too"]);
    }

    #[test]
    fn who_has_left_is_not_called() {
        let (schedule, log) = (Schedule::default(), Log::default());
        let first = schedule.add(Phase::Draw, note(&log, "first"));
        schedule.add(Phase::Draw, note(&log, "second"));
        frame(&schedule);
        schedule.remove(first);
        schedule.remove(first);
        frame(&schedule);
        assert_eq!(*log.borrow(), ["first", "second", "second"]);
    }

    #[test]
    fn subscribers_come_and_go_within_a_frame() {
        let (schedule, log) = (Rc::new(Schedule::default()), Log::default());
        let leaving = schedule.add(Phase::Draw, note(&log, "leaving"));
        let (inner, words) = (Rc::clone(&schedule), Rc::clone(&log));
        let itself = Rc::new(Cell::new(None));
        let known = Rc::clone(&itself);
        let id = schedule.add(Phase::Link, move |_| {
            inner.remove(leaving);
            inner.add(Phase::Draw, note(&words, "new"));
            if let Some(itself) = known.take() {
                inner.remove(itself);
            }
        });
        itself.set(Some(id));
        frame(&schedule);
        frame(&schedule);
        assert_eq!(*log.borrow(), ["new", "new"]);
    }
}
