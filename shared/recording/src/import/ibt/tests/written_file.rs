//! Writes telemetry files for tests, as iRacing lays them out.

/// A number type of a variable, with its number in the file and its bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Bool,
    Int,
    Bits,
    Float,
    Double,
}

impl Kind {
    const fn number(self) -> i32 {
        match self {
            Self::Bool => 1,
            Self::Int => 2,
            Self::Bits => 3,
            Self::Float => 4,
            Self::Double => 5,
        }
    }

    const fn width(self) -> usize {
        match self {
            Self::Bool => 1,
            Self::Double => 8,
            _ => 4,
        }
    }

    fn write(self, value: f64, out: &mut Vec<u8>) {
        match self {
            Self::Bool => out.push(u8::from(value != 0.0)),
            Self::Int => out.extend((value as i32).to_le_bytes()),
            Self::Bits => out.extend((value as u32).to_le_bytes()),
            Self::Float => out.extend((value as f32).to_le_bytes()),
            Self::Double => out.extend(value.to_le_bytes()),
        }
    }
}

/// A file to write.
#[derive(Clone, Debug)]
pub(super) struct WrittenFile {
    pub(super) variables: Vec<(&'static str, Kind, usize)>,
    pub(super) text: Vec<u8>,
    pub(super) samples: Vec<Vec<f64>>,
    /// Whether the game closed the file.
    pub(super) is_closed: bool,
}

impl WrittenFile {
    pub(super) fn sample_size(&self) -> usize {
        self.variables.iter().map(|(_, kind, count)| kind.width() * count).sum()
    }

    pub(super) fn samples_at(&self) -> usize {
        144 + self.variables.len() * 144 + self.text.len()
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let text_at = 144 + self.variables.len() * 144;
        let mut file = Vec::new();
        let count = if self.is_closed { self.samples.len() as i32 } else { 0 };
        let front =
            [2, 1, 60, 0, self.text.len() as i32, text_at as i32, self.variables.len() as i32, 144, 1];
        front.into_iter().for_each(|number| file.extend(number.to_le_bytes()));
        file.extend((self.sample_size() as i32).to_le_bytes());
        file.resize(52, 0);
        file.extend((self.samples_at() as i32).to_le_bytes());
        file.resize(112, 0);
        file.extend(1_800_000_000_i64.to_le_bytes());
        file.resize(140, 0);
        file.extend(count.to_le_bytes());
        let mut at = 0;
        for (name, kind, count) in &self.variables {
            let begin = file.len();
            [kind.number(), at, *count as i32]
                .into_iter()
                .for_each(|number| file.extend(number.to_le_bytes()));
            file.resize(begin + 16, 0);
            file.extend(name.bytes());
            file.resize(begin + 144, 0);
            at += (kind.width() * count) as i32;
        }
        file.extend(&self.text);
        for sample in &self.samples {
            for ((_, kind, count), value) in self.variables.iter().zip(sample) {
                // The first of an array is the value; the others are wrong on purpose.
                (0..*count).for_each(|nth| kind.write(value + 1000.0 * nth as f64, &mut file));
            }
        }
        file
    }
}

/// A drive in circles of a kilometre, at 50 m/s. The official times come half a second after the line.
pub(super) struct Drive {
    /// Where it begins, in metres.
    pub(super) from_m: f64,
    pub(super) until_m: f64,
    /// The number of the first lap.
    pub(super) lap: i32,
    /// When it begins, in seconds of the session.
    pub(super) from_s: f64,
}

pub(super) const CIRCLE_M: f64 = 1000.0;
pub(super) const SPEED_MPS: f64 = 50.0;
/// The game's clock measures so much longer than the samples show.
pub(super) const OFFICIAL_MORE_S: f64 = 0.004;

pub(super) const TEXT: &[u8] = b"---\nWeekendInfo:\n TrackDisplayName: N\xfcrburg\n TrackConfigName: Ring\n TrackLength: 1.00 km\n\
TrackNorthOffset: 0.5\n\nSessionInfo:\n Sessions:\n - SessionNum: 0\n   SessionType: Offline Testing\n\nDriverInfo:\n \
DriverCarIdx: 0\n DriverCarRedLine: 8000.0\n Drivers:\n - CarIdx: 0\n   UserName: Zo\xeb\n   CarScreenName: Formula\n\n\
SplitTimeInfo:\n Sectors:\n - SectorNum: 0\n   SectorStartPct: 0.0\n - SectorNum: 1\n   SectorStartPct: 0.3\n - SectorNum: 2\n   \
SectorStartPct: 0.6\n...\n\0";

pub(super) const VARIABLES: &[(&str, Kind, usize)] = &[
    ("SteeringWheelTorque_ST", Kind::Float, 6),
    ("SessionTime", Kind::Double, 1),
    ("IsOnTrack", Kind::Bool, 1),
    ("OnPitRoad", Kind::Bool, 1),
    ("PlayerTrackSurface", Kind::Int, 1),
    ("Lap", Kind::Int, 1),
    ("LapDist", Kind::Float, 1),
    ("LapDistPct", Kind::Float, 1),
    ("LapCurrentLapTime", Kind::Float, 1),
    ("LapLastLapTime", Kind::Float, 1),
    ("Speed", Kind::Float, 1),
    ("SteeringWheelAngle", Kind::Float, 1),
    ("EngineWarnings", Kind::Bits, 1),
    ("Lat", Kind::Double, 1),
    ("Lon", Kind::Double, 1),
    ("Alt", Kind::Float, 1),
    ("SessionNum", Kind::Int, 1),
];

/// The place of a variable in the samples.
pub(super) fn place(name: &str) -> usize {
    VARIABLES.iter().position(|(other, ..)| *other == name).expect("a variable")
}

impl Drive {
    pub(super) fn samples(&self) -> Vec<Vec<f64>> {
        let count = ((self.until_m - self.from_m) / SPEED_MPS * 60.0) as usize;
        (0..count).map(|nth| self.sample(nth)).collect()
    }

