"""Reference lists of LaTeX source: from BibTeX to ``thebibliography``."""

from __future__ import annotations

import re
from collections.abc import Collection

from revkit.works import Work, parse_bibtex, split_name

_CITE = re.compile(
    r"\\[A-Za-z]*[cC]ite[A-Za-z]*\*?\s?(?:\[[^\[\]\n]{0,200}\]\s?){0,2}\{([^{}]{1,2000})\}"
)
_KEY = re.compile(r"@\s?([A-Za-z]{2,30})\s?[{(]\s*([^\s,{}()]{1,200})\s?,")
ALL = "*"


def cited_keys(text: str) -> tuple[str, ...]:
    """Return the keys that LaTeX source cites, each once, in order; "*" where it lists all."""
    keys = (key.strip() for match in _CITE.finditer(text) for key in match[1].split(","))
    return tuple(dict.fromkeys(filter(None, keys)))


def bibliography_of_bibtex(source: str, keys: Collection[str]) -> tuple[str, int, int]:
    """Return the list of the works ``keys`` in BibTeX ``source``, how many it has, and how many
    keys the source lacks.

    Entries are in the order of the authors' names, as most styles have them.
    """
    places = _keys_by_line(source)
    works: dict[str, Work] = {}
    for line, entry in parse_bibtex(source).entries:
        key = places.get(line)
        if key is not None:
            works.setdefault(key, entry.work)
    wanted = [key for key in keys if key != ALL]
    chosen = list(works) if ALL in keys else [key for key in wanted if key in works]
    missing = sum(key not in works for key in wanted)
    if not chosen:
        return "", 0, missing
    chosen.sort(key=lambda key: (_family(works[key]), works[key].year or 0, key))
    rows = [f"\\bibitem{{{key}}}\n{_entry(works[key])}" for key in chosen]
    body = "\n\n".join(rows)
    whole = f"\\begin{{thebibliography}}{{{len(rows)}}}\n\n{body}\n\n\\end{{thebibliography}}"
    return whole, len(rows), missing


def _keys_by_line(source: str) -> dict[int, str]:
    keys: dict[int, str] = {}
    line, counted = 1, 0
    for match in _KEY.finditer(source):
        line += source.count("\n", counted, match.start())
        counted = match.start()
        keys.setdefault(line, match[2])
    return keys


def _family(work: Work) -> str:
    return split_name(work.authors[0])[1].casefold() if work.authors else work.title.casefold()


def _entry(work: Work) -> str:
    names = list(map(_safe, work.authors))
    joined = " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])}, and {names[-1]}"
    parts = [f"{joined}." if joined else "", f"\\newblock {_safe(work.title)}."]
    year = str(work.year) if work.year else ""
    venue = f"\\emph{{{_safe(work.venue)}}}" if work.venue else ""
    last = ", ".join(filter(None, (venue, year)))
    parts.append(f"\\newblock {last}." if last else "")
    return "\n".join(filter(None, parts))


def _safe(text: str) -> str:
    return re.sub(r"(?<!\\)([%#&_])", r"\\\1", " ".join(text.split()))
