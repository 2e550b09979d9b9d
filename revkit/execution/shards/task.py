"""One shard on a worker of an executor: a text with the task in, a text with the result out.

Both are JSON, so that nothing is unpickled that came from elsewhere. The shard runs in a child
process of the worker, in the working directory of the run. When the worker dies or the run is
stopped, the child lets the calls in progress end, stores their answers, and holds the folder of the
shard until then. Another worker waits for the folder and continues.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from revkit.errors import BatchesPending, Interrupted, RevkitError, describe_error
from revkit.execution.folder import InUse
from revkit.model.strict_json import strict_json

CONTROL = "executor.json"
_START = (
    "import json, sys\n"
    "sys.path[:] = json.loads(sys.stdin.buffer.readline())\n"
    "from revkit.execution.shards.task import main\n"
    "main()\n"
)
_PATIENCE = 0.5  # seconds between two looks at the control file, or at a folder in use
_MOST_LOST = 3  # times that the process of a shard may be ended by the system


def run_task(text: str) -> str:
    """Run the shard that ``text`` describes, and return what came of it.

    The result states ``papers``, ``computed``, ``stored`` and ``failed``; or ``error``; or
    ``stopped``; or ``pending``, if its calls are at a provider in batches.
    """
    task = json.loads(text)
    place = Path(task["out"]) / CONTROL
    if _control(place).get("token") is None:
        return _error(
            task, f"{socket.gethostname()} does not see {place}; all workers and the command need "
            "one folder, under the same path"
        )  # fmt: skip
    lost = 0
    while True:
        result = _in_child(task, text)
        if result.get("lost") and lost < _MOST_LOST:
            lost += 1
        elif not result.get("busy"):
            break
        if stops(task):
            return json.dumps({"shard": task["shard"], "stopped": True})
        time.sleep(_PATIENCE)
    if result.get("lost"):
        return _error(task, f"its process ended {lost + 1} times (exit code {result['lost']})")
    return json.dumps({"shard": task["shard"], **result})


def stops(task: dict[str, Any]) -> bool:
    """Whether the command that gave ``task`` was stopped."""
    control = _control(Path(task["out"]) / CONTROL)
    return bool(control.get("stop")) and control.get("token") == task["token"]


def _control(place: Path) -> dict[str, Any]:
    try:
        value = strict_json(place.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # it is replaced as a whole, so this is another folder
        return {}
    return value if isinstance(value, dict) else {}


def _error(task: dict[str, Any], reason: str) -> str:
    return json.dumps({"shard": task["shard"], "error": f"shard {task['shard']}: {reason}"})


def _in_child(task: dict[str, Any], text: str) -> dict[str, Any]:
    try:
        child = subprocess.Popen(
            [sys.executable, "-c", _START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=task["cwd"],
        )
    except OSError as error:
        return {"error": f"shard {task['shard']}: its process could not start: {error}"}
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        child.stdin.write(json.dumps(sys.path).encode() + b"\n" + text.encode() + b"\n")
        child.stdin.flush()
        answer = child.stdout.read()
    except OSError:
        answer = b""
    finally:
        child.stdin.close()
        child.stdout.close()
        code = child.wait()
    try:
        found: dict[str, Any] = json.loads(answer)
    except ValueError:
        return {"lost": code or 1}
    return found


def main() -> None:
    """Run one shard for the worker that started this process, through its standard input and
    output.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker decides what Ctrl-C stops
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a component prints does not belong to the result
    task = json.loads(sys.stdin.buffer.readline())
    stop = threading.Event()
    threading.Thread(target=_until_closed, args=(sys.stdin.fileno(), stop), daemon=True).start()
    threading.Thread(target=_until_stopped, args=(task, stop), daemon=True).start()
    try:
        result = _observed(task, stop)
    except Interrupted:
        result = {"stopped": True}
    except InUse:
        result = {"busy": True}
    except BatchesPending as error:
        result = {"pending": f"shard {task['shard']}: {error}"}
    except RevkitError as error:
        result = {"error": f"shard {task['shard']}: {error}"}
    except Exception as error:
        result = {"error": f"shard {task['shard']}: {describe_error(error)}"}
    output.write(json.dumps(result))
    output.flush()


def _until_closed(descriptor: int, stop: threading.Event) -> None:
    """Stop the shard when the worker has ended.

    The descriptor is read without a buffer: Python cannot end while a thread holds the buffer.
    """
    while os.read(descriptor, 4096):
        pass
    stop.set()


def _until_stopped(task: dict[str, Any], stop: threading.Event) -> None:
    while not stop.wait(_PATIENCE):
        if stops(task):
            stop.set()


def _observed(task: dict[str, Any], stop: threading.Event) -> dict[str, Any]:
    """Run the shard; where the command is observed, log its events for the command."""
    if not task.get("events"):
        return _run(task, stop)
    from revkit.execution.shards.shard import Shard
    from revkit.observing import observed
    from revkit.observing.relay import log_in

    with observed(log_in(Path(task["events"]), Shard.parse(task["shard"]).folder)):
        return _run(task, stop)


def _run(task: dict[str, Any], stop: threading.Event) -> dict[str, Any]:
    from revkit.execution.provenance import package_versions
    from revkit.execution.shards.shard import Shard
    from revkit.execution.shards.shard_run import run_shard
    from revkit.identity import core_digest
    from revkit.registry import load_registry
    from revkit.spec import load_experiment

    packages = package_versions()
    if packages != task["packages"] or core_digest() != task["core"]:
        names = [name for name, there in task["packages"].items() if packages.get(name) != there]
        what = ", ".join(f"{name} {packages.get(name)}" for name in names) or "the code of revkit"
        return {
            "error": f"shard {task['shard']}: {socket.gethostname()} has other packages than the "
            f"command: {what}; install the same versions"
        }
    registry = load_registry([Path(each) for each in task["plugins"]])
    registry.check_one_offs()
    experiment = load_experiment(task["spec"], registry, report_renamed=False)
    if experiment.digest != task["experiment"]:
        return {
            "error": f"shard {task['shard']}: {socket.gethostname()} has another version of a "
            "component, or of a file that the experiment names"
        }
    done = run_shard(
        experiment,
        Shard.parse(task["shard"]),
        out=Path(task["out"]),
        overwrite=task["overwrite"],
        stop=stop,
        at_once=task["at_once"],
        known=Path(task["known"]) if task["known"] else None,
    )
    return {
        "papers": done.papers + done.anchors,
        "computed": done.counts.computed,
        "stored": done.counts.stored,
        "failed": done.failed,
        "changed_files": list(done.changed_files),
        "warnings": [each.to_json() for each in done.warnings],
    }
