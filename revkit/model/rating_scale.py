"""RatingScale: the scale of human ratings as a value."""

from __future__ import annotations

from revkit.dataclass import dataclass
from revkit.model.review import Scale
from revkit.model.values import Json


@dataclass(frozen=True, slots=True)
class RatingScale(Scale):
    """The scale of a review form on which reviewers rated a paper: its ends and allowed values.

    ``name`` is that of the form ("iclr-2020"). ``source`` says where the ends come from: a
    publication, the data, or the user. Without a source the form is `assumed`, and reports say so.
    """

    source: str = ""

    @property
    def assumed(self) -> bool:
        """Whether the ends of this scale are assumed without a source."""
        return not self.source

    @property
    def label(self) -> str:
        """The form in tables: "iclr-2020", or "iclr-2019 (assumed)"."""
        return f"{self.name} (assumed)" if self.assumed else self.name

    def to_json(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "minimum": self.minimum,
            "maximum": self.maximum,
            "values": list(self.values),
            "source": self.source,
        }
