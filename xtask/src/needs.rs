//! What tests need that is not available everywhere, such as captures.
//!
//! Such a test is marked `#[ignore = "needs …"]`. It runs where its need is met; the others are counted by reason.

use std::collections::BTreeMap;
use std::ffi::OsString;

use anyhow::{Result, bail};

use crate::test_program::Test;

/// Environment variables through which tests find what they need.
pub(crate) type Variables = Vec<(&'static str, OsString)>;

/// Something that certain tests need.
pub(crate) struct Need {
    /// The reason in their `#[ignore]`.
    pub(crate) reason: &'static str,
    /// `None` if it is not available.
    pub(crate) variables: Option<Variables>,
}

impl Need {
    /// The need of tests that need both.
    pub(crate) fn of_both(reason: &'static str, one: &Self, other: &Self) -> Self {
        let both = one.variables.clone().zip(other.variables.clone());
        Self { reason, variables: both.map(|(one, other)| [one, other].concat()) }
    }
}

/// The variables of all needs that are met.
pub(crate) fn variables(needs: &[Need]) -> Variables {
    needs.iter().filter_map(|need| need.variables.clone()).flatten().collect()
}

/// Splits tests into those that run and those whose need is not met. A reason that is no known need is an error.
pub(crate) fn sort<'a>(tests: &'a [Test], needs: &[Need]) -> Result<(Vec<&'a Test>, Unmet)> {
    let (mut met, mut unmet) = (Vec::new(), Unmet::default());
    for test in tests {
        let Some(reason) = &test.ignored else {
            met.push(test);
            continue;
        };
        match needs.iter().find(|need| need.reason == reason) {
            Some(need) if need.variables.is_some() => met.push(test),
            Some(need) => unmet.0.entry(need.reason).or_default().push(test.name.clone()),
            None => bail!("{} is ignored ({reason:?}), and no need of that name is known", test.name),
        }
    }
    Ok((met, unmet))
}

/// Tests that can't run here, by what they need.
#[derive(Default)]
pub(crate) struct Unmet(BTreeMap<&'static str, Vec<String>>);

impl Unmet {
    pub(crate) fn extend(&mut self, other: Self) {
        for (reason, names) in other.0 {
            self.0.entry(reason).or_default().extend(names);
        }
    }

    /// The names of the tests.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.0.values().flatten()
    }

    /// How many tests did not run, and why.
    pub(crate) fn summary(&self) -> String {
        let count = self.names().count();
        if count == 0 {
            return "every test ran".to_owned();
        }
        let short = |reason: &str| reason.split(':').next().unwrap_or_default().to_owned();
        let reasons: Vec<String> =
            self.0.iter().map(|(reason, names)| format!("{} ({})", short(reason), names.len())).collect();
        format!("{count} test{} did not run: {}", if count == 1 { "" } else { "s" }, reasons.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(captures: Option<Variables>) -> [Need; 3] {
        [
            Need { reason: "needs captures", variables: captures },
            Need { reason: "needs a browser: run cargo xtask test", variables: None },
            Need { reason: "needs Python", variables: None },
        ]
    }

    fn tests() -> Vec<Test> {
        [
            ("laps::a_lap_ends", None),
            ("captures::a_drive", Some("needs captures")),
            ("captures::a_race", Some("needs captures")),
            ("page::a_click", Some("needs a browser: run cargo xtask test")),
            ("peers::a_table", Some("needs Python")),
        ]
        .map(|(name, reason)| Test { name: name.to_owned(), ignored: reason.map(str::to_owned) })
        .into()
    }

    #[test]
    fn what_does_not_run_is_counted_by_reason() {
        let tests = tests();
        let names = |met: Vec<&Test>| met.iter().map(|test| test.name.clone()).collect::<Vec<_>>();
        let (met, unmet) = sort(&tests, &needs(None)).unwrap();
        assert_eq!(names(met), ["laps::a_lap_ends"]);
        assert_eq!(
            unmet.summary(),
            "4 tests did not run: needs Python (1), needs a browser (1), needs captures (2)"
        );
        let (met, mut unmet) = sort(&tests, &needs(Some(Vec::new()))).unwrap();
        assert_eq!(names(met), ["laps::a_lap_ends", "captures::a_drive", "captures::a_race"]);
        assert_eq!(unmet.summary(), "2 tests did not run: needs Python (1), needs a browser (1)");
        unmet.extend(Unmet(BTreeMap::from([("needs Python", vec!["peers::a_log".to_owned()])])));
        assert_eq!(unmet.names().collect::<Vec<_>>(), ["peers::a_table", "peers::a_log", "page::a_click"]);
        let one = Unmet(BTreeMap::from([("needs Python", vec!["peers::a_log".to_owned()])]));
        assert_eq!(one.summary(), "1 test did not run: needs Python (1)");
        assert_eq!(Unmet::default().summary(), "every test ran");
    }

    #[test]
    fn a_reason_that_no_need_has_is_an_error() {
        let tests = [Test { name: "laps::a_lap".to_owned(), ignored: Some("slow".to_owned()) }];
        assert!(sort(&tests, &needs(None)).err().unwrap().to_string().contains("laps::a_lap"));
    }
}
