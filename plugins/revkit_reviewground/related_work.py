"""Related work: the results of the literature searcher, for the aggregator and for the record."""

from __future__ import annotations

from collections import Counter
from dataclasses import field

from revkit.dataclass import dataclass
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.model.work import Work
from revkit.prompting import Answer
from revkit_reviewground.excerpts import PaperExcerpt
from revkit_reviewground.role_call import failure_json


@dataclass(frozen=True)
class Debriefed:
    """One work and the model's report on it, or its failure; None if a work has no abstract,
    because a model could then only invent a report.
    """

    work: Work
    keywords: tuple[str, ...]
    debrief: Answer | Failure | None

    def to_json(self) -> dict[str, Json]:
        work = self.work.to_json()
        row: dict[str, Json] = {key: work[key] for key in work if key != "abstract"}
        row["keywords"] = list(self.keywords)
        if isinstance(self.debrief, Failure):
            row["failure"] = failure_json(self.debrief)
        else:
            row["debrief"] = None if self.debrief is None else dict(self.debrief.data)
        return row

    def for_aggregator(self) -> dict[str, Json]:
        """Return the part that the aggregator reads."""
        named: dict[str, Json] = {"title": self.work.title, "year": self.work.year}
        if isinstance(self.debrief, Answer):
            return {**named, **self.debrief.data}
        return {**named, "note": "without an abstract: nothing but the title is known"}


@dataclass(frozen=True)
class Read:
    """How many works were read: the number of works found, of those with an abstract, and of those
    with a report of the model on the abstract.
    """

    works: int
    with_abstract: int
    reported: int

    @property
    def nothing(self) -> bool:
        """Whether there are works, but only their titles were read."""
        return self.works > 0 and self.reported == 0

    def to_json(self) -> dict[str, Json]:
        return {
            "works": self.works,
            "with-abstract": self.with_abstract,
            "reported": self.reported,
        }


@dataclass
class Literature:
    """The works that the literature searcher found, and how it found them."""

    keywords: tuple[str, ...] = ()
    works: tuple[Debriefed, ...] = ()
    found: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    searches: dict[str, int | Failure] = field(default_factory=dict)
    ordered_by: str = ""
    reading: PaperExcerpt = field(default_factory=lambda: PaperExcerpt(""))
    failure: Failure | None = None

    @property
    def debriefs(self) -> list[dict[str, Json]]:
        """Return the reports that the aggregator reads; works with a failed debrief are left
        out.
        """
        return [
            each.for_aggregator() for each in self.works if not isinstance(each.debrief, Failure)
        ]

    @property
    def read(self) -> Read:
        """The numbers of works that were read."""
        return Read(
            len(self.works),
            sum(bool(each.work.abstract.strip()) for each in self.works),
            sum(isinstance(each.debrief, Answer) for each in self.works),
        )

    def to_json(self) -> dict[str, Json]:
        return {
            "read": self.read.to_json(),
            "keywords": list(self.keywords),
            "searches": {
                keyword: failure_json(each) if isinstance(each, Failure) else each
                for keyword, each in self.searches.items()
            },
            "found": self.found,
            "dropped": dict(sorted(self.dropped.items())),
            "ordered-by": self.ordered_by,
            "works": [each.to_json() for each in self.works],
            "reading": self.reading.to_json(),
        }
