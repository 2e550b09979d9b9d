"""No family touches code, tables, addresses and reference lists, in whatever form a paper has
them: small papers in which such a part contains words that every family would like to edit.
"""

from __future__ import annotations

import pytest

from revkit.contracts import Perturbation
from revkit.model import Paper, Rejection
from revkit.model.variant import Layout
from revkit.testing import context
from revkit_robustrev.citation_injection import CitationInjection
from revkit_robustrev.hedging import Hedging
from revkit_robustrev.length import Length
from revkit_robustrev.paraphrase import Paraphrase

FAMILIES: list[Perturbation] = [
    Paraphrase(),
    CitationInjection(),
    Hedging(mode="add"),
    Hedging(mode="remove"),
    Length(ratios=(0.7,)),
    Length(ratios=(1.3,)),
]
# Each family would edit this if it were prose, as the first test shows.
BAIT = (
    "In order to improve a large number of results, it may help due to the fact that dropout is"
    " able to reduce the cost."
)
MORE = " However, these methods usually require a lot of data. Our results show that it improves."
PROSE = (
    "We study gates for machine translation and compare them with convolutional networks [1]."
    " These methods usually require a lot of labelled data, which is often expensive to obtain."
    " Our experiments show that the approach reduces the cost in order to allow larger models."
    " A large number of studies suggest that attention may help if data is scarce [2]."
    " The gains may be due to the fact that the vocabulary is larger than before."
)
ENTRIES = (
    "Marsh, A. Attention may help in order to use a large number of gates. In ICML, 2016.",
    "Berg, T. and Lind, C. Gates may help in order to use a large number of sets. NeurIPS, 2018.",
    "Wu, D. and Kahn, S. Layers may help due to the fact that budgets exist. In ICLR, 2019.",
    "Ruiz, P. Sparse readers may help in order to read a large number of files. In ACL, 2020.",
)
NUMBERED = [f"[{number}] {entry}" for number, entry in enumerate(ENTRIES, 1)]


def markdown(part: str, *, last: str = "") -> str:
    return (
        f"# Gates\n\n## Abstract\n\n{PROSE}\n\n## Introduction\n\n{PROSE}\n\n{part}\n\n"
        f"More text is here. {PROSE}\n\n"
        + (last or "## References\n\n" + "\n\n".join(NUMBERED))
        + "\n"
    )


def latex(part: str) -> str:
    items = "\n".join(f"\\bibitem{{k{place}}} {entry}" for place, entry in enumerate(ENTRIES))
    return (
        "\\documentclass{article}\n\\title{Gates}\n\\begin{document}\n\\begin{abstract}\n"
        f"{PROSE}\n\\end{{abstract}}\n\\section{{Introduction}}\n{PROSE}\n\n{part}\n\n"
        f"More text is here. {PROSE}\n\n\\begin{{thebibliography}}{{9}}\n{items}\n"
        "\\end{thebibliography}\n\\end{document}\n"
    )


def touched(text: str, part: str) -> list[tuple[str, str, str]]:
    """The edits that change ``part`` and do not remove the whole of it with its sentence."""
    assert text.count(part) == 1
    start = text.index(part)
    end = start + len(part)
    base = Paper("gates", text).blind()
    found = []
    edited = 0
    for family in FAMILIES:
        edits = family.perturb(base, context(7))
        if isinstance(edits, Layout | Rejection):
            continue
        edited += len(edits)
        for edit in edits:
            whole = edit.start <= start and end <= edit.end
            over = edit.start < end and start < edit.end and not whole
            within = start < edit.start == edit.end < end and edit.kind != "entry"
            if over or within:
                found.append((type(family).__name__, text[edit.start : edit.end], edit.new))
    assert edited > 10
    return found


def test_the_bait_is_edited_where_it_is_prose() -> None:
    names = {name for name, _, _ in touched(markdown(BAIT + MORE), BAIT + MORE)}
    assert {"Paraphrase", "Hedging", "Length"} <= names


