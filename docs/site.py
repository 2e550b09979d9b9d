"""Build the documentation of several versions into one site.

``python docs/site.py OUT`` builds each release (each tag ``vX.Y.Z`` of the repository, the latest
first) and the present commit ("latest"), each into a folder of ``OUT`` with its name. Every page
lists all versions. ``OUT/index.html`` leads to the last release; without a release, to "latest".
Releases without ``docs/templates/versions.html`` are older than the site, and are left out.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path

LATEST = "latest"
_RELEASE = re.compile(r"v(\d+)\.(\d+)\.(\d+)")
_INDEX = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={0}/index.html">
<title>revkit</title>
<a href="{0}/index.html">revkit {0}</a>
</html>
"""


def releases(repository: Path) -> list[str]:
    """Return the tags of releases with this site, the latest first, by number."""
    found = {
        tuple(map(int, match.groups())): tag
        for tag in _git(repository, "tag", "--list", "v*").decode().split()
        if (match := _RELEASE.fullmatch(tag))
    }
    switch = "docs/templates/versions.html"
    return [
        tag
        for _, tag in sorted(found.items(), reverse=True)
        if _git(repository, "ls-tree", "--name-only", tag, switch)
    ]


def build_site(repository: Path, out: Path) -> list[str]:
    """Build all versions into ``out``, and return their names as pages list them."""
    tags = releases(repository)
    names = [LATEST, *tags]
    for name in names:
        with tempfile.TemporaryDirectory(prefix="revkit-docs-") as folder:
            archive = _git(repository, "archive", "HEAD" if name == LATEST else name)
            with tarfile.open(fileobj=BytesIO(archive)) as files:
                files.extractall(folder, filter="data")
            command = [sys.executable, "-m", "sphinx", "-q", "-b", "html"]
            subprocess.run(
                [*command, str(Path(folder) / "docs"), str(out / name)],
                env={
                    **os.environ,
                    "REVKIT_DOCS_VERSIONS": " ".join(names),
                    "REVKIT_DOCS_VERSION": name,
                },
                check=True,
            )
    (out / "index.html").write_text(_INDEX.format((tags or names)[0]), encoding="utf-8")
    return names


def _git(repository: Path, *words: str) -> bytes:
    command = ["git", "-C", str(repository), *words]
    return subprocess.run(command, check=True, capture_output=True).stdout


if __name__ == "__main__":
    built = build_site(Path(__file__).resolve().parent.parent, Path(sys.argv[1]))
    print(f"{', '.join(built)} in {sys.argv[1]}")
