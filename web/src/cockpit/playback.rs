//! Opens, plays and closes recordings.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::time::LapTime;

use super::{Asked, Navigation, TableQuestions, TelemetryStore, TrackNames};
use crate::browser;
use crate::frame;
use crate::jobs::{Jobs, RunningJob, Work};
use crate::reactive::LatestTask;
use crate::replay::{
    ImportChoice, Jump, LapName, Link, Place, Player, Refused, Replay, Source, TableChoice, fetch,
    file_to_open,
};
use crate::route::Page;
use crate::telemetry::Connection;

/// The recording that plays, or is being opened. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub(crate) struct Playback {
    telemetry: TelemetryStore,
    tracks: TrackNames,
    navigation: Navigation,
    questions: TableQuestions,
    /// The file of another program that plays, and how it was opened.
    imported: StoredValue<Option<FileRequest>, LocalStorage>,
    replay: StoredValue<Option<Replay>, LocalStorage>,
    /// The recording that the address asks for, until it plays.
    pub(crate) asked: RwSignal<Asked>,
    /// Opens the recording that was requested last.
    loading: LatestTask,
    /// Long operations of every page.
    jobs: Jobs,
    /// The job of a recording that takes long to open.
    opening: StoredValue<Option<RunningJob>>,
}

/// A request to open a recording, by its source.
enum OpenRequest {
    File(FileRequest),
    Relay(Link),
}

/// A file to open.
#[derive(Clone)]
struct FileRequest {
    file: web_sys::File,
    /// The other files that were chosen with it.
    beside: Vec<web_sys::File>,
    choice: ImportChoice,
}

impl Playback {
    /// No recording, until the address names one or the driver opens one.
    pub(super) fn new(
        telemetry: TelemetryStore,
        tracks: TrackNames,
        navigation: Navigation,
        questions: TableQuestions,
    ) -> Self {
        let playback = Self {
            telemetry,
            tracks,
            navigation,
            questions,
            imported: StoredValue::new_local(None),
            replay: StoredValue::new_local(None),
            asked: RwSignal::new(Asked::Nothing),
            loading: LatestTask::new(),
            jobs: Jobs::here(),
            opening: StoredValue::new(None),
        };
        // At once and in order: what runs next asks what plays.
        ImmediateEffect::new_scoped(move || {
            // What takes its place closes the recording.
            if !telemetry.shows(Connection::Replay) {
                playback.replay.set_value(None);
            }
        });
        ImmediateEffect::new_scoped(move || {
            let fragment = navigation.fragment.get();
            untrack(|| playback.follow(&fragment));
        });
        playback
    }

    /// The playback that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Opens the first of these files that is no .ldx file, and plays it or compares its laps on Analyse. The other
    /// files may belong to it. If it can't be opened, the page says why and a playing recording continues.
    pub(crate) fn open_files(self, mut files: Vec<web_sys::File>) {
        // An .ldx file only marks the laps of a MoTeC log; the log itself has the data.
        let main = files.iter().position(|file| !file.name().to_ascii_lowercase().ends_with(".ldx"));
        if !files.is_empty() {
            let main = files.remove(main.unwrap_or_default());
            if self.telemetry.is_viewer()
                && matches!(self.navigation.page.get_untracked(), Page::Library | Page::Connections)
            {
                // The viewer has neither games nor a library: Analyse shows the laps of the file.
                browser::go_to(Page::Analyse.hash());
            }
            // Who opens a table again may want to change how its columns are read.
            let same = |before: &FileRequest| {
                (before.file.name(), before.file.last_modified()) == (main.name(), main.last_modified())
            };
            let is_again =
                self.plays() && self.imported.with_value(|before| before.as_ref().is_some_and(same));
            let table = if is_again { TableChoice::Asked } else { TableChoice::Remembered };
            let choice = ImportChoice { table, ..ImportChoice::REMEMBERED };
            self.open(OpenRequest::File(FileRequest { file: main, beside: files, choice }));
        }
    }

    /// Gives the lap of the file that plays its official time, which the file does not have.
    pub(crate) fn set_lap_time(self, time: LapTime) {
        if let Some(mut request) = self.imported.get_value() {
            request.choice.lap_time = Some(time);
            self.open(OpenRequest::File(request));
        } else {
            self.telemetry
                .complain("Open the file that the other program wrote, and set the time then.".to_owned());
        }
    }

    /// Opens one of the relay's recordings, and plays it from the position in the link.
    pub(crate) fn open_link(self, link: Link) {
        self.open(OpenRequest::Relay(link.clone()));
        self.asked.set(Asked::Opening(link));
    }

