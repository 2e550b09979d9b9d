"""Check, clean, copy, measure and merge stores of answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from revkit.errors import StoreError
from revkit.places import STORE

if TYPE_CHECKING:
    from revkit.cache import Batch, Store
    from revkit.cache.maintenance import StoreCheck, StoreSize


def check_store(store: str | Path = STORE) -> StoreCheck:
    """Read every answer of the file ``store`` and compare it with its digest. Changes nothing; a
    run sets damaged answers aside and computes them again. Raises `StoreError`.
    """
    from revkit.cache.maintenance import check_store as check

    with _opened(store) as found:
        return check(found)


def collect_garbage(store: str | Path = STORE) -> int:
    """Remove damaged answers, and content to which no answer refers; return the bytes saved."""
    from revkit.cache.maintenance import collect_garbage as collect

    with _opened(store) as found:
        return collect(found)


def copy_store(target: str | Path, store: str | Path = STORE) -> int:
    """Write a packed copy of ``store`` to the new file ``target``, and return its bytes. Runs may
    use the store meanwhile.
    """
    from revkit.cache.maintenance import copy_store as copy

    with _opened(store) as found:
        return copy(found, Path(target))


def store_size(store: str | Path = STORE) -> StoreSize:
    """Measure the file ``store``: bytes, answers by sort, requests to language models."""
    from revkit.cache.maintenance import store_size as measure

    with _opened(store) as found:
        return measure(found)


def open_batches(store: str | Path = STORE) -> list[Batch]:
    """Return the batches of calls whose results were not fetched yet."""
    from revkit.cache import Batches

    with _opened(store) as found:
        return Batches(found, "").open()


def give_up_batch(number: str, store: str | Path = STORE) -> int:
    """Forget a batch, by its number at the provider; the next command sends its calls again. Return
    the number of these calls. Raises `StoreError` if no such batch is waited for.
    """
    from revkit.cache import Batches

    with _opened(store) as found:
        return Batches(found, "").give_up(number)


def merge_stores(others: Sequence[str | Path], store: str | Path = STORE) -> int:
    """Add the answers and requests of ``others`` to the file ``store``, which is created if it does
    not exist; return the number of new answers. What ``store`` has under a key stays. Raises
    `StoreError` for a store that does not exist or cannot be read.
    """
    from revkit.cache import Store

    for other in others:
        if not Path(other).is_file():
            raise StoreError(f"there is no store {other}")
    with Store(Path(store)) as found:
        return sum(found.merge(Path(other)) for other in others)


def _opened(path: str | Path) -> Store:
    from revkit.cache import Store

    if not Path(path).is_file():
        raise StoreError(f"there is no store {path}; name one with --store")
    return Store(Path(path))
