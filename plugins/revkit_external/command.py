"""The agent `command`: any program, started once for each paper."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.model.criterion import Criterion
from revkit.model.paper import Paper
from revkit.model.values import Json
from revkit.options import Nested, option
from revkit_external.base import External
from revkit_external.call.arguments import missing_files
from revkit_external.call.attempt import Answered, CallError
from revkit_external.call.call_folders import Handed, hand_over
from revkit_external.call.call_mask import CallMask
from revkit_external.call.environment import check_env, environment, secret_values
from revkit_external.call.files import list_files, one_file, read_bounded
from revkit_external.call.placeholders import (
    FORMATS,
    check_placeholders,
    fill,
    names_in,
    secrets_in,
    texts_in,
)
from revkit_external.call.process import Ended, Limits, clean, run_process
from revkit_external.call.scripts import check_code, check_script_files
from revkit_external.digests import files_named, started
from revkit_external.grammar import Place, ProgramOutput, Secret
from revkit_external.identity import named_texts, no_package, program_identity
from revkit_external.modules import is_code
from revkit_external.packages import package_version
from revkit_external.parse.outputs import Output

if TYPE_CHECKING:
    from revkit_external.playback import RecordedRun

_STDERR = 2000


@dataclass(frozen=True, kw_only=True)
class Command(External):
    """Runs a program on each paper and reads the review from its output.

    The program gets its own folder for each call, which contains only the paper as
    ``paper.md`` (or .txt, .tex, .pdf, .docx, as the ``{paper_...}`` in use), an empty HOME, and an
    environment with only the variables named here. No shell is involved, and the paper's text is
    always data. A program that does not end in time is ended with all processes that it started. An
    exit code of 0 proves nothing: describe with ``fail-if`` what a failure looks like in the
    output, and read the verdict only from the output.

    Placeholders: ``{paper_md}`` and its like are paths; ``{paper_text}`` the Markdown itself,
    ``{title}`` its title, ``{paper_id}`` an id that reveals nothing; ``{in_dir}``, ``{out_dir}``
    and ``{work_dir}`` the call's folders; ``{start_dir}`` the folder in which revkit was started;
    ``{seed}`` a number that differs by paper and repeat; ``{output}`` the output file, in a filter;
    ``{secret:NAME}`` a secret, in ``env`` and ``files``. Other braces stay as they are. As a judge:
    ``{criterion}`` the criterion's name, ``{criterion_question}`` what it asks,
    ``{criterion_file}`` all of it as JSON; ``{question}`` the question that the text answers,
    ``{materials_file}`` that and the sources as JSON.

    Failures: "timeout"; "crashed" for an exit code that is not in ``ok-exit``, a signal, a program
    that cannot be started, or too much on disk; "truncated" for too much output; "unparseable"
    if there is no output, not exactly one file, or it cannot be parsed; "schema" for labels without
    a meaning, scores off the scale and missing fields; "partial"; and the kinds of ``fail-if``.

    Stored reviews are found again by the options, by the version of ``package``, by the content of
    every file that an option names by its path, and, for Python scripts, by that of the modules
    next to them that they import. A script's other files, and a program on the PATH without
    ``package``, may change unnoticed.
    """

    name: ClassVar[str] = "command"
    version: ClassVar[str] = "1"
    default_output: ClassVar[str] = "stdout"
    not_in_key: ClassVar[tuple[str, ...]] = (
        *External.not_in_key,
        "max-output",
        "max-disk",
    )

    argv: tuple[str, ...] = option(
        help="The program and its arguments, one item each; there is no shell."
    )
    stdin: str | None = option(
        None, help="The standard input of the program, such as '{paper_text}'."
    )
    env: Nested[Mapping[str, str | Secret] | None] = option(
        None, help="Environment variables: text, or {secret: NAME}."
    )
    env_pass: tuple[str, ...] = option(
        ("PATH", "TZ"), help="Variables of revkit's own environment that are passed to the program."
    )
    files: Mapping[str, str] | None = option(
        None, help="Small files written to {work_dir} first: name to content.", nonempty=True
    )
    output: Nested[ProgramOutput | None] = option(
        None, help="The place and the format of the answer."
    )
    inputs: tuple[str, ...] = option(
        (), help="Formats of the paper to write to {in_dir} although no placeholder names them."
    )
    outputs: tuple[str, ...] = option(
        (),
        help="Files that the tool itself writes (a log, a cache) and that options name: paths or "
        "patterns. Their content is not part of the key.",
    )
    ok_exit: tuple[int, ...] = option((0,), help="Exit codes that count as success.")
    kill_grace: float = option(
        3.0, help="Seconds between SIGTERM and SIGKILL, and for output after the end.", minimum=0
    )
    package: str = option(
        "", help="The Python distribution of the program: its version enters the stored key."
    )
    max_output: int = option(20_000_000, help="Maximum bytes of output.", minimum=1000)
    max_disk: int = option(1_000_000_000, help="Maximum bytes that a call may write.", minimum=1000)

    def _check(self, problems: list[tuple[str, str]]) -> None:
        super()._check(problems)
        argv = Place(problems, "argv")
        if not self.argv or not self.argv[0]:
            argv.wrong("names no program")
        for index, text in enumerate(self.argv):
            if "\0" in text:
                (argv / index).wrong("contains a NUL character")
            if secrets_in(text):
                (argv / index).wrong("every user of the machine sees arguments; use env or files")
            if "{output}" in text:
                (argv / index).wrong("{output} is for the filter; name the file by {out_dir}")
        if self.argv and self.argv[0]:
            check_code(self.argv, argv, self.stdin)
        check_code(self._parsed["output"].filter, Place(problems, "output") / "filter")
        self._parsed["env"] = self._written["env"] or {}
        check_env(self._parsed["env"], Place(problems, "env"))
        files = Place(problems, "files")
        self._parsed["files"] = self.files or {}
        for name in self._parsed["files"]:
            if Path(name).is_absolute() or ".." in Path(name).parts:
                (files / name).wrong("must lie in the call's folder")
        if self.argv:
            check_script_files(self._parsed["files"], self.argv, files)
        for index, format in enumerate(self.inputs):
            (Place(problems, "inputs") / index).choice(format, FORMATS)
        for name in ("argv", "stdin", "env", "files", "output"):
            check_placeholders(self._written[name], Place(problems, name))

    @property
    def formats(self) -> list[str]:
        """The formats in which the paper is written for the reviewer."""
        given = [self._written[name] for name in ("argv", "stdin", "env", "files", "output")]
        named = {name for text in texts_in(given) for name in names_in(text)}
        return sorted({f for f in FORMATS if f"paper_{f}" in named} | set(self.inputs))

    def secret_names(self) -> list[str]:
        """The variables behind ``{secret: NAME}``, and those of ``secrets``."""
        asked = {
            n for text in texts_in([self._written["env"], self.files]) for n in secrets_in(text)
        }
        return sorted(asked | set(self.secrets))

    def reviewer_identity(self) -> Json:
        """Return the known version of the program (see `revkit_external.identity`) and of the
        renderers.
        """
        program = program_identity(
            self.argv,
            self._program() or _program(started(self.argv[0])),
            self.package,
            self._named_texts(),
            self._parsed["env"].get("PYTHONPATH"),
            self.digest,
        )
        return {**program, "renderers": self.renderers()}

    def _named_texts(self) -> list[str]:
        filter = list(self._parsed["output"].filter)
        return named_texts(self.stdin, self._written["env"], self.files, filter)

    def data_files(self) -> list[Path]:
        """Return the files that arguments, environment and files name, without code."""
        named = files_named([*self.argv[1:], *self._named_texts()])
        return [path for path in named if not is_code(path)]

    def ready(self) -> list[str]:
        """Return missing secrets and renderers, and a missing program, script or package."""
        troubles = super().ready()
        program = self._program()
        if program is None:
            troubles.append(f"there is no program {self.argv[0]!r} on the PATH")
        elif self.package and not package_version(program, self.package):
            troubles.append(no_package(self.package, repr(self.argv[0])))
        troubles += missing_files(self.argv, self._parsed["files"])
        troubles += missing_files(
            self._parsed["output"].filter, self._parsed["files"], "output.filter"
        )
        return troubles

    def _program(self) -> str | None:
        return shutil.which(_program(started(self.argv[0])), path=self._path())

    def _path(self) -> str | None:
        made = self._parsed["env"].get("PATH")
        if isinstance(made, str):
            return made
        return os.environ.get("PATH") if "PATH" in self.env_pass else os.defpath

    def play_back(self, folder: Path) -> Mapping[str, Json]:
        """Read the recorded runs of the program in ``folder`` (see `revkit_external.playback`)."""
        from revkit_external.playback import play_back

        return play_back(self, Player, folder)

    def call(self, paper: Paper, ctx: Context, criterion: Criterion | None = None) -> Answered:
        """Run the program once, and return its answer."""
        try:
            with hand_over(paper, ctx, self.formats, criterion) as place:
                mask = CallMask(
                    secret_values(
                        {**self._parsed["env"], "": self._parsed["files"]},
                        self.env_pass,
                        self.secrets,
                    )
                )
                return self._run(place, mask)
        except RunError as error:
            raise CallError("crashed", CallMask()(str(error))) from None

    def _run(self, place: Handed, mask: CallMask) -> Answered:
        values = place.values
        argv = [_argument(text, values) for text in self.argv]
        argv[0] = _program(argv[0])
        env = environment(self._parsed["env"], self.env_pass, str(place.root / "home"), values)
        for name, content in self._parsed["files"].items():
            target = place.work / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch(mode=0o600)
            target.write_text(fill(content, values), encoding="utf-8")
        stdin = fill(self.stdin, values) if self.stdin else ""
        given: dict[str, Json] = {
            "argv": [mask(text)[:300] for text in argv],
            "environment": {name: mask(text) for name, text in sorted(env.items())},
            "stdin": mask(stdin)[:300],
            "files": sorted(self._parsed["files"]),
            "paper": dict(place.renderers),
        }
        given_files = set(list_files(place.root))
        shown: dict[str, Json] = {}
        try:
            ended = self._start(argv, place, env, stdin.encode())
            shown |= _printed_by(ended, mask, given_files, place.root)
            self._check_end(ended, shown)
            answer, notes = self._answer(place, ended, env, mask)
        except CallError as error:
            detail = mask(error.detail)
            raise CallError(
                error.kind, detail, reasons=error.reasons, given=given, shown=shown
            ) from None
        details: dict[str, Json] = {}
        if place.renderers:
            details["paper"] = dict(place.renderers)
        return Answered(answer, given, shown, details, notes)

    def _start(self, argv: list[str], place: Handed, env: Mapping[str, str], stdin: bytes) -> Ended:
        output: Output = self._parsed["output"]
        try:
            return run_process(
                argv,
                folder=place.work,
                environment=env,
                stdin=stdin,
                limits=Limits(self.timeout, self.kill_grace, self.max_output, self.max_disk),
                fatal_print=output.where == "stdout",
                watched=place.root,
            )
        except OSError as error:
            if error.errno == errno.E2BIG:
                message = "the arguments are too long; pass the paper as a file or by stdin"
            else:
                message = error.strerror or str(error)
            raise CallError("crashed", f"cannot start {self.argv[0]!r}: {message}") from None

    def _check_end(self, ended: Ended, shown: Mapping[str, Json]) -> None:
        last = str(shown["stderr"]).strip().rsplit("\n", 1)[-1][:200]
        tail = f"; stderr ends: {last}" if last else ""
        if ended.why == "timeout":
            raise CallError("timeout", f"timeout: not done after {self.timeout:g} s{tail}")
        if ended.why == "printed":
            raise CallError("truncated", f"output: more than {self.max_output} bytes printed")
        if ended.why == "written":
            raise CallError("crashed", f"output: more than {self.max_disk} bytes written")
        if ended.code < 0:
            number = -ended.code
            raise CallError(
                "crashed", f"exit: killed by signal {number}{tail}", reasons=(f"signal:{number}",)
            )
        if ended.code not in self.ok_exit:
            raise CallError(
                "crashed", f"exit: code {ended.code}{tail}", reasons=(f"exit:{ended.code}",)
            )

    def _answer(
        self, place: Handed, ended: Ended, env: Mapping[str, str], mask: CallMask
    ) -> tuple[str, list[str]]:
        output: Output = self._parsed["output"]
        data = ended.stdout
        if output.where == "file":
            path = one_file(fill(output.file, place.values), place.root)
            data = read_bounded(path, self.max_output)
            if output.filter:
                data = self._run_filter(path, place, env)
        text, bad = clean(data)
        notes = [f"{bad} bytes of the output were not UTF-8"] if bad else []
        return mask(text), notes

    def _run_filter(self, path: Path, place: Handed, env: Mapping[str, str]) -> bytes:
        output: Output = self._parsed["output"]
        values = {**place.values, "output": str(path)}
        argv = [_argument(text, values) for text in output.filter]
        argv[0] = _program(argv[0])
        ended = self._start(argv, place, env, b"")
        if ended.why or ended.code != 0:
            why = ended.why or f"code {ended.code}"
            raise CallError("unparseable", f"output: the filter {argv[0]!r} failed ({why})")
        return ended.stdout


class Player(Command):
    """The agent `command` with a recorded run instead of its program."""

    def _start(self, argv: list[str], place: Handed, env: Mapping[str, str], stdin: bytes) -> Ended:
        if self._parsed.get("played"):  # the filter of the output runs as it is
            return super()._start(argv, place, env, stdin)
        self._parsed["played"] = True
        run: RecordedRun = self._parsed["recorded"]
        for path, name in run.written():
            _copy(path, place.work / name)
            _copy(path, place.root / "out" / path.name)
        return Ended(run.code, run.stdout, run.stderr)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _program(text: str) -> str:
    """Resolve a program with a folder in its name against the folder where revkit was started."""
    return os.path.abspath(text) if os.sep in text else text


def _argument(text: str, values: Mapping[str, str]) -> str:
    """Return an argument; if it begins with a dash only because of the paper, a blank is put in
    front.
    """
    made = fill(text, values)
    return f" {made}" if made.startswith("-") and not text.startswith("-") else made


def _printed_by(ended: Ended, mask: CallMask, given: set[str], root: Path) -> dict[str, Json]:
    stdout, _ = clean(ended.stdout)
    stderr, _ = clean(ended.stderr)
    shown: dict[str, Json] = {
        "exit": ended.code,
        "stdout": mask(stdout),
        "stderr": mask(stderr)[-_STDERR:],
        "files": [name for name in list_files(root) if name not in given][:50],
    }
    if ended.dropped:
        shown["stdout-dropped"] = ended.dropped
    if ended.survivors:
        shown["processes-left"] = ended.survivors
    return shown
