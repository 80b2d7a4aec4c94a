"""README files of the exports: what lies in a folder, and three lines that open it.

The lines under *Python* are run by the tests in a folder of their own, exactly as they stand here.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.export.file import QUOTES_NONE, ExportFile, group_file_series
from rulebook.strings import LIST_SEPARATOR

README_FILE = "README.txt"
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class FormatGuide:
    """Instructions for one format: lines of code under the program they are for, and what to know."""

    lines: Mapping[str, str]
    notes: tuple[str, ...] = ()


_LISTS = f"Several values in one cell are separated by {LIST_SEPARATOR}; no value holds that letter."
_FORMULAS = (
    "A risk in spreadsheets: a cell that begins with = + - or @ may be run as a formula when such a program opens the "
    "file, and the tables quote texts and notes by many hands. Nothing is changed in the cells for that. Do not open a "
    'table by a double click. Import it, and choose "text" for every column; then nothing is run. R, pandas and other '
    "programs that read CSV take each cell as it is."
)
_ANSWERS = (
    "An answer stands twice: reading for people, reading_json as JSON for programs (json.loads, jsonlite::fromJSON), "
    "which keeps numbers, lists and tables apart: 3, [1, -1], {AD: 5, JH: 4}. Some point to another answer (as "
    "ace.forced.amount); in the table of cells value_json has what they come to, our answers included. {program} "
    "compare counts the questions on which that differs, where one source has none too; of two that point to the "
    "same answer it is counted there only."
)
_COUNTERS = "Sums are in the counter named in unit. The counters of two sources are not the same money."

GUIDES: Mapping[str, FormatGuide] = {
    "json": FormatGuide(
        {
            "Python (pip install pandas)": """\
import json, pandas as pd
with open("matrix.json", encoding="utf-8") as file:
    matrix = json.load(file)["matrix"]
