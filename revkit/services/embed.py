"""Embedding as a service: each text of a run is embedded once, and its vector is stored."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from revkit.cache import KeyBase, Store
from revkit.contracts import Embedder

if TYPE_CHECKING:
    import numpy


def arithmetic_in(store: Store, embedder: Embedder) -> str:
    """Return the arithmetic of the first vectors that ``embedder`` added to ``store``; "" if the
    store does not name one.
    """
    return (store.get(_arithmetic_key(embedder)) or b"").decode("utf-8", "replace")


def _arithmetic_key(embedder: Embedder) -> bytes:
    return KeyBase.of("embedding-arithmetic", [embedder], seed=0, core=False).item("")


class EmbedService:
    """Serve ``embedder`` to many threads, one batch at a time, through ``store``.

    ``texts`` and ``seconds`` count what was really embedded, for the share of a run's time.
    """

    def __init__(self, embedder: Embedder, store: Store) -> None:
        self.embedder = embedder
        self.texts = 0
        self.seconds = 0.0
        self._store = store
        self._key = KeyBase.of("embedding", [embedder], seed=0, core=False)
        self._arithmetics: tuple[str, str] | None = None
        self._lock = threading.Lock()

    @property
    def mixed(self) -> tuple[str, str] | None:
        """The arithmetic of the first vectors in the store, and that of vectors which this service
        added, if they differ; see `Embedder.arithmetic`.
        """
        found = self._arithmetics
        return found if found is not None and found[0] != found[1] else None

    def __call__(self, texts: Sequence[str]) -> numpy.ndarray[Any, Any]:
        """Return float32 unit vectors, one row for each text, in order."""
        import numpy

        keys = [self._key.item(hashlib.sha256(text.encode()).hexdigest()) for text in texts]
        by_key = dict(zip(keys, texts, strict=True))
        bodies: dict[bytes, bytes] = {}
        self._look_up(by_key, bodies)
        if len(bodies) < len(by_key):
            with self._lock:
                self._look_up(by_key, bodies)  # another thread may have embedded some meanwhile
                missing = {key: text for key, text in by_key.items() if key not in bodies}
                for key, vector in zip(missing, self._vectors(list(missing.values())), strict=True):
                    bodies[key] = self._store.put(key, vector.astype("<f4").tobytes())
                if missing and self._arithmetics is None:
                    self._arithmetics = self._noted(self.embedder.arithmetic())
        rows = [numpy.frombuffer(bodies[key], dtype="<f4") for key in keys]
        return numpy.stack(rows) if rows else numpy.zeros((0, 0), dtype="<f4")

    def _look_up(self, by_key: Mapping[bytes, str], bodies: dict[bytes, bytes]) -> None:
        for key in by_key:
            if key not in bodies:
                body = self._store.get(key)
                if body is not None:
                    bodies[key] = body

    def _noted(self, own: str) -> tuple[str, str]:
        """The arithmetic that the store names, which is ``own`` if it named none, and ``own``."""
        if not own:
            return own, own
        first = self._store.put(_arithmetic_key(self.embedder), own.encode("utf-8"))
        return first.decode("utf-8", "replace"), own

    def _vectors(self, texts: list[str]) -> numpy.ndarray[Any, Any]:
        import numpy

        if not texts:
            return numpy.zeros((0, 0), dtype="<f4")
        started = time.perf_counter()
        vectors = numpy.asarray(self.embedder.embed(texts))
        self.seconds += time.perf_counter() - started
        self.texts += len(texts)
        name = self.embedder.name
        if vectors.shape[:1] != (len(texts),) or vectors.ndim != 2:
            raise ValueError(
                f"embedder {name!r} returned shape {vectors.shape} for {len(texts)} texts"
            )
        if not numpy.isfinite(vectors).all():
            raise ValueError(f"embedder {name!r} returned a vector that is not finite")
        lengths = numpy.linalg.norm(vectors, axis=1)
        for text, length in zip(texts, lengths, strict=True):
            if abs(length - 1.0) > 1e-3 and text.strip():
                raise ValueError(
                    f"embedder {name!r} returned a vector of length {length:.4g}, not 1"
                )
        return vectors
