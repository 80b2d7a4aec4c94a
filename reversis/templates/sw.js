/* Keep the table for readers without a network: what it needs is fetched once, and asked for first where there is one.

   The name of the store is the site's address and the digest of what is fetched, for several editions may share a host;
   stores of earlier editions are deleted. The page tells what else it has loaded (table-offline.js). */
"use strict";
const SITE = `reversis ${self.registration.scope} `;
const STORE = `${SITE}{{ digest }}`;
const FILES = {{ files }};

async function deleteEarlierStores() {
  const names = await caches.keys();
  return Promise.all(names.filter((name) => name.startsWith(SITE) && name !== STORE).map((name) => caches.delete(name)));
}

async function keepFiles(addresses) {
  const store = await caches.open(STORE);
  return Promise.all(addresses.map(async (address) => (await store.match(address)) ?? store.add(address)));
}

/* From the network, and kept if it is one of those that are kept; else as it was kept, whatever its version is. */
async function answer(request) {
  const store = await caches.open(STORE);
  try {
    const response = await fetch(request);
    if (response.ok && (await store.match(request, { ignoreSearch: true }))) await store.put(request, response.clone());
    return response;
  } catch (fault) {
    const kept = (await store.match(request)) ?? (await store.match(request, { ignoreSearch: true }));
    if (kept) return kept;
    throw fault;
  }
}

self.addEventListener("install", (event) => event.waitUntil(keepFiles(FILES).then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(deleteEarlierStores().then(() => self.clients.claim())));
self.addEventListener("message", (event) => event.waitUntil(keepFiles(event.data.keep)));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(self.registration.scope)) event.respondWith(answer(event.request));
});