rows = [[cell.get("reading") for cell in row.values()] for row in matrix.values()]
table = pd.DataFrame(rows, list(matrix), list(matrix["Q001"]), dtype=object)  # object: whole numbers stay whole""",
            'R (install.packages("jsonlite"))': """\
library(jsonlite)
matrix <- fromJSON("matrix.json", simplifyVector = FALSE)$matrix
matrix$Q001${siglum}$reading""",
        },
        ("Each file names the version of the edition, and the state of its sources as a checksum.",),
    ),
    "csv": FormatGuide(
        {
            "Python (pip install pandas)": """\
import pandas as pd
cells = pd.read_csv("cells.csv", true_values=["yes"], false_values=["no"])
cells["clauses"] = cells["clauses"].str.split("|")
print(cells.pivot(index="question", columns="source", values="reading"))
values = cells.pivot(index="question", columns="source", values="value_json").fillna("")
print((values["{siglum}"] != values["{other}"]).sum(), "differ, as {program} compare {siglum} {other} counts")""",
            "R": """\
cells <- read.csv("cells.csv", na.strings = "", fileEncoding = "UTF-8")
cells$clauses <- strsplit(cells$clauses, "|", fixed = TRUE)
xtabs(~ source + status, cells)""",
        },
        (
            "The tables are UTF-8 with commas between the cells and the names of the columns in the first line. An "
            "empty cell means that there is nothing. Columns of true or false hold yes and no.",
            _LISTS,
            "csv-metadata.json (CSV on the Web) tells the type and the meaning of every column, and into which table "
            "it points. With csvw, csvw.TableGroup.from_file('csv-metadata.json') gives typed rows.",
            _ANSWERS,
            _COUNTERS,
            _FORMULAS,
        ),
    ),
    "cldf": FormatGuide(
        {
            "Python (pip install pycldf pandas)": """\
import pandas as pd, pycldf
dataset = pycldf.Dataset.from_metadata("StructureDataset-metadata.json")
values = pd.DataFrame(list(dataset["ValueTable"]))
print(values.pivot(index="Parameter_ID", columns="Language_ID", values="Value"))
own = values[values["Value"].notna() & ~values["Resolved_Rests_On_Supplied"]]
own = own.assign(Answer=own["Resolved_JSON"].map(repr))
print((own.groupby("Parameter_ID")["Answer"].nunique() > 1).sum(), "questions on which the sources themselves differ")
two = own.pivot(index="Parameter_ID", columns="Language_ID", values="Answer")[["{siglum}", "{other}"]].dropna()
print((two["{siglum}"] != two["{other}"]).sum(), "of", len(two), "questions that both answer themselves")
print(values[values["Status"].isin(["ambiguous", "contradictory"]) | (values["Certainty"] == "low")])
print(values.groupby("Language_ID")["Left_Open"].sum(), "answers that some rival interpretation changes")""",
            'R (remotes::install_github("SimonGreenhill/rcldf"))': """\
library(rcldf)
dataset <- cldf("StructureDataset-metadata.json")
head(dataset$tables$ValueTable)""",
            "Terminal (pip install cldfbench, which brings cldf; validate says nothing if all is well)": """\
cldf validate StructureDataset-metadata.json
cldf stats StructureDataset-metadata.json
cldf createdb StructureDataset-metadata.json {stem}.sqlite""",
            "cldfbench (with this folder as raw/{stem} of your own dataset, in its cmd_makecldf)": """\
from pycldf import Dataset as CLDF
rules = CLDF.from_metadata(self.raw_dir / "{stem}" / "StructureDataset-metadata.json")
values = [(one["Language_ID"], one["Parameter_ID"], one["Value"]) for one in rules["ValueTable"]]""",
        },
        (
            "Keep the files together. A source (a book) stands where a language would, a question about the rules "
            "where a parameter would; there are no Glottocodes. Value is what the source itself says. Where it is "
            "silent, our answer stands in Supplied_Value. Sources of one Family are not independent.",
            f"{_LISTS} In the column Source it is ; as usual in CLDF. Value_JSON is Value as JSON, for answers that "
            "are numbers, lists or tables. Resolved_JSON has what Value, or else Supplied_Value, comes to where it "
            "points to another answer: {program} compare counts the questions on which that differs.",
            "To count differences fill the empty cells first: in pandas an empty cell is NaN, and NaN is not NaN. What"
            " two sources say themselves is Resolved_JSON where Value is not empty and Resolved_Rests_On_Supplied "
            "is false; there the answer points to one of ours. Doubtful are values whose Status is ambiguous or "
            "contradictory, or whose Certainty is low; their rivals stand in alternatives.csv.",
            "Left_Open is what the possible worlds leave open: it is true where Resolved_JSON would be something "
            "else by a rival interpretation of the source, each taken by itself; Rival_Values has the answers that "
            "rivals give to the question itself. Options that a source offers do not count.",
            "Certainty is how sure we are of the answer, not how clear the source is: high, very likely or certain; "
            "medium, likely; low, no more than possible. On a row whose Status is silent it is that of "
            "Supplied_Value; where that is empty, high says that the source is silent for certain.",
            "Consulted in languages.csv is whole, or tells of what was not consulted of a source. Of "
            "these nobody can tell that they are silent: the Status silent means that the answer is not in the part "
            "consulted, which Comment says too, and without a Supplied_Value Certainty is empty.",
            "Status, Certainty and Left_Open are three things. Status says how the answer stands in the source, "
            "Certainty how sure we are of it, Left_Open whether a rival interpretation would change it. So a value "
            "may be ambiguous and of high certainty, its rival being weak; and it may be stated, certain and yet left "
            "open: another way of reading a passage elsewhere would change it. The words are explained "
            "on the pages The marks (reading.html) and Passages with more than one reading (interpretations.html).",
            "Sums are in the counter named in Unit. The counters of two sources are not the same money: where two "
            "sources have 4, the numbers are the same, and nothing is said of what a counter was worth.",
            _FORMULAS,
        ),
    ),
    "tei": FormatGuide(
        {
            "A sentence with its translation and all that rests on it (Python, pip install lxml)": """\
from lxml import etree
tree = etree.parse("{siglum}.xml")
links = tree.xpath("//*[local-name()='link'][starts-with(@target, '#{siglum}.s0001 ')]/@target")
found = tree.xpath("id(translate($ids, '#', ''))", ids=" ".join(links))""",
            "The substantive variants of other prints (Python, pip install lxml)": """\
from lxml import etree
tree = etree.parse("{siglum}.xml")
etree.strip_elements(tree, "{*}sic", with_tail=False)  # of a reading, what we read in it
variants = tree.iterfind(".//{*}listApp/{*}app[@type='substantive']")
for loc, *words in ((app.get("loc"), "".join(app[0].itertext()), "".join(app[1].itertext())) for app in variants):
    print(loc, *(" ".join(each.split()) or "(nothing)" for each in words), sep=" | ")""",
            "The same as one expression, for an editor that knows XPath 2.0": """\
id(tokenize(translate(string-join(//link[starts-with(@target, '#{siglum}.s0001 ')]/@target, ' '), '#', ''), ' '))""",
            "Python, all sentences as a table (pip install lxml pandas)": """\
import pandas as pd
from lxml import etree
tree = etree.parse("{siglum}.xml")
etree.strip_elements(tree, "{*}sic", with_tail=False)  # for the text as transcribed: "{*}corr"
sentences = tree.iterfind("{*}text//{*}s")
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
table = pd.DataFrame([(one.get(XML_ID), one.get("corresp"), "".join(one.itertext())) for one in sentences])""",
            'R (install.packages("xml2"))': """\
library(xml2)
document <- read_xml("{siglum}.xml")
xml_remove(xml_find_all(document, "//d1:sic"))  # for the text as transcribed: "//d1:corr"
sentences <- xml_find_all(document, "//d1:text//d1:s")
data.frame(id = xml_attr(sentences, "id"), original = xml_attr(sentences, "corresp"), text = xml_text(sentences))""",
        },
        (
            "Each file is valid TEI P5 (tei_all 4.3.0), whose address stands at its head. For work without a network "
            "the repository of the program has that schema with its licence, vendor/tei/tei_all.rng. The small schema "
            "there, by which transcriptions are checked, is for those only.",
            "The header has the version, the source (bibl), the copy used (msDesc), hands, editorial policy, the form "
            "of references (refsDecl), all questions with their readings and all words of the coding with their "
            "meanings (taxonomy), releases and passes (revisionDesc). Every id begins with the siglum of its source, "
            "so that files can be put together, as in a teiCorpus: question Q031 is {siglum}.Q031 in {siglum}.xml.",
            "The first text is the transcription, or, of a source that is not printed here, our statements of its "
            "rules. Every sentence is an s with an xml:id, by which it is cited. The translation is a second text "
            '(type="translation"), in which corresp points to the sentence translated.',
            "Where the text was corrected, choice has both the words as transcribed (sic) and ours (corr). Take one of "
            "the two: all the text of such a sentence would run them together. Words that could not be read at all "
            "and are ours stand in supplied; where words are lost and nothing is supplied stands gap, with the reason.",
            "The coding follows in standOff. span: the words that a clause quotes, and in which sentence (from; to as "
            "well, where they run on into a later one). A source that is not printed here has no spans. interpGrp: a "
            "clause, a rival reading of it or an option beside it, with its answers. note: an editor's remark. link: "
            "from a sentence to its translation, and to every clause, rival and note that rests on it. app: a variant "
            "of a witness (listWit in the header); what has none reads alike in both or was not consulted there.",
            "The kinds of variants (type of app) and their notes are explained in the header, in the taxonomy whose "
            "xml:id ends with .variant. loc counts the words of our sentence from 1, and & is a word; an empty lem "
            "stands before the word that is counted, where the witness has more than we. The XML files as they are "
            "kept (sources/SIGLUM/text.xml) have no apparatus.",
        ),
    ),
    "annotations": FormatGuide(
        {
            "Python (pip install pandas)": """\
import json, pandas as pd
with open("{siglum}.jsonld", encoding="utf-8") as file:
    table = pd.json_normalize(json.load(file)["first"]["items"])""",
            'R (install.packages("jsonlite"))': """\
library(jsonlite)
collection <- fromJSON("{siglum}.jsonld", simplifyVector = FALSE)
length(collection$first$items)""",
        },
        (
            "The annotations point into the TEI files: keep this folder beside the folder tei.",
            "A sentence has more than one view, and conformsTo of a TextQuoteSelector names that in which its words "
            "are found. README.txt#diplomatic, as transcribed: leave out the elements corr and reg. "
            "README.txt#emended: leave out sic and reg. README.txt#reading, which no citation uses, is in today's "
            "spelling and stands in no file. In each, gap counts as […], pb as a space, or as nothing "
            "with break=no, and white space as one space.",
        ),
    ),
    "stemma": FormatGuide(
        {
            "Python (pip install pandas)": """\
import re, pandas as pd
with open("stemma.gv", encoding="utf-8") as file:
    lines = pd.DataFrame(re.findall(r"(\\w+) -> (\\w+)", file.read()), columns=["above", "below"])""",
            "R": """\
lines <- grep("->", readLines("stemma.gv"), value = TRUE)
do.call(rbind, strsplit(gsub("[ ;]|\\\\[.*\\\\]", "", lines), "->"))""",
            "In a terminal (Graphviz)": "dot -Tsvg stemma.gv -o stemma.svg",
        },
        (
            "A grey text was not seen. A grey line is a debt of some kind, likely or no more than possible; a black "
            "one is more.",
        ),
    ),
    "bibtex": FormatGuide(
        {
            "Python (pip install pybtex pandas)": """\
import pandas as pd
from pybtex.database import parse_file
table = pd.DataFrame({key: dict(one.fields) for key, one in parse_file("{stem}.bib").entries.items()}).T""",
            'R (install.packages("RefManageR"))': """\
library(RefManageR)
references <- ReadBib("{stem}.bib", check = FALSE)
as.data.frame(references)""",
        },
    ),
    "parquet": FormatGuide(
        {
            "Python (pip install pandas pyarrow)": """\
import pandas as pd
cells = pd.read_parquet("cells.parquet", dtype_backend="numpy_nullable")
print(cells.pivot(index="question", columns="source", values="reading"))""",
            "Python (pip install polars)": """\
import polars as pl
cells = pl.read_parquet("cells.parquet")
print(cells.group_by("source", "status").len().sort("source", "status"))""",
            'R (install.packages("arrow"))': """\
library(arrow)
cells <- read_parquet("cells.parquet")
table(cells$source, cells$status)""",
        },
        (
            "Columns are text, whole numbers, true or false, and lists of text. Where there is nothing stands null, or "
            "an empty list. What each column means stands in the schema: "
            "pyarrow.parquet.read_schema('cells.parquet').metadata.",
            _ANSWERS,
            _COUNTERS,
        ),
    ),
}


