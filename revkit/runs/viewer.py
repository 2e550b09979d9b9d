"""Runs as pages on this machine, for people who read pairs and put marks on them.

Pages hold no script. All text of papers, agents and readers is escaped, and the policy of the
pages loads nothing but their style. Only this machine is served, and only with the token.
"""

from __future__ import annotations

import hmac
import secrets
import tempfile
import unicodedata
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.runs.database import write_database
from revkit.runs.marks import QUESTIONS, Mark, Marks, agreement_of, marks_as_csv
from revkit.runs.opened_run import OpenedRun
from revkit.runs.viewer_data import (
    LISTINGS,
    LONGEST,
    PASSAGES,
    RunData,
    compared_lines,
    passages_of,
)

if TYPE_CHECKING:
    from aiohttp import web

    from revkit.execution import Prompt

# The prompts of one review: run folder, agent, paper, family, variant, repeat.
Prompts = Callable[[Path, str, str, str, int, int], "Sequence[Prompt]"]

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_MOST_FORM = 1 << 16  # bytes
_FOLDER = Path(__file__).parent
_PLACE = ("run", "agent", "paper", "family", "variant")


@dataclass(frozen=True)
class Viewer:
    """The pages of some runs. ``marks`` and ``reader`` allow marks to be written; without them the
    pages only read. ``prompts`` finds the prompts of a review; without it none are shown.
    """

    runs: Sequence[OpenedRun]
    database: Path
    marks: Marks | None = None
    reader: str = ""
    prompts: Prompts | None = None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    form_token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @classmethod
    def of(
        cls,
        runs: Sequence[OpenedRun],
        folder: Path,
        marks: Path | None = None,
        reader: str = "",
        prompts: Prompts | None = None,
    ) -> Viewer:
        """Write the database of ``runs`` into ``folder``, and return their pages."""
        database = folder / "runs.sqlite"
        write_database(runs, database)
        return cls(runs, database, None if marks is None else Marks(marks), reader, prompts)

    @property
    def writes(self) -> bool:
        """Whether marks may be stored."""
        return self.marks is not None and bool(self.reader)

    @cached_property
    def data(self) -> RunData:
        """The rows of the runs."""
        return RunData(self.database)

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """The digest of the records of each run, by its name in the database."""
        return {str(row["run"]): str(row["records"]) for row in self.data.runs()}

    @cached_property
    def folders(self) -> Mapping[str, Path]:
        """The folder of each run, by its name in the database."""
        return {str(row["run"]): Path(str(row["folder"])) for row in self.data.runs()}

    @cached_property
    def template(self) -> Any:
        """The template of all pages."""
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

        environment = Environment(
            loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined
        )
        environment.globals.update(shown=readable, link=_link, questions=QUESTIONS)
        environment.tests["float"] = lambda value: isinstance(value, float)
        return environment.get_template("viewer.html.jinja")

    def page(self, kind: str, title: str, run: str = "", **values: Any) -> str:
        """Return one page of HTML."""
        return str(
            self.template.render(
                kind=kind,
                title=title,
                run=run,
                listings=list(LISTINGS),
                reader=self.reader if self.writes else "",
                marks_file=self.marks.path.name if self.marks else "",
                shows_prompts=self.prompts is not None,
                **values,
            )
        )

    def start(self) -> str:
        """Return the page that lists the runs."""
        runs = [(row, self.data.counts(str(row["run"]))) for row in self.data.runs()]
        return self.page("runs", "Runs", runs=runs)

    def listing(self, name: str, wanted: Mapping[str, str]) -> str:
        """Return a page of rows of one kind; ``wanted`` are the parameters of the address."""
        run = self._run_of(wanted)
        wanted = {key: value for key, value in wanted.items() if value != "*"} | {"run": run}

        def again(**changed: object) -> str:
            kept = {**wanted, **{key: str(value) for key, value in changed.items()}}
            return _link(f"/{name}", **{key: value for key, value in kept.items() if value != ""})

        return self.page(
            "list",
            f"{name.capitalize()} of {run}",
            run,
            name=name,
            columns=LISTINGS[name].columns,
            choices=self.data.choices(name, run),
            found=self.data.find(name, wanted),
            wanted=wanted,
            again=again,
        )

    def paper(self, wanted: Mapping[str, str]) -> str:
        """Return the page of a paper."""
        run = self._run_of(wanted)
        paper = self._paper(run, wanted)
        return self.page("paper", str(paper["title"] or paper["paper"]), run, paper=paper)

    def review(self, wanted: Mapping[str, str]) -> str:
        """Return the page of the reviews that an agent gave of a paper or variant."""
        run, agent, paper, family, variant = self._place(wanted)
        rows = self.data.reviews(run, agent, paper, family, variant)
        if not rows:
            raise RunError("this run has no such review")
        sides = [[(row, compared_lines(row["text"] or "", row["text"] or "")) for row in rows]]
        return self.page("review", f"{agent}: {paper}", run, sides=sides)

    def prompts_of_review(self, wanted: Mapping[str, str]) -> str:
        """Return the page of the prompts behind a review."""
        if self.prompts is None:
            raise RunError("start with --prompts to see the prompts of a review")
        run, agent, paper, family, variant = self._place(wanted)
        repeat = _number(wanted.get("repeat", "0"), "repeat")
        found = self.prompts(self.folders[run], agent, paper, family, variant, repeat)
        return self.page("prompts", f"Prompts of {agent}: {paper}", run, prompts=found)

    def edits(self, wanted: Mapping[str, str]) -> str:
        """Return the page of the edits of a variant."""
        run, _, paper, family, variant = self._place(wanted)
        title = f"{paper}: {family}"
        return self.page("edits", title, run, **self._edits(run, wanted, family, variant))

    def pair(self, wanted: Mapping[str, str]) -> str:
        """Return the page of a pair: both reviews, its edits and its marks."""
        run, agent, paper, family, variant = self._place(wanted)
        before = self.data.reviews(run, agent, paper, "", 0)
        after = self.data.reviews(run, agent, paper, family, variant)
        if not after:
            raise RunError("this run has no such pair")
        texts = ["\n".join(str(row["text"] or "") for row in side) for side in (before, after)]
        sides = [
            [(row, compared_lines(str(row["text"] or ""), other)) for row in side]
            for side, other in ((before, texts[1]), (after, texts[0]))
        ]
        place = dict(zip(_PLACE, (run, agent, paper, family, variant), strict=True))
        return self.page(
            "pair",
            f"{agent}: {paper}, {family}",
            run,
            sides=sides,
            marks=[mark for mark in self._marks(run) if _is_about(mark, place)],
            place=place,
            form_token=self.form_token,
            **self._edits(run, wanted, family, variant),
        )

    def all_marks(self) -> str:
        """Return the page of all marks, with the agreement of the readers."""
        found = self.marks.read() if self.marks else []
        return self.page("marks", "Marks", marks=found, agreements=agreement_of(found))

    def save(self, form: Mapping[str, str]) -> str:
        """Store the marks of a form, and return the address of its pair. Raises `RunError` where
        the pages only read, or the run has no such pair.
        """
        if self.marks is None or not self.reader:
            raise RunError("these pages only read; start with --marks FILE --reader NAME")
        run, agent, paper, family, variant = self._place(form)
        if not self.data.reviews(run, agent, paper, family, variant):
            raise RunError("this run has no such pair")
        where = self.digests[run], agent, paper, family, variant, self.reader
        for question in QUESTIONS:
            if answer := form.get(question, ""):
                self.marks.add(Mark(*where, question, answer))
        if comment := form.get("comment", "").strip():
            self.marks.add(Mark(*where, "", "", comment))
        return _link("/pair", run=run, agent=agent, paper=paper, family=family, variant=variant)

    def _marks(self, run: str) -> list[Mark]:
        return self.marks.read(self.digests[run]) if self.marks else []

    def _edits(
        self, run: str, wanted: Mapping[str, str], family: str, variant: int
    ) -> dict[str, Any]:
        paper = self._paper(run, wanted)
        edits = self.data.edits(run, str(paper["paper"]), family, variant)
        passages = passages_of(str(paper["text"]), edits)
        return {"passages": passages, "count": len(edits), "most": PASSAGES}

    def _paper(self, run: str, wanted: Mapping[str, str]) -> Any:
        found = self.data.paper(run, wanted.get("paper", ""))
        if found is None:
            raise RunError("this run has no such paper")
        return found

    def _run_of(self, wanted: Mapping[str, str]) -> str:
        run = wanted.get("run", "")
        if run not in self.digests:
            raise RunError("there is no such run")
        return run

    def _place(self, wanted: Mapping[str, str]) -> tuple[str, str, str, str, int]:
        variant = _number(wanted.get("variant", "0"), "variant")
        agent, paper, family = (wanted.get(key, "") for key in ("agent", "paper", "family"))
        return self._run_of(wanted), agent, paper, family, variant


