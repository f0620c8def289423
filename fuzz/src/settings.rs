//! The driver's settings, as a file or a browser brings them.

use std::net::{IpAddr, Ipv4Addr};

use trailbrake_shared::settings::{self, DriverSettings, Setting, Texts};

/// A line for each setting, `id=text`. Texts that are read must name no problem later.
pub fn settings(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let pairs = text.lines().filter_map(|line| line.split_once('='));
    let texts: Texts = pairs.map(|(id, text)| (id.to_owned(), text.to_owned())).collect();
    let (read, problems) = settings::read(&texts);
    let _ = format!("{read:?}");
    let here = [IpAddr::V4(Ipv4Addr::LOCALHOST)];
    let changed = settings::problems(&Texts::new(), &texts, &here);
    assert!(
        problems.iter().all(|problem| changed.contains(problem)),
        "{problems:?} is missing in {changed:?}"
    );
    // Each by itself is what it is among the others.
    for (id, text) in &texts {
        let is_good = Setting::of_id(id)
            .is_some_and(|setting| setting.set(&mut DriverSettings::default(), text).is_ok());
        assert_eq!(is_good, !problems.iter().any(|problem| problem.setting == *id), "{id}={text}");
    }
}
