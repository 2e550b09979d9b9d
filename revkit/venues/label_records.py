"""Read `Labels` from the JSON that revkit writes.

Version 0.1.0 wrote the ends of a scale into its name ("our-form-1-10") and the standard error of a
severity among the extra values ("severity-se"). Both are read as what they meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from revkit.model.paper import Labels, Unmapped
from revkit.model.rating_scale import RatingScale
from revkit.venues.forms import ends_in_name

OLD_ERROR = "severity-se"


def labels_of_row(row: Mapping[str, Any]) -> Labels:
    """Return the labels in a row of papers. Raises KeyError, TypeError, ValueError or `PaperError`
    if revkit did not write the row.
    """
    extra = dict(row["extra"])
    error = row["severity_se"] if "severity_se" in row else extra.pop(OLD_ERROR, None)
    return Labels(
        accept=row["accept"],
        decision=row["decision"],
        ratings=tuple(row["ratings"]),
        rating_scale=row["rating_scale"],
        confidences=tuple(row["confidences"]),
        severity=row["severity"],
        tier=row["tier"],
        topic=row["topic"],
        quality=row["quality"],
        extra=extra,
        scale=stored_scale(row),
        severity_se=error,
        unmapped=tuple(Unmapped(**each) for each in row.get("unmapped", ())),
    )


def stored_scale(row: Mapping[str, Any]) -> RatingScale | None:
    """Return the scale of the ratings in a row."""
    if "scale" not in row:
        return ends_in_name(row["rating_scale"])
    scale = row["scale"]
    if scale is None:
        return None
    return RatingScale(
        scale["name"],
        _number(scale["minimum"]),
        _number(scale["maximum"]),
        values=tuple(map(_number, scale.get("values", ()))),
        source=scale.get("source", ""),
    )


def _number(value: Any) -> float:
    """Return a number as it was written: a whole number stays whole, so that the row is written
    again as it was.
    """
    return value if isinstance(value, int) and not isinstance(value, bool) else float(value)
