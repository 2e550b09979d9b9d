"""Markdown: folders of real papers, and tables of labels by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from revkit.errors import RunError
from revkit.model.paper import Labels, Paper, Skipped
from revkit.model.rating_scale import RatingScale
from revkit.testing import context
from revkit_corpora.markdown import Markdown

Load = Callable[[Markdown], tuple[list[Paper], list[Skipped]]]


def test_real_papers(shared_data: Path, load: Load) -> None:
    papers, skipped = load(Markdown(path=str(shared_data / "markdown_papers")))
    assert (len(papers), skipped) == (48, [])
    assert papers[0].id == "ICLR2018_B1QRgziT-"
    assert papers[0].title == "SPECTRAL NORMALIZATION FOR GENERATIVE ADVERSARIAL NETWORKS"
    name = shared_data / "markdown_papers/ICLR2018_B1QRgziT-.md"
    assert papers[0].text == name.read_text(encoding="utf-8")
    assert papers[0].labels == Labels()


def test_real_excerpts_in_three_suffixes(shared_data: Path, load: Load) -> None:
    papers, skipped = load(Markdown(path=str(shared_data / "texts")))
    assert (len(papers), [each.id for each in skipped]) == (6, ["index.json"])
    assert skipped[0].reason.startswith("not read: markdown reads only .md")
    assert {p.source.rsplit(".", 1)[1] for p in papers} == {"md", "tex", "txt"}


def put(root: Path, table: str, **texts: str) -> Markdown:
    folder = root / "papers"
    for name, text in texts.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "labels.csv").write_text(table)
    return Markdown(path=str(folder), labels=str(root / "labels.csv"))


def test_labels(tmp_path: Path, load: Load) -> None:
    corpus = put(
        tmp_path,
        "\ufeffid,accept,decision,ratings,confidences,rating_scale,topic\n"
        'a,true,,"6;7.5;8: good","3;;4",our-1-10,graphs\n'
        "b,,Reject (Invite to Workshop Track),5,,,\n"
        "c,yes,Reject,,,,\n"
        "d,no,Camera ready,5;6,3,,\n"
        "sub/e,maybe,,,,,\n"
        "gone,true,,,,,\n",
        a_md="# A\n\nText.",
        b_md="# B\n\nText.",
        c_txt="# C\n\nText.",
        d_tex="\\title{D}\nText.",
        sub__e_md="# E\n\nText.",
        f_md="# F\n\nText.",
    )
    papers, skipped = load(corpus)
    assert [(s.id, s.reason) for s in skipped] == [("gone", "no file for this row of labels")]
    by_id = {paper.id: paper for paper in papers}
    assert list(by_id) == ["a", "b", "c", "d", "f", "sub/e"]
    assert by_id["a"].labels == Labels(
        accept=True,
        ratings=(6.0, 7.5, 8.0),
        rating_scale="our-1-10",
        scale=RatingScale("our-1-10", 1, 10, source="declared by the user"),
        confidences=(3.0, None, 4.0),
        topic="graphs",
    )
    assert by_id["b"].labels.accept is False
    assert by_id["b"].labels.decision == "Reject (Invite to Workshop Track)"
    assert by_id["c"].labels.accept is None
    assert by_id["c"].notes == ("accept is 'yes', but decision is 'Reject': neither counts",)
    assert (by_id["d"].labels.accept, by_id["d"].title) == (False, "D")
    assert by_id["d"].labels.confidences == (None, None)
    assert "1 confidences for 2 ratings: left out" in by_id["d"].notes
    assert by_id["sub/e"].labels.accept is None
    assert by_id["sub/e"].notes == ("unknown decision 'maybe': read as neither accept nor reject",)
    assert by_id["f"].notes == ("no row in the table of labels: no labels",)


def test_same_name_in_two_suffixes(tmp_path: Path, load: Load) -> None:
    papers, skipped = load(put(tmp_path, "id\n", a_md="# A\n\nText.", a_txt="# B\n\nText."))
    assert [p.source for p in papers] == ["a.md"]
    assert skipped == [Skipped("a", "duplicate id; the first is in a.md", "a.txt")]


def test_one_file_of_any_suffix(tmp_path: Path, load: Load) -> None:
    path = tmp_path / "2604.01960.rst"
    path.write_text("Text.")
    papers, _ = load(Markdown(path=str(path)))
    assert [p.id for p in papers] == ["2604.01960"]


def test_broken_table(tmp_path: Path) -> None:
    corpus = put(tmp_path, "name,accept\n", a_md="# A\n\nText.")
    with pytest.raises(RunError, match="lacks the column id"):
        list(corpus.papers(context()))
    (tmp_path / "labels.csv").write_bytes(b"id\n\xff\n")
    with pytest.raises(RunError, match="byte 0xff at offset 3"):
        list(corpus.papers(context()))
    with pytest.raises(RunError, match="correct the option labels"):
        Markdown(path=str(tmp_path / "papers"), labels="no.csv").papers(context())


def test_an_unknown_column_of_labels_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "a.md").write_text("# A\n\nText.\n", encoding="utf-8")
    labels = tmp_path / "labels.csv"
    labels.write_text("id,acept\na,true\n", encoding="utf-8")
    corpus = Markdown(path=str(tmp_path / "papers"), labels=str(labels))
    with pytest.raises(RunError, match="did you mean 'accept'"):
        list(corpus.papers(context()))


def test_unreadable_labels_are_counted_at_the_end_of_a_run(tmp_path: Path) -> None:
    from revkit import api

    for name in "abcd":
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nWe study gates that may skip.\n")
    labels = tmp_path / "labels.csv"
    labels.write_text("id,accept,ratings\na,maybe,\nb,true,1_0\nc,true,5\nd,,\n")
    spec = {
        "revkit": 1,
        "name": "labels",
        "corpus": {"use": "markdown", "with": {"path": str(tmp_path), "labels": str(labels)}},
        "agents": {"a": "citation-counter"},
    }
    run = api.run(spec, out=tmp_path / "run", store=tmp_path / "store.db")
    unmapped = {row.id: [each.kind for each in row.labels.unmapped] for row in run.records.papers}
    assert unmapped == {"a": ["decision"], "b": ["rating"], "c": ["form"], "d": []}
    assert "(2 with labels that could not be read)" in run.closing
