"""Embedding as a service: each text of a run is embedded once, and remembered in the store."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from revkit.cache import KeyBase, Store
from revkit.contracts import Embedder

if TYPE_CHECKING:
    import numpy


class EmbedService:
    """Serve ``embedder`` to many threads, one batch at a time, through ``store``.

    ``texts`` and ``seconds`` count what was really embedded, for the share of a run's time.
    """

    def __init__(self, embedder: Embedder, store: Store) -> None:
        self.embedder = embedder
        self.texts = 0
        self.seconds = 0.0
        self._store = store
        self._key = KeyBase.of("embedding", [embedder], seed=0)
        self._lock = threading.Lock()

    def __call__(self, texts: Sequence[str]) -> numpy.ndarray[Any, Any]:
        """Return float32 unit vectors, one row for each text, in order."""
        import numpy

        keys = [self._key.item(hashlib.sha256(text.encode()).hexdigest()) for text in texts]
        bodies = {key: self._store.get(key) for key in dict.fromkeys(keys)}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if bodies[key] is None}
        if missing:
            with self._lock:
                started = time.perf_counter()
                vectors = numpy.asarray(self.embedder.embed(list(missing.values())))
                self.seconds += time.perf_counter() - started
                self.texts += len(missing)
            if vectors.shape[:1] != (len(missing),) or vectors.ndim != 2:
                raise ValueError(
                    f"embedder {self.embedder.name!r} gave shape {vectors.shape} for "
                    f"{len(missing)} texts"
                )
            if not numpy.isfinite(vectors).all():
                raise ValueError(
                    f"embedder {self.embedder.name!r} gave a vector that is not finite"
                )
            for key, vector in zip(missing, vectors, strict=True):
                bodies[key] = vector.astype("<f4").tobytes()
                self._store.put(key, bodies[key] or b"")
        rows = [numpy.frombuffer(bodies[key] or b"", dtype="<f4") for key in keys]
        return numpy.stack(rows) if rows else numpy.zeros((0, 0), dtype="<f4")
