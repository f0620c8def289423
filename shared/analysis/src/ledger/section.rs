//! Splits the loss in one row: from the lap to the reference in steps.

use trailbrake_model::units::MPS2_PER_G;

use super::ability::Ability;
use super::forward::{Effort, causes, is_full};
use super::grip::{CornerGrip, GripChange, LateralGrip};
use super::measured::{Figure, Measured};
use super::part::{Part, PartLoss};
use super::replacement::{Replaced, Replacement};
use super::slowing::{HybridCorner, Slowing};
use super::stretch::{Stretch, seconds};
use crate::CornerRow;

/// Least difference of speed that a radius is asked about, as a logarithm.
const LEAST_LOG: f64 = 2e-3;
/// The lateral acceleration is averaged this far to either side of the slowest place, metres.
const AROUND_M: f64 = 6.0;
/// The acceleration before a lift is averaged over this many steps.
const BEFORE_LIFT: usize = 30;
/// Least difference of squared speeds of which a part can be transported, m²/s².
const LEAST_SPEED2: f64 = 1.0;

/// Smaller differences are no figure: of a place, metres; of coasting, seconds.
const LEAST_M: f64 = 3.0;
const LEAST_COASTING_S: f64 = 0.08;
/// Less fuel is no difference, kilograms.
const LEAST_FUEL_KG: f64 = 1.0;

/// What one row lost.
#[derive(Clone, Debug, Default)]
pub(super) struct Split {
    /// The parts, with what was brought in.
    pub(super) parts: Vec<PartLoss>,
    /// By how much each part lowers the squared speed at its end, m²/s².
    pub(super) lowers2: Vec<(Part, f64)>,
    /// Seconds lost by what was brought in.
    pub(super) brought_s: f64,
    /// How much of the difference of the speeds at its end was brought in, 0 to 1.
    pub(super) carried: f64,
    /// Whether both laps slow in it.
    pub(super) slows: bool,
    /// The grip that they show in it, if both slow.
    pub(super) grip: Option<CornerGrip>,
}

/// The two laps in one row.
pub(super) struct Section<'a> {
    laps: [&'a Stretch; 2],
    rows: Option<(&'a CornerRow, &'a CornerRow)>,
    ability: &'a Ability,
    metres_driven: [Vec<f64>; 2],
    efforts: [Vec<Effort>; 2],
    slowings: Option<[Slowing; 2]>,
    /// What the difference in each step is due to: on the approach or the whole stretch, and on the exit.
    causes: [Vec<Replacement>; 2],
    approaches: [Vec<Effort>; 2],
    exits: [Vec<Effort>; 2],
    /// The radii at the slowest place, metres.
    radii_m: Option<[f64; 2]>,
}

