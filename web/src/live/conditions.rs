//! The session panel: track state, laps and time left, weather, pit limit, and the marshal zones.

use leptos::prelude::*;
use trailbrake_shared::model::{Channel, Flag, LapProgress, SafetyCar, SessionInfo};
use trailbrake_shared::number;
use trailbrake_shared::session::{LogKind, Session};
use trailbrake_shared::units::{Unit, Units};

use super::flags::{colour, flag};
use super::reading::{Reading, Readings, with_unit};
use super::session_words::heading;
use super::words::latest;
use crate::cockpit::{Display, TelemetryStore};
use crate::telemetry::Telemetry;
use crate::text::figures::minutes;

/// A marshal zone for the style sheet: start and width as percentages of the lap, and the flag's colour.
#[derive(Clone, Debug, PartialEq)]
struct Zone {
    left: String,
    width: String,
    flag: &'static str,
}

/// Whether the game sends any of these values.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    !readings(telemetry, Units::default()).is_empty()
}

/// The panel.
#[component]
pub(super) fn SessionPanel() -> impl IntoView {
    let (telemetry, display) = (TelemetryStore::here(), Display::here());
    let title = telemetry.sampled(heading);
    let readings = telemetry.sampled(move |telemetry| readings(telemetry, display.units.get()));
    view! {
        <section class="panel session" aria-label="Session">
            <div class="head"><h2>"Session"</h2><span>{move || title.get()}</span></div>
            <MarshalZones/>
            <Readings readings/>
        </section>
    }
    .into_any()
}

/// The marshal zones from the start line on, and the watched car's position among them.
#[component]
fn MarshalZones() -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let zones = telemetry.sampled(zones);
    let car = telemetry.sampled(|telemetry| telemetry.session().and_then(lap_share).map(percent));
    let zone = |Zone { left, width, flag }: Zone| {
        view! { <i style:left=left style:width=width data-flag=flag></i> }
    };
    move || {
        let zones = zones.get();
        (!zones.is_empty()).then(|| {
            view! {
                <div class="zones" role="img" aria-label="Marshal zones">
                    {zones.into_iter().map(zone).collect_view()}
                    {move || car.get().map(|left| view! { <b style:left=left></b> })}
                </div>
            }
        })
    }
}

fn zones(telemetry: &Telemetry) -> Vec<Zone> {
    let zones = telemetry.session().and_then(Session::info).map(|info| info.marshal_zones.as_slice());
    let zones = zones.unwrap_or_default();
    let ends = zones.iter().skip(1).map(|zone| zone.start).chain([1.0]);
    zones
        .iter()
        .zip(ends)
        .map(|(zone, end)| Zone {
            left: percent(zone.start),
            width: percent(end - zone.start),
            flag: colour(zone.flag),
        })
        .collect()
}

fn percent(share: f32) -> String {
    format!("{:.2}%", share.clamp(0.0, 1.0) * 100.0)
}

fn progress(session: &Session) -> Option<&LapProgress> {
    session.car(session.watched()?)?.progress()
}

/// The watched car's lap fraction. `None` if the game sends no track length or no lap distance.
fn lap_share(session: &Session) -> Option<f32> {
    let length = session.info()?.track_length_m.filter(|length| *length > 0.0)?;
    Some(progress(session)?.distance? / length)
}

fn readings(telemetry: &Telemetry, units: Units) -> Vec<Reading> {
    let Some(session) = telemetry.session() else { return Vec::new() };
    let nothing = SessionInfo::default();
    let info = session.info().unwrap_or(&nothing);
    let mut readings = Vec::new();
    readings.extend(track_state(telemetry, info));
    if let Some(progress) = progress(session) {
        let total = info.total_laps.filter(|total| *total > 1);
        readings.extend(total.map(|total| Reading::new("Lap", format!("{} of {total}", progress.lap))));
        if progress.invalid {
            readings.push(Reading::new("This lap", "invalid").toned("bad"));
        }
        if progress.penalties > 0 {
            readings.push(Reading::new("Penalties", format!("{} s", progress.penalties)).toned("bad"));
        }
    }
    let left = info.seconds_left.filter(|seconds| *seconds > 0);
    readings.extend(left.map(|seconds| Reading::new("Time left", minutes(seconds.into()))));
    readings.extend(weather(telemetry, info, units));
    let limit = info.pit_limit_mps.filter(|limit| *limit > 0.0);
    let speed = units.shown(Unit::MetresPerSecond);
    readings.extend(limit.map(|limit| Reading::number("Pit limit", limit, speed)));
    let day = latest(telemetry, Channel::TimeOfDay).filter(|seconds| *seconds >= 0.0);
    readings.extend(day.map(|seconds| Reading::new("Time of day", time_of_day(seconds))));
    readings
}

