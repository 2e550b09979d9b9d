"""Reranking: find the ranker, name it in the record, and apply its order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, cast

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.encoders import CrossEncoderFiles, find_cross_encoder, relevances
from revkit.errors import RunError
from revkit.model.values import Json
from revkit.model.work import Work
from revkit_searchers.bm25 import Bm25, tokens
from revkit_searchers.rank_fusion import best

Kind = Literal["", "bm25", "embeddings", "cross-encoder"]
MOST_EMBEDDED = 2_000  # characters: longer texts are beyond the window of most models


@dataclass(frozen=True)
class Ranker:
    """The ranker. ``label`` is written to each work; ``problem`` states why there is no ranker."""

    kind: Kind
    label: str = ""
    files: CrossEncoderFiles | None = None
    problem: str = ""

    def identity(self) -> Json:
        """Return what decides the order and its description: kind and model, by the content of its
        files. A replacement for a missing reranker has its own identity, so that a stored answer of
        a search without a reranker is never used for a search with one.
        """
        identity: dict[str, Json] = {
            "kind": self.kind,
            "files": self.files.digest if self.files else "",
        }
        if self.problem or (self.files is None and self.label != self.kind):
            identity["instead"] = self.label or self.problem
        return identity


def find_ranker(name: str, fallback: str) -> Ranker:
    """Find the ranker called ``name``, or its replacement."""
    if name in ("", "bm25", "embeddings"):
        return Ranker(cast(Kind, name), name)
    try:
        return Ranker("cross-encoder", _name_of(name), find_cross_encoder(name))
    except RunError as error:
        if fallback:
            missing = f"the reranker {_name_of(name)} is not available on this machine"
            message = f"{fallback}, because {missing}"
            return Ranker(cast(Kind, fallback), message)
        return Ranker(
            "",
            problem=f"{error}; or set a replacement: reranker-fallback: embeddings",
        )


def _name_of(name: str) -> str:
    """Return a model's name on the hub, or the name of its folder: records contain no paths."""
    return Path(name).name if Path(name).is_dir() or name.count("/") != 1 else name


def text_of(work: Work) -> str:
    """Return the text that is compared with the query: title and abstract."""
    return f"{work.title}. {work.abstract}"[:MOST_EMBEDDED] if work.abstract else work.title


def rank(ranker: Ranker, query: str, works: Sequence[Work], ctx: Context) -> list[Work]:
    """Return ``works`` in the ranker's order, with its scores and its name. Ties keep their
    order.
    """
    import numpy

    if not works:
        return []
    texts = [text_of(work) for work in works]
    if ranker.kind == "bm25":
        scores = Bm25([tokens(text) for text in texts]).scores(tokens(query))
    elif ranker.kind == "embeddings":
        vectors = numpy.asarray(ctx.embed([query, *texts]), dtype=numpy.float64)
        scores = vectors[1:] @ vectors[0]
    else:
        assert ranker.files is not None
        scores = numpy.asarray(relevances(ranker.files, query, texts), dtype=numpy.float64)
    return [
        replace(works[place], score=float(scores[place]), ranked_by=ranker.label)
        for place in best(scores, len(works))
    ]
