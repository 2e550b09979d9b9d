"""The defense `classifier`: your own classifier of paragraphs, by a file or by HTTP."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

from revkit.contracts import Context, Defense, Reviewing
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.files import Unreadable, digest, read_text
from revkit.http import HttpError, Request, address_problem, exchange, read_json
from revkit.model import Edit, Paper
from revkit.model.review import Failure, Outcome
from revkit.model.structure import Span
from revkit.model.values import Json
from revkit.options import option, options_of

_BLANK_LINES = re.compile(r"\n[ \t]{0,200}\n\s*")
_MOST_REPLY = 5_000_000

Scores = Sequence[float]


@dataclass(frozen=True)
class Classifier(Defense):
    """Ask a classifier of yours how likely each paragraph is an attack, and act on it.

    ``function`` is "PATH.py:NAME": a function that takes the list of paragraphs and returns one
    number from 0 (harmless) to 1 for each. ``url`` is a service that gets ``{"texts": [...]}`` by
    POST and answers ``{"scores": [...]}``. A paragraph with ``threshold`` or more counts. ``then:
    strip`` takes it out, ``refuse`` returns a Failure for a person to decide, ``report`` adds a
    warning to the review. A classifier that fails, or answers anything else, is a Failure: the
    review does not go on without it.

    A file is code that you run on your machine. Its content is part of the identity of results;
    what a service does is not, so name its version in ``label``.
    """

    name: ClassVar[str] = "classifier"
    version: ClassVar[str] = "1"

    function: str = option("", help="A function in a file, as PATH.py:NAME.")
    url: str = option("", help="The address of a service.")
    label: str = option("", help="Version of the classifier, part of the identity of results.")
    threshold: float = option(0.5, help="Least score that counts.", minimum=0, maximum=1)
    then: Literal["strip", "refuse", "report"] = option(
        "strip", help="What becomes of a paper with a paragraph that counts."
    )
    timeout: float = option(60.0, help="Seconds for an answer.", minimum=0.01, maximum=3600)

    def __post_init__(self) -> None:
        super().__post_init__()
        if bool(self.function) == bool(self.url):
            raise OptionError(self.name, [("function", "give either function or url")])
        problem = address_problem(self.url) if self.url else self._function_problem()
        if problem:
            raise OptionError(self.name, [("url" if self.url else "function", problem)])

    def _function_problem(self) -> str:
        path, _, name = self.function.rpartition(":")
        if not path.endswith(".py") or not name.isidentifier():
            return "must be of the form PATH.py:NAME"
        try:
            read_text(path)
        except Unreadable as error:
            return str(error)
        return ""

    @property
    def guards(self) -> bool:
        """Whether it wraps the review: to report alone."""
        return self.then == "report"

    def identity(self) -> Json:
        """Return the options, with the digest of the file instead of its path, without timeout."""
        options = {k: v for k, v in options_of(self).items() if k != "timeout"}
        if self.function:
            path, _, name = self.function.rpartition(":")
            options["function"] = [digest(read_text(path)), name]
        return options

    def files_needed(self) -> Sequence[str]:
        """The file of the function."""
        return (self.function.rpartition(":")[0],) if self.function else ()

    @cached_property
    def _called(self) -> Callable[[list[str]], Scores]:
        path, _, name = self.function.rpartition(":")
        module = f"revkit_classifier_{digest(read_text(path))[:16]}"
        spec = importlib.util.spec_from_file_location(module, Path(path).resolve())
        if spec is None or spec.loader is None:
            raise ImportError(f"{path} cannot be loaded")
        loaded = importlib.util.module_from_spec(spec)
        sys.modules[module] = loaded
        spec.loader.exec_module(loaded)
        found: Callable[[list[str]], Scores] = getattr(loaded, name)
        return found

    def screen(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Failure:
        """Return the edits that take out paragraphs, or refuse the paper."""
        if self.then == "report":
            return ()
        found = self.flagged(paper)
        if isinstance(found, Failure):
            return found
        if found and self.then == "refuse":
            return Failure("rejected", f"{self.name}: {len(found)} paragraphs count as an attack")
        return [Edit(span.start, span.end, "", "classifier", "classifier") for span in found]

    def guard(self, paper: Paper, review: Reviewing, ctx: Context) -> Outcome:
        """Review once, and add a warning where a paragraph counts."""
        found = self.flagged(paper) if self.then == "report" else []
        outcome = review(paper)
        if isinstance(found, Failure) or isinstance(outcome, Failure) or not found:
            return found if isinstance(found, Failure) else outcome
        warning = f"{len(found)} paragraphs count as an attack (classifier)"
        return replace(outcome, warnings=(*outcome.warnings, warning))

    def flagged(self, paper: Paper) -> list[Span] | Failure:
        """The paragraphs that count, or why the classifier gave no answer."""
        spans = _paragraphs(paper.text)
        texts = [paper.text[span.start : span.end] for span in spans]
        scores = self._over_http(texts) if self.url else self._called(texts)
        if isinstance(scores, Failure):
            return scores
        if not _are_scores(scores, len(texts)):
            detail = f"{self.name}: expected {len(texts)} numbers from 0 to 1"
            return Failure("schema", detail, repr(scores)[:1000])
        pairs = zip(spans, scores, strict=True)
        return [span for span, score in pairs if score >= self.threshold]

    def _over_http(self, texts: list[str]) -> Scores | Failure:
        body = json.dumps({"texts": texts}).encode()
        request = Request("POST", self.url, {"Content-Type": "application/json"}, body)
        try:
            reply = exchange(request, timeout=self.timeout, most=_MOST_REPLY)
            if reply.status != 200:
                return Failure("provider", f"{self.name}: the service answered {reply.status}")
            data = read_json(reply.body)
        except HttpError as error:
            return Failure(error.kind, f"{self.name}: {error}")
        except ValueError as error:
            return Failure("schema", f"{self.name}: {error}")
        found: Scores = data.get("scores") if isinstance(data, dict) else None  # type: ignore[assignment]
        return found


def _paragraphs(text: str) -> list[Span]:
    """What blank lines divide, without the blanks at its ends."""
    found, start = [], 0
    for end, after in [*(m.span() for m in _BLANK_LINES.finditer(text)), (len(text), len(text))]:
        if text[start:end].strip():
            found.append(Span(start, end))
        start = after
    return found


def _are_scores(scores: object, count: int) -> bool:
    if not isinstance(scores, list | tuple) or len(scores) != count:
        return False
    return all(type(score) in (int, float) and 0 <= score <= 1 for score in scores)