def _number(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise RunError(f"the number of the {what} is not a number")
    return int(text)


def readable(value: object) -> str:
    """Return text with characters that hide or reorder text spelled out, and bounded."""
    text = "" if value is None else str(value)
    cut = f" ... ({len(text) - LONGEST:,} more characters)" if len(text) > LONGEST else ""
    return (
        "".join(
            f"[U+{ord(each):04X}]"
            if unicodedata.category(each)[0] == "C" and each not in "\n\t"
            else each
            for each in text[:LONGEST]
        )
        + cut
    )


def _link(path: str, **values: object) -> str:
    return f"{path}?{urlencode({key: str(value) for key, value in values.items()})}"


def _is_about(mark: Mark, place: Mapping[str, object]) -> bool:
    return all(getattr(mark, key) == place[key] for key in _PLACE[1:])


Handler = Callable[["web.Request"], Awaitable["web.StreamResponse"]]


def application(viewer: Viewer) -> web.Application:
    """Return the web application of ``viewer``. Every request needs the token: once in the address,
    then in a cookie of this browser.
    """
    from aiohttp import web

    def html(text: str) -> web.Response:
        return web.Response(text=text, content_type="text/html")

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            response = await _guarded(viewer, request, handler)
        except web.HTTPException as error:
            response = web.Response(status=error.status, text=f"{error.status} {error.reason}\n")
        except RunError as error:
            response = web.Response(status=404, text=f"{readable(error)}\n")
        response.headers.update(HEADERS)
        return response

    async def save(request: web.Request) -> web.Response:
        form = {key: str(value) for key, value in (await request.post()).items()}
        origin = request.headers.get("Origin")
        if origin not in (None, f"http://{request.host}") or not hmac.compare_digest(
            form.get("form", "").encode(), viewer.form_token.encode()
        ):
            return web.Response(status=403, text="this form is not of these pages\n")
        return web.Response(status=303, headers={"Location": viewer.save(form)})

    async def csv(_: web.Request) -> web.Response:
        found = viewer.marks.read() if viewer.marks else []
        return web.Response(
            text=marks_as_csv(found),
            content_type="text/csv",
            headers={"Content-Disposition": 'attachment; filename="marks.csv"'},
        )

    async def style(_: web.Request) -> web.Response:
        text = (_FOLDER / "viewer.css").read_text(encoding="utf-8")
        return web.Response(text=text, content_type="text/css")

    def reading(show: Callable[[Mapping[str, str]], str]) -> Handler:
        async def handle(request: web.Request) -> web.Response:
            return html(show(dict(request.query)))

        return handle

    def listing(name: str) -> Handler:
        return reading(lambda wanted: viewer.listing(name, wanted))

    app = web.Application(middlewares=[guard], client_max_size=_MOST_FORM)
    app.router.add_get("/", reading(lambda _: viewer.start()))
    for name in LISTINGS:
        app.router.add_get(f"/{name}", listing(name))
    for name, show in (
        ("pair", viewer.pair),
        ("review", viewer.review),
        ("paper", viewer.paper),
        ("edits", viewer.edits),
        ("prompts", viewer.prompts_of_review),
    ):
        app.router.add_get(f"/{name}", reading(show))
    app.router.add_get("/marks", reading(lambda _: viewer.all_marks()))
    app.router.add_get("/marks.csv", csv)
    app.router.add_get("/viewer.css", style)
    app.router.add_post("/mark", save)
    return app


async def _guarded(viewer: Viewer, request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer a request of this machine with the token; a page of another site cannot have both."""
    from aiohttp import web

    host, _, port = request.host.rpartition(":")
    if host not in ("127.0.0.1", "localhost"):
        return web.Response(status=403, text="only this machine is served\n")
    cookie = f"revkit-{port}"
    token = viewer.token.encode()
    if hmac.compare_digest(request.query.get("token", "").encode(), token):
        response = web.Response(status=303, headers={"Location": "/"})
        response.set_cookie(cookie, viewer.token, httponly=True, samesite="Strict", path="/")
        return response
    if not hmac.compare_digest(request.cookies.get(cookie, "").encode(), token):
        text = "open the address that revkit view printed: it contains the token\n"
        return web.Response(status=403, text=text)
    return await handler(request)


def serve(
    runs: Sequence[OpenedRun],
    port: int,
    marks: Path | None,
    reader: str,
    ready: Callable[[str], None],
    prompts: Prompts | None = None,
) -> None:
    """Serve ``runs`` on the loopback address until the program is interrupted. ``ready`` is called
    with the address, which contains the token. Raises `RunError` if the port is in use.
    """
    import asyncio

    with tempfile.TemporaryDirectory(prefix="revkit-view-") as folder:
        viewer = Viewer.of(runs, Path(folder), marks, reader, prompts)
        try:
            asyncio.run(_serve(viewer, port, ready))
        except OSError as error:
            raise RunError(f"port {port} cannot be used: {error.strerror or error}") from None
        except KeyboardInterrupt:
            pass
        finally:
            viewer.data.close()


async def _serve(viewer: Viewer, port: int, ready: Callable[[str], None]) -> None:
    import asyncio

    from aiohttp import web

    runner = web.AppRunner(application(viewer), access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        address = runner.addresses[0]
        ready(f"http://127.0.0.1:{address[1]}/?token={viewer.token}")
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()
