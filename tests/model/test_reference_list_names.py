"""Reference lists under any of their names, in HTML, and without a heading."""

from __future__ import annotations

import pytest

from revkit.model import Paper

ENTRIES = (
    "[1] Marsh, A. It may help. In ICML, 2016.\n\n[2] Berg, T. It may help. NeurIPS, 2017.\n\n"
    "[3] Wu, A. and Li, B. It may. ACL, 2018.\n"
)
BODY = (
    "# Gates\n\n## Introduction\n\nWe study gates for it [1]. They are useful in a lot of cases and"
    " we think so.\n\n"
)


def kinds(text: str) -> list[str]:
    return [block.kind for block in Paper("a", text).blocks]


@pytest.mark.parametrize(
    "heading",
    [
        "## Sources",
        "References and Notes",
        "Cited works",
        "Works cited",
        "## References (continued)",
        "**Works Cited**",
        "## 7. Works Cited",
        "## Список литературы",
        "Литература",
        "Referencias bibliográficas",
        "## Bibliografía",
        "## Références bibliographiques",
        "Literaturverzeichnis",
        "## Quellen",
        "## Referências",
        "Bibliografia",
        "## 参考文献",
        "## 引用文献",
        "## 文献",
        "<h2>References</h2>",
        "<details><summary>References</summary>",
        "<details>\n<summary><b>1</b></summary>\n<summary>References</summary>",
    ],
)
def test_a_list_is_found_under_its_name(heading: str) -> None:
    found = Paper("a", f"{BODY}{heading}\n\n{ENTRIES}")
    assert [(entry.label, entry.year) for entry in found.references] == [
        ("1", 2016),
        ("2", 2017),
        ("3", 2018),
    ]
    assert found.blocks[-4].kind == "heading"


def test_a_section_on_sources_of_data_is_prose() -> None:
    text = BODY + "## Sources\n\nWe take the data of 2014 from a site. It is large.\n"
    assert kinds(text)[-2:] == ["heading", "paragraph"]


@pytest.mark.parametrize(
    "entries",
    [
        ENTRIES,
        ENTRIES.replace("\n\n", "\n"),
        "1. Marsh, A. (2014). It may. ICML.\n2. Berg, T. (2015). It is. ICML.\n"
        "3. Wu, A. (2016). It may. ACL.\n",
        "Marsh, A. (2014). It may. ICML.\n\nBerg, T. (2015). It is. ICML.\n\n"
        "Wu, A. (2016). It may. ACL.\n",
    ],
)
@pytest.mark.parametrize("last", ["", "\n## Appendix\n\nWe prove that it is so.\n"])
def test_entries_at_the_end_need_no_heading(entries: str, last: str) -> None:
    found = Paper("a", BODY + entries + last)
    assert len(found.references) == 3
    assert found.words == len(BODY.split()) - 4 + len(last.split()[2:])


@pytest.mark.parametrize(
    "end",
    [
        "- Lee and Xu (2014) propose a gate in ICML, 2014.\n- Ann Lee (2015) shows a net.\n"
        "- Bo Xu (2016) has it.\n",
        "[1] Marsh, A. It may help. In ICML, 2016.\n\n[2] Berg, T. It may. NeurIPS, 2017.\n",
        ENTRIES + "\nIn this section we show that it is so, and that it may be so.\n",
    ],
    ids=["prose", "two", "prose-behind"],
)
def test_what_is_not_a_list_stays_prose(end: str) -> None:
    assert "reference" not in kinds(BODY + end)


@pytest.mark.parametrize(
    "entry",
    [
        "@article{marsh2016,\n  title = {It {may} help},\n}",
        "@misc{m, title={It}, }",
        "@book{m,\n  title = {It\n",
    ],
)
def test_an_entry_of_bibtex_in_the_text_is_code(entry: str) -> None:
    text = f"{BODY}{entry}\n\nMore text is here, and it is for all.\n"
    assert kinds(text)[-2:] == ["code", "paragraph"]
    text = f"{BODY}@alice said that it is so, and we think so too.\n"
    assert kinds(text)[-1] == "paragraph"


SMALL_NAMES = [
    "danah boyd and Kate Crawford. Critical questions for big data. ICS, 2012.",
    "bell hooks. Teaching to transgress. Routledge, 2012.",
    "fast.ai. Practical deep learning. https://fast.ai, 2012.",
    "gwern. The scaling hypothesis. 2012.",
    "pandas development team, T. (2012). pandas-dev/pandas. Zenodo.",
    "scikit-learn developers. User guide, 2012.",
    "k. d. lang (2012). Sets of songs. Songs.",
    "the pandas team. Data frames. 2012.",
    "adrienne maree brown. Emergent strategy. AK Press, 2012.",
]
PLAIN = "Kingma, D. and Welling, M. (2014). Auto-encoding Bayes. In ICLR."
LAST = "Wang, X. (2019). Deep gates for sets. In ICML."


@pytest.mark.parametrize("entry", SMALL_NAMES)
@pytest.mark.parametrize("place", range(3))
def test_an_entry_may_begin_with_a_name_in_small_letters(entry: str, place: int) -> None:
    entries = [PLAIN, LAST]
    entries.insert(place, entry)
    found = Paper("a", f"{BODY}## References\n\n" + "\n\n".join(entries)).references
    assert [each.text for each in found] == entries


@pytest.mark.parametrize("entry", ["bell hooks. (2012). Teaching.", "fast.ai (2012). A course."])
def test_small_names_directly_below_an_entry_need_the_year_behind_them(entry: str) -> None:
    found = Paper("a", f"{BODY}## References\n\n{PLAIN}\n{entry}\n{LAST}").references
    assert [each.year for each in found] == [2014, 2012, 2019]


@pytest.mark.parametrize(
    "rest",
    [
        "networks. In ICML, 2015.",
        "in Proceedings of ICML, 2015.",
        "arXiv preprint, 2015.",
        "pp. 12-13, 2015.",
        "available at gates. 2015.",
    ],
)
def test_the_rest_of_an_entry_behind_a_page_break_begins_none(rest: str) -> None:
    cut = "Kingma, D. and Welling, M. (2014). Auto-encoding"
    found = Paper("a", f"{BODY}## References\n\n{cut}\n\n{rest}\n\n{LAST}").references
    assert [each.year for each in found] == [2014, 2019]


@pytest.mark.parametrize("blank", ["\n\n", "\n"])
@pytest.mark.parametrize("name", ["3GPP.", "李明.", "山田太郎.", "d'Aquin, M.", "van den Berg, R."])
def test_an_entry_begins_with_a_name_that_has_no_capital(name: str, blank: str) -> None:
    entries = [
        "Adams, B. (2010). Sparse gates for long text. Journal of Gates, 3:1-10.",
        f"{name} (2016). Deep gates for medium text. Journal of Gates, 3:1-10.",
        "Zhang, Q. (2019). Wide nets for short text. Journal of Nets, 4:11-20.",
    ]
    found = Paper("a", f"{BODY}## References\n\n{blank.join(entries)}\n").references
    assert [entry.year for entry in found] == [2010, 2016, 2019]


@pytest.mark.parametrize(
    "line", ["3D vision of gates. Journal of Gates, 3:1-10.", "2 gates. Springer."]
)
def test_a_line_that_begins_with_a_digit_continues_an_entry(line: str) -> None:
    entries = f"Adams, B. (2010). Sparse gates and\n{line}\nZhang, Q. (2019). Nets. Journal, 4:1-9."
    found = Paper("a", f"{BODY}## References\n\n{entries}\n").references
    assert [entry.year for entry in found] == [2010, 2019]
