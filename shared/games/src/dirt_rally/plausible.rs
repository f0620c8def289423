//! Which channels a game can have sent. Their packet has no header by which it would be known.

use super::layout::Channels;

/// Speed and the length of the velocity differ by at most this much in a real packet.
const SPEED_TOLERANCE_MPS: f32 = 0.5;

/// Whether the game has no car: all channels except the clock are zero.
pub(super) fn is_empty(datagram: &[u8]) -> bool {
    numbers(datagram).skip(1).all(|number| number == 0.0)
}

/// Why the game can't have sent these channels; `None` if they are plausible.
pub(super) fn implausible(datagram: &[u8], channels: &Channels) -> Option<String> {
    if let Some(place) = numbers(datagram).position(|number| !number.is_finite()) {
        return Some(format!("its channel {place} is no number"));
    }
    if is_empty(datagram) {
        return None;
    }
    first_misfit(channels)
}

/// Whether the speed is the length of the velocity.
pub(super) fn fits(speed: f32, velocity: [f32; 3]) -> bool {
    (speed - length(velocity)).abs() <= SPEED_TOLERANCE_MPS
}

fn first_misfit(channels: &Channels) -> Option<String> {
    let Channels { gear, throttle, brake, clutch, steer, .. } = *channels;
    if !fits(channels.speed, channels.velocity.into()) {
        return Some("its speed does not fit its velocity".to_owned());
    }
    if gear.fract() != 0.0 {
        return Some(format!("its gear is {gear}"));
    }
    // Only the full list has both of them.
    let [max_rpm, max_gears] = match (channels.max_rpm, channels.max_gears) {
        (Some(rpm), Some(gears)) => [rpm, gears],
        _ => [50.0, 1.0],
    };
    let ranges = [
        ("right", length(channels.right.into()), 0.9..=1.1),
        ("forward", length(channels.forward.into()), 0.9..=1.1),
        ("throttle", throttle, -0.01..=1.01),
        ("brake", brake, -0.01..=1.01),
        ("clutch", clutch, -0.01..=1.01),
        ("steer", steer, -1.01..=1.01),
        ("gear", gear, -1.0..=10.0),
        ("max_rpm", max_rpm, 50.0..=2500.0),
        ("max_gears", max_gears, 1.0..=10.0),
    ];
    let misfit = ranges.iter().find(|(_, value, range)| !range.contains(value));
    misfit.map(|(name, value, range)| format!("its {name} of {value} is not within {range:?}"))
}

fn length(vector: [f32; 3]) -> f32 {
    vector.map(|part| part * part).iter().sum::<f32>().sqrt()
}

fn numbers(datagram: &[u8]) -> impl Iterator<Item = f32> {
    let (numbers, _) = datagram.as_chunks();
    numbers.iter().map(|bytes| f32::from_le_bytes(*bytes))
}
