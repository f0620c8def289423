//! Laps out of other programs' files: what was driven is what is decoded again.

mod files;
mod foreign_logs;
mod packets;
