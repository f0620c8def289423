//! Collects datagrams into batches, and gives each batch to every listener.
//!
//! A batch leaves as soon as the socket has no more datagrams. Only under load does it wait for more, so that thousands
//! of datagrams a second cost no more messages than a browser can take.
//!
//! A batch is encoded once, as the message browsers receive, and shared. Each listener has a bounded queue of its own:
//! a slow one loses its own oldest batches and holds up no other.

mod batch;
mod pace;
mod queue;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use trailbrake_shared::wire::Datagram;

pub use batch::Batch;
use batch::Pending;
use pace::{Next, Pace};
use queue::Queue;

use crate::lock::Lock;

/// How long a batch waits for more under load. With the timer's resolution of a millisecond and the scheduler this stays
/// below the eight milliseconds that a browser may have to wait.
const PATIENCE: Duration = Duration::from_millis(6);
/// Bytes at which a batch leaves at once.
const FULL: usize = 128 << 10;

/// Takes datagrams from the sockets, and gives batches to the listeners.
#[derive(Default)]
pub struct Hub {
    collected: Lock<Collected>,
    /// Notified when a batch begins to wait.
    waits: Notify,
    listeners: Lock<Vec<Arc<Queue>>>,
}

/// What has not left yet.
#[derive(Default)]
struct Collected {
    pending: Pending,
    pace: Pace,
}

impl Hub {
    /// Takes a datagram, which leaves with the next batch. Times never run back: if two sockets stamped in the other
    /// order, the time is corrected.
    pub fn push(&self, datagram: &Datagram<'_>) {
        let mut collected = self.collected.lock();
        collected.pending.push(datagram);
        if collected.pending.bytes() >= FULL {
            self.hand_out(&mut collected.pending);
        }
    }

    /// A socket has no more datagrams: they leave now, or under load in a moment, together with others.
    pub fn drained(&self) {
        let mut collected = self.collected.lock();
        let Collected { pending, pace } = &mut *collected;
        if pending.is_empty() {
            return;
        }
        match pace.next(Instant::now()) {
            Next::Leaves => self.hand_out(pending),
            Next::BeginsToWait => self.waits.notify_one(),
            Next::Waits => {}
        }
    }

    /// Hands out what is pending, without waiting for more.
    pub fn flush(&self) {
        let mut collected = self.collected.lock();
        self.hand_out(&mut collected.pending);
        collected.pace.waited(Instant::now());
    }

    /// Hands out a batch that another machine's hub made.
    #[cfg(feature = "team")]
    pub(crate) fn pass(&self, batch: Batch) {
        for listener in self.listeners.lock().iter() {
            listener.push(batch.clone());
        }
    }

    /// Hands out the batches that wait, until dropped.
    pub async fn run(&self) {
        loop {
            self.waits.notified().await;
            tokio::time::sleep(PATIENCE).await;
            self.flush();
        }
    }

    /// Adds a listener: it receives every batch from now on, as long as its queue holds `room` bytes.
    pub fn listen(self: &Arc<Self>, room: usize) -> Listener {
        let queue = Arc::new(Queue::new(room));
        self.listeners.lock().push(Arc::clone(&queue));
        Listener { hub: Arc::clone(self), queue }
    }

    /// Batches leave under the lock of `pending`, so that all listeners receive them in the same order.
    fn hand_out(&self, pending: &mut Pending) {
        let listeners = self.listeners.lock();
        if listeners.is_empty() {
            pending.clear();
            return;
        }
        let Some(batch) = pending.take() else { return };
        for listener in listeners.iter() {
            listener.push(batch.clone());
        }
    }
}

/// A listener with its own queue.
pub struct Listener {
    hub: Arc<Hub>,
    queue: Arc<Queue>,
}

impl Listener {
    /// The next batch, once there is one.
    pub async fn next(&self) -> Batch {
        self.queue.next().await
    }

    /// The next batch, if one waits.
    pub fn try_next(&self) -> Option<Batch> {
        self.queue.pop()
    }

