//! The last seconds of the watched car and of the reference, for the scrolling traces.

use trailbrake_shared::model::{Car, Channel, Columns};
use trailbrake_shared::plot::lane_table::{DEFAULT_LANES, DefaultLane};
use trailbrake_shared::session::{CarState, Origin, ReferenceWindow, Session};

use crate::painter::{ComparedTraces, RollingTraces};

/// The window's length, in seconds.
pub(super) const SECONDS: f64 = 12.0;
/// The part of the window ahead of the car, in seconds, if there is a reference.
pub(super) const AHEAD_S: f64 = 5.0;
/// The channel of each lane, in the order of the window's columns.
pub(super) type LaneChannels = [Channel; DEFAULT_LANES.len()];

/// The channel that fills each lane: the first of the lane's that the car sends, or else its preferred one.
pub(super) fn lane_channels(car: Option<&CarState>) -> LaneChannels {
    DEFAULT_LANES.map(|lane| {
        // Steering by a measure of the game's own has no scale: it is among the other channels, as a number.
        let is_measured = |channel: &Channel| *channel != Channel::SteeringLevel;
        let is_sent =
            |channel: &Channel| is_measured(channel) && car.is_some_and(|car| car.value(*channel).is_some());
        lane.channels.iter().copied().find(is_sent).unwrap_or(lane.preferred())
    })
}

/// The reference's column of a lane.
pub(super) fn reference_column(lane: &DefaultLane) -> usize {
    DEFAULT_LANES.len() + column(lane)
}

/// The window's column of a lane.
pub(super) fn column(lane: &DefaultLane) -> usize {
    DEFAULT_LANES.iter().position(|other| other.id == lane.id).unwrap_or_default()
}

/// Samples that fill the window at 120 Hz, the highest rate of a game.
const CAPACITY: usize = 12 * 120;
/// Two samples farther apart than this are not joined, in seconds.
const BRIDGE_S: f64 = 0.25;

/// The scrolling window of the watched car.
pub(super) struct Window {
    /// The drawn traces.
    pub(super) traces: ComparedTraces,
    /// The reference around the car.
    pub(super) reference: ReferenceWindow<{ DEFAULT_LANES.len() }>,
    /// The shown seconds ahead of the car: 0 without a reference.
    pub(super) ahead_s: f64,
    /// The channels of the traces, one for each lane.
    pub(super) channels: LaneChannels,
    /// The feed's origin, the session's id and the car of the traces.
    of: Option<(Origin, Option<u64>, Car)>,
}

impl Window {
    pub(super) fn new() -> Self {
        let traces = || RollingTraces::new(DEFAULT_LANES.len(), CAPACITY, BRIDGE_S);
        Self {
            traces: ComparedTraces { car: traces(), reference: traces() },
            reference: ReferenceWindow::new(lane_channels(None)),
            ahead_s: 0.0,
            channels: lane_channels(None),
            of: None,
        }
    }

    /// Takes the rows since the last call, and the reference around the car.
    pub(super) fn follow(&mut self, origin: Origin, session: &Session) {
        let Some(car) = session.watched() else { return };
        let of = Some((origin, session.info().and_then(|info| info.uid), car));
        if self.of != of {
            self.of = of;
            self.traces.car.clear();
        }
        let channels = lane_channels(session.car(car));
        if channels != self.channels {
            // Games send their channels one after the other, and each names the wheel's in its own way.
            self.channels = channels;
            self.reference = ReferenceWindow::new(channels);
            self.traces.car.clear();
        }
        if let Some(state) = session.car(car) {
            let rows = RowTaker { channels, traces: &mut self.traces.car };
            rows.take(state.traces.last(), state.traces.current());
        }
        self.ahead_s = if has_reference(session) { AHEAD_S } else { 0.0 };
        self.reference.fill(session, SECONDS, AHEAD_S + 1.0);
        self.traces.reference.clear();
        for (seconds, values) in self.reference.rows() {
            self.traces.reference.push(*seconds, values);
        }
    }
}

/// Whether the watched car is compared with a lap whose channels are known.
pub(super) fn has_reference(session: &Session) -> bool {
    let player = session.player().filter(|player| session.watched() == Some(*player));
    let car = player.and_then(|player| session.car(player));
    car.is_some_and(|car| session.live_comparison().reference_columns(car).is_some())
}

/// Takes rows of a car into traces of these channels.
struct RowTaker<'a> {
    channels: LaneChannels,
    traces: &'a mut RollingTraces,
}

