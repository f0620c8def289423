//! Decoding a server's messages: single ones, a capture of a real server, and a simulated server.

mod capture;
mod evening;
mod listener;
mod messages;
