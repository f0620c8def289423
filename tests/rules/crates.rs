//! Between crates, dependencies point at `shared`.

use crate::tree;

/// The project's own crates that a manifest depends on.
fn own_dependencies(folder: &str) -> Vec<String> {
    let manifest = tree::text(format!("{folder}/Cargo.toml"));
    manifest
        .lines()
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| name.starts_with("trailbrake-") || *name == "xtask")
        .map(str::to_owned)
        .collect()
}

fn check(folder: &str, allowed: &[&str]) {
    let wrong: Vec<_> =
        own_dependencies(folder).into_iter().filter(|name| !allowed.contains(&name.as_str())).collect();
    assert!(wrong.is_empty(), "{folder} must not depend on {wrong:?}");
}

#[test]
fn arrows_between_crates_point_down() {
    check("shared", &[]);
    check("xtask", &[]);
    check("tests/namespace", &[]);
    for above in ["web", "tests/hot_loops"] {
        check(above, &["trailbrake-shared"]);
    }
    // Both test in namespaces.
    for above in ["relay", "tests"] {
        check(above, &["trailbrake-namespace", "trailbrake-shared"]);
    }
    check("fuzz", &["trailbrake-relay", "trailbrake-shared", "trailbrake-web"]);
    assert_eq!(own_dependencies("web"), ["trailbrake-shared"], "the reader of manifests sees dependencies");
}

#[test]
fn shared_depends_on_nothing_that_does_io() {
    let manifest = tree::text("shared/Cargo.toml");
    let dependencies = manifest.split("[dependencies]").nth(1).expect("dependencies");
    let dependencies = dependencies.split("\n[").next().expect("a section");
    for forbidden in ["tokio", "axum", "web-sys", "js-sys", "wasm-bindgen", "socket2", "getrandom", "tracing"]
    {
        assert!(!dependencies.contains(forbidden), "shared must not depend on {forbidden}");
    }
}

#[test]
fn every_crate_forbids_unsafe_code() {
    for root in
        ["shared/src/lib.rs", "relay/src/lib.rs", "relay/src/main.rs", "web/src/lib.rs", "xtask/src/main.rs"]
    {
        assert!(tree::text(root).contains("#![forbid(unsafe_code)]"), "{root}");
    }
}
