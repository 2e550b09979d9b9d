"""A recorded run, which is repeated without corpus, models or computation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.execution.fault import Fault, FaultKind
from revkit.execution.recomputation import Recomputed
from revkit.execution.work import Answer
from revkit.model.paper import Paper, Skipped
from revkit.model.values import Json

Place: TypeAlias = tuple[str, str, int, int]  # paper, node, variant index, repeat


@dataclass(frozen=True)
class Recorded:
    """Recorded answers that replace the corpus and all computing.

    ``answers`` holds what no store keeps, failures and crashes, by the place of the item; what is
    not there comes from the store. ``faults`` are those of metrics and reports, ``versions`` the
    packages that the reports name. ``keys`` gives the digest of each node's part of its keys, so
    that no file of a component has to be read; where it is empty the components are asked.
    ``contents`` are those of `component_contents`, None if they are not on record.
    ``anchors`` replaces the corpus of anchors, ``peers`` is the digest of the papers
    as they see each other, ``reviews`` the digest of what people wrote of a paper, by the paper's
    id and digest. ``where`` names the source of the answers in errors, ``remedy`` what to
    do where one is missing. ``recomputed`` gets maps, tables and reports computed again.
    ``concludes`` states that they are computed where the store does not have them, as when the
    items of several shards are merged.
    """

    papers: Iterable[Paper | Skipped]
    answers: Mapping[Place, Answer] = field(default_factory=dict)
    faults: Sequence[Fault] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    contents: Mapping[str, Json] | None = None
    anchors: Iterable[Paper | Skipped] = ()
    peers: str = ""
    reviews: Mapping[tuple[str, str], str] = field(default_factory=dict)
    where: str = "the store"
    remedy: str = ""
    recomputed: Recomputed | None = None
    concludes: bool = False

    def fault(self, kind: FaultKind, name: str) -> Fault | None:
        """Return the fault of one map, metric or report, if it crashed."""
        return next((each for each in self.faults if (each.kind, each.name) == (kind, name)), None)

    def missing(self, what: str) -> RunError:
        """Return the error for a missing answer."""
        text = f"{self.where} contains no answer of {what}; a replay computes nothing new"
        return RunError(f"{text}; {self.remedy}" if self.remedy else text)
