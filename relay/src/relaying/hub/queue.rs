//! One listener's own queue.

use std::collections::VecDeque;

use tokio::sync::Notify;

use super::Batch;
use crate::lock::Lock;

/// Batches that wait for one listener. Without room for another, the oldest are dropped.
pub(super) struct Queue {
    room: usize,
    waiting: Lock<QueuedPacket>,
    /// Notified of each batch; a busy listener finds it when it asks for the next.
    ready: Notify,
}

#[derive(Default)]
struct QueuedPacket {
    batches: VecDeque<Batch>,
    bytes: usize,
    lost: u64,
}

impl Queue {
    pub(super) fn new(room: usize) -> Self {
        Self { room, waiting: Lock::default(), ready: Notify::new() }
    }

    pub(super) fn push(&self, batch: Batch) {
        let mut waiting = self.waiting.lock();
        waiting.bytes += batch.len();
        waiting.batches.push_back(batch);
        while waiting.bytes > self.room && waiting.batches.len() > 1 {
            let Some(oldest) = waiting.batches.pop_front() else { break };
            waiting.bytes -= oldest.len();
            waiting.lost += 1;
        }
        drop(waiting);
        self.ready.notify_one();
    }

    pub(super) fn pop(&self) -> Option<Batch> {
        let mut waiting = self.waiting.lock();
        let batch = waiting.batches.pop_front()?;
        waiting.bytes -= batch.len();
        Some(batch)
    }

    pub(super) async fn next(&self) -> Batch {
        loop {
            if let Some(batch) = self.pop() {
                return batch;
            }
            self.ready.notified().await;
        }
    }

    pub(super) fn lost(&self) -> u64 {
        self.waiting.lock().lost
    }
}
