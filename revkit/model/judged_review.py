"""A review as a text to judge: what judges see of it, and how tables know it.

Judges read the reviews of a run either in the run itself or in a second run. Both make the same
texts, so the same judge gives the same answer, and metrics read both in the same form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from revkit.dataclass import dataclass
from revkit.model.paper import Labels, Material, Paper
from revkit.model.values import Json


@dataclass(frozen=True, slots=True)
class ReviewLabels:
    """What is known of a review and hidden from its judge: its agent, its paper and its verdict.

    ``paper`` is the id of the reviewed paper, ``rating`` and ``accept`` are those of the review,
    ``reference_rating`` (on the scale ``reference_scale``) and ``reference_accept`` those of
    people.
    """

    agent: str
    paper: str
    perturbation: str = ""
    repeat: int = 0
    index: int = 0
    venue: str = ""
    rating: float | None = None
    accept: bool | None = None
    reference_rating: float | None = None
    reference_scale: str = ""
    reference_accept: bool | None = None

    @property
    def id(self) -> str:
        """The id of the review: its agent, its paper, and where it is not the first, its number."""
        place = f"{self.paper}/{self.perturbation}" if self.perturbation else self.paper
        numbers = [number for number in (self.index, self.repeat) if number or self.index]
        return f"{self.agent}/{place}" + "".join(f"#{number}" for number in numbers)

    def labels(self, tally: Mapping[str, Json]) -> Labels:
        """Return the labels of the review. ``tally`` counts, for each agent and perturbation, the
        reviews that were planned, failed, or came without text.
        """
        extra: dict[str, Json] = {
            "paper": self.paper,
            "agent": self.agent,
            "perturbation": self.perturbation,
            "repeat": self.repeat,
            "index": self.index,
            "venue": self.venue,
            "rating": self.rating,
            "accept": self.accept,
            "reference-rating": self.reference_rating,
            "reference-scale": self.reference_scale,
            "reference-accept": self.reference_accept,
            "tally": dict(tally),
        }
        return Labels(topic=self.agent, extra=extra)


def review_as_paper(
    id_: str,
    text: str,
    paper: Material,
    checklists: Sequence[Material],
    labels: Labels | None = None,
    source: str = "",
) -> Paper:
    """Return a review as judges see it: its text, the reviewed ``paper`` (role "source") and the
    checklists. It has no title, since a judge must not know whose review it reads.

    Raises `PaperError` for a review without text.
    """
    return Paper(id_, text, "", labels or Labels(), source, (), (paper, *checklists))