def make_readme(guides: Mapping[str, FormatGuide], files: Iterable[ExportFile], corpus: Corpus) -> ExportFile:
    """Return the README of a folder that holds some formats, given by their titles with their guides."""
    release, state = corpus.release, corpus.library.digest
    siglum, other = [*corpus.library.sources, "ABC", "ABD"][:2]  # a library may have none yet
    program = corpus.game.name or "rulebook"
    names = {"stem": corpus.file_stem, "program": program, "siglum": siglum, "other": other}
    parts = [
        f"{release.title}\nversion {release.version}, {release.dated}; {state}",
        _format_file_list(files),
        *(part for title, guide in guides.items() for part in _format_guide(title, guide, names)),
        _wrap(f"{release.message} What may be done with each file stands in RIGHTS.txt, and on the page of downloads."),
    ]
    text = "\n\n".join(parts) + "\n"
    return ExportFile(README_FILE, text.encode(), "what lies here and how to open it", QUOTES_NONE)


def _format_file_list(files: Iterable[ExportFile]) -> str:
    """List the files; of a series the first stands for all."""
    return "\n".join(_wrap(f"{_name_files(each)}: {each[0].says}", "    ") for each in group_file_series(files))


def _name_files(files: list[ExportFile]) -> str:
    return files[0].path + (f" and {len(files) - 1} more" if len(files) > 1 else "")


def _format_guide(title: str, guide: FormatGuide, names: Mapping[str, str]) -> Iterator[str]:
    def fill(words: str) -> str:
        return re.sub(r"\{(stem|program|siglum|other)\}", lambda match: names[match[1]], words)

    yield f"{title}\n{'-' * len(title)}"
    for program, lines in guide.lines.items():
        yield f"{fill(program)}:\n\n{textwrap.indent(fill(lines), '    ')}"
    yield from (_wrap(fill(note)) for note in guide.notes)


def _wrap(text: str, hanging: str = "") -> str:
    return textwrap.fill(text, _WIDTH, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
