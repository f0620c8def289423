//! The panels for the laps of every kind of game: content, or the reason why there is none.

use std::net::SocketAddr;

use trailbrake_shared::analysis::{Comparison, LapColumns, TheoreticalBest, compare};
use trailbrake_shared::feed::{self, Feed};
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::{Car, CarSetup};
use trailbrake_shared::plot::figure::Shape;
use trailbrake_shared::plot::panel::{Cell, Content, LapRange, Laps, PANELS, Panel, PanelLap};
use trailbrake_shared::session::{LapContext, Receiver, Retention};
use trailbrake_shared::settings::{self, TyreWindows};
use trailbrake_shared::sim::demo::Emitter;
use trailbrake_shared::sim::dirt_rally::DirtRally;
use trailbrake_shared::sim::ea_wrc::EaWrc;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::units::Units;
use trailbrake_shared::wire::Datagram;

/// A session as it was received.
struct DecodedRun {
    receiver: Receiver,
}

impl DecodedRun {
    fn circuit(feed: Feed) -> Self {
        let options = Options { cars: 1, player: 0, seed: 5, again: false, ..Options::default() };
        let mut demo = Demo::new(feed, options, Micros(1_000_000)).expect("a demo");
        let mut run = Self { receiver: Receiver::new(Retention::EVERYTHING) };
        demo.drive(330.0, &mut |at, bytes| run.take(at, Some(feed), bytes));
        run
    }

    fn rally(emitter: Box<dyn Emitter>) -> Self {
        let mut demo = Demo::speaking(emitter, Options::default(), Micros(1_000_000));
        let mut run = Self { receiver: Receiver::new(Retention::EVERYTHING) };
        demo.drive(700.0, &mut |at, bytes| {
            let feed = feed::recognise(bytes).ok().map(|recognised| recognised.feed);
            run.take(at, feed, bytes);
        });
        run
    }

    fn take(&mut self, at: Micros, feed: Option<Feed>, bytes: &[u8]) {
        let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
        // The first packet has a warning about the layout for the driver, which is ignored here.
        let _ = self.receiver.receive(&Datagram { at, sender, port: 20777, feed, bytes });
    }

