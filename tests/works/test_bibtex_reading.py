"""BibTeX as it is found: every oddity read, every broken entry told and the next one read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.works import parse_bibtex
from revkit.works.tex import from_tex

SHARED = Path(__file__).parents[3] / "shared" / "data" / "citations"


def only(text: str):
    parsed = parse_bibtex(text)
    assert parsed.irregular == []
    ((_, entry),) = parsed.entries
    return entry.work


def test_a_plain_entry() -> None:
    work = only(
        """@inproceedings{vaswani2017,
  author = {Vaswani, Ashish and Parmar, Niki and others},
  title = "Attention is {All} You {N}eed",
  booktitle = {Advances in Neural Information Processing Systems},
  year = 2017,
  doi = {10.1000/ABC_d--e},
  url = {https://example.org/~a--b},
}"""
    )
    assert work.title == "Attention is All You Need"
    assert work.authors == ("Ashish Vaswani", "Niki Parmar", "et al.")
    assert (work.year, work.venue) == (2017, "Advances in Neural Information Processing Systems")
    assert work.identifier == "doi:10.1000/abc_d--e"
    assert work.url == "https://example.org/~a--b"


@pytest.mark.parametrize(
    "text",
    [
        "@misc{\nkey,\ntitle={T one}}",
        "@misc{rodr{\\'\\i}guez2017,\ntitle={T one}}",
        "@misc{, title={T one}}",
        "@misc{title={T one}, note={x}}",
        "@MISC(key, title={T one})",
        "@misc {key,title = {T} # { one},}",
        '@misc{key, title = "T one" , , }',
        "@misc{key,\n% a remark\ntitle={T one} % more\n}",
        "An e-mail: a@b.org\n@misc{key, title={T one}} and text after it",
        '@comment{old {@misc{x, title={No}}}}\n@preamble{"\\x"}\n@misc{key, title={T one}}',
        '@string{t = "T "}\n@misc{key, title = t # "one"}',
        "\ufeff@misc{key, title={T\r\n one}}",
    ],
)
def test_oddities(text: str) -> None:
    work = only(text)
    assert work.title == "T one"
    assert (work.year, work.venue, work.authors) == (None, "", ())


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("@misc{a, title={open {brace}, year={2020}\n", "a brace is not closed"),
        ("@misc{a, title={open {brace},\nyear={2020}\n}\n", "the entry has no end"),
        ('@misc{a, title="open quote, year={2020}}\n', "a quote is not closed"),
        ("@misc{a, title={x} year={2020}}\n", "a comma is missing"),
        ("@misc{a, title=, year={2020}}\n", "a field has no value"),
        ("@misc{a, year={2020}}\n", "it has no title"),
        ("@misc{a, title={...}}\n", "it has no title"),
        ("@misc{a}\n", "it has no title"),
    ],
)
def test_a_broken_entry_costs_only_itself(broken: str, why: str) -> None:
    text = "@misc{z, title={Before}}\n\n" + broken + "@misc{b, title={After}}\n"
    parsed = parse_bibtex(text)
    assert [entry.work.title for _, entry in parsed.entries] == ["Before", "After"]
    ((line, message),) = parsed.irregular
    assert line == 3
    assert message.startswith(why)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"Erd{\H{o}}s and G{\"o}del", "Erdős and Gödel"),
        (r"\'Alvarez, Mart{\'\i}n, {\'{\i}}, \'{e}", "Álvarez, Martín, í, é"),
        (r"\v{C}ech \c{c} \c c \k{a} \~n \={u} \.z \u{g} \r{u}", "Čech ç ç ą ñ ū ż ğ ů"),
        (r"Stra{\ss}e {\O}rsted \L{}ukasz \aa ngstr\"om", "Straße Ørsted Łukasz ångström"),
        (r"\emph{so} \textsc{Bert} {\em x} \& 5\% \$9 a\_b \{c\}", "so Bert x & 5% $9 a_b {c}"),
        ("pages 1--2 --- ``quoted'' A~B", "pages 1–2 — “quoted” A B"),
        (r"$k$-NN with $16 \times 16$ and $\epsilon$", "k-NN with 16 × 16 and ε"),
        (r"\unknown{x} stays", r"\unknownx stays"),
        ("plain", "plain"),
    ],
)
def test_tex(text: str, expected: str) -> None:
    assert " ".join(from_tex(text).split()) == expected


@pytest.mark.parametrize(
    ("people", "expected"),
    [
        ("Ada Lovelace and Charles Babbage", ("Ada Lovelace", "Charles Babbage")),
        (
            "van der Maaten, Laurens and Hinton, Geoffrey",
            ("Laurens van der Maaten", "Geoffrey Hinton"),
        ),
        ("King, Jr., Martin", ("Martin King Jr.",)),
        ("{Barnes and Noble, Inc.} and {OpenAI}", ("Barnes and Noble Inc.", "OpenAI")),
        ("Isard, Michael and et al.", ("Michael Isard", "et al.")),
        ("Anderson\nand\nSandy Land", ("Anderson", "Sandy Land")),
        ("", ()),
    ],
)
def test_people(people: str, expected: tuple[str, ...]) -> None:
    assert only(f"@misc{{k, title={{T}}, author={{{people}}}}}").authors == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("eprint={2401.00001v2}, archivePrefix={arXiv}", "arxiv:2401.00001"),
        ("eprint={hep-th/9901001}, archivePrefix={arXiv}", "arxiv:hep-th/9901001"),
        ("journal={arXiv preprint arXiv:2401.00001}", "arxiv:2401.00001"),
        ("journal={Ar{X}iv:2401.00001}", "arxiv:2401.00001"),
        ("url={https://arxiv.org/pdf/2401.00001.pdf}", "arxiv:2401.00001"),
        ("doi={https://doi.org/10.1000/X.1}", "doi:10.1000/x.1"),
        ("doi={10.48550/arXiv.2401.00001}", "arxiv:2401.00001"),
        ("eprint={123}, archivePrefix={HAL}", ""),
    ],
)
def test_identifiers(fields: str, expected: str) -> None:
    assert only(f"@misc{{k, title={{T}}, {fields}}}").identifier == expected


@pytest.mark.parametrize(
    ("year", "expected", "unclear"),
    [
        ("{2016}", 2016, False),
        ("2016", 2016, False),
        ("{2016a}", 2016, False),
        ("{to appear}", None, True),
        ("{1066}", None, True),
        ("{1999/2000}", None, True),
        ("{}", None, False),
    ],
)
def test_years(year: str, expected: int | None, unclear: bool) -> None:
    ((_, entry),) = parse_bibtex(f"@misc{{k, title={{T}}, year={year}}}").entries
    assert (entry.work.year, entry.unclear_year) == (expected, unclear)


PIECES = st.lists(
    st.sampled_from(
        [
            "@misc{",
            "\n@misc{",
            "@comment{",
            "a,",
            "title=",
            "{",
            "}",
            '"',
            "x",
            "\\",
            "\n",
            "@",
            "#",
            "%",
            "(",
            ")",
        ]
    )
    | st.text(max_size=4),
    max_size=30,
)


@settings(max_examples=150, deadline=None)
@given(PIECES)
def test_anything_is_read_to_its_end(pieces: list[str]) -> None:
    text = "".join(pieces)
    parsed = parse_bibtex(text + "\n@misc{last, title={The last}}")
    assert parsed.entries or parsed.irregular
    from_tex(text)


TITLE = st.text("abcdeé ,@#%=\n", min_size=1, max_size=30).filter(
    lambda t: any(map(str.isalpha, t))
)


@settings(max_examples=80, deadline=None)
@given(st.lists(TITLE, min_size=1, max_size=5))
def test_titles_come_back_as_they_were(titles: list[str]) -> None:
    text = "".join(f"@article{{k{n},\n title = {{{t}}}\n}}\n" for n, t in enumerate(titles))
    parsed = parse_bibtex(text)
    assert parsed.irregular == []
    assert [e.work.title for _, e in parsed.entries] == [" ".join(t.split()) for t in titles]


def test_an_entry_that_swallows_the_next_is_told() -> None:
    parsed = parse_bibtex("@misc{a, title={A {B}\n@misc{b, title={C}}}\n@misc{d, title={D}}")
    assert [line for line, _ in parsed.irregular] == [1]
    assert [entry.work.title for _, entry in parsed.entries] == ["C", "D"]


def test_many_broken_entries_take_no_time() -> None:
    parsed = parse_bibtex("@misc{a, title={{\n" * 20_000)
    assert len(parsed.irregular) == 20_000


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the files in ../shared/data/citations")
@pytest.mark.parametrize(
    ("name", "entries", "irregular"),
    [
        ("d2l.bib", 488, []),
        # One of the 464 entries has `title={}`.
        ("iclr2017_submissions.bib", 463, [(2361, "it has no title")]),
    ],
)
def test_real_files(name: str, entries: int, irregular: list[tuple[int, str]]) -> None:
    """All entries are read; they were counted by `grep -c '^ *@'`."""
    parsed = parse_bibtex((SHARED / name).read_text(encoding="utf-8"))
    assert (len(parsed.entries), parsed.irregular) == (entries, irregular)
    works = [entry.work for _, entry in parsed.entries]
    assert all(work.authors and work.year for work in works)
    assert not [w for w in works if set("{}\\") & set(w.title + w.venue + "".join(w.authors))]
