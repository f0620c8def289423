//! Recognises packets without a mark by their size and by plausible numbers at known offsets.

/// Plausible engine speeds, in rpm.
const RPM: std::ops::RangeInclusive<f32> = 0.0..=30_000.0;

/// Whether every float in the packet is finite.
pub(super) fn are_finite(datagram: &[u8]) -> bool {
    (0..datagram.len()).step_by(4).all(|place| number(datagram, place).is_finite())
}

/// The name of an OutGauge packet.
pub(super) fn outgauge(datagram: &[u8]) -> Option<String> {
    let floats = [12, 16, 20, 24, 28, 32, 36, 48, 52, 56];
    let sane = datagram.get(10).is_some_and(|&gear| gear <= 20)
        && RPM.contains(&number(datagram, 16))
        && floats.iter().all(|&place| number(datagram, place).is_finite());
    let beam = datagram.get(4..8) == Some(b"beam");
    sane.then(|| if beam { "BeamNG.drive (OutGauge)" } else { "Live for Speed (OutGauge)" }.to_owned())
}

/// Whether a packet can be OutSim's.
pub(super) fn is_outsim(datagram: &[u8]) -> bool {
    (4..52).step_by(4).all(|place| number(datagram, place).is_finite())
}

/// The float at an offset; NaN beyond the end.
fn number(datagram: &[u8], place: usize) -> f32 {
    let bytes = datagram.get(place..place + 4).and_then(|bytes| bytes.try_into().ok());
    bytes.map_or(f32::NAN, f32::from_le_bytes)
}
