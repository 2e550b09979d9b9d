"""A new plugin: a package with one component of any kind, its test, its README, and an experiment
that uses it.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from revkit.contracts import KINDS
from revkit.errors import PluginError, RunError, with_article
from revkit.hookspecs import API
from revkit.options import unknown_name

_KEBAB = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST = 60


def new_plugin(name: str, kind: str, folder: str | Path = ".") -> list[Path]:
    """Write a package ``revkit-NAME`` with a component of ``kind`` below ``folder``, and return its
    files. Its test passes at once.

    Raises `PluginError` for a name that is not kebab-case or an unknown kind, and `RunError` where
    the package exists.
    """
    if not _KEBAB.fullmatch(name) or len(name) > _LONGEST:
        raise PluginError(
            f"{name!r} is not a name: use lower-case letters, digits and '-', such as my-plugin"
        )
    if kind not in KINDS:
        raise PluginError(unknown_name("kind", kind, KINDS))
    package = f"revkit-{name}"
    module = package.replace("-", "_")
    root = Path(folder) / package
    if root.exists():
        raise RunError(f"{root} exists; choose another name or folder")
    class_name = "".join(part.capitalize() for part in name.split("-"))
    texts = {
        "pyproject.toml": _PROJECT.format(
            package=package, name=name, module=module, article=with_article(kind).capitalize()
        ),
        "README.md": _readme(package, name, kind),
        "experiment.yaml": _spec(name, kind),
        f"{module}/__init__.py": _module(name, kind, class_name),
        f"{module}/py.typed": "",
        f"tests/test_{module}.py": _TEST.format(module=module, class_name=class_name, kind=kind),
    }
    written = []
    try:
        for path, text in texts.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
            written.append(target)
    except OSError as error:
        raise RunError(f"{root} cannot be written: {error.strerror or error}") from error
    return written


def _example() -> str:
    """The source of the examples of every kind: in the wheel, or in a checkout."""
    import revkit

    root = Path(revkit.__file__).parent
    for path in (
        root / "_every_kind.py",
        root.parent / "docs" / "examples" / "every_kind.py",
    ):
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise RunError("this installation of revkit contains no example of every kind")


def _section(source: str, kind: str) -> str:
    """The part of the examples that is about one kind."""
    marks = [f"# {each}\n" for each in (*KINDS, "hooks")]
    start = source.index(f"\n# {kind}\n") + len(f"\n# {kind}\n")
    ends = [place for mark in marks if (place := source.find(f"\n{mark}", start)) >= 0]
    return source[start : min(ends)].strip() + "\n"


def _module(name: str, kind: str, class_name: str) -> str:
    source = _example()
    body = _section(source, kind)
    tree = ast.parse(body)
    old = [each.name for each in tree.body if isinstance(each, ast.ClassDef)][-1]
    body = re.sub(rf"\b{old}\b", class_name, body)
    body = re.sub(
        r'^    name = "[^"]*"$', f'    name = "{name}"\n    version = "1"', body, flags=re.M
    )
    used = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    used |= {"hookimpl", "Register"}
    return "\n".join(
        [
            f'"""{name}: a plugin for revkit with one component, of the kind {kind}."""',
            "",
            *_imports(source, used),
            "",
            f"REVKIT_API = {API}  # the version of the plugin API that this is written for",
            "",
            "",
            body.rstrip(),
            "",
            "",
            "@hookimpl",
            f"def register_{KINDS[kind].plural}(register: Register) -> None:",
            f"    register({class_name})",
            "",
        ]
    )


def _imports(source: str, used: set[str]) -> list[str]:
    """The imports of the examples, limited to the names that are used."""
    lines = ["from __future__ import annotations", ""]
    standard: list[str] = []
    others: list[str] = []
    typed: list[str] = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and node.module != "__future__":
            names = [each.name for each in node.names if each.name in used]
            if node.module == "typing" and "numpy" in used:
                names = ["TYPE_CHECKING", *names]
            if names:
                text = f"from {node.module} import {', '.join(names)}"
                if len(text) > 95:
                    listed = "".join(f"    {each},\n" for each in names)
                    text = f"from {node.module} import (\n{listed})"
                (others if str(node.module).startswith("revkit") else standard).append(text)
        elif isinstance(node, ast.If) and "numpy" in used:
            typed = ["", ast.unparse(node)]
    return [*lines, *standard, *([""] if standard else []), *others, *typed]


_PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "{package}"
version = "0.1.0"
description = "{article} for revkit"
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["revkit<1"]

[project.entry-points.revkit]
{name} = "{module}"

[tool.hatch.build.targets.wheel]
packages = ["{module}"]
"""

