//! Numbers of any size.

/// A number of any size.
pub trait SentNumber: Copy {
    /// The number as the model has it.
    fn number(self) -> f32;
    /// The nearest number that can be sent.
    fn nearest(number: f32) -> Self;
    /// Whether it may be infinite or no number, as whole numbers never are.
    #[inline(always)]
    fn may_be_odd(self) -> bool {
        false
    }
}

impl SentNumber for f32 {
    #[inline(always)]
    fn number(self) -> f32 {
        self
    }

    fn nearest(number: f32) -> Self {
        number
    }

    #[inline(always)]
    fn may_be_odd(self) -> bool {
        true
    }
}

macro_rules! whole_numbers {
    ($($number:ident)*) => {$(
        impl SentNumber for $number {
            #[inline(always)]
            fn number(self) -> f32 {
                self as f32
            }

            fn nearest(number: f32) -> Self {
                number.round() as Self
            }
        }
    )*};
}

/// A channel has single precision.
impl SentNumber for f64 {
    #[inline(always)]
    fn number(self) -> f32 {
        self as f32
    }

    fn nearest(number: f32) -> Self {
        number.into()
    }

    #[inline(always)]
    fn may_be_odd(self) -> bool {
        true
    }
}

whole_numbers! { u8 i8 u16 i16 u32 i32 }
