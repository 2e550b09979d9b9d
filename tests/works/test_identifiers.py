"""Identifiers in every spelling, and which of them are those of two works."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.works import any_identifier, comparable, contradict, find_identifiers, identifier
from tests.cpu_time import cpu_seconds

LANCET = "doi:10.1016/s0140-6736(97)11096-0"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("doi:10.1016/S0140-6736(97)11096-0", LANCET),
        ("(doi: 10.1016/S0140-6736(97)11096-0).", LANCET),
        ("https://doi.org/10.1016/S0140-6736(97)11096-0.", LANCET),
        ("http://dx.doi.org/10.1016%2FS0140-6736%2897%2911096-0", LANCET),
        ("[10.1016/s0140-6736(97)11096-0];", LANCET),
        ("doi: 10.1002/(SICI)1097-4571(199009)41:6<391::AID-ASI1>3.0.CO;2-9.",
         "doi:10.1002/(sici)1097-4571(199009)41:6<391::aid-asi1>3.0.co;2-9"),
        ("https://onlinelibrary.wiley.com/doi/10.1002/abc.123/full?x=1", "doi:10.1002/abc.123"),
        ("https://dl.acm.org/doi/pdf/10.1145/3292500.3330701", "doi:10.1145/3292500.3330701"),
        ("doi.org/10.48550/arXiv.1706.03762", "arxiv:1706.03762"),
        ("arXiv preprint arXiv:1706.03762v5, 2017", "arxiv:1706.03762"),
        ("arXiv:1706.\n03762", "arxiv:1706.03762"),
        ("CoRR, abs/1502.02551, 392, 2015.", "arxiv:1502.02551"),
        ("https://arxiv.org/pdf/1706.03762v5.pdf", "arxiv:1706.03762"),
        ("http://arxiv.org/abs/hep-th/9901001v3.", "arxiv:hep-th/9901001"),
        ("arXiv:hep-th/9901001", "arxiv:hep-th/9901001"),
        ("arXiv:math.GT/0309136 [math.GT]", "arxiv:math/0309136"),
        ("https://www.aclweb.org/anthology/P14-1059/", "acl:p14-1059"),
        ("https://aclanthology.org/2020.acl-main.703.pdf", "acl:2020.acl-main.703"),
        ("PMID: 28445112", "pmid:28445112"),
        ("https://pubmed.ncbi.nlm.nih.gov/28445112/", "pmid:28445112"),
        ("PMC5446044", "pmc:5446044"),
        ("https://openreview.net/forum?id=Hkl1iRNFwS", "openreview:Hkl1iRNFwS"),
    ],
)  # fmt: skip
def test_an_identifier_is_found_in_each_spelling(text: str, expected: str) -> None:
    assert find_identifiers(f"A. Poe. A title, 12(3):4-5. {text}") == {expected}


def test_an_acl_doi_holds_the_number_of_the_anthology() -> None:
    expected = {"doi:10.18653/v1/2020.acl-main.703", "acl:2020.acl-main.703"}
    assert find_identifiers("doi:10.18653/v1/2020.acl-main.703") == expected


def test_a_doi_broken_over_lines_is_found_whole() -> None:
    assert "doi:10.1109/cvpr.2016.90" in find_identifiers("doi: 10.1109/CVPR. 2016.90.")
    assert find_identifiers("doi.org/10.1145/\n3292500.3330701") == {"doi:10.1145/3292500.3330701"}


@pytest.mark.parametrize(
    "text",
    ["ISBN 978-0-262-19398-6", "pp. 1234.56789", "vol. 10.1234", "1512.03385 things", "arxiv", ""],
)
def test_what_is_no_identifier(text: str) -> None:
    assert find_identifiers(text) == frozenset()


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("PubMed", "28445112", "pmid:28445112"),
        ("pmid", "https://pubmed.ncbi.nlm.nih.gov/28445112", "pmid:28445112"),
        ("pmcid", "PMC5446044", "pmc:5446044"),
        ("openalex", "https://openalex.org/W1", "openalex:W1"),
        ("ArXiv", "math.GT/0309136v2", "arxiv:math/0309136"),
    ],
)
def test_identifiers_of_a_known_kind(kind: str, text: str, expected: str) -> None:
    assert identifier(kind, text) == expected


@pytest.mark.parametrize(
    ("one", "other", "two_works"),
    [
        ("doi:10.1109/x", "doi:10.1002/y", True),
        ("doi:10.1109/x", "https://doi.org/10.1109/X", False),
        ("arxiv:1706.03762", "arxiv:1706.03763", True),
        ("arxiv:1706.03762", "doi:10.1109/x", False),
        ("acl:P14-1059", "doi:10.3115/v1/P14-1060", True),
        ("acl:P14-1059", "doi:10.3115/v1/P14-1059", False),
        ("doi:10.1101/2020.01.01.1", "doi:10.1038/s1", False),
        ("doi:10.1109/CVPR", "doi:10.1109/CVPR.2016.90", False),
        ("openreview:abcdef", "openreview:ghijkl", False),
        ("key-1", "key-2", False),
        ("", "doi:10.1/x", False),
    ],
)
def test_identifiers_of_two_works(one: str, other: str, two_works: bool) -> None:
    assert contradict(comparable([one]), comparable([other])) is two_works
    assert contradict(comparable([other]), comparable([one])) is two_works


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80) | st.text("10./%2F()[]<>arxiv:doi v-", max_size=60))
def test_one_form_is_a_fixed_point(text: str) -> None:
    for found in find_identifiers(text):
        assert comparable([found]) >= {found}
    once = any_identifier(text)
    assert any_identifier(once) == once


@pytest.mark.parametrize("piece", ["10.1234/", "arxiv ", "arxiv:1706. ", "%31%30.1234/", "(" * 3])
def test_time_is_linear(piece: str) -> None:
    assert cpu_seconds(lambda: find_identifiers(piece * 200_000), 1.0) < 1.0
