//! The configuration of `nats-server`.

use std::fmt::Write as _;

use super::hub::{Hub, Rig};
use super::server_address::ServerAddress;
use super::subject;

/// Largest message that servers accept.
const MOST_PAYLOAD: u32 = 512 << 10;
/// What JetStream may keep on disk for a hub, beside the recordings on their way.
const BESIDE: u64 = 64 << 20;

/// What JetStream may keep in memory for a hub.
const MEMORY: u64 = 1 << 20;
/// What it may keep for all hubs, in memory and on disk: more than their accounts together, since a running server takes
/// no other limits.
const ALL_MEMORY: u64 = 1 << 28;
const ALL_STORES: u64 = 1 << 50;

/// The names of the files that a configuration refers to, in the hub's folder.
pub(super) const SERVER: &str = "server.pem";
pub(super) const SERVER_KEY: &str = "server-key.pem";
pub(super) const AUTHORITY: &str = "authority.pem";

/// Writes the configuration of the server with this number, counted from 0, for a hub and those that share its servers.
/// Paths are relative: the server starts in the hub's folder.
pub(super) fn text(hub: &Hub, sharers: &[Hub], number: usize, server: &ServerAddress) -> String {
    let mut text = String::new();
    let name = name(hub, number);
    // Writing to a string can't fail.
    let _ = write!(
        text,
        "# Written by `trailbrake team`, again with each `add` and `remove`.\n\
         server_name: \"{name}\"\n\
         listen: \"{}\"\n\
         pid_file: \"{name}.pid\"\n\
         log_file: \"{name}.log\"\n\
         max_payload: {MOST_PAYLOAD}\n\
         jetstream {{\n  store_dir: \"store-{name}\"\n  max_memory_store: {ALL_MEMORY}\n  max_file_store: {ALL_STORES}\n}}\n",
        listen(server, server.port),
    );
    if hub.encrypted {
        let _ = write!(
            text,
            "tls {{\n  cert_file: \"{SERVER}\"\n  key_file: \"{SERVER_KEY}\"\n  timeout: 5\n}}\n"
        );
    }
    if hub.servers.len() > 1 {
        cluster(&mut text, hub, server);
    }
    text.push_str("accounts {\n");
    [hub].into_iter().chain(sharers).for_each(|hub| account(&mut text, hub));
    text.push_str("}\n");
    text
}

/// What belongs to one hub: nobody in another account sees a message of it, or fills its store. Its archive's key names
/// it, which no two hubs have.
fn account(text: &mut String, hub: &Hub) {
    let _ = write!(
        text,
        "  {0}: {{\n  jetstream: {{ max_memory: {MEMORY}, max_file: {1} }}\n  users: [\n    {{ nkey: {0} }} # the archive\n",
        hub.archive,
        // Each copy counts.
        hub.store_bytes.saturating_add(BESIDE).saturating_mul(hub.replicas() as u64),
    );
    for rig in &hub.rigs {
        text.push_str(&user(rig));
    }
    text.push_str("  ]\n  }\n");
}

/// The name of the server with this number.
pub(super) fn name(hub: &Hub, number: usize) -> String {
    if hub.servers.len() == 1 { "nats".to_owned() } else { format!("nats-{}", number + 1) }
}

/// Loopback stays on loopback; any other server is reached at all of its machine's addresses.
fn listen(server: &ServerAddress, port: u16) -> String {
    if server.is_loopback() {
        format!("{}:{port}", server.bracketed_host())
    } else {
        format!("0.0.0.0:{port}")
    }
}

fn cluster(text: &mut String, hub: &Hub, server: &ServerAddress) {
    let _ = write!(
        text,
        "cluster {{\n  name: \"team\"\n  listen: \"{}\"\n",
        listen(server, server.cluster_port())
    );
    if hub.encrypted {
        let _ = write!(
            text,
            "  tls {{\n    cert_file: \"{SERVER}\"\n    key_file: \"{SERVER_KEY}\"\n    ca_file: \"{AUTHORITY}\"\n    \
             verify: true\n    timeout: 5\n  }}\n"
        );
    }
    text.push_str("  routes: [\n");
    for other in hub.servers.iter().filter(|other| *other != server) {
        let _ = writeln!(text, "    \"nats://{}:{}\"", other.bracketed_host(), other.cluster_port());
    }
    text.push_str("  ]\n}\n");
}

/// What a rig may do: send what is its own, ask the hub, and read the answers. Nothing below `$JS.API`: with read access
/// to its own last message a rig could let the server store bytes as another rig's.
fn user(rig: &Rig) -> String {
    let quoted = |subjects: &[String]| {
        subjects.iter().map(|subject| format!("\"{subject}\"")).collect::<Vec<_>>().join(", ")
    };
    format!(
        "    {{ nkey: {}, permissions: {{ # {}\n      publish: {{ allow: [{}] }}\n      subscribe: {{ allow: [{}] }}\n    }} }}\n",
        rig.key,
        rig.name,
        quoted(&subject::published(&rig.name)),
        quoted(&subject::subscribed(&rig.name)),
    )
}
