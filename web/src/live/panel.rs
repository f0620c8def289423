//! The panels of the page.

/// How much room a panel takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// To read at a glance: always shown, at the top of the left column.
    Glance,
    /// The panel takes the room that the others leave.
    Large,
    /// The panel has its own height.
    Compact,
    /// A list that scrolls.
    List,
}

/// Declares the panels: variant, id for the style sheet, tests and the browser's storage, label, room.
macro_rules! panels {
    ($($panel:ident $id:literal $label:literal $room:ident;)*) => {
        /// A panel.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(super) enum Panel { $(#[doc = $label] $panel,)* }

        impl Panel {
            /// All panels.
            pub(super) const ALL: &[Self] = &[$(Self::$panel),*];

            /// Its name in the style sheet, in tests and in the browser's storage.
            pub(super) const fn id(self) -> &'static str {
                match self { $(Self::$panel => $id,)* }
            }

            /// Its name for drivers.
            pub(super) const fn label(self) -> &'static str {
                match self { $(Self::$panel => $label,)* }
            }

            /// The room that it takes.
            pub(super) const fn room(self) -> Room {
                match self { $(Self::$panel => Room::$room,)* }
            }
        }
    };
}

panels! {
    Dash "dash" "Dash" Glance;
    Trace "trace" "Pedals" Large;
    Track "track" "Track map" Large;
    Timing "timing" "Timing" Large;
    Braking "braking" "Last braking zone" Compact;
    Tyres "tyres" "Tyres" Compact;
    Energy "energy" "Fuel and energy" Compact;
    Car "car" "Car" Compact;
    Damage "damage" "Damage" Compact;
    Session "session" "Session" Compact;
    Stage "stage" "Stage" Compact;
    TyreSets "tyre-sets" "Tyre sets" List;
    Forecast "forecast" "Forecast" List;
    Rules "rules" "Rules and aids" List;
    Positions "positions" "Positions by lap" List;
    Laps "laps" "Laps" List;
    Events "events" "Events" List;
    Values "values" "Other channels" List;
}

impl Panel {
    /// The panel with this name.
    pub(super) fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|panel| panel.id() == id)
    }
}