/// The flag, the safety car or `clear`, and the delta to the safety car's pace. Empty if the game sends no track state.
fn track_state(telemetry: &Telemetry, info: &SessionInfo) -> Vec<Reading> {
    let slowed = info.safety_car.is_some_and(|car| car != SafetyCar::None);
    let in_a_zone = |wanted: Flag| info.marshal_zones.iter().any(|zone| zone.flag == wanted);
    let (words, tone) = if let Some((colour, words)) = flag(telemetry) {
        (words, if colour == "green" { "good" } else { "warn" })
    } else if in_a_zone(Flag::Red) {
        ("Red flag", "bad")
    } else if in_a_zone(Flag::Yellow) {
        ("Yellow flag ahead", "warn")
    } else if info.safety_car.is_some() {
        ("clear", "good")
    } else {
        return Vec::new();
    };
    let delta = latest(telemetry, Channel::SafetyCarDelta).filter(|_| slowed);
    let delta = delta.map(|delta| {
        let words = format!("{} s", number::write_signed(delta.into(), 1));
        Reading::new("To the safety car's pace", words).toned(if delta < 0.0 { "bad" } else { "good" })
    });
    std::iter::once(Reading::new("Track", words).toned(tone)).chain(delta).collect()
}

fn weather(telemetry: &Telemetry, info: &SessionInfo, units: Units) -> Vec<Reading> {
    let named_by_game = info.weather_name.as_deref().map(words_of_id);
    let words = named_by_game.or(info.weather.map(|sky| LogKind::Weather(sky).to_string()));
    let degrees = |whole: Option<i16>, channel: Channel| whole.map(f32::from).or(latest(telemetry, channel));
    let temperature = units.shown(Unit::Celsius);
    let named = |label, degrees: Option<f32>| {
        degrees.map(|degrees| Reading::new(label, with_unit(degrees, temperature)))
    };
    let share =
        |label, share: Option<f32>| share.map(|share| Reading::number(label, share, Unit::Ratio.shown()));
    let all = [
        words.map(|words| Reading::new("Weather", words)),
        share("Rain", latest(telemetry, Channel::Rain)),
        named("Road", degrees(info.track_celsius, Channel::TrackTemperature)),
        named("Air", degrees(info.air_celsius, Channel::AirTemperature)),
        share("Grip of the track", info.grip),
    ];
    all.into_iter().flatten().collect()
}

/// The readable part of a game's weather id: `5_light_clouds` becomes `light clouds`.
fn words_of_id(id: &str) -> String {
    let words =
        id.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '_').replace('_', " ");
    if words.is_empty() { id.to_owned() } else { words }
}

/// A time of day in hours and minutes, from seconds since midnight.
fn time_of_day(seconds: f32) -> String {
    let minutes = (seconds as u32 / 60) % (24 * 60);
    format!("{}:{:02}", minutes / 60, minutes % 60)
}

/// Whether the panel shows a channel.
#[cfg(test)]
pub(super) fn shows(channel: Channel) -> bool {
    let all = [
        Channel::SafetyCarDelta,
        Channel::TimeOfDay,
        Channel::Rain,
        Channel::TrackTemperature,
        Channel::AirTemperature,
    ];
    all.contains(&channel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_words() {
        assert_eq!(["5_light_clouds", "clear", "7"].map(words_of_id), ["light clouds", "clear", "7"]);
    }

    #[test]
    fn a_time_of_day_is_cut_to_the_minute() {
        assert_eq!([0.0, 45_299.0, 86_400.0].map(time_of_day), ["0:00", "12:34", "0:00"]);
    }
}
