use trailbrake_analysis::laps::{CarLaps, Lap};
use trailbrake_model::time::Micros;
use trailbrake_model::units::Units;
use trailbrake_model::{Columns, LapProgress, Moment, Slot, Surface};

use super::*;

fn lap() -> Lap {
    let mut laps = CarLaps::default();
    laps.progress(&LapProgress { lap: 1, clock: Some(0.0), ..LapProgress::default() });
    laps.current().cloned().expect("a lap")
}

/// A lap of rows with these values, 0.1 s apart.
fn columns<const N: usize>(slots: [Slot; N], rows: &[[f32; N]]) -> Columns {
    let mut columns = Columns::default();
    for (row, values) in rows.iter().enumerate() {
        let session_time = Some(row as f64 * 0.1);
        let moment = Moment { at: Micros(0), session_time, frame: None };
        columns.push(moment, slots.into_iter().zip(*values));
    }
    columns
}

/// A lap coloured without a reference.
fn coloured(by: Colouring, columns: &Columns, wheel: Option<Wheel>) -> Result<ColouredLap, Unavailable> {
    let lap = lap();
    colour_lap(by, &LapColumns::new(&lap, columns), None, &[], wheel, &Units::default())
}

fn bands(coloured: &ColouredLap, rows: usize) -> Vec<Option<usize>> {
    (0..rows).map(|row| coloured.band(row)).collect()
}

fn readouts(coloured: &ColouredLap, rows: usize) -> Vec<String> {
    (0..rows).map(|row| row_words(coloured, row).unwrap_or_default()).collect()
}

#[test]
fn speed_is_a_scale_with_round_ends_in_the_unit_that_is_shown() {
    let columns = columns([Channel::Speed.slot()], &[[21.0], [50.0], [79.0]]);
    let speed = coloured(Colouring::Speed, &columns, None).expect("colours");
    assert_eq!(speed.ends, Some(["50".to_owned(), "300 km/h".to_owned()]));
    assert_eq!(bands(&speed, 4), [Some(0), Some(4), Some(7), None]);
    assert_eq!(readouts(&speed, 3), ["76 km/h", "180 km/h", "284 km/h"]);
    assert_eq!(speed.bands.len(), usize::from(RAMP));
    assert!(speed.bands.iter().enumerate().all(|(step, band)| band.tone == Tone::Ramp(step as u8)));
}

#[test]
fn as_a_table_scales_are_numbers_and_classes_are_names() {
    let rows = columns([Channel::Speed.slot()], &[[25.0], [50.0]]);
    let speed = coloured(Colouring::Speed, &rows, None).expect("colours");
    let (places_m, places) = ([0.0, 1.0, 2.0], [[4.0, 5.0]; 3]);
    let text = crate::csv::track_csv(&places_m, &places, Some(("Speed", &speed)));
    assert_eq!(text, "Distance m,x m,z m,Speed km/h\r\n0,4,5,90\r\n1,4,5,180\r\n2,4,5,\r\n");
    let rows = columns([Channel::Throttle.slot(), Channel::Brake.slot()], &[[1.0, 0.0], [0.0, 0.8]]);
    let pedals = coloured(Colouring::Pedals, &rows, None).expect("colours");
    let text = crate::csv::track_csv(&places_m, &places, Some(("Pedals", &pedals)));
    assert_eq!(text, "Distance m,x m,z m,Pedals\r\n0,4,5,throttle\r\n1,4,5,brake\r\n2,4,5,\r\n");
}

#[test]
fn pedals_have_names_and_those_that_nobody_pressed_have_none() {
    let slots = [Channel::Throttle.slot(), Channel::Brake.slot()];
    let rows = columns(slots, &[[1.0, 0.0], [0.0, 0.8], [0.3, 0.4], [0.01, 0.0]]);
    let pedals = coloured(Colouring::Pedals, &rows, None).expect("colours");
    assert_eq!(readouts(&pedals, 4), ["throttle", "brake", "brake", "coasting"]);
    let tones: Vec<Tone> = pedals.bands.iter().map(|band| band.tone).collect();
    assert_eq!((tones, pedals.ends), (vec![Tone::Throttle, Tone::Brake, Tone::Coast], None));
    let rows = columns(slots, &[[1.0, 0.0], [0.0, 0.0]]);
    let pedals = coloured(Colouring::Pedals, &rows, None).expect("colours");
    assert_eq!(readouts(&pedals, 2), ["throttle", "coasting"]);
    assert_eq!((pedals.bands.len(), pedals.band(1)), (2, Some(1)));
}

#[test]
fn gears_differ_as_far_as_there_are_colours() {
    let rows: Vec<[f32; 1]> = [-1.0, 0.0, 1.0, 2.0, 6.0].map(|gear| [gear]).to_vec();
    let gears = coloured(Colouring::Gear, &columns([Channel::Gear.slot()], &rows), None).expect("colours");
    assert_eq!(readouts(&gears, 5), ["R", "N", "1", "2", "6"]);
    let tones: Vec<Tone> = gears.bands.iter().map(|band| band.tone).collect();
    assert_eq!(tones, [Tone::Plain, Tone::Plain, Tone::Ramp(0), Tone::Ramp(3), Tone::Ramp(7)]);
    let rows: Vec<[f32; 1]> = (1..=12).map(|gear| [gear as f32]).collect();
    let gears = coloured(Colouring::Gear, &columns([Channel::Gear.slot()], &rows), None).expect("colours");
    assert_eq!((gears.bands.len(), gears.bands[11].tone), (12, Tone::Ramp(7)));
}

