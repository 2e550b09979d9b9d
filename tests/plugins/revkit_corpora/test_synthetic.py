"""The generated papers: reproducible, varied, true to their own tables and their latent values."""

from __future__ import annotations

import json
import random
import re
import statistics
from pathlib import Path

import pytest

import revkit.testing
from revkit.errors import OptionError
from revkit.model.paper import Paper
from revkit_corpora.synthetic import Synthetic
from revkit_corpora.synthetic.grammar import Voice, compiled, write
from revkit_corpora.synthetic.sentences import sentences
from revkit_corpora.synthetic.topics import vocabulary

COUNT = 300
PLAIN = Voice(hedging=0.0, vocabulary=0.0)
CAREFUL = Voice(hedging=1.0, vocabulary=1.0)


@pytest.fixture(scope="module")
def papers() -> list[Paper]:
    return list(Synthetic(papers_=COUNT).papers(revkit.testing.context(seed=11)))


def section(paper: Paper, heading: str) -> str:
    found = re.search(rf"^##+ [\d. ]*{heading}\n\n(.*?)(?=^##? |\Z)", paper.text, re.S | re.M)
    assert found is not None
    return found[1]


def table_rows(paper: Paper) -> dict[str, list[str]]:
    """The cells of the first pipe table by method, read without the package's own code."""
    rows: dict[str, list[str]] = {}
    started = False
    for line in paper.text.split("\n"):
        if line.startswith("|"):
            started = True
            cells = [cell.strip().strip("*") for cell in line.strip("|").split("|")]
            rows[cells[0]] = cells[1:]
        elif started:
            break
    return rows


class TestReproducible:
    def test_the_contract_is_kept(self) -> None:
        revkit.testing.check_component(Synthetic(papers_=3))

    def test_a_paper_does_not_depend_on_the_number_of_papers(self, papers: list[Paper]) -> None:
        few = list(Synthetic(papers_=3).papers(revkit.testing.context(seed=11)))
        assert few == papers[:3]

    def test_a_paper_does_not_depend_on_what_was_generated_before(
        self, papers: list[Paper]
    ) -> None:
        assert Synthetic().paper(7, 11) == papers[7]

    def test_another_seed_gives_other_papers(self, papers: list[Paper]) -> None:
        other = next(iter(Synthetic(papers_=1).papers(revkit.testing.context(seed=12))))
        assert other.text != papers[0].text

    def test_count_is_what_is_yielded(self, papers: list[Paper]) -> None:
        assert Synthetic(papers_=COUNT).count() == len(papers) == COUNT
        assert len({paper.id for paper in papers}) == COUNT

    @pytest.mark.parametrize("options", [{"papers_": 0}, {"label_noise": 0.6}])
    def test_options_have_bounds(self, options: dict[str, float]) -> None:
        with pytest.raises(OptionError):
            Synthetic(**options)  # type: ignore[arg-type]


class TestVaried:
    def test_no_two_papers_share_a_paragraph(self, papers: list[Paper]) -> None:
        paragraphs = [p.text[b.start : b.end] for p in papers for b in p.blocks if b.is_prose]
        assert len(paragraphs) > 10 * COUNT
        assert len(set(paragraphs)) == len(paragraphs)

    def test_few_sentences_stand_in_two_papers(self, papers: list[Paper]) -> None:
        said = [p.text[s.start : s.end] for p in papers for s in p.sentences]
        assert len(set(said)) > 0.98 * len(said)

    def test_prose_has_500_to_800_words(self, papers: list[Paper]) -> None:
        words = sorted(paper.words for paper in papers)
        assert words[0] > 430
        assert words[-1] < 900
        assert sum(480 <= count <= 820 for count in words) > 0.95 * COUNT

    def test_every_topic_occurs_and_the_pool_of_citations_knows_it(
        self, papers: list[Paper]
    ) -> None:
        topics = {topic.name for topic in vocabulary().topics}
        assert {paper.labels.topic for paper in papers} == topics
        pool = Path(__file__).parents[3] / "plugins" / "revkit_robustrev" / "pool.jsonl"
        if not pool.exists():
            pytest.skip("the pool of citations is not in this tree")
        known = {
            name
            for line in pool.read_text(encoding="utf-8").splitlines()
            for name in json.loads(line)["topics"]
        }
        assert topics <= known


class TestLanguage:
    def test_no_mark_of_the_grammar_is_left(self, papers: list[Paper]) -> None:
        for paper in papers:
            prose = re.sub(r"\$[^$]+\$", "", re.sub(r"\$\$.*?\$\$", "", paper.text, flags=re.S))
            assert not re.search(r"[<>^~{}@\x01\x02]", prose)
            assert "  " not in paper.text

    def test_no_word_stands_twice_and_articles_fit(self, papers: list[Paper]) -> None:
        for paper in papers:
            for block in paper.blocks:
                if not block.is_prose:
                    continue
                text = paper.text[block.start : block.end]
                assert not re.search(r"\b([a-z]+) \1\b", text), text
                assert not re.search(r"\b[Aa] [aeio]", text), text
                assert not re.search(r"\b[Aa]n [^aeiouAEIOUFMRNLSX$\d]", text), text
                assert re.match(r"[A-Z$]|in which|where", text), text

    def test_every_template_can_be_parsed(self) -> None:
        for templates in sentences().values():
            for template in templates:
                if not template.startswith("\\") and "\\" not in template.split("$")[0]:
                    compiled(template)

    @pytest.mark.parametrize("template", ["<a|b", "a>b", "<a~b^c>"])
    def test_marks_that_do_not_match_are_refused(self, template: str) -> None:
        with pytest.raises(ValueError, match=r"template|choice"):
            compiled(template)

    def test_the_voice_chooses_the_side(self) -> None:
        template = "it <may <utilize^use>~<utilizes^uses>> $x^2 < y$ and @a {part}."
        words = {"part": ["edge", "edge"]}
        rng = random.Random(0)
        assert write(template, words, PLAIN, rng) == "It uses $x^2 < y$ and an edge."
        assert write(template, words, CAREFUL, rng) == "It may utilize $x^2 < y$ and an edge."


