"""The five outcomes of a reference, on pairs that tools for citations are known to get wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from revkit.contracts import Context, Reviewing, Services
from revkit.errors import OptionError
from revkit.model.paper import Paper
from revkit.model.review import Failure, Review, Scale
from revkit.model.work import Work
from revkit.testing import context
from revkit_defenses.citation_existence import CitationExistence
from revkit_defenses.citation_outcomes import title_guess
from tests.cpu_time import cpu_seconds

SHARED = Path(__file__).resolve().parents[5] / "shared"
INDEX: list[dict[str, Any]] = [
    {"index-date": "2026-04"},
    {
        "title": "Attention is all you need",
        "authors": ["Ashish Vaswani", "Noam Shazeer", "Niki Parmar"],
        "year": 2017,
        "identifier": "arxiv:1706.03762",
    },
    {
        "title": "An introduction to hidden gate models",
        "authors": ["Lea Rab"],
        "year": 2024,
        "identifier": "doi:10.1109/x.1",
    },
    {
        "title": "A survey of robust reading of long tables",
        "authors": ["Mara Ode"],
        "year": 2021,
        "identifier": "doi:10.1000/survey.7",
    },
    {"title": "Deep learning", "authors": ["Ian Goodfellow", "Yoshua Bengio"], "year": 2016},
    {"title": "Learning to rank with noisy clicks", "authors": ["Émile Šafránek"], "year": 2019},
    {
        "title": "Open judging of long research proposals: rules for fair panels",
        "authors": ["The Panel Consortium"],
        "year": 2020,
    },
]


@pytest.fixture
def index(tmp_path: Path) -> str:
    path = tmp_path / "index.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in INDEX), "utf-8")
    return str(path)


def paper_with(*entries: str) -> Paper:
    lines = "\n\n".join(f"[{number}] {entry}" for number, entry in enumerate(entries, 1))
    return Paper("p", f"# T\n\n## 1 Introduction\n\nIt is known [1].\n\n## References\n\n{lines}\n")


def outcome(entry: str, index: str) -> str:
    (checked,) = CitationExistence(index=(index,)).check(paper_with(entry), context())
    return checked.outcome


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        # found, in spellings that must not matter
        ("A. Vaswani, N. Shazeer, et al. Attention is all you need. In NIPS, 2017.", "found"),
        ("Vaswani et al. Attention Is All You Need. doi:10.48550/arXiv.1706.03762, 2017.", "found"),
        ("Vaswani, A. Attention is all you need. arXiv:1706.03762v5, 2023.", "found"),
        ("E. Safranek. Learning to rank with noisy clicks. In X, 2019.", "found"),
        ("\\'Emile \\v{S}afr\\'anek. Learning to rank with noisy clicks. 2021.", "found"),
        (
            "Panel Consortium. Open judging of long research proposals. J. of Panels, 2020.",
            "found",
        ),
        ("Goodfellow, I., Bengio, Y. Deep learning. MIT Press, 2016.", "found"),
        # another work of the same title, and wrong fields of a known one
        (
            "Ann Other. An introduction to hidden gate models. Genomics, 2025. doi:10.1002/y.2",
            "found-other-fields",
        ),
        ("M. Ode. A survey of robust reading of long tables. In X, 2009.", "found-other-fields"),
        ("P. Qi. A survey of robust reading of long tables. In X, 2021.", "found-other-fields"),
        # a real identifier under an invented title
        (
            "M. Ode. Proofs that all gates are fair. Journal of Gates, 2021. doi:10.1000/survey.7",
            "identifier-elsewhere",
        ),
        ("K. Lo. Traffic flow of towns. arXiv:1706.03762, 2020.", "identifier-elsewhere"),
        # titles that are nearly those of other works
        ("M. Ode. A survey of robust reading of long texts. In X, 2015.", "not-found"),
        ("M. Ode. Robust writing of short tables by surveys. In X, 2021.", "not-found"),
        ("A. Poe. Deep learning for invented cats. In X, 2016.", "not-found"),
        ("R. Roe. Review of: Deep learning, a book. Journal of Books, 2017.", "not-found"),
        ("A. Poe. Invented works. In Proceedings of X, 2019.", "not-found"),
        # what indexes do not cover
        ("A. Poe. On gates. PhD thesis, University of X, 2019.", "not-checked"),
        ("A. Poe. On gates. Technical report 7, X, 2019.", "not-checked"),
        ("A. Poe. gatelib [software]. 2019.", "not-checked"),
        ("A. Poe. Gates and their keepers. Oxford University Press, 2009.", "not-checked"),
        ("The gates. https://example.org/gates. Accessed 2019.", "not-checked"),
        ("Иванов И. И. О структуре ворот. Вестник, 2019.", "not-checked"),
        ("A. Poe. Gates of tomorrow. In Proceedings of X, 2026.", "not-checked"),
    ],
)
def test_outcomes(entry: str, expected: str, index: str) -> None:
    assert outcome(entry, index) == expected


@pytest.mark.parametrize(
    "entry",
    [
        "T. Bol. Man is to computer programmer as woman is to homemaker? NeurIPS, 2016.",
        "L. Ab. Software defect prediction with gates. In Proceedings of X, 2018.",
        "L. Ab. Neural filtering of gates. In WWW. 2017.",
        "L. Ab. Patent classification with gates. In X, 2018.",
    ],
)
def test_titles_on_such_subjects_are_checked(entry: str, index: str) -> None:
    assert outcome(entry, index) == "not-found"


def searching(answer: Sequence[Work] | Failure, asked: list[str] | None = None) -> Context:
    def search(query: str, limit: int) -> Sequence[Work] | Failure:
        if asked is not None:
            asked.append(query)
        return answer

    return Context(services=Services(search=search))


ENTRY = "J. Doe. Gates for very long texts. In Proceedings of X, 2019."


def test_outage_of_a_source_is_not_checked(index: str) -> None:
    defense = CitationExistence(index=(index,), search=True)
    for kind in ("timeout", "provider", "schema"):
        ctx = searching(Failure(kind, "429"))  # type: ignore[arg-type]
        (checked,) = defense.check(paper_with(ENTRY), ctx)
        assert (checked.outcome, kind in checked.why) == ("not-checked", True)
    assert list(defense.screen(paper_with(ENTRY), searching(Failure("timeout", "")))) == []  # type: ignore[arg-type]


def test_all_sources_must_lack_it(index: str) -> None:
    defense = CitationExistence(index=(index,), search=True)
    work = Work("Gates for very long texts", ("Jane Doe",), 2019)
    (checked,) = defense.check(paper_with(ENTRY), searching([work]))
    assert checked.outcome == "found"
    asked: list[str] = []
    (checked,) = defense.check(paper_with(ENTRY), searching([], asked))
    assert (checked.outcome, asked) == ("not-found", ["Gates for very long texts"])
    known = "A. Vaswani. Attention is all you need. In NIPS, 2017."
    asked.clear()
    defense.check(paper_with(known), searching([], asked))
    assert asked == []


def test_modes(index: str) -> None:
    paper = paper_with(ENTRY, "A. Vaswani. Attention is all you need. In NIPS, 2017.")
    stripped = CitationExistence(index=(index,)).screen(paper, context())
    assert not isinstance(stripped, Failure)
    assert ENTRY not in paper.edited(stripped).text
    refused = CitationExistence(index=(index,), then="refuse").screen(paper, context())
    assert isinstance(refused, Failure)
    assert "1 of 2 references" in refused.detail
    report = CitationExistence(index=(index,), then="report")
    assert list(report.screen(paper, context())) == []  # type: ignore[arg-type]
    scale = Scale("up", 1, 10)
    review = Reviewing(scale, lambda seen, change: Review(score=5.0))
    found = report.guard(paper, review, context())
    assert isinstance(found, Review)
    counts = found.details["citation-existence"]
    assert isinstance(counts, dict)
    assert (counts["found"], counts["not-found"], counts["index-date"]) == (1, 1, "2026-04")
    with pytest.raises(OptionError, match="name at least one file, or set search"):
        CitationExistence()


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        ('J. Doe, "Gates for very long texts," in X, 2019.', "Gates for very long texts,"),
        ("J. Doe and A. B. Roe. Gates for long texts. In Proceedings of the Gates, 2019.",
         "Gates for long texts"),
        ("Doe, J. (2019). Gates for long texts. Journal of Gates, 3.", "Gates for long texts"),
    ],
)  # fmt: skip
def test_title_guess(entry: str, title: str) -> None:
    assert title_guess(entry) == title


@pytest.mark.slow
def test_sixty_references_against_a_hundred_thousand_works(tmp_path: Path) -> None:
    from benchmarks.citations import entries, works

    path = tmp_path / "index.jsonl"
    lines = (
        json.dumps({"title": w.title, "authors": list(w.authors), "year": w.year}) for w in works()
    )
    path.write_text("\n".join(lines), "utf-8")
    defense = CitationExistence(index=(str(path),))
    defense.check(paper_with(*entries(2)), context())
    paper = paper_with(*entries(60))
    assert cpu_seconds(lambda: defense.check(paper, context()), 2) < 2
    checked = defense.check(paper, context())
    assert sum(each.outcome == "found" for each in checked) == 40
