"""A paper without a word of prose is skipped and counted, whatever corpus it is from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit import api
from revkit.contracts import Context, Corpus
from revkit.execution.prose import NO_PROSE, _begins_with_prose
from revkit.execution.sources import read_corpus
from revkit.model import Paper, blocks
from revkit.model.paper import Skipped

SENTENCE = "We study gates that open and close at all times."
EMPTY = {
    "heading": "# Gates that skip\n",
    "headings": "# Gates\n\n## Abstract\n\n## Introduction\n\n## References\n",
    "underlined heading": "We study gates that open at all times.\n======\n",
    "table": "# Gates\n\n| a | b |\n|---|---|\n| We study gates of all kinds. | 2 |\n",
    "formulas": "# Gates\n\n$$x = 1$$\n\n$$y = 2$$\n",
    "code": f"# Gates\n\n```\n{SENTENCE}\n```\n",
    "code with tildes": f"# Gates\n\n~~~\n{SENTENCE}\n~~~\n",
    "comments": "% only a comment with several words in it\n% another\n",
    "comment of HTML": f"<!-- only a comment\n{SENTENCE}\n-->\n",
    "tags": "<html><body><p></p></body></html>",
    "skeleton": "\\documentclass{article}\n\\begin{document}\n\\section{Results}\n\\end{document}",
    "switched off": f"\\begin{{document}}\n\\iffalse\n{SENTENCE}\n\\fi\n\\end{{document}}",
    "preamble": f"\\documentclass{{article}}\n\\title{{Gates\n{SENTENCE}}}\n\\begin{{document}}\n"
    "\\maketitle\n\\end{document}",
    "references": f"## References\n\n[1] A. Marsh. Attention.\n{SENTENCE} 2019.\n",
    "pictures": "![](fig1.png)\n\n![](fig2.png)\n",
    "not applicable": "N/A",
    "authors": "# Gates\n\nJohn A. Smith, University of Oxford\n\nDepartment of Computer Science\n"
    "john@ox.ac.uk",
    "authors in Chinese": "# \u95e8\n\n\u5f20\u4e09 \u674e\u56db \u5317\u4eac\u5927\u5b66\n",
}
REAL = {
    "abstract alone": f"## Abstract\n\n{SENTENCE}\n",
    "four words": "# Gates\n\nGates are open.\n",
    "no heading": SENTENCE,
    "Chinese": "# Gates\n\n" + "我们研究门。门是开着的,而且很大。" * 8 + "\n",
    "Chinese, short": "# 门\n\n我们研究门。\n",
    "Japanese": "# 門\n\n私たちは門を研究します。門は開いています。\n",
    "Arabic": "# G\n\nنحن ندرس البوابات التي تفتح دائما.\n",
    "Ukrainian": "# Ворота\n\nМи вивчаємо ворота, які завжди відкриті.\n",
    "quotation": "# Gates\n\n> We study gates that open.\n",
    "German": "# Tore\n\nWir untersuchen Tore, die immer offen sind.\n",
    "small letters": "# gates\n\nwe study gates that open at times\n",
    "LaTeX": f"\\documentclass{{article}}\n\\begin{{document}}\n{SENTENCE}\n\\end{{document}}",
    "list": "# Gates\n\n- gates open and close at all times\n- gates are large\n",
    "references later": f"# Gates\n\n{SENTENCE}\n\n## References\n\n[1] A. Marsh. 2019.\n",
}


@dataclass(frozen=True)
class Given(Corpus):
    """Papers of the test."""

    name: ClassVar[str] = "given"
    texts: tuple[str, ...] = ()

    def papers(self, ctx: Context) -> Iterable[Paper | Skipped]:
        for number, text in enumerate(self.texts):
            yield Paper(str(number), text)

    def identity(self) -> Any:
        return {}


@dataclass(frozen=True)
class Scores(Given):
    """Papers of which only the scores are known."""

    has_texts: ClassVar[bool] = False


def read(corpus: Given, limit: int | None = None) -> list[Paper | Skipped]:
    return list(read_corpus(corpus, lambda: corpus.papers(Context(seed=1)), limit))


@pytest.mark.parametrize("text", EMPTY.values(), ids=EMPTY)
def test_a_paper_without_prose_is_skipped(text: str) -> None:
    assert read(Given(texts=(text,))) == [Skipped("0", NO_PROSE, "")]


@pytest.mark.parametrize("text", REAL.values(), ids=REAL)
def test_a_short_paper_with_prose_is_loaded(text: str) -> None:
    assert read(Given(texts=(text,))) == [Paper("0", text)]


def test_papers_without_prose_do_not_use_up_the_limit() -> None:
    items = read(Given(texts=("# Gates", SENTENCE, "# More", SENTENCE + "1")), 2)
    assert [type(item).__name__ for item in items] == ["Skipped", "Paper", "Skipped", "Paper"]


def test_papers_of_a_corpus_without_texts_are_loaded() -> None:
    assert read(Scores(texts=("p1",))) == [Paper("0", "p1")]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(list(EMPTY.values())), min_size=1, max_size=4))
def test_the_quick_decision_finds_no_prose_where_there_is_none(parts: list[str]) -> None:
    assert not _begins_with_prose("\n\n".join(parts))


def test_a_stored_run_parses_none_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [*EMPTY.values(), *REAL.values()]
    lines = [json.dumps({"id": str(n), "text": text}) for n, text in enumerate(texts)]
    (tmp_path / "papers.jsonl").write_text("\n".join(lines))
    spec = {
        "revkit": 1,
        "name": "prose",
        "corpus": {"use": "jsonl", "with": {"path": str(tmp_path / "papers.jsonl")}},
        "agents": {"hedges": "confidence-reader"},
        "metrics": ["outcomes"],
    }
    parsed: list[str] = []
    whole: Callable[[str], Any] = blocks.parse_blocks

    def noted(text: str) -> Any:
        parsed.append(text)
        return whole(text)

    monkeypatch.setattr(blocks, "parse_blocks", noted)
    first = api.run(spec, out=tmp_path / "first", store=tmp_path / "store.db")
    assert len(first.records.papers) == len(REAL)
    assert parsed
    parsed.clear()
    again = api.run(spec, out=tmp_path / "again", store=tmp_path / "store.db")
    assert parsed == []
    assert again.counts.computed == 0
    for run in (first, again):
        skipped = (run.folder / "records" / "skipped.jsonl").read_text().splitlines()
        assert len(skipped) == len(EMPTY)
