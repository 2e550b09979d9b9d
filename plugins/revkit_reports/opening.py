"""The opening of a report: the question, the material, the answer, its limit, and the words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from revkit.figures.numbers import MOST_LISTED, count_of, list_names
from revkit.figures.terms import TERMS
from revkit.model.records import AgentRow, Records
from revkit.model.table import OpeningPart, Table, Term
from revkit_reports.cards import EXPLAINED, short_rows
from revkit_reports.headline import TableView
from revkit_reports.sentences import MOST_LETTERS, section_findings, unit_of_papers
from revkit_reports.summary import Summary
from revkit_reports.visible import one_line

MOST_TERMS = 45
MOST_DESCRIBED = 12  # lines of a list of agents or families
_MOST_OF_ONE = 200  # letters of a description
Lines = list[tuple[str, str]]


def opening_lines(summary: Summary) -> Lines:
    """Return the lines that open a report, each with its label; lines without a text are absent."""
    lines = [
        ("Question", _asked(summary)),
        ("Material", _material(summary)),
        ("Answer", _answer(summary)),
        ("Limit", "" if summary.run.cards else _stated(summary, "limit")),
    ]
    return [(label, text) for label, text in lines if text]


def _stated(summary: Summary, part: OpeningPart) -> str:
    """Return what tables declare for one line of the opening, each sentence once."""
    found = [each.text for each in summary.findings("lead") if each.part == part]
    return " ".join(dict.fromkeys(one_line(text, MOST_LETTERS) for text in found))


def _asked(summary: Summary) -> str:
    """Return what tables ask, after the question about flips if these were measured; else what the
    experiment asks.
    """
    stated = _stated(summary, "question")
    if not stated:
        return _question(summary)
    flips = _of_flips(summary) if summary.robustness is not None else ""
    return f"{flips} {stated}".strip()


def _of_flips(summary: Summary) -> str:
    records = summary.records
    if not (summary.about_flips and records.perturbations):
        return ""
    kept = all(row.keeps_science for row in records.perturbations)
    how = "in ways that do not change its science" if kept else "in known ways"
    return (
        "Does an AI reviewer (agent) change its verdict, accept or reject, when a paper is "
        f"edited {how}?"
    )


def _question(summary: Summary) -> str:
    """Return what the experiment asks, from what it contains."""
    records = summary.records
    asked = [text for text in [_of_flips(summary)] if text]
    if records.judges:
        asked.append("How do automatic judges score these texts by the given criteria (rubrics)?")
    if records.anchors is not None:
        asked.append("Do equal scores of different agents mean the same quality of a paper?")
    return " ".join(asked)


def _material(summary: Summary) -> str:
    """Return the numbers of papers, variants, agents, judges and anchors."""
    records = summary.records
    papers = f"{len(records.papers):,} {unit_of_papers(records)}"
    parts = []
    if records.agents:
        names = _list(row.name for row in records.agents)
        made = sum(row.outcome == "made" for row in records.variants)
        variants = f" and {count_of(made, 'edited copy', 'edited copies')} of them (variants)"
        times = "" if records.repeats == 1 else f", {records.repeats} times each"
        anchors = records.anchors
        scored = ""
        if anchors is not None:
            comma = "," if times else ""
            scored = f"{comma} and scored {count_of(len(anchors.papers), 'anchor')}"
        parts.append(
            f"{count_of(len(records.agents), 'agent')} ({names}) reviewed {papers}"
            f"{variants if records.perturbations else ''}{times}{scored}."
        )
        if all(row.name in summary.run.controls for row in records.agents):
            one = len(records.agents) == 1
            parts.append(
                f"{'It is a simple program' if one else 'They are simple programs'} with known "
                f"behaviour ({'a control' if one else 'controls'}), not "
                f"{'an AI reviewer' if one else 'AI reviewers'}."
            )
    if records.perturbations and (records.agents or not records.judges):
        number = count_of(len(records.perturbations), "kind")
        names = _list(row.name for row in records.perturbations)
        label = "family" if len(records.perturbations) == 1 else "families"
        parts.append(f"The edits are of {number} ({label}): {names}.")
    parts += [text for text in (_judges(records), _maps(summary)) if text]
    return " ".join(parts) if parts else f"{papers}."


def _list(names: Iterable[str]) -> str:
    found = [one_line(name, 60) for name in names]
    more = [f"{len(found) - MOST_LISTED} more"] if len(found) > MOST_LISTED else []
    return list_names([*found[:MOST_LISTED], *more])


def _judges(records: Records) -> str:
    """Return how many judges scored how many texts."""
    if not records.judges:
        return ""
    lost = all(row.failure for row in records.judgements)
    end = " Every judgement failed." if lost else ""
    if records.judgements and all(row.agent for row in records.judgements):
        reviews = {(row.agent, row.paper, row.repeat) for row in records.judgements}
        return (
            f"{count_of(len(records.judges), 'judge')} read {count_of(len(reviews), 'review')} of "
            f"{count_of(len(records.agents), 'agent')} by "
            f"{count_of(len(records.rubrics), 'rubric')}.{end}"
        )
    variants = " and their variants" if records.perturbations else ""
    text = (
        f"{count_of(len(records.judges), 'judge')} scored {count_of(len(records.papers), 'text')}"
        f"{variants} by {count_of(len(records.rubrics), 'rubric')}."
    )
    return f"{text}{end}"


def _maps(summary: Summary) -> str:
    """Return how maps were fitted on the anchors."""
    records = summary.records
    anchors = records.anchors
    if anchors is None:
        return ""
    ways = list(dict.fromkeys(found.name for found in anchors.maps))
    text = f"Calibration maps were fitted on the anchors by {count_of(len(ways), 'method')}."
    lost = all(verdict.failure for verdict in (*anchors.verdicts, *records.verdicts))
    return f"{text} Every review failed." if lost else text


def _answer(summary: Summary) -> str:
    """Return the findings of the tables, or which agents show a weakness where there are cards."""
    parts = []
    asked = _stated(summary, "question")  # then a table answers another question than flips
    if summary.about_flips:
        parts += [
            text
            for text, missing in (
                ("No agents.", not summary.records.agents),
                ("No families.", not summary.records.perturbations),
                ("Flip rates were not measured.", summary.robustness is None and not asked),
            )
            if missing
        ]
    found = _of_cards(summary) if summary.run.cards else _stated(summary, "answer")
    if not any((*parts, found)):
        return _agents(summary)
    return " ".join(part for part in (*parts, _silent(summary), found) if part)


def _silent(summary: Summary) -> str:
    """Return which agents returned no review, if there are such agents."""
    asked = {verdict.agent for verdict in summary.records.verdicts}
    given = {verdict.agent for verdict in summary.records.verdicts if not verdict.failure}
    names = [row.name for row in summary.records.agents if row.name in asked - given]
    if not names:
        return ""
    of = count_of(len(summary.records.agents), "agent")
    return f"{len(names):,} of {of} returned no review: {_list(names)}."


def _of_cards(summary: Summary) -> str:
    cards = summary.run.cards
    weak = [card.agent for card in cards if card.weaknesses]
    rest = [card.agent for card in cards if not card.weaknesses]
    text = f"{len(weak):,} of {count_of(len(cards), 'agent')} show a weakness"
    text += f": {_list(weak)}." if weak else "."
    if rest:
        text += f" No weakness was shown for {_list(rest)}; with few papers, there may be one."
    return text


def _agents(summary: Summary) -> str:
    """Return how many agents reviewed how many papers, and how many returned no review."""
    records = summary.records
    valid = [verdict for verdict in records.verdicts if not verdict.failure]
    reviewing = {verdict.agent for verdict in valid}
    papers = count_of(len({verdict.paper for verdict in valid}), "paper")
    silent = count_of(len(records.agents) - len(reviewing), "agent")
    parts = [f"{count_of(len(reviewing), 'agent')} reviewed {papers}"] if reviewing else []
    if len(reviewing) < len(records.agents):
        parts.append(f"{silent} returned no review")
    return f"{', and '.join(parts)}." if parts else ""


def described(summary: Summary) -> list[tuple[str, Lines]]:
    """Return lists of the agents and families of a run, each with what its component says of
    itself; names with one description are together. Agents are listed with their scales.
    """
    sections = (
        ("Agents in this report", "agents", [row.name for row in summary.records.agents]),
        (
            "Families in this report",
            "perturbations",
            [row.name for row in summary.records.perturbations],
        ),
    )
    found = []
    for title, section, names in sections:
        lines = _described(summary, section, names)
        if lines and section == "agents":
            lines.append(("scores", _scales(summary.records.agents)))
        found.append((title, lines))
    return [(title, lines) for title, lines in found if lines]


def _described(summary: Summary, section: str, names: Sequence[str]) -> Lines:
    """Return the names of components of one section with their descriptions."""
    found: dict[str, list[str]] = {}
    for name in names:
        text = one_line(summary.run.descriptions.get(f"{section}.{name}", ""), _MOST_OF_ONE)
        if text:
            found.setdefault(text, []).append(name)
    lines = [(_list(of), text) for text, of in found.items()]
    if len(lines) > MOST_DESCRIBED:
        rest = sum(len(of) for of in list(found.values())[MOST_DESCRIBED:])
        lines = [*lines[:MOST_DESCRIBED], (f"{rest:,} more", "See spec.yaml of the run.")]
    return lines


def _scales(agents: Sequence[AgentRow]) -> str:
    """Return the scale and the threshold of each agent, agents with the same ones together."""
    found: dict[str, list[str]] = {}
    for agent in agents:
        scale = agent.scale
        text = f"{scale.minimum:g} to {scale.maximum:g}"
        if scale.accept_at is not None:
            side = "more" if scale.higher_is_better else "less"
            text += f", accept at {scale.accept_at:g} or {side}"
        found.setdefault(text, []).append(agent.name)
    parts = [
        f"{_list(of) if len(found) > 1 else 'all agents' if len(of) > 1 else of[0]}: {text}"
        for text, of in found.items()
    ]
    more = [f"{len(parts) - MOST_DESCRIBED} more"] if len(parts) > MOST_DESCRIBED else []
    return f"{'; '.join([*parts[:MOST_DESCRIBED], *more])}."


def words(
    summary: Summary, lines: Lines, views: Sequence[TableView], more: Sequence[str] = ()
) -> Lines:
    """Return the words that a report uses in ``lines``, ``views`` and ``more``, each with its
    definition: those of its tables first, then those that all reports share.
    """
    texts = [*(text for _, text in lines), *more]
    texts += [text for table in summary.run.tables for text in section_findings(table)]
    for view in views:
        texts += [view.title, view.reading, view.same, *view.columns, *view.notes, *view.remarks]
        texts += [text for _, text in view.definitions]
    if summary.run.cards:
        rows = [row for card in summary.run.cards for row in short_rows(card)]
        texts += [EXPLAINED, *(f"{row.figure} {row.observations} {row.context}" for row in rows)]
    found = [term for term in _terms(summary.run.tables) if term.is_in("\n".join(texts))]
    return [(one_line(term.name, 60), one_line(term.text, 400)) for term in found[:MOST_TERMS]]


def _terms(tables: Sequence[Table]) -> list[Term]:
    """Return the terms of all reports and those of the tables; a table's own term of one name
    counts.
    """
    own = {term.name: term for table in tables for term in table.terms}
    shared = [own.pop(term.name, term) for term in TERMS]
    return [*shared, *own.values()]