#[test]
fn the_wheel_with_the_highest_value_is_shown_unless_one_is_chosen() {
    let slots = Wheel::ALL.map(|wheel| Channel::TyreSurfaceTemperature.of(wheel));
    let rows = columns(slots, &[[80.0, 90.0, 85.0, 70.0], [95.0, 91.0, 85.0, 0.0]]);
    let hottest = coloured(Colouring::Temperature, &rows, None).expect("colours");
    assert_eq!(readouts(&hottest, 2), ["90 °C", "95 °C"]);
    assert_eq!(hottest.about, "hottest tyre, surface");
    let chosen = coloured(Colouring::Temperature, &rows, Some(Wheel::RearRight)).expect("colours");
    assert_eq!(
        (readouts(&chosen, 2), chosen.about.as_str()),
        (vec!["70 °C".to_owned(), String::new()], "RR, surface")
    );
    assert_eq!(chosen.band(1), None, "a tyre at nothing was not measured");
    let lap = lap();
    let columns = LapColumns::new(&lap, &rows);
    let per_wheel = Colouring::ALL.iter().filter(|by| by.is_per_wheel(&columns));
    assert_eq!(per_wheel.copied().collect::<Vec<_>>(), [Colouring::Temperature]);
}

#[test]
fn slip_is_that_of_the_wheels_beside_the_car_and_never_hides_the_rest() {
    let mut slots = [Channel::Speed.slot(); 5];
    slots[1..].copy_from_slice(&Wheel::ALL.map(|wheel| Channel::WheelSpeed.of(wheel)));
    let rows = [[50.0, 50.0, 48.0, 55.0, 50.0], [40.0, 0.0, 40.0, 40.0, 40.0], [2.0, 0.0, 2.0, 2.0, 2.0]];
    let slip = coloured(Colouring::Slip, &columns(slots, &rows), None).expect("colours");
    assert_eq!(readouts(&slip, 3), ["10 %", "100 %", ""], "a car that hardly rolls does not slip");
    assert_eq!(slip.ends, Some(["0".to_owned(), "30 % and more".to_owned()]));
    assert_eq!(bands(&slip, 3), [Some(2), Some(7), None]);

    let slots = [Channel::Speed.slot(), Channel::CombinedSlip.slot()];
    let slip =
        coloured(Colouring::Slip, &columns(slots, &[[50.0, 0.2], [50.0, 1.1]]), None).expect("colours");
    assert_eq!(readouts(&slip, 2), ["0.20", "1.10"]);
    assert_eq!(slip.ends, Some(["0.00".to_owned(), "1.10".to_owned()]));
}

#[test]
fn surfaces_stand_in_the_order_in_which_they_hold() {
    let on = |surface: Surface| f32::from(surface.number());
    let rows = [
        [on(Surface::Tarmac); 4],
        [on(Surface::Tarmac), on(Surface::Tarmac), on(Surface::Kerb), on(Surface::Tarmac)],
        [on(Surface::Kerb), on(Surface::Grass), on(Surface::Tarmac), on(Surface::Tarmac)],
        [on(Surface::Other(7)); 4],
    ];
    let columns = columns(Wheel::ALL.map(|wheel| Channel::Surface.of(wheel)), &rows);
    let surfaces = coloured(Colouring::Surface, &columns, None).expect("colours");
    assert_eq!(readouts(&surfaces, 4), ["tarmac", "kerb", "grass", "unknown"]);
    let tones: Vec<Tone> = surfaces.bands.iter().map(|band| band.tone).collect();
    assert_eq!(tones, [Tone::Ramp(0), Tone::Ramp(2), Tone::Ramp(4), Tone::Ramp(7)]);
    let left = coloured(Colouring::Surface, &columns, Some(Wheel::FrontLeft)).expect("colours");
    assert_eq!(readouts(&left, 3), ["tarmac", "tarmac", "kerb"]);
}

#[test]
fn missing_channels_are_reported() {
    let columns = columns([Channel::Speed.slot()], &[[21.0], [50.0]]);
    let why = |by: Colouring| coloured(by, &columns, None).err().map(|why| why.to_string());
    assert_eq!(why(Colouring::Speed), None);
    assert_eq!(why(Colouring::Surface).as_deref(), Some("the game does not send: Surface under the wheel"));
    for by in [Colouring::Delta, Colouring::Cause] {
        assert_eq!(why(by).as_deref(), Some("it takes a second lap to compare with"));
    }
    for by in Colouring::ALL {
        assert_eq!(Colouring::of_id(by.id()), Some(*by));
    }
    assert_eq!(Colouring::of_id("rainbow"), None);
}
