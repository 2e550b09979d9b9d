"""Encoders: sentence-transformers models that read two texts together, from local files.

`relevances` ranks texts for a query, `entailments` compares a premise with a hypothesis. Files are
read as data, and nothing is fetched.
"""

from revkit.encoders.cross_encoder import (
    CrossEncoderFiles,
    entailments,
    find_cross_encoder,
    relevances,
)

__all__ = ["CrossEncoderFiles", "entailments", "find_cross_encoder", "relevances"]
