"""The process in which the agent `python` calls a function.

It runs under the interpreter of the tool's environment and so uses the standard library alone. A
request is one line of JSON on standard input, an answer one line on the descriptor named by the
first argument; what the function prints goes to files and never mixes with answers.
"""

from __future__ import annotations

import asyncio
import dataclasses
import enum
import importlib
import inspect
import json
import os
import sys
import traceback
from datetime import date
from pathlib import PurePath
from typing import Any

_DEEPEST = 60


def attribute(name: str) -> Any:
    """Return the object that "module:attr.attr" names."""
    module, _, path = name.partition(":")
    found = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    return found


def built(value: Any) -> Any:
    """Return arguments with {"call": NAME} replaced by the result of a call and {"attr": NAME} by
    an object.
    """
    if isinstance(value, dict):
        if "call" in value and set(value) <= {"call", "args", "kwargs"}:
            return called(attribute(value["call"]), value)
        if set(value) == {"attr"}:
            return attribute(value["attr"])
        return {key: built(item) for key, item in value.items()}
    if isinstance(value, list):
        return [built(item) for item in value]
    return value


def called(function: Any, given: dict[str, Any]) -> Any:
    """Call ``function`` and await a coroutine."""
    result = function(*built(given.get("args") or []), **built(given.get("kwargs") or {}))
    if inspect.isawaitable(result):

        async def wait() -> Any:
            return await result

        return asyncio.run(wait())
    return result


class NotJson(TypeError):
    """A function returned a value that JSON cannot represent."""


def plain(value: Any, depth: int = 0) -> Any:
    """Return ``value`` as JSON: dataclasses, models, named tuples and similar objects by their
    fields. Raises `NotJson` for an object without any of these, and `TypeError` for values that are
    nested too deeply.
    """
    if depth > _DEEPEST:
        raise TypeError("the result is nested too deeply")
    if isinstance(value, enum.Enum):
        return plain(value.value, depth + 1)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
        return plain(fields, depth + 1)
    if isinstance(value, dict):
        return {
            str(plain(key) if isinstance(key, enum.Enum) else key): plain(item, depth + 1)
            for key, item in value.items()
        }
    if hasattr(value, "_asdict"):
        return plain(value._asdict(), depth + 1)
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    for method in ("model_dump", "dict", "to_dict"):
        if callable(getattr(value, method, None)):
            return plain(getattr(value, method)(), depth + 1)
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        return plain(value.item(), depth + 1)
    if hasattr(value, "tolist"):
        return plain(value.tolist(), depth + 1)
    if isinstance(value, (PurePath, date)):
        return str(value)
    raise NotJson("a result of type " + type(value).__name__ + " is not JSON")


def answer(request: dict[str, Any], state: dict[str, Any]) -> Any:
    """Answer one request: load the object of "init" once, call it, and convert the result to JSON.

    What lasts is made in the folder that lasts, without the variables of one call; those are set
    for each call anew.
    """
    if request.get("init") and "object" not in state:
        state["object"] = called(attribute(request["init"]["call"]), request["init"])
    os.chdir(request["folder"])
    os.environ.update(request["environment"])
    try:
        function = state["object"] if "object" in state else attribute(request["call"])
        if "object" in state:
            for part in (request.get("method") or "__call__").split("."):
                function = getattr(function, part)
        return plain(called(function, request))
    finally:
        os.chdir(state["home"])
        for name in request["environment"]:
            os.environ.pop(name, None)


def describe(error: BaseException) -> str:
    """The type and the message of ``error``, whose ``__str__`` may raise."""
    try:
        said = str(error)
    except Exception as failure:
        said = f"(no message: {type(failure).__name__} in __str__)"
    return f"{type(error).__name__}: {said}"


def redirect(request: dict[str, Any]) -> None:
    """Redirect the output of the function, also from C code, to the files of this request."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        file = os.open(request[name], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(file, number)
        os.close(file)


def main() -> None:
    """Read requests from standard input, one a line, and write the answers to the file descriptor
    in the first argument.
    """
    answers = os.fdopen(int(sys.argv[1]), "w", encoding="utf-8")
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    state: dict[str, Any] = {"home": os.getcwd()}
    # The folder of this script comes first on the path, and its files are nobody's modules.
    own = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [each for each in sys.path if os.path.abspath(each) != own]
    for line in requests:
        request = json.loads(line)
        redirect(request)
        sys.path[:0] = [each for each in request["path"] if each not in sys.path]
        try:
            response = {"result": answer(request, state)}
            text = json.dumps(response)
        except SystemExit as error:
            text = json.dumps({"error": "SystemExit: " + str(error.code), "kind": "crashed"})
        except NotJson as error:
            traceback.print_exc()
            text = json.dumps({"error": "TypeError: " + str(error), "kind": "unparseable"})
        except BaseException as error:
            traceback.print_exc()
            text = json.dumps({"error": describe(error), "kind": "crashed"})
        sys.stdout.flush()
        sys.stderr.flush()
        answers.write(text + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
