// Starts the app, and says in words when it cannot run: an empty page helps nobody.

/// `load` loads and starts the WebAssembly module.
export async function begin(load) {
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
    return;
  }
  let failed = false;
  // The app never stops on purpose; if it does all the same, the driver should not look at frozen figures.
  addEventListener("error", (event) => {
    if (failed || !(event.error instanceof WebAssembly.RuntimeError)) return;
    failed = true;
    say("Trailbrake stopped", "A mistake in the program, not in your data: recordings are safe. Load the page again.");
  });
  try {
    await load();
    boot?.remove();
  } catch (error) {
    boot?.remove();
    if (!failed) {
      failed = true;
      say("Trailbrake could not start", `${error}. Load the page again; if that does not help, restart Trailbrake.`);
    }
  }
}
