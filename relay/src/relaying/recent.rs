//! The packets of the last minute, for a sample.

use std::collections::VecDeque;
use std::sync::Arc;

use trailbrake_shared::time::Micros;

use crate::clock::Clock;
use crate::lock::Lock;
use crate::relaying::hub::{Batch, Listener};

/// How long packets are kept.
const KEPT_S: f64 = 60.0;
/// Most bytes that are kept: a minute of a usual game.
const MOST: usize = 12 << 20;
/// Bytes of the listener's queue.
pub(crate) const ROOM: usize = 4 << 20;

/// The packets of the last minute.
#[derive(Clone, Default)]
pub(crate) struct RecentPackets(Arc<Lock<Kept>>);

#[derive(Default)]
struct Kept {
    batches: VecDeque<(Micros, Batch)>,
    bytes: usize,
}

impl RecentPackets {
    /// Keeps what a listener receives, until dropped.
    pub(crate) async fn follow(self, listener: Listener, clock: Clock) {
        loop {
            let batch = listener.next().await;
            self.0.lock().take(clock.now(), batch);
        }
    }

    /// The packets of the last minute, in batches.
    pub(crate) fn batches(&self, now: Micros) -> Vec<Batch> {
        let mut kept = self.0.lock();
        kept.forget(now);
        kept.batches.iter().map(|(_, batch)| batch.clone()).collect()
    }
}

impl Kept {
    fn take(&mut self, now: Micros, batch: Batch) {
        self.bytes += batch.len();
        self.batches.push_back((now, batch));
        self.forget(now);
    }

    fn forget(&mut self, now: Micros) {
        while let Some((at, _)) = self.batches.front()
            && (self.bytes > MOST || now.seconds_since(*at) > KEPT_S)
        {
            let gone = self.batches.pop_front().map_or(0, |(_, batch)| batch.len());
            self.bytes = self.bytes.saturating_sub(gone);
        }
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::wire::Datagram;

    use super::*;
    use crate::relaying::hub::Hub;

    fn batch(bytes: &[u8]) -> Batch {
        let hub = Arc::new(Hub::default());
        let listener = hub.listen(1 << 20);
        let sender = ([127, 0, 0, 1], 5000).into();
        hub.push(&Datagram { at: Micros(1), sender, port: 20777, feed: None, bytes });
        hub.flush();
        listener.try_next().expect("a batch")
    }

    #[test]
    fn packets_are_kept_for_a_minute() {
        let recent = RecentPackets::default();
        for second in 0..100 {
            recent.0.lock().take(Micros(second * 1_000_000), batch(&[7; 100]));
        }
        assert_eq!(recent.batches(Micros(99_000_000)).len(), 61);
        assert_eq!(recent.batches(Micros(158_500_000)).len(), 1);
        assert!(recent.batches(Micros(1_000_000_000)).is_empty());
        assert_eq!(recent.0.lock().bytes, 0);
    }

    #[test]
    fn a_flood_is_cut_at_its_oldest_end() {
        let recent = RecentPackets::default();
        for at in 0..400 {
            recent.0.lock().take(Micros(at), batch(&[at as u8; 60_000]));
        }
        let kept = recent.batches(Micros(400));
        assert!(kept.len() > 150 && kept.iter().map(Batch::len).sum::<usize>() <= MOST, "{}", kept.len());
        let last = kept.last().expect("a batch").datagrams().expect("its packets");
        assert_eq!(last[0].bytes[0], 399_u16 as u8);
    }
}
