"""The wheel: what it holds, and that it works where no checkout is in sight."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.wheel
ROOT = Path(__file__).resolve().parents[1]
SPEC = """\
revkit: 1
name: wheel
seed: 3
corpus: {use: synthetic, with: {papers: 3}}
perturbations:
  citations: citation-injection
agents:
  counter: citation-counter
metrics: [flip-rate, outcomes]
reports: [terminal, markdown, html]
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built without a network."""
    folder = tmp_path_factory.mktemp("dist")
    built = subprocess.run(
        [
            sys.executable, "-m", "pip", "wheel", "--disable-pip-version-check", "--no-deps",
            "--no-build-isolation", "--no-index", "--wheel-dir", folder, ROOT,
        ],
        capture_output=True, text=True,
    )  # fmt: skip
    assert built.returncode == 0, built.stdout + built.stderr
    [path] = folder.glob("revkit-*.whl")
    return path


@pytest.fixture(scope="module")
def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


class Installed:
    """A new environment with the wheel and this environment's dependencies, but no checkout."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder
        venv = folder / "venv"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
        scripts = venv / ("Scripts" if os.name == "nt" else "bin")
        self.python = scripts / "python"
        self.revkit = scripts / "revkit"
        self.site = next(venv.rglob("site-packages"))
        # A path in a .pth is searched, but the .pth files in it are not read: so an editable
        # install of revkit over there stays out of sight.
        dependencies = sysconfig.get_path("purelib")
        (self.site / "dependencies.pth").write_text(f"{dependencies}\n", encoding="utf-8")
        installed = self.run(
            self.python, "-m", "pip", "install", "--disable-pip-version-check", "--no-deps",
            "--no-index", "--ignore-installed", wheel,
        )  # fmt: skip
        assert installed.returncode == 0, installed.stdout + installed.stderr

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a command in a folder outside the checkout."""
        hidden = ("PYTHONPATH", "REVKIT_PLUGINS", "VIRTUAL_ENV")
        environment = {k: v for k, v in os.environ.items() if k not in hidden}
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300
        )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Installed:
    return Installed(tmp_path_factory.mktemp("installed"), wheel)


def test_wheel_holds_packages_and_data(names: list[str]) -> None:
    packages = {name.partition("/")[0] for name in names}
    packages = {name for name in packages if not name.endswith(".dist-info")}
    plugins = {path.parent.name for path in (ROOT / "plugins").glob("*/__init__.py")}
    assert packages == {"revkit", *plugins}
    schemas = {path.name for path in (ROOT / "schemas").glob("*.schema.json")}
    assert {f"revkit/_schemas/{name}" for name in schemas} <= set(names)
    specs = {path.name for path in (ROOT / "experiments").glob("*.yaml")}
    assert {f"revkit/_experiments/{name}" for name in specs} <= set(names)
    assert "revkit/py.typed" in names
    # Every file that git would keep of the packages is in the wheel, data included.
    for folder, prefix in ((ROOT / "revkit", "revkit"), (ROOT / "plugins", "")):
        for path in folder.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and path != folder / "README.md":
                assert (Path(prefix) / path.relative_to(folder)).as_posix() in names
    for name in ("pool.jsonl", "substitutions.tsv", "elaborations.tsv"):
        assert f"revkit_robustrev/{name}" in names


def test_wheel_holds_nothing_else(names: list[str], wheel: Path) -> None:
    allowed = re.compile(r"\.(pyi?|typed|json|jsonl|csv|tsv|txt|toml|yaml|css|js|jinja|md)$")
    outside = [n for n in names if ".dist-info/" not in n and not allowed.search(n)]
    assert not outside
    words = ("test", "docs", "shared", "benchmark", "experiments", "__pycache__")
    strange = [n for n in names if any(word in n.split("/")[0] for word in words)]
    assert not strange
    assert not [n for n in names if Path(n).name.startswith("test_")]
    assert wheel.stat().st_size < 3_400_000


def test_wheel_names_its_plugins(wheel: Path, names: list[str]) -> None:
    [path] = [name for name in names if name.endswith(".dist-info/entry_points.txt")]
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(path).decode()
    named = set(re.findall(r"= (revkit_\w+)$", text, re.MULTILINE))
    assert named == {path.parent.name for path in (ROOT / "plugins").glob("*/__init__.py")}


def test_installed_package_is_the_wheel(installed: Installed) -> None:
    code = "import revkit, revkit_agents; print(revkit.__file__); print(revkit_agents.__file__)"
    found = installed.run(installed.python, "-I", "-c", code)
    assert found.returncode == 0, found.stderr
    for line in found.stdout.splitlines():
        assert Path(line).resolve().is_relative_to(installed.site.resolve())


def test_installed_schema_and_plugins(installed: Installed) -> None:
    schema = installed.run(installed.revkit, "schema")
    assert schema.returncode == 0, schema.stderr
    assert "citation-counter" in json.dumps(json.loads(schema.stdout)["$defs"]["agent"])
    plugins = installed.run(installed.revkit, "plugins")
    assert plugins.returncode == 0, plugins.stdout + plugins.stderr
    assert "citation-injection" in plugins.stdout


def test_installed_run(installed: Installed) -> None:
    (installed.folder / "spec.yaml").write_text(SPEC, encoding="utf-8")
    run = installed.run(installed.revkit, "run", "spec.yaml", "--out", "out")
    assert run.returncode == 0, run.stdout + run.stderr
    out = installed.folder / "out"
    result = json.loads((out / "result.json").read_text(encoding="utf-8"))
    assert (result["papers"], result["variants"], result["outcomes"]) == (3, 3, 6)
    assert (result["failures"], result["faults"]) == (0, [])
    for name in ("report.html", "report.md", "report.txt", "spec.yaml", "provenance.json"):
        assert (out / name).stat().st_size > 0


def test_installed_specs_run_by_name(installed: Installed) -> None:
    listed = installed.run(installed.revkit, "examples", "--json")
    for name in json.loads(listed.stdout):
        checked = installed.run(installed.revkit, "validate", name)
        assert checked.returncode == 0, checked.stdout + checked.stderr
    run = installed.run(installed.revkit, "run", "robust", "--limit", "3", "--out", "robust")
    assert run.returncode == 0, run.stdout + run.stderr
    result = json.loads((installed.folder / "robust" / "result.json").read_text(encoding="utf-8"))
    assert (result["papers"], result["variants"], result["failures"]) == (3, 12, 0)
