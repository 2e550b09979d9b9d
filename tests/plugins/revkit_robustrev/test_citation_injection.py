"""The family `citation-injection`, on papers written by hand and on real ones."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.errors import OptionError, RunError
from revkit.model import Edit, Paper, Rejection, apply_edits, inverse_edits
from revkit.testing import context
from revkit_robustrev.citation_injection import CitationInjection

MARKDOWN = Path(__file__).resolve().parents[4] / "shared" / "data" / "markdown_papers"

WORKS: list[dict[str, Any]] = [
    {
        "key": "vaswani2017",
        "title": "Attention Is All You Need",
        "authors": ["Ashish Vaswani", "Noam Shazeer", "Niki Parmar"],
        "et_al": True,
        "year": 2017,
        "venue": "NeurIPS",
        "identifier": "arXiv:1706.03762",
        "topics": ["machine-translation"],
        "keywords": ["transformer", "self-attention"],
    },
    {
        "key": "kipf2017",
        "title": "Semi-Supervised Classification with Graph Convolutional Networks",
        "authors": ["Thomas N. Kipf", "Max Welling"],
        "et_al": False,
        "year": 2017,
        "venue": "ICLR",
        "identifier": "arXiv:1609.02907",
        "topics": ["machine-translation"],
        "keywords": ["transformer", "graph convolution"],
    },
    {
        "key": "maaten2008",
        "title": "Visualizing Data using t-SNE",
        "authors": ["Laurens van der Maaten"],
        "et_al": False,
        "year": 2008,
        "venue": "Journal of Machine Learning Research",
        "identifier": "",
        "topics": ["machine-translation"],
        "keywords": ["transformer", "sentence embedding"],
    },
]

BODY = """# A Study of the Transformer

## Abstract

The transformer changed machine translation, and we study its self-attention in detail here.

## 1 Introduction

Machine translation with the transformer has become a standard tool in many research groups{a}.
{b}Attention layers of the transformer relate distant words of a sentence to each other directly.
Sentence embedding methods and graph convolution serve a wide range of applications across fields.
We propose a method that improves the transformer by 3 points.
Modern speech systems convert recorded audio into written text with considerable precision.

## 2 Results

Our transformer reaches 31.2 points of accuracy in machine translation.

## References

