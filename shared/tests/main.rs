//! Tests of the whole core: datagrams in, session data out.

#[cfg(test)]
mod ac_lua;
#[cfg(test)]
mod ac_remote;
#[cfg(test)]
mod ac_server;
#[cfg(test)]
mod ac_telemetry_tool;
#[cfg(test)]
mod analysis;
#[cfg(test)]
mod circuit_feeds;
#[cfg(test)]
mod clips;
#[cfg(test)]
mod coverage;
#[cfg(test)]
mod decoded;
#[cfg(test)]
mod dirt_rally;
#[cfg(test)]
mod driving;
#[cfg(test)]
mod ea_wrc;
#[cfg(test)]
mod export;
#[cfg(test)]
mod f1;
#[cfg(test)]
mod feeds;
#[cfg(test)]
mod forza;
#[cfg(test)]
mod gran_turismo;
#[cfg(test)]
mod imported_laps;
#[cfg(test)]
mod lap_catalogue;
#[cfg(test)]
mod late_join;
#[cfg(test)]
mod network;
#[cfg(test)]
mod panels;
#[cfg(test)]
mod reported_laps;
#[cfg(test)]
mod session_ends;
#[cfg(test)]
mod strays;
#[cfg(test)]
mod truth;
