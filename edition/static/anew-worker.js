/* The engine in a thread of its own: Python is started here, and here it answers. The page itself runs none of it.

   Everything is fetched from the edition's folder `play/`, and counted as it arrives. A message {open: true} starts
   it; {ask: request} gives an answer. What comes back: {step, done, total}, {ready: true}, {answer}, or {fault: words}. */
const HOME = new URL("../play/", self.location.href);
const outer = self.fetch.bind(self);
const state = { step: "", done: 0, total: 0, told: 0 };

const tell = (more = {}) => self.postMessage({ step: state.step, done: state.done, total: state.total, ...more });
function step(words) {
  state.step = words;
  tell();
}

/* Whatever is fetched from here on passes through a counter; nothing else about it changes. */
self.fetch = async (what, how) => {
  const found = await outer(what, how);
  if (!found.ok || !found.body) throw new Error(`${new URL(found.url).pathname.split("/").pop()} cannot be had (${found.status})`);
  const counter = new TransformStream({
    transform(piece, onward) {
      state.done += piece.byteLength;
      if (state.done - state.told > 100_000) {
        state.told = state.done;
        tell();
      }
      onward.enqueue(piece);
    },
  });
  const kind = String(what).endsWith(".wasm") ? "application/wasm" : found.headers.get("content-type") ?? "application/octet-stream";
  return new Response(found.body.pipeThrough(counter), { status: found.status, headers: { "content-type": kind } });
};

/* What belongs to this edition may have changed since it was last fetched: the server is asked. */
const fresh = (name) => self.fetch(new URL(name, HOME), { cache: "no-cache" });

async function open({ sizes, lock }) {
  const counted = ["pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip", "reversis.zip", "library.json"];
  state.total = counted.reduce((sum, name) => sum + (sizes[name] ?? 0), 0);
  step("Fetching Python");
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", HOME).href);
  const [python, bundle, library] = await Promise.all([
    loadPyodide({ indexURL: new URL("pyodide/", HOME).href, lockFileContents: lock }),
    fresh("reversis.zip").then((found) => found.arrayBuffer()),
    fresh("library.json").then((found) => found.text()),
  ]);
  step("Opening the engine");
  python.FS.writeFile("/reversis.zip", new Uint8Array(bundle));
  python.runPython("import sys; sys.path.insert(0, '/reversis.zip')");
  state.answer = python.pyimport("edition.browser.api").open_browser_library(library);
}

self.addEventListener("message", async ({ data }) => {
  try {
    if (data.open) {
      await open(data.open);
      self.postMessage({ ready: true });
    } else {
      self.postMessage({ answer: JSON.parse(state.answer(JSON.stringify(data.ask))) });
    }
  } catch (fault) {
    const words = String(fault?.message ?? fault).trim();
    self.postMessage({ fault: words.startsWith("Traceback") ? words.split("\n").pop() : words.replace(/\s+/g, " ") });
  }
});
