//! The program `trailbrake`: hears games, hands their packets to browsers.
fn main() {}
