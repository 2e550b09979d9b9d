"""Maps from texts to vectors: a model that judges meaning, and an offline twin that does not."""

from __future__ import annotations

from revkit import Register, hookimpl
from revkit_embedders.hashed_ngrams import HashedNgrams
from revkit_embedders.sentence_transformer import SentenceTransformerEmbedder

__all__ = ["HashedNgrams", "SentenceTransformerEmbedder", "register_embedders"]


@hookimpl
def register_embedders(register: Register) -> None:
    register(SentenceTransformerEmbedder)
    register(HashedNgrams)
