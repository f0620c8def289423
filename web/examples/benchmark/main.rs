//! What benchmarks use of the page in a browser: lanes, the decoders, and the comparison of
//! a stint. The page around it takes the times.
#![forbid(unsafe_code)]
#![allow(unreachable_pub, reason = "what is reached from JavaScript has to be public")]

mod decoding;
mod lanes;
mod stint;

fn main() {}
