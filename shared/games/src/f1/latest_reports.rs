//! Which reports are new.

use super::packet::Kind;

/// The latest reports of each car: most are repeated unchanged.
#[derive(Debug, Default)]
pub(super) struct LatestReports(Vec<(Kind, u8, Vec<u8>)>);

impl LatestReports {
    /// Whether a report differs from the one before of the same kind about the same car.
    pub(super) fn is_new(&mut self, kind: Kind, car: u8, report: &[u8]) -> bool {
        let mut known = self.0.iter_mut().filter(|(of, about, _)| (*of, *about) == (kind, car));
        let Some((_, _, latest)) = known.next() else {
            self.0.push((kind, car, report.to_owned()));
            return true;
        };
        let is_new = latest.as_slice() != report;
        if is_new {
            report.clone_into(latest);
        }
        is_new
    }
}
