//! The F1 games: formats 2018 to 2026, of which each game sends its own and some older ones.

mod anonymise;
mod buttons;
mod cars;
mod decode;
mod facts;
mod lap;
mod lap_numbers;
mod latest_reports;
pub mod layout;
pub mod names;
pub mod numbers;
mod packet;
mod race_control;
mod reports;
mod rules;
mod second_game;
mod secrets;
mod sector_times;
mod signals;
mod timeline;
mod words;

pub use anonymise::LEAVE_OUT;
pub use decode::Decoder;
pub use packet::{Kind, Packet, VERSION, datagram_size, describe, recognise};
pub use words::word;
