"""Reading: a fault of the path is an error, a fault of a file is one skipped record."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit import Paper
from revkit.errors import OptionError, RunError
from revkit.testing import context
from revkit_corpora.markdown import Markdown
from revkit_corpora.table import PaperTable

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")


def test_missing_path_names_it_and_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"nowhere does not exist; set path"):
        Markdown(path=str(tmp_path / "nowhere")).papers(context())
    with pytest.raises(RunError, match="empty path"):
        Markdown(path="").identity()


def test_folder_without_papers(tmp_path: Path) -> None:
    (tmp_path / "image.png").write_bytes(b"x")
    with pytest.raises(RunError, match=r"contains no file that ends in \.md"):
        Markdown(path=str(tmp_path)).papers(context())


def test_odd_files(tmp_path: Path, load: Callable[..., tuple[list[object], list[object]]]) -> None:
    (tmp_path / "a.md").write_text("# A\n\nText.\n")
    (tmp_path / "b.md").mkdir()
    (tmp_path / "b.md" / "inner.md").write_text("# Inner\n\nText.\n")
    (tmp_path / "c.md").symlink_to("c.md")
    (tmp_path / "d.md").symlink_to("gone.md")
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "e.md")
    (tmp_path / "f.md").write_bytes(b"ok \xff")
    (tmp_path / "g.md").write_text("\x00 \n")
    (tmp_path / "h.md").write_text("")
    (tmp_path / "-i.md").write_text("# I\n\nText.\n")
    (tmp_path / ".hidden.md").write_text("# H\n\nText.\n")
    papers, skipped = load(Markdown(path=str(tmp_path)))
    assert [p.id for p in papers] == ["-i", "a", "b.md/inner"]  # type: ignore[attr-defined]
    reasons = {s.id: s.reason for s in skipped}  # type: ignore[attr-defined]
    assert sorted(reasons) == ["c", "d", "e", "f", "g", "h"]
    assert "cannot be read" in reasons["c"]
    assert "cannot be read" in reasons["d"]
    assert reasons["e"] == "not a regular file"
    assert "byte 0xff at offset 3" in reasons["f"]
    assert reasons["g"] == reasons["h"] == "no text"


def test_links_out_of_the_folder_are_skipped(tmp_path: Path, load: Callable[..., Any]) -> None:
    inside, outside = tmp_path / "papers", tmp_path / "other"
    for folder in (inside / "deep", outside):
        folder.mkdir(parents=True)
        (folder / "a.md").write_text("# A\n\nThe text of a paper.\n")
    (inside / "within.md").symlink_to(inside / "deep" / "a.md")
    (inside / "file.md").symlink_to(outside / "a.md")
    (inside / "folder").symlink_to(outside)
    (inside / "deep" / "up.md").symlink_to("../../other/a.md")
    (inside / "gone.md").symlink_to(outside / "gone.md")
    (inside / "chain.md").symlink_to("file.md")
    corpus = Markdown(path=str(inside))
    papers, skipped = load(corpus)
    assert [paper.id for paper in papers] == ["deep/a", "within"]
    reasons = {each.id: each.reason for each in skipped}
    assert set(reasons) == {"chain.md", "deep/up.md", "file.md", "folder", "gone.md"}
    assert all("leads out of the folder" in reason for reason in reasons.values())
    assert corpus.count() == 7
    before = corpus.identity()
    (outside / "a.md").write_text("changed")
    assert corpus.identity() == before


def test_a_plan_counts_only_files_that_the_corpus_reads(tmp_path: Path) -> None:
    """Two papers among files of other formats, a label without a file and a link that leads out."""
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nThe text of a paper.\n")
    (folder / "b.tex").write_text("\\section{B} The text of a paper.\n")
    for number in range(6):
        (folder / f"{number}.pdf").write_bytes(b"%PDF-1.4")
    (tmp_path / "labels.csv").write_text("id,accept\na,true\ngone,false\n")
    (folder / "out.md").symlink_to(tmp_path / "labels.csv")
    corpus = Markdown(path=str(folder), labels=str(tmp_path / "labels.csv"))
    assert (corpus.count(), corpus.most_papers()) == (2 + 6 + 1 + 1, 2)
    spec = {
        "revkit": 1,
        "corpus": {"use": "markdown", "with": {"path": str(folder)}},
        "agents": {"a": "citation-counter"},
    }
    assert revkit.plan(spec).papers == 2


def test_the_path_itself_may_be_a_link(tmp_path: Path, load: Callable[..., Any]) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.md").write_text("# A\n\nThe text of a paper.\n")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "one.md").symlink_to("real/a.md")
    for name in ("link", "one.md"):
        papers, skipped = load(Markdown(path=str(tmp_path / name)))
        assert (len(papers), skipped) == (1, [])


def test_a_folder_of_links_out_of_it(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "a.md").write_text("# A\n\nThe text of a paper.\n")
    (tmp_path / "papers" / "a.md").symlink_to("../a.md")
    with pytest.raises(RunError, match="besides 1 symbolic links that lead out of it"):
        Markdown(path=str(tmp_path / "papers")).papers(context())


@pytest.mark.parametrize(
    ("header", "row", "name"),
    [
        ("id,accept,accept", "a,true,false", "accept"),
        ("id,accept, accept ", "a,true,false", "accept"),
        ("id,accept,id", "a,true,b", "id"),
        ("id,ratings,accept,ratings", "a,5,true,6", "ratings"),
    ],
)
def test_two_columns_of_one_name(tmp_path: Path, header: str, row: str, name: str) -> None:
    (tmp_path / "a.md").write_text("# A\n\nThe text of a paper.\n")
    labels = tmp_path / "labels.csv"
    labels.write_text(f"{header}\n{row}\n")
    message = f"labels.csv: line 1: two columns have the name '{name}'; keep one of them"
    with pytest.raises(RunError, match=message):
        list(Markdown(path=str(tmp_path / "a.md"), labels=str(labels)).papers(context()))
    (tmp_path / "t.csv").write_text(f"{header},text\n{row},The text of a paper.\n")
    with pytest.raises(RunError, match=f"t.csv: line 1: two columns have the name '{name}'"):
        list(PaperTable(path=str(tmp_path / "t.csv")).papers(context()))


def test_tables_with_whole_papers_and_with_stray_commas(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    text = "One word. " * 14_000  # above the usual limit of a cell in Python
    table.write_text(f'id,text\na,"{text}"\n')
    [paper] = PaperTable(path=str(table)).papers(context())
    assert isinstance(paper, Paper)
    assert paper.text.strip() == text.strip()
    table.write_text("id,text,accept\na,One, two words.,true\n")
    with pytest.raises(RunError, match="line 2: 4 cells, but 3 columns"):
        list(PaperTable(path=str(table)).papers(context()))


def test_name_that_is_not_utf8(tmp_path: Path, load: Callable[..., Any]) -> None:
    name = os.fsencode(tmp_path) + b"/caf\xe9.md"
    try:
        with open(name, "w") as file:
            file.write("# T\n\nText.\n")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    papers, _ = load(Markdown(path=str(tmp_path)))
    assert papers[0].id == "caf\ufffd"


def test_max_bytes_is_inclusive(tmp_path: Path, load: Callable[..., Any]) -> None:
    (tmp_path / "a.md").write_text("12345")
    (tmp_path / "b.md").write_text("123456")
    papers, skipped = load(Markdown(path=str(tmp_path), max_bytes=5))
    assert [p.id for p in papers] == ["a"]
    assert skipped[0].reason == "larger than max-bytes (5)"
    with pytest.raises(OptionError, match="max-bytes"):
        Markdown(path="x", max_bytes=0)


def test_five_megabytes_load(tmp_path: Path, load: Callable[..., Any]) -> None:
    text = "# Long\n\n" + "A sentence of the paper. " * 200_000
    (tmp_path / "long.txt").write_text(text)
    papers, _ = load(Markdown(path=str(tmp_path)))
    assert papers[0].text == text
    assert len(text) == 5_000_008


def test_identity_is_content_not_place(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.md").write_text("same")
    one, two = (Markdown(path=str(tmp_path / folder)) for folder in ("one", "two"))
    assert one.identity() == two.identity()
    (tmp_path / "two" / "a.md").write_text("more")
    assert one.identity() != two.identity()
    (tmp_path / "one" / "a.md").rename(tmp_path / "one" / "b.md")
    assert one.identity() not in (two.identity(), None)
    assert str(tmp_path) not in str(one.identity())


def test_identity_holds_no_path_of_labels(tmp_path: Path) -> None:
    identities = []
    for place in ("one", "two"):
        (tmp_path / place / "papers").mkdir(parents=True)
        (tmp_path / place / "papers" / "a.md").write_text("same")
        table = tmp_path / place / "labels.csv"
        table.write_text("id,accept\na,true\n")
        identities.append(
            Markdown(path=str(tmp_path / place / "papers"), labels=str(table)).identity()
        )
    assert identities[0] == identities[1]
    table.write_text("id,accept\na,false\n")
    changed = Markdown(path=str(tmp_path / "two" / "papers"), labels=str(table)).identity()
    assert changed != identities[0]


def test_files_that_are_not_read_are_skipped_by_name(
    tmp_path: Path, load: Callable[..., Any]
) -> None:
    (tmp_path / "a.MD").write_text("# A\n\nA text of words.\n", encoding="utf-8")
    for name in ("b.pdf", "c.rst", "sub/d.docx", ".hidden.pdf", "README.rst", "LICENSE"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    papers, skipped = load(Markdown(path=str(tmp_path)))
    assert [paper.id for paper in papers] == ["a"]
    assert [each.id for each in skipped] == ["b.pdf", "c.rst", "sub/d.docx"]
    reason = "not read: markdown reads only .md, .markdown, .txt, .tex"
    assert {each.reason for each in skipped} == {reason}


def test_one_file_alone_passes_nothing_over(tmp_path: Path, load: Callable[..., Any]) -> None:
    (tmp_path / "a.md").write_text("# A\n\nA text of words.\n", encoding="utf-8")
    (tmp_path / "b.pdf").write_bytes(b"x")
    assert load(Markdown(path=str(tmp_path / "a.md")))[1] == []
