// Loads the app.
import init from "./trailbrake_web.js";
import { begin } from "./begin.js";

// The demo is a file of its own, loaded only when it is wanted.
globalThis.startDemo = async (game, seed, began) => {
  const demo = await import("./trailbrake_demo.js");
  await demo.default();
  return demo.Race.start(game, seed, began);
};

// The viewer, which has no relay, is kept for the time without a connection. Browsers do so only for secure addresses.
const isViewer = document.querySelector('meta[name="trailbrake-relay"]') !== null;
if (isViewer && isSecureContext && "serviceWorker" in navigator) {
  navigator.serviceWorker.register("offline.js").catch(() => {});
}

// A link to laps needs the code of Analyse, too: it comes beside the rest, and is there when the app asks for it.
if (location.hash.startsWith("#/analyse")) {
  for (const part of [/* parts */]) {
    fetch(part, { priority: "low" }).then((answer) => answer.arrayBuffer()).catch(() => {});
  }
}

await begin(init);
