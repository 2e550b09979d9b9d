"""Shards that run apart and are merged give the run in one piece, byte for byte."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import revkit
from revkit import api
from revkit.cache import Attempts, Paid, Store, attempts_to_json
from revkit.contracts import ServiceName
from revkit.errors import RunError
from revkit.execution.shards.shard import Shard, share_of_limits
from revkit.model.values import digest_of
from revkit.model_settings import Budget, Cost, LlmServices, ModelSettings
from revkit.registry import load_registry
from revkit.spec import load_experiment
from revkit.testing import toys
from tests.execution import test_attack_folder, test_judging_and_calibration


@dataclass(frozen=True)
class MayAsk(toys.ToyLength):
    """May call a model, and never does."""

    name: ClassVar[str] = "may-ask"
    version: ClassVar[str] = "1"
    uses: ClassVar[tuple[ServiceName, ...]] = ("llm",)


PARTS: list[Any] = [
    MayAsk,
    toys,
    *test_judging_and_calibration.PARTS,
    test_attack_folder.Asking,
]
TOY: dict[str, Any] = {
    "revkit": 1,
    "name": "toy",
    "corpus": {"use": "toy-papers", "with": {"papers": 13, "skip-every": 5}},
    "perturbations": {"words": {"use": "toy-words", "variants": 2}},
    "agents": {"length": "toy-length", "coin": {"use": "toy-coin", "with": {"refuse": 0.3}}},
    "metrics": ["toy-flips"],
    "reports": ["toy-report"],
    "repeats": 2,
}
CALIBRATED = {
    **test_judging_and_calibration.calibrated(
        share=0.4, maps={"line": {"use": "slope", "with": {"fewest": 1}}, "c": "crashing"}
    ),
    "corpus": {"use": "words", "with": {"most": 12, "last": "bad"}},
    "perturbations": {"borrow": "borrow"},
    "judges": {"j": "counting"},
    "rubrics": ["short"],
    "reports": ["toy-report"],
}
STOPPED = {
    **TOY,
    "corpus": {"use": "toy-papers", "with": {"papers": 70, "skip-every": 5}},
    "stop-when": {"all": ["flip_rate[length] < 100 %", "flip_rate[coin].width <= 0.9"], "every": 4},
}
SAMPLED = {**TOY, "sample": {"n": 6, "seed": 1}}
SPECS = {
    "toy": TOY,
    "stopped": STOPPED,
    "sampled": SAMPLED,
    "cards": {**TOY, "cards": True},
    "attacked": test_attack_folder.SPEC,
    "calibrated": CALIBRATED,
}


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in ("provenance.json", ".revkit-run")
    }


def run_shards(place: Path, spec: Any, count: int, *numbers: int, **options: Any) -> list[Any]:
    return [
        api.run_shard(spec, f"{number}/{count}", out=place / "shards", plugins=PARTS, **options)
        for number in numbers or range(1, count + 1)
    ]


def merge(place: Path, *folders: Path) -> Any:
    return api.merge(
        folders or [place / "shards"], out=place / "merged", store=place / "m.db", plugins=PARTS
    )


def contents(folder: Path) -> Any:
    """What a run states of the files of its components."""
    return json.loads((folder / "provenance.json").read_text())["contents"]


@pytest.mark.parametrize("name", SPECS)
def test_merged_shards_are_the_run_in_one_piece(name: str, tmp_path: Path) -> None:
    spec = SPECS[name]
    whole = api.run(spec, out=tmp_path / "whole", store=tmp_path / "w.db", plugins=PARTS)
    parts = run_shards(tmp_path, spec, 3)
    count = len(whole.records.papers)  # a run that stops early does not use all of them
    papers = sum(each.papers for each in parts)
    assert papers > count if name == "stopped" else papers == count
    merged = merge(tmp_path)
    assert merged.counts.computed == 0
    assert files(tmp_path / "merged") == files(tmp_path / "whole")
    assert contents(tmp_path / "merged") == contents(tmp_path / "whole")
    assert merged.exit_code == whole.exit_code
    # The merged run can be exported and replayed as any other.
    bundle = tmp_path / "b.zip"
    api.export(tmp_path / "merged", bundle, store=tmp_path / "m.db", plugins=PARTS)
    assert api.replay(bundle, out=tmp_path / "again", plugins=PARTS).identical


def test_a_shard_again_computes_only_what_failed(tmp_path: Path) -> None:
    [first] = run_shards(tmp_path, TOY, 2, 1)
    before = files(tmp_path / "shards" / "1-of-2")
    [again] = run_shards(tmp_path, TOY, 2, 1)
    assert first.failed > 0
    assert first.exit_code == 1
    # Failures are computed again: each distinct one once.
    assert 0 < again.counts.computed <= again.failed
    after = files(tmp_path / "shards" / "1-of-2")
    assert {name for name in before if before[name] != after[name]} <= {
        "shard.json",
        "store.sqlite3",
    }
    assert set(before) == set(after)


def test_more_shards_than_papers(tmp_path: Path) -> None:
    spec = {**TOY, "corpus": {"use": "toy-papers", "with": {"papers": 2}}}
    api.run(spec, out=tmp_path / "whole", store=tmp_path / "w.db", plugins=PARTS)
    run_shards(tmp_path, spec, 5)
    merge(tmp_path)
    assert files(tmp_path / "merged") == files(tmp_path / "whole")


def test_shards_with_one_store(tmp_path: Path) -> None:
    """Each shard leaves to the store what the next one needs too; the merge adds it once."""
    run_shards(tmp_path, TOY, 2, store=tmp_path / "common.db")
    assert not (tmp_path / "shards" / "1-of-2" / "store.sqlite3").exists()
    assert merge(tmp_path).counts.computed == 0


def test_missing_shards_are_named(tmp_path: Path) -> None:
    run_shards(tmp_path, TOY, 4, 1, 3)
    with pytest.raises(RunError, match="2 of 4 shards are missing: 2/4, 4/4"):
        merge(tmp_path)


def test_a_shard_that_did_not_finish_is_named(tmp_path: Path) -> None:
    run_shards(tmp_path, TOY, 2)
    (tmp_path / "shards" / "2-of-2" / "shard.json").unlink()
    with pytest.raises(RunError, match=r"2-of-2 is not a finished shard; run"):
        merge(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 4}, "not the same in both: the experiment"),
        (
            {"corpus": {"use": "toy-papers", "with": {"papers": 14}}},
            "not the same in both: the experiment",
        ),
    ],
)
def test_shards_of_other_experiments_are_refused(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    run_shards(tmp_path, TOY, 2, 1)
    run_shards(tmp_path / "other", {**TOY, **change}, 2, 2)
    with pytest.raises(RunError, match=message):
        merge(tmp_path, tmp_path / "shards", tmp_path / "other" / "shards")


def test_shards_with_other_assertions_are_refused(tmp_path: Path) -> None:
    strict = {**TOY, "assert": ["failures == 0", "papers >= 7"]}
    run_shards(tmp_path, strict, 2, 1)
    run_shards(tmp_path, {**strict, "assert": ["failures == 0", "papers >= 1"]}, 2, 2)
    with pytest.raises(RunError, match=r"the same assertions \(papers >= 7\), so it is not known"):
        merge(tmp_path)
    [again] = run_shards(tmp_path, strict, 2, 2)
    assert again.counts.computed == again.failed
    assert [each.text for each in api.check_run(merge(tmp_path))] == strict["assert"]


def test_shards_of_other_counts_and_doubled_ones_are_refused(tmp_path: Path) -> None:
    run_shards(tmp_path, TOY, 2, 1)
    run_shards(tmp_path / "other", TOY, 3, 2)
    with pytest.raises(RunError, match=r"both: the number of shards \(2 and 3\)"):
        merge(tmp_path, tmp_path / "shards", tmp_path / "other" / "shards")
    shutil.copytree(tmp_path / "shards" / "1-of-2", tmp_path / "copy")
    with pytest.raises(RunError, match="are both shard 1/2"):
        merge(tmp_path, tmp_path / "shards", tmp_path / "copy")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("packages", {"numpy": "0.1"}, r"both: the versions of packages \("),
        ("papers", [], "exactly once"),
        ("records", "0" * 64, "were changed"),
        ("contents", {"agents.a": {"prompt": "x"}}, r"files or prompts of components \(agents.a\)"),
        ("format", 99, "newer revkit"),
        ("format", 1, "older revkit"),
        ("papers", ["x"], "was not written by a shard"),
        ("number", 7, "there is no shard 7/2"),
        ("store", "elsewhere.db", "elsewhere.db of shard 2/2 is missing"),
        ("experiment", "0" * 64, "does not belong to the run"),
    ],
)
def test_what_was_changed_in_a_shard_is_refused(
    name: str, value: Any, message: str, tmp_path: Path
) -> None:
    run_shards(tmp_path, TOY, 2)
    path = tmp_path / "shards" / "2-of-2" / "shard.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), name: value}))
    with pytest.raises(RunError, match=message):
        merge(tmp_path)


def test_a_corpus_that_changed_between_shards_is_refused(tmp_path: Path) -> None:
    paper = tmp_path / "papers"
    paper.mkdir()
    for number in range(6):
        (paper / f"{number}.md").write_text(f"# Paper {number}\n\nWe may count {number}.\n")
    spec = {**TOY, "corpus": {"use": "markdown", "with": {"path": str(paper)}}}
    run_shards(tmp_path, spec, 2, 1)
    (paper / "6.md").write_text("# Paper 6\n\nWe may count 6.\n")
    run_shards(tmp_path, spec, 2, 2)
    with pytest.raises(RunError, match="both: the content of the corpus"):
        merge(tmp_path)


@pytest.mark.parametrize("text", ["", "1", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b", "1.0/2"])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(RunError, match="shard"):
        Shard.parse(text)


@given(st.integers(1, 40), st.integers(0, 10**9))
def test_every_paper_is_in_exactly_one_shard(count: int, number: int) -> None:
    digest = digest_of(number)
    assert sum(Shard(each, count).holds(digest) for each in range(1, count + 1)) == 1


def test_shards_are_of_similar_size() -> None:
    sizes = Counter(
        each for n in range(8000) for each in range(1, 9) if Shard(each, 8).holds(digest_of(n))
    )
    # Binomial(8000, 1/8): standard deviation 29.6, five of them are 148.
    assert all(abs(size - 1000) < 148 for size in sizes.values())


def test_limits_are_divided(no_plugins: None) -> None:
    experiment = load_experiment(TOY, load_registry([toys]))
    llm = LlmServices({"m": ModelSettings(requests_per_minute=90, tokens_per_minute=900)})
    whole = replace(experiment, llm=llm, budget=Budget(usd=9.0, calls=11, tokens=100))
    parts = [share_of_limits(whole, Shard(n, 3), share_budget=True) for n in (1, 2, 3)]
    assert [each.llm.of("m").requests_per_minute for each in parts] == [30, 30, 30]
    assert [each.llm.of("m").tokens_per_minute for each in parts] == [300, 300, 300]
    assert [each.budget.calls for each in parts] == [4, 4, 3]
    assert [each.budget.tokens for each in parts] == [34, 33, 33]
    assert sum(each.budget.usd or 0 for each in parts) == pytest.approx(9.0)
    assert {each.digest for each in parts} == {whole.digest}
    common = share_of_limits(whole, Shard(1, 3), share_budget=False)
    assert common.budget == whole.budget


def _attempt(store: Store, call: bytes) -> int:
    attempts = Attempts(store, "x")
    number = attempts.sent("a", "m", call, Cost(1, 10, 0.5))
    attempts.ended(number, "answered", Cost(1, 7, 0.25), 1.5, Paid(3, 4, 0, 0.25))
    return number


def test_merged_stores_have_each_answer_and_each_request_once(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as one, Store(tmp_path / "b.db") as two:
        one.put(b"k1", b"of one")
        one.put(b"k2", b"both, of one")
        two.put(b"k2", b"both, of two")
        two.put(b"k3", b"of two")
        _attempt(one, b"c1")
        _attempt(two, b"c1")
        Attempts(two, "x").sent("a", "m", b"c2", Cost(1, 10, 0.5))
        assert one.merge(tmp_path / "b.db") == 1
        assert one.merge(tmp_path / "b.db") == 0
        assert [one.get(key) for key in (b"k1", b"k2", b"k3")] == [
            b"of one", b"both, of one", b"of two"
        ]  # fmt: skip
        [answered, in_flight] = attempts_to_json(one, "x")
        assert (answered["requests"], answered["usd"]) == (2, 0.5)
        assert (in_flight["outcome"], in_flight["requests"]) == ("in flight", 1)
        # Merged back, a store gets no request of its own again.
        two.merge(tmp_path / "a.db")
        assert attempts_to_json(two, "x") == attempts_to_json(one, "x")


def test_a_body_packed_against_another_survives_a_merge(tmp_path: Path) -> None:
    text = b"a reply of many words, " * 50
    with Store(tmp_path / "a.db") as one, Store(tmp_path / "b.db") as two:
        one.put(b"base", text + b"base")
        one.put(b"reply", text, like=b"base")  # packed here, whole there
        two.put(b"reply", text)
        two.put(b"review", text + b"review", like=b"reply")
        one.merge(tmp_path / "b.db")
        assert one.get(b"review") == text + b"review"
        assert one.get(b"reply") == text
        assert not one.damaged
    assert Store(None).identity != Store(None).identity


def test_a_merged_run_states_what_its_shards_spent(tmp_path: Path) -> None:
    """The requests of all shards, as the stores of the shards have them."""
    spec = {**TOY, "agents": {"a": "may-ask"}}
    run_shards(tmp_path, spec, 2)
    digest = load_experiment(spec, load_registry(PARTS)).digest
    for number in (1, 2):
        with Store(tmp_path / "shards" / f"{number}-of-2" / "store.sqlite3") as store:
            attempts = Attempts(store, digest)
            sent = attempts.sent("agents.a", "m", b"c%d" % number, Cost(1, 10, 0.5))
            attempts.ended(sent, "answered", Cost(1, 7, 0.25), 1.5, Paid(3, 4, 0, 0.25))
    merge(tmp_path)
    about = json.loads((tmp_path / "merged" / "provenance.json").read_text())
    [row] = about["spending"]["experiment"]
    assert (row["requests"], row["usd"], row["prompt_tokens"]) == (2, 0.5, 6)
    assert about["spending"]["command"] == []
    assert revkit.open_run(tmp_path / "merged").usd == 0.5
