"""Custody as commands: on the shipped bank, on the planted leaker, and where it must refuse."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from revkit import api
from revkit.contracts import Context, ExperimentView, Exported
from revkit.errors import OptionError, RunError
from revkit.model.paper import Paper
from revkit.testing import context
from revkit_asc.bank.anchor import write_bank
from revkit_asc.bank.anchor_openings import AnchorOpenings, opening_of
from revkit_asc.bank.corpus import FRESH, AnchorBank, embedded_bank, fresh_bank, second_quarter
from revkit_asc.bank.custody_check import BankCheck
from revkit_asc.bank.custody_marks import BankMark, BankProbe
from revkit_asc.bank.custody_rotation import BankPlan, BankRotate
from revkit_asc.bank.generate import SECRET, fresh_anchors
from revkit_asc.bank.leaker import AnchorLeaker
from revkit_asc.bank.reader import read_bank
from revkit_asc.bank.rotation import first_day, quarters_between
from revkit_asc.simulation.reviewer import SimulatedReviewer


def view(**options: Any) -> ExperimentView:
    """An experiment whose maps are fitted on the embedded bank."""
    return ExperimentView(
        name="venue",
        spec={},
        seed=1,
        corpus="simulated-venue",
        agents={},
        screened=frozenset(),
        papers=lambda: (),
        papers_of=lambda _: (),
        context_of=lambda *_: context(),
        fingerprint_of=lambda _: "",
        **{"anchors": AnchorBank(), **options},
    )


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("REVKIT_BANK_SECRET", SECRET)
    return SECRET


def test_the_fresh_anchors_are_generated() -> None:
    assert write_bank(fresh_anchors()) == FRESH.read_text(encoding="utf-8")


def test_the_second_quarter_is_a_rotation_of_the_first() -> None:
    first, second = embedded_bank().bank, second_quarter().bank
    old, new = {a.id for a in first.anchors}, {a.id for a in second.anchors}
    assert (len(new), len(new & old), second.date) == (240, 216, "2026-04-01")
    assert {a.introduced for a in second.anchors if a.id not in old} == {"2026-Q2"}
    for tier in ("none", "minor", "major", "reject"):
        assert sum(a.tier == tier for a in second.anchors) == 60
    papers = [p for p in AnchorBank(quarter="2026-Q2").papers(context()) if isinstance(p, Paper)]
    assert [paper.labels.extra["introduced"] for paper in papers].count("2026-Q2") == 24


def test_plan_and_rotate_are_one(tmp_path: Path) -> None:
    planned = BankPlan(quarter="2026-Q2").export(view(), tmp_path)
    assert planned.summary.startswith(
        "24 of 240 anchors of 'synthetic-anchors' are retired for 2026-Q2"
    )
    plan = json.loads((tmp_path / "plan.json").read_bytes())
    assert plan == planned.manifest
    rotated = BankRotate(quarter="2026-Q2").export(view(), tmp_path)
    bank = read_bank(tmp_path / "bank.jsonl").bank
    assert bank == second_quarter().bank
    assert rotated.manifest["retired"] == plan["retire"]
    assert not {a.id for a in bank.anchors} & set(plan["retire"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bank.jsonl", "plan.json"]
    # What it wrote is a bank on which the next rotation is planned.
    again = BankPlan(quarter="2026-Q3", bank=str(tmp_path / "bank.jsonl")).export(view(), tmp_path)
    assert again.manifest["common"] == 216


def test_rotation_refuses_a_pool_with_too_few(tmp_path: Path) -> None:
    pool = fresh_bank()
    path = tmp_path / "fresh.jsonl"
    path.write_text(write_bank(pool.with_anchors(pool.anchors[1:])), encoding="utf-8")
    cell = f"1 {pool.anchors[0].tier}/{pool.anchors[0].cluster}"
    with pytest.raises(RunError, match=f"too few fresh anchors: {cell} more are needed"):
        BankRotate(quarter="2026-Q2", fresh=str(path)).export(view(), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_fresh_anchors_are_marked_with_the_secret_of_the_bank(
    tmp_path: Path, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = fresh_bank()
    unmarked = [
        replace(anchor, watermark="", text=anchor.text.replace("mostly", "largely"))
        for anchor in plain.anchors
    ]
    path = tmp_path / "fresh.jsonl"
    path.write_text(write_bank(plain.with_anchors(unmarked)), encoding="utf-8")
    task = BankRotate(quarter="2026-Q2", fresh=str(path), secret_env="REVKIT_BANK_SECRET")
    task.export(view(), tmp_path)
    bank = read_bank(tmp_path / "bank.jsonl").bank
    assert all(anchor.watermark for anchor in bank.anchors)
    done = BankCheck(bank=str(tmp_path / "bank.jsonl"), secret_env="REVKIT_BANK_SECRET").export(
        view(), tmp_path
    )
    assert not done.failed, done.summary
    monkeypatch.setenv("REVKIT_BANK_SECRET", "another")
    with pytest.raises(RunError, match="was marked with a different secret"):
        task.export(view(), tmp_path)


def test_marking_again_changes_nothing(
    tmp_path: Path, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = BankMark().export(view(), tmp_path)
    assert done.manifest["changed"] == 0
    assert read_bank(tmp_path / "bank.jsonl").bank == embedded_bank().bank
    plain = embedded_bank().bank
    few = plain.with_anchors(plain.anchors[:3])
    path = tmp_path / "plain.jsonl"
    path.write_text(write_bank(replace(few, secret_digest="")), encoding="utf-8")
    monkeypatch.setenv("REVKIT_BANK_SECRET", "ours")
    done = BankMark(bank=str(path)).export(view(), tmp_path)
    assert done.manifest["changed"] == 3
    bank = read_bank(tmp_path / "bank.jsonl").bank
    assert [len(a.text) > 0 for a in bank.anchors] == [True] * 3
    assert bank.secret_digest != plain.secret_digest
    monkeypatch.delenv("REVKIT_BANK_SECRET")
    with pytest.raises(OptionError, match="'REVKIT_BANK_SECRET' is not set"):
        BankMark().export(view(), tmp_path)


def test_a_bank_in_a_table_goes_through_all_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A table states no date, so neither does the bank that is written.
    monkeypatch.setenv("REVKIT_BANK_SECRET", "ours")
    columns = ("id", "title", "text", "score_1", "score_2", "score_3", "adjudicated", "tier",
               "cluster", "introduced")  # fmt: skip
    for name, anchors in (("mine", embedded_bank().bank.anchors), ("new", fresh_bank().anchors)):
        with (tmp_path / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file)
            table.writerow(columns)
            for a in anchors:
                given = "2026-Q1" if name == "mine" else ""
                severity = "" if a.adjudicated is None else a.adjudicated
                table.writerow(
                    [a.id, a.title, a.text, *a.scores, severity, a.tier, a.cluster, given]
                )
    where = tmp_path / "marked" / "bank.jsonl"
    done = BankMark(bank=str(tmp_path / "mine.csv")).export(view(), tmp_path / "marked")
    assert done.manifest["changed"] == 240
    bank = read_bank(where).bank
    assert (bank.date, len(bank.anchors)) == ("", 240)
    quarter = "2026-Q2"
    BankPlan(bank=str(where), quarter=quarter).export(view(), tmp_path / "plan")
    BankRotate(
        bank=str(where),
        quarter=quarter,
        fresh=str(tmp_path / "new.csv"),
        secret_env="REVKIT_BANK_SECRET",
    ).export(view(), tmp_path / "rotated")
    done = BankCheck(
        bank=str(tmp_path / "rotated" / "bank.jsonl"),
        quarter=quarter,
        secret_env="REVKIT_BANK_SECRET",
    ).export(view(), tmp_path / "check")
    assert not done.failed, done.summary
    leak = [{"id": a.id, "text": a.text, "given": a.title} for a in bank.anchors[:20]]
    replies = tmp_path / "replies.jsonl"
    replies.write_text("".join(json.dumps(row) + "\n" for row in leak), encoding="utf-8")
    assert BankProbe(bank=str(where), replies=str(replies)).export(view(), tmp_path).failed


def test_a_folder_in_place_of_a_file_is_named(tmp_path: Path, secret: str) -> None:
    with pytest.raises(RunError, match=r"is a folder; name the file of the bank, such as .*jsonl"):
        BankCheck(bank=str(tmp_path)).export(view(), tmp_path)
    with pytest.raises(
        RunError, match=r"outcomes\.jsonl: .*a finished run over the corpus anchor-"
    ):
        BankProbe(replies=str(tmp_path)).export(view(), tmp_path)
    with pytest.raises(RunError, match=r"anchor-leakage\.jsonl: .*run the experiment with the"):
        BankCheck(run=str(tmp_path)).export(view(), tmp_path)


def replies_of(agent: SimulatedReviewer, folder: Path, count: int = 12) -> Path:
    """What an agent writes on the openings of some anchors."""
    rows = []
    for paper in list(AnchorOpenings().papers(context()))[:count]:
        assert isinstance(paper, Paper)
        review = agent.review(paper, Context(seed=1, uses=()))
        rows.append({"id": paper.id, "agent": agent.name, "text": review.text})
    path = folder / "replies.jsonl"
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def test_the_probe_finds_the_leaker_and_nobody_else(tmp_path: Path, secret: str) -> None:
    honest = replies_of(SimulatedReviewer(), tmp_path)
    done = BankProbe(replies=str(honest)).export(view(), tmp_path)
    assert not done.failed
    both = replies_of(AnchorLeaker(), tmp_path)
    done = BankProbe(replies=str(both)).export(view(), tmp_path)
    assert done.failed
    assert "anchor-leaker" in done.summary.splitlines()[1]
    assert done.summary.splitlines()[1].endswith("it knows anchors")
    assert "knows" not in done.summary.splitlines()[0]
    first, second = done.manifest["agents"]
    assert (first["p_holm"] > 0.5, second["p_holm"] < 1e-6) == (True, True)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("nothing", "replies.jsonl:1: not JSON"),
        ("[]", "replies.jsonl:1: not an object"),
        ('{"id": "anchor-001"}', "id and text must be strings"),
        ('{"id": "x", "text": ""}', "anchor 'x' is not in the bank"),
        ('{"id": "anchor-001", "text": "", "given": 3}', "given and agent must be strings"),
        ("", "no reply"),
    ],
)
def test_bad_replies_are_refused(tmp_path: Path, secret: str, row: str, message: str) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text(row + "\n", encoding="utf-8")
    with pytest.raises(RunError, match=message):
        BankProbe(replies=str(path)).export(view(), tmp_path)


def test_the_opening_is_title_and_first_sentence() -> None:
    anchor = embedded_bank().bank.anchors[0]
    title, _, sentence = opening_of(anchor).strip().partition("\n\n")
    assert title == f"# {anchor.title}"
    assert sentence in anchor.text
    assert sentence.endswith(".")
    assert sentence.count(".") == 1


def test_a_missed_rotation_and_thin_strata_fail(tmp_path: Path) -> None:
    def check(**options: Any) -> Exported:
        return BankCheck(**options).export(view(), tmp_path)

    assert not check(quarter="2026-Q2").failed
    late = check(quarter="2026-Q4")
    assert late.failed
    assert "FAILED  rotation  the latest anchors are from 2026-Q1, 3 quarter(s) ago" in late.summary
    assert check(per_range=60).failed
    with pytest.raises(OptionError, match="expected a quarter such as 2026-Q2"):
        check(quarter="2026")
    with pytest.raises(RunError, match=r"anchor-leakage\.jsonl"):
        check(run=str(tmp_path / "none"))
    with pytest.raises(RunError, match="no anchors of the corpus 'anchor-bank'"):
        BankCheck().export(view(anchors=None), tmp_path)


def test_an_irregular_bank_is_refused(tmp_path: Path) -> None:
    text = write_bank(embedded_bank().bank).replace('"tier": "minor"', '"tier": "mild"', 1)
    path = tmp_path / "bad.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match="correct the bank before you continue"):
        BankPlan(bank=str(path)).export(view(), tmp_path)


def test_quarters() -> None:
    assert [first_day(f"2026-Q{n}")[5:] for n in (1, 2, 3, 4)] == [
        "01-01", "04-01", "07-01", "10-01",
    ]  # fmt: skip
    assert quarters_between("2025-Q4", "2026-Q2") == 2


def test_custody_on_a_run_from_the_command_line(
    tmp_path: Path, revkit_command: Any, environment: dict[str, str]
) -> None:
    """The shipped experiment: the leaker is found, and the check of the bank fails for it."""
    environment["REVKIT_PLUGINS"] = "asc,reports,corpora"
    spec = Path(__file__).parents[3] / "experiments" / "asc-custody.yaml"
    few = ["corpus.with.papers=8", "metrics=[anchor-leakage]"]
    api.run(spec, out=tmp_path / "run", store=tmp_path / "store.sqlite3", overrides=few)
    rows = [
        json.loads(line)
        for line in (tmp_path / "run/tables/anchor-leakage.jsonl").read_text().splitlines()
    ]
    found = {row["agent"]: row["p_holm"] for row in rows}
    assert found["leaker"] < 0.01
    assert min(found["honest"], found["other"]) > 0.2
    report = json.loads((tmp_path / "run/result.json").read_bytes())
    assert "leaker: its error is" in json.dumps(report)
    done = revkit_command("bank", "check", str(spec), "--run", "run", "--out", "bank")
    assert done.returncode == 1, done.stderr
    assert "FAILED  leakage   leaker of 3 has smaller errors on old anchors" in done.stdout
    done = revkit_command("bank", "plan", str(spec), "--quarter", "2026-Q3", "--out", "bank")
    assert done.returncode == 0, done.stderr
    assert "24 of 240 anchors" in done.stdout
    done = revkit_command("bank", "frobnicate")
    assert done.returncode == 2
