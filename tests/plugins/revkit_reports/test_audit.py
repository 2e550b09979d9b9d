"""Random edits in the HTML report: drawn by the seed, before and after, hostile text escaped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from revkit.contracts import RunView
from revkit.model.edits import Edit
from revkit_reports.audit import AuditedEdit, audit_of
from revkit_reports.html import Html

HOSTILE = "<script>alert(1)</script> {{ 7*7 }} {% raw %} & \x00\u202eevil"


def text_of(each: AuditedEdit, side: str) -> str:
    return "".join(mark.text for mark in getattr(each, side))


def test_five_edits_of_each_family(run: RunView) -> None:
    audits = audit_of(run, 5)
    assert [audit.family for audit in audits] == ["paraphrase", "citations", "hedging", "length"]
    for audit in audits:
        rows = [row for row in run.records.variants if row.perturbation == audit.family]
        made = [row for row in rows if row.outcome == "made"]
        assert audit.made == sum(row.edits for row in made)
        assert len(audit.shown) == 5
        assert {each.paper for each in audit.shown} <= {row.paper for row in made}


def test_the_sentence_before_is_in_the_paper_and_the_one_after_in_the_variant(
    run: RunView,
) -> None:
    for audit in audit_of(run, 5):
        for each in audit.shown:
            text = run.text_of(each.paper)
            edits = run.edits_of(each.paper, audit.family, 0)
            edited = text
            for edit in sorted(edits, reverse=True):
                edited = edited[: edit.start] + edit.new + edited[edit.end :]
            kept = [mark.text for mark in each.before if mark.kind == "kept"]
            assert all(part in text for part in kept)
            assert text_of(each, "before").strip() in text
            assert text_of(each, "after").strip() in edited
            assert text_of(each, "before") != text_of(each, "after")


def test_the_draw_depends_on_the_seed_alone(run: RunView) -> None:
    assert audit_of(run, 5) == audit_of(run, 5)
    other = replace(run, records=replace(run.records, seed=1))
    assert audit_of(other, 5) != audit_of(run, 5)


def test_every_edit_has_the_same_chance(made: Callable[..., RunView]) -> None:
    run = made(papers=3, families=("paraphrase",))
    total = audit_of(run, 1)[0].made
    counts: Counter[str] = Counter()
    for seed in range(400):
        drawn = audit_of(replace(run, records=replace(run.records, seed=seed)), 1)[0].shown[0]
        counts[drawn.paper] += 1
    for row in run.records.variants:
        if row.outcome == "made":
            assert counts[row.paper] / 400 == pytest.approx(row.edits / total, abs=0.1)


def test_few_edits_are_shown_whole_and_none_is_drawn_twice(made: Callable[..., RunView]) -> None:
    run = made(papers=2, families=("citations",))
    (audit,) = audit_of(run, 100)
    assert len(audit.shown) == audit.made


def test_zero_shows_none(run: RunView) -> None:
    assert audit_of(run, 0) == []
    assert 'id="audit"' not in Html(audited=0).render(run)["report.html"]


def test_hostile_text_is_escaped(run: RunView) -> None:
    def edits_of(paper: str, family: str, index: int) -> list[Edit]:
        edits = run.edits_of(paper, family, index)
        return [replace(edit, new=HOSTILE, note=HOSTILE) for edit in edits]

    hostile = replace(run, edits_of=edits_of, title_of=lambda paper: HOSTILE)
    page = Html(max_pairs=0).render(hostile)["report.html"]
    section = page.partition('id="audit"')[2].partition("</section>")[0]
    assert section.count("<li>") == 20
    assert "<script" not in section
    assert "&lt;script&gt;alert(1)" in section
    assert "{{ 7*7 }}" in section
    assert "\x00" not in section
    assert "\u202e" not in section


def test_long_edits_are_bounded(run: RunView) -> None:
    def edits_of(paper: str, family: str, index: int) -> list[Edit]:
        return [replace(e, new="x" * 1_000_000) for e in run.edits_of(paper, family, index)]

    audits = audit_of(replace(run, edits_of=edits_of), 5)
    assert all(
        len(mark.text) < 1_000 for audit in audits for each in audit.shown for mark in each.after
    )
