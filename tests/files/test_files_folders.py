"""Folders: which files of a corpus are found, in which order, and what tells them apart."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from revkit.errors import RunError
from revkit.files import CorpusFile, digest_of_files, files_under, find_files, root_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")


def test_order_is_by_name_whatever_the_folder_says(tmp_path: Path) -> None:
    for name in ("b.md", "a/z.md", "a-1.md", "B.md", "2604.01960.md", ".x.md", "~$b.md", "c.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    names = [found.name for found in files_under(tmp_path, (".md",))]
    assert names == ["2604.01960.md", "B.md", "a-1.md", "a/z.md", "b.md"]
    assert next(f.stem for f in files_under(tmp_path, [".md"], deep=False)) == "2604.01960"
    assert len(files_under(tmp_path, [".md"], deep=False)) == 4


def test_links_are_followed_once_and_dead_ones_are_found(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.md").write_text("x")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "dead.md").symlink_to("gone.md")
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "y.md").write_text("y")
    (tmp_path / "b").symlink_to(outside)
    assert [f.name for f in files_under(tmp_path, (".md",))] == ["a/x.md", "b/y.md", "dead.md"]


def test_a_folder_that_cannot_be_opened_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    listed = os.listdir

    def listdir(path: Path) -> list[str]:
        if Path(path).name == "a":
            raise PermissionError
        return listed(path)

    monkeypatch.setattr(os, "listdir", listdir)
    assert files_under(tmp_path, (".md",)) == [CorpusFile(tmp_path / "a", "a")]


def test_one_file_is_a_corpus_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.odd").write_text("x")
    assert find_files(tmp_path / "a.odd", (".md",)) == [CorpusFile(tmp_path / "a.odd", "a.odd")]
    with pytest.raises(RunError, match=r"contains no file that ends in \.md, \.txt"):
        find_files(tmp_path, (".md", ".txt"))


@pytest.mark.parametrize("path", ["", "nowhere", "a\0b", "~/nowhere-at-all"])
def test_a_path_that_leads_nowhere_names_the_corpus(path: str) -> None:
    with pytest.raises(RunError, match=r"^mine: .* does not exist; set path"):
        root_of("mine", path)


def test_the_digest_knows_names_and_content_and_no_place(tmp_path: Path) -> None:
    digests = []
    for folder, name, text in (
        ("one", "a.md", "x"),
        ("two", "a.md", "x"),
        ("three", "b.md", "x"),
        ("four", "a.md", "y"),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(text)
        digests.append(digest_of_files(find_files(tmp_path / folder, (".md",))))
    assert digests[0] == digests[1]
    assert len(set(digests)) == 3