    /// Cancels the opening of a recording.
    fn cancel_opening(self) {
        self.loading.cancel();
        self.finish_opening();
        if let Asked::Opening(_) = self.asked.get_untracked() {
            self.asked.set(Asked::Nothing);
        }
    }

    /// Shows the progress of opening, 0 to 1. Returns whether the driver has not cancelled it.
    fn show_opening(self, name: &str, share: f64) -> bool {
        let job = self.opening.get_value().unwrap_or_else(|| {
            let job = self.jobs.begin(Work::Open, name);
            job.on_cancel(move || self.cancel_opening());
            self.opening.set_value(Some(job));
            job
        });
        job.reached(share)
    }

    fn finish_opening(self) {
        let job = self.opening.try_update_value(Option::take).flatten();
        job.into_iter().for_each(RunningJob::finish);
    }

    /// Closes the playing recording and forgets its data.
    pub(crate) fn close(self) {
        self.telemetry.disconnect();
    }

    /// Closes a recording that can't play on, and shows the reason and the file that would help.
    fn lose(self, why: String) {
        let place = |replay: &mut Replay| replay.link(Some(replay.place()));
        if let Some(link) = self.with(place) {
            self.asked.set(Asked::Missing { link, why });
        }
        self.close();
    }

    /// Calls a function with the playing recording, if there is one.
    pub(crate) fn with<T>(self, work: impl FnOnce(&mut Replay) -> T) -> Option<T> {
        let (mut work, mut done) = (Some(work), None);
        self.with_replay(&mut |replay| done = work.take().map(|work| work(replay)));
        done
    }

    /// Like `with`, compiled once for all callers.
    fn with_replay(self, work: &mut dyn FnMut(&mut Replay)) {
        if self.plays() {
            self.replay.update_value(|replay| replay.as_mut().into_iter().for_each(work));
        }
    }

    fn plays(self) -> bool {
        self.telemetry.connection.get_untracked() == Connection::Replay
    }

    /// Changes playback: position, speed, pause.
    pub(crate) fn steer(self, steer: impl FnOnce(&mut Player) -> Option<Jump>) {
        let jump = self.with(|replay| steer(&mut replay.player)).flatten();
        self.go_on(jump);
        // The address holds the position, so that a reload or a link returns to it.
        let link = self.with(|replay| replay.link(Some(replay.place())));
        if let Some(link) = link.filter(named_by_address) {
            browser::name_place(&link.to_string());
        }
    }

