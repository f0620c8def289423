//! Asks the relay for the best lap in its library with a game, track and car.

use serde::Deserialize;
use trailbrake_shared::analysis::{Combo, TrackShape};
use trailbrake_shared::library::{Discipline, KeptLap};
use trailbrake_shared::recording::RecordingId;

use crate::browser;
use crate::http;

/// The relay's response: the best lap of each game, track and car, or why it can't list them.
#[derive(Deserialize)]
struct Answer {
    trouble: Option<String>,
    #[serde(default)]
    bests: Vec<Line>,
}

#[derive(Deserialize)]
struct Line {
    #[serde(flatten)]
    discipline: Discipline,
    best: KeptLap,
}

/// The relay's response to a track's shape: the track's name, if it recognises the shape.
#[derive(Deserialize)]
struct TrackAnswer {
    track: Option<String>,
}

/// The library's best lap with a combo; `None` if there is none, or the relay does not answer. A track without a name is
/// recognised by its shape.
pub(crate) async fn find(combo: &Combo, shape: Option<&TrackShape>) -> Option<KeptLap> {
    ask(None, combo, shape).await.ok()
}

/// The library's best lap with the car and track of a recording, or else of a combo. If there is none, returns the
/// reason as a clause for the page. A track without a name is recognised by its shape.
pub(crate) async fn ask(
    recording: Option<RecordingId>,
    combo: &Combo,
    shape: Option<&TrackShape>,
) -> Result<KeptLap, String> {
    if !browser::home().has_relay() {
        return Err("there are no other recordings here.".to_owned());
    }
    if let Some(id) = recording {
        // The relay may know the recording's track by its shape only, so ask for the recording first.
        let own = list(&format!("/library/bests?of={id}")).await?;
        if let Some(line) = own.first() {
            return Ok(line.best);
        }
    }
    let track = match (&combo.track, shape) {
        // Without a track, nothing in the list can be meant.
        (None, Some(shape)) => {
            Some(track_of(shape).await.ok_or("none recorded yet for this car and track.")?)
        }
        (track, _) => track.clone(),
    };
    let fits = |Discipline { game, track: name, car }: &Discipline| {
        (Some(game), Some(name), car) == (combo.game.as_ref(), track.as_ref(), &combo.car)
    };
    let lines = list("/library/bests").await?;
    let best = lines.iter().find(|line| fits(&line.discipline)).map(|line| line.best);
    best.ok_or_else(|| "none recorded yet for this car and track.".to_owned())
}

/// The library's name for an unnamed track; `None` if the relay does not recognise its shape.
async fn track_of(shape: &TrackShape) -> Option<String> {
    let body = serde_json::to_string(shape).ok()?;
    let answer = http::ask("POST", "/library/bests", Some(&body)).await.ok()?;
    serde_json::from_str::<TrackAnswer>(&answer).ok()?.track
}

async fn list(path: &str) -> Result<Vec<Line>, String> {
    let answer = http::ask("GET", path, None).await.map_err(|failed| failed.words())?;
    let answer: Answer = serde_json::from_str(&answer).map_err(|error| error.to_string())?;
    match answer.trouble {
        Some(trouble) => Err(trouble),
        None => Ok(answer.bests),
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::library::BestLaps;

    use super::*;

    #[test]
    fn the_relay_s_answer_is_read() {
        let written = serde_json::to_string(&BestLaps::default()).expect("json");
        assert!(serde_json::from_str::<Answer>(&written).expect("an answer").bests.is_empty());
        let line = r#"{"game":"F1 2018","track":"Spa","car":null,"progress":[],"best":{"recording":
            "0000000000000000000000000000fe3d","session":0,"car":19,"serial":4,"number":4,"time":77315,"at":5}}"#;
        let line: Line = serde_json::from_str(line).expect("a line");
        assert_eq!((line.discipline.track.as_str(), line.best.number), ("Spa", 4));
    }
}
