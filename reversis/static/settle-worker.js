/* The engine in a thread of its own: starts Python at once, then settles and plays; the page itself runs none of it.

   Everything comes from the edition's folder `play/`. A message {id, ask: request} is answered by {id, answer} or
   {id, fault: words}; {ready: true} says that Python has started. The answer to a fetch goes to the browser's compiler
   untouched: only then does it keep the compiled code for the next visit. */
const HOME = new URL("../play/", self.location.href);

/* What belongs to this edition may have changed since it was last fetched: the server is asked. */
async function fetchFresh(name) {
  const found = await fetch(new URL(name, HOME), { cache: "no-cache" });
  if (!found.ok) throw new Error(`${name} cannot be fetched (${found.status}).`);
  return found;
}

const choices = fetchFresh("play.json").then((found) => found.json());

async function startPython() {
  const lock = choices.then((known) => known.lock);
  const bundle = fetchFresh("reversis.zip").then((found) => found.arrayBuffer());
  const library = fetchFresh("library.json").then((found) => found.text());
  import(new URL("pyodide/pyodide.asm.mjs", HOME).href).catch(() => {}); // or it would wait until pyodide.mjs asks for it
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", HOME).href);
  const python = await loadPyodide({ indexURL: new URL("pyodide/", HOME).href, lockFileContents: lock });
  python.FS.writeFile("/reversis.zip", new Uint8Array(await bundle));
  python.runPython("import sys; sys.path.insert(0, '/reversis.zip')");
  python.pyimport("reversis.browser.dataclass_methods").use_compiled_methods("/reversis.zip");
  const open = async () => python.pyimport("reversis.browser.api").open_browser_library(await library);
  return open().catch((fault) => addWholeLibrary(python, fault).then(open));
}

/* The part of Python's library that is fetched has what the engine imports; if it lacks a module, the whole is there. */
async function addWholeLibrary(python, fault) {
  if (fault?.type !== "ModuleNotFoundError") throw fault;
  const whole = await fetchFresh("pyodide/python_stdlib_whole.zip");
  python.FS.writeFile("/whole.zip", new Uint8Array(await whole.arrayBuffer()));
  python.runPython("import importlib; sys.path.append('/whole.zip'); importlib.invalidate_caches()");
}

/* What the players of the book have learnt is handed in before its first game. */
const nets = new Set();
async function handInNet(answer, { do: action, source, game }) {
  const book = source ?? /--source[ =](\w+)/.exec(game?.options)?.[1];
  if (!action.startsWith("table.") || nets.has(book) || !(await choices).weights[book]) return;
  const text = await fetchFresh(`weights/${book}.json`).then((found) => found.text());
  answer(JSON.stringify({ do: "table.weights", source: book, text }));
  nets.add(book);
}

const started = startPython();
started.then(() => self.postMessage({ ready: true }), () => {});

self.addEventListener("message", async ({ data: { id, ask } }) => {
  try {
    const answer = await started;
    await handInNet(answer, ask);
    self.postMessage({ id, answer: JSON.parse(answer(JSON.stringify(ask))) });
  } catch (fault) {
    const words = String(fault?.message ?? fault).trim();
    self.postMessage({ id, fault: words.startsWith("Traceback") ? words.split("\n").pop() : words.replace(/\s+/g, " ") });
  }
});
