// Keeps the viewer's files in the browser, so that it opens without a connection after the first visit.
// A new version is fetched beside the old one, and used once no page of the old one is open.
const FILES = [/* files */];
const KEPT = `trailbrake ${registration.scope} /* version */`;

addEventListener("install", (event) => {
  const fetched = caches.open(KEPT).then((cache) => cache.addAll(["./", ...FILES]));
  event.waitUntil(fetched);
});

addEventListener("activate", (event) => {
  const isOlder = (name) => name.startsWith(`trailbrake ${registration.scope} `) && name !== KEPT;
  const removed = caches.keys().then((names) => Promise.all(names.filter(isOlder).map((name) => caches.delete(name))));
  event.waitUntil(removed);
});

addEventListener("fetch", (event) => {
  if (event.request.method === "GET") {
    const kept = caches.open(KEPT).then((cache) => cache.match(event.request, { ignoreSearch: true }));
    event.respondWith(kept.then((found) => found ?? fetch(event.request)));
  }
});
