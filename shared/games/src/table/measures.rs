//! The units of protocols, and what becomes of a number that was sent in one.

use trailbrake_model::units::{MPS_PER_KMH, MPS2_PER_G, PASCALS_PER_BAR, PASCALS_PER_PSI, rpm};

/// How a number of a protocol becomes one in the model's unit.
pub trait Measure {
    /// The number in the model's unit.
    fn from_sent(sent: f32) -> f32;

    /// Whether the number is a value. Some numbers say that there is none.
    #[inline(always)]
    fn is_value(sent: f32) -> bool {
        let _ = sent;
        true
    }
}

/// A measure in which the simulator sends.
pub trait SentMeasure: Measure {
    /// The number as the protocol has it.
    fn to_sent(value: f32) -> f32;
}

/// Declares measures: how a number becomes a value, how a value becomes a number, and which numbers are values.
macro_rules! measures {
    ($($(#[$doc:meta])* $name:ident: |$sent:ident| $from:expr $(, |$value:ident| $to:expr)? $(, if $is_value:expr)?;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl $crate::table::Measure for $name {
            #[inline(always)]
            fn from_sent($sent: f32) -> f32 {
                $from
            }

            $(#[inline(always)]
            fn is_value($sent: f32) -> bool {
                $is_value
            })?
        }

        $(impl $crate::table::SentMeasure for $name {
            fn to_sent($value: f32) -> f32 {
                $to
            }
        })?
    )*};
}
pub(crate) use measures;

measures! {
    /// The model's unit.
    Same: |value| value, |value| value;
    /// Percent, which become shares.
    Percent: |percent| percent / 100.0, |share| share * 100.0;
    /// Parts of 255, which become shares.
    Of255: |part| part / 255.0;
    /// Kilometres an hour, which become metres a second.
    Kmh: |kmh| kmh * MPS_PER_KMH, |mps| mps / MPS_PER_KMH;
    /// Parts of a direction of length 32 767, which become parts of one of length 1.
    Direction: |part| part / 32_767.0, |part| part * 32_767.0;
    /// Millimetres, which become metres.
    Millimetres: |mm| mm * 1e-3, |metres| metres * 1e3;
    /// Milliseconds, which become seconds.
    Milliseconds: |ms| ms / 1e3, |seconds| seconds * 1e3;
    /// Degrees, which become radians.
    Degrees: |degrees| degrees.to_radians(), |radians| radians.to_degrees();
    /// Thousandths.
    Thousandths: |thousandths| thousandths * 1e-3, |value| value * 1e3;
    /// Pounds per square inch, which become pascals.
    Psi: |psi| psi * PASCALS_PER_PSI, |pascals| pascals / PASCALS_PER_PSI;
    /// Bars, which become pascals.
    Bar: |bar| bar * PASCALS_PER_BAR;
    /// Metres per second squared, which become multiples of gravity.
    Mps2: |mps2| mps2 / MPS2_PER_G;
    /// The other direction than the model's.
    Opposite: |value| -value;
    /// Metres per second squared in the other direction than the model's.
    OppositeMps2: |mps2| -mps2 / MPS2_PER_G;
    /// A switch: 0 is off, and any other number is on.
    Switch: |byte| f32::from(u8::from(byte != 0.0)), |value| value;
    /// How far a pedal is released, which becomes how far it is pressed.
    Released: |released| 1.0 - released, |pressed| 1.0 - pressed;
    /// A gear counted from reverse: 0 is reverse, 1 neutral, 2 the first.
    FromReverse: |gear| gear - 1.0, |gear| gear + 1.0;
    /// Radians per second of an engine, which become revolutions per minute.
    RadiansPerSecond: |radians| rpm(radians);
    /// A byte that has a sign, though the protocol says that it has none.
    SignedByte: |byte| f32::from((byte as u8).cast_signed()), |value| f32::from((value as i8).cast_unsigned());
}
