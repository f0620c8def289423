//! Round steps between values.

/// A round step, kept as a fraction of whole numbers so that its multiples are exact: three tenths print as 0.3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    numerator: f64,
    denominator: f64,
}

impl Step {
    /// The smallest of 1, 2 or 5 times a power of ten that is not below `size`.
    pub(super) fn at_least(size: f64) -> Self {
        if !(size.is_finite() && size > 0.0) {
            return Self { numerator: 1.0, denominator: 1.0 };
        }
        let power = (size.log10().floor() as i32).clamp(-200, 200);
        let rounds = [1.0, 2.0, 5.0, 10.0, 20.0].map(|multiple| Self::new(multiple, power));
        let fitting = rounds.into_iter().find(|step| step.size() >= size * (1.0 - 1e-9));
        fitting.unwrap_or(Self::new(50.0, power))
    }

    /// The smallest step of a clock that is not below `size` seconds.
    pub(super) fn of_time(size: f64) -> Self {
        const CLOCK: [f64; 14] =
            [1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0, 7200.0];
        let whole = CLOCK.into_iter().find(|&seconds| seconds >= size);
        match whole {
            Some(seconds) if size > 0.5 => Self { numerator: seconds, denominator: 1.0 },
            // Thousandths are as fine as lap times get.
            Some(_) => Self::at_least(size.max(0.001)),
            None => Self { numerator: (size / 3600.0).ceil() * 3600.0, denominator: 1.0 },
        }
    }

    fn new(multiple: f64, power: i32) -> Self {
        let ten = 10f64.powi(power.abs());
        match power < 0 {
            true => Self { numerator: multiple, denominator: ten },
            false => Self { numerator: multiple * ten, denominator: 1.0 },
        }
    }

    pub(super) fn size(self) -> f64 {
        self.numerator / self.denominator
    }

    pub(super) fn times(self, count: f64) -> f64 {
        count * self.numerator / self.denominator
    }

    /// The decimals needed to distinguish neighbouring multiples.
    pub(super) fn decimals(self) -> usize {
        (0..18)
            .find(|&digits| {
                let shifted = self.size() * 10f64.powi(digits);
                (shifted - shifted.round()).abs() < 1e-6 && shifted > 0.5
            })
            .unwrap_or(0) as usize
    }
}
