"""Maps from texts to vectors: a model that judges meaning, and an offline twin that does not."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_embedders(register: Register) -> None:
    """Register the embedders by their places, each imported when it is used."""
    register(
        "sentence-transformer = revkit_embedders.sentence_transformer:SentenceTransformerEmbedder"
    )
    register("hashed-ngrams = revkit_embedders.hashed_ngrams:HashedNgrams")
