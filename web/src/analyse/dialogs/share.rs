//! The share dialog: saves the laps on screen for a coach.

use leptos::prelude::*;
use leptos::task::{spawn_local, spawn_local_scoped_with_cancellation};
use trailbrake_shared::number::count;
use trailbrake_shared::recording::{CHAT_BYTES, OtherCars, fits};

use crate::analyse::{ShareSizes, ShareStore, SharedAs, SharedPart};
use crate::browser;
use crate::jobs::{Jobs, Work};
use crate::text::figures::size;
use crate::ui::{Dialog, OtherCarsChoice, Segments, other_cars_choice};

/// Which laps can be shared, each with its id and its name.
const PARTS: [(SharedPart, &str, &str); 4] = [
    (SharedPart::Main, "main", "Main lap"),
    (SharedPart::Screen, "screen", "On screen"),
    (SharedPart::Best, "best", "Best five"),
    (SharedPart::Stint, "stint", "Whole stint"),
];

/// The progress of saving the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Saving {
    #[default]
    NotBegun,
    /// The number of the running job.
    Running(u32),
    Done(String),
    Failed(String),
}

#[component]
pub(super) fn ShareDialog(on_close: Callback<()>) -> impl IntoView {
    let (share, jobs) = (expect_context::<ShareStore>(), Jobs::here());
    // The dialog is about the laps that were on screen when it was opened.
    let parts = untrack(|| PARTS.map(|(part, id, name)| (id, name, share.shareable(part))));
    let options = options(&parts.each_ref().map(|(id, name, laps)| (*id, *name, laps.count())));
    let mut estimated: Vec<_> =
        parts.iter().filter(|(id, ..)| options.iter().any(|(one, _)| one == id)).cloned().collect();
    estimated.sort_by_key(|(id, ..)| *id != "screen");
    let has_stint = options.iter().any(|(id, _)| ["best", "stint"].contains(id));
    let part = RwSignal::new("screen");
    let shared = Memo::new(move |_| {
        let chosen = parts.iter().find(|(id, ..)| *id == part.get());
        chosen.map(|(_, _, laps)| laps.clone()).unwrap_or_default()
    });
    let lines = RwSignal::new(Vec::new());
    Effect::new(move |_| {
        let laps = shared.with(|shared| shared.laps.clone());
        spawn_local_scoped_with_cancellation(async move {
            // If a recording can't be read, saving says why.
            lines.set(share.describe(laps).await.unwrap_or_default());
        });
    });
    // The sizes of all choices, one after the other, that of the laps on screen first. If one can't be estimated, saving
    // says why.
    let sizes = RwSignal::new(Vec::<PartSizes>::new());
    spawn_local_scoped_with_cancellation(async move {
        for (id, name, laps) in estimated {
            let before = sizes.with_untracked(|all| all.last().and_then(|last| last.sizes.clone()));
            let of_part = share.sizes(laps.laps, before).await.ok();
            sizes.update(|all| all.push(PartSizes { id, name, sizes: of_part }));
        }
    });
    let is_empty = move || shared.with(|shared| shared.laps.is_empty());
    let missing = move || shared.with(|shared| shared.missing);
    // A page with laps is the viewer's file with the laps in it, and a single-file viewer can't load that file.
    let has_viewer = !browser::is_single_file();
    let shared_as = RwSignal::new(if has_viewer { "page" } else { "recording" });
    let others = RwSignal::new(OtherCars::default());
    let form = move || if shared_as.get() == "page" { SharedAs::Page } else { SharedAs::Recording };
    let size_words = move || {
        sizes.with(|all| match all.iter().find(|one| one.id == part.get()) {
            Some(_) if is_empty() => String::new(),
            Some(chosen) => chosen.words(form(), others.get()),
            None => "Estimating the size…".to_owned(),
        })
    };
    let part_words = move || sizes.with(|all| other_parts(all, part.get(), form(), others.get()));
    let saving = RwSignal::new(Saving::default());
    let running = move || match saving.get() {
        Saving::Running(number) => Some(number),
        Saving::NotBegun | Saving::Done(_) | Saving::Failed(_) => None,
    };
    let progress = move || {
        let words = jobs.get(running()?).map(|job| job.words()).unwrap_or_default();
        Some(format!("Saving… {words}").trim_end().to_owned())
    };
    let save = move |_| {
        let laps = shared.with_untracked(|shared| shared.laps.clone());
        let (kind, others) = (untrack(form), others.get_untracked());
        let numbers = lines.with_untracked(|lines: &Vec<String>| lines.first().cloned().unwrap_or_default());
        // As a job, saving goes on when the dialog is closed, and can still be cancelled.
        let job = jobs.begin(Work::Share, &numbers);
        saving.set(Saving::Running(job.number));
        spawn_local(async move {
            let done = match share.share(laps, kind, others, job).await {
                Ok(words) => Saving::Done(words),
                Err(words) => Saving::Failed(words),
            };
            match saving.try_set(done) {
                // The dialog is closed, so the job reports the failure.
                Some(Saving::Failed(words)) => job.fail(words),
                _ => job.finish(),
            }
        });
    };
    view! {
        <Dialog label="Share" on_close>
            <h2>"Share"</h2>
            <ul class="shared" data-testid="shared-laps">
                {move || lines.get().into_iter().map(|line| view! { <li>{line}</li> }).collect_view()}
            </ul>
            {move || is_empty().then(|| view! { <p class="missing">"No lap on screen is recorded."</p> })}
            {move || (missing() > 0).then(|| view! {
                <p class="missing">{format!("{} not recorded and can't be shared.", are(missing()))}</p>
            })}
            {(options.len() > 1).then(|| view! {
                <Segments
                    label="Laps"
                    options=options
                    selected=part
                    on_select=move |chosen: &'static str| part.set(chosen)
                />
            })}
            {has_stint.then(|| view! {
                <p class="soft">"With more laps of the stint, a coach can set tasks: these laps are their baseline."</p>
            })}
            {has_viewer.then(|| view! {
                <Segments
                    label="As"
                    options=vec![("page", "Web page"), ("recording", "Recording")]
                    selected=shared_as
                    on_select=move |chosen: &'static str| shared_as.set(chosen)
                />
            })}
            <p class="soft">{move || about(shared_as.get())}</p>
            <OtherCarsChoice selected=others on_select=Callback::new(move |chosen| others.set(chosen)) />
            <p data-testid="share-size" aria-live="polite">{size_words}</p>
            <p class="soft" data-testid="part-sizes">{part_words}</p>
            <button
                type="button"
                class="primary"
                data-testid="save-share"
                disabled=move || is_empty() || progress().is_some()
                on:click=save
            >
                {move || progress().unwrap_or_else(|| "Save".to_owned())}
            </button>
            {move || running().map(|number| view! {
                <button type="button" class="quiet" data-testid="cancel-share" on:click=move |_| jobs.cancel(number)>
                    "Cancel"
                </button>
            })}
            <p class="copied" role="status" data-testid="shared">{move || match saving.get() {
                Saving::Done(words) => words,
                Saving::NotBegun | Saving::Running(_) | Saving::Failed(_) => String::new(),
            }}</p>
            <p class="trouble" role="alert">{move || match saving.get() {
                Saving::Failed(words) => words,
                Saving::NotBegun | Saving::Running(_) | Saving::Done(_) => String::new(),
            }}</p>
        </Dialog>
    }
}

