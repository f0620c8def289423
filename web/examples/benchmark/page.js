// Takes the times of benchmarks in the browser: the page's lanes and uPlot's alike, the decoders, and a stint.
import init, { Packets, RecordedLanes, RollingLanes, Samples, SimulatedStint } from "./benchmark.js";

const LANES = 8;
// The size of all lanes together, of the strip beside them, and of the axis below, in CSS pixels.
const WIDTH = 1400;
const HEIGHT = 900;
const GUTTER = 118;
const AXIS = 22;
// Of a lane's free edge, and of the free strip at the right.
const EDGE = 6;
const SIDE = 14;
const RATE = 60;
// How often a step is repeated in a round: the browser's clock is too coarse for a single one.
const ZOOMS = 5;
const FRAMES = 60;
const DECODINGS = 10;
// Fewer pixels in the lines' colour than this are no line.
const FEWEST_PIXELS = 300;

/// The page's lanes.
const trailbrake = {
  host() {
    const host = stage();
    host.className = "sheet";
    return host;
  },
  async record(host, data) {
    const began = performance.now();
    const lanes = RecordedLanes.new(host, data.samples);
    const mounted = performance.now() - began;
    // The browser reports the size of the sheet with the next frame. Waiting for it costs nobody anything.
    await frames(2);
    let now = 0;
    const show = (from, to) => {
      now += 1000;
      lanes.show(from, to, now);
    };
    return { mounted, show, draw: () => show(0, data.end), remove: () => lanes.free() };
  },
  async roll(host, data, window) {
    const lanes = RollingLanes.new(host, data.samples, window);
    await frames(2);
    let now = 0;
    const advance = () => {
      now += 1000 / RATE;
      lanes.advance(now);
    };
    return { advance, remove: () => lanes.free() };
  },
  // The lines are on a canvas of their own, each lane in its part of the height.
  parts(host) {
    const canvas = host.querySelectorAll("canvas")[1];
    const height = Math.floor((HEIGHT - AXIS) / LANES);
    return Array.from({ length: LANES }, (_, lane) => [canvas, lane * height, height]);
  },
};

/// uPlot: a chart for each lane, with the times in one array. It draws in a microtask.
const uplot = {
  host: stage,
  async record(host, data) {
    const began = performance.now();
    const charts = data.lanes.map((lane, place) => uplotLane(host, place, [data.seconds, lane], AXIS));
    await Promise.resolve();
    const mounted = performance.now() - began;
    const show = async (min, max) => {
      for (const chart of charts) chart.batch(() => chart.setScale("x", { min, max }));
      await Promise.resolve();
    };
    return { mounted, show, draw() {}, remove: () => charts.forEach((chart) => chart.destroy()) };
  },
  async roll(host, data, window) {
    let first = 0;
    const at = (values) => values.subarray(first, first + window);
    const charts = data.lanes.map((lane, place) => uplotLane(host, place, [at(data.seconds), at(lane)], 0));
    await Promise.resolve();
    const advance = async () => {
      first += 1;
      const seconds = at(data.seconds);
      charts.forEach((chart, place) => chart.setData([seconds, at(data.lanes[place])]));
      await Promise.resolve();
    };
    return { advance, remove: () => charts.forEach((chart) => chart.destroy()) };
  },
  parts(host) {
    return [...host.querySelectorAll("canvas")].map((canvas) => [canvas, 0, canvas.height]);
  },
};

/// A lane as users of uPlot make it; only the last one has an axis below, as high as `below`.
function uplotLane(host, place, data, below) {
  const last = place === LANES - 1 && below > 0;
  const grid = { stroke: colour("--line"), width: 1 };
  const options = {
    width: WIDTH,
    height: Math.floor((HEIGHT - below) / LANES) + (last ? below : 0),
    padding: [EDGE, SIDE, EDGE, 0],
    legend: { show: false },
    cursor: { sync: { key: "lanes" } },
    scales: { x: { time: false } },
    series: [{}, { label: `Lane ${place + 1}`, stroke: colour("--main"), width: 1.6 }],
    axes: [
      { show: last, size: below, stroke: colour("--faint"), grid },
      { size: GUTTER - 30, label: `Lane ${place + 1}`, labelSize: 30, stroke: colour("--faint"), grid },
    ],
  };
  return new uPlot(options, data, host);
}

const charts = () => ({ trailbrake, ...("uPlot" in window ? { uplot } : {}) });

