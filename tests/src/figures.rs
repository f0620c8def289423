//! The figures that benchmarks print, for the table of `cargo xtask bench`.

/// Prints a row of the table: what was measured, the figure, and what it is measured in.
pub fn figure(group: &str, name: &str, value: f64, unit: &str) {
    println!("figure\t{group}\t{name}\t{value}\t{unit}");
}

/// The middle one of some figures, so that one interruption does not matter.
pub fn median(mut figures: Vec<f64>) -> f64 {
    quantile(&mut figures, 0.5)
}

/// The figure below which a share of them lies.
pub fn quantile(figures: &mut [f64], share: f64) -> f64 {
    figures.sort_by(f64::total_cmp);
    let place = (share * figures.len().saturating_sub(1) as f64).round() as usize;
    figures.get(place).copied().unwrap_or(f64::NAN)
}
