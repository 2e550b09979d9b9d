"""Pair sets: exactly the pairs of the run, named in every result, and no changed row accepted."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import revkit
from revkit.cli.main import cli
from revkit.errors import RevkitError, RunError
from revkit.model.pair_set import PairSet, pair_sets_from_json
from revkit.pairsets import read_family, read_header, read_papers, write_pair_set
from revkit.runs import open_run

FAMILIES = ("hedging", "length")


def spec(**more: Any) -> dict[str, Any]:
    return {
        "revkit": 1,
        "name": "pairs",
        "corpus": {"use": "synthetic", "with": {"papers": 6}},
        "perturbations": {family: family for family in FAMILIES},
        "agents": {"reader": "confidence-reader"},
        "metrics": ["flip-rate"],
        "reports": ["markdown", "html"],
        **more,
    }


def on_the_set(path: Path, **more: Any) -> dict[str, Any]:
    frozen = {
        family: {"use": "frozen", "with": {"path": str(path), "family": family}}
        for family in FAMILIES
    }
    corpus = {"use": "pairs", "with": {"path": str(path)}}
    return spec(corpus=corpus, perturbations=frozen, seed=7, **more)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A run, and the pair set that was made of it."""
    place = tmp_path_factory.mktemp("pairs")
    revkit.run(spec(reports=[]), out=place / "run", store=place / "s.db")
    path = place / "pairs.jsonl"
    done = CliRunner().invoke(
        cli,
        ["export", "pairs", str(place / "run"), str(path), "--name", "tiny", "--version", "1.0"],
    )
    assert done.exit_code == 0, done.output
    assert read_header(path).about.digest in done.output
    assert "family: length" in done.output
    return place / "run", path


def lines_of(path: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (path / name).read_text(encoding="utf-8").splitlines()]


def test_a_run_on_the_set_repeats_the_pairs_and_names_the_set(
    made: tuple[Path, Path], tmp_path: Path
) -> None:
    run, path = made
    both = {"reader": "confidence-reader", "other": "length-reader"}
    revkit.run(on_the_set(path, agents=both), out=tmp_path / "r", store=tmp_path / "s.db")
    for name in ("variants", "outcomes"):
        there = lines_of(run, f"records/{name}.jsonl")
        here = lines_of(tmp_path / "r", f"records/{name}.jsonl")
        left_out = {"checks", "dropped", "gate", "outcome"} if name == "variants" else set()
        assert [{k: v for k, v in row.items() if k not in left_out} for row in there] == [
            {k: v for k, v in row.items() if k not in left_out}
            for row in here
            if row.get("agent", "reader") == "reader"
        ]
    rates = [
        {row["family"]: row for row in lines_of(each, "tables/flip-rate.jsonl")
         if row["agent"] == "reader"}
        for each in (run, tmp_path / "r")
    ]  # fmt: skip
    assert rates[0] == rates[1]
    digest = read_header(path).about.digest
    result = json.loads((tmp_path / "r" / "result.json").read_text(encoding="utf-8"))
    [stated] = result["pair_sets"]
    assert (stated["name"], stated["version"], stated["digest"]) == ("tiny", "1.0", digest)
    for report in ("report.md", "report.html"):
        assert f"tiny 1.0 (SHA-256 {digest})" in (tmp_path / "r" / report).read_text(
            encoding="utf-8"
        )
    [opened] = open_run(tmp_path / "r").records.pair_sets
    assert opened.perturbations == FAMILIES
    # A replay needs the file no more, since the bundle contains it.
    revkit.export(tmp_path / "r", tmp_path / "b.zip", store=tmp_path / "s.db")
    assert revkit.replay(tmp_path / "b.zip", out=tmp_path / "again").files > 0


def test_effect_and_versions_are_those_of_the_family(made: tuple[Path, Path]) -> None:
    _, path = made
    experiment = revkit.validate(on_the_set(path))
    originals = revkit.validate(spec()).perturbation_steps
    for name, step in experiment.perturbation_steps.items():
        assert step.component.expect == originals[name].component.expect
        family = read_family(path, name).family
        assert family.version == originals[name].component.version


def test_the_same_run_gives_the_same_bytes_and_never_replaces_a_file(
    made: tuple[Path, Path], tmp_path: Path
) -> None:
    run, path = made
    write_pair_set(run, tmp_path / "p", name="tiny", version="1.0")
    assert (tmp_path / "p").read_bytes() == path.read_bytes()
    with pytest.raises(RunError, match="exists"):
        write_pair_set(run, tmp_path / "p", name="tiny", version="1.0")
    for bad in ({"name": "../x"}, {"version": ""}, {"licence": "a\nb"}):
        with pytest.raises(RunError, match="no pair set written"):
            write_pair_set(run, tmp_path / "q", **{"name": "n", "version": "1", **bad})
    with pytest.raises(RunError, match="not the folder of a finished run"):
        write_pair_set(tmp_path, tmp_path / "q", name="n", version="1")
    assert list(tmp_path.iterdir()) == [tmp_path / "p"]


