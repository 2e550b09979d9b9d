"""Embedding as a service: each text once, unit vectors only."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy
import pytest

from revkit.cache import Store
from revkit.contracts import Context, Embedder, Services
from revkit.services import EmbedService, arithmetic_in
from revkit.testing import embed

CALLS: list[list[str]] = []


@dataclass(frozen=True)
class Counted(Embedder):
    """Keeps what it was asked, and can misbehave."""

    name: ClassVar[str] = "counted"
    version: ClassVar[str] = "1"
    fault: str = ""

    def embed(self, texts: Sequence[str]) -> Any:
        CALLS.append(list(texts))
        vectors = embed(texts)
        if self.fault == "short":
            return vectors[:-1]
        if self.fault == "flat":
            return vectors[0]
        if self.fault == "nan":
            vectors[0, 0] = numpy.nan
        if self.fault == "long":
            vectors = vectors * 2
        return vectors


@pytest.fixture(autouse=True)
def _no_calls() -> None:
    CALLS.clear()


def test_each_text_is_embedded_once_and_rows_keep_their_order(tmp_path: Path) -> None:
    with Store(tmp_path / "s.db") as store:
        service = EmbedService(Counted(), store)
        rows = service(["a b c", "d e f", "a b c"])
        assert rows.shape == (3, 64)
        assert rows.dtype == numpy.float32
        assert (rows == embed(["a b c", "d e f", "a b c"])).all()
        assert (service(["d e f", "g h i"]) == embed(["d e f", "g h i"])).all()
        assert list(CALLS) == [["a b c", "d e f"], ["g h i"]]
        assert service.texts == 3
    with Store(tmp_path / "s.db") as store:
        again = EmbedService(Counted(), store)
        assert (again(["g h i"]) == embed(["g h i"])).all()
        assert again.texts == 0
        assert again([]).shape == (0, 0)


def test_threads_that_ask_for_the_same_text_share_the_work(tmp_path: Path) -> None:
    with Store(tmp_path / "s.db") as store:
        service = EmbedService(Counted(), store)
        start = threading.Barrier(6)

        def ask() -> None:
            start.wait()
            service(["one text", "another text"])

        threads = [threading.Thread(target=ask) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert list(CALLS) == [["one text", "another text"]]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("short", "returned shape"),
        ("flat", "returned shape"),
        ("nan", "not finite"),
        ("long", "a vector of length 2, not 1"),
    ],
)
def test_vectors_that_would_give_wrong_distances_are_refused(fault: str, message: str) -> None:
    with Store(None) as store:
        service = EmbedService(Counted(fault), store)
        with pytest.raises(ValueError, match=message):
            service(["a text", "b text"])
        assert service.texts in (0, 2)


def test_a_context_gives_what_was_declared() -> None:
    services = Services(embed=embed)
    assert Context(services=services, uses=("embedder",)).embed(["x"]).shape == (1, 64)
    assert Context(services=services).embed(["x"]).shape == (1, 64)
    with pytest.raises(RuntimeError, match="declare uses"):
        Context(services=services, uses=()).embed(["x"])
    with pytest.raises(RuntimeError, match="no embedder"):
        Context().embed(["x"])


def test_contexts_gather_in_order() -> None:
    assert Context().gather([lambda: 1, lambda: 2]) == [1, 2]
    with pytest.raises(ZeroDivisionError):
        Context().gather([lambda: 1, lambda: 1 // 0])


@dataclass(frozen=True)
class OfMachine(Counted):
    """Counts what it was asked, on a machine with the arithmetic ``WAYS[-1]``."""

    name: ClassVar[str] = "of-machine"

    def arithmetic(self) -> str:
        return WAYS[-1]


WAYS = ["A"]


def test_vectors_of_another_arithmetic_are_used_and_adding_to_them_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path / "s.db") as store:
        first = EmbedService(OfMachine(), store)
        first(["a b c"])
        assert first.mixed is None
        assert arithmetic_in(store, OfMachine()) == "A"
        assert arithmetic_in(store, Counted()) == ""
    monkeypatch.setattr("tests.services.test_embed.WAYS", ["B"])
    with Store(tmp_path / "s.db") as store:
        second = EmbedService(OfMachine(), store)
        second(["a b c"])
        assert second.texts == 0, "the stored vector is used, whatever computed it"
        assert second.mixed is None
        second(["a b c", "d e f"])
        assert second.mixed == ("A", "B")
        assert arithmetic_in(store, OfMachine()) == "A"
