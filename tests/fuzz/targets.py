"""The parsers of files and texts from elsewhere, each with small seeds and the errors it may raise.

A target reads bytes. It returns, or raises an error that its callers handle. Every other exception
and an input that takes too long are findings.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import revkit
from revkit.api.maps import fit_map
from revkit.cache import Store
from revkit.cache.maintenance import check_store
from revkit.calibration.map_files import load_map, save_map
from revkit.documents.docx import read_docx
from revkit.documents.worker import Refused, read_document
from revkit.documents.xml_parts import parse as parse_xml
from revkit.errors import RevkitError
from revkit.execution.bundle.archive import read_archive
from revkit.execution.bundle.replay import replay_bundle
from revkit.files import CorpusFile, Unreadable, json_values, parse_source
from revkit.files.spreadsheets import rows_of
from revkit.http import read_json
from revkit.model import Paper, Skipped
from revkit.model.values import Json
from revkit.pairsets import read_papers, write_pair_set
from revkit.papers.files import papers_in_files
from revkit.registry import Registry, load_registry
from revkit.runs import OpenedRun, list_runs, open_run
from revkit.runs.progress import progress_of
from revkit.scan.texts import scan_text
from revkit.services.llm.reply import read_reply
from revkit.spec.load import load_spec
from revkit.works.bibtex import parse_bibtex
from revkit.works.records import entry_of

_LARGEST = 1_000_000
EXPECTED: tuple[type[Exception], ...] = (RevkitError, Unreadable)


@dataclass(frozen=True)
class Target:
    """One parser. ``seeds`` makes its valid inputs, ``quick`` those that need no run of revkit."""

    name: str
    read: Callable[[bytes, Path], object]
    seeds: Callable[[], tuple[bytes, ...]]
    expected: tuple[type[Exception], ...] = EXPECTED
    quick: bool = True


def _text(data: bytes) -> str:
    """Any bytes as a text that may contain anything but a lone surrogate."""
    return data.decode("utf-8", "replace")


def _file(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def _all_parts(paper: Paper) -> None:
    """Read everything that a paper parses from its text when first used."""
    list(paper.blocks)
    list(paper.sentences)
    list(paper.citations)
    list(paper.references)


def _paper_file(ending: str) -> Callable[[bytes, Path], None]:
    def read(data: bytes, folder: Path) -> None:
        for found in papers_in_files(_file(folder, f"paper{ending}", data)):
            if not isinstance(found, Skipped):
                _all_parts(found)
                scan_text(found.id, found.text)

    return read


def _json_papers(data: bytes, folder: Path) -> None:
    for name in ("papers.json", "papers.jsonl"):
        path = _file(folder, name, data)
        list(json_values(CorpusFile(path, name), _LARGEST))


def _docx(data: bytes, folder: Path) -> None:
    read_docx(_file(folder, "paper.docx", data), hidden=True)


def _docx_part(data: bytes, folder: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", data)
    _docx(packed.getvalue(), folder)


def _xml(data: bytes, folder: Path) -> None:
    parse_xml(data, "paper.xml", doctype=True)


def _pdf(data: bytes, folder: Path) -> None:
    read_document(_file(folder, "paper.pdf", data), pages=20, hidden=True)


def _reply(data: bytes, folder: Path) -> None:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {"score": {"type": "integer"}, "text": {"type": "string"}},
        "required": ["score"],
    }
    for reason in ("stop", "length"):
        read_reply(_text(data), reason, schema)
    read_reply(_text(data), "stop", None)


def _external_reply(data: bytes, folder: Path) -> None:
    from revkit_external.parse.documents import parse

    for format in ("json", "jsonl", "markdown"):
        with contextlib.suppress(*_reading_error()):
            _ = parse(_text(data), format).sections


def _spec(data: bytes, folder: Path) -> None:
    parse_source(_text(data), "spec.yaml")
    load_spec(_file(folder, "spec.yaml", data), _registry())


def _sheet(name: str) -> Callable[[bytes, Path], None]:
    def read(data: bytes, folder: Path) -> None:
        list(rows_of(CorpusFile(_file(folder, name, data), name), _LARGEST))

    return read


def _bibtex(data: bytes, folder: Path) -> None:
    parse_bibtex(_text(data))


def _abstract(data: bytes, folder: Path) -> None:
    record = read_json(_text(data))
    if isinstance(record, dict):
        entry_of(record)


def _bundle(data: bytes, folder: Path) -> None:
    inside = folder / "inside"
    inside.mkdir(exist_ok=True)
    read_archive(_file(folder, "run.zip", data), inside)
    assert {path.name for path in folder.iterdir()} <= {"inside", "run.zip"}


def _replay(data: bytes, folder: Path) -> None:
    """Replay a bundle with another member; the first line of ``data`` names it. The manifest has
    its digest, as that of an attacker would.
    """
    first, _, body = data.partition(b"\n")
    members = dict(_members_of_a_bundle())
    name = first.decode("utf-8", "replace")
    if name not in members:  # the line was changed too
        name = sorted(members)[len(first) % len(members)]
    members[name] = body
    if name != "manifest.json":
        manifest = json.loads(members["manifest.json"])
        manifest["members"][name] = hashlib.sha256(body).hexdigest()
        members["manifest.json"] = json.dumps(manifest).encode()
    path = folder / "run.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for each, content in sorted(members.items()):
            archive.writestr(each, content)
    replay_bundle(path, _registry(), out=folder / "replay")


@cache
def _members_of_a_bundle() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(_of_a_run()["bundle"][0])) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _members() -> tuple[bytes, ...]:
    return tuple(
        name.encode() + b"\n" + body for name, body in sorted(_members_of_a_bundle().items())
    )


def _store(data: bytes, folder: Path) -> None:
    for path in folder.glob("s.db*"):
        path.unlink()
    store = Store(_file(folder, "s.db", data))
    try:
        keys = store.keys()
        for key in keys:
            store.get(key)
        check_store(store)
    finally:
        store.close()


def _map(data: bytes, folder: Path) -> None:
    load_map(_file(folder, "map.json", data), _registry())


def _pairs(data: bytes, folder: Path) -> None:
    list(read_papers(_file(folder, "pairs.jsonl", data)))


_PARTS_OF_A_RUN: tuple[Callable[[OpenedRun], object], ...] = (
    lambda run: (run.name, run.digest, run.records_digest, run.started, run.versions),
    lambda run: run.tables,
    lambda run: (run.spec, run.faults, run.headline),
    lambda run: (run.warnings, run.usd, run.ledger, run.subjects),
    lambda run: run.records,
    lambda run: list(run.reviews()),
    lambda run: run.pairs("one"),
    lambda run: run.to_json(),
    lambda run: run._repr_html_(),
)


def _run_file(name: str) -> Callable[[bytes, Path], None]:
    """Read a finished run with other bytes in the file ``name``."""

    def read(data: bytes, folder: Path) -> None:
        run = folder / "run"
        if not run.exists():
            for path, body in _files_of_a_run().items():
                (run / path).parent.mkdir(parents=True, exist_ok=True)
                (run / path).write_bytes(body)
        (run / name).write_bytes(data)
        list_runs(folder)
        progress_of(run)
        opened = open_run(run)
        for part in _PARTS_OF_A_RUN:
            with contextlib.suppress(*EXPECTED):
                part(opened)

    return read


@cache
def _files_of_a_run() -> dict[str, bytes]:
    return dict(_of_a_run()["run"])


@cache
def _registry() -> Registry:
    return load_registry()


MARKDOWN = """# A title

