//! Round positions on an axis and their labels.

use trailbrake_model::number::minus;

use super::Domain;
use super::step::Step;

/// The quantity on an axis, which decides where ticks are round and how they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TickKind {
    /// A plain number: 0.2, 0.4.
    Number,
    /// A count without halves: laps, corners.
    Whole,
    /// Seconds, written as minutes and seconds: 1:30.
    Time,
    /// Metres, written as metres or kilometres: 500 m, 1.5 km.
    Distance,
}

/// Round, equally spaced values within a domain.
#[derive(Clone, Copy, Debug)]
pub struct Ticks {
    kind: TickKind,
    step: Step,
    first: f64,
    count: usize,
    /// Whether distances are written in kilometres.
    kilometres: bool,
}

impl Ticks {
    /// As many round ticks as possible, at most `most` (at least two).
    pub fn new(kind: TickKind, domain: Domain, most: usize) -> Self {
        let most = most.max(2);
        let spread = |parts: usize| {
            let widest = domain.span() / parts as f64;
            let step = match kind {
                TickKind::Time => Step::of_time(widest),
                TickKind::Whole => Step::at_least(widest.max(1.0)),
                TickKind::Number | TickKind::Distance => Step::at_least(widest),
            };
            // A small tolerance, so that rounding does not drop a domain's own round end.
            let hair = 1e-9;
            let first = (domain.low() / step.size() - hair).ceil();
            let last = (domain.high() / step.size() + hair).floor();
            (step, first, if last >= first { ((last - first) as usize).saturating_add(1) } else { 0 })
        };
        // As many parts as ticks may give one tick too many; one part fewer never does.
        let fine = Some(spread(most)).filter(|&(.., count)| count <= most);
        let (step, first, count) = fine.unwrap_or_else(|| spread(most - 1));
        let count = count.min(most);
        let kilometres = step.size() >= 100.0 && domain.low().abs().max(domain.high().abs()) >= 1000.0;
        Self { kind, step, first, count, kilometres }
    }

    /// The distance between ticks.
    pub fn step(&self) -> f64 {
        self.step.size()
    }

    /// The values, rising.
    pub fn values(&self) -> impl Iterator<Item = f64> + use<> {
        let Self { first, step, count, .. } = *self;
        (0..count).map(move |index| step.times(first + index as f64))
    }

    /// The label of a value, with no more decimals than the step needs.
    pub fn label(&self, value: f64) -> String {
        match self.kind {
            TickKind::Number | TickKind::Whole => {
                signed(value, self.step.decimals(), |size, decimals| format!("{size:.decimals$}"))
            }
            TickKind::Time => signed(value, self.step.decimals(), minutes_and_seconds),
            TickKind::Distance if self.kilometres => {
                let decimals = if self.step.size() < 1000.0 { 1 } else { 0 };
                signed(value / 1000.0, decimals, |size, decimals| format!("{size:.decimals$} km"))
            }
            TickKind::Distance => {
                signed(value, self.step.decimals(), |size, decimals| format!("{size:.decimals$} m"))
            }
        }
    }
}

/// Writes a number with a minus sign as wide as a digit, and never "−0".
fn signed(value: f64, decimals: usize, write: impl Fn(f64, usize) -> String) -> String {
    format!("{}{}", minus(value, decimals), write(value.abs(), decimals))
}

fn minutes_and_seconds(size: f64, decimals: usize) -> String {
    let parts = 10u64.pow(decimals as u32);
    let total = (size * parts as f64).round() as u64;
    let (whole, part) = (total / parts, total % parts);
    let (minutes, seconds) = (whole / 60, whole % 60);
    match decimals {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{minutes}:{seconds:02}.{part:0decimals$}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(kind: TickKind, from: f64, to: f64, most: usize, expected: &[&str]) {
        let ticks = Ticks::new(kind, Domain::new(from, to), most);
        let labels: Vec<_> = ticks.values().map(|value| ticks.label(value)).collect();
        assert_eq!(labels, expected, "{kind:?} {from} to {to}");
    }

    #[test]
    fn ticks_are_round_and_written_short() {
        check(TickKind::Number, 0.0, 300.0, 4, &["0", "100", "200", "300"]);
        check(TickKind::Number, 0.0, 0.5, 6, &["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        check(TickKind::Number, -4.5, 4.5, 6, &["−4", "−2", "0", "2", "4"]);
        check(TickKind::Number, -0.3, 0.3, 4, &["−0.2", "0.0", "0.2"]);
        check(
            TickKind::Distance,
            0.0,
            7004.0,
            8,
            &["0 km", "1 km", "2 km", "3 km", "4 km", "5 km", "6 km", "7 km"],
        );
        check(TickKind::Whole, 0.5, 2.5, 6, &["1", "2"]);
        check(TickKind::Whole, 0.5, 40.5, 6, &["10", "20", "30", "40"]);
        check(TickKind::Distance, 2900.0, 4100.0, 4, &["3.0 km", "3.5 km", "4.0 km"]);
        check(TickKind::Distance, -150.0, 0.0, 4, &["−150 m", "−100 m", "−50 m", "0 m"]);
        check(TickKind::Time, 0.0, 103.5, 5, &["0:00", "0:30", "1:00", "1:30"]);
        check(TickKind::Time, 61.0, 62.0, 3, &["1:01.0", "1:01.5", "1:02.0"]);
        check(TickKind::Time, 0.0, 7200.0, 5, &["0:00", "30:00", "60:00", "90:00", "120:00"]);
    }

    proptest! {
        #[test]
        fn ticks_are_few_round_inside_and_even(
            low in -1e6f64..1e6, span in 1e-3f64..1e6, most in 2usize..20, kind in 0usize..3
        ) {
            let kind = [TickKind::Number, TickKind::Time, TickKind::Distance][kind];
            let domain = Domain::new(low, low + span);
            let ticks = Ticks::new(kind, domain, most);
            let values: Vec<_> = ticks.values().collect();
            prop_assert!(values.len() <= most);
            if kind != TickKind::Time {
                // Each round step is at most two and a half times the next finer one.
                prop_assert!(ticks.step() <= 2.5 * domain.span() / (most - 1) as f64 * 1.001);
            }
            let slack = ticks.step() * 1e-6;
            for pair in values.windows(2) {
                prop_assert!((pair[1] - pair[0] - ticks.step()).abs() < slack);
            }
            for &value in &values {
                prop_assert!(value > domain.low() - slack && value < domain.high() + slack);
                let steps = value / ticks.step();
                prop_assert!((steps - steps.round()).abs() < 1e-6);
            }
        }

        #[test]
        fn steps_are_one_two_or_five(size in 1e-9f64..1e9) {
            let step = Step::at_least(size).size();
            let leading = step / 10f64.powf(step.log10().floor() + 0.0);
            let near = |digit: f64| (leading - digit).abs() < 1e-6;
            prop_assert!(near(1.0) || near(2.0) || near(5.0) || near(10.0), "{step}");
            prop_assert!(step >= size * (1.0 - 1e-8) && step <= size * 2.5 * (1.0 + 1e-8));
        }

        #[test]
        fn neighbouring_labels_differ(low in -1e4f64..1e4, span in 1e-2f64..1e5, kind in 0usize..3) {
            let kind = [TickKind::Number, TickKind::Time, TickKind::Distance][kind];
            let ticks = Ticks::new(kind, Domain::new(low, low + span), 8);
            let labels: Vec<_> = ticks.values().map(|value| ticks.label(value)).collect();
            for pair in labels.windows(2) {
                prop_assert_ne!(&pair[0], &pair[1]);
            }
        }
    }
}
