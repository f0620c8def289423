//! The page as a program: others can then use its modules without starting it.
#![forbid(unsafe_code)]

fn main() {
    trailbrake_web::start();
}
