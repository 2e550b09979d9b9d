"""The two layouts of YESciEval's data, read as answers to questions.

Sheets hold one question a row: ``research_question``, ``paper_N_title`` and ``paper_N_abstract``
for N from 1, ``<model>_synthesis``, and perhaps ``mapped_domain``. JSON holds one answer a record:
``question``, ``answer`` and ``papers``, titles with their abstracts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from revkit.files import CorpusFile, Unreadable, json_values
from revkit.files.spreadsheets import rows_of
from revkit.model.paper import Skipped
from revkit.options import unknown_name
from revkit_yescieval.corpora.answers import Answer

_SYNTHESIS = "_synthesis"
_QUESTION = "research_question"
_DOMAIN = "mapped_domain"
_SHOWN = 12
_ABSTRACT = re.compile(r"paper_(\d{1,4})_(?:abstract|title)")


def sheet_answers(
    file: CorpusFile, prefix: str, models: Sequence[str], domain: str, max_bytes: int
) -> Iterator[Answer]:
    """Yield the syntheses of a sheet, row by row and in the order of its columns.

    Columns of perturbed syntheses (``<model>_subtle_<rubric>``) and of scores are not read. Raises
    `Unreadable` if columns are missing.
    """
    columns: list[str] | None = None
    for number, cells in rows_of(file, max_bytes):
        if columns is None:
            columns = _models(cells, models)
        numbers = sorted({int(m[1]) for name in cells if (m := _ABSTRACT.fullmatch(name))})
        works = [(cells.get(f"paper_{n}_title"), cells.get(f"paper_{n}_abstract")) for n in numbers]
        for model in columns:
            yield Answer(
                f"{prefix}row-{number:04d}-{model}",
                f"{file.name}:{number}",
                cells.get(_QUESTION),
                cells.get(model + _SYNTHESIS),
                works,
                cells.get(_DOMAIN) or domain,
                {"model": model, "row": number},
            )
    if columns is None:
        raise Unreadable("has no row below the names of the columns")


def _models(cells: Mapping[str, object], models: Sequence[str]) -> list[str]:
    present = [name.removesuffix(_SYNTHESIS) for name in cells if name.endswith(_SYNTHESIS)]
    present = [name for name in present if name]
    lacking = [f"no column {_QUESTION}"] if _QUESTION not in cells else []
    lacking += [] if present else [f"no column whose name ends in {_SYNTHESIS}"]
    if lacking:
        names = ", ".join(str(name)[:40] for name in list(cells)[:_SHOWN])
        more = f" and {len(cells) - _SHOWN} more" if len(cells) > _SHOWN else ""
        raise Unreadable(f"has {' and '.join(lacking)}; its columns are {names}{more}")
    for model in models:
        if model not in present:
            raise Unreadable(unknown_name("model", model, present))
    return [name for name in present if not models or name in models]


def json_answers(
    file: CorpusFile, prefix: str, domain: str, max_bytes: int
) -> Iterator[Answer | Skipped]:
    """Yield the answers of a JSON file (one record or a list of them) or of JSON Lines.

    Raises `Unreadable` if the file as a whole is neither.
    """
    for number, place, value in json_values(file, max_bytes):
        if isinstance(value, Unreadable):
            yield Skipped(place, str(value), place)
        elif not isinstance(value, dict):
            yield Skipped(place, f"expected an object, not {type(value).__name__}", place)
        else:
            yield _answer(value, place, prefix, number, domain)


def _answer(
    value: Mapping[str, Any], place: str, prefix: str, number: int, domain: str
) -> Answer | Skipped:
    question = value.get("question", value.get(_QUESTION))
    text = value.get("answer", value.get("synthesis"))
    raw = value.get("id")
    id_ = str(raw).strip() if isinstance(raw, str | int) else ""
    papers = value.get("papers", {})
    if isinstance(papers, dict):
        works = list(papers.items())
    elif isinstance(papers, list) and all(isinstance(paper, dict) for paper in papers):
        works = [(paper.get("title"), paper.get("abstract")) for paper in papers]
    else:
        return Skipped(id_ or place, "papers: expected an object of titles and abstracts", place)
    model = value.get("model")
    return Answer(
        prefix + (id_ or f"record-{number:04d}"),
        place,
        question,
        text,
        works,
        value.get("domain", value.get(_DOMAIN)) or domain,
        {"model": model} if isinstance(model, str) else {},
    )
