//! Seats, where only so many can be served at once. A device in the network has a share of them, and some are kept for the
//! owner, so that nobody shuts out the others.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use tokio::sync::watch;

use super::device::Device;

/// Who asks for a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Visitor {
    /// Somebody at this machine.
    Owner,
    /// A device in the network.
    Device(Device),
}

/// How many seats there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeatPlan {
    /// All together.
    pub(crate) all: usize,
    /// Those that devices in the network can have; the others are the owner's alone.
    pub(crate) for_devices: usize,
    /// The share of one device.
    pub(crate) of_a_device: usize,
}

/// Why there is no seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoSeat {
    /// The device has its share.
    OfADevice,
    /// All are taken.
    AtAll,
}

/// Seats that are taken and left. Copies are handles to the same.
#[derive(Clone, Debug)]
pub(crate) struct Seats {
    plan: SeatPlan,
    taken: Arc<watch::Sender<Taken>>,
}

/// How many seats each visitor has.
type Taken = HashMap<Visitor, usize>;

/// A taken seat, which is free again once this is dropped.
#[derive(Debug)]
pub(crate) struct Seat {
    seats: Seats,
    visitor: Visitor,
}

impl Seats {
    /// All seats are free.
    pub(crate) fn new(plan: SeatPlan) -> Self {
        Self { plan, taken: Arc::new(watch::Sender::default()) }
    }

    /// Takes a seat.
    pub(crate) fn take(&self, visitor: Visitor) -> Result<Seat, NoSeat> {
        let mut answer = Ok(());
        self.taken.send_if_modified(|taken| {
            answer = self.plan.allows(taken, visitor);
            if answer.is_ok() {
                *taken.entry(visitor).or_default() += 1;
            }
            answer.is_ok()
        });
        answer.map(|()| Seat { seats: self.clone(), visitor })
    }

    /// Takes a seat as soon as one is free.
    pub(crate) async fn wait(&self, visitor: Visitor) -> Seat {
        let mut changes = self.taken.subscribe();
        loop {
            if let Ok(seat) = self.take(visitor) {
                return seat;
            }
            // The sender is held here, so there is always a next change.
            let _ = changes.changed().await;
        }
    }

    /// How many seats are taken.
    pub(crate) fn taken(&self) -> usize {
        self.taken.borrow().values().sum()
    }

    /// Waits until every seat is free.
    pub(crate) async fn empty(&self) {
        let _ = self.taken.subscribe().wait_for(HashMap::is_empty).await;
    }
}

impl SeatPlan {
    fn allows(&self, taken: &Taken, visitor: Visitor) -> Result<(), NoSeat> {
        let all: usize = taken.values().sum();
        if all >= self.all {
            return Err(NoSeat::AtAll);
        }
        if visitor == Visitor::Owner {
            return Ok(());
        }
        let own = taken.get(&visitor).copied().unwrap_or_default();
        let of_devices = all - taken.get(&Visitor::Owner).copied().unwrap_or_default();
        match (own < self.of_a_device, of_devices < self.for_devices) {
            (false, _) => Err(NoSeat::OfADevice),
            (true, false) => Err(NoSeat::AtAll),
            (true, true) => Ok(()),
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.seats.taken.send_modify(|taken| {
            if let Some(own) = taken.get_mut(&self.visitor) {
                *own -= 1;
                if *own == 0 {
                    taken.remove(&self.visitor);
                }
            }
        });
    }
}

impl fmt::Display for NoSeat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::OfADevice => "too many pages are open on this device: close one of them",
            Self::AtAll => "too many pages are open on all devices together: close one of them",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: SeatPlan = SeatPlan { all: 6, for_devices: 4, of_a_device: 3 };

    fn visitor(text: &str) -> Visitor {
        Visitor::Device(Device::at(text.parse().expect("an address")))
    }

    #[test]
    fn a_device_has_its_share_and_the_owner_always_some() {
        let seats = Seats::new(PLAN);
        // One device may have any number of addresses in its own IPv6 network.
        let greedy = |number: usize| visitor(&format!("fd00::1:0:0:0:{number:x}"));
        let mut held: Vec<Seat> = (0..3).map(|number| seats.take(greedy(number)).expect("a seat")).collect();
        assert_eq!(seats.take(greedy(99)).err(), Some(NoSeat::OfADevice));
        held.push(seats.take(visitor("10.0.0.7")).expect("a seat"));
        assert_eq!(seats.take(visitor("::ffff:10.0.0.8")).err(), Some(NoSeat::AtAll));
        held.extend((0..2).map(|_| seats.take(Visitor::Owner).expect("a seat of the owner's")));
        assert_eq!(seats.take(Visitor::Owner).err(), Some(NoSeat::AtAll));
        assert_eq!(seats.taken(), 6);
        held.remove(0);
        assert!(seats.take(greedy(99)).is_ok());
        drop(held);
        assert!(seats.taken.borrow().is_empty(), "nobody is remembered");
    }

    #[tokio::test]
    async fn a_seat_that_is_left_goes_to_the_one_who_waits() {
        let seats = Seats::new(SeatPlan { all: 1, for_devices: 1, of_a_device: 1 });
        let held = seats.take(Visitor::Owner).expect("a seat");
        let waiting = tokio::spawn({
            let seats = seats.clone();
            async move { drop(seats.wait(visitor("10.0.0.7")).await) }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(held);
        waiting.await.expect("a seat");
        seats.empty().await;
    }
}
