"""A second set of planted faults: wordings and layouts that the checks were not written on.

`unseen.json` holds our own sentences, the file of the paper that each is said of, and, for what is
called missing, the search by which a person may see in the paper that it is there, or that no trace
of it is. Of quotations it holds the first four words, the number of words and the change; the words
themselves come from the papers, which lie outside the repository.

The checks were improved on part A; B was measured after that, and its misses seen later.
C and D are further wordings: C was used like A, D measured like B.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from revkit.model.intake import clean_text
from revkit.model.paper import Paper
from tests.plugins.revkit_reviewground.planted_papers import AFTER, BEFORE, DATA

CASES = Path(__file__).with_name("unseen.json")


def read_cases() -> list[dict[str, Any]]:
    """The cases as stored: kind, form, half, paper, text or the making of it, and ``false``."""
    record = json.loads(CASES.read_text(encoding="utf-8"))
    cases: list[dict[str, Any]] = record["cases"]
    for case in cases:
        number = case.get("pattern")
        case["pattern"] = "" if number is None else record["patterns"][number]
    return cases


@lru_cache(maxsize=256)
def read_paper(name: str) -> Paper:
    """The paper in the file ``name``: a text, Markdown, or a PeerRead object."""
    raw = (DATA / name).read_bytes().decode("utf-8", "replace")
    return Paper(Path(name).stem, clean_text(laid_out(raw) if name.endswith(".json") else raw)[0])


def laid_out(raw: str) -> str:
    """The text of a paper in PeerRead's layout, with headings."""
    record = json.loads(raw)["metadata"]
    parts = [f"# {record['title'] or ''}", f"## Abstract\n{record['abstractText'] or ''}"]
    parts += [f"## {one['heading'] or ''}\n{one['text']}" for one in record["sections"] or []]
    works = [
        f"{', '.join(one['author'])}. {one['title']}. {one['venue']} {one['year']}"
        for one in record["references"]
    ]
    return "\n\n".join([*parts, "## References", *works])


def body(text: str) -> str:
    """The text before its last heading "References"."""
    heads = list(re.finditer(r"(?im)^\W*(?:\d+\W+)?references\W*$", text))
    return text[: heads[-1].start()] if heads else text


def statement(case: Mapping[str, Any], paper: Paper) -> str:
    """What the review says."""
    if case["text"] is not None:
        return str(case["text"])
    words = _words(paper, case["start"], case["words"])
    if case["change"] == "stitch":
        words = words[: case["at"]] + _words(paper, case["start2"], case["words2"])[case["at"] :]
    quote = _changed(words, case).rstrip(".,;")
    opening, closing = case["marks"]
    text = str(case["frame"]).format(f"{opening}{quote}{closing}")
    return text[0].upper() + text[1:]


def _words(paper: Paper, start: str, count: int) -> list[str]:
    found = re.search(r"\s+".join(map(re.escape, start.split())), paper.text)
    assert found, (paper.id, start)
    return paper.text[found.start() :].split(None, count)[:count]


_PLAIN = (
    (r"\\math\w+ ?\{ ?(\w) ?\}", r"\1"), (r"\$ ?| ?\$(?=\W)|\$", ""), (r"\\alpha", "α"),
    (r"\\beta", "β"), (r"\\theta", "θ"), (r"\\lambda", "λ"), (r"\\epsilon", "ε"),
    (r"\\sigma", "σ"),
)  # fmt: skip


def _changed(words: Sequence[str], case: Mapping[str, Any]) -> str:
    change, at, new = case["change"], case.get("at", 0), case.get("new", "")
    text = " ".join(words)
    if change == "replace" or change == "number":
        return " ".join([*words[:at], new, *words[at + 1 :]])
    if change == "insert":
        return " ".join([*words[:at], new, *words[at:]])
    if change == "drop":
        return " ".join([*words[:at], *words[at + 2 :]])
    if change == "ellipsis":
        return " ".join([*words[:3], "[...]", *words[5:]])
    if change == "bracket":
        return " ".join(["[The method]", *words[1:]])
    if change == "part":
        return " ".join(words[1:-1])
    if change == "break":
        long = next((word for word in words if len(word) > 7 and word.isalpha()), "")
        return text.replace(long, f"{long[:4]}-\n{long[4:]}", 1) if long else text
    if change == "mathematics":
        for pattern, plain in _PLAIN:
            text = re.sub(pattern, plain, text)
        return text
    return {
        "capital": text.upper(),
        "ligature": text.replace("fi", "ﬁ").replace("ff", "ﬀ"),
        "dash": text.replace("-", "–"),
        "space": text.replace(" ", "\n", 3),
    }.get(change, text)


def reviews(cases: Sequence[Mapping[str, Any]]) -> dict[str, tuple[Paper, dict[str, Any]]]:
    """For each paper one review with every statement in its own field, by its place in
    ``cases``."""
    found: dict[str, tuple[Paper, dict[str, Any]]] = {}
    for number, case in enumerate(cases):
        paper, review = found.setdefault(case["paper"], (read_paper(case["paper"]), {}))
        text = statement(case, paper)
        review[f"n{number}"] = text if text.startswith("- ") else f"{BEFORE} {text} {AFTER}"
    return found