impl<'a> Section<'a> {
    pub(super) fn new(
        laps: [&'a Stretch; 2],
        rows: Option<(&'a CornerRow, &'a CornerRow)>,
        ability: &'a Ability,
    ) -> Self {
        let efforts = laps.map(|lap| Effort::of(lap, ability));
        let slowings = rows.and_then(|(own, best)| Slowing::of_both(laps, [own, best]));
        let mut section = Self {
            laps,
            rows,
            ability,
            metres_driven: laps.map(Stretch::metres_driven),
            efforts,
            radii_m: None,
            causes: [causes(laps, 0, false), Vec::new()],
            approaches: Default::default(),
            exits: Default::default(),
            slowings: None,
        };
        if let Some(slowings) = slowings {
            section.slow(slowings);
        }
        section
    }

    /// Adds how both laps slow.
    fn slow(&mut self, slowings: [Slowing; 2]) {
        let laps = self.laps;
        let [lap, _] = laps;
        let steps = lap.steps();
        let step_at = |place_m: f64| ((place_m - lap.from_m) / lap.step_m).max(0.0);
        let lifts = slowings.each_ref().map(|slowing| step_at(slowing.lift_m) as usize);
        let slows = slowings.each_ref().map(|slowing| step_at(slowing.slow_m).round() as usize);
        let slowest = slowings.each_ref().map(|slowing| step_at(slowing.min_m).round() as usize);
        let first_lift = lifts.iter().copied().min().unwrap_or_default();
        for cause in self.causes[0].iter_mut().skip(first_lift) {
            *cause = Replacement::Drive;
        }
        let last = slows.iter().copied().max().unwrap_or_default();
        // A lap that is slow enough later than the other one was too late.
        let mut causes_behind = vec![Replacement::BrakePoint; last.min(steps)];
        causes_behind.extend(causes(laps, last, true));
        self.causes[1] = causes_behind;
        for (which, efforts) in self.efforts.iter().enumerate() {
            let (Some(lift), Some(slow)) = (lifts.get(which), slowest.get(which)) else { continue };
            let mut approach: Vec<Effort> = efforts.iter().take(*lift).copied().collect();
            let full = approach.iter().rev().take(BEFORE_LIFT).filter(|effort| effort.full);
            let (sum, count) = full.fold((0.0, 0_u32), |(sum, count), effort| (sum + effort.ms2, count + 1));
            let onward = Effort { ms2: sum / f64::from(count.max(1)), full: true };
            approach.resize(steps, onward);
            let exit = efforts.iter().enumerate();
            let exit = exit.map(|(step, effort)| if step < *slow { Effort::default() } else { *effort });
            if let (Some(approaches), Some(exits)) =
                (self.approaches.get_mut(which), self.exits.get_mut(which))
            {
                (*approaches, *exits) = (approach, exit.collect());
            }
        }
        let ([lap, reference], [own, best]) = (laps, &slowings);
        let radii_m = radius_m(lap, own).zip(radius_m(reference, best));
        self.radii_m = radii_m.map(|(own, best)| [own, best]);
        self.slowings = Some(slowings);
    }

    /// Splits the row's loss.
    pub(super) fn split(&self) -> Split {
        let [lap, reference] = self.laps;
        let mut replaced = Replaced::default();
        let mut split = Split { slows: self.slowings.is_some(), carried: 1.0, ..Split::default() };
        let driven = self.drive(replaced);
        let begins_s = self.seconds(&driven, replaced);
        let ends2 = |driven: &[f64]| driven.last().copied().unwrap_or_default();
        let own2 = ends2(&driven);
        let (mut before_s, mut before2) = (begins_s, own2);
        for replacement in Replacement::ALL {
            replaced.add(replacement);
            if !self.changes(replacement) {
                continue;
            }
            let driven = self.drive(replaced);
            let after_s = self.seconds(&driven, replaced);
            let loss_s = before_s - after_s;
            before_s = after_s;
            if replacement == Replacement::BroughtIn {
                split.brought_s = loss_s;
                let differs2 = ends2(&reference.speed2) - own2;
                if differs2.abs() > LEAST_SPEED2 {
                    split.carried = ((ends2(&driven) - own2) / differs2).clamp(0.0, 1.0);
                }
            }
            split.add(self.part(replacement), loss_s, self.measured(replacement));
            if replacement != Replacement::BroughtIn {
                split.lowers2.push((self.part(replacement), ends2(&driven) - before2));
            }
            before2 = ends2(&driven);
        }
        let rest_s = (lap.took_s() - begins_s) - (reference.took_s() - before_s);
        split.add(Part::Rest, rest_s, None);
        split.net(Part::BrakePoint, Part::Release);
        split.grip = self.grip();
        split
    }

    /// Whether a replacement may change anything: most rows have no second lift, no other gear and no DRS.
    fn changes(&self, replacement: Replacement) -> bool {
        match replacement {
            Replacement::SecondLift
            | Replacement::Gears
            | Replacement::Battery
            | Replacement::Drs
            | Replacement::Drive
            | Replacement::Other => self.causes.iter().any(|causes| causes.contains(&replacement)),
            _ => true,
        }
    }

    /// The squared speed at the end of each step, after some replacements.
    fn drive(&self, replaced: Replaced) -> Vec<f64> {
        let [lap, reference] = self.laps;
        let begins = if replaced.has(Replacement::BroughtIn) { reference } else { lap };
        let begins2 = begins.speed2.first().copied().unwrap_or(1.0);
        let Some(slowings) = &self.slowings else {
            let efforts = choose(&self.efforts, &self.causes[0], replaced);
            let mut speeds2 = vec![begins2];
            for effort in efforts {
                let speed2 = speeds2.last().copied().unwrap_or(begins2);
                speeds2.push(effort.drive(speed2, lap.step_m, self.ability));
            }
            return speeds2;
        };
        let of = |replacement| if replaced.has(replacement) { &slowings[1] } else { &slowings[0] };
        let [own2, best2] = slowings.each_ref().map(|slowing| slowing.min_ms.powi(2));
        let radius = self.radius_share();
        let share = if replaced.has(Replacement::Radius) { radius } else { 0.0 }
            + if replaced.has(Replacement::MinimumSpeed) { 1.0 - radius } else { 0.0 };
        HybridCorner {
            step_m: lap.step_m,
            from_m: lap.from_m,
            steps: lap.steps(),
            begins2,
            approach: &choose(&self.approaches, &self.causes[0], replaced),
            coast: of(Replacement::Lift),
            place: of(Replacement::BrakePoint),
            build_up: of(Replacement::BuildUp),
            braking: of(Replacement::Braking),
            release: of(Replacement::Release),
            throttle: of(Replacement::Throttle),
            slow2: own2 + (best2 - own2) * share + of(Replacement::Release).rolls2,
            exit: &choose(&self.exits, &self.causes[1], replaced),
        }
        .drive(self.ability)
    }

    /// Seconds for squared speeds.
    fn seconds(&self, speeds2: &[f64], replaced: Replaced) -> f64 {
        let [own, best] = &self.metres_driven;
        let metres_driven = if replaced.has(Replacement::MetresDriven) { best } else { own };
        let steps = speeds2.windows(2).zip(metres_driven);
        let [lap, _] = self.laps;
        let step_m = lap.step_m;
        steps
            .map(|(pair, metres)| match pair {
                [from2, to2] => metres * seconds(*from2, *to2, step_m),
                _ => 0.0,
            })
            .sum()
    }

    /// The part that a replacement belongs to.
    fn part(&self, replacement: Replacement) -> Part {
        match replacement {
            // A driver who is off the brake earlier must brake earlier.
            Replacement::BrakePoint if self.slowings.as_ref().is_some_and(Slowing::one_rolls) => {
                Part::Release
            }
            _ => replacement.part(),
        }
    }

    /// How much of the difference of the minimum speeds the radius explains, 0 to 1.
    fn radius_share(&self) -> f64 {
        let Some(([own, best], [own_m, best_m])) = self.slowings.as_ref().zip(self.radii_m) else {
            return 0.0;
        };
        let speeds = 2.0 * (own.min_ms / best.min_ms).ln();
        if speeds.abs() < LEAST_LOG { 0.0 } else { ((own_m / best_m).ln() / speeds).clamp(0.0, 1.0) }
    }

    /// The grip that both laps show.
    fn grip(&self) -> Option<CornerGrip> {
        let ([own, best], [own_m, best_m]) = self.slowings.as_ref().zip(self.radii_m)?;
        let speed = 2.0 * (own.min_ms / best.min_ms).ln();
        let same = |log: f64| if log.is_finite() { log } else { 0.0 };
        Some(CornerGrip {
            lateral: LateralGrip { speed2: best.min_ms.powi(2), log: speed - (own_m / best_m).ln() },
            speed: speed * (1.0 - self.radius_share()),
            braking: same((own.braking_ms2 / best.braking_ms2).ln()),
            exit: self.exit_gains([own, best]).map_or(0.0, |[own, best]| same((own / best).ln())),
        })
    }

    /// What both laps gain on the exit until the reference is at full throttle, m/s².
    fn exit_gains(&self, slowings: [&Slowing; 2]) -> Option<[f64; 2]> {
        let [_, reference] = self.laps;
        let slowest = slowings.map(|slowing| reference.nearest(slowing.min_m));
        let from = slowest.into_iter().max()?;
        let full = (from..reference.steps()).find(|step| is_full(reference, *step) == Some(true))?;
        let gain = |lap: &Stretch, slow: usize| {
            let steps = full.saturating_sub(slow).max(1) as f64;
            Some((lap.speed2.get(full)? - lap.speed2.get(slow)?) / (2.0 * steps * lap.step_m))
        };
        let ([lap, reference], [own, best]) = (self.laps, slowest);
        Some([gain(lap, own)?, gain(reference, best)?])
    }

    /// The figures of what is replaced.
    fn measured(&self, replacement: Replacement) -> Option<Measured> {
        let [lap, reference] = self.laps;
        let figures = |figure: Figure, lap: f64, reference: f64| Some(Measured { figure, lap, reference });
        if replacement == Replacement::BroughtIn {
            return figures(Figure::SpeedMs, lap.speed_ms(0), reference.speed_ms(0));
        }
        let end = |of: fn(&Stretch) -> Option<f64>| of(lap).zip(of(reference));
        match replacement {
            Replacement::Battery => {
                return end(deployed_j).and_then(|(own, best)| figures(Figure::Joules, own, best));
            }
            Replacement::Drs => return end(open_m).and_then(|(own, best)| figures(Figure::OpenM, own, best)),
            Replacement::Drive => {
                let (own, best) = end(fuel_kg)?;
                return figures(Figure::FuelKg, own, best).filter(|fuel| fuel.more().abs() >= LEAST_FUEL_KG);
            }
            Replacement::Throttle | Replacement::Gears => return self.of_rows(replacement),
            _ => {}
        }
        let [own, best] = self.slowings.as_ref()?;
        match replacement {
            Replacement::Lift => figures(Figure::PlaceM, own.lift_m, best.lift_m),
            Replacement::BrakePoint => figures(Figure::PlaceM, own.on_m, best.on_m),
            Replacement::BuildUp => figures(Figure::Seconds, own.build_up_s, best.build_up_s),
            Replacement::Braking => figures(Figure::DecelerationMs2, own.braking_ms2, best.braking_ms2),
            Replacement::Release => self.of_rows(replacement).or_else(|| {
                let metres = |lap: &Slowing| lap.before_m(lap.release2) + lap.min_m - lap.slow_m;
                figures(Figure::DrivenM, metres(own), metres(best))
            }),
            Replacement::MinimumSpeed => figures(Figure::SpeedMs, own.min_ms, best.min_ms),
            Replacement::Radius => self.radii_m.and_then(|[own, best]| figures(Figure::RadiusM, own, best)),
            _ => None,
        }
    }

    /// The figure of a replacement that the corner table has, if the laps differ in it.
    fn of_rows(&self, replacement: Replacement) -> Option<Measured> {
        let (own, best) = self.rows?;
        let differs = |figure: Figure, of: fn(&CornerRow) -> Option<f64>, least: f64| {
            let (lap, reference) = of(own).zip(of(best))?;
            ((lap - reference).abs() >= least).then_some(Measured { figure, lap, reference })
        };
        match replacement {
            Replacement::Release => differs(Figure::CoastingS, |row| row.coasting_s, LEAST_COASTING_S)
                .or_else(|| differs(Figure::ReleaseM, |row| row.release_m, LEAST_M)),
            Replacement::Throttle => differs(Figure::ThrottleOnM, |row| row.throttle_on_m, LEAST_M)
                .or_else(|| differs(Figure::FullThrottleM, |row| row.full_throttle_m, LEAST_M)),
            Replacement::Gears => differs(Figure::Gear, |row| row.gear.map(f64::from), 1.0),
            _ => None,
        }
    }
}

/// Electrical energy deployed in a stretch, joules. `None` if the game does not send it.
fn deployed_j(stretch: &Stretch) -> Option<f64> {
    let deployed = stretch.deployed_j.as_ref()?;
    let steps = deployed.windows(2).map(|pair| match pair {
        // The counter begins again at the line.
        [from, to] => (to - from).max(0.0),
        _ => 0.0,
    });
    Some(steps.sum())
}

/// Fuel at the beginning of a stretch, kilograms. `None` if the game does not send it.
fn fuel_kg(stretch: &Stretch) -> Option<f64> {
    stretch.fuel_kg.as_ref()?.first().copied()
}

/// Metres of a stretch with DRS open. `None` if the game does not send it.
fn open_m(stretch: &Stretch) -> Option<f64> {
    let open = stretch.drs.as_ref()?.iter().filter(|open| **open > 0.0).count();
    Some(open as f64 * stretch.step_m)
}

impl Split {
    /// Adds what a part cost.
    pub(super) fn add(&mut self, part: Part, loss_s: f64, measured: Option<Measured>) {
        PartLoss::change(&mut self.parts, part, |known| {
            known.loss_s += loss_s;
            known.measured = measured.or(known.measured);
        });
    }