_TEST = '''\
"""The {kind} meets the contract of its kind."""

from revkit.testing import check_component
from {module} import {class_name}


def test_it_meets_the_contract() -> None:
    check_component({class_name})
'''

_SYNTHETIC = "{use: synthetic, with: {papers: 10}}"
_COMMON = {
    "corpus": _SYNTHETIC,
    "perturbations": "\n  hedging: hedging",
    "agents": "\n  counter: citation-counter",
    "metrics": "[flip-rate, outcomes]",
    "reports": "[terminal]",
}
# What an experiment with a component of each kind has in place of the common parts. It needs no
# key, no network and no model.
_PARTS: dict[str, dict[str, str]] = {
    "corpus": {"corpus": "{name}"},
    "perturbation": {"perturbations": "\n  mine: {name}"},
    "constraint": {"perturbations": "\n  hedging:\n    use: hedging\n    keep-if: [{name}]"},
    "agent": {"agents": "\n  mine: {name}"},
    "defense": {
        "agents": "\n  plain: citation-counter\n  screened:\n    use: citation-counter\n"
        "    defenses: [{name}]"
    },
    "rubric": {
        "perturbations": "",
        "agents": "",
        "judges": "\n  length: length-judge",
        "rubrics": "[{name}]",
        "metrics": "[rubric-scores]",
    },
    "strategy": {
        "attack": "\n  budget: 10\n  strategies:\n    mine: {name}",
        "metrics": "[attack-success]",
    },
    "calibrator": {
        "corpus": "{{use: simulated-venue, with: {{papers: 100}}}}",
        "perturbations": "",
        "agents": "\n  first: {{use: simulated-reviewer, with: {{profile: g1}}}}\n"
        "  second: {{use: simulated-reviewer, with: {{profile: g2}}}}",
        "calibration": "\n  anchors: anchor-bank\n  maps:\n    mine: {name}",
        "metrics": "[calibration]",
    },
    "metric": {"metrics": "[{name}]"},
    "searcher": {
        "perturbations": "\n  citations: "
        "{{use: citation-injection, with: {{sources: [pool, search]}}}}",
        "services": "\n  searcher: {name}",
    },
    "embedder": {
        "perturbations": "\n  paraphrase: {{use: paraphrase, keep-if: [same-meaning]}}",
        "services": "\n  embedder: {name}",
    },
    "reporter": {"reports": "[terminal, {name}]"},
    "exporter": {},
    "executor": {"executor": "{name}"},
}


def _spec(name: str, kind: str) -> str:
    """A small experiment that uses the component."""
    parts = {**_COMMON, **{key: text.format(name=name) for key, text in _PARTS[kind].items()}}
    lines = [f"revkit: 1\nname: try-{name}"]
    for key, text in parts.items():
        if text:
            lines.append(f"{key}:{text}" if text.startswith("\n") else f"{key}: {text}")
    return "\n".join(lines) + "\n"


def try_command(name: str, kind: str) -> str:
    """The command that uses the component of a new package, from the folder of the package."""
    if kind == "exporter":
        return f"revkit export {name} experiment.yaml --out exported"
    return "revkit run experiment.yaml"


def _readme(package: str, name: str, kind: str) -> str:
    return (
        f"# {package}\n\n{with_article(kind).capitalize()} for revkit.\n\n"
        "Install it, and run its test:\n\n"
        "```console\n$ pip install -e . pytest\n$ pytest\n```\n\n"
        "Show its options, and use it in the experiment `experiment.yaml`, which needs no key:\n\n"
        f"```console\n$ revkit plugins {name}\n$ {try_command(name, kind)}\n```\n"
    )
