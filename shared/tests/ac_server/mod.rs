//! What a server's messages become: one by one, as captured at a real server, and as a simulated one sends them.

mod capture;
mod evening;
mod listener;
mod messages;
