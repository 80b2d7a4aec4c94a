/* Make the bytecode that a browser gets, so that it need not compile at every start; equal input gives equal bytes.

   `python_stdlib_part.zip`: of the standard library what Python loads when it starts, what the modules in the bundle
   import, and what writes the report of a fault. It is checked by nothing, as the library is never edited.
   `reversis/browser/compiled_modules.zip`: the modules in the bundle. Where the bundle has the source of one as well,
   Python compares its hash, and compiles the source if that has changed since. And the methods that dataclasses writes.

   Neither has docstrings of functions, assertions or numbers of lines, which nothing in the browser reads: they are a
   third of the size. `python -m reversis.browser.python_bundle` runs it, with the sources and where the second file goes. */
import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "./pyodide.mjs";

const HERE = new URL("./", import.meta.url).pathname;
const [sources, compiled] = process.argv.slice(2);
const { info } = JSON.parse(readFileSync(`${HERE}pyodide-lock.json`, "utf8"));
const python = await loadPyodide({ indexURL: HERE, lockFileContents: { info, packages: {} } });
python.FS.writeFile("/reversis.zip", readFileSync(sources));

const [part, modules] = python.runPython(`
import ast, dataclasses, importlib._bootstrap_external as bootstrap, importlib.util, io, marshal, sys, traceback, zipfile
from types import CodeType

OURS = "/reversis.zip"
METHODS = "reversis/browser/dataclass_methods.marshal"

def keep_class_docs(tree):  # for a class without, dataclass makes one, at the start
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and ast.get_docstring(node):
            node.body[0] = ast.Assign([ast.Name("__doc__", ast.Store())], node.body[0].value)
    return ast.fix_missing_locations(tree)

def drop_lines(code):
    parts = tuple(drop_lines(part) if isinstance(part, CodeType) else part for part in code.co_consts)
    eights, rest = divmod(len(code.co_code) // 2, 8)  # an entry says "no line" of at most eight instructions
    return code.replace(co_linetable=b"\\xff" * eights + bytes([0xF7 + rest] if rest else []), co_consts=parts)

def note_methods(text, *names):
    methods[text] = drop_lines(compile(text, "<string>", "exec", dont_inherit=True))
    exec(text, *names)

methods = {}
dataclasses.exec = note_methods
sys.path.insert(0, OURS)
import reversis.browser.api, reversis.browser.dataclass_methods
assert methods, "dataclasses runs what it writes in another way"

PATH = next(path for path in sys.path if path.endswith(".zip") and path != OURS)
loaded = {module.__spec__.origin for module in list(sys.modules.values()) if getattr(module, "__spec__", None)}

def compile_module(path, name, data, checked):
    level = 0 if name.startswith(("_pyodide", "pyodide")) else 2  # Pyodide's own modules read docstrings
    tree = keep_class_docs(ast.parse(data)) if path == OURS else data
    code = drop_lines(compile(tree, f"{path}/{name}", "exec", dont_inherit=True, optimize=level))
    return bytes(bootstrap._code_to_hash_pyc(code, importlib.util.source_hash(data), checked))

def compile_modules(path, wanted, checked):
    with zipfile.ZipFile(path) as source:
        for name in sorted(filter(wanted, source.namelist())):
            yield f"{name}c", compile_module(path, name, source.read(name), checked)

def pack(files):
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", compresslevel=9) as into:
        for name, data in files:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
            into.writestr(entry, data)
    return written.getvalue()

part = pack(compile_modules(PATH, lambda name: f"{PATH}/{name}" in loaded, False))
part, pack([*compile_modules(OURS, lambda name: True, True), (METHODS, marshal.dumps(methods))])
`).toJs();

writeFileSync(`${HERE}python_stdlib_part.zip`, part);
writeFileSync(compiled, modules);