{references}
"""
NUMBERED = BODY.format(
    a=" [1, 2]",
    b="",
    references="[1] J. Doe and R. Roe. Translation at rest. In ACL, 2016.\n"
    "[2] A. Poe. Words in motion. In ICML, 2018.",
)
NAMED = BODY.format(
    a=" (Doe and Roe, 2016; Zimmer, 2018)",
    b="",
    references="- Doe, J. and Roe, R. (2016). Translation at rest. In ACL.\n"
    "- Nole, B. (2011). Rest at translation. In ACL.\n"
    "- Zimmer, A. (2018). Words in motion. In ICML.",
)
LATEX = BODY.format(
    a="~\\citep{doe2016,poe2018}",
    b="",
    references="\\bibitem{doe2016} J. Doe and R. Roe. Translation at rest. In ACL, 2016.\n\n"
    "\\bibitem{poe2018} A. Poe. Words in motion. In ICML, 2018.",
)


@pytest.fixture
def pool(tmp_path: Path) -> str:
    return write(tmp_path, WORKS)


def write(folder: Path, works: Sequence[dict[str, Any]]) -> str:
    path = folder / "pool.jsonl"
    path.write_text("".join(json.dumps(work) + "\n" for work in works), "utf-8")
    return str(path)


def injected(text: str, pool: str, seed: int = 0) -> tuple[Paper, list[Edit]]:
    paper = Paper(id="p", text=text, title="A Study of the Transformer")
    edits = CitationInjection(count=(3, 3), pool=pool).perturb(paper, context(seed))
    assert not isinstance(edits, Rejection), edits
    return paper, list(edits)


def of_kind(edits: Sequence[Edit], kind: str) -> str:
    return "".join(edit.new for edit in edits if edit.note.startswith(kind))


def test_numbered_papers_get_the_next_free_numbers_at_the_end_of_the_list(pool: str) -> None:
    paper, edits = injected(NUMBERED, pool)
    numbers = re.findall(r"\d+", of_kind(edits, "cites"))
    assert sorted(numbers) == ["3", "4", "5"]
    text = apply_edits(paper.text, edits)
    new = text[text.index("In ICML, 2018.") + len("In ICML, 2018.") :]
    assert sorted(re.sub(r"\[\d\]", "[n]", line) for line in new.strip().split("\n")) == [
        "[n] A. Vaswani, N. Shazeer, N. Parmar, et al. Attention Is All You Need. "
        "In NeurIPS, 2017.",
        "[n] L. van der Maaten. Visualizing Data using t-SNE. "
        "Journal of Machine Learning Research, 2008.",
        "[n] T. N. Kipf and M. Welling. Semi-Supervised Classification with Graph Convolutional "
        "Networks. In ICLR, 2017.",
    ]
    assert [line[:3] for line in new.strip().split("\n")] == ["[3]", "[4]", "[5]"]


def test_named_papers_get_names_and_entries_at_their_alphabetical_place(pool: str) -> None:
    paper, edits = injected(NAMED, pool)
    marks = of_kind(edits, "cites")
    assert "Vaswani et al., 2017" in marks
    assert "Kipf and Welling, 2017" in marks
    assert "van der Maaten, 2008" in marks
    entries = apply_edits(paper.text, edits).split("## References\n\n")[1]
    assert entries == (
        "- Doe, J. and Roe, R. (2016). Translation at rest. In ACL.\n"
        "- Kipf, T. N. and Welling, M. (2017). Semi-Supervised Classification with Graph "
        "Convolutional Networks. In ICLR.\n"
        "- Nole, B. (2011). Rest at translation. In ACL.\n"
        "- van der Maaten, L. (2008). Visualizing Data using t-SNE. "
        "Journal of Machine Learning Research.\n"
        "- Vaswani, A., Shazeer, N., Parmar, N., et al. (2017). Attention Is All You Need. "
        "In NeurIPS.\n"
        "- Zimmer, A. (2018). Words in motion. In ICML.\n"
    )


def test_latex_papers_get_keys(pool: str) -> None:
    _, edits = injected(LATEX, pool)
    marks = of_kind(edits, "cites")
    for key in ("vaswani2017", "kipf2017", "maaten2008"):
        assert key in marks
        assert f"\\bibitem{{{key}}} " in of_kind(edits, "lists")
    assert marks.startswith(("~\\citep{", ","))


def test_marks_keep_to_background_sentences(pool: str) -> None:
    for seed in range(12):
        paper, edits = injected(NUMBERED, pool, seed)
        for edit in edits:
            if edit.kind == "mark":
                sentence = paper.text[: edit.start].rsplit("\n", 1)[1]
                assert "We propose" not in sentence
                assert "Our transformer" not in sentence
                assert "changed machine" not in sentence


@pytest.mark.parametrize("text", [NUMBERED, NAMED, LATEX])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_edits_insert_can_be_undone_and_pass_all_gates(
    text: str, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    pool = write(tmp_path_factory.mktemp("pool"), WORKS)
    family = CitationInjection(count=(2, 3), pool=pool)
    paper = Paper(id="p", text=text, title="A Study of the Transformer")
    edits = family.perturb(paper, context(seed))
    assert not isinstance(edits, Rejection)
    assert all(edit.start == edit.end for edit in edits)
    assert list(edits) == family.perturb(paper, context(seed))
    after = apply_edits(text, edits)
    assert apply_edits(after, inverse_edits(text, edits)) == text
    checks = family.gates(paper, edits, context(seed))
    assert [check.name for check in checks if not check.passed] == []
    assert checks[0].value in (2, 3)


def placed(sentence: str, pool: str, section: str = "1 Introduction") -> list[str]:
    """The keys of the works cited in ``sentence``, over several seeds, with one work wanted."""
    head = (
        "# A Study of the Transformer\n\n## Abstract\n\nThe transformer and graph convolution.\n\n"
    )
    end = "\n\n## References\n\n[1] J. Doe. Rest. In ACL, 2018.\n[2] A. Poe. Sea. In ACL, 2018.\n"
    text = f"{head}## {section}\n\n{sentence} Graph convolution and the transformer.{end}"
    found: set[str] = set()
    for seed in range(4):
        paper = Paper(id="p", text=text)
        edits = CitationInjection(count=(1, 1), pool=pool).perturb(paper, context(seed))
        if not isinstance(edits, Rejection):
            found.update(key for e in edits if e.kind == "mark" for key in e.about)
    return sorted(found)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Many systems learn from relations with graph convolution [1, 2].", ["kipf2017"]),
        (
            "Graph convolution [1, 2] is used beside the methods of other fields [1, 2].",
            ["kipf2017"],
        ),
        ("Graph convolution has become a popular tool in chemistry and in biology.", ["kipf2017"]),
        ("We apply graph convolution to the sentences of a long document [1, 2].", []),
        ("The ensemble is dominated by shallow layers of graph convolution in the end.", []),
        ("It is known that graph convolution suffers from noise in many such cases.", []),
        ("Our graph convolution often improves on popular methods of other people.", []),
        (
            "A popular tool of this kind is the well known graph convolution layer of KipfNet [1].",
            [],
        ),
    ],
)
def test_a_work_goes_only_where_the_sentence_names_its_subject(
    sentence: str, expected: list[str], pool: str
) -> None:
    assert placed(sentence, pool) == expected


def test_without_a_named_subject_works_on_the_papers_own_stand_in_background(pool: str) -> None:
    sentence = "Farmers have long known that rain in spring makes for grass in summer [1, 2]."
    assert set(placed(sentence, pool)) in (
        {"kipf2017"},
        {"vaswani2017"},
        {"kipf2017", "vaswani2017"},
    )


@pytest.mark.parametrize("section", ["3 Method", "4 Experiments", "5 Results"])
def test_no_sentence_of_method_or_results_gets_a_mark_of_its_own(section: str, pool: str) -> None:
    sentence = "Graph convolution has become a popular tool in chemistry and in biology."
    assert placed(sentence, pool, section) == []


def test_gates_find_a_mark_without_its_entry_and_a_changed_word(pool: str) -> None:
    family = CitationInjection(count=(3, 3), pool=pool)
    paper, edits = injected(NUMBERED, pool)
    pruned = [edit for edit in edits if edit.kind != "entry"]
    failed = {c.name for c in family.gates(paper, pruned, context()) if not c.passed}
    assert failed >= {"injected-references", "unmatched-citations"}
    at = NUMBERED.index("standard tool")
    changed = [*edits, Edit(at, at + 8, "popular", "")]
    failed = {c.name for c in family.gates(paper, changed, context()) if not c.passed}
    assert failed == {"text-outside-citations"}


@pytest.mark.parametrize(
    "entry",
    [
        "[3] A. Vaswani et al. Attention is All you Need. In NIPS, 2017.",
        "[3] A. Vaswani. Attention is all you really need. arXiv:1706.03762, 2018.",
        "[3] Vaswani and others. Is attention all you need? CoRR, 2018.",
        "[3] S. Vaswani. Something else altogether. In KDD, 2017.",
    ],
    ids=["title", "identifier", "author-and-words", "ambiguous-author-and-year"],
)
def test_a_work_that_the_list_holds_or_could_be_taken_for_is_not_added(
    entry: str, pool: str
) -> None:
    paper = Paper(id="p", text=NUMBERED + entry + "\n")
    family = CitationInjection(count=(2, 2), pool=pool)
    for seed in range(5):
        edits = family.perturb(paper, context(seed))
        assert not isinstance(edits, Rejection)
        assert "vaswani2017" not in " ".join(edit.note for edit in edits)


def test_neither_the_paper_itself_nor_a_newer_work_is_added(tmp_path: Path) -> None:
    newer = {**WORKS[1], "key": "newer", "year": 2019}
    family = CitationInjection(count=(1, 1), pool=write(tmp_path, [WORKS[0], newer, WORKS[2]]))
    paper = Paper(id="p", text=NUMBERED, title="Attention is all you need.")
    for seed in range(5):
        edits = family.perturb(paper, context(seed))
        assert not isinstance(edits, Rejection)
        assert {edit.note for edit in edits} == {"cites maaten2008", "lists maaten2008"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (NUMBERED.split("## References")[0], "no reference list"),
        (NUMBERED.replace("[1] J.", "J.").replace("[2] A.", "A."), "the reference list has none"),
        (
            "# T\n\nOne.\n\n## References\n\n[1] J. Doe. Rest. In ACL, 2019.\n",
            "works of the pool fit",
        ),
    ],
)
def test_papers_that_cannot_take_a_reference_are_rejected(
    text: str, reason: str, pool: str
) -> None:
    answer = CitationInjection(pool=pool).perturb(Paper(id="p", text=text), context())
    assert isinstance(answer, Rejection)
    assert reason in answer.reason


def test_identity_holds_the_content_of_the_pool_and_not_its_path(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one = CitationInjection(pool=write(tmp_path / "a", WORKS)).identity()
    two = CitationInjection(pool=write(tmp_path / "b", WORKS)).identity()
    assert one == two
    three = CitationInjection(pool=write(tmp_path / "b", WORKS[:2])).identity()
    assert one != three


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 4"),
        ('{"key": "x", "year": 2000}', "title is missing"),
        (json.dumps({**WORKS[0], "key": "n", "year": "2017"}), "whole number"),
        (json.dumps({**WORKS[0], "key": "n", "authors": []}), "authors"),
        (json.dumps(WORKS[0]), "comes twice"),
        (json.dumps({**WORKS[0], "key": "two words"}), "without blanks"),
    ],
)
def test_a_pool_with_a_fault_is_an_error_with_its_line(
    line: str, message: str, tmp_path: Path
) -> None:
    path = write(tmp_path, WORKS)
    with Path(path).open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    with pytest.raises(RunError, match=message):
        CitationInjection(pool=path).identity()


def test_a_pool_that_is_missing_or_empty_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="cannot be read"):
        CitationInjection(pool=str(tmp_path / "none")).identity()
    (tmp_path / "empty").write_text("\n", "utf-8")
    with pytest.raises(RunError, match="is empty"):
        CitationInjection(pool=str(tmp_path / "empty")).identity()


def test_the_count_must_rise() -> None:
    with pytest.raises(OptionError, match="must not exceed"):
        CitationInjection(count=(5, 3))


@pytest.mark.skipif(not MARKDOWN.is_dir(), reason="the shared real papers are not here")
def test_real_papers_get_three_to_five_and_keep_their_text() -> None:
    family = CitationInjection()
    made = 0
    for path in sorted(MARKDOWN.glob("*.md"))[::6]:
        text = path.read_text("utf-8")
        paper = Paper(id=path.stem, text=text)
        edits = family.perturb(paper, context(1))
        if isinstance(edits, Rejection):
            continue
        made += 1
        assert apply_edits(apply_edits(text, edits), inverse_edits(text, edits)) == text
        checks = {check.name: check for check in family.gates(paper, edits, context(1))}
        assert checks.pop("reparsed-references").value is not None
        assert [check.name for check in checks.values() if not check.passed] == []
    assert made >= 2
