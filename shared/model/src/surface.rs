//! The surface under a wheel, in one numbering for all games.

/// Declares the surfaces: variant, number in the channel, name.
macro_rules! surfaces {
    ($($surface:ident $number:literal $name:literal;)*) => {
        /// The surface under a wheel.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Surface {
            $(#[doc = $name] $surface,)*
            /// A number or letter of the game that this version does not know.
            Other(u8),
        }

        impl Surface {
            /// Every known surface.
            pub const ALL: &'static [Self] = &[$(Self::$surface,)*];

            /// The number in the channel. Unknown surfaces lie above all known ones.
            pub const fn number(self) -> u16 {
                match self { $(Self::$surface => $number,)* Self::Other(byte) => 256 + byte as u16 }
            }

            /// The surface of a number in the channel.
            pub const fn from_number(number: u16) -> Option<Self> {
                match number {
                    $($number => Some(Self::$surface),)*
                    256..512 => Some(Self::Other((number - 256) as u8)),
                    _ => None,
                }
            }

            /// The name for drivers.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$surface => $name,)* Self::Other(_) => "unknown" }
            }
        }
    };
}

surfaces! {
    Tarmac 0 "tarmac";
    Gravel 1 "gravel";
    Mud 2 "mud";
    Snow 3 "snow";
    Ice 4 "ice";
    Grass 5 "grass";
    Sand 6 "sand";
    Cobbles 7 "cobbles";
    Kerb 8 "kerb";
    Dirt 9 "dirt";
    Concrete 10 "concrete";
    Rock 11 "rock";
    Water 12 "water";
    Metal 13 "metal";
    Ridged 14 "ridged ground";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_back_to_their_surfaces() {
        let known = Surface::ALL.iter().copied();
        for surface in known.chain((0..=255).map(Surface::Other)) {
            assert_eq!(Surface::from_number(surface.number()), Some(surface));
        }
        assert_eq!((Surface::from_number(15), Surface::from_number(512)), (None, None));
    }
}
