// Keeps the page's own files, so that it works without a network and needs none the next time.
// They are kept as one release: tools/package/page puts its digest into the name. A newer one is
// fetched beside it, and taken when no tab has the old one open.
const KEPT = "rocsteady";
const FILES = ["./", "page.js", "commands.js", "worker.js", "wasi.js", "page.css", "report.css", "icon.svg", "rocsteady.wasm"];

addEventListener("install", (event) => event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES))));

async function takeOver() {
  const old = (await caches.keys()).filter((name) => name.startsWith("rocsteady") && name !== KEPT);
  await Promise.all(old.map((name) => caches.delete(name)));
  return clients.claim();
}

addEventListener("activate", (event) => event.waitUntil(takeOver()));

const answer = async (request) =>
  (await (await caches.open(KEPT)).match(request.mode === "navigate" ? "./" : request, { ignoreSearch: true })) ?? fetch(request);

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(registration.scope)) event.respondWith(answer(event.request));
});
