"""Human reviews of a paper, which a corpus provides together with the paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from revkit.dataclass import dataclass
from revkit.model.rating_scale import RatingScale
from revkit.model.values import Json, digest_of


@dataclass(frozen=True, slots=True)
class WrittenReview:
    """One review that a person wrote.

    ``number`` counts the reviews of the record from 1, also those that are not here. ``rating`` is
    on the scale of the paper's labels, None where the review gives none. ``text`` holds its texts
    under their headings, without scores. ``meta`` marks a meta-review. ``aspects`` are further
    scores by name, as written, on no known scale.
    """

    number: int
    text: str = ""
    rating: float | None = None
    confidence: float | None = None
    meta: bool = False
    aspects: Mapping[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        return {
            "number": self.number,
            "text": self.text,
            "rating": self.rating,
            "confidence": self.confidence,
            "meta": self.meta,
            "aspects": dict(self.aspects),
        }


@dataclass(frozen=True, slots=True)
class PaperReviews:
    """The human reviews of one paper, the scale of the ratings (None: unknown), and the decision
    (None: unknown).
    """

    reviews: tuple[WrittenReview, ...]
    scale: RatingScale | None = None
    accept: bool | None = None

    @property
    def digest(self) -> str:
        """Return the SHA-256 of all fields; "" if nobody reviewed the paper."""
        if not self.reviews:
            return ""
        scale = None if self.scale is None else self.scale.to_json()
        return digest_of([[each.to_json() for each in self.reviews], scale, self.accept])
