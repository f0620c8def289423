// Sets the theme before anything is painted. The app takes over from here: it watches the system's preference and
// keeps the driver's choice under the same key.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("trailbrake.theme");
  } catch {
    // Without storage the system decides.
  }
  const system = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  document.documentElement.dataset.theme = chosen === "light" || chosen === "dark" ? chosen : system;
})();
