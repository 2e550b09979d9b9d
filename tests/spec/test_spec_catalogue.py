"""The specs that come with revkit run by name from any folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import revkit
from revkit.cli.main import cli
from revkit.errors import SpecError
from revkit.files import located
from revkit.spec.spec_catalogue import shipped_specs, spec_file

FOLDER = Path(__file__).parents[2] / "experiments"


def test_each_spec_has_a_name_and_a_question() -> None:
    specs = shipped_specs()
    assert sorted(specs) == sorted(path.stem for path in FOLDER.glob("*.yaml"))
    for each in specs.values():
        assert each.question.rstrip().endswith((".", "?")), each
        assert "yaml-language-server" not in each.question
    assert specs["robust"].question == (
        "ROBUST-REV: do surface changes of a paper flip a reviewer's verdict?"
    )


def test_a_name_is_found_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    by_name = revkit.validate("robust")
    assert by_name.digest == revkit.validate(FOLDER / "robust.yaml").digest
    revkit.validate("drafter-training")


def test_a_file_of_that_name_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("robust").write_text("revkit: 1\n", encoding="utf-8")
    assert spec_file("robust") == Path("robust")
    assert spec_file("robust.yaml") == Path("robust.yaml")


def test_a_folder_of_that_name_hides_no_experiment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("audit").mkdir()
    assert spec_file("audit") == FOLDER / "audit.yaml"
    Path("papers").mkdir()
    with pytest.raises(SpecError, match="is a folder; name a file"):
        revkit.validate("papers")


def test_an_unknown_name_is_an_error_with_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SpecError, match="did you mean 'robust'"):
        revkit.validate("robsut")


def test_files_beside_the_specs_are_found() -> None:
    assert located("package:revkit/experiments/human-scores.csv") == FOLDER / "human-scores.csv"
    with pytest.raises(ValueError, match="outside of the package"):
        located("package:revkit/experiments/../pyproject.toml")


def test_examples_lists_and_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    listed = CliRunner().invoke(cli, ["examples", "--json"])
    assert set(json.loads(listed.output)) == set(shipped_specs())
    written = CliRunner().invoke(cli, ["examples", "robust", "-o", "mine.yaml"])
    assert written.output == "mine.yaml written. Run it with: revkit run mine.yaml\n"
    assert Path("mine.yaml").read_bytes() == (FOLDER / "robust.yaml").read_bytes()
    again = CliRunner().invoke(cli, ["examples", "robust", "-o", "mine.yaml"])
    assert (again.exit_code, "mine.yaml exists" in again.output) == (2, True)
    unknown = CliRunner().invoke(cli, ["examples", "robsut"])
    assert (unknown.exit_code, "did you mean 'robust'" in unknown.output) == (2, True)
