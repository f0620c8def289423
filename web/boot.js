// Loads the app, and says in words when it cannot run: an empty page helps nobody.
import init from "./trailbrake_web.js";

// The demo is a file of its own, for whoever wants it.
globalThis.startDemo = async (feed, seed, began) => {
  const demo = await import("./trailbrake_demo.js");
  await demo.default();
  return demo.Race.start(feed, seed, began);
};

// The viewer, which has no relay, is kept for the time without a connection. Browsers do so only for secure addresses.
const isViewer = document.querySelector('meta[name="trailbrake-relay"]') !== null;
if (isViewer && isSecureContext && "serviceWorker" in navigator) {
  navigator.serviceWorker.register("offline.js").catch(() => {});
}

const boot = document.getElementById("boot");

function say(headline, advice) {
  const box = document.createElement("div");
  box.className = "boot-failure";
  box.setAttribute("role", "alert");
  const title = document.createElement("h1");
  title.textContent = headline;
  const text = document.createElement("p");
  text.textContent = advice;
  const again = document.createElement("button");
  again.type = "button";
  again.textContent = "Load the page again";
  again.addEventListener("click", () => location.reload());
  box.append(title, text, again);
  document.body.append(box);
}

if (typeof WebAssembly !== "object") {
  boot?.remove();
  say(
    "This browser has no WebAssembly",
    "Trailbrake runs as WebAssembly. Use a current Firefox, Chrome, Edge or Safari, or switch off the setting that blocks it.",
  );
} else {
  let told = false;
  // The app never stops on purpose; if it does all the same, the driver should not look at frozen figures.
  addEventListener("error", (event) => {
    if (told || !(event.error instanceof WebAssembly.RuntimeError)) return;
    told = true;
    say("Trailbrake stopped", "A mistake in the program, not in your data: recordings are safe. Load the page again.");
  });
  try {
    await init();
    boot?.remove();
  } catch (error) {
    boot?.remove();
    if (!told) {
      told = true;
      say("Trailbrake could not start", `${error}. Load the page again; if that does not help, restart Trailbrake.`);
    }
  }
}