    /// Counts what was lost by driving as lost by traffic, since another car was in the way. What was gained stays.
    pub(super) fn blame_traffic(&mut self) {
        let is_driving = |part: Part| part.is_driving() && part != Part::BroughtIn;
        let driving = self.parts.iter().filter(|known| is_driving(known.part));
        let lost_s: f64 = driving.map(|known| known.loss_s).sum();
        if lost_s <= 0.0 {
            return;
        }
        self.parts.retain(|known| !is_driving(known.part));
        self.add(Part::Traffic, lost_s, None);
        for (part, _) in self.lowers2.iter_mut().filter(|(part, _)| is_driving(*part)) {
            *part = Part::Traffic;
        }
    }

    /// Names what was lost or gained at full throttle a tow: one of the laps had a car ahead.
    pub(super) fn name_tow(&mut self) {
        let lowers = self.lowers2.iter_mut().map(|(part, _)| part);
        for part in self.parts.iter_mut().map(|known| &mut known.part).chain(lowers) {
            if *part == Part::Drive {
                *part = Part::Tow;
            }
        }
    }

    /// The lateral grip of both laps, if both slow.
    pub(super) fn lateral(&self) -> Option<LateralGrip> {
        self.grip.map(|grip| grip.lateral)
    }

    /// Charges to the grip what it explains of the minimum speed, the braking and the throttle.
    pub(super) fn charge_grip(&mut self, change: &GripChange) {
        let Some(grip) = self.grip else { return };
        let log = change.at(grip.lateral.speed2);
        for (part, difference) in
            [(Part::MinimumSpeed, grip.speed), (Part::Braking, grip.braking), (Part::Throttle, grip.exit)]
        {
            let share = if log * difference > 0.0 { (log / difference).min(1.0) } else { 0.0 };
            let Some(known) = self.parts.iter_mut().find(|known| known.part == part && share > 0.0) else {
                continue;
            };
            let loss_s = share * known.loss_s;
            known.loss_s -= loss_s;
            self.add(change.part, loss_s, change.measured);
            let mut lowers2 = Vec::new();
            for (_, by2) in self.lowers2.iter_mut().filter(|(lowered, _)| *lowered == part) {
                lowers2.push((change.part, share * *by2));
                *by2 *= 1.0 - share;
            }
            self.lowers2.extend(lowers2);
        }
    }

