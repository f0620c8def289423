//! Why a telemetry file of iRacing can't be read, in a driver's words.

use thiserror::Error;

/// Why a file can't be read as iRacing's telemetry.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotIbt {
    /// The file begins like no telemetry file.
    #[error("it is no telemetry file of iRacing, which begins with its version")]
    Mark,
    /// The layout has another version.
    #[error("it is a telemetry file of version {version}, and only version 2 is known")]
    Version {
        /// The version found.
        version: i32,
    },
    /// It was copied from memory while the game ran.
    #[error(
        "it is a copy of iRacing's live memory and not a recording: press Alt+L in the car, drive, and open the .ibt file \
         that iRacing writes into Documents/iRacing/telemetry"
    )]
    LiveMemory,
    /// The file ends within its header.
    #[error("it ends before its first sample, so it was cut off or nobody drove")]
    Short,
    /// A number in the header can't be true.
    #[error("it is damaged: its header gives {value} for {what}")]
    Header {
        /// The field.
        what: &'static str,
        /// The number found.
        value: i64,
    },
    /// A channel lies outside the sample, or is of an unknown type.
    #[error("it is damaged: its channel {name:?} lies outside the samples, or is of an unknown type")]
    Variable {
        /// The channel.
        name: String,
    },
    /// A channel is missing without which there are no laps.
    #[error("it has no channel {name:?}, without which there are no laps")]
    Missing {
        /// The channel.
        name: &'static str,
    },
    /// No lap lasts a second.
    #[error("nobody drove in it for a second: iRacing writes while the driver is in the car on the track")]
    NoLap,
    /// The file exceeds the limit of values or laps.
    #[error("it is longer than {most} values or laps, which is more than anyone drives")]
    Long {
        /// The limit.
        most: usize,
    },
}
