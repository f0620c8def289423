//! Laps imported from other programs' files: what was driven is decoded again.

mod files;
mod foreign_logs;
mod packets;