    /// Evaluates a function on the last two timed laps; the earlier one is the reference.
    fn evaluate<T>(&self, evaluation: impl FnOnce(&Laps<'_>) -> T) -> T {
        self.evaluate_with(|_| (), evaluation)
    }

    /// Like `evaluate`, with the lap's context changed first.
    fn evaluate_with<T>(
        &self,
        change: impl FnOnce(&mut LapContext),
        evaluation: impl FnOnce(&Laps<'_>) -> T,
    ) -> T {
        let session = self.receiver.session().expect("a session");
        let car = session.player().unwrap_or(Car(0));
        let state = session.car(car).expect("the player's car");
        let timed = state.laps.finished().iter().filter(|lap| lap.time.is_some());
        let traced = timed.filter_map(|lap| Some((lap, state.traces.lap(lap.serial)?)));
        let columns: Vec<(&Lap, LapColumns<'_>)> =
            traced.map(|(lap, columns)| (lap, LapColumns::new(lap, columns))).collect();
        let [.., (other, reference), (lap, main)] = columns.as_slice() else {
            panic!("{} laps", columns.len())
        };
        let comparison = compare(main, reference).expect("a comparison");
        let [mut own, others] = [lap, other].map(|lap| LapContext::of(session, car, lap));
        change(&mut own);
        let beside: Vec<Comparison> =
            columns[..columns.len() - 1].iter().filter_map(|(_, lap)| compare(lap, reference).ok()).collect();
        let driven: Vec<Lap> = state.laps.finished().to_vec();
        let read: Vec<Lap> = columns[..columns.len() - 1].iter().map(|(lap, _)| (*lap).clone()).collect();
        let mut compared: Vec<(&Lap, &Comparison)> = read.iter().zip(&beside).collect();
        compared.push((lap, &comparison));
        evaluation(&Laps {
            lap,
            theoretical_best: &TheoreticalBest::of(&compared, Some(other)),
            main: PanelLap { columns: main.clone(), context: &own },
            reference: Some(PanelLap { columns: reference.clone(), context: &others }),
            comparison: &comparison,
            stint: &columns.iter().map(|(_, columns)| columns.clone()).collect::<Vec<_>>(),
            besides: &[&comparison].into_iter().chain(&beside).collect::<Vec<_>>(),
            driven: &driven,
            stage: session.is_stage(),
            units: Units::default(),
            tyre_windows: TyreWindows::default(),
        })
    }

    /// The panel with an id.
    fn panel(&self, id: &str) -> Content {
        let panel = Panel::named(id).expect("a panel");
        self.evaluate(|laps| panel.content(laps, "")).unwrap_or_else(|why| panic!("{id}: {why}"))
    }
}

/// Whether a panel has content. Its figures must be labelled and drawn, and its tables complete.
fn has_content(content: &Content) -> bool {
    for figure in &content.figures {
        assert!(
            !figure.title.is_empty() && !figure.x.label.is_empty() && !figure.y.label.is_empty(),
            "{figure:?}"
        );
        let drawn = figure.marks.iter().map(|mark| match &mark.shape {
            Shape::Dots(places) | Shape::Line(places) => places.len(),
            Shape::Bars(_, places) | Shape::Outline(_, places) => places.len(),
            Shape::Level(_) => 0,
        });
        assert!(drawn.sum::<usize>() > 0, "{}", figure.title);
    }
    for table in &content.tables {
        assert!(!table.rows.is_empty(), "{}", table.title);
        for row in &table.rows {
            assert_eq!(row.cells.len() + 1, table.heads.len(), "{}: {row:?}", table.title);
            assert!(!row.name.is_empty());
        }
    }
    let cells = content.tables.iter().flat_map(|table| &table.rows).flat_map(|row| &row.cells);
    !content.figures.is_empty() || cells.into_iter().any(|cell| *cell != Cell::Nothing)
}

#[test]
fn every_panel_has_content_for_every_game_or_a_reason() {
    // For each game, the panels without content, and words of the reasons.
    let games: [(DecodedRun, &[(&str, &str)]); 8] = [
        (DecodedRun::circuit(Feed::F1), &[]),
        (DecodedRun::circuit(Feed::GranTurismo), &[("setup", "the car's setup")]),
        (DecodedRun::circuit(Feed::Forza), &[("setup", "the car's setup")]),
        (DecodedRun::circuit(Feed::AcRemote), &[("setup", "the car's setup"), ("fuel", "Fuel")]),
        (
            DecodedRun::circuit(Feed::AcTelemetryTool),
            &[("setup", "the car's setup"), ("suspension", "Suspension travel")],
        ),
        (
            DecodedRun::circuit(Feed::AcLua),
            &[("setup", "the car's setup"), ("gg", "Lateral g"), ("balance", "Steering")],
        ),
        (
            DecodedRun::rally(Box::<DirtRally>::default()),
            &[("setup", "the car's setup"), ("fuel", "Fuel"), ("balance", "Angular velocity")],
        ),
        (
            DecodedRun::rally(Box::<EaWrc>::default()),
            &[("setup", "the car's setup"), ("fuel", "Fuel"), ("balance", "Angular velocity")],
        ),
    ];
    let mut wrong = Vec::new();
    for (place, (run, missing)) in games.iter().enumerate() {
        for panel in PANELS {
            let result = run.evaluate(|laps| panel.content(laps, ""));
            match (result, missing.iter().find(|(id, _)| *id == panel.id)) {
                (Ok(content), None) if has_content(&content) => {}
                (Err(why), Some((_, words))) if why.to_string().contains(words) => {}
                (result, _) => wrong.push((place, panel.id, result.err())),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn the_drivers_tyre_window_replaces_the_median() {
    let run = DecodedRun::circuit(Feed::F1);
    let panel = Panel::named("tyres").expect("a panel");
    let share = |windows: TyreWindows| {
        run.evaluate(|laps| {
            let laps = Laps { tyre_windows: windows, ..laps.clone() };
            let table = panel.content(&laps, "tyre_surface_temperature").expect("content").tables.remove(0);
            let last = table.rows.first().and_then(|row| row.cells.last().cloned()).expect("a cell");
            (table.heads.last().expect("a head").clone(), last)
        })
    };
    let set = |from: &str, to: &str| {
        let ends = [("tyre-surface-from", from), ("tyre-surface-to", to)];
        let texts = ends.into_iter().map(|(id, text)| (id.to_owned(), text.to_owned())).collect();
        share(settings::read(&texts).0.tyres)
    };
    assert_eq!(share(TyreWindows::default()).0, "±10 °C, %");
    let (whole, none) = (set("-40", "290"), set("290", "300"));
    assert_eq!((whole.0.as_str(), none.0.as_str()), ("in window, %", "in window, %"));
    assert_eq!((format!("{:?}", whole.1).contains("100"), whole.1 != none.1), (true, true), "{:?}", whole.1);
}

#[test]
fn every_choice_of_a_panel_shows_something_else() {
    let run = DecodedRun::circuit(Feed::F1);
    for id in ["often", "tyres", "suspension"] {
        let panel = Panel::named(id).expect("a panel");
        let first = run.panel(id);
        assert!(first.choices.len() > 1 && first.choices[0].chosen, "{id}: {:?}", first.choices);
        for choice in &first.choices[1..] {
            let content = run.evaluate(|laps| panel.content(laps, &choice.id)).expect("content");
            assert!(has_content(&content) && content.figures != first.figures, "{id}: {choice:?}");
            let chosen: Vec<&str> =
                content.choices.iter().filter(|one| one.chosen).map(|one| one.id.as_str()).collect();
            assert_eq!(chosen, [choice.id.as_str()], "{id}");
        }
    }
}

#[test]
fn a_setting_that_differs_is_marked() {
    let run = DecodedRun::circuit(Feed::F1);
    let panel = Panel::named("setup").expect("a panel");
    let same = run.panel("setup");
    assert!(same.tables[0].rows.len() == 20 && same.tables[0].rows.iter().all(|row| !row.marked));
    assert_eq!(same.notes, ["Both laps were driven with the same setup."]);
    let plant = |besides: &mut LapContext| {
        let setup: &mut CarSetup = besides.setup.as_mut().expect("a set-up");
        setup.rear_wing += 3;
    };
    let content = run.evaluate_with(plant, |laps| panel.content(laps, "")).expect("a set-up");
    let marked: Vec<&str> =
        content.tables[0].rows.iter().filter(|row| row.marked).map(|row| row.name.as_str()).collect();
    assert_eq!(marked, ["Rear wing"]);
    assert_eq!(content.notes, ["One setting differs."]);
}

#[test]
fn rows_with_a_place_lead_to_it() {
    let run = DecodedRun::circuit(Feed::F1);
    let length_m = run.evaluate(|laps| laps.comparison.length_m);
    for (id, least) in [("balance", 10), ("consistency", 5), ("ideal", 1), ("splits", 10)] {
        let content = run.panel(id);
        let stretches = content.tables.iter().flat_map(|table| &table.rows).filter_map(|row| row.stretch);
        let stretches: Vec<LapRange> = stretches.collect();
        assert!(stretches.len() >= least, "{id}: {stretches:?}");
        for LapRange { from_m, to_m, at_m } in stretches {
            assert!(
                from_m < to_m && (from_m..=to_m).contains(&at_m) && to_m <= length_m + 1e-6,
                "{id}: {at_m}"
            );
        }
    }
}

#[test]
fn splits_end_with_the_official_times() {
    let run = DecodedRun::circuit(Feed::F1);
    let [own, other] = run.evaluate(|laps| {
        [Some(&laps.main), laps.reference.as_ref()]
            .map(|lap| lap.and_then(|lap| lap.columns.time).expect("a time"))
    });
    let content = run.panel("splits");
    let last = content.tables[0].rows.last().expect("a split");
    let [Cell::Number(clock_s, _), Cell::Number(reference_s, _), Cell::Number(behind_s, _)] =
        last.cells.as_slice()
    else {
        panic!("{last:?}")
    };
    assert!(
        (clock_s - own.seconds()).abs() < 1e-9 && (reference_s - other.seconds()).abs() < 1e-9,
        "{last:?}"
    );
    assert!((behind_s - (own.seconds() - other.seconds())).abs() < 1e-9, "{last:?}");
}

#[test]
fn an_ideal_lap_is_no_slower_than_any_part_of_the_laps() {
    let run = DecodedRun::circuit(Feed::F1);
    let content = run.panel("ideal");
    let behind = |name: &str| {
        let row = content.tables[0].rows.iter().find(|row| row.name == name);
        match row.unwrap_or_else(|| panic!("{name}: {content:?}")).cells.as_slice() {
            [_, Cell::Number(behind_s, _)] => *behind_s,
            cells => panic!("{name}: {cells:?}"),
        }
    };
    let [sectors, minis, lap] = ["Best sectors", "Best mini-sectors", "Best lap"].map(behind);
    assert!(minis >= sectors && sectors >= lap && behind("Rolling best") >= lap && lap >= 0.0);
    // What this lap could gain in all mini-sectors is what it is behind the ideal lap.
    let [figure] = content.figures.as_slice() else { panic!("{:?}", content.figures) };
    let [mark] = figure.marks.as_slice() else { panic!("{:?}", figure.marks) };
    let Shape::Bars(_, bars) = &mark.shape else { panic!("{:?}", mark.shape) };
    let gains: f64 = bars.iter().map(|[_, gain]| gain).sum();
    assert!(bars.len() == 25 && (gains - minis).abs() < 0.002, "{gains} {minis}");
    // The sectors add up, and each names the lap that drove it.
    let (best_s, numbers) = run.evaluate(|laps| {
        let best = laps.theoretical_best.sectors.as_ref().expect("sectors");
        (best.time.seconds(), best.sectors.iter().map(|best| best.lap).collect::<Vec<_>>())
    });
    let sectors = &content.tables[1].rows;
    let sum: f64 = sectors
        .iter()
        .map(|row| if let Cell::Number(best, _) = row.cells[1] { best } else { f64::NAN })
        .sum();
    assert!((sum - best_s).abs() < 1e-6);
    for (row, number) in sectors.iter().zip(numbers) {
        assert_eq!(row.cells[2], Cell::Number(f64::from(number), 0));
    }
}
