//! What stands behind the code of an event.

use zerocopy::LE;

use super::{Event, Header, YEARS};
use crate::table::{Row, Sent, Version, VersionRange};
use crate::{Text, Value};

type F32 = zerocopy::F32<LE>;
type U32 = zerocopy::U32<LE>;

packets! {
    YEARS;

    /// A car.
    record OneCar [0, 1, 1, 1, 1, 1, 1, 1, 1] {
        car: u8,
    }

    /// The fastest lap so far.
    record FastestLap [0, 5, 5, 5, 5, 5, 5, 5, 5] {
        car: u8,
        lap_time: F32,
    }

    /// A car that is out.
    record Retirement [0, 1, 1, 1, 1, 1, 1, 2, 2] {
        car: u8,
        reason: u8 [2025..],
    }

    /// Why DRS may not be opened any more.
    record DrsDisabled [0, 0, 0, 0, 0, 0, 0, 1, 1] {
        reason: u8,
    }

    /// A penalty or a warning.
    record Penalty [0, 0, 7, 7, 7, 7, 7, 7, 7] {
        penalty_type: u8,
        infringement: u8,
        car: u8,
        other_car: u8,
        time: u8,
        lap: u8,
        places: u8,
    }

    /// A best speed at the speed trap.
    record SpeedTrap [0, 0, 5, 7, 12, 12, 12, 12, 12] {
        car: u8,
        speed: F32,
        overall_fastest: u8 [2021..],
        driver_fastest: u8 [2021..],
        fastest_car: u8 [2022..],
        fastest_speed: F32 [2022..],
    }

    /// The lights that are on before the start.
    record StartLights [0, 0, 0, 1, 1, 1, 1, 1, 1] {
        lights: u8,
    }

    /// A stop-and-go penalty that was served.
    record StopGoServed [0, 0, 0, 1, 1, 1, 1, 5, 5] {
        car: u8,
        stop_time: F32 [2025..],
    }

    /// Where a flashback goes back to.
    record Flashback [0, 0, 0, 8, 8, 8, 8, 8, 8] {
        frame: U32,
        session_time: F32,
    }

    /// The buttons that are pressed.
    record ButtonsPressed [0, 0, 0, 4, 4, 4, 4, 4, 4] {
        buttons: U32,
    }

    /// A car that passed another one.
    record Overtake [0, 0, 0, 0, 0, 2, 2, 2, 2] {
        car: u8,
        overtaken_car: u8,
    }

    /// What the safety car does.
    record SafetyCarMove [0, 0, 0, 0, 0, 0, 2, 2, 2] {
        safety_car: u8,
        what: u8,
    }

    /// Two cars that touched.
    record Contact [0, 0, 0, 0, 0, 0, 2, 2, 3] {
        car: u8,
        other_car: u8,
        severity: u8 [2026],
    }
}

/// An event's fields by name, as sent. What is left over behind them has no names.
pub fn described(bytes: &[u8], version: Version) -> Value {
    let event = Event::of_bytes(bytes, version);
    let header = Header::described(bytes, version);
    let mut fields = vec![("header", header), ("code", Value::Text(event.code.read()))];
    let detail = detail(event.code, version);
    fields.extend(detail.map(|row| (row.name, (row.describe)(&event.detail, &mut 0, version))));
    Value::Record(fields)
}

/// Declares the events: code, the first format that has it, name, what follows the code.
macro_rules! events {
    ($($code:literal $since:literal $name:ident $(($record:ident))?;)*) => {
        /// An event.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Happened {
            $(#[doc = stringify!($code)] $name $(($record))?,)*
        }

        impl Happened {
            /// The event with a code; `None` if the version has no such event.
            pub fn of(event: &Event, version: Version) -> Option<Self> {
                Some(match &event.code.0 {
                    $($code if version.number() >= $since => {
                        Self::$name $(($record::of_bytes(&event.detail, version)))?
                    })*
                    _ => return None,
                })
            }
        }

        /// What follows the code of each event that has more than its code.
        const DETAILS: &[(&[u8; 4], Row)] = &[$($(($code, Row {
            name: "detail",
            versions: VersionRange { first: $since, last: u16::MAX },
            sizes: &<$record as Sent<'static>>::SIZES,
            describe: <$record as Sent<'static>>::describe,
        }),)?)*];
    };
}

events! {
    b"SSTA" 2018 SessionStarted;
    b"SEND" 2018 SessionEnded;
    b"FTLP" 2019 FastestLap(FastestLap);
    b"RTMT" 2019 Retired(Retirement);
    b"DRSE" 2019 DrsEnabled;
    b"DRSD" 2019 DrsDisabled(DrsDisabled);
    b"TMPT" 2019 TeamMateInPits(OneCar);
    b"CHQF" 2019 ChequeredFlag;
    b"RCWN" 2019 RaceWon(OneCar);
    b"PENA" 2020 Penalised(Penalty);
    b"SPTP" 2020 SpeedTrap(SpeedTrap);
    b"STLG" 2021 StartLights(StartLights);
    b"LGOT" 2021 LightsOut;
    b"DTSV" 2021 DriveThroughServed(OneCar);
    b"SGSV" 2021 StopGoServed(StopGoServed);
    b"FLBK" 2021 FlashedBack(Flashback);
    b"BUTN" 2021 ButtonsPressed(ButtonsPressed);
    b"RDFL" 2022 RedFlag;
    b"OVTK" 2023 Overtaken(Overtake);
    b"SCAR" 2024 SafetyCar(SafetyCarMove);
    b"COLL" 2024 Touched(Contact);
}

/// What follows a code in a version.
fn detail(code: Text<4>, version: Version) -> Option<&'static Row> {
    let mut rows = DETAILS.iter().filter(|(known, _)| **known == code.0).map(|(_, row)| row);
    rows.find(|row| row.versions.contains(version) && version.of(row.sizes) > 0)
}

impl Happened {
    /// How many bytes behind the code mean something.
    pub fn size(code: Text<4>, version: Version) -> usize {
        detail(code, version).map_or(0, |row| version.of(row.sizes))
    }

    /// The cars that it is about.
    pub fn cars(&self) -> [Option<u8>; 2] {
        match self {
            Self::FastestLap(FastestLap { car, .. })
            | Self::Retired(Retirement { car, .. })
            | Self::TeamMateInPits(OneCar { car })
            | Self::RaceWon(OneCar { car })
            | Self::DriveThroughServed(OneCar { car })
            | Self::SpeedTrap(SpeedTrap { car, .. })
            | Self::StopGoServed(StopGoServed { car, .. }) => [Some(*car), None],
            Self::Penalised(Penalty { car, other_car, .. }) => {
                [Some(*car), Some(*other_car).filter(|other| *other != u8::MAX)]
            }
            Self::Overtaken(Overtake { car, overtaken_car }) => [Some(*car), Some(*overtaken_car)],
            Self::Touched(Contact { car, other_car, .. }) => [Some(*car), Some(*other_car)],
            Self::SessionStarted
            | Self::SessionEnded
            | Self::DrsEnabled
            | Self::DrsDisabled(_)
            | Self::ChequeredFlag
            | Self::StartLights(_)
            | Self::LightsOut
            | Self::FlashedBack(_)
            | Self::ButtonsPressed(_)
            | Self::RedFlag
            | Self::SafetyCar(_) => [None; 2],
        }
    }
}
