//! Asks the linker for what the page's module is split by (`cargo xtask web`).

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        println!("cargo::rustc-link-arg-bin=trailbrake_web=--emit-relocs");
    }
}