class TestTrueToItself:
    def test_marks_and_reference_list_agree(self, papers: list[Paper]) -> None:
        for paper in papers:
            numeric = paper.labels.extra["style"]["numeric"]  # type: ignore[index,call-overload]
            body, listed = paper.text.split("## References\n\n")
            entries = [line for line in listed.split("\n") if line]
            assert all("Synthetic Workshop" in entry for entry in entries)
            if numeric:
                marks = {int(n) for m in re.findall(r"\[([\d, ]+)\]", body) for n in m.split(",")}
                assert marks == set(range(1, len(entries) + 1))
            else:
                firsts = [re.match(r"- (\w+), .*?\((\d{4})\)", entry) for entry in entries]
                for found in firsts:
                    assert found is not None
                    assert re.search(rf"{found[1]}[^(;]{{0,30}}[ ,(]+{found[2]}", body)

    def test_percentages_in_the_text_stand_in_a_table(self, papers: list[Paper]) -> None:
        for paper in papers:
            numbers = {
                number
                for line in paper.text.split("\n")
                if line.startswith("|")
                for number in re.findall(r"\d+\.\d", line)
            }
            for heading in ("Abstract", "Results"):
                message = re.findall(r"(\d+\.\d)%", section(paper, heading))
                assert set(message) <= numbers

    def test_gains_told_are_differences_of_the_table(self, papers: list[Paper]) -> None:
        message = 0
        for paper in papers:
            rows = table_rows(paper)
            datasets = rows["Method"]
            *others, own = (name for name in rows if name not in ("Method", "---"))
            pattern = rf"{re.escape(own)} (?:outperforms|beats) ([\w -]+?) on ([\w-]+) by (\d+\.\d)"
            for baseline, dataset, gain in re.findall(pattern, section(paper, "Results")):
                at = datasets.index(dataset)
                value = {name: float(rows[name][at].split()[0]) for name in [*others, own]}
                assert value[baseline] == max(value[name] for name in others)
                assert value[own] - value[baseline] == pytest.approx(float(gain))
                message += 1
        assert message > COUNT / 2

    def test_the_average_told_is_that_of_the_table(self, papers: list[Paper]) -> None:
        for paper in papers:
            rows = table_rows(paper)
            *others, own = (name for name in rows if name not in ("Method", "---"))
            values = {n: [float(cell.split()[0]) for cell in rows[n]] for n in [*others, own]}
            gains = [
                values[own][at] - max(values[name][at] for name in others)
                for at in range(len(values[own]))
            ]
            found = re.search(r"(-?\d+\.\d) points", section(paper, "Conclusion"))
            assert found is not None
            assert float(found[1]) == pytest.approx(statistics.mean(gains), abs=0.0501)


class TestLatent:
    def test_labels_follow_from_quality(self, papers: list[Paper]) -> None:
        for paper in papers:
            labels = paper.labels
            assert labels.quality is not None
            assert labels.severity is not None
            assert labels.severity == pytest.approx(100 * (1 - labels.quality), abs=0.06)
            quarter = ("none", "minor", "major", "reject")[min(3, int(labels.severity / 25.001))]
            assert labels.tier == quarter
            assert labels.accept == (labels.tier in ("none", "minor"))
            assert all(1 <= rating <= 10 for rating in labels.ratings)

    def test_evidence_follows_quality_and_style_does_not(self, papers: list[Paper]) -> None:
        quality = [paper.labels.quality or 0.0 for paper in papers]
        evidence = [paper.labels.extra["evidence"] for paper in papers]
        for name in ("baselines", "seeds", "error_bars", "ablation", "limitations", "code"):
            shown = [float(e[name]) for e in evidence]  # type: ignore[index,call-overload,arg-type]
            assert statistics.correlation(quality, shown) > 0.4, name
        assert (
            statistics.correlation(
                quality,
                [float(e["overclaim"]) for e in evidence],  # type: ignore[index,call-overload,arg-type]
            )
            < -0.4
        )
        style = [paper.labels.extra["style"] for paper in papers]
        for name in ("references", "paragraph", "hedging", "vocabulary"):
            drawn = [float(s[name]) for s in style]  # type: ignore[index,call-overload,arg-type]
            assert abs(statistics.correlation(quality, drawn)) < 0.2, name

    def test_evidence_and_style_show_in_the_text(self, papers: list[Paper]) -> None:
        for paper in papers:
            evidence: dict[str, object] = paper.labels.extra["evidence"]  # type: ignore[assignment]
            style: dict[str, object] = paper.labels.extra["style"]  # type: ignore[assignment]
            assert ("±" in paper.text) == evidence["error_bars"]
            assert ("### 5.1 Ablation" in paper.text) == evidence["ablation"]
            assert ("## 7 Limitations" in paper.text) == evidence["limitations"]
            assert len(table_rows(paper)) - 3 == evidence["baselines"]
            assert len(paper.references) == style["references"]

    def test_label_noise_turns_decisions_around_and_nothing_else(self, papers: list[Paper]) -> None:
        noisy = list(Synthetic(papers_=COUNT, label_noise=0.2).papers(revkit.testing.context(11)))
        assert [p.text for p in noisy] == [p.text for p in papers]
        turned = sum(a.labels.accept != b.labels.accept for a, b in zip(noisy, papers, strict=True))
        assert 0.12 * COUNT < turned < 0.28 * COUNT