    /// Batches that were dropped because this listener was too slow.
    pub fn lost(&self) -> u64 {
        self.queue.lost()
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.hub.listeners.lock().retain(|queue| !Arc::ptr_eq(queue, &self.queue));
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::time::Micros;

    use super::*;

    fn push(hub: &Hub, at: u64, bytes: &[u8]) {
        let sender = ([127, 0, 0, 1], 5000).into();
        hub.push(&Datagram { at: Micros(at), sender, port: 20777, feed: None, bytes });
    }

    fn bytes_of(batch: &Batch) -> Vec<Vec<u8>> {
        batch.datagrams().expect("a batch").iter().map(|datagram| datagram.bytes.to_vec()).collect()
    }

    #[test]
    fn a_batch_holds_what_came_in_the_order_it_came() {
        let hub = Arc::new(Hub::default());
        let listener = hub.listen(1 << 20);
        push(&hub, 10, b"one");
        push(&hub, 9, b"");
        push(&hub, 11, b"three");
        assert!(listener.try_next().is_none(), "nothing leaves before the socket has no more");
        hub.flush();
        let batch = listener.try_next().expect("a batch");
        assert_eq!(bytes_of(&batch), [b"one".as_slice(), b"", b"three"]);
        let moments: Vec<u64> = batch.datagrams().expect("a batch").iter().map(|d| d.at.0).collect();
        assert_eq!(moments, [10, 10, 11]);
        hub.flush();
        assert!(listener.try_next().is_none(), "an empty batch is none");
    }

    #[test]
    fn a_full_batch_leaves_at_once() {
        let hub = Arc::new(Hub::default());
        let listener = hub.listen(1 << 20);
        for _ in 0..FULL.div_ceil(1000) {
            push(&hub, 1, &[7; 1000]);
        }
        assert!(listener.try_next().is_some());
    }

    #[test]
    fn a_slow_listener_loses_its_own_oldest_and_nobody_elses() {
        let hub = Arc::new(Hub::default());
        let quick = hub.listen(1 << 20);
        let slow = hub.listen(8000);
        let mut received = Vec::new();
        for number in 0..100_u8 {
            push(&hub, u64::from(number), &[number; 1000]);
            hub.flush();
            received.extend(quick.try_next());
        }
        let numbers: Vec<u8> = received.iter().flat_map(bytes_of).map(|bytes| bytes[0]).collect();
        assert_eq!(numbers, (0..100).collect::<Vec<u8>>());
        assert_eq!(quick.lost(), 0);

        let left: Vec<Batch> = std::iter::from_fn(|| slow.try_next()).collect();
        let numbers: Vec<u8> = left.iter().flat_map(bytes_of).map(|bytes| bytes[0]).collect();
        assert_eq!(numbers, (93..100).collect::<Vec<u8>>());
        assert_eq!(slow.lost(), 93);
    }

    #[test]
    fn a_dropped_listener_gets_nothing() {
        let hub = Arc::new(Hub::default());
        drop(hub.listen(1000));
        assert!(hub.listeners.lock().is_empty());
        push(&hub, 1, b"sent to nobody");
        hub.flush();
        let late = hub.listen(1000);
        hub.flush();
        assert!(late.try_next().is_none());
    }

    #[test]
    fn what_a_quiet_socket_received_leaves_at_once() {
        let hub = Arc::new(Hub::default());
        let listener = hub.listen(1 << 20);
        push(&hub, 1, b"one");
        push(&hub, 2, b"two");
        hub.drained();
        assert_eq!(listener.try_next().map(|batch| bytes_of(&batch).len()), Some(2));
        hub.drained();
        assert!(listener.try_next().is_none(), "there is nothing more");
    }

    #[tokio::test]
    async fn a_flood_leaves_in_few_batches() {
        let hub = Arc::new(Hub::default());
        let listener = hub.listen(1 << 20);
        let running = tokio::spawn({
            let hub = Arc::clone(&hub);
            async move { hub.run().await }
        });
        for number in 0..2000 {
            push(&hub, number, b"packet");
            hub.drained();
        }
        let (mut batches, mut datagrams) = (0, 0);
        while datagrams < 2000 {
            datagrams += bytes_of(&listener.next().await).len();
            batches += 1;
        }
        assert!(batches < 200, "{batches} batches");
        running.abort();
    }
}