impl RowTaker<'_> {
    /// Takes the new complete rows: all but the newest, whose packets may still arrive. If the car has crossed the line
    /// since the last call, the rows before the line are in `ended`, the columns of the finished lap.
    fn take(mut self, ended: Option<&Columns>, columns: &Columns) {
        let seconds = columns.seconds();
        let Some((newest, complete)) = seconds.split_last() else { return };
        let taken = self.traces.latest().filter(|latest| latest <= newest);
        if let Some((ended, taken)) = ended.zip(taken)
            && ended.seconds().last().is_some_and(|end| complete.first().unwrap_or(newest) > end)
        {
            self.add(ended, ended.seconds(), taken);
        }
        self.add(columns, complete, taken.unwrap_or(newest - SECONDS - 1.0));
    }

    /// Adds the rows after a time, in seconds on the game's clock.
    fn add(&mut self, columns: &Columns, rows: &[f64], after: f64) {
        let first = rows.partition_point(|row| *row <= after);
        let lines = self.channels.map(|channel| columns.line(channel.slot()));
        for (row, &at) in rows.iter().enumerate().skip(first) {
            let values = lines.map(|line| line.and_then(|line| line.value(row)));
            // A row with none of these channels, as after a lost packet, must not become a gap in them.
            if values.iter().any(Option::is_some) {
                self.traces.push(at, &values.map(|value| value.unwrap_or(f32::NAN)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::feed::Feed;
    use trailbrake_shared::model::Moment;
    use trailbrake_shared::plot::Extent;
    use trailbrake_shared::plot::lane_table::STEERING;
    use trailbrake_shared::session::Receiver;
    use trailbrake_shared::sim::{Demo, Options};
    use trailbrake_shared::time::Micros;
    use trailbrake_shared::wire::Datagram;

    use super::*;
    use crate::painter::LaneSource as _;

    const BEGAN: Micros = Micros(1_000_000_000);

    fn columns(times: &[f64]) -> Columns {
        let mut columns = Columns::default();
        for (frame, &seconds) in (0..).zip(times) {
            let moment = Moment { at: Micros(1), session_time: Some(seconds), frame: Some(frame) };
            let values = [(Channel::Throttle.slot(), 0.5), (Channel::Brake.slot(), 0.0)];
            columns.push(moment, values);
        }
        columns
    }

    fn rows(traces: &mut RollingTraces) -> RowTaker<'_> {
        RowTaker { channels: lane_channels(None), traces }
    }

    fn taken(steps: &[&[f64]]) -> (usize, Option<f64>) {
        let mut traces = RollingTraces::new(DEFAULT_LANES.len(), CAPACITY, BRIDGE_S);
        for step in steps {
            rows(&mut traces).take(None, &columns(step));
        }
        (traces.len(), traces.latest())
    }

    #[test]
    fn each_complete_row_is_taken_once() {
        assert_eq!(taken(&[&[]]), (0, None));
        assert_eq!(taken(&[&[1.0, 1.1]]), (1, Some(1.0)));
        assert_eq!(taken(&[&[1.0, 1.1], &[1.0, 1.1, 1.2, 1.3], &[1.0, 1.1, 1.2, 1.3]]), (3, Some(1.2)));
    }

    #[test]
    fn only_what_fits_into_the_window_is_taken_at_first() {
        let times: Vec<f64> = (0..1000).map(|step| f64::from(step) * 0.1).collect();
        let (len, latest) = taken(&[&times]);
        assert_eq!(latest, Some(times[998]));
        assert!((125..=135).contains(&len), "{len}");
    }

    #[test]
    fn what_was_driven_before_the_line_is_taken_with_the_lap_that_ended() {
        let mut traces = RollingTraces::new(DEFAULT_LANES.len(), CAPACITY, BRIDGE_S);
        rows(&mut traces).take(None, &columns(&[1.0, 1.1]));
        let (ended, begun) = (columns(&[1.0, 1.1, 1.2, 1.3]), columns(&[1.4, 1.5]));
        rows(&mut traces).take(Some(&ended), &begun);
        rows(&mut traces).take(Some(&ended), &begun);
        assert_eq!((traces.len(), traces.latest()), (5, Some(1.4)));
    }

    #[test]
    fn a_new_lap_goes_on_and_going_back_starts_over() {
        assert_eq!(taken(&[&[1.0, 1.1, 1.2], &[1.3, 1.4]]), (3, Some(1.3)));
        assert_eq!(taken(&[&[30.0, 30.1, 30.2], &[20.0, 20.1]]), (1, Some(20.0)));
    }

    #[test]
    fn steering_is_drawn_in_every_game_that_sends_it() {
        let mut drawn = Vec::new();
        for feed in [Feed::F1, Feed::GranTurismo, Feed::AcRemote, Feed::AcTelemetryTool] {
            let options = Options { cars: 2, player: 1, keep_truth: false, ..Options::default() };
            let mut demo = Demo::new(feed, options, BEGAN).expect("a feed with a simulator");
            let (mut receiver, mut window) = (Receiver::default(), Window::new());
            let origin = Origin { feed, sender: ([127, 0, 0, 1], 5000).into() };
            demo.advance(BEGAN.plus_seconds(40.0), &mut |at, bytes| {
                let Origin { sender, .. } = origin;
                let _ = receiver.receive(&Datagram { at, sender, port: 20777, feed: Some(feed), bytes });
            });
            window.follow(origin, receiver.session().expect("a session"));
            let steering = column(&STEERING);
            let Extent { low, high } = window.traces.car.extent(steering);
            assert!(high - low > 0.01, "{feed:?}: {low} to {high}");
            drawn.push(window.channels[steering]);
        }
        use Channel::{Steering, SteeringAngle};
        assert_eq!(drawn, [Steering, SteeringAngle, SteeringAngle, SteeringAngle]);
    }
}
