"""The defense `citation-existence`: what it finds, takes out, and how the text reads then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.errors import OptionError, RunError
from revkit.model import Failure, Paper, Rejection
from revkit.testing import context
from revkit_corpora.synthetic import Synthetic
from revkit_defenses.citation_existence import CitationExistence
from revkit_defenses.reference_index import read_index
from revkit_robustrev.citation_injection import CitationInjection

ROOT = Path(__file__).resolve().parents[3]
VENUE = "package:revkit_defenses/synthetic-venue.jsonl"
POOL = "package:revkit_robustrev/pool.jsonl"

KNOWN = [
    {
        "title": "Deep Residual Learning for Image Recognition",
        "authors": ["Kaiming He", "Xiangyu Zhang"],
        "year": 2016,
        "identifier": "arXiv:1512.03385",
    },
    {"title": "On Émile", "authors": ["José Núñez Jr."], "year": 1999},
]
HE = "K. He and X. Zhang. Deep residual learning for image recognition. In CVPR, 2016."


@pytest.fixture
def index(tmp_path: Path) -> str:
    path = tmp_path / "index.jsonl"
    path.write_text("".join(json.dumps(work) + "\n" for work in KNOWN), "utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("entry", "year", "known"),
    [
        (HE, 2016, True),
        (HE.replace("2016", "2015"), 2015, True),
        (HE.replace("2016", "2012"), 2012, False),
        (HE.replace(", 2016", ""), None, True),
        (HE.replace("He", "Lee"), 2016, False),
        (HE.replace("image recognition", "parsing of trees"), 2016, False),
        ("He, K. Deep residual learning for recognition of images. 2016.", 2016, True),
        ("Deep residual learning. arXiv:1512.03385, 2020.", 2020, True),
        ("Another title. arXiv:1512.03385, 2016.", 2016, False),
        ("J. Nu´n˜ez. On E´mile. 1999.", 1999, True),
    ],
)
def test_entries_are_known_by_title_author_and_year_or_by_identifier(
    entry: str, year: int | None, known: bool, index: str
) -> None:
    found = read_index([index]).catalogue(0.8, 1).find(entry, year)
    assert (found is not None) is known


def screened(prose: str, entries: str, index: str) -> str:
    text = f"# T\n\n## 1 Introduction\n\n{prose}\n\n## References\n\n{entries}\n"
    paper = Paper(id="p", text=text)
    edits = CitationExistence(index=(index,)).screen(paper, context())
    assert not isinstance(edits, Failure)
    after = paper.edited(edits).text
    return after.split("## 1 Introduction\n\n")[1]


NUMBERED = f"[1] A. Poe. Invented works. In X, 2019.\n\n[2] {HE}\n\n[3] B. Roe. More of it. 2018."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Nets are deep [2].", "Nets are deep [2]."),
        ("Nets are deep [1].", "Nets are deep."),
        ("Nets are deep [1, 2, 3].", "Nets are deep [2]."),
        ("Nets are deep [1-3] and wide.", "Nets are deep [2] and wide."),
        ("Nets are deep [1][2].", "Nets are deep [2]."),
        ("Nets are used as in [3].", "Nets are used as in [?]."),
        ("Poe et al. [1] show this.", "Poe et al. show this."),
        ("Nets <sup>1</sup> stay.", "Nets <sup>1</sup> stay."),
        ("Nets are deep [7].", "Nets are deep [7]."),
    ],
)
def test_numbered_marks_lose_what_is_missing(before: str, after: str, index: str) -> None:
    prose, _, entries = screened(before, NUMBERED, index).partition("\n\n## References\n\n")
    assert prose == after
    assert entries == f"[2] {HE}\n"


NAMED = (
    "He, K. and Zhang, X. (2016). Deep residual learning for image recognition. In CVPR.\n\n"
    "Poe, A. and Coe, B. (2019). Invented works. In X.\n\n"
    "Roe, B., Poe, A., and Woe, C. (2018). More of it. In X."
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Nets are deep (Poe & Coe, 2019).", "Nets are deep."),
        (
            "Nets are deep (He and Zhang, 2016; Roe et al., 2018).",
            "Nets are deep (He and Zhang, 2016).",
        ),
        ("Nets (see e.g. Roe et al., 2018; He & Zhang, 2016) go.", "Nets (He & Zhang, 2016) go."),
        ("Roe et al. (2018) show this.", "Roe et al. show this."),
        (
            "As He and Zhang (2016) and Poe and Coe (2019) say.",
            "As He and Zhang (2016) and Poe and Coe say.",
        ),
        ("It is taken from (Poe & Coe, 2019).", "It is taken from [?]."),
        ("Nobody listed (Doe, 2011) stays.", "Nobody listed (Doe, 2011) stays."),
    ],
)
def test_named_marks_lose_what_is_missing(before: str, after: str, index: str) -> None:
    prose, _, entries = screened(before, NAMED, index).partition("\n\n## References\n\n")
    assert prose == after
    assert entries == NAMED.split("\n\n")[0] + "\n"


LATEX = f"\\bibitem{{poe}} A. Poe. Invented works. In X, 2019.\n\n\\bibitem{{he}} {HE}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Nets are deep~\\citep{poe}.", "Nets are deep."),
        ("Nets are deep \\cite{poe,he}.", "Nets are deep \\cite{he}."),
        ("\\citet{poe} shows this.", "[?] shows this."),
    ],
)
def test_latex_marks_lose_what_is_missing(before: str, after: str, index: str) -> None:
    prose, _, entries = screened(before, LATEX, index).partition("\n\n## References\n\n")
    assert prose == after
    assert entries == f"\\bibitem{{he}} {HE}\n"


def test_a_mark_that_can_mean_a_known_entry_stays(index: str) -> None:
    entries = NAMED + "\n\nHe, K. and Ling, Y. (2016). Quite another thing. In X."
    prose = screened("Nets are deep (He et al., 2016).", entries, index)
    assert prose.startswith("Nets are deep (He et al., 2016).")
    assert "Quite another thing" not in prose


def test_notes_say_what_was_not_found(index: str) -> None:
    paper = Paper(
        id="p", text=f"# T\n\n## 1 Method\n\nIt is deep [1].\n\n## References\n\n{NUMBERED}\n"
    )
    edits = CitationExistence(index=(index,)).screen(paper, context())
    assert not isinstance(edits, Failure)
    assert [edit.note for edit in edits] == [
        "not found: A. Poe. Invented works. In X, 2019.",
        "not found: A. Poe. Invented works. In X, 2019.",
        "not found: B. Roe. More of it. 2018.",
    ]


def test_a_paper_without_a_list_is_left_alone(index: str) -> None:
    paper = Paper(id="p", text="# T\n\nNets are deep [1].")
    assert list(CitationExistence(index=(index,)).screen(paper, context())) == []  # type: ignore[arg-type]


@given(seed=st.integers(0, 2**32))
@settings(max_examples=6, deadline=None)
def test_injected_works_go_without_a_trace_unless_the_index_knows_them(seed: int) -> None:
    blind = CitationExistence(index=(VENUE,))
    knowing = CitationExistence(index=(VENUE, POOL))
    for paper in Synthetic(papers_=3).papers(context(seed)):
        assert isinstance(paper, Paper)
        assert list(blind.screen(paper, context())) == []  # type: ignore[arg-type]
        edits = CitationInjection().perturb(paper, context(seed))
        if isinstance(edits, Rejection):  # now and then a short paper has no background sentence
            continue
        variant = paper.edited(edits)
        assert list(knowing.screen(variant, context())) == []  # type: ignore[arg-type]
        cut = blind.screen(variant, context())
        assert not isinstance(cut, Failure)
        left = variant.edited(cut).text
        entries = [line for edit in edits for line in edit.new.split("\n") if len(line) > 40]
        books = [entry for entry in entries if "MIT Press" in entry]  # they are not checked
        if not books:
            assert left == paper.text
        for entry in entries:
            assert (entry[-40:] in left) == (entry in books)


def test_identity_holds_the_content_of_the_index_and_not_its_path(
    index: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(Path(index).read_bytes())
    one, two = CitationExistence(index=(index,)), CitationExistence(index=(str(copy),))
    assert one.identity() == two.identity()
    assert one.identity() != CitationExistence(index=(index, VENUE)).identity()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 3"),
        ("[]", "expected an object"),
        ('{"year": 2000}', "needs a title, a venue"),
        ('{"index-date": "soon"}', "must be a date"),
        ('{"title": "T"}', "authors"),
        ('{"title": "T", "authors": ["A"], "year": "2000"}', "whole number"),
    ],
)
def test_an_index_with_a_fault_is_an_error_with_its_line(
    line: str, message: str, index: str
) -> None:
    with Path(index).open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    with pytest.raises(RunError, match=message):
        CitationExistence(index=(index,)).identity()


def test_an_index_must_be_named_and_there() -> None:
    with pytest.raises(OptionError, match="name at least one file"):
        CitationExistence(index=())
    with pytest.raises(RunError, match="cannot be read"):
        CitationExistence(index=("nowhere.jsonl",)).identity()
    with pytest.raises(RunError, match="'nowhere' is not installed"):
        CitationExistence(index=("package:nowhere/index.jsonl",)).identity()


def test_an_exported_run_holds_the_files_of_the_index(index: str) -> None:
    assert CitationExistence(index=(index, POOL)).files_needed() == (index, POOL)