    /// A value read from the playing recording, now and at each beat of the pulse.
    pub(crate) fn sampled<T>(self, read: impl Fn(&Replay) -> T + Send + Sync + 'static) -> Memo<Option<T>>
    where
        T: PartialEq + Send + Sync + 'static,
    {
        self.telemetry.at_each_beat(Box::new(move || self.with(|replay| read(replay))))
    }

    /// Follows the address: opens the recording that it names, or jumps to the position in it. On Live, an address
    /// without a recording returns to live data.
    pub(crate) fn follow(self, fragment: &str) {
        let page = Page::from_hash(fragment);
        // The Analyse page opens recordings without playing them.
        let Some(link) = Link::from_hash(fragment).filter(|_| page != Page::Analyse) else {
            // Playback continues under other pages; Live without a query shows live data.
            let live = page == Page::Live;
            if live && self.plays() {
                self.close();
            }
            if matches!(self.asked.get_untracked(), Asked::Opening(_)) {
                self.cancel_opening();
            }
            if live {
                self.asked.set(Asked::Nothing);
            }
            return;
        };
        if self.with(|replay| replay.answers_to(link.id)) == Some(true) {
            self.go(&link);
        } else if self.asked.with_untracked(|asked| asked.link() != Some(&link)) {
            self.open_link(link);
        }
    }

    /// Reads the due packets of the playing recording.
    pub(super) fn play(self, now: f64) {
        if let Some(message) = self.with(|replay| replay.player.drive(now)).flatten() {
            self.telemetry.change(|telemetry| {
                // This page wrote the message, in the version that it reads.
                let _ = telemetry.replay(&message, now);
            });
        }
        self.telemetry.change(|telemetry| {
            if let Some(session) = telemetry.session_mut() {
                self.with(|replay| replay.hand_over_reference(session));
            }
        });
        self.run_errands();
    }

    fn open(self, wanted: OpenRequest) {
        self.cancel_opening();
        self.loading.run(async move {
            let go_on = move |name: &str, share: f64| self.show_opening(name, share);
            let opened = match &wanted {
                OpenRequest::File(FileRequest { file, beside, choice }) => {
                    match file_to_open(file.clone(), beside, choice.clone(), &go_on).await {
                        Ok((file, made)) => {
                            let opened = Replay::open(Source::of_file(file), &go_on).await;
                            opened.map(|(replay, note)| (replay, note.or(made)))
                        }
                        Err(refused) => Err(refused),
                    }
                }
                OpenRequest::Relay(link) => match Source::at_relay(link.id).await {
                    Ok(source) => Replay::open(source, &go_on).await,
                    Err(trouble) => Err(Refused::Because(trouble.words())),
                },
            };
            self.finish_opening();
            match (opened, wanted) {
                (Ok((replay, note)), wanted) => {
                    let imported = match &wanted {
                        // A recording plays under its own name.
                        OpenRequest::File(request) if request.file.name() != replay.name() => {
                            Some(request.clone())
                        }
                        OpenRequest::File(_) | OpenRequest::Relay(_) => None,
                    };
                    self.imported.set_value(imported);
                    self.begin(replay, matches!(wanted, OpenRequest::File(..)));
                    note.into_iter().for_each(|words| self.telemetry.complain(words));
                }
                (Err(Refused::Because(why)), OpenRequest::Relay(link)) => {
                    self.asked.set(Asked::Missing { link, why });
                }
                (Err(Refused::Because(words)), OpenRequest::File(..)) => self.telemetry.complain(words),
                (Err(Refused::Unknown(table)), OpenRequest::File(request)) => {
                    self.questions.ask(*table, move |mapping| {
                        let mut request = request.clone();
                        request.choice.table = TableChoice::Chosen(mapping);
                        self.open(OpenRequest::File(request));
                    });
                }
                (Err(Refused::Cancelled | Refused::Unknown(_)), _) => {}
            }
        });
    }

    /// Plays an opened recording from the requested position, or compares its laps on Analyse. A file with notes that
    /// was opened on Connections or Library is for reading, and goes to Analyse.
    fn begin(self, replay: Replay, is_file: bool) {
        let asked = self.asked.get_untracked();
        let own = asked.link().filter(|link| replay.answers_to(link.id));
        if own.is_none() && matches!(asked, Asked::Missing { .. }) {
            self.telemetry.complain(format!(
                "{} is another recording than the one that the link names.",
                replay.name()
            ));
        }
        replay.track().into_iter().for_each(|track| self.tracks.learn(track.clone()));
        let link = replay.link(own.and_then(|link| link.place));
        let page = self.navigation.page.get_untracked();
        let is_for_reading =
            is_file && replay.has_notes() && matches!(page, Page::Connections | Page::Library);
        self.asked.set(Asked::Nothing);
        self.replay.set_value(Some(replay));
        self.telemetry.connect(Connection::Replay);
        if is_for_reading {
            browser::go_to(Page::Analyse.hash());
        }
        if is_for_reading || page == Page::Analyse {
            // Analyse compares the laps and does not play the recording.
            self.with(|replay| replay.player.pause());
            return self.telemetry.beat();
        }
        self.go(&link);
        match named_by_address(&link) {
            true => browser::name_place(&link.to_string()),
            false => browser::go_to(&link.to_string()),
        }
    }

    /// Goes to the position in a link, if it has one.
    fn go(self, link: &Link) {
        let Some(place) = link.place else { return self.go_on(None) };
        match self.with(|replay| replay.moment(place)).flatten() {
            Some(moment) => {
                let jump = self.with(|replay| replay.player.jump(moment));
                self.go_on(jump);
                if let Place::Lap(LapName { car: Some(car), .. }) = place {
                    self.telemetry.change(|telemetry| telemetry.look_for(Some(car)));
                }
            }
            None => {
                self.telemetry.complain(
                    "The link names a lap that is not in this recording: it begins where it is.".into(),
                );
            }
        }
    }

    /// Continues after a jump. If decoding restarts, the new session gets what is known from before the jump.
    fn go_on(self, jump: Option<Jump>) {
        if jump == Some(Jump::Restart) {
            self.telemetry.change(|telemetry| {
                let recalled = self.with(|replay| replay.recall(telemetry.session())).flatten();
                telemetry.restart_decoding(recalled);
            });
        }
        self.telemetry.beat();
        frame::request();
    }

    /// Fetches the reference lap, packets before they are due, and the new part of a recording that still grows. One
    /// request is pending at a time.
    fn run_errands(self) {
        let errand = self.with(|replay| replay.errand(browser::now_ms()));
        let Some((errand, source)) = errand.flatten() else { return };
        spawn_local(async move {
            let brought = fetch(&source, errand).await;
            let take = |replay: &mut Replay| replay.take(&source, brought, browser::now_ms());
            if let Some(words) = self.with(take).flatten() {
                self.lose(words);
            }
        });
    }
}

/// Whether the page's address names this recording already.
fn named_by_address(link: &Link) -> bool {
    Link::from_hash(&browser::fragment()).is_some_and(|named| named.id == link.id)
}
