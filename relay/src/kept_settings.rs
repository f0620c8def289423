//! What the driver set on the page, kept in a small file. The command line and the options file take precedence.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use trailbrake_shared::settings::{
    self, DriverSettings, Problem, Setting, SettingsReport, Texts, with_current_ids,
};

use crate::small_file::SmallFile;

/// The version of the file.
const VERSION: u32 = 1;

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct StoredSettings {
    version: u32,
    settings: Texts,
}

/// The part of the file that every version has.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

/// The settings, and where they are kept.
#[derive(Clone, Debug, Default)]
pub struct KeptSettings {
    /// The file; `None` where the system names no folder for it.
    file: Option<PathBuf>,
    /// What the driver set.
    kept: Texts,
    /// What the command line and the options file set.
    fixed: Texts,
    /// What is wrong with the file.
    fault: Option<Fault>,
}

/// What is wrong with the file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fault {
    /// It can be replaced, once it is set aside.
    Damaged(String),
    /// It is left alone.
    Closed(String),
}

/// Why settings were not changed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotChanged {
    /// These are wrong.
    Wrong(Vec<Problem>),
    /// They can't be kept, in words.
    NotKept(String),
}

impl KeptSettings {
    /// Reads the file. `fixed` is what the command line and the options file set.
    pub(crate) fn open(file: Option<PathBuf>, fixed: Texts) -> Self {
        let (kept, fault) = file.as_deref().map(read).unwrap_or_default();
        Self { file, kept, fixed, fault }
    }

    /// Whether the command line or the options file sets this.
    pub(crate) fn is_fixed(&self, setting: Setting) -> bool {
        self.fixed.contains_key(&setting.id())
    }

    /// The settings that count. What can't be understood stays at its default.
    pub(crate) fn settings(&self) -> DriverSettings {
        settings::read(&self.texts()).0
    }

    fn texts(&self) -> Texts {
        let mut texts = self.kept.clone();
        texts.extend(self.fixed.clone());
        texts
    }

    /// What is wrong with the file, as sentences.
    pub(crate) fn warning(&self) -> Option<String> {
        let file = self.file.as_deref().unwrap_or(Path::new("")).display();
        match self.fault.as_ref()? {
            Fault::Closed(words) => Some(words.clone()),
            Fault::Damaged(words) => Some(format!(
                "{words} The next change sets the file aside as {file}.broken-1, or the next free number."
            )),
        }
    }

    /// The settings as a page may see them: those about the relay are for its owner.
    pub(crate) fn report(&self, owner: bool) -> SettingsReport {
        let is_shown =
            |id: &str| owner || Setting::of_id(id).is_some_and(|setting| !setting.section().is_of_relay());
        let mut texts = self.texts();
        texts.retain(|id, _| is_shown(id));
        let fixed = self.fixed.keys().filter(|id| is_shown(id)).cloned().collect();
        SettingsReport { texts, fixed, owner, warning: self.warning().filter(|_| owner) }
    }

    /// These settings with changes that are not kept yet. `here` are this machine's addresses.
    pub(crate) fn changed(&self, changes: &Texts, here: &[IpAddr]) -> Result<Self, NotChanged> {
        let is_fixed = |id: &&String| self.fixed.contains_key(&Setting::current_id(id));
        let fixed = changes.keys().filter(is_fixed).map(|id| Problem {
            setting: id.clone(),
            words: "The command line or the options file sets this. Remove it there first.".to_owned(),
        });
        let problems: Vec<Problem> = fixed.chain(settings::problems(&self.texts(), changes, here)).collect();
        if !problems.is_empty() {
            return Err(NotChanged::Wrong(problems));
        }
        let mut next = self.clone();
        for (id, text) in with_current_ids(changes.clone()) {
            match text.trim() {
                "" => drop(next.kept.remove(&id)),
                text => drop(next.kept.insert(id, text.to_owned())),
            }
        }
        Ok(next)
    }