    /// Takes a gain by one of two parts from the loss by the other one. A car that is slow enough a little later, and then has a
    /// longer way to its slowest place, does one thing.
    fn net(&mut self, one: Part, other: Part) {
        let lost_s = |part: Part| {
            let known = self.parts.iter().find(|known| known.part == part);
            known.map_or(0.0, |known| known.loss_s)
        };
        let (one_s, other_s) = (lost_s(one), lost_s(other));
        if one_s * other_s < 0.0 {
            let (larger, smaller) = if one_s.abs() > other_s.abs() { (one, other) } else { (other, one) };
            PartLoss::change(&mut self.parts, larger, |known| known.loss_s = one_s + other_s);
            PartLoss::change(&mut self.parts, smaller, |known| known.loss_s = 0.0);
        }
    }

    /// Charges what was lost after the row to its parts, by how much each changes the speed at the row's end.
    pub(super) fn charge(&self, parts: &mut Vec<PartLoss>, after_s: f64) {
        let all2: f64 = self.lowers2.iter().map(|(_, lowers2)| lowers2).sum();
        // Only those that change it as all together do: a small sum of gains and losses would blow them up.
        let share2 = |lowers2: &f64| (lowers2 * all2.signum()).max(0.0);
        let alike2: f64 = self.lowers2.iter().map(|(_, lowers2)| share2(lowers2)).sum();
        if alike2 <= 0.0 {
            PartLoss::change(parts, Part::Rest, |rest| rest.after_s += after_s);
            return;
        }
        for (part, lowers2) in &self.lowers2 {
            PartLoss::change(parts, *part, |known| known.after_s += after_s * share2(lowers2) / alike2);
        }
    }
}

/// What is done in each step: the lap's, or the reference's where its cause is replaced.
fn choose([lap, reference]: &[Vec<Effort>; 2], causes: &[Replacement], replaced: Replaced) -> Vec<Effort> {
    let both = lap.iter().zip(reference).zip(causes);
    both.map(|((own, best), cause)| if replaced.has(*cause) { *best } else { *own }).collect()
}

/// The radius at the slowest place, metres. `None` if the game sends no lateral acceleration.
fn radius_m(lap: &Stretch, slowing: &Slowing) -> Option<f64> {
    let lateral_g = lap.lateral_g.as_ref()?;
    let from = lap.nearest(slowing.min_m - AROUND_M);
    let around = lateral_g.get(from..=lap.nearest(slowing.min_m + AROUND_M))?;
    let ms2 =
        f64::from(MPS2_PER_G) * around.iter().map(|g| g.abs()).sum::<f64>() / around.len().max(1) as f64;
    (ms2 > 1.0).then(|| slowing.min_ms.powi(2) / ms2)
}
