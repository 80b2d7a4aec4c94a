/* Make python_stdlib_compiled.zip: the standard library with bytecode for the modules that start first.

   python_stdlib.zip holds source text, which Python would compile in the browser whenever it starts: that takes longer
   than everything else together. What Python loads at its start, and what the engine imports, is stored as bytecode
   (checked by nothing, as the file is never edited); the rest stays source text. Equal input gives equal bytes.

   Run `node vendor/pyodide/compile.mjs` after a change of Pyodide's version, and put the new sum into README.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "./pyodide.mjs";

const HERE = new URL("./", import.meta.url).pathname;
const { info } = JSON.parse(readFileSync(`${HERE}pyodide-lock.json`, "utf8"));
const python = await loadPyodide({ indexURL: HERE, lockFileContents: { info, packages: {} } });

const compiled = python.runPython(`
import importlib, importlib._bootstrap_external as bootstrap, importlib.util, io, sys, zipfile

ALSO = "abc ast bisect collections dataclasses difflib enum fractions functools hashlib heapq itertools json math operator os pathlib random re statistics string textwrap types typing unicodedata zipfile"
PATH = next(path for path in sys.path if path.endswith(".zip"))

for name in ALSO.split():
    importlib.import_module(name)
loaded = {module.__spec__.origin for module in list(sys.modules.values()) if getattr(module, "__spec__", None)}

def pack(name, data):
    if name.endswith(".py") and f"{PATH}/{name}" in loaded:
        code = compile(data, f"{PATH}/{name}", "exec", dont_inherit=True, optimize=0)
        name, data = f"{name}c", bytes(bootstrap._code_to_hash_pyc(code, importlib.util.source_hash(data), checked=False))
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
    into.writestr(entry, data)

written = io.BytesIO()
with zipfile.ZipFile(PATH) as source, zipfile.ZipFile(written, "w", compresslevel=9) as into:
    for name in sorted(source.namelist()):
        pack(name, source.read(name))
written.getvalue()
`).toJs();

writeFileSync(`${HERE}python_stdlib_compiled.zip`, compiled);