## Abstract

We may show that 3.5 % of [1] hold (Smith et al., 2020; [2, 4-7]).

| a | b |
|---|---|
| 1 | 2 |

- item `code` $x^2$ ![figure](f.png)

```python
print("x")
```

## References

[1] A. Smith. 2020. A work. In Proc. of X.
[2] B. Jones. Another. https://doi.org/10.1/2
"""
LATEX = r"""\documentclass{article}\newcommand{\m}[2]{#1 and #2}
\begin{document}\title{A title}\maketitle\begin{abstract}We may show \m{a}{b}.\end{abstract}
\section{One}\label{s} See \cite{a,b} and Section~\ref{s}. % comment
\begin{table}\begin{tabular}{ll}a & b\\ 1 & 2\end{tabular}\caption{T}\end{table}
\begin{equation}x = 1\end{equation}
\begin{thebibliography}{9}\bibitem{a} A. Smith. A work. 2020.\end{thebibliography}
\end{document}
"""
HTML = """<!doctype html><html><head><title>A title</title><style>p{color:red}</style></head>
<body><h1>A title</h1><p>We may <b>show</b> <a href="x">this</a> &amp; that.</p>
<table><tr><td>1</td></tr></table><script>x()</script><ul><li>item</li></ul></body></html>"""
BIBTEX = """@string{v = "Venue"}
@article{a, title = {A {T}itle}, author = {Smith, A. and Jones, B.}, year = 2020, journal = v # "x"}
@comment{x} @misc{b, title = "Another", url = {https://arxiv.org/abs/2001.00001}, month = jan}
"""
ABSTRACT = json.dumps(
    {
        "title": "A work",
        "abstract": "We show <b>this</b>.",
        "abstract_inverted_index": {"We": [0], "show": [1]},
        "authors": [{"name": "A. Smith"}],
        "year": 2020,
        "externalIds": {"DOI": "10.1/2"},
        "url": "https://doi.org/10.1/2",
        "venue": "X",
    }
)
REPLY = """<think>so</think> Here it is:
```json
{"score": 7, "text": "Good, \\"really\\"; {a} [b]",}
```
"""
SPEC = """revkit: 1
name: x
corpus: {use: synthetic, with: {papers: 3}}
perturbations: {h: {use: hedging, with: {mode: either}}}
x-a: &a {use: constant}
agents: {one: {<<: *a}, two: constant}
metrics: [flip-rate]
assert: ["flip_rate[one] <= 0.5"]
sweep: {seed: [1, 2]}
"""
XML = """<?xml version="1.0"?><!DOCTYPE article><article xmlns:x="u"><x:a b="c">t &amp; u</x:a>
<![CDATA[raw]]><!-- note --></article>"""
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
WORD = f"""<w:document xmlns:w="{_W}"><w:body>
<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>A title</w:t></w:r></w:p>
<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:t>We may show.</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
</w:body></w:document>"""


def _constant(*texts: str) -> Callable[[], tuple[bytes, ...]]:
    return lambda: tuple(text.encode() for text in texts)


def _word_files() -> tuple[bytes, ...]:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("word/document.xml", WORD)
    return (packed.getvalue(),)


def _sheets() -> tuple[bytes, ...]:
    import openpyxl

    book = openpyxl.Workbook()
    for row in (("a", "b"), (1, "x"), (None, "_x000D_")):
        book.active.append(row)
    packed = io.BytesIO()
    book.save(packed)
    return (packed.getvalue(),)


def _pdfs() -> tuple[bytes, ...]:
    content = b"BT /F 12 Tf 72 700 Td (A title of a paper that is long enough) Tj 0 -20 Td "
    content += b"(We may show that this is a sentence of some length.) Tj ET"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        b"/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%s endobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % p for p in places)
    out += b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % start
    return (bytes(out),)


@cache
def _of_a_run() -> dict[str, Any]:
    """The files of a small run, its bundle, its store and a pair set, and a fitted map."""
    import random

    with TemporaryDirectory() as name:
        place = Path(name)
        spec = {
            "revkit": 1,
            "corpus": {"use": "synthetic", "with": {"papers": 2}},
            "perturbations": {"hedging": "hedging"},
            "agents": {"one": "confidence-reader"},
            "metrics": ["flip-rate"],
            "reports": [],
        }
        revkit.run(spec, out=place / "run", store=place / "s.db")
        revkit.export(place / "run", place / "run.zip", store=place / "s.db")
        write_pair_set(place / "run", place / "pairs.jsonl", name="x", version="1")
        draw = random.Random(1)
        rows = [(f"a{number}", draw.random() * 9 + 1) for number in range(40)]
        scores = "id,score\n" + "".join(f"{id},{score}\n" for id, score in rows)
        anchors = "id,consensus\n" + "".join(f"{id},{100 - score * 9}\n" for id, score in rows)
        (place / "scores.csv").write_text(scores)
        (place / "anchors.csv").write_text(anchors)
        found = fit_map("one", place / "scores.csv", place / "anchors.csv", scale=(1, 10))
        save_map(found, place / "map.json")
        return {
            "bundle": ((place / "run.zip").read_bytes(),),
            "store": ((place / "s.db").read_bytes(),),
            "pairs": ((place / "pairs.jsonl").read_bytes(),),
            "map": ((place / "map.json").read_bytes(),),
            "run": {
                path.relative_to(place / "run").as_posix(): path.read_bytes()
                for path in (place / "run").rglob("*")
                if path.is_file()
            },
        }


def _file_of_a_run(name: str) -> Callable[[], tuple[bytes, ...]]:
    return lambda: (_files_of_a_run()[name],)


def _made(name: str) -> Callable[[], tuple[bytes, ...]]:
    return lambda: _of_a_run()[name]


def _reading_error() -> tuple[type[Exception], ...]:
    from revkit_external.parse.trouble import ReadingError

    return (ReadingError,)


TARGETS: dict[str, Target] = {
    each.name: each
    for each in (
        Target("markdown", _paper_file(".md"), _constant(MARKDOWN)),
        Target("latex", _paper_file(".tex"), _constant(LATEX)),
        Target("html", _paper_file(".html"), _constant(HTML)),
        Target("json", _json_papers, _constant(ABSTRACT, '[{"id": "a", "text": "# T"}]\n')),
        Target("docx", _docx, _word_files),
        Target("docx-part", _docx_part, _constant(WORD)),
        Target("xml", _xml, _constant(XML)),
        Target("pdf", _pdf, _pdfs, (*EXPECTED, Refused)),
        Target("bibtex", _bibtex, _constant(BIBTEX)),
        # The reader of records receives JSON only.
        Target("abstract", _abstract, _constant(ABSTRACT), (*EXPECTED, ValueError)),
        Target("reply", _reply, _constant(REPLY, '{"score": 3}')),
        Target("tool-output", _external_reply, _constant(REPLY, MARKDOWN), _reading_error()),
        Target("spec", _spec, _constant(SPEC)),
        Target("sheet", _sheet("a.xlsx"), _sheets),
        Target("table", _sheet("a.csv"), _constant('a,b\n1,"x\ny"\n')),
        Target("bundle", _bundle, _made("bundle"), quick=False),
        Target("replay", _replay, _members, quick=False),
        Target("store", _store, _made("store"), quick=False),
        Target("pairs", _pairs, _made("pairs"), quick=False),
        Target("map", _map, _made("map"), quick=False),
        *(
            Target(name, _run_file(path), _file_of_a_run(path), quick=False)
            for name, path in (
                ("result", "result.json"),
                ("provenance", "provenance.json"),
                ("outcomes", "records/outcomes.jsonl"),
                ("run-spec", "spec.yaml"),
            )
        ),
    )
}
