"""The contracts: what a plugin author writes, one base class for each kind of component.

A component is a frozen dataclass that derives from one of these classes. It works
without YAML, registry or run: ``Hedging(mode="add").perturb(paper, revkit.testing.context())``.
Components see papers without labels and under an id that reveals nothing (`Paper.blind`), and draw
random numbers from ``ctx.rng`` only, which is seeded from the experiment's seed, the component,
its options and the item; so order, threads and resumption change nothing.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeAlias, TypeVar

from revkit.errors import UnreadableMap
from revkit.model.criterion import Criterion
from revkit.model.edits import Edit
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.paper import Paper, Skipped
from revkit.model.records import Expectation, Records
from revkit.model.review import Failure, Outcome, Scale
from revkit.model.roles import AgentRole
from revkit.model.table import Table
from revkit.model.training import TrainingExample
from revkit.model.values import Json
from revkit.model.variant import Check, Rejection
from revkit.model.work import Work
from revkit.options import check_options, options_of

if TYPE_CHECKING:
    import numpy

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
# Scores, weights and marks of many items, one each: whatever can be read in order.
Numbers: TypeAlias = "Sequence[float] | numpy.ndarray[Any, Any]"
Flags: TypeAlias = "Sequence[bool] | numpy.ndarray[Any, Any]"
MYPY = False  # mypy, and only it, takes this name for true


class _Attribute(Protocol[T_co]):
    """A descriptor that gives a value of an instance, such as a property."""

    def __get__(self, instance: Any, owner: Any = None, /) -> T_co: ...


ServiceName = Literal["embedder", "llm", "corpus", "searcher"]


class Component(ABC):
    """The base of all kinds of components.

    ``name`` is kebab-case and unique within its kind. ``version`` is raised whenever the component
    answers the same question differently: stored answers of an older version are never used.
    Without one, a digest of the plugin's code takes its place, and any change of code (comments
    and formatting aside) computes everything again. ``data`` names the files beside the module
    that decide answers (prompts, word lists; "*" matches, "package:file" is a file of another
    package): their content enters the key with the version. ``uses`` names the services that the
    component may ask its `Context` for; their identity enters its cache key.
    """

    name: ClassVar[str]
    version: ClassVar[str] = ""
    data: ClassVar[tuple[str, ...]] = ()
    uses: ClassVar[tuple[ServiceName, ...]] = ()

    def __post_init__(self) -> None:
        check_options(self)

    def identity(self) -> Json:
        """The part of a result's cache key that this component determines: its options.

        A component that reads files overrides this, and replaces their paths by digests of their
        content.
        """
        return options_of(self)

    def models(self) -> Sequence[str]:
        """The language models that this component may ask, by their names in litellm."""
        return ()

    def files_needed(self) -> Sequence[str]:
        """The paths, as in its options, of text files without which it cannot be built.

        An exported run contains them, so that it can be replayed elsewhere. A corpus lists none:
        its papers are exported.
        """
        return ()

    def ready(self) -> Sequence[str]:
        """Problems that would make every call fail, found without a call: a missing secret, program
        or file, one sentence each. A run checks them before it computes the first item, so that
        nothing is spent in vain; cached items need nothing."""
        return ()


@dataclass(frozen=True, slots=True)
class Peer:
    """A paper of the same corpus, blind, with the topic that its labels name ("" for none)."""

    paper: Paper
    topic: str = ""


@dataclass(frozen=True)
class Services:
    """The services of one run, each by name.

    ``embed`` maps texts to unit vectors, one row each; ``complete`` asks a language model;
    ``peers`` gives all papers of the corpus; ``search`` looks for literature.
    """

    embed: Callable[[Sequence[str]], numpy.ndarray[Any, Any]] | None = None
    complete: Callable[[ModelRequest], ModelReply | Failure] | None = None
    gather: Callable[[Sequence[Callable[[], Any]]], list[Any]] | None = None
    peers: Callable[[], Sequence[Peer]] | None = None
    search: Callable[[str, int], Sequence[Work] | Failure] | None = None


@dataclass(frozen=True)
class Context:
    """What a component may use besides its arguments.

    ``rng`` is seeded for this component and this item; ``seed`` is the same seed as a number in
    [0, 2**63), for numpy. Services are there when the component declares them in ``uses``.
    ``repeat`` counts the reviews of one text by one agent, from 0.
    """

    seed: int = 0
    services: Services = Services()
    uses: tuple[ServiceName, ...] | None = None
    repeat: int = 0
    rng: random.Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rng", random.Random(self.seed))

    def embed(self, texts: Sequence[str]) -> numpy.ndarray[Any, Any]:
        """Return one unit vector (a row of float32) for each text, from the run's embedder.

        Raises `RuntimeError` where the component does not declare "embedder" in ``uses`` or the run
        has none.
        """
        if self.uses is not None and "embedder" not in self.uses:
            raise RuntimeError("declare uses = ('embedder',) to embed texts")
        if self.services.embed is None:
            raise RuntimeError("this context has no embedder")
        return self.services.embed(texts)

    def complete(self, request: ModelRequest) -> ModelReply | Failure:
        """Ask a language model once and wait; the answer is stored and never paid for again.

        A problem of the provider or the reply is returned as a `Failure`. Raises
        `RuntimeError` where the component does not declare "llm" in ``uses`` or the run has no
        models.
        """
        if self.uses is not None and "llm" not in self.uses:
            raise RuntimeError("declare uses = ('llm',) to ask a language model")
        if self.services.complete is None:
            raise RuntimeError("this context has no language models")
        return self.services.complete(request)

    def peers(self) -> Sequence[Peer]:
        """All papers of the corpus, including the current one, sorted by digest.

        For perturbations that borrow from other papers; their answers depend on the whole corpus.
        Raises `RuntimeError` where the component does not declare "corpus" in ``uses`` or the run
        has none.
        """
        if self.uses is not None and "corpus" not in self.uses:
            raise RuntimeError("declare uses = ('corpus',) to see the other papers")
        if self.services.peers is None:
            raise RuntimeError("this context has no corpus")
        return self.services.peers()

    def search(self, query: str, limit: int = 10) -> Sequence[Work] | Failure:
        """Look for at most ``limit`` works on ``query``, most relevant first; each question is
        asked once, and its answer stored.

        A search that fails is a `Failure`. Raises `RuntimeError` where the component does not
        declare "searcher" in ``uses`` or the run has none.
        """
        if self.uses is not None and "searcher" not in self.uses:
            raise RuntimeError("declare uses = ('searcher',) to search the literature")
        if self.services.search is None:
            raise RuntimeError("this context has no searcher")
        return self.services.search(query, limit)

    def gather(self, calls: Sequence[Callable[[], T]]) -> list[T]:
        """Run ``calls`` in parallel; return their results in order, or raise the first error."""
        if self.services.gather is None:
            return [call() for call in calls]
        return self.services.gather(calls)


class Corpus(Component):
    """A source of papers."""

    @abstractmethod
    def papers(self, ctx: Context) -> Iterable[Paper | Skipped]:
        """Yield papers one by one, and a `Skipped` for each record that is not loaded.

        The order is the corpus's own and stable. Nothing is dropped without a `Skipped`. A source
        that cannot be read at all raises `revkit.errors.RunError` with the path and the remedy.
        """

    def count(self) -> int | None:
        """How many records `papers` will yield, if that is cheap to find out; else None."""
        return None


class Perturbation(Component):
    """A change to a paper with a known effect on a fair review.

    ``expect`` says what a fair score does: "invariant" (a flip is a fault), "decrease" or
    "increase". ``target`` names the review aspect that should move, where there is one.
    """

    expect: ClassVar[Expectation] = "invariant"
    target: ClassVar[str] = ""

    @abstractmethod
    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the edits of ``paper.text`` that make the variant, or why there is none.

        Edits must not overlap; an empty sequence counts as a rejection ("nothing to edit").
        """

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """Return this family's own checks of a variant; one that fails rejects the variant."""
        return ()


