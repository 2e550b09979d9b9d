"""The result for every paper and review, as counts and as rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.paper import Skipped
from revkit.model.values import Json, canonical_bytes
from revkit_training.bench import Bench
from revkit_training.example_maker import Example, PaperSource
from revkit_training.near_duplicates import RUN
from revkit_training.reviews import Which
from revkit_training.settings import Settings

FORMAT = "revkit-training 1"


@dataclass(frozen=True)
class ExportOutcome:
    """``sources`` are all papers of the corpus and ``skipped`` its other records; ``left`` are the
    papers outside the benchmark, each text once, and ``copies`` the others with the id of the paper
    that was kept.
    """

    bench: Bench
    sources: Sequence[PaperSource]
    skipped: Sequence[Skipped]
    left: Sequence[PaperSource]
    copies: Sequence[tuple[PaperSource, str]]
    asked: Which = "each"

    @property
    def _lacking(self) -> str:
        return "no human review" if self.asked == "each" else "no merged review"

    def explain(self) -> str:
        """Return in one line why no training examples may be left."""
        excluded = sum(each.compared.match is not None for each in self.sources)
        alone = sum(not each.reviews for each in self.left)
        reasons = _by_count(self._reasons())
        left_out = "; ".join(f"{name} ({count})" for name, count in reasons.items())
        return (
            f"of {len(self.sources)} papers {excluded} are in the benchmark and {alone} have "
            f"{self._lacking}; reviews left out: {left_out or 'none'}"
        )

    def manifest(self, settings: Settings, examples: Mapping[str, Sequence[Example]]) -> Any:
        """Return the counts for the manifest."""
        return {
            "bench": {
                "papers": self.bench.papers,
                "digest": self.bench.digest,
                "skipped": _by_count(self.bench.skipped),
            },
            "check": self._check(settings),
            "papers": self._papers(),
            "reviews": {
                "asked": settings.reviews,
                "read": sum(each.reviews for each in self.left),
                "skipped": _by_count(self._reasons()),
            },
            "examples": _counts(examples, settings),
        }

    def _reasons(self) -> Counter[str]:
        return Counter(reason for source in self.left for _, reason, _ in source.skipped)

    def _check(self, settings: Settings) -> dict[str, Any]:
        """Return how the set was compared with the benchmark, and which paper of the set is most
        similar to it.
        """
        used = [each for each in self.left if each.examples]
        nearest = min(used, key=lambda each: (-each.compared.similarity, each.id))
        return {
            "same": ["id", "text", "title"],
            "method": f"containment of runs of {RUN} words, exact",
            "threshold": settings.threshold,
            "most-alike-left-in": {
                "similarity": round(nearest.compared.similarity, 6),
                "paper": nearest.id,
                "bench": nearest.compared.nearest,
            },
        }

    def _papers(self) -> dict[str, Any]:
        matches = [each.compared.match for each in self.sources]
        left = self.left
        return {
            "read": len(self.sources),
            "skipped": _by_count(Counter(each.reason for each in self.skipped)),
            "excluded": _by_count(Counter(each.reason for each in matches if each is not None)),
            "copies": len(self.copies),
            "without-reviews": sum(not each.reviews for each in left),
            "without-usable-reviews": sum(
                bool(each.reviews) and not each.examples for each in left
            ),
            "used": sum(bool(each.examples) for each in left),
        }

    def excluded_rows(self) -> Iterable[bytes]:
        """The excluded papers as lines of JSON, sorted."""
        rows: list[dict[str, Json]] = []
        for source in self.sources:
            match = source.compared.match
            if match is not None:
                rows.append(
                    {
                        "paper": source.id,
                        "reason": match.reason,
                        "bench": match.bench,
                        "most-alike": source.compared.nearest,
                        "similarity": round(source.compared.similarity, 6),
                    }
                )
        rows += [
            {"paper": source.id, "reason": "copy of another training paper", "of": first}
            for source, first in self.copies
        ]
        return sorted(map(canonical_bytes, rows))

    def skipped_rows(self) -> Iterable[bytes]:
        """The skipped papers and reviews as lines of JSON, sorted."""
        rows: list[dict[str, Json]] = [
            {"paper": each.id, "reason": each.reason, "source": each.source}
            for each in self.skipped
        ]
        for source in self.left:
            if not source.reviews:
                rows.append({"paper": source.id, "reason": self._lacking})
            rows += [
                {"paper": source.id, "review": number, "reason": reason, "detail": detail}
                for number, reason, detail in source.skipped
            ]
        return sorted(map(canonical_bytes, rows))


def _by_count(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _counts(examples: Mapping[str, Sequence[Example]], settings: Settings) -> dict[str, Any]:
    every = [each for part in examples.values() for each in part]
    longest = max(every, key=lambda each: each.bytes)
    return {
        "train": len(examples["train"]),
        "validation": len(examples["validation"]),
        "validation-share": settings.validation,
        "notes": _by_count(Counter(note for each in every for note in each.notes)),
        "longest": {"characters": longest.characters, "bytes": longest.bytes},
    }


def rows_of(examples: Mapping[str, Sequence[Example]]) -> Iterable[bytes]:
    """Return the paper and review of each line of the training files."""
    for split, part in examples.items():
        for line, each in enumerate(part, 1):
            row: dict[str, Json] = {
                "split": split,
                "line": line,
                "paper": each.paper,
                "review": each.review,
                "sha256": each.stored.digest,
                "notes": list(each.notes),
            }
            yield canonical_bytes(row)
