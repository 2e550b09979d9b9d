"""Drafts from another source: a file of filled-in forms, looked up by the digest or title of a
paper.

So a drafter that cannot be asked here (a model fine-tuned and run on another machine) takes part.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any

from revkit.files import LineProblems, Unreadable, digest, read_text
from revkit.forms import Form
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit.model.strict_json import NotStrictJson, strict_json
from revkit.prompting import Answer, RoleUsage
from revkit.works import title_words
from revkit_reviewground.repair import repaired
from revkit_reviewground.same_work import title_of

_MOST_BYTES = 64_000_000


class DraftProblem(ValueError):
    """A file does not contain drafts; the text states the fault and its place."""


Drafts = Mapping[tuple[str, ...], Any]


def load_drafts(path: str | None) -> Drafts | None:
    """Return the drafts at ``path`` by ("digest", digest) or ("title", *words); None without a
    path.

    Raises `DraftProblem` for a file that is not JSON Lines of objects with ``digest`` or ``title``
    and ``review``, or that names one paper twice.
    """
    if path is None:
        return None
    try:
        return _parsed(read_text(path, _MOST_BYTES))
    except Unreadable as error:
        raise DraftProblem(str(error)) from None


def drafts_digest(path: str | None) -> str | None:
    """Return the digest of the file's content, for the key of results."""
    return None if path is None else digest(read_text(path, _MOST_BYTES))


@functools.lru_cache(maxsize=4)
def _parsed(text: str) -> Drafts:
    found: dict[tuple[str, ...], Any] = {}
    problems = LineProblems()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = strict_json(line)
        except NotStrictJson as error:
            problems.add(number, f"it is not JSON: {error}")
            continue
        if not isinstance(value, Mapping) or "review" not in value:
            problems.add(number, "expected an object with the key 'review'")
            continue
        key = _key(value)
        if key is None:
            problems.add(number, "'digest' or 'title' is missing")
        elif key in found:
            problems.add(number, "a second draft for one paper")
        else:
            found[key] = value["review"]
    if problems:
        raise DraftProblem(str(problems))
    return found


def _key(value: Mapping[str, Any]) -> tuple[str, ...] | None:
    if isinstance(value.get("digest"), str):
        return ("digest", value["digest"])
    words = title_words(value["title"]) if isinstance(value.get("title"), str) else ()
    return ("title", *words) if words else None


def draft_of(drafts: Drafts, paper: Paper, form: Form, usage: RoleUsage) -> Answer | Failure:
    """Return the draft for ``paper`` in the form's layout, or a Failure of kind "rejected"."""
    found = drafts.get(("digest", paper.digest))
    if found is None:
        found = drafts.get(("title", *title_words(title_of(paper))))
    if found is None:
        return Failure("rejected", "the file of drafts has none for this paper")
    made = repaired(json.dumps(found), form.schema)
    if made is None:
        return Failure("schema", "the draft for this paper does not match the schema of the form")
    data, notes = made
    usage.note(notes)
    return Answer("", form.ordered(data), (), notes)
