"""Programs that hang, fork, flood, die and lie; what they see; what is kept of them."""

from __future__ import annotations

import dataclasses
import json
import os
import pickle
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from revkit.contracts import Context
from revkit.errors import OptionError
from revkit.model.paper import Paper
from revkit.model.review import Failure, Review
from revkit.options import from_options, options_of
from revkit_external.command import Command

Script = Callable[[str], tuple[str, ...]]
MAP = {"accept": {"path": "$.d", "labels": "@decision"}}
GOOD = 'print(\'{"d": "accept"}\', flush=True)\n'


def running(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return text.rsplit(")", 1)[1].split()[0] != "Z"


def gone(file: Path) -> bool:
    """Whether the process whose number is in ``file`` has ended."""
    pid = int(file.read_text())
    for _ in range(40):
        if not running(pid):
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def review(script: Script, paper: Paper, ctx: Context) -> Callable[..., Any]:
    """Review with an agent whose program is the Python code."""

    def run(code: str, *arguments: str, **options: Any) -> Any:
        options = {"map": MAP, "timeout": 20.0, **options}
        return Command(argv=(*script(code), *arguments), **options).review(paper, ctx)

    return run


def test_the_plain_way(review: Callable[..., Any]) -> None:
    outcome = review(GOOD)
    assert isinstance(outcome, Review), outcome
    assert outcome.accept is True


def test_one_that_never_ends_is_ended_with_its_children(
    review: Callable[..., Any], tmp_path: Path
) -> None:
    code = f"""
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for name in ("child", "stray"):
    if os.fork() == 0:
        if name == "stray":
            os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        open({str(tmp_path)!r} + "/" + name, "w").write(str(os.getpid()))
        time.sleep(600)
{GOOD}
time.sleep(600)
"""
    started = time.monotonic()
    outcome = review(code, timeout=1.5, kill_grace=0.2)
    assert time.monotonic() - started < 10
    assert isinstance(outcome, Failure)
    assert (outcome.kind, outcome.detail) == ("timeout", "timeout: not done after 1.5 s")
    assert "accept" in json.loads(outcome.raw)["stdout"]
    assert gone(tmp_path / "child")
    assert gone(tmp_path / "stray")


def test_sigterm_comes_first(review: Callable[..., Any], tmp_path: Path) -> None:
    code = f"""
import signal, sys, time
def end(*_):
    open({str(tmp_path / "said")!r}, "w").write("bye")
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
time.sleep(600)
"""
    assert review(code, timeout=0.7, kill_grace=3.0).kind == "timeout"
    assert (tmp_path / "said").read_text() == "bye"


def test_a_child_that_outlives_its_parent_is_ended_and_counted(
    review: Callable[..., Any], tmp_path: Path
) -> None:
    code = f"""
import os, time
if os.fork() == 0:
    open({str(tmp_path / "pid")!r}, "w").write(str(os.getpid()))
    time.sleep(600)
while not os.path.exists({str(tmp_path / "pid")!r}):
    time.sleep(0.01)
{GOOD}
"""
    started = time.monotonic()
    assert review(code, kill_grace=0.2).accept is True
    assert time.monotonic() - started < 8
    assert gone(tmp_path / "pid")


def test_one_that_floods(review: Callable[..., Any]) -> None:
    flood = "import os\nwhile True:\n    os.write(1, b'x' * 65536)\n"
    outcome = review(flood, max_output=100_000)
    assert (outcome.kind, outcome.detail) == (
        "truncated",
        "output: more than 100000 bytes printed",
    )
    errors = "import os\nfor _ in range(2000):\n    os.write(2, b'e' * 65536)\n" + GOOD
    assert review(errors).accept is True


def test_stdout_is_no_matter_where_a_file_is_read(review: Callable[..., Any]) -> None:
    code = """
import os, sys
for _ in range(200):
    os.write(1, b'x' * 65536)
open(sys.argv[1] + "/r.json", "w").write('{"d": "reject"}')
"""
    output = {"file": "{out_dir}/*.json", "format": "json"}
    assert review(code, "{out_dir}", output=output, max_output=50_000).accept is False


def test_one_that_fills_the_disk(review: Callable[..., Any]) -> None:
    code = "f = open('big', 'wb')\nwhile True:\n    f.write(b'x' * 1000000)\n    f.flush()\n"
    outcome = review(code, max_disk=20_000_000)
    assert (outcome.kind, outcome.detail) == ("crashed", "output: more than 20000000 bytes written")


def test_one_that_dies_by_a_signal(review: Callable[..., Any]) -> None:
    outcome = review("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")
    assert (outcome.kind, outcome.detail) == ("crashed", "exit: killed by signal 11")


def test_one_that_closes_its_output_early(review: Callable[..., Any]) -> None:
    code = GOOD + "import os, time\nos.close(1)\nos.close(2)\ntime.sleep(0.5)\nos._exit(3)\n"
    assert review(code).detail == "exit: code 3"
    assert review(code, ok_exit=(3,)).accept is True
    hanging = GOOD + "import os, time\nos.close(1)\nos.close(2)\ntime.sleep(600)\n"
    assert review(hanging, timeout=0.7, kill_grace=0.1).kind == "timeout"


def test_one_that_does_not_read_its_input(review: Callable[..., Any]) -> None:
    assert review("import os\nos.close(0)\n" + GOOD, stdin="{paper_text}" * 5000).accept is True


def test_the_paper_comes_by_stdin(review: Callable[..., Any]) -> None:
    code = "import sys\nprint(sys.stdin.read())"
    mapping = {"accept": {"regex": "We (gate) tokens", "labels": {"gate": True}}}
    outcome = review(code, stdin="{paper_text}", map=mapping, output={"format": "text"})
    assert outcome.accept is True
    assert review("import sys\nassert sys.stdin.read() == ''\n" + GOOD).accept is True


def test_terminal_codes_and_bytes_that_are_no_text(review: Callable[..., Any]) -> None:
    code = (
        "import os\n"
        'os.write(1, b\'\\xef\\xbb\\xbf\\x1b[2J\\x1b[31m{"d":\\x1b]0;title\\x07 "accept", \''
        'b\'"x": "\\xff"}\\x1b[0m\')'
    )
    outcome = review(code)
    assert outcome.accept is True
    assert outcome.details["notes"] == ["1 bytes of the output were not UTF-8"]


def test_the_environment_is_an_allow_list(
    review: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "do-not-pass-this")
    monkeypatch.setenv("PASSED", "yes")
    code = "import json, os\nprint(json.dumps({'d': 'accept', 'env': dict(os.environ)}))"
    outcome = review(code, env={"SET": "{paper_id}"}, env_pass=("PATH", "PASSED"))
    env = json.loads(outcome.details["output"])["env"]
    assert "OPENAI_API_KEY" not in env
    assert env["PASSED"] == "yes"
    assert (env["PYTHONUTF8"], env["LANG"], env["TERM"]) == ("1", "C.UTF-8", "dumb")
    assert len(env["SET"]) == 16
    assert env["HOME"] == "<call>/home"


def test_each_call_has_folders_of_its_own(review: Callable[..., Any]) -> None:
    code = """
import json, os, sys
home = os.listdir(os.environ["HOME"])
seen = {"cwd": os.listdir("."), "home": home, "in": os.listdir(sys.argv[1])}
print(json.dumps({"d": "accept", **seen}))
open("left", "w").write("x")
open(os.environ["HOME"] + "/left", "w").write("x")
"""
    for _ in range(2):
        outcome = review(code, "{in_dir}", "{paper_md}", "{paper_txt}")
        seen = json.loads(outcome.details["output"])
        assert (seen["cwd"], seen["home"]) == ([], [])
        assert sorted(seen["in"]) == ["paper.md", "paper.txt"]
        assert set(outcome.details["paper"]) == {"md", "txt"}


def test_a_hostile_paper_stays_data(script: Script, ctx: Context) -> None:
    hostile = Paper(
        id="p",
        title="--version {secret:HOME} $(touch x) `x` {seed}",
        text="{paper_md} ; rm -rf /\n",
    ).blind()
    code = "import json, sys\nprint(json.dumps({'d': 'accept', 'argv': sys.argv[1:]}))"
    argv = (*script(code), "{title}", "{paper_text}", "{a} {{title}} {paper_id")
    outcome = Command(argv=argv, map=MAP).review(hostile, ctx)
    seen = json.loads(outcome.details["output"])["argv"]  # type: ignore[union-attr,arg-type]
    assert seen == [
        " --version {secret:HOME} $(touch x) `x` {seed}",
        "{paper_md} ; rm -rf /\n",
        "{a} {--version {secret:HOME} $(touch x) `x` {seed}} {paper_id",
    ]


SECRET = 'sk-"odd"/+ 123456'


def test_secrets_are_masked_everywhere(
    review: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOL_KEY", SECRET)
    code = """
import base64, json, os, sys, urllib.parse
key = os.environ["KEY"]
told = [key, urllib.parse.quote(key, safe=""), base64.b64encode(key.encode()).decode()]
print(json.dumps({"d": "accept", "told": told, "cfg": open("c.txt").read()}))
print("key is", key, file=sys.stderr)
sys.exit(int(sys.argv[1]))
"""
    options: dict[str, Any] = {
        "env": {"KEY": {"secret": "TOOL_KEY"}},
        "files": {"c.txt": "key={secret:TOOL_KEY}"},
    }
    good, bad = review(code, "0", **options), review(code, "5", **options)
    assert good.accept is True
    assert bad.kind == "crashed"
    for text in (json.dumps(good.to_json()), bad.raw, bad.detail):
        assert "***" in text
        for form in ("123456", "c2stIm9k", "sk-%22"):
            assert form not in text
    agent = Command(argv=("x",), map=MAP, **options)
    assert SECRET not in json.dumps([options_of(agent), agent.identity()])


def test_a_missing_secret_is_reported_before_anything_runs(
    review: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOOL_KEY", raising=False)
    options: dict[str, Any] = {"env": {"KEY": {"secret": "TOOL_KEY"}}}
    outcome = review(GOOD, **options)
    assert outcome.kind == "provider"
    assert "TOOL_KEY is not set" in outcome.detail
    assert "TOOL_KEY is not set" in Command(argv=("sh",), map=MAP, **options).ready()[0]
    monkeypatch.setenv("TOOL_KEY", "abc")
    assert "cannot be masked" in review(GOOD, **options).detail


def test_output_files_by_glob(review: Callable[..., Any]) -> None:
    code = """
import sys
for name in sys.argv[2:]:
    open(sys.argv[1] + "/" + name, "w").write('{"d": "accept"}')
"""
    output = {"file": "{out_dir}/review_*.json"}
    assert review(code, "{out_dir}", "review_1.json", output=output).accept is True
    none = review(code, "{out_dir}", "other.json", output=output)
    assert none.kind == "unparseable"
    assert none.detail.endswith("matches no file; files made: out/other.json")
    two = review(code, "{out_dir}", "review_1.json", "review_2.json", output=output)
    assert "matches 2 files (out/review_1.json, out/review_2.json)" in two.detail
    assert review("", output=output).detail.endswith("no file was written")


def test_a_link_out_of_the_folder_is_not_read(review: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "outside.json").write_text('{"d": "accept"}')
    code = "import os, sys\nos.symlink(sys.argv[2], sys.argv[1] + '/r.json')\n"
    output = {"file": "{out_dir}/r.json"}
    outcome = review(code, "{out_dir}", str(tmp_path / "outside.json"), output=output)
    assert outcome.kind == "unparseable"


def test_a_filter(review: Callable[..., Any], script: Script) -> None:
    code = "import sys\nopen(sys.argv[1] + '/r.bin', 'w').write('TPECCA'.lower())\n"
    turn = script("import sys\nprint(open(sys.argv[1]).read()[::-1])")
    output = {"file": "{out_dir}/r.bin", "filter": [*turn, "{output}"], "format": "text"}
    mapping = {"accept": {"regex": r"\b(accept|reject)\b", "labels": "@decision"}}
    assert review(code, "{out_dir}", output=output, map=mapping).accept is True
    output["filter"] = [*script("raise SystemExit(3)")]
    assert "(code 3)" in review(code, "{out_dir}", output=output, map=mapping).detail


def test_cut(review: Callable[..., Any]) -> None:
    code = 'print(\'log line\\nRESULT: {"d": "accept"} END\\nbye\')'
    assert review(code, output={"cut": r"RESULT: (.*) END"}).accept is True
    assert review(code).kind == "unparseable"


def test_retries_on_what_is_named(review: Callable[..., Any], tmp_path: Path) -> None:
    code = f"""
import os, sys
path = {str(tmp_path / "tries")!r}
open(path, "a").write("x")
if len(open(path).read()) < 3:
    sys.exit(5)
{GOOD}
"""
    retry = {"max": 3, "on": ["exit:5"], "backoff": 0.01}
    outcome = review(code, retry=retry)
    assert outcome.accept is True
    assert outcome.details["tries"] == 3
    os.unlink(tmp_path / "tries")
    failure = review(code, retry={**retry, "max": 1})
    assert failure.detail == "exit: code 5 (try 2 of 2)"
    os.unlink(tmp_path / "tries")
    assert review(code, retry={**retry, "on": ["timeout"]}).detail == "exit: code 5"
    assert len((tmp_path / "tries").read_text()) == 1


def test_concurrency(script: Script, paper: Paper, ctx: Context, tmp_path: Path) -> None:
    code = f"""
import os, time
name = {str(tmp_path)!r} + "/run-" + str(os.getpid())
open(name, "w")
count = len([n for n in os.listdir({str(tmp_path)!r}) if n.startswith("run-")])
time.sleep(0.3)
os.unlink(name)
print('{{"d": "accept", "count": %d}}' % count)
"""
    agent = Command(argv=script(code), map=MAP, concurrency=1)
    outcomes: list[Any] = []
    threads = [
        threading.Thread(target=lambda: outcomes.append(agent.review(paper, ctx))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = [json.loads(each.details["output"])["count"] for each in outcomes]
    assert counts == [1, 1, 1]


def test_a_program_that_is_not_there(paper: Paper, ctx: Context) -> None:
    agent = Command(argv=("no-such-program-anywhere",), map=MAP)
    outcome = agent.review(paper, ctx)
    assert isinstance(outcome, Failure)
    assert outcome.kind == "crashed"
    assert "cannot start 'no-such-program-anywhere'" in outcome.detail
    assert agent.ready() == ["there is no program 'no-such-program-anywhere' on the PATH"]
    long = Command(argv=("sh", "x" * 3_000_000), map=MAP).review(paper, ctx)
    assert isinstance(long, Failure)
    assert "too long" in long.detail


def test_explain(script: Script, paper: Paper, ctx: Context) -> None:
    code = 'print(\'{"editor": {"decision": "major_rev"}, "d": "accept", "overall_score": 0.7}\')'
    report = Command(argv=(*script(code), "{paper_txt}"), map=MAP).explain(paper, ctx)
    assert report["given"]["argv"][-1] == "<call>/in/paper.txt"  # type: ignore[index,call-overload]
    assert report["printed"]["exit"] == 0  # type: ignore[index,call-overload]
    assert report["read"]["accept"]["value"] is True  # type: ignore[index,call-overload]
    assert report["read"]["accept"]["places"] == ["$['d']"]  # type: ignore[index,call-overload]
    assert report["alternatives"] == [
        {"place": "$['editor']['decision']", "value": "major_rev"},
        {"place": "$['d']", "value": "accept"},
        {"place": "$['overall_score']", "value": 0.7},
    ]
    json.dumps(report)


def test_every_problem_of_the_options_at_once() -> None:
    with pytest.raises(OptionError) as caught:
        from_options(
            Command,
            {
                "argv": ["tool", "{secret:KEY}", "{paper_mdd}"],
                "map": {
                    "scroe": {"path": "$.a"},
                    "score": {"path": "$..b", "reduce": "avg"},
                    "accept": {"path": "$.c", "labels": {"accept": "yes"}, "at-leest": 3},
                    "summary": {"heading": "Summary"},
                },
                "fail-if": [{"path": "$.x", "any": 1, "all": 2}],
                "retry": {"on": ["timout"]},
                "output": {"stdout": True, "file": "x"},
                "files": {"../x": "y"},
                "require": ["verdict"],
            },
        )
    text = str(caught.value)
    for expected in (
        "map.scroe: unknown key 'scroe'; did you mean 'score'?",
        "map.score.path: '$..b' '..' could find the same name elsewhere",
        "map.score.reduce: unknown value 'avg'",
        "map.score.scale: is missing",
        "map.accept.at-leest: unknown key 'at-leest'; did you mean 'at-least' or 'at-most'?",
        "map.accept.labels.accept: expected true or false, not 'yes'",
        "map.summary.heading: a heading needs output of format markdown",
        "fail-if[0]: needs one test",
        "retry.on: unknown value 'timout'; did you mean 'timeout'?",
        "output: stdout and file are two places",
        "files.../x: must lie in the call's folder",
        "argv[1]: every user of the machine sees arguments",
        "argv: {paper_mdd} is not a placeholder; did you mean {paper_md}?",
        "require: 'verdict' is not a field of map",
    ):
        assert expected in text, text


def test_the_key_holds_what_changes_a_review(tmp_path: Path) -> None:
    tool = tmp_path / "tool.sh"
    tool.write_text("echo 1")
    agent = Command(argv=("sh", str(tool)), map=MAP)
    assert dataclasses.replace(agent, timeout=5.0, concurrency=9).identity() == agent.identity()
    assert dataclasses.replace(agent, ok_exit=(0, 1)).identity() != agent.identity()
    before = agent.identity()
    tool.write_text("echo 2")
    assert agent.identity() != before


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (("python3", "reviewer.py"), "argv[1]: 'reviewer.py' is searched in the folder of each "),
        (("python3", "-u", "./reviewer.py"), "write '{start_dir}/reviewer.py'"),
        (("python3", "no_such.py"), "name it from '{start_dir}' on"),
        (("python3", "{start_dir}/no_such.py"), "there is no file '{start_dir}/no_such.py'"),
        (("sh", "-c", "true", "--config=settings/a.yaml"), "'{start_dir}/settings/a.yaml'"),
        (("python3", "{start_dir}/reviewer.py", "{paper_md}"), ""),
        (("python3", "laid.py"), ""),
        (("python3", "-m", "reviewer.py"), ""),
        (("python3", "{work_dir}/made.py", "review", "see foo.py"), ""),
        (("{start_dir}/run.sh", "review"), ""),
    ],
)
def test_names_that_no_call_can_find_are_reported_before_a_run(
    argv: tuple[str, ...], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "settings").mkdir()
    for name in ("reviewer.py", "settings/a.yaml", "review", "run.sh"):
        (tmp_path / name).touch(mode=0o700)
    monkeypatch.chdir(tmp_path)
    if argv[1] == "-m":
        (tmp_path / "reviewer.py").unlink()
    problems = Command(argv=argv, files={"laid.py": "1"}, map=MAP).ready()
    assert len(problems) == (1 if expected else 0), problems
    assert expected in "".join(problems)


def test_two_runs_leave_the_same_record(review: Callable[..., Any]) -> None:
    code = """
import json, os, sys, tempfile, urllib.parse
cwd = os.getcwd()
told = [cwd, urllib.parse.quote(cwd, safe=""), os.path.basename(os.path.dirname(cwd))]
print(json.dumps({"d": "accept", "told": told, "env": dict(os.environ), "t": tempfile.mkdtemp()}))
print(tempfile.mktemp(), os.environ["REVKIT_CALL"], file=sys.stderr)
sys.exit(int(sys.argv[1]))
"""
    good = [review(code, "0") for _ in range(2)]
    assert good[0] == good[1]
    output = json.loads(good[0].details["output"])
    assert output["told"] == ["<call>/work", "<call>%2Fwork", "<call>"]
    assert output["env"]["REVKIT_CALL"] == "<call>"
    assert output["t"] == "<call>/home/tmp*"
    bad = [review(code, "3") for _ in range(2)]
    assert bad[0] == bad[1]
    assert "<call>/home/tmp* <call>" in bad[0].raw


def test_it_can_be_pickled() -> None:
    agent = Command(argv=("sh",), map=MAP)
    again = pickle.loads(pickle.dumps(agent))
    assert again == agent
    assert again.scale == agent.scale
    assert again.fields == agent.fields


def test_a_check_counts_the_calls_to_an_endpoint(
    script: Script, paper: Paper, ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Echo(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            self.send_response(201)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    code = """
import os, urllib.request
for name in ("a", "b"):
    url = os.environ["MODEL_URL"] + "/chat?key=secret"
    print(urllib.request.urlopen(url, b'{"d": "accept"}').read().decode() if name == "a" else "")
"""
    try:
        monkeypatch.setenv("MODEL_URL", f"http://127.0.0.1:{server.server_address[1]}/v1")
        agent = Command(
            argv=script(code),
            map=MAP,
            env_pass=("PATH", "MODEL_URL"),
            endpoints=("MODEL_URL",),
            timeout=20.0,
        )
        report: Any = agent.explain(paper, ctx)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert report["outcome"]["accept"] is True
    assert report["calls"][0]["count"] == 1
    assert report["calls"][0]["calls"] == [{"method": "POST", "path": "/v1/chat", "status": 201}]


def test_the_contract_of_an_agent(script: Script) -> None:
    from revkit.testing import check_component

    check_component(Command(argv=script(GOOD), map=MAP))
