"""Functions of a tool's own environment: their results, their prints, their faults."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from revkit.contracts import Context
from revkit.errors import OptionError
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit_external.call.workers import WORKERS
from revkit_external.python import Python

MODULE = """
import asyncio, collections, dataclasses, enum, os, sys, time

class Verdict(enum.Enum):
    YES = "accept"

@dataclasses.dataclass
class Review:
    d: Verdict
    scores: tuple
    text: str

class Model:
    def model_dump(self):
        return {"d": "accept"}

Point = collections.namedtuple("Point", "d x")

def as_dict(paper, **more):
    print("a print that is no JSON")
    os.system("echo from a child")
    return {"d": "accept", "paper": paper, "more": more}

def as_dataclass():
    return Review(Verdict.YES, (1, 2.5, float("nan")), "t")

async def as_coroutine(complete):
    await asyncio.sleep(0)
    return {"d": complete("reject")}

def factory():
    return lambda label: label

def as_tuple():
    return Model(), "rest"

def as_point():
    return Point("accept", 1)

def as_text():
    return "Decision: accept"

def as_object():
    return {"d": object()}

def fails():
    raise ValueError("the key is " + os.environ["TOOL_KEY"])

def exits():
    sys.exit(4)

def dies():
    os._exit(9)

def hangs():
    time.sleep(600)

def where():
    left = os.listdir(".")
    open("left", "w").write("x")
    return {"d": "accept", "left": left, "env": dict(os.environ)}

class Kept:
    def __init__(self, label):
        self.label, self.calls = label, 0
    def review(self, paper):
        self.calls += 1
        if paper == "die":
            os._exit(1)
        return {"d": self.label, "calls": self.calls, "pid": os.getpid()}

class Remembering:
    def __init__(self):
        import tempfile
        self.first, self.made = dict(os.environ), tempfile.mkdtemp()
    def review(self):
        import tempfile
        print(os.environ["XDG_CACHE_HOME"], os.getcwd(), tempfile.mkdtemp())
        names = ("HOME", "TMPDIR", "XDG_CACHE_HOME")
        there = [os.path.isdir(os.path.dirname(os.environ[name])) for name in names]
        return {"d": "accept", "there": there, "set": os.path.isdir(os.environ["WORK"]),
                "at-first": "WORK" in self.first, "env": dict(os.environ), "made": self.made,
                "cwd": os.getcwd(), "name": os.path.basename(os.getcwd())}

def with_http():
    import http.client, texts_of_mine
    return {"d": texts_of_mine.VERDICT}
