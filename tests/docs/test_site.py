"""The site of several versions: which it has, and that each page links all of them."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


def site() -> ModuleType:
    spec = importlib.util.spec_from_file_location("site_of_versions", DOCS / "site.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    command = ["git", "-C", str(folder), *who, *words]
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a release that is older than the site, and two others."""
    folder = tmp_path / "repository"
    docs = folder / "docs"
    (docs / "inner").mkdir(parents=True)
    (docs / "index.md").write_text("# First\n\n```{toctree}\ninner/page\n```\n", encoding="utf-8")
    (docs / "inner" / "page.md").write_text("# Inner\n", encoding="utf-8")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "old")
    git(folder, "tag", "v0.8.0")
    shutil.copy(DOCS / "conf.py", docs)
    shutil.copytree(DOCS / "templates", docs / "templates")
    for tag in ("v0.9.0", "v0.10.0", "v-draft"):
        (docs / "inner" / "page.md").write_text(f"# Inner of {tag}\n", encoding="utf-8")
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", tag)
        git(folder, "tag", tag)
    return folder


def test_each_version_links_all_of_them(repository: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    names = site().build_site(repository, out)
    assert names == ["latest", "v0.10.0", "v0.9.0"]  # by number, not by letter
    for name in names:
        for page, root in (("index.html", "./"), ("inner/page.html", "../")):
            text = (out / name / page).read_text(encoding="utf-8")
            links = re.findall(r'href="([^"]*)/index.html"[^>]*>(latest|v[\d.]+)<', text)
            assert links == [(f"{root}../{each}", each) for each in names]
            (current,) = re.findall(r'aria-current="true">([^<]*)<', text)
            assert current == name
    for name in ("v0.9.0", "v0.10.0"):
        text = (out / name / "inner/page.html").read_text(encoding="utf-8")
        assert f"Inner of {name}" in text
    assert "url=v0.10.0/index.html" in (out / "index.html").read_text(encoding="utf-8")
