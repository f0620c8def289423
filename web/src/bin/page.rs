//! The page's program. The app is a library, so that tests and fuzz targets can use its modules without starting it.
#![forbid(unsafe_code)]

fn main() {
    trailbrake_web::start();
}
