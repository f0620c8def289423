//! The relay from outside: real sockets, on ports that the system chooses.

mod live;
mod running;
