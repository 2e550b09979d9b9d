"""The input of every component call besides its item: its seed and the run's services."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from revkit.cache import SeedBase, Store, attempts_to_json
from revkit.contracts import Agent, Component, Context, Corpus, Services
from revkit.errors import StoreError
from revkit.execution.changed_files import ChangedFiles
from revkit.execution.frames import error_text
from revkit.execution.keys import services_behind
from revkit.execution.prose import ProseOfPapers
from revkit.execution.sources import CorpusPapers
from revkit.execution.warning import (
    RunWarning,
    damaged_answers_warning,
    equal_counts_warning,
    left_out_warning,
    mixed_arithmetic_warning,
    odd_results_warning,
    unseen_layout_warning,
)
from revkit.execution.work.answer import Calls
from revkit.execution.work.clock import ReviewClock
from revkit.grammar.parse_keeper import ParseKeeper
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.paper import Paper, Skipped
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.model.work import Work
from revkit.observing import current
from revkit.services import EmbedService, SearchService, StoredParses
from revkit.spec import Experiment

if TYPE_CHECKING:
    from revkit.services.llm import ModelGateway


class RunServices:
    """The services of one run and the contexts of its components.

    Use it as a context manager: it holds connections to language models, where one may be asked.
    ``stop`` ends waiting for a model early. ``serve`` False offers no service at all: for a run
    that computes nothing, on a machine that may have neither models nor their files. ``sharing``
    are the digests of the experiments that share the budget, as the points of a sweep do.
    """

    def __init__(
        self,
        experiment: Experiment,
        store: Store,
        stop: threading.Event | None = None,
        *,
        serve: bool = True,
        sharing: Collection[str] = (),
    ) -> None:
        components = list(experiment.components())
        self._sharing = {experiment.digest, *sharing}
        embedder = experiment.embedder if serve else None
        self.embed = EmbedService(embedder, store) if embedder else None
        self.parses: ParseKeeper | None = StoredParses(store) if serve else None
        self.clock = ReviewClock()
        self._may_ask = any("llm" in component.uses for _, component in components)
        self.asks = serve and self._may_ask
        self._gateway: ModelGateway | None = None
        self.early: list[RunWarning] = []
        self.noted: list[RunWarning] = []
        self._left_out: dict[tuple[str, str], dict[str, int]] = {}
        self._unseen_layouts: dict[str, None] = {}
        self._opening = threading.Lock()
        self._observer = current()  # of this thread, which runs the experiment
        self._store = store
        self._stop = stop
        self._experiment = experiment
        self._seed = experiment.seed
        self._seeds: dict[int, SeedBase] = {}
        self._services: dict[int, Services] = {}
        agents = [component for _, component in components if isinstance(component, Agent)]
        self.changed_files = ChangedFiles(agents if serve else (), store)
        self._labels: dict[int, str] = {}
        has_prose = ProseOfPapers(store)
        self.peers = CorpusPapers(experiment, lambda: self.papers_of(experiment.corpus), has_prose)
        places: dict[int, list[str]] = {}
        for path, component in components:
            places.setdefault(id(component), []).append(path)
        for _, component in components:
            # The ledger counts by the names under which the experiment knows the component.
            label = ", ".join(places[id(component)])
            self._labels[id(component)] = label
            self._services[id(component)] = Services(
                embed=self.embed,
                complete=partial(self._complete, label) if self.asks else None,
                gather=self._gather if self.asks else None,
                peers=self.peers if serve else None,
                search=self._search if serve and experiment.searcher else None,
            )
        self._searcher: SearchService | None = None
        if serve and experiment.searcher is not None:
            searcher = experiment.searcher
            behind = services_behind(experiment, [searcher])
            services = self._services[id(searcher)]
            self._searcher = SearchService(searcher, store, services, behind)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._gateway is not None:
            self._gateway.close()

    @property
    def gateway(self) -> ModelGateway | None:
        """The gateway to language models; None if no component calls one.

        Opened when first needed: a run whose answers are all stored has no use for it.
        """
        if self.asks and self._gateway is None:
            from revkit.services.llm import ModelGateway

            with self._opening:
                self._gateway = self._gateway or ModelGateway(
                    self._experiment.llm,
                    self._store,
                    self._experiment.budget,
                    stop=self._stop,
                    experiment=self._experiment.digest,
                    sharing=self._sharing,
                    observer=self._observer,
                )
        return self._gateway

    def spending(self) -> dict[str, Json] | None:
        """The spending on language models: by this command, and by all commands that ran the
        experiment with this store; None if no component calls a model, or if answers are only
        repeated and the store knows of no call, as that of a replay.
        """
        if not self._may_ask:
            return None
        command = [] if self._gateway is None else self._gateway.ledger.to_json()
        whole = attempts_to_json(self._store, self._experiment.digest)
        if not self.asks and not whole:
            return None
        return {"command": command, "experiment": whole}

    def warnings(self) -> tuple[RunWarning, ...]:
        """Return warnings about the calls made so far that affect the reviews, and about lost
        answers of the store.
        """
        counts = [] if self._gateway is None else self._gateway.equal_counts()
        found = list(map(equal_counts_warning, counts))
        if damaged := self._store.damaged:
            found.append(damaged_answers_warning(self._store.path, damaged.values()))
        found += [left_out_warning(*place, texts) for place, texts in self._left_out.items()]
        found += [unseen_layout_warning(name) for name in self._unseen_layouts]
        if self.embed is not None and self.embed.mixed is not None:
            found.append(mixed_arithmetic_warning(self.embed.embedder.name, *self.embed.mixed))
        desk = None if self._gateway is None else self._gateway.desk
        if desk is not None and desk.courier.warnings:
            found.append(odd_results_warning(desk.courier.warnings))
        return (*found, *self.noted, *self.early)

    def recorded(self) -> None:
        """Note that all outcomes are recorded: calls that failed in batches are asked again by the
        next command.
        """
        if self._gateway is not None and self._gateway.desk is not None:
            self._gateway.desk.recorded()

    def leave_out(self, judge: str, rubric: str, reason: str) -> None:
        """Count a text that ``judge`` cannot score by ``rubric``, for `warnings`."""
        texts = self._left_out.setdefault((judge, reason), {})
        texts[rubric] = texts.get(rubric, 0) + 1

    def note_unseen_layout(self, agent: str) -> None:
        """Note that ``agent`` gets no file, and so the same text in each layout, for `warnings`."""
        self._unseen_layouts[agent] = None

    def _complete(self, label: str, request: ModelRequest) -> ModelReply | Failure:
        assert self.gateway is not None
        return self.gateway.complete(request, label)

    def _gather(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        assert self.gateway is not None
        return self.gateway.gather(calls)

    def troubles(self, component: Component) -> list[str]:
        """Return problems that would make every call of a component fail, found without paid calls.

        A plugin that fails even to say what it lacks lacks that.
        """
        try:
            asked = services_behind(self._experiment, [component])
            troubles = [str(trouble) for each in (component, *asked) for trouble in each.ready()]
            if not troubles and self.gateway is not None:
                troubles = self.gateway.check(component.models())
        except StoreError:
            raise
        except (Exception, SystemExit) as error:
            return [f"{component.name}: {error_text(error)}"]
        return troubles

    def _search(self, query: str, limit: int) -> Sequence[Work] | Failure:
        assert self._searcher is not None
        return self._searcher(query, limit)

    def found_before(self, query: str, limit: int) -> Sequence[Work] | None:
        """Return the result of a search in an earlier run; None if the store does not contain
        it.
        """
        return self._searcher.stored(query, limit) if self._searcher else None

    def papers_of(self, corpus: Corpus) -> Iterable[Paper | Skipped]:
        """Yield the papers of ``corpus``."""
        return corpus.papers(Context(self._seed, self.services_of(corpus), corpus.uses))

    def services_of(self, component: Component) -> Services:
        """Return the services that ``component`` may use."""
        return self._services[id(component)]

    def context(
        self,
        component: Component,
        digest: str,
        *numbers: int,
        repeat: int = 0,
        calls: Calls | None = None,
    ) -> Context:
        """Return the context of ``component`` for one item, with a seed from content alone.

        The keys of the model calls that are answered through it are added to ``calls``, each with
        the role that it was asked for.
        """
        services = self.services_of(component)
        if calls is not None and "llm" in component.uses:
            services = self._noting(services, self._labels[id(component)], calls)
        return Context(
            seed=self._seed_base(component).item(digest, *numbers),
            services=services,
            uses=component.uses,
            repeat=repeat,
        )

    def _seed_base(self, component: Component) -> SeedBase:
        # Only when asked for: an identity may read files, those of a whole corpus for example.
        base = self._seeds.get(id(component))
        if base is None:
            base = self._seeds[id(component)] = SeedBase.of(component, self._seed)
        return base

    async def answered(
        self, component: Component, calls: Calls, request: ModelRequest
    ) -> ModelReply | Failure:
        """The answer to ``request`` by ``component``, in the event loop of calls; its key is added
        to ``calls``.
        """
        assert self.gateway is not None
        reply, key = await self.gateway.answered(request, self._labels[id(component)])
        if isinstance(reply, ModelReply):  # a failure is not stored
            calls.append((key.hex(), request.role))
        return reply

    def _noting(self, services: Services, label: str, calls: Calls) -> Services:
        if services.complete is None:
            return services

        def noting(request: ModelRequest) -> ModelReply | Failure:
            assert self.gateway is not None
            reply, key = self.gateway.answer(request, label)
            if isinstance(reply, ModelReply):  # a failure is not stored
                calls.append((key.hex(), request.role))
            return reply

        return replace(services, complete=noting)
