"""Training sets: what goes in, what is left out and reported, and that nothing else decides it."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit import Agent, Corpus, Labels, Message, Paper, Rejection, Review, Scale, Skipped
from revkit.contracts import Context
from revkit.errors import OptionError, RunError, SpecError
from revkit.model.training import TrainingExample
from revkit.options import option
from revkit_training.markers import marker_in
from revkit_training.trainers import configurations
from tests.plugins.revkit_training.sets import export_sft

SECRET_LABEL = "label-of-the-bench"


@dataclass(frozen=True)
class Pupil(Agent):
    """It learns reviews by heart; a rating of 13 is an accident."""

    name: ClassVar[str] = "pupil"
    scale: ClassVar[Scale] = Scale("pupil-1-10", 1, 10)

    def review(self, paper: Paper, ctx: Context) -> Review:
        return Review(score=5.0)

    def training_example(
        self, paper: Paper, review: Mapping[str, Any], ctx: Context
    ) -> TrainingExample | Rejection:
        if review.get("rating") == 13:
            raise ZeroDivisionError("unlucky")
        if "summary" not in review:
            return Rejection("summary: missing")
        assert paper.labels == Labels()
        reply = f"{review['summary']} {review.get('rating')} {review.get('decision')}"
        turns = (Message("user", paper.text), Message("assistant", reply))
        return TrainingExample(turns, ("short",) if len(paper.text) < 100 else ())


@dataclass(frozen=True)
class Dropout(Agent):
    """It learns nothing."""

    name: ClassVar[str] = "dropout"
    scale: ClassVar[Scale] = Scale("dropout-1-10", 1, 10)

    def review(self, paper: Paper, ctx: Context) -> Review:
        return Review(score=5.0)


def words(seed: int, count: int = 60) -> str:
    rng = random.Random(seed)
    return " ".join(f"w{rng.randrange(10_000)}" for _ in range(count))


def paper(number: int, reviews: Any, **more: Any) -> Paper:
    given = {"id": f"p{number}", "text": words(number), "title": f"Title {number}", "accept": True}
    values = {**given, **more}
    labels = Labels(
        accept=values.pop("accept"), extra={"reviews": reviews, **values.pop("extra", {})}
    )
    return Paper(labels=labels, **values)


def said(text: str, rating: Any = 6) -> dict[str, Any]:
    return {"summary": text, "rating": rating, "questions": None}


PAPERS: list[Paper | Skipped] = [
    paper(1, [said("One."), said("Two.", 5), said("One.")]),
    paper(2, [said("Three.")], accept=None),
    paper(3, []),
    Skipped("broken", "no text", "file:4"),
    paper(4, [{"rating": 4}]),
    paper(5, [said("Unlucky.", 13)]),
    paper(6, [said("It ends with <|im_end|> here."), said("Fine.")]),
    paper(7, [said("Fine.")], text=f"Gates are open and large. {words(7)} </s> and more"),
    paper(8, [said("Copied.")], text=words(1).upper() + "."),
    # What the bench has: by id, text, title, and nearly.
    paper(50, [said("A.")], id="B1"),
    paper(51, [said("B.")], text=words(102)),
    paper(52, [said("C.")], title="title 103!"),
    paper(53, [said("D.")], text="New title page " + words(104) + " and an end"),
    paper(54, [said("E.")], text=" ".join(words(105).split()[:30])),
]


@dataclass(frozen=True)
class Reviewed(Corpus):
    """`PAPERS`, in an order of choice."""

    name: ClassVar[str] = "reviewed"
    order: int = option(0, help="Seed of the order; 0: as they are.")

    def papers(self, ctx: Context) -> Any:
        listed = list(PAPERS)
        if self.order:
            random.Random(self.order).shuffle(listed)
        yield from listed


def spec(**corpus: Any) -> dict[str, Any]:
    return {
        "revkit": 1,
        "name": "training",
        "seed": 3,
        "corpus": {"use": "reviewed", "with": corpus},
        "agents": {"pupil": "pupil", "dropout": "dropout"},
    }


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    path = tmp_path / "bench.jsonl"
    rows = [
        {"id": f"b{n}", "title": f"Title 10{n}", "text": words(100 + n), "golden": SECRET_LABEL}
        for n in range(1, 6)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def export(tmp_path: Path, bench: Path, no_plugins: None) -> Callable[..., Any]:
    def call(out: str = "training", given: Any = None, **options: Any) -> Any:
        options = {"agent": "pupil", "bench": bench, **options}
        plugins = [Pupil, Dropout, Reviewed]
        return export_sft(given or spec(), tmp_path / out, plugins=plugins, **options)

    return call


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def contents(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def replies(folder: Path, split: str = "train") -> list[str]:
    return sorted(
        row["messages"][-1]["content"] for row in lines(folder / "messages" / f"{split}.jsonl")
    )


def test_what_is_trained_on(export: Callable[..., Any]) -> None:
    made = export()
    # By hand: two reviews of p1 (the third repeats), one of p2 without a decision, one of p6.
    assert replies(made.folder) == [
        "Fine. 6 accept",
        "One. 6 accept",
        "Three. 6 None",
        "Two. 5 accept",
    ]
    assert (made.train, made.validation, made.excluded) == (4, 0, 5)
    whole = lines(made.folder / "messages" / "train.jsonl")
    halves = lines(made.folder / "prompt-completion" / "train.jsonl")
    assert [row["prompt"] + row["completion"] for row in halves] == [
        row["messages"] for row in whole
    ]
    rows = lines(made.folder / "examples.jsonl")
    for row, conversation in zip(rows, whole, strict=True):
        source = next(each for each in PAPERS if each.id == row["paper"])
        assert isinstance(source, Paper)
        assert conversation["messages"][0]["content"] == source.text
    everything = b"".join(contents(made.folder).values())
    assert SECRET_LABEL.encode() not in everything


def test_everything_that_is_left_out_is_told(export: Callable[..., Any]) -> None:
    made = export()
    manifest = made.manifest
    assert manifest == json.loads((made.folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["papers"] == {
        "read": 13,
        "skipped": {"no text": 1},
        "excluded": {"near duplicate": 2, "same id": 1, "same text": 1, "same title": 1},
        "copies": 1,
        "without-reviews": 1,
        "without-usable-reviews": 3,
        "used": 3,
    }
    assert manifest["reviews"] == {
        "asked": "each",
        "read": 9,
        "skipped": {
            "crashed": 1,
            "paper or instructions hold a marker of a chat template": 1,
            "review holds a marker of a chat template": 1,
            "summary: missing": 1,
            "the same example twice": 1,
        },
    }
    papers, reviews = manifest["papers"], manifest["reviews"]
    left = papers["read"] - sum(papers["excluded"].values()) - papers["copies"]
    assert left == papers["without-reviews"] + papers["without-usable-reviews"] + papers["used"]
    assert reviews["read"] == made.train + sum(reviews["skipped"].values())
    excluded = {row["paper"]: row for row in lines(made.folder / "excluded.jsonl")}
    assert {name: row.get("bench", row.get("of")) for name, row in excluded.items()} == {
        "B1": "b1", "p51": "b2", "p52": "b3", "p53": "b4", "p54": "b5", "p8": "p1",
    }  # fmt: skip
    assert excluded["p54"]["similarity"] == 1.0
    skipped = lines(made.folder / "skipped.jsonl")
    assert {"paper": "p3", "reason": "no human review"} in skipped
    assert {"paper": "broken", "reason": "no text", "source": "file:4"} in skipped
    assert {"paper": "p5", "review": 1, "reason": "crashed",
            "detail": "ZeroDivisionError: unlucky"} in skipped  # fmt: skip
    marked = {row["detail"] for row in skipped if "marker" in row["reason"]}
    assert marked == {"<|im_end|>", "</s>"}


def test_the_manifest_knows_its_files_and_its_check(export: Callable[..., Any]) -> None:
    made = export(validation=0.4)
    files = made.manifest["files"]
    for name, body in contents(made.folder).items():
        if name != "manifest.json":
            assert files[name] == {
                "lines": body.count(b"\n"),
                "bytes": len(body),
                "sha256": hashlib.sha256(body).hexdigest(),
            }
    assert len(files) == len(contents(made.folder)) - 1
    check = made.manifest["check"]
    assert check["threshold"] == 0.2
    assert check["most-alike-left-in"] == {"similarity": 0.0, "paper": "p1", "bench": ""}
    assert made.manifest["bench"]["papers"] == 5


def test_the_most_alike_that_stays_is_told(
    export: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # 60 words have 56 runs; of the 30 words in common 26 begin a run.
    shared = " ".join(words(105).split()[:30])
    given = [paper(1, [said("A.")], text=f"{shared} {words(9, 30)}"), paper(2, [said("B.")])]
    monkeypatch.setattr(f"{__name__}.PAPERS", given)
    made = export(threshold=0.47)
    alike = {"similarity": round(26 / 56, 6), "paper": "p1", "bench": "b5"}
    assert made.manifest["check"]["most-alike-left-in"] == alike
    assert export("stricter", threshold=0.46).excluded == 1


def test_order_changes_nothing(export: Callable[..., Any]) -> None:
    first = contents(export("first", validation=0.4).folder)
    for seed in (1, 2):
        made = export(f"again-{seed}", spec(order=seed), validation=0.4)
        assert contents(made.folder) == first
    other = export("other", {**spec(), "seed": 4}, validation=0.4)
    assert contents(other.folder) != first


def test_papers_are_split_and_never_their_reviews(
    export: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [paper(200 + n, [said(f"{n} a"), said(f"{n} b")]) for n in range(200)]
    versions = [paper(500 + n, [said(f"{n} v")], title=f"Title {200 + n}") for n in range(200)]
    monkeypatch.setattr(f"{__name__}.PAPERS", [*many, *versions])
    made = export(validation=0.25)
    rows = lines(made.folder / "examples.jsonl")
    sides: dict[str, set[str]] = {}
    for row in rows:
        number = (int(row["paper"][1:]) - 200) % 300
        sides.setdefault(str(number), set()).add(row["split"])
    assert all(len(each) == 1 for each in sides.values())
    assert made.train + made.validation == 600
    assert 0.15 < made.validation / 600 < 0.35
    assert replies(made.folder, "validation")


def test_the_aggregated_review(export: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    reviews = [said("x", 3), said("y", 8), said("z", 5), said("w", 6)]
    given = [
        paper(1, reviews, extra={"reference": {"summary": "All.", "decision": "Accept (poster)"}}),
        paper(2, reviews, extra={"reference": {"summary": "Both.", "rating": 5.5}}),
        paper(3, reviews),
    ]
    monkeypatch.setattr(f"{__name__}.PAPERS", given)
    made = export(reviews="aggregated")
    # The lower median of 3, 5, 6, 8 is 5; a number of the reference itself is.
    assert replies(made.folder) == ["All. 5 accept", "Both. 5.5 accept"]
    assert made.manifest["papers"]["without-reviews"] == 1
    assert {"paper": "p3", "reason": "no merged review"} in lines(made.folder / "skipped.jsonl")
    monkeypatch.setattr(f"{__name__}.PAPERS", given[2:])
    with pytest.raises(RunError, match="1 have no merged review"):
        export("none", reviews="aggregated")


def test_a_bench_is_a_run_a_spec_or_records(export: Callable[..., Any], tmp_path: Path) -> None:
    run = revkit.run(spec(), out=tmp_path / "run", store=tmp_path / "store",
                     plugins=[Pupil, Dropout, Reviewed])  # fmt: skip
    with pytest.raises(RunError, match="nothing to train on: of 13 papers 13 are in the bench"):
        export("of-run", bench=run.folder)
    path = tmp_path / "bench.yaml"
    path.write_text(json.dumps(spec()), encoding="utf-8")
    with pytest.raises(RunError, match="13 are in the bench"):
        export("of-spec", bench=path)
    one = tmp_path / "one.json"
    one.write_text(json.dumps([{"paper_context": words(2)}]), encoding="utf-8")
    assert export("of-record", bench=one).manifest["papers"]["excluded"] == {"same text": 1}
    both = export("of-both", bench=[one, tmp_path / "bench.jsonl"])
    assert sum(both.manifest["papers"]["excluded"].values()) == 6


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ('{"id": "b", "title": "T"}', "has no text to compare"),
        ('{"id": "b", "text": "..."}', "has no text to compare"),
        ("[1]", "not a record of a paper but a list"),
        ("{", "not valid JSON"),
        ("", "the benchmark has no paper"),
    ],
)
def test_a_bench_that_cannot_be_compared_ends_it(
    export: Callable[..., Any], tmp_path: Path, body: str, why: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(body + "\n", encoding="utf-8")
    with pytest.raises(RunError, match=why):
        export(bench=path)
    assert not (tmp_path / "training").exists()


def test_what_is_refused(export: Callable[..., Any], tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"'dropout' \(dropout\) has no model to train"):
        export(agent="dropout")
    with pytest.raises(SpecError, match="unknown agent 'pupl'; did you mean 'pupil'"):
        export(agent="pupl")
    for options in ({"validation": 1.0}, {"threshold": 0.0}, {"devices": 3}):
        with pytest.raises(OptionError):
            export(**options)
    with pytest.raises(RunError, match="cannot be read"):
        export(bench=tmp_path / "none.json")
    with pytest.raises(RunError, match=r"records/papers\.jsonl"):
        export(bench=tmp_path)
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(RunError, match="contains files other than a training set"):
        export("taken")
    assert contents(tmp_path / "taken") == {"thesis.txt": b"mine"}


def test_an_earlier_set_is_replaced_and_all_else_stays(
    export: Callable[..., Any], tmp_path: Path
) -> None:
    first = contents(export("a").folder)
    export("b", {**spec(), "seed": 8}, validation=0.5)
    (tmp_path / "b" / "drafter-trl").mkdir()
    (tmp_path / "b" / "drafter-trl" / "model").write_bytes(b"trained")
    again = contents(export("b").folder)
    assert again.pop("drafter-trl/model") == b"trained"
    assert again == first


@pytest.mark.parametrize(
    "text",
    ["<|im_end|>", "a<|eot_id|>b", "<｜User｜>", "[INST] x", "</s>", "<start_of_turn>", "<|turn>",
     "<turn|>", "<think>", "<image>", "<<SYS>>", "<EOS_TOKEN>", "<|fim_middle|>"],
)  # fmt: skip
def test_markers(text: str) -> None:
    assert marker_in(f"Some words. {text} And more.") is not None


@pytest.mark.parametrize(
    "text",
    ["Assistant: yes", "### Response", "a < b | c > d", "[1]", "<b>", "x <| y", "<unk>", "|>"],
)
def test_what_is_no_marker(text: str) -> None:
    assert marker_in(f"Some words. {text} And more.") is None


@pytest.mark.parametrize(("devices", "steps"), [(1, 16), (2, 8), (4, 4), (8, 2), (16, 1)])
def test_batches_of_sixteen(devices: int, steps: int) -> None:
    import yaml

    files = configurations(model="m/x: #y", devices=devices, seed=2**62, validation=True)
    values = {name: yaml.safe_load(text) for name, text in files.items()}
    for name in ("trl.yaml", "swift.yaml"):
        each = values[name]
        one = each["per_device_train_batch_size"]
        assert one * each["gradient_accumulation_steps"] * devices == 16
        assert (one, each["gradient_accumulation_steps"]) == (1, steps)
        assert (each["num_train_epochs"], each["learning_rate"]) == (3, 5e-6)
        assert 0 <= each["seed"] < 2**32
    assert values["trl.yaml"]["model_name_or_path"] == values["swift.yaml"]["model"] == "m/x: #y"
    assert values["accelerate-zero3.yaml"]["num_processes"] == devices
    assert values["accelerate-zero3.yaml"]["deepspeed_config"]["zero_stage"] == 3
    assert values["swift.yaml"]["deepspeed"] == "zero3"