"""
DICT = {"accept": {"path": "$.d", "labels": "@decision"}}


@pytest.fixture
def review(tmp_path: Path, paper: Paper, ctx: Context) -> Iterator[Callable[..., Any]]:
    """Review with a function of the module above."""
    (tmp_path / "their_tool.py").write_text(MODULE, encoding="utf-8")

    def run(name: str = "", paper: Paper = paper, **options: Any) -> Any:
        if name:
            options["call_"] = f"their_tool:{name}"
        options = {"map": DICT, "timeout": 10.0, "path": (str(tmp_path),), **options}
        return Python(**options).review(paper, ctx)

    yield run
    WORKERS.close()


def test_results_of_each_kind(review: Callable[..., Any], paper: Paper) -> None:
    outcome = review("as_dict", args=["{paper_text}"], kwargs={"seed": "{seed}"})
    assert outcome.accept is True
    output = json.loads(outcome.details["output"])
    assert (output["paper"], output["more"]) == (paper.text, {"seed": "7"})
    data = json.loads(review("as_dataclass").details["output"])
    assert data == {"d": "accept", "scores": [1, 2.5, "nan"], "text": "t"}
    first = {"accept": {"path": "$[0].d", "labels": "@decision"}}
    assert review("as_tuple", map=first).accept is True
    assert review("as_point").accept is True


def test_a_coroutine_with_a_made_argument(review: Callable[..., Any]) -> None:
    outcome = review("as_coroutine", kwargs={"complete": {"call": "their_tool:factory"}})
    assert outcome.accept is False


def test_a_text(review: Callable[..., Any]) -> None:
    mapping = {"accept": {"regex": r"Decision: (\w+)", "labels": "@decision"}}
    assert review("as_text", map=mapping, output={"format": "text"}).accept is True


def test_faults(review: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOL_KEY", "abcdef123456")
    env = {"TOOL_KEY": {"secret": "TOOL_KEY"}}
    failed = review("fails", env=env)
    assert (failed.kind, failed.detail) == ("crashed", "exit: ValueError: the key is ***")
    assert "Traceback" in failed.raw
    assert "abcdef123456" not in failed.raw
    assert review("exits").detail == "exit: SystemExit: 4"
    assert review("dies").detail == "exit: code 9"
    assert review("no_such").kind == "crashed"
    assert review("as_object").kind == "unparseable"
    slow = review("hangs", timeout=1.0, kill_grace=0.1)
    assert (slow.kind, slow.detail) == ("timeout", "timeout: not done after 1 s")
    absent = review("as_point", python="no-such-python")
    assert "cannot start 'no-such-python'" in absent.detail


def test_prints_are_kept_apart(review: Callable[..., Any], tmp_path: Path, ctx: Context) -> None:
    agent = Python(
        call_="their_tool:as_dict", args=("x",), map=DICT, path=(str(tmp_path),), timeout=10.0
    )
    report: Any = agent.explain(Paper("p", "text").blind(), ctx)
    assert set(report["printed"]["stdout"].strip().split("\n")) == {
        "from a child",
        "a print that is no JSON",
    }
    assert report["read"]["accept"]["value"] is True


def test_folder_and_environment_are_new(
    review: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "do-not-pass-this")
    for _ in range(2):
        data = json.loads(review("where").details["output"])
        assert data["left"] == []
        assert "OPENAI_API_KEY" not in data["env"]


def test_an_object_is_made_once_and_again_after_it_died(review: Callable[..., Any]) -> None:
    options: dict[str, Any] = {
        "init": {"call": "their_tool:Kept", "args": ["accept"]},
        "method": "review",
        "args": ["{paper_text}"],
    }
    calls = [json.loads(review(**options).details["output"]) for _ in range(3)]
    assert [call["calls"] for call in calls] == [1, 2, 3]
    assert len({call["pid"] for call in calls}) == 1
    died = review(paper=Paper("p", "die").blind(), **options)
    assert isinstance(died, Failure)
    assert died.detail == "exit: code 1"
    assert json.loads(review(**options).details["output"])["calls"] == 1


def test_a_kept_process_sees_this_call_and_no_earlier_one(
    tmp_path: Path, review: Callable[..., Any], ctx: Context
) -> None:
    agent = Python(
        init="their_tool:Remembering",
        method="review",
        map=DICT,
        path=(str(tmp_path),),
        env={"WORK": "{work_dir}"},
        timeout=10.0,
    )
    texts = []
    for text in ("one", "two"):
        report: Any = agent.explain(Paper("p", text).blind(), ctx)
        data = json.loads(report["printed"]["answer"])
        assert data["there"] == [True, True, True]
        assert (data["set"], data["at-first"]) == (True, False)
        assert data["env"]["XDG_CACHE_HOME"] == "<home>/.cache"
        assert (data["env"]["WORK"], data["cwd"]) == ("<call>/work", "<call>/work")
        assert data["made"] == "<home>/tmp*"
        assert report["printed"]["stdout"] == "<home>/.cache <call>/work <home>/tmp*\n"
        texts.append(json.dumps([report["outcome"], report["printed"]]))
    assert texts[0] == texts[1]
    assert "revkit-" not in texts[0]


def test_modules_are_the_tools_own(review: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "texts_of_mine.py").write_text("VERDICT = 'accept'", encoding="utf-8")
    assert review("with_http").accept is True


def test_an_object_is_made_again_when_its_code_changed(
    review: Callable[..., Any], tmp_path: Path
) -> None:
    options: dict[str, Any] = {"init": "changing:Reviewer", "method": "review"}
    for verdict in ("accept", "reject"):
        code = f"class Reviewer:\n    def review(self):\n        return {{'d': '{verdict}'}}\n"
        (tmp_path / "changing.py").write_text(code, encoding="utf-8")
        assert review(**options).accept is (verdict == "accept")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "name a function with 'call', or an object with 'init'"),
        ({"call_": "module"}, "expected 'module:attribute', not 'module'"),
        ({"call_": "m:f", "method": "x"}, "method: needs 'init'"),
        ({"call_": "m:f", "args": "x"}, "args: expected a list"),
        ({"init": {"call": "m:f", "args": ["{seed}"]}}, "{seed} differs by paper"),
    ],
)
def test_options(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(OptionError) as caught:
        Python(map=DICT, **options)
    assert expected in str(caught.value)
