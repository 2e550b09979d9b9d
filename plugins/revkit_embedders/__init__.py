"""Embedders: a sentence model that represents meaning, and an offline replacement that does not."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_embedders(register: Register) -> None:
    """Register the embedders by module path; each module is imported only when it is used."""
    register(
        "sentence-transformer = revkit_embedders.sentence_transformer:SentenceTransformerEmbedder"
    )
    register("hashed-ngrams = revkit_embedders.hashed_ngrams:HashedNgrams")
