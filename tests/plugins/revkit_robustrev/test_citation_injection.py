"""The family `citation-injection`, on papers written by hand and on real ones."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.contracts import Context, Peer, Services
from revkit.errors import OptionError, RunError
from revkit.model import Edit, Failure, Paper, Rejection, Work, apply_edits, inverse_edits
from revkit.model.structure import Reference
from revkit.testing import context
from revkit_robustrev.citation_entries import entry_format
from revkit_robustrev.citation_injection import CitationInjection
from revkit_robustrev.citation_marks import mark_format
from revkit_robustrev.citation_parser import read_entry
from revkit_robustrev.citation_pool import PoolWork

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
        "keywords": ["transformer", "self-attention", "attention layers"],
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
        "keywords": ["graph convolution"],
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
        "keywords": ["sentence embedding", "data visualization"],
    },
]

BODY = """# A Study of the Transformer

## Abstract

The transformer changed machine translation, and we study its self-attention in detail here.

## 1 Introduction

Machine translation with a transformer has become a standard tool in many research groups{a}.
Visualizing data is done with a sentence embedding, or with classification by graph convolution.
We propose a method that improves the transformer by 3 points.
Modern speech systems convert recorded audio into written text with considerable precision.

## 2 Results

Our transformer reaches 31.2 points of accuracy in machine translation.

## References