@pytest.mark.parametrize(
    ("number", "change"),
    [
        (0, lambda line: line.replace(b'"tiny"', b'"tinx"')),
        (0, lambda line: b"{" * 100_000),
        (0, lambda line: b"[]"),
        (1, lambda line: line.replace(b"the", b"thx", 1)),
        (2, lambda line: line + b" "),
        (3, lambda line: line + b"\n" + line),
    ],
)
def test_a_changed_row_is_refused_by_name(
    made: tuple[Path, Path], tmp_path: Path, number: int, change: Any
) -> None:
    lines = made[1].read_bytes().splitlines()
    lines[number] = change(lines[number])
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(b"\n".join(lines) + b"\n")
    named = f"line {number + 1 + (number == 3)}: "
    with pytest.raises(RunError, match=named):
        list(read_papers(changed))
    with pytest.raises(RevkitError, match=named):
        revkit.validate(on_the_set(changed))


def test_missing_rows_and_other_sets_are_refused(made: tuple[Path, Path], tmp_path: Path) -> None:
    lines = made[1].read_bytes().splitlines(keepends=True)
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(lines[:-1]))
    with pytest.raises(RunError, match=f"line {len(lines)}: it is missing"):
        list(read_papers(cut))
    pinned = on_the_set(made[1])
    pinned["perturbations"]["length"]["with"]["digest"] = "0" * 64
    with pytest.raises(RevkitError, match="not 0000"):
        revkit.validate(pinned)
    pinned["perturbations"]["length"]["with"] = {"path": str(made[1]), "family": "none"}
    with pytest.raises(RevkitError, match="no family 'none'"):
        revkit.validate(pinned)


def test_all_changed_rows_are_stated(made: tuple[Path, Path], tmp_path: Path) -> None:
    lines = made[1].read_bytes().splitlines(keepends=True)
    changed = tmp_path / "changed.jsonl"
    # The first paper, whose variants are not reported as well, another row, and the last one.
    changed.write_bytes(
        b"".join([lines[0], b"{}\n", *lines[2:4], b"[]\n", *lines[5:-1]]),
    )
    expected = f"(?s)3 problems:\n  line 2: .*\n  line 5: .*\n  line {len(lines)}: it is missing"
    for read in (lambda: list(read_papers(changed)), lambda: read_family(changed, "length")):
        with pytest.raises(RunError, match=expected):
            read()
    header = {**json.loads(lines[0]), "papers": -1, "more": 1}
    del header["rows"]
    changed.write_bytes(json.dumps(header).encode() + b"\n" + b"".join(lines[1:]))
    with pytest.raises(RunError, match=r"(?s)3 problems:.*papers: .*rows is missing.*'more'"):
        read_header(changed)


def _forge(path: Path, header: dict[str, Any], rows: list[dict[str, Any]]) -> Path:
    """Write a pair set whose digests fit its content."""
    from revkit.model.values import canonical_bytes, digest_of

    body = [canonical_bytes(each) for each in rows]
    header["rows"] = [hashlib.sha256(line).hexdigest() for line in body]
    del header["digest"]
    header["digest"] = digest_of(header)
    path.write_bytes(b"\n".join([canonical_bytes(header), *body]) + b"\n")
    return path


def test_a_family_without_a_key_and_one_that_the_header_lacks(
    made: tuple[Path, Path], tmp_path: Path
) -> None:
    header, *rows = map(json.loads, made[1].read_bytes().splitlines())
    name = header["families"][0]["name"]
    row = next(row for row in rows if "family" in row)
    row["family"] = "F"
    unknown = _forge(tmp_path / "unknown.jsonl", dict(header), rows)
    with pytest.raises(RunError, match="not a valid variant: the header has no family 'F'"):
        read_family(unknown, name)
    short = _forge(tmp_path / "short.jsonl", {**header, "families": [{"name": "x"}]}, rows)
    with pytest.raises(RunError, match="header: families: the key 'component' is missing"):
        read_header(short)


def test_edits_that_do_not_give_the_recorded_text_are_refused(
    made: tuple[Path, Path], tmp_path: Path
) -> None:
    """Even where somebody renewed all digests of the file."""
    header, *rows = map(json.loads, made[1].read_bytes().splitlines())
    row = next(row for row in rows if row.get("edits"))
    row["edits"][0]["new"] += "!"
    forged = _forge(tmp_path / "forged.jsonl", header, rows)
    with pytest.raises(RunError, match="do not give the text"):
        read_family(forged, row["family"])


def test_values_of_another_form_in_a_result_are_left_out() -> None:
    found = PairSet("n", "1", "d", "", 2, 3, ("a",))
    assert pair_sets_from_json([found.to_json(), {}, 4, {**found.to_json(), "papers": "x"}]) == (
        found,
    )
    assert pair_sets_from_json(None) == ()
