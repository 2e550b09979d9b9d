"""The reports that the guide shows are those that the experiments print."""

from __future__ import annotations

from pathlib import Path

import pytest

import revkit

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data" / "iclr2022_aiscientist"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["asc", "asc-iclr2022"])
def test_a_report_that_is_shown_is_that_of_its_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "asc-iclr2022" and not DATA.is_dir():
        pytest.skip("the scores of ICLR 2022 are no part of revkit, and not beside this checkout")
    monkeypatch.chdir(ROOT)
    spec = ROOT / "experiments" / f"{name}.yaml"
    run = revkit.run(spec, out=tmp_path / "run", store=tmp_path / "store")
    shown = (ROOT / "docs" / "examples" / f"{name}-report.txt").read_text(encoding="utf-8")
    printed = (run.folder / "report.txt").read_text(encoding="utf-8")
    assert printed == shown, "run: python docs/generate.py --report"