fn are(missing: usize) -> String {
    format!("{} {}", count(missing, "lap", "laps"), if missing == 1 { "is" } else { "are" })
}

fn about(shared_as: &str) -> &'static str {
    match shared_as {
        "page" => {
            "One .html file with the viewer in it. It opens by double click, offline, with nothing installed."
        }
        _ => "A small .trailbrake.mcap for somebody who has Trailbrake or its viewer open.",
    }
}

/// The choices of laps, without those that are the same laps as another.
fn options(parts: &[(&'static str, &'static str, usize)]) -> Vec<(&'static str, &'static str)> {
    let mut options: Vec<(&str, &str, usize)> = Vec::new();
    for (id, name, count) in parts {
        match options.last_mut() {
            // The laps on screen are the choice that the dialog opens with.
            Some(before) if before.2 == *count && before.0 == "screen" => {}
            Some(before) if before.2 == *count => *before = (*id, *name, *count),
            _ => options.push((*id, *name, *count)),
        }
    }
    options.into_iter().map(|(id, name, _)| (id, name)).collect()
}

/// The sizes of one choice of laps; `None` if they can't be estimated.
#[derive(Clone, Debug)]
struct PartSizes {
    id: &'static str,
    name: &'static str,
    sizes: Option<ShareSizes>,
}

