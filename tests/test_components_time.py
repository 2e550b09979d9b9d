"""No text makes a component slow: its time grows with the length of the text, whatever it holds."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import pytest

from revkit.contracts import Agent, Component, Perturbation
from revkit.errors import RevkitError
from revkit.model import Paper, Rejection
from revkit.model.edits import ordered_edits
from revkit.model.variant import Layout
from revkit.registry import load_registry
from revkit.testing import context
from tests.cpu_time import cpu_seconds

HEAD = "# Gates\n\n## Abstract\n\nWe study gates. They may help, and they often do [1].\n\n"
BODY = "## 1 Introduction\n\n{body}\n\n"
TAIL = "## References\n\n[1] A. Lee. Gates. 2019.\n\n[2] B. Roy. Sets. In ACM, 2020.\n"
SHAPES = (
    "[1-999999999] ",
    "(Lee, 2020) ",
    "(Lee, 2020; ",
    "Lee et al. (2020) shows this. ",
    "(Aa, 2000a; Aa, 2000a; ",
    "end.1111111111111111 ",
    "appendix A0000000000000 ",
    "appendix A.1.1.1.1.1.1, ",
    "We may show that it is good. ",
    "a ",
    "a",
    " ",
    "\n",
    "A. ",
    "et al. ",
    "e.g., ",
    "$x$ ",
    "$",
    "(",
    "[",
    "{",
    "<b ",
    "<a a=",
    "*",
    "`",
    '"a" ',
    "“a ",
    "- a\n",
    "| a ",
    "# a\n\n",
    "1. ",
    "\\item ",
    "http://a.b/",
    "a@",
    "% a\n",
    "中。",
)  # fmt: skip
SMALL, LARGE = 3_000, 12_000


def texts(shape: str, size: int) -> Iterator[str]:
    run = shape * (size // len(shape))
    yield HEAD + BODY.format(body=run) + TAIL
    yield HEAD + BODY.format(body=f"{run}x~ We may show this.") + TAIL
    yield HEAD + BODY.format(body="We may show this.") + TAIL + run


def taken(work: Callable[[Paper], object], text: str) -> float:
    def attempt() -> None:
        with suppress(RevkitError):
            work(Paper("p", text))

    return cpu_seconds(attempt, tries=1)


def slow(work: Callable[[Paper], object], shape: str) -> str | None:
    """The shape, where four times the text takes more than nine times as long."""
    for small, large in zip(texts(shape, SMALL), texts(shape, LARGE), strict=True):
        long = taken(work, large)
        if long < 0.1:
            continue
        short = min(taken(work, small) for _ in range(2))
        if min(long, taken(work, large)) > 9 * max(short, 0.004):
            return f"{shape!r}: {short:.3f} s, then {long:.3f} s"
    return None


def parsed(paper: Paper) -> object:
    return paper.sentences, paper.citations, paper.references, paper.words


@pytest.mark.parametrize("shape", SHAPES)
def test_parsing(shape: str) -> None:
    assert slow(parsed, shape) is None


def components(kind: str) -> list[Component]:
    """The components of a kind that work with their defaults, offline."""
    found: list[Component] = []
    for entry in load_registry().of_kind(kind):
        component = entry.component
        if "llm" in component.uses or "search" in component.uses:
            continue
        try:
            found.append(component())
        except (TypeError, ValueError, RevkitError):
            continue  # an option has no default
    return found


def perturb(component: Component, paper: Paper) -> object:
    assert isinstance(component, Perturbation)
    made = component.perturb(paper, context())
    return made if isinstance(made, Layout | Rejection) else ordered_edits(paper.text, made)


def review(component: Component, paper: Paper) -> object:
    assert isinstance(component, Agent)
    return component.review(paper, context())


@pytest.mark.parametrize("component", components("perturbation"), ids=lambda it: it.name)
def test_perturbations(component: Component) -> None:
    assert _slow_shapes(partial(perturb, component)) == []


@pytest.mark.parametrize("component", components("agent"), ids=lambda it: it.name)
def test_agents(component: Component) -> None:
    assert _slow_shapes(partial(review, component)) == []


def checked(paper: Paper) -> object:
    from revkit_reviewground.checks import check_review

    return check_review(paper, {"weaknesses": paper.text})


@pytest.mark.slow
def test_evidence_checks() -> None:
    assert _slow_shapes(checked) == []


def _slow_shapes(work: Callable[[Paper], object]) -> list[str]:
    return [found for shape in SHAPES if (found := slow(work, shape)) is not None]