{references}
"""
NUMBERED = BODY.format(
    a=" [1, 2]",
    references="[1] J. Doe and R. Roe. Translation at rest. In ACL, 2016.\n"
    "[2] A. Poe. Words in motion. In ICML, 2018.",
)
NAMED = BODY.format(
    a=" (Doe and Roe, 2016; Zimmer, 2018)",
    references="- Doe, J. and Roe, R. (2016). Translation at rest. In ACL.\n"
    "- Nole, B. (2011). Rest at translation. In ACL.\n"
    "- Zimmer, A. (2018). Words in motion. In ICML.",
)
LATEX = BODY.format(
    a="~\\citep{doe2016,poe2018}",
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
    family = CitationInjection(count=(3, 3), pool=pool, sources=("pool",), floor=0.0)
    edits = family.perturb(paper, context(seed))
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
        "[n] A. Vaswani, N. Shazeer, N. Parmar, et al. Attention Is All You Need. In NIPS, 2017.",
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
        "In NIPS.\n"
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
    family = CitationInjection(count=(2, 3), pool=pool, sources=("pool",), floor=0.0)
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


HEAD = "# A Study of the Transformer\n\n## Abstract\n\nThe transformer and graph convolution.\n\n"
NEWER_ENTRY = "[2] A. Poe. Sea. In ACL, 2022."
NEWER = f"\n\n## References\n\n[1] J. Doe. Rest. In ACL, 2018.\n{NEWER_ENTRY}\n"
END = "\n\n## References\n\n[1] J. Doe. Rest. In ACL, 2018.\n[2] A. Poe. Sea. In ACL, 2018.\n"


def placed(sentence: str, pool: str | None, references: str = END) -> str:
    """``sentence`` with the one work that is wanted; unchanged where none fits."""
    paper = Paper(id="p", text=f"{HEAD}## 1 Introduction\n\n{sentence}{references}")
    family = CitationInjection(count=(1, 1), pool=pool, sources=("pool",))
    edits = family.perturb(paper, context())
    if isinstance(edits, Rejection):
        return sentence
    marks = [edit for edit in edits if edit.kind == "mark"]
    return apply_edits(paper.text, marks).split("## 1 Introduction\n\n")[1].split("\n\n## Ref")[0]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Graph convolutions are a popular tool for classification in chemistry.",
            "Graph convolutions [3] are a popular tool for classification in chemistry.",
        ),
        (
            "Semi-supervised classification, as with graph convolution, is known in chemistry.",
            "Semi-supervised classification, as with graph convolution [3], is known in chemistry.",
        ),
        # The short form in brackets, and a general head, belong to the name.
        (
            "Semi-supervised classification by graph convolution (GC) is known in chemistry.",
            "Semi-supervised classification by graph convolution (GC) [3] is known in chemistry.",
        ),
        (
            "Semi-supervised classification by graph convolution methods is known elsewhere.",
            "Semi-supervised classification by graph convolution methods [3] is known elsewhere.",
        ),
        # A verb after the name is not a part of it.
        (
            "Semi-supervised classification by graph convolution requires labels of nodes.",
            "Semi-supervised classification by graph convolution [3] requires labels of nodes.",
        ),
    ],
)
def test_a_work_goes_right_after_the_name_of_its_subject(
    sentence: str, expected: str, pool: str
) -> None:
    assert placed(sentence, pool) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        # About the paper itself.
        "We apply graph convolution to the classification of long documents [1, 2].",
        "Classification with our graph convolution is popular among other people.",
        "The proposed classification rests on graph convolution and on little else.",
        # A finding: the work would be its source.
        "It has been shown that graph convolution is good for classification [1].",
        "Classification by graph convolution outperforms all other known networks [1, 2].",
        "Doe et al. classify with graph convolution, which is good for classification.",
        # A part of a longer name, another name before it, or a name with its own work.
        "Classification with graph convolution networks is popular among many people.",
        "Classification with spectral graph convolution is popular among many people.",
        "Classification with 3D graph convolution is popular among very many people.",
        "Classification with graph convolution (see below) is popular among many people.",
        "Classification with a new graph convolution is popular among very many people.",
        # A certain one, one that the next words restrict, one that the sentence refers back to.
        "The classification with the graph convolution is popular among many people.",
        "Classification with graph convolution that is deep is popular among people.",
        "Classification with graph convolution without any bias is popular elsewhere.",
        "Classification has an effect on such graph convolution that few people like.",
        "Classification with this kind of graph convolution is popular among many people.",
        "The same classification has been popular in graph convolution for a long time.",
        # A marker follows: its works support the whole clause.
        "Classification of related items often uses graph convolution [1, 2].",
        "Classification has led to success of graph convolution [1, 2] among people.",
        # Measured, a question.
        "Classification by graph convolution has an error of 3.5 points in such cases.",
        "Why is classification by graph convolution popular among so many people?",
    ],
)
def test_no_work_is_credited_with_what_is_not_its_own(sentence: str, pool: str) -> None:
    assert placed(sentence, pool) == sentence


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        # Names of one thing may follow "the", and a name may begin the sentence.
        (
            "Most people train by the Adam optimizer and by a large constant step.",
            "Most people train by the Adam optimizer [3] and by a large constant step.",
        ),
        (
            "Dropout is popular among many people who train by examples alone.",
            "Dropout [3] is popular among many people who train by examples alone.",
        ),
        # Words of grammar within a name.
        (
            "Many people have looked at in-context learning for a long time already.",
            "Many people have looked at in-context learning [3] for a long time already.",
        ),
        # Common words count in capitals only.
        (
            "Many people use REINFORCE for want of another estimate of the gradient.",
            "Many people use REINFORCE [3] for want of another estimate of the gradient.",
        ),
        (
            "Such steps reinforce, for want of another word, the habits of many people.",
            "Such steps reinforce, for want of another word, the habits of many people.",
        ),
        # A whole field: not at the end of a statement, nor where the next words restrict it.
        (
            "Many people like machine learning and have liked it for a long time.",
            "Many people like machine learning [3] and have liked it for a long time.",
        ),
        (
            "Many people like to look at the sea and at machine learning.",
            "Many people like to look at the sea and at machine learning.",
        ),
        (
            "Many people like machine learning for the sea and for little else.",
            "Many people like machine learning for the sea and for little else.",
        ),
    ],
)
def test_the_built_in_subjects_state_how_a_name_is_written(sentence: str, expected: str) -> None:
    assert placed(sentence, None, NEWER) == expected


def test_a_subject_with_several_meanings_needs_its_context() -> None:
    sentence = "Distillation is popular among many people who live near the sea."
    assert placed(sentence, None, NEWER) == sentence
    context_ = "\n\nA student learns. The student reads. No student sleeps."
    assert placed(sentence + context_, None, NEWER).startswith("Distillation [3] is popular")


def test_a_short_title_within_another_is_not_the_same_work() -> None:
    sentence = "Many people have looked at active learning for a long time already."
    other = "[2] A. Poe. Sea and active learning. In ACL, 2022."
    assert "active learning [3]" in placed(sentence, None, NEWER.replace(NEWER_ENTRY, other))
    same = "[2] B. Settles. Active Learning. Morgan and Claypool, 2022."
    assert placed(sentence, None, NEWER.replace(NEWER_ENTRY, same)) == sentence


def test_a_marker_after_a_name_belongs_to_that_one_work(tmp_path: Path) -> None:
    work = {**WORKS[0], "keywords": ["BERT"], "title": "BERT and its classification"}
    pool = write(tmp_path, [work])
    sentence = "Classification with BERT [1] is a popular tool among very many people."
    assert placed(sentence, pool) == sentence
    bare = sentence.replace(" [1]", "")
    assert placed(bare, pool) == bare.replace("BERT", "BERT [3]")


def paper_citing(phrase: str, name: str) -> Paper:
    """A paper that cites one work after ``phrase``."""
    return Paper(
        id=name,
        text=f"# On {name}\n\n## 1 Introduction\n\nMuch work on {name} uses {phrase} (Kane et "
        f"al., 2015) for the masking of words.\n\n## References\n\nAnn B. Kane, Bo Li, and Cy Oz. "
        "Masked reading of words. In ACL, pp. 3-9, 2015.\n",
    )


def corpus_of(*papers: Paper) -> Services:
    peers = tuple(Peer(paper) for paper in papers)
    return Services(peers=lambda: peers)


def test_what_two_other_papers_cite_for_a_subject_is_cited_for_it() -> None:
    target = Paper(
        id="t",
        text="# T\n\n## 1 Introduction\n\nReaders of words are often trained with span masking.\n\n"
        "## References\n\nJo Doe. Rest. In ACL, 2018.\n\nZoe Fry. Sea. In ACL, 2018.\n",
    )
    family = CitationInjection(count=(1, 1), sources=("corpus",))
    one, two = paper_citing("span masking", "tea"), paper_citing("span masking", "rice")
    alone = family.perturb(target, Context(0, corpus_of(target, one), family.uses))
    assert isinstance(alone, Rejection)
    edits = family.perturb(target, Context(0, corpus_of(target, one, two), family.uses))
    assert not isinstance(edits, Rejection)
    text = apply_edits(target.text, edits)
    assert "trained with span masking (Kane et al., 2015).\n" in text
    assert (
        "Ann B. Kane, Bo Li, and Cy Oz. Masked reading of words. In ACL, pp. 3-9, 2015.\n" in text
    )
    # A paper does not support itself.
    itself = family.perturb(one, Context(0, corpus_of(one, two), family.uses))
    assert isinstance(itself, Rejection)


def test_a_searcher_serves_fields_that_no_pool_has() -> None:
    target = Paper(
        id="t",
        text="# T\n\n## 1 Introduction\n\nRiver sediment transport is of use to many engineers. "
        "Sediment transport is slow.\n\n## References\n\nJo Doe. Rest. In ACL, 2018.\n",
    )
    found = [
        Work("Sediment transport in rivers", ("Ed Ode",), 1999, "Hydrology", "doi:10.1/x"),
        Work("Sediment transport in time", ("Al Orr",), 2020),  # newer than the newest reference
        Work("Sediment transport at sea", (), 1999),
    ]
    family = CitationInjection(count=(1, 1), sources=("search",))
    services = Services(search=lambda query, limit: found)
    edits = family.perturb(target, Context(0, services, family.uses))
    assert not isinstance(edits, Rejection)
    text = apply_edits(target.text, edits)
    assert "Ed Ode. Sediment transport in rivers. Hydrology, 1999.\n" in text
    assert "transport (Ode, 1999) is" in text
    refused = Services(search=lambda query, limit: Failure("timeout", "late"))
    assert isinstance(family.perturb(target, Context(0, refused, family.uses)), Rejection)


def test_a_sentence_must_be_near_to_the_work_by_the_embedder(pool: str) -> None:
    paper = Paper(id="p", text=NUMBERED, title="A Study of the Transformer")
    far = Services(embed=lambda texts: np.eye(len(texts), dtype=np.float32))
    near = Services(embed=lambda texts: np.ones((len(texts), 1), dtype=np.float32))
    family = CitationInjection(count=(3, 3), pool=pool, sources=("pool",), nearness="embedding")
    assert family.uses == ("embedder",)
    assert isinstance(family.perturb(paper, Context(0, far, family.uses)), Rejection)
    assert not isinstance(family.perturb(paper, Context(0, near, family.uses)), Rejection)


def entry(text: str, year: int) -> PoolWork | None:
    return read_entry(Reference(0, len(text), "", text, year))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Alec Radford, Jeff Wu, and Ilya Sutskever. Language models are unsupervised multitask "
            "learners. 2019.",
            (("Alec Radford", "Jeff Wu", "Ilya Sutskever"), "", ""),
        ),
        (
            "T. N. Kipf and M. van der Wal. Language models are unsupervised multitask learners. "
            "In ICML, pp. 3-9. PMLR, 2019.",
            (("T. N. Kipf", "M. van der Wal"), "ICML, pp. 3-9", ""),
        ),
        (
            "Lee, J. and Kim, S. B. (2019). Language models are unsupervised multitask learners. "
            "Nature, 5(2):3-9.",
            (("J. Lee", "S. B. Kim"), "Nature, 5(2):3-9", ""),
        ),
        (
            "Jo Doe et al. Language models are unsupervised multitask learners. _arXiv "
            "preprint arXiv:1901.00001_, 2019.",
            (("Jo Doe",), "", "arXiv:1901.00001"),
        ),
    ],
)
def test_an_entry_is_read_as_a_work(text: str, expected: tuple[object, ...]) -> None:
    work = entry(text, 2019)
    assert work is not None
    assert work.title == "Language models are unsupervised multitask learners"
    assert (work.authors, work.venue, work.identifier) == expected


@pytest.mark.parametrize(
    "text",
    [
        "OpenAI. Gpt-4 technical report, 2019.",
        "J. Doe. Inter_national rest at the sea. In ACL, 2019.",
        "(b) About the second problem. In the appendix, 2019.",
        "Jo Doe. In ICML, pp. 3-9, 2019.",
        "Bernhard Sch¨olkopf. Learning with kernels at rest. MIT Press, 2019.",
        "x" * 5_000,
        "",
    ],
)
def test_an_entry_in_doubt_is_no_work(text: str) -> None:
    assert entry(text, 2019) is None


@pytest.mark.parametrize(
    ("venue", "year", "newest", "expected"),
    [
        ("NeurIPS", 2015, 2016, "In NIPS, 2015."),
        ("NeurIPS", 2018, 2018, "In NIPS, 2018."),
        ("NeurIPS", 2018, 2020, "In NeurIPS, 2018."),
        ("NeurIPS", 2015, 2020, "In NIPS, 2015."),
        ("ICLR", 2015, 2016, "In ICLR, 2015."),
    ],
)
def test_venues_have_the_name_of_their_year(
    venue: str, year: int, newest: int, expected: str
) -> None:
    text = f"Jo Doe. Rest at the sea. In ICML, {newest}."
    form = entry_format(text, [Reference(0, len(text), "", text, newest)])
    work = entry(f"Ann Kane. Sea at the rest. {venue}, {year}.", year)
    assert work is not None
    assert form.entry(work, "").endswith(expected)


def test_a_list_that_writes_venues_in_full_gets_them_in_full() -> None:
    text = "Jo Doe. Rest at the sea. In: International Conference on Machine Learning, 2016."
    form = entry_format(text, [Reference(0, len(text), "", text, 2016)])
    work = entry("Ann Kane. Sea at the rest. NeurIPS, 2015.", 2015)
    assert work is not None
    assert form.entry(work, "") == (
        "Ann Kane. Sea at the rest. In: Advances in Neural Information Processing Systems, 2015."
    )


def test_marks_with_the_year_in_brackets_are_written_so() -> None:
    text = (
        "# T\n\n## 1 Introduction\n\nWords rest (Doe et al. (2012); Kane (2013)). They stay (Fry "
        "(2014)).\n\n## References\n\nJo Doe. Rest. In ACL, 2012.\n"
    )
    paper = Paper(id="p", text=text)
    form = mark_format(paper, paper.references)
    work = entry("Ann Kane and Bo Li. Sea at the rest. ACL, 2015.", 2015)
    assert work is not None
    assert form.mark([form.cite(work, "")]) == " (Kane and Li (2015))"


def test_gates_find_a_mark_without_its_entry_and_a_changed_word(pool: str) -> None:
    family = CitationInjection(count=(3, 3), pool=pool, sources=("pool",), floor=0.0)
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
    family = CitationInjection(count=(2, 2), pool=pool, sources=("pool",), floor=0.0)
    for seed in range(5):
        edits = family.perturb(paper, context(seed))
        assert not isinstance(edits, Rejection)
        assert "vaswani2017" not in " ".join(edit.note for edit in edits)


def test_neither_the_paper_itself_nor_a_newer_work_is_added(tmp_path: Path) -> None:
    newer = {**WORKS[1], "key": "newer", "year": 2019}
    family = CitationInjection(
        count=(1, 1),
        pool=write(tmp_path, [WORKS[0], newer, WORKS[2]]),
        sources=("pool",),
        floor=0.0,
    )
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
            "0 works fit",
        ),
    ],
)
def test_papers_that_cannot_take_a_reference_are_rejected(
    text: str, reason: str, pool: str
) -> None:
    answer = CitationInjection(pool=pool, sources=("pool",)).perturb(
        Paper(id="p", text=text), context()
    )
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
    texts = [path.read_text("utf-8") for path in sorted(MARKDOWN.glob("*.md"))[::6]]
    papers = [Paper(id=f"p{number}", text=text) for number, text in enumerate(texts)]
    services = corpus_of(*papers)
    made = 0
    for paper in papers:
        edits = family.perturb(paper, Context(1, services, family.uses))
        if isinstance(edits, Rejection):
            continue
        made += 1
        text = paper.text
        assert apply_edits(apply_edits(text, edits), inverse_edits(text, edits)) == text
        checks = family.gates(paper, edits, Context(1, services, family.uses))
        assert [check.name for check in checks if not check.passed] == []
    assert made >= 5