    /// Writes the file. A damaged one is set aside first.
    pub(crate) fn keep(&mut self) -> Result<(), NotChanged> {
        let not_kept = |words: String| NotChanged::NotKept(words);
        let Some(path) = &self.file else {
            return Err(not_kept(
                "this system names no folder for settings: name an options file with --config, they are kept \
                 beside it"
                    .to_owned(),
            ));
        };
        if let Some(Fault::Closed(words)) = &self.fault {
            return Err(not_kept(words.clone()));
        }
        let unwritable = |error: std::io::Error| {
            not_kept(format!("the settings can't be kept in {}: {error}", path.display()))
        };
        let json =
            serde_json::to_vec_pretty(&StoredSettings { version: VERSION, settings: self.kept.clone() })
                .map_err(|error| unwritable(error.into()))?;
        let file = SmallFile::new(path.clone());
        let new = file.begin().map_err(unwritable)?;
        if self.fault.is_some() {
            let aside = file.set_aside().map_err(unwritable)?;
            tracing::warn!("the damaged settings are kept as {}", aside.display());
        }
        new.finish(&json).map_err(unwritable)?;
        self.fault = None;
        Ok(())
    }
}

/// Reads the file as far as it can be understood.
fn read(path: &Path) -> (Texts, Option<Fault>) {
    let name = path.display();
    let json = match SmallFile::new(path.to_owned()).read() {
        Ok(Some(json)) => json,
        Ok(None) => return (Texts::new(), None),
        Err(error) => {
            let words = format!("The settings in {name} can't be read: {error}.");
            return (Texts::new(), Some(Fault::Closed(words)));
        }
    };
    if let Ok(Version { version }) = serde_json::from_slice(&json)
        && version > VERSION
    {
        let words = format!(
            "{name} was written by a later version of Trailbrake. Update this one; until then the defaults count."
        );
        return (Texts::new(), Some(Fault::Closed(words)));
    }
    match serde_json::from_slice::<StoredSettings>(&json) {
        Ok(StoredSettings { mut settings, .. }) => {
            let (_, problems) = settings::read(&settings);
            let fault = problems.first().map(|Problem { setting, words }| {
                Fault::Damaged(format!("Not all settings in {name} are understood. {setting}: {words}"))
            });
            for Problem { setting, .. } in &problems {
                settings.remove(setting);
            }
            (with_current_ids(settings), fault)
        }
        Err(error) => {
            let words = format!("The settings in {name} are damaged, so the defaults count: {error}.");
            (Texts::new(), Some(Fault::Damaged(words)))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use trailbrake_shared::feed::Feed;

    use super::*;

    fn texts(pairs: &[(&str, &str)]) -> Texts {
        pairs.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect()
    }

    /// Changes settings and keeps them.
    fn change(file: &Path, fixed: &[(&str, &str)], changes: &[(&str, &str)]) -> Result<(), NotChanged> {
        let kept = KeptSettings::open(Some(file.to_owned()), texts(fixed));
        kept.changed(&texts(changes), &[])?.keep()
    }

    #[test]
    fn changes_are_kept_and_an_empty_one_is_forgotten() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("below/settings.json");
        change(&file, &[], &[("author", "Ann"), ("keep-days", "30")]).expect("kept");
        change(&file, &[], &[("keep-days", " ")]).expect("kept");
        let kept = KeptSettings::open(Some(file.clone()), Texts::new());
        assert_eq!((kept.warning(), kept.report(true).texts), (None, texts(&[("author", "Ann")])));
        assert_eq!(fs::read_dir(file.parent().expect("a folder")).expect("a folder").count(), 1);
    }

    /// Where the console is that is asked.
    fn console(kept: &KeptSettings) -> Option<IpAddr> {
        kept.settings().talk_of(Feed::GranTurismo).address.map(|address| address.ip())
    }

    #[test]
    fn the_command_line_takes_precedence_and_its_settings_are_not_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("settings.json");
        change(&file, &[], &[("console", "10.0.0.1"), ("keep-days", "30")]).expect("kept");
        let fixed = [("console", "10.0.0.2")];
        let kept = KeptSettings::open(Some(file.clone()), texts(&fixed));
        assert_eq!(console(&kept), Some([10, 0, 0, 2].into()));
        assert_eq!(kept.settings().keep_days, Some(30));
        assert_eq!(kept.report(true).fixed, ["console"]);
        let refused = change(&file, &fixed, &[("console", "10.0.0.3")]);
        let Err(NotChanged::Wrong(problems)) = refused else { panic!("{refused:?}") };
        assert!(
            problems[0].setting == "console" && problems[0].words.contains("command line"),
            "{problems:?}"
        );
        // Without the option the kept one counts again.
        change(&file, &fixed, &[("author", "Ann")]).expect("kept");
        let kept = KeptSettings::open(Some(file), Texts::new());
        assert_eq!(console(&kept), Some([10, 0, 0, 1].into()));
    }

    #[test]
    fn others_than_the_owner_see_nothing_of_the_relay() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("settings.json");
        change(&file, &[], &[("author", "Ann"), ("console", "10.0.0.1")]).expect("kept");
        let kept = KeptSettings::open(Some(file), texts(&[("keep-gb", "5")]));
        let expected = SettingsReport { texts: texts(&[("author", "Ann")]), ..SettingsReport::default() };
        assert_eq!(kept.report(false), expected);
        assert_eq!(kept.report(true).texts.len(), 3);
    }

    #[test]
    fn a_damaged_file_is_set_aside_by_the_next_change_and_no_earlier() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("settings.json");
        fs::write(&file, b"{ \"version\": 1, \"settings\": {").expect("a file");
        let kept = KeptSettings::open(Some(file.clone()), Texts::new());
        let warning = kept.warning().expect("a warning");
        assert!(warning.contains("are damaged") && warning.contains("settings.json.broken-1"), "{warning}");
        assert_eq!(kept.settings(), DriverSettings::default());
        assert!(matches!(kept.changed(&texts(&[("keep-gb", "x")]), &[]), Err(NotChanged::Wrong(_))));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        change(&file, &[], &[("author", "Ann")]).expect("kept");
        let aside = folder.path().join("settings.json.broken-1");
        assert_eq!(fs::read(aside).expect("kept"), b"{ \"version\": 1, \"settings\": {");
        let kept = KeptSettings::open(Some(file), Texts::new());
        assert_eq!((kept.settings().author.as_str(), kept.warning()), ("Ann", None));
    }

    #[test]
    fn what_is_understood_of_a_file_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("settings.json");
        let json = br#"{"version":1,"settings":{"author":"Ann","port.f1-2018":"many"}}"#;
        fs::write(&file, json).expect("a file");
        let kept = KeptSettings::open(Some(file.clone()), Texts::new());
        assert_eq!(kept.settings().author, "Ann");
        let warning = kept.warning().expect("a warning");
        assert!(warning.contains("port.f1-2018: many is no port."), "{warning}");
    }

    #[test]
    fn a_file_of_an_earlier_version_counts_and_is_written_under_current_ids() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("settings.json");
        let json = br#"{"version":1,"settings":{"port.f1-2018":"20790","steering.f1-2018":"360",
            "forward":"f1-2018=127.0.0.1:5300"}}"#;
        fs::write(&file, json).expect("a file");
        let kept = KeptSettings::open(Some(file.clone()), Texts::new());
        let settings = kept.settings();
        assert_eq!((settings.ports_of(Feed::F1), kept.warning()), (&[20790][..], None));
        assert_eq!((settings.steering_deg[&Feed::F1], settings.forwards[0].feed), (360.0, Feed::F1));
        assert_eq!(kept.report(true).texts["port.f1"], "20790");
        // Cleared under one id, no other brings it back.
        change(&file, &[], &[("steering.f1", "")]).expect("kept");
        change(&file, &[], &[("port.f1-2018", "20791")]).expect("kept");
        let kept = KeptSettings::open(Some(file.clone()), Texts::new());
        let expected = texts(&[("port.f1", "20791"), ("forward", "f1-2018=127.0.0.1:5300")]);
        assert_eq!(kept.report(true).texts, expected);
        let refused = change(&file, &[("port.f1", "20792")], &[("port.f1-2018", "20793")]);
        let Err(NotChanged::Wrong(problems)) = refused else { panic!("{refused:?}") };
        assert_eq!(problems[0].setting, "port.f1-2018");
    }

    #[test]
    fn a_file_of_a_later_version_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("settings.json");
        fs::write(&file, br#"{"version":2,"settings":"otherwise"}"#).expect("a file");
        let refused = change(&file, &[], &[("author", "Ann")]);
        assert!(
            matches!(&refused, Err(NotChanged::NotKept(words)) if words.contains("Update this one")),
            "{refused:?}"
        );
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
