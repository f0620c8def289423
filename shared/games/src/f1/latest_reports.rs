//! Which reports are new.

use std::collections::BTreeMap;

use super::packet::Kind;

/// The latest reports of each car: most are repeated unchanged.
#[derive(Debug, Default)]
pub(super) struct LatestReports(BTreeMap<(u8, u8), Vec<u8>>);

impl LatestReports {
    /// Whether a report differs from the one before of the same kind about the same car.
    pub(super) fn is_new(&mut self, kind: Kind, car: u8, report: &[u8]) -> bool {
        let latest = self.0.entry((kind.id(), car)).or_default();
        let is_new = latest.as_slice() != report;
        if is_new {
            report.clone_into(latest);
        }
        is_new
    }
}
