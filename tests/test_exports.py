"""Public names, what importing costs, and that each module stands alone."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import revkit

ROOT = Path(__file__).parent.parent
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "revkit").rglob("*.py")
    if path.name != "__main__.py"
)
HEAVY = ("numpy", "scipy", "litellm", "torch", "rich", "jinja2", "matplotlib", "lemminflect",
         "sentence_transformers", "transformers")  # fmt: skip
SPEC_ONLY = ("yaml", "pluggy", "jsonschema")


def loaded(code: str, environment: dict[str, str]) -> set[str]:
    """The top-level modules that are loaded after ``code`` ran in a process of its own."""
    return {name.partition(".")[0] for name in loaded_modules(code, environment)}


def loaded_modules(code: str, environment: dict[str, str]) -> set[str]:
    """The modules that are loaded after ``code`` ran in a process of its own."""
    program = (
        "import sys\n"
        f"try:\n    exec({code!r})\nexcept SystemExit as leave:\n    assert not leave.code\n"
        "print('MODULES', *sorted(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True, text=True, env=environment, timeout=60, cwd=ROOT, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("MODULES ")]
    return set(line.split()[1:])


def test_all_names_resolve_and_nothing_is_left_out() -> None:
    names: list[str] = getattr(revkit, "__all__")  # noqa: B009
    assert sorted(names) == names
    assert set(names) == set(revkit._exports()) | {"__version__"}  # type: ignore[attr-defined]
    assert dir(revkit) == names
    for name in names:
        value = getattr(revkit, name)
        assert value is not None
        if name in ("Register",):
            continue
        assert name == "__version__" or getattr(value, "__doc__", None), name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(revkit, "noth" + "ing")


def test_every_name_comes_from_the_module_that_the_stub_names() -> None:
    for name, module in revkit._exports().items():  # type: ignore[attr-defined]
        assert getattr(revkit, name) is getattr(importlib.import_module(module), name)


@pytest.mark.slow
def test_a_misspelt_import_fails_in_type_checkers(tmp_path: Path) -> None:
    file = tmp_path / "misspelt.py"
    file.write_text("from revkit import Agent, Agnet\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path), str(file)],
        capture_output=True, text=True, timeout=120, cwd=ROOT, check=False,
    )  # fmt: skip
    assert 'Module "revkit" has no attribute "Agnet"' in done.stdout
    assert 'Agent"' not in done.stdout.replace('maybe "Agent"', "")


@pytest.mark.parametrize("name", MODULES)
def test_a_module_exports_what_it_says(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__, f"{name} has no docstring"
    for exported in getattr(module, "__all__", ()):
        assert hasattr(module, exported)


@pytest.mark.slow
def test_each_module_imports_alone(environment: dict[str, str]) -> None:
    """In a fresh interpreter each, with warnings as errors: no import depends on another's."""
    program = (
        "import click, csv, difflib, importlib.metadata, inspect, json, os, pluggy, sqlite3, sys\n"
        "for name in sys.argv[1:]:\n"
        "    child = os.fork()\n"
        "    if not child:\n"
        "        try:\n"
        "            importlib.import_module(name)\n"
        "        except BaseException as error:\n"
        "            print(name, repr(error), flush=True)\n"
        "            os._exit(1)\n"
        "        os._exit(0)\n"
        "    os.waitpid(child, 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, *MODULES],
        capture_output=True, text=True, env=environment, timeout=600, check=True,
    )  # fmt: skip
    assert done.stdout == ""


def test_importing_revkit_loads_nothing_heavy(environment: dict[str, str]) -> None:
    names = loaded("import revkit", environment)
    assert names.isdisjoint(HEAVY + SPEC_ONLY + ("click", "sqlite3", "asyncio"))


def test_help_loads_click_and_little_else(environment: dict[str, str]) -> None:
    code = "sys.argv = ['revkit', '--help']; from revkit.cli.main import main; main()"
    assert loaded(code, environment).isdisjoint(HEAVY + SPEC_ONLY + ("sqlite3", "asyncio"))


def test_validate_loads_yaml_and_no_json_schema(
    environment: dict[str, str], toys_file: str, tmp_path: Path
) -> None:
    spec = tmp_path / "spec.yaml"
    spec.write_text(
        "revkit: 1\ncorpus: toy-papers\nperturbations: {w: toy-words}\nagents: {a: toy-coin}\n"
        "metrics: [toy-flips]\nservices: {embedder: toy-embedder}\n",
        encoding="utf-8",
    )
    arguments = ["revkit", "validate", str(spec), "--plugin", toys_file]
    code = f"sys.argv = {arguments!r}; from revkit.cli.main import main; main()"
    names = loaded(code, environment)
    assert set(SPEC_ONLY) - {"jsonschema"} <= names
    assert names.isdisjoint((*HEAVY, "jsonschema"))


def test_validate_loads_no_patterns_for_texts(environment: dict[str, str]) -> None:
    """The families and constraints of the spec are declared; no paper is parsed or reworded."""
    arguments = ["revkit", "validate", str(ROOT / "experiments" / "robust.yaml")]
    code = f"sys.argv = {arguments!r}; from revkit.cli.main import main; main()"
    del environment["REVKIT_PLUGINS"]
    names = loaded_modules(code, environment)
    assert {f"revkit_robustrev.{name}" for name in ("paraphrase", "hedging", "length")} <= names
    patterns = ("model.sentences", "model.line_kinds", "model.citations", "meaning", "works")
    assert names.isdisjoint({f"revkit.{name}" for name in patterns})
    assert names.isdisjoint(
        {f"revkit_robustrev.{name}" for name in ("hedge_limits", "citation_sites", "rewording")}
    )


def test_plugins_load_nothing_heavy_when_listed(environment: dict[str, str]) -> None:
    """First-party plugins keep what is heavy inside the functions that need it."""
    code = "import tomllib, importlib, pathlib\n" + (
        "table = tomllib.loads(pathlib.Path('pyproject.toml').read_text())\n"
        "modules = [importlib.import_module(name) for name in"
        " table['project']['entry-points']['revkit'].values()]\n"
        "import revkit\n"
        "registry = revkit.plugins(modules)\n"
        "assert not registry.broken, registry.broken\n"
    )
    assert loaded(code, environment).isdisjoint(HEAVY)