impl PartSizes {
    fn bytes(&self, form: SharedAs, others: OtherCars) -> Option<u64> {
        self.sizes.as_ref()?.bytes(form, others)
    }

    /// How large the file will be and where it fits, then the sizes with other cars. Empty if nothing would be left.
    fn words(&self, form: SharedAs, others: OtherCars) -> String {
        let Some(bytes) = self.bytes(form, others) else { return String::new() };
        let chosen = format!("About {}: {}.", size(bytes), fits(bytes));
        let choices = [OtherCars::LeftOut, OtherCars::Nameless, OtherCars::Kept].into_iter();
        let others = choices.filter(|choice| *choice != others).filter_map(|choice| {
            let other = size(self.bytes(form, choice)?);
            let (_, name, _) = other_cars_choice(choice);
            (other != size(bytes)).then(|| format!("{}: {other}", name.to_lowercase()))
        });
        let others = others.collect::<Vec<_>>().join(", ");
        if others.is_empty() { chosen } else { format!("{chosen} Other cars {others}.") }
    }
}

/// The sizes of the choices of laps that are not chosen, and whether the best laps fit where the chosen ones don't.
fn other_parts(all: &[PartSizes], chosen: &str, form: SharedAs, others: OtherCars) -> String {
    let bytes_of = |id: &str| all.iter().find(|one| one.id == id)?.bytes(form, others);
    let is_large = bytes_of(chosen).is_some_and(|bytes| bytes > CHAT_BYTES);
    let mut rest = all.iter().filter(|one| one.id != chosen).collect::<Vec<_>>();
    rest.sort_by_key(|one| PARTS.iter().position(|(_, id, _)| *id == one.id));
    let words = rest.into_iter().filter_map(|one| {
        let bytes = one.bytes(form, others)?;
        let fits = if is_large && bytes <= CHAT_BYTES { ", fits most chats" } else { "" };
        Some(format!("{}: {}{fits}", one.name, size(bytes)))
    });
    words.collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_choices_of_more_laps_are_offered() {
        let check = |counts: [usize; 4], expected: &[&str]| {
            let ids = ["main", "screen", "best", "stint"];
            let parts: Vec<_> = ids.into_iter().zip(counts).map(|(id, count)| (id, id, count)).collect();
            let offered: Vec<&str> = options(&parts).into_iter().map(|(id, _)| id).collect();
            assert_eq!(offered, expected);
        };
        check([1, 2, 5, 14], &["main", "screen", "best", "stint"]);
        check([1, 2, 4, 4], &["main", "screen", "stint"]);
        check([1, 1, 1, 1], &["screen"]);
        check([1, 6, 6, 14], &["main", "screen", "stint"]);
        check([1, 1, 5, 5], &["screen", "stint"]);
    }

    #[test]
    fn every_choice_has_its_size_and_what_fits_instead_is_named() {
        let part = |(id, name, bytes): (&'static str, &'static str, u64)| PartSizes {
            id,
            name,
            sizes: Some(ShareSizes::of_one([Some(bytes); 3])),
        };
        let all = [
            ("screen", "On screen", 1_600_000),
            ("main", "Main lap", 800_000),
            ("best", "Best five", 4_000_000),
            ("stint", "Whole stint", 12_000_000),
        ];
        let all = all.map(part);
        let words = |chosen| other_parts(&all, chosen, SharedAs::Recording, OtherCars::LeftOut);
        assert_eq!(words("screen"), "Main lap: 800 KB · Best five: 4.0 MB · Whole stint: 12 MB");
        assert_eq!(
            words("stint"),
            "Main lap: 800 KB, fits most chats · On screen: 1.6 MB, fits most chats · \
             Best five: 4.0 MB, fits most chats"
        );
        assert_eq!(other_parts(&all[..1], "screen", SharedAs::Recording, OtherCars::LeftOut), "");
    }
}