@pytest.mark.parametrize(
    "part",
    [
        f"\\lstinline|{BAIT}|",
        f"\\lstinline[language=C]{{{BAIT}}}",
        f"\\mintinline{{py}}{{{BAIT}}}",
        f"\\mintinline{{py}}|{BAIT}|",
        f"\\verb+{BAIT}+",
        f"\\texttt{{{BAIT} \\textbf{{{MORE}}}}}",
        f"\\begin{{tabular}}{{l}}{BAIT}\\\\\n{MORE}\\end{{tabular}}",
        f"\\hyperref[{BAIT}]",
        f"\\url{{{BAIT}}}",
        f"\\href{{{BAIT}}}",
        f"\\index{{{BAIT}}}",
        f"\\todo{{{BAIT}}}",
    ],
    ids=lambda part: part[1:12],
)
def test_no_family_touches_code_in_latex(part: str) -> None:
    assert touched(latex(f"We write {part} here, and it may help."), part) == []
    assert touched(latex(f"{part} is what we write, and it may help."), part) == []


def test_no_family_touches_a_caption_outside_a_float() -> None:
    part = f"\\captionof{{table}}{{{BAIT}}}"
    assert touched(latex(part), part) == []


@pytest.mark.parametrize(
    "part",
    [
        f"<code>{BAIT}</code>",
        f"<tt>{BAIT}</tt>",
        f'<kbd class="key">{BAIT}</kbd>',
        f"<pre>{BAIT}\n{MORE}</pre>",
        f"<table><tr><td>{BAIT}</td></tr></table>",
        f"`{BAIT}`",
        f"[x](<http://a.org/{BAIT}>)",
        f"[x](http://a.org/b '{BAIT}')",
    ],
)
def test_no_family_touches_code_within_markdown(part: str) -> None:
    bare = part[part.index("](") :] if part.startswith("[") else part
    assert touched(markdown(f"We write {part} here, and it may help."), bare) == []


@pytest.mark.parametrize(
    "last",
    [
        "\n".join(NUMBERED),
        "\n\n".join(NUMBERED),
        "<details><summary>References</summary>\n\n" + "\n".join(NUMBERED) + "\n\n</details>",
        "References and Notes\n\n"
        + "\n".join(f"<sup>{number}</sup> {entry}" for number, entry in enumerate(ENTRIES, 1)),
        "## Cited works\n\n" + "\n".join(f"- {entry}" for entry in ENTRIES),
        "## Sources\n\n" + "\n\n".join(ENTRIES),
        "## Список литературы\n\n" + "\n\n".join(NUMBERED),
    ],
    ids=["lines", "paragraphs", "details", "superscripts", "cited", "sources", "russian"],
)
def test_no_family_touches_a_reference_list(last: str) -> None:
    part = last[last.index("Marsh") :]
    text = markdown("We see that.", last=last)
    assert touched(text, part) == []


def test_no_family_touches_an_entry_of_bibtex() -> None:
    part = f"@article{{marsh2016,\n  title = {{{BAIT}}},\n  note = {{{MORE}}},\n}}"
    assert touched(markdown(part), part) == []


@pytest.mark.parametrize(
    "part",
    [
        f"    {BAIT}\n    {MORE.strip()}",
        f"1. We see that.\n\n        {BAIT}{MORE}",
        f"We write this::\n\n    {BAIT}{MORE}",
        f"  Name{' ' * 120}Value\n  {'-' * 118}  -----\n  {BAIT}   3\n  {MORE}  4",
        f"{'-' * 130}\nName{' ' * 120}Value\n{'-' * 118} -----\n"
        f"{BAIT}\n{BAIT} 3\n\n{MORE} 4\n{'-' * 130}",
    ],
    ids=["indented", "list", "colons", "table", "multiline-table"],
)
def test_no_family_touches_indented_code_and_tables(part: str) -> None:
    text = markdown(part)
    assert touched(text, part[part.index("    ") :]) == []
