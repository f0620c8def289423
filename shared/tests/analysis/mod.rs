//! What the analysis finds in laps of simulated games, against what the simulator knows of them.

mod beside;
mod captures;
mod cut;
mod did;
mod elsewhere;
mod errors;
mod found;
pub(crate) mod heard;
mod live;
mod partial;
mod planted;
mod power;
mod rows;
mod seam;
mod slowing;
mod stable;
mod stint;
mod swap;
mod unheard;