class Constraint(Component):
    """A condition that variants must meet, set on a perturbation with ``keep-if``."""

    @abstractmethod
    def check(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Check:
        """Judge the variant ``paper.edited(edits)`` as a whole; a failed check rejects it."""

    def prune(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Edit]:
        """Return the edits worth keeping, before `check` judges what is left. Default: all."""
        return edits


class Agent(Component):
    """A reviewer: one paper in, one review or failure out.

    ``deterministic`` declares that the same paper always gets the same answer. ``cannot_see`` is
    one sentence on what its scores cannot show, "" for nothing special; reports state it as a
    warning, so that a table of zeros does not pass for a result.
    """

    deterministic: ClassVar[bool] = False
    cannot_see: ClassVar[str] = ""

    @property
    def probes(self) -> bool:
        """Whether `repeat_markers` asks a model how far it reads. Default: no."""
        return False

    if MYPY or not TYPE_CHECKING:

        @property
        @abstractmethod
        def scale(self) -> Scale:
            """The scale of this agent's scores: a class attribute ``scale = Scale(...)`` without an
            annotation, or a property."""

    else:  # pyright lets no class attribute override a property
        scale: Scale | _Attribute[Scale]

    @abstractmethod
    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Review ``paper``. What can go wrong is returned as a `Failure`, never as a score.

        An exception is recorded as a Failure of kind "crashed".
        """

    def review_roles(self) -> Sequence[AgentRole]:
        """The roles of a reviewer that asks models for different things, for the run graph and the
        forecast: who asks which model, and whose replies each reads. Default: no roles.
        """
        return ()

    def watched_files(self) -> Mapping[str, Json]:
        """The files, by path, whose content is part of `identity` and that the reviewer itself may
        change while it works (such as a log file), with the digest of each.

        A file that changes during a review is not an input: from then on, also in later runs with
        the same store, `pin_files` gets its earlier digest, and the run lists it. Default: none.
        """
        return {}

    def pin_files(self, digests: Mapping[str, Json]) -> None:
        """Use ``digests`` for these files in `identity`, whatever their present content."""

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> Outcome:
        """Score ``paper`` by one criterion of a rubric, on the criterion's scale.

        Agents that judge override this; by default it is a Failure of kind "rejected".
        """
        return Failure("rejected", f"agent {self.name!r} judges no rubrics")

    def repeat_markers(self, paper: Paper, ctx: Context) -> Sequence[str] | Failure:
        """Ask the model once, in the words and with the limits of a review, for the marker words
        that were put into ``paper`` (lines "Marker word: ..."), and return those that it names.

        A run asks where a metric reads probes and `probes` is True. Default: a Failure of kind
        "rejected".
        """
        return Failure("rejected", f"agent {self.name!r} has no reading probe")

    def training_example(
        self, paper: Paper, review: Mapping[str, Json], ctx: Context
    ) -> TrainingExample | Rejection:
        """Return the conversation from which this agent's model would learn to write ``review``.

        The turns are those that the agent sends for ``paper``, to the letter, and the last is the
        review as a reply. ``review`` holds what one person said under the names of fields (texts,
        lists of texts, numbers; ``decision`` is "accept" or "reject" where it is known); one that
        does not fit is rejected with the reason, never changed (`revkit.model.training.fitted`).
        No model is called. An agent that uses several models trains the one that reviews first.
        Default: a rejection.
        """
        return Rejection(f"agent {self.name!r} has no model to train")

    def explain(self, paper: Paper, ctx: Context) -> Mapping[str, Json]:
        """Review one paper and return all details, for a person who sets up an agent.

        The key ``outcome`` is always there; agents that wrap something add what it was ``given``,
        what it ``printed``, what was ``read`` from that and the ``alternatives`` to it.
        """
        return {"outcome": self.review(paper, ctx).to_json(), "scale": self.scale.to_json()}


class Defense(Component):
    """A check or repair of a paper before an agent sees it, set on an agent with ``defenses``, in
    order."""

    @abstractmethod
    def screen(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Failure:
        """Return the edits to make before the agent sees the paper, or refuse it with a Failure."""


class Rubric(Component):
    """A criterion by which judges score texts; a judge is an agent with a `judge` method."""

    if MYPY or not TYPE_CHECKING:

        @property
        @abstractmethod
        def criterion(self) -> Criterion:
            """The question, its levels, and what a judge reads of it: a class attribute or a
            property."""

    else:
        criterion: Criterion | _Attribute[Criterion]


class Curve(ABC):
    """A fitted calibration map from raw to common scores.

    Only ``__call__`` and ``to_json`` are required. The defaults state that nothing is known: no
    flags, no diagnostics, no range, an interval without bounds.
    """

    @abstractmethod
    def __call__(self, raw: Numbers) -> Numbers:
        """Map raw scores; what happens outside the fitted range is the curve's stated rule."""

    @abstractmethod
    def to_json(self) -> Json:
        """Return everything needed to build the same curve again."""

    @property
    def flags(self) -> tuple[str, ...]:
        """Warnings about mapped scores: "weak", "few_anchors", "flat" and the like."""
        return ()

    @property
    def diagnostics(self) -> Mapping[str, Json]:
        """How the fit went: ``n`` anchors, ``dropped`` rows, ``residual_sd``, and what else the
        calibrator states."""
        return {}

    def extrapolated(self, raw: Numbers) -> Flags:
        """State for each raw score whether it lies outside the range of the anchors."""
        return [False] * len(raw)

    def interval(
        self, raw: Numbers, level: float = 0.9
    ) -> tuple[
        Numbers,
        Numbers,
        Mapping[str, Json],
    ]:
        """Return where the target score of a new item with each raw score is expected to lie.

        The lower ends, the upper ends, and what the interval is: its ``method``, nominal ``level``,
        ``measured`` coverage, ``n``, and ``bounded``. Without bounds the ends are infinite and
        ``note`` says why.
        """
        low, high = [float("-inf")] * len(raw), [float("inf")] * len(raw)
        known: Mapping[str, Json] = {
            "method": "none",
            "level": level,
            "measured": None,
            "n": 0,
            "bounded": False,
            "note": "this curve knows no interval",
        }
        return low, high, known


class Calibrator(Component):
    """A way to fit a `Curve`."""

    @abstractmethod
    def fit(
        self,
        raw: Numbers,
        target: Numbers,
        weights: Numbers | None = None,
    ) -> Curve:
        """Fit a map from ``raw`` to ``target``, one row an anchor, with one weight each.

        All are of one length; None for the weights means equal ones. The order of rows never
        changes the map. Rows without usable numbers are left out and counted in the diagnostics;
        anchors to which no map can be fitted raise a `revkit.errors.CalibrationError`.
        """

    def load(self, value: Json) -> Curve:
        """Build a curve again from its `Curve.to_json`, equal to the last bit.

        Raises `revkit.errors.UnreadableMap` for a map of another calibrator or schema version, and
        for one that is damaged. Default: a calibrator cannot load.
        """
        raise UnreadableMap(f"{self.name}: this calibrator cannot load stored maps")


class Metric(Component):
    """A figure over all records of a run. Pure: the same records give the same table.

    ``reads_probes`` declares that it reads `Records.probes`: only then are agents asked how far
    they read, one call for each.
    """

    reads_probes: ClassVar[bool] = False

    @abstractmethod
    def measure(self, records: Records) -> Table:
        """Return a table in which every figure has n, an interval and the unit of resampling."""


class Searcher(Component):
    """A search in the literature."""

    @abstractmethod
    def search(self, query: str, limit: int, ctx: Context) -> Sequence[Work] | Failure:
        """Return at most ``limit`` works, most relevant first, or the failure if there are none.

        No result is an empty sequence, not a failure.
        """


class Embedder(Component):
    """A map from texts to vectors, offered to components as ``ctx.embed``."""

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> numpy.ndarray[Any, Any]:
        """Return float32 unit vectors, shape (len(texts), dimensions)."""


@dataclass(frozen=True)
class RunView:
    """What a reporter reads: one finished run.

    ``spec`` is the resolved experiment as JSON. ``text_of`` and ``edits_of`` read the text of an
    original paper and the edits of a variant from the run's records when asked. ``digest`` covers
    all of it: the same digest means the same report.
    """

    name: str
    spec: Mapping[str, Json]
    records: Records
    tables: Sequence[Table]
    versions: Mapping[str, str]
    digest: str
    text_of: Callable[[str], str]
    edits_of: Callable[[str, str, int], Sequence[Edit]]
    title_of: Callable[[str], str] = lambda paper: paper


@dataclass(frozen=True)
class SweepView:
    """What a reporter reads of a finished sweep: its points and their joined tables.

    ``axes`` names what was swept: the path of each value and the column that holds it. ``points``
    has a row for each point, and ``tables`` the rows of all points, with what was swept in the
    first columns. ``spec`` is the spec as it was given.
    """

    name: str
    axes: Sequence[tuple[str, str]]
    points: Table
    tables: Sequence[Table]
    spec: Mapping[str, Json]
    versions: Mapping[str, str]
    digest: str


class Reporter(Component):
    """A rendering of a finished run."""

    @abstractmethod
    def render(self, run: RunView) -> Mapping[str, str]:
        """Return files by name (relative, within the run's folder) and their text.

        Pure: no clock, no path of this machine, no random order.
        """

    def overview(self, sweep: SweepView) -> Mapping[str, str]:
        """Return files, as `render` does, that compare the points of a sweep. Default: none."""
        return {}

    def summary(self, files: Mapping[str, str]) -> str:
        """Return what to print of the rendered ``files`` at the end of a run. Default: none."""
        return ""


@dataclass(frozen=True)
class ExperimentView:
    """What an exporter reads: one experiment, which is not run.

    ``agents`` are its agents by name, ``screened`` the names of those that have defenses,
    ``corpus`` is the name of its corpus, ``spec`` the resolved experiment as JSON. ``papers`` reads
    the corpus once, as a run does, ``papers_of`` that of another experiment, by its spec's path.
    ``context_of`` gives the context of an agent (by name) for a paper, without services, and
    ``fingerprint_of`` what decides the agent's answers.
    """

    name: str
    spec: Mapping[str, Json]
    seed: int
    corpus: str
    agents: Mapping[str, Agent]
    screened: frozenset[str]
    papers: Callable[[], Iterable[Paper | Skipped]]
    papers_of: Callable[[Path], Iterable[Paper | Skipped]]
    context_of: Callable[[str, Paper], Context]
    fingerprint_of: Callable[[str], str]


@dataclass(frozen=True)
class Exported:
    """What an exporter wrote: a ``summary`` to print, and a manifest as JSON."""

    summary: str
    manifest: Mapping[str, Any] = field(default_factory=dict)


class Exporter(Component):
    """A way to write an experiment for other programs: ``revkit export NAME SPEC``.

    Its options are options of the command, and the first paragraph of its docstring is its help.
    ``folder`` is the folder to write if the user names none.
    """

    folder: ClassVar[str] = "exported"

    @abstractmethod
    def export(self, experiment: ExperimentView, folder: Path) -> Exported:
        """Write files to ``folder``, which may not exist yet.

        Raises `revkit.errors.RunError` where it cannot, and where ``folder`` holds other files than
        those of an earlier export, which are replaced as a whole.
        """


@dataclass(frozen=True, slots=True)
class Kind:
    """One row of `KINDS`: the name of a kind, its plural (for hooks and sections), its contract."""

    name: str
    plural: str
    base: type[Component]


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("corpus", "corpora", Corpus),
        Kind("perturbation", "perturbations", Perturbation),
        Kind("constraint", "constraints", Constraint),
        Kind("agent", "agents", Agent),
        Kind("defense", "defenses", Defense),
        Kind("rubric", "rubrics", Rubric),
        Kind("calibrator", "calibrators", Calibrator),
        Kind("metric", "metrics", Metric),
        Kind("searcher", "searchers", Searcher),
        Kind("embedder", "embedders", Embedder),
        Kind("reporter", "reporters", Reporter),
        Kind("exporter", "exporters", Exporter),
    )
}
