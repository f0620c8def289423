//! How far long work is.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use axum::http::Uri;

use crate::lock::Lock;

/// The shares done of the work under way, by the path that each was requested at.
#[derive(Clone, Default)]
pub(super) struct Shares(Arc<Lock<HashMap<String, Weak<Share>>>>);

/// The share of a work that is done, 0 to 1.
#[derive(Default)]
pub(super) struct Share(AtomicU64);

impl Shares {
    /// Work begins, and is under way until the share is dropped.
    pub(super) fn begin(&self, path: &Uri) -> Arc<Share> {
        let share = Arc::new(Share::default());
        let mut shares = self.0.lock();
        shares.retain(|_, share| share.strong_count() > 0);
        shares.insert(path.path().to_owned(), Arc::downgrade(&share));
        share
    }

    /// The share that is done of the work requested last at a path; `None` while none is under way.
    pub(super) fn of(&self, path: &Uri) -> Option<f64> {
        let share = self.0.lock().get(path.path())?.upgrade()?;
        Some(f64::from_bits(share.0.load(Ordering::Relaxed)))
    }
}

impl Share {
    pub(super) fn reach(&self, share: f64) {
        self.0.store(share.to_bits(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_known_while_the_work_is_under_way() {
        let (shares, repair, clip) =
            (Shares::default(), Uri::from_static("/library/repair/a"), Uri::from_static("/library/1/trim?x"));
        assert_eq!(shares.of(&repair), None);
        let (first, second) = (shares.begin(&repair), shares.begin(&clip));
        first.reach(0.25);
        assert_eq!((shares.of(&repair), shares.of(&clip)), (Some(0.25), Some(0.0)));
        let again = shares.begin(&repair);
        again.reach(0.5);
        drop(first);
        assert_eq!(shares.of(&repair), Some(0.5), "the latest counts");
        drop((again, second));
        assert_eq!((shares.of(&repair), shares.of(&clip)), (None, None));
        let _third = shares.begin(&clip);
        assert_eq!(shares.0.lock().len(), 1, "what has ended is not kept");
    }
}
