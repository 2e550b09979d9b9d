"""The agent `python`: any function or method, called in a separate process."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.model.criterion import Criterion
from revkit.model.paper import Paper
from revkit.model.values import Json, canonical_json, digest_of
from revkit.options import AnyJson, Nested, option
from revkit_external.base import External
from revkit_external.call.arguments import lost_folders
from revkit_external.call.attempt import Answered, CallError
from revkit_external.call.call_folders import Handed, hand_over
from revkit_external.call.call_mask import CallMask
from revkit_external.call.environment import (
    check_env,
    environment,
    of_one_call,
    secret_values,
)
from revkit_external.call.placeholders import (
    FORMATS,
    check_placeholders,
    fill,
    fill_all,
    names_in,
    names_in_all,
    secrets_in,
    texts_in,
)
from revkit_external.call.process import clean
from revkit_external.call.workers import WORKERS, Worker
from revkit_external.digests import START, files_named, started
from revkit_external.grammar import InitOptions, Place, ResultOutput, Secret
from revkit_external.identity import (
    digests,
    folders_of,
    import_folders,
    modules_in,
    named_texts,
    no_package,
)
from revkit_external.modules import code_identity, is_code, lost_name
from revkit_external.packages import package_version
from revkit_external.parse.outputs import Output

_TAIL = 2000


@dataclass(frozen=True, kw_only=True)
class Python(External):
    """Calls a Python function on each paper and reads the review from its return value.

    The function is named as ``module:attribute`` and runs in its own process, under the
    interpreter named by ``python`` (tools pin what contradicts revkit's own pins), with an
    allow-listed environment, a new working folder for each call, and a time limit. A coroutine is
    awaited. The result may be text, a dictionary, a dataclass, a pydantic model, a list or a tuple
    (``$[0]`` is its first part); it becomes JSON. What the function prints is kept apart.

    With ``init``, a class or factory is called once per process, for example to load a model, and
    ``method`` of its result is called on each paper. Arguments may contain placeholders,
    ``{call: "module:factory"}`` for the result of a call, and ``{attr: "module:name"}``.

    Stored reviews are found again by the options, by the content of the modules named and of those
    that they import, as far as they lie in a folder of ``path`` or in the source of an editable
    installation (a package counts with all of its files), by the versions of the installed
    distributions that those import, by that of ``package``, and by the content of files that
    arguments name by their path. If none of this is known of a module, the run stops before its
    first review. Not covered are modules imported under names made at run time, other files that
    the function reads, what installed packages import, and the interpreter.

    A result of type text is read as JSON only if ``output`` states it; its default is the
    format "json" for everything else, and text is wrapped as one JSON string (path ``$``).
    """

    name: ClassVar[str] = "python"
    version: ClassVar[str] = "1"
    default_output: ClassVar[str] = "result"
    not_in_key: ClassVar[tuple[str, ...]] = (*External.not_in_key, "max-output")

    output: Nested[ResultOutput | None] = option(None, help="The format of the answer.")
    call_: str | None = option(None, help="The function, as 'module:attribute'.")
    init: Nested[str | InitOptions | None] = option(
        None,
        help=(
            "What to call once in each process: 'module:Class', or a mapping with call, args and "
            "kwargs."
        ),
    )
    method: str = option("", help="With init: the method of the object that reviews a paper.")
    args: tuple[AnyJson, ...] | None = option(None, help="Positional arguments, with placeholders.")
    kwargs: Mapping[str, AnyJson] | None = option(None, help="Named arguments, with placeholders.")
    python: str = option("", help="The interpreter of the tool's environment; empty: revkit's own.")
    path: tuple[str, ...] = option(
        (), help="Folders to import from, such as '{start_dir}'; none by default."
    )
    env: Nested[Mapping[str, str | Secret] | None] = option(
        None, help="Environment variables: text, or {secret: NAME}."
    )
    env_pass: tuple[str, ...] = option(
        ("PATH", "TZ"),
        help="Variables of revkit's own environment that are passed to the function.",
    )
    inputs: tuple[str, ...] = option((), help="Further formats of the paper to write to {in_dir}.")
    outputs: tuple[str, ...] = option(
        (),
        help="Files that the tool itself writes (a log, a cache) and that options name: paths or "
        "patterns. Their content is not part of the key.",
    )
    package: str = option(
        "", help="The distribution of the function: its version enters the stored key."
    )
    kill_grace: float = option(3.0, help="Seconds between SIGTERM and SIGKILL.", minimum=0)
    max_output: int = option(20_000_000, help="Maximum bytes of a result.", minimum=1000)

    def _check(self, problems: list[tuple[str, str]]) -> None:
        super()._check(problems)
        if (self.call_ is None) == (self.init is None):
            problems.append(("call", "name a function with 'call', or an object with 'init'"))
        if self.call_ is not None:
            _check_name(self.call_, Place(problems, "call"))
        if self.method and self.init is None:
            problems.append(("method", "needs 'init', the object whose method it is"))
        init = {"call": self.init} if isinstance(self.init, str) else self._written["init"]
        self._parsed["init"] = init
        if isinstance(init, Mapping):
            place = Place(problems, "init")
            _check_name(str(init["call"]), place / "call")
            for name in names_in_all(init):
                if name != "start_dir":
                    place.wrong(
                        f"{{{name}}} differs by paper, but one object of 'init' reviews all of them"
                    )
        self._parsed["env"] = self._written["env"] or {}
        check_env(self._parsed["env"], Place(problems, "env"))
        for index, format in enumerate(self.inputs):
            (Place(problems, "inputs") / index).choice(format, FORMATS)
        for name in ("args", "kwargs", "init", "env", "path", "python"):
            check_placeholders(self._written[name], Place(problems, name))

    @property
    def formats(self) -> list[str]:
        """The formats in which the paper is written for the reviewer."""
        given = [self.args, self.kwargs, self._written["env"]]
        named = {name for text in texts_in(given) for name in names_in(text)}
        return sorted({f for f in FORMATS if f"paper_{f}" in named} | set(self.inputs))

    def secret_names(self) -> list[str]:
        """The variables behind ``{secret: NAME}``, and those of ``secrets``."""
        given = [self._written[name] for name in ("env", "args", "kwargs", "init")]
        return sorted({n for text in texts_in(given) for n in secrets_in(text)} | set(self.secrets))

    def reviewer_identity(self) -> Json:
        """Return the known version of the code (see `revkit_external.identity`) and of the
        renderers.
        """
        code = self._code()
        version = package_version(self._interpreter(), self.package) if self.package else ""
        return {
            "package": [self.package, version],
            "named": digests(files_named(self._named_texts()), self.digest),
            "files": code["files"],
            "installed": code["installed"],
            "renderers": self.renderers(),
        }

    def _named_texts(self) -> list[str]:
        return named_texts(*(self._written[name] for name in ("args", "kwargs", "init", "env")))

    def data_files(self) -> list[Path]:
        """Return the files that arguments and environment name, without code."""
        return [path for path in files_named(self._named_texts()) if not is_code(path)]

    def _code(self) -> dict[str, Json]:
        own = [self.call_.partition(":")[0]] if self.call_ else []
        names = own + modules_in([self._parsed["init"], self.args, self.kwargs])
        return code_identity(names, (), self._folders(), self._interpreter())

    def _folders(self) -> list[Path]:
        return import_folders(self.path) + folders_of(self._parsed["env"].get("PYTHONPATH"))

    def ready(self) -> list[str]:
        """Return missing secrets and renderers, and a missing interpreter, folder, module or
        package.
        """
        troubles = super().ready()
        if shutil.which(self._interpreter()) is None:
            troubles.append(f"there is no interpreter {self.python!r}")
            return troubles
        lost = lost_folders(self.path)
        whose = repr(self.python) if self.python else "revkit's own interpreter"
        if self.package and not package_version(self._interpreter(), self.package):
            troubles.append(no_package(self.package, whose))
        unknown = self._code()["unknown"]
        if unknown and not self.package and not lost:
            assert isinstance(unknown, list)
            troubles.append(
                f"there is no module {', '.join(map(str, unknown))} in a folder of 'path' or "
                f"beside {whose}; name its folder under 'path' (such as '{START}'), or its "
                "distribution under 'package'"
            )
        if not unknown:
            troubles += self._lost_names()
        return troubles + lost

    def _lost_names(self) -> list[str]:
        """Return the problems of ``call`` and ``init`` whose module does not define the name."""
        folders = self._folders()
        places = {"call": self.call_}
        if isinstance(self._parsed["init"], Mapping):
            places["init"] = str(self._parsed["init"]["call"])
        found = {key: lost_name(name, folders) for key, name in places.items() if name}
        return [f"{key}: {why}" for key, why in found.items() if why]

    def _interpreter(self) -> str:
        text = started(self.python)
        return (os.path.abspath(text) if os.sep in text else text) if text else sys.executable

    def call(self, paper: Paper, ctx: Context, criterion: Criterion | None = None) -> Answered:
        """Call the function once."""
        try:
            with hand_over(paper, ctx, self.formats, criterion) as place:
                given = [self.args, self.kwargs, self._parsed["init"]]
                masked = secret_values(
                    {**self._parsed["env"], "": given}, self.env_pass, self.secrets
                )
                return self._call(place, CallMask(masked))
        except RunError as error:
            raise CallError("crashed", CallMask()(str(error))) from None

    def _call(self, place: Handed, mask: CallMask) -> Answered:
        values = place.values

        def filled(value: Any) -> Any:
            return fill_all(value, lambda text: fill(text, values))

        request = {
            "call": self.call_,
            "init": filled(self._parsed["init"]),
            "method": self.method,
            "args": filled(list(self.args or ())),
            "kwargs": filled(dict(self.kwargs or {})),
            "folder": str(place.work),
            "path": [filled(text) for text in self.path],
            "stdout": str(place.root / "stdout"),
            "stderr": str(place.root / "stderr"),
        }
        given: dict[str, Json] = {
            "call": self.call_ or self._parsed["init"]["call"],
            "arguments": mask(json.dumps([request["args"], request["kwargs"]]))[:1000],
            "interpreter": self.python or "revkit's own",
            "paper": dict(place.renderers),
        }
        try:
            answer = self._asked(request, place)
            if "error" in answer:
                raise CallError(answer["kind"], f"exit: {answer['error'][:300]}")
        except CallError as error:
            raise CallError(
                error.kind,
                mask(error.detail),
                reasons=error.reasons,
                given=given,
                shown=_read_prints(place, mask),
            ) from None
        details: dict[str, Json] = {}
        if place.renderers:
            details["paper"] = dict(place.renderers)
        return Answered(
            self._text(answer["result"], mask), given, _read_prints(place, mask), details
        )

    def _text(self, result: Any, mask: CallMask) -> str:
        output: Output = self._parsed["output"]
        if isinstance(result, str) and (output.format != "json" or self.output is not None):
            return mask(result)
        return mask(json.dumps(result, ensure_ascii=False))

    def _asked(self, request: Mapping[str, Any], place: Handed) -> dict[str, Any]:
        kept = self.init is not None
        env = self._parsed["env"]
        changing = of_one_call(env) if kept else {}
        lasting = {name: value for name, value in env.items() if name not in changing}

        def started_with(home: str) -> dict[str, str]:
            return environment(lasting, self.env_pass, home, place.values)

        request = {
            **request,
            "environment": fill_all(changing, lambda text: fill(text, place.values)),
        }
        key = digest_of(canonical_json(_lasting(self))) if kept else ""
        worker = WORKERS.take(key) if kept else None
        worker = worker or Worker(self._interpreter(), started_with)
        try:
            answer = worker.ask(request, self.timeout, self.max_output)
        except BaseException:
            worker.close(self.kill_grace)
            raise
        if kept:
            WORKERS.give(key, worker)
        else:
            worker.close()
        return answer


def _lasting(agent: Python) -> Json:
    """Return what decides a reused worker: its code, the object that it holds, and its
    environment.
    """
    secrets = [os.environ.get(name, "") for name in (*agent.secret_names(), *agent.env_pass)]
    return [
        agent.python,
        list(agent.path),
        os.getcwd(),
        agent._parsed["init"],
        agent._parsed["env"],
        digest_of(secrets),
        agent.reviewer_identity(),
    ]


def _check_name(text: str, place: Place) -> None:
    module, mark, name = text.partition(":")
    parts = [*module.split("."), *name.split(".")]
    if not (mark and all(part.isidentifier() for part in parts)):
        place.wrong(f"expected 'module:attribute', not {text!r}")


def _read_prints(place: Handed, mask: CallMask) -> dict[str, Json]:
    shown: dict[str, Json] = {}
    for name in ("stdout", "stderr"):
        path = Path(place.root / name)
        if path.is_file():
            with path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - 10 * _TAIL))
                shown[name] = mask(clean(file.read())[0])[-_TAIL:]
    return shown