/// A round with this many samples in each lane: what it costs to create the lanes, to zoom in, and to zoom out, in
/// milliseconds.
async function recorded(samples) {
  const data = simulated(samples);
  const times = {};
  for (const [name, chart] of Object.entries(charts())) {
    const host = chart.host();
    const lanes = await chart.record(host, data);
    const created = lanes.mounted + (await timed(host, lanes.draw));
    let [zoomedIn, zoomedOut] = [0, 0];
    for (let zoom = 0; zoom < ZOOMS; zoom++) {
      zoomedIn += await timed(host, () => lanes.show(data.end * 0.495, data.end * 0.505));
      checkDrawn(name, chart, host);
      zoomedOut += await timed(host, () => lanes.show(0, data.end));
      checkDrawn(name, chart, host);
    }
    times[name] = { created, "zoomed in": zoomedIn / ZOOMS, "zoomed out": zoomedOut / ZOOMS };
    lanes.remove();
    host.remove();
  }
  return times;
}

/// A round with a live window of this many samples: what a frame costs, in milliseconds.
async function rolling(window) {
  const data = simulated(window + FRAMES);
  const times = {};
  for (const [name, chart] of Object.entries(charts())) {
    const host = chart.host();
    const lanes = await chart.roll(host, data, window);
    let frame = 0;
    for (let count = 0; count < FRAMES; count++) frame += await timed(host, lanes.advance);
    checkDrawn(name, chart, host);
    times[name] = { frame: frame / FRAMES };
    lanes.remove();
    host.remove();
  }
  return times;
}

/// What it takes to decode a minute of a feed, and to fill a session with it, in seconds.
function decoded(feed) {
  packets[feed] ??= Packets.simulate(feed, 60);
  const minute = packets[feed];
  const seconds = (decode) => {
    const began = performance.now();
    for (let count = 0; count < DECODINGS; count++) {
      if (!decode()) throw new Error(`${feed}: nothing decoded`);
    }
    return (performance.now() - began) / 1e3 / DECODINGS;
  };
  return [minute.count(), seconds(() => minute.decode()), seconds(() => minute.fill())];
}
const packets = {};

/// How many laps of a stint were compared, and the milliseconds that placing them takes, and the rest.
function stint(seconds) {
  drivenStint ??= SimulatedStint.simulate(seconds);
  const timed = (step) => {
    const began = performance.now();
    return [step(), performance.now() - began];
  };
  const [laps, placing] = timed(() => drivenStint.place());
  const [compared, both] = timed(() => drivenStint.compare());
  if (laps !== compared) throw new Error(`${laps} laps placed, ${compared} compared`);
  return [laps, placing, both - placing];
}
let drivenStint;

/// The time until a step is drawn. Canvases record what is drawn and execute it when someone reads a pixel.
async function timed(host, step) {
  const began = performance.now();
  await step();
  for (const canvas of host.querySelectorAll("canvas")) {
    if (canvas.width > 0) canvas.getContext("2d").getImageData(0, 0, 1, 1);
  }
  return performance.now() - began;
}

/// Fails if a lane has no line.
function checkDrawn(name, chart, host) {
  const digits = colour("--main").slice(1);
  const wanted = [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16));
  const parts = chart.parts(host);
  if (parts.length !== LANES) throw new Error(`${name}: ${parts.length} lanes`);
  parts.forEach(([canvas, top, height], lane) => {
    const { data } = canvas.getContext("2d").getImageData(GUTTER, top, WIDTH - GUTTER, height);
    let found = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (wanted.every((value, channel) => data[at + channel] === value) && data[at + 3] > 0) found++;
    }
    if (found < FEWEST_PIXELS) throw new Error(`${name}: lane ${lane + 1} has ${found} pixels of a line`);
  });
}

/// Channels of a car: corners within laps, and noise.
function simulated(count) {
  if (known?.seconds.length === count) return known;
  known?.samples.free();
  const seconds = Float64Array.from({ length: count }, (_, index) => index / RATE);
  let noise = 1;
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    Float64Array.from(seconds, (at) => {
      noise = (noise * 16807) % 2147483647;
      const lap = Math.sin((at * Math.PI * 2) / (80 + lane));
      const corner = Math.sin((at * Math.PI * 2) / (5 + lane));
      return Math.fround(0.5 + 0.2 * lap + 0.25 * corner + 0.04 * (noise / 2147483647));
    }),
  );
  const samples = new Samples(seconds);
  for (const lane of lanes) samples.add(Float32Array.from(lane));
  known = { seconds, lanes, samples, end: seconds[count - 1] };
  return known;
}
let known;

/// An empty element of the lanes' size.
function stage() {
  const host = document.createElement("div");
  host.style.cssText = `position: absolute; inset: 0 auto auto 0; width: ${WIDTH}px; height: ${HEIGHT}px`;
  document.body.append(host);
  return host;
}

function colour(token) {
  return getComputedStyle(document.documentElement).getPropertyValue(token).trim();
}

/// Waits for so many frames.
async function frames(count) {
  for (let frame = 0; frame < count; frame++) await new Promise((done) => requestAnimationFrame(done));
}

await init();
window.benchmark = { recorded, rolling, decoded, stint };
document.getElementById("state").textContent = "ready";