    fn sample(&self, nth: usize) -> Vec<f64> {
        let driven_s = nth as f64 / 60.0;
        let total_m = self.from_m + driven_s * SPEED_MPS;
        let laps = (total_m / CIRCLE_M).floor();
        let lap_m = total_m - laps * CIRCLE_M;
        let clock_s = lap_m / SPEED_MPS;
        // The time of the lap before, and up to half a second after the line that of the one before that.
        let timed = if clock_s < 0.5 { laps - 1.0 } else { laps };
        let begun_before = if self.from_m > 0.0 { 1.0 } else { 0.0 };
        let last_s = if timed <= begun_before { -1.0 } else { official_s(timed - 1.0) };
        let angle = lap_m / CIRCLE_M * std::f64::consts::TAU;
        let radius_deg = CIRCLE_M / std::f64::consts::TAU / 111_200.0;
        VARIABLES
            .iter()
            .map(|(name, ..)| match *name {
                "SessionTime" => self.from_s + driven_s,
                "IsOnTrack" => 1.0,
                "PlayerTrackSurface" => 3.0,
                "Lap" => f64::from(self.lap) + laps,
                "LapDist" => lap_m,
                "LapDistPct" => lap_m / CIRCLE_M,
                "LapCurrentLapTime" => clock_s,
                "LapLastLapTime" => last_s,
                "Speed" => SPEED_MPS,
                "SteeringWheelAngle" => 0.25,
                "EngineWarnings" => f64::from(0x10),
                "Lat" => 50.3 + radius_deg * angle.sin(),
                "Lon" => 6.9 + radius_deg / 50.3_f64.to_radians().cos() * angle.cos(),
                "Alt" => 600.0,
                _ => 0.0,
            })
            .collect()
    }
}

/// The official time of a lap of a drive, counted from 0. Each differs from the one before.
pub(super) fn official_s(lap: f64) -> f64 {
    CIRCLE_M / SPEED_MPS + OFFICIAL_MORE_S + 0.001 * lap
}

/// A drive that begins in the middle of lap 4, has three laps from line to line, and is broken off.
pub(super) fn driven() -> WrittenFile {
    let drive = Drive { from_m: 500.0, until_m: 4300.0, lap: 4, from_s: 100.0 };
    written(drive.samples())
}

pub(super) fn written(samples: Vec<Vec<f64>>) -> WrittenFile {
    WrittenFile { variables: VARIABLES.to_vec(), text: TEXT.to_vec(), samples, is_closed: true }
}
