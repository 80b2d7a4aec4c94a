/* Make python_stdlib_part.zip: of the standard library what the engine loads, as bytecode.

   python_stdlib.zip holds the whole library as source text: the most that a reader would fetch beside Python itself, and
   Python would compile it in the browser whenever it starts. The part has what Python loads when it starts, what the
   modules in the bundle import, and what writes the report of a fault; checked by nothing, as the file is never edited.
   Equal input gives equal bytes.

   Run `node vendor/pyodide/compile.mjs build/html/play/reversis.zip` after a change of Pyodide's version, or when a test
   says that a module is missing, and put the new sum into README.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "./pyodide.mjs";

const HERE = new URL("./", import.meta.url).pathname;
const { info } = JSON.parse(readFileSync(`${HERE}pyodide-lock.json`, "utf8"));
const python = await loadPyodide({ indexURL: HERE, lockFileContents: { info, packages: {} } });
python.FS.writeFile("/bundle.zip", readFileSync(process.argv[2]));

const part = python.runPython(`
import importlib._bootstrap_external as bootstrap, importlib.util, io, sys, traceback, zipfile

sys.path.insert(0, "/bundle.zip")
import reversis.browser.api

PATH = next(path for path in sys.path if path.endswith(".zip") and path != "/bundle.zip")
loaded = {module.__spec__.origin for module in list(sys.modules.values()) if getattr(module, "__spec__", None)}

def pack(name, data):
    level = 0 if name.startswith(("_pyodide", "pyodide")) else 2  # 2: without docstrings, which Pyodide's own modules read
    code = compile(data, f"{PATH}/{name}", "exec", dont_inherit=True, optimize=level)
    entry = zipfile.ZipInfo(f"{name}c", (1980, 1, 1, 0, 0, 0))
    entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
    into.writestr(entry, bytes(bootstrap._code_to_hash_pyc(code, importlib.util.source_hash(data), checked=False)))

written = io.BytesIO()
with zipfile.ZipFile(PATH) as source, zipfile.ZipFile(written, "w", compresslevel=9) as into:
    for name in sorted(source.namelist()):
        if f"{PATH}/{name}" in loaded:
            pack(name, source.read(name))
written.getvalue()
`).toJs();

writeFileSync(`${HERE}python_stdlib_part.zip`, part);
