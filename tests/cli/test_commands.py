"""The command line: every command, every exit code, and strings that mean harm."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

import revkit
from revkit.cli.main import COMMANDS

Call = Callable[..., Any]

SPEC = """\
revkit: 1
name: toy
corpus: {use: toy-papers, with: {papers: 4}}
perturbations: {words: toy-words}
agents: {length: toy-length, coin: toy-coin}
metrics: [toy-flips]
reports: [toy-report]
"""


@pytest.fixture
def command(revkit_command: Call, toys_file: str, tmp_path: Path) -> Call:
    (tmp_path / "spec.yaml").write_text(SPEC, encoding="utf-8")

    def call(name: str, *arguments: str) -> Any:
        return revkit_command(name, *arguments, "--plugin", toys_file)

    return call


def test_help_names_every_command(revkit_command: Call) -> None:
    done = revkit_command("--help")
    assert done.returncode == 0
    for name, text in COMMANDS.items():
        assert f"  {name}" in done.stdout
        assert text in " ".join(done.stdout.split())
    assert "130" in done.stdout
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_standard_output_is_an_error_without_a_traceback() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "revkit", "--version"],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "error: standard output cannot be written: no space left on device\n"


def test_the_table_of_commands_says_what_their_help_says() -> None:
    from importlib import import_module

    for name, text in COMMANDS.items():
        command = import_module(f"revkit.cli.{name}").command
        assert command.name == name
        assert command.help.splitlines()[0] == text
        for option in command.params:
            assert isinstance(option, click.Argument) or option.help or option.name == "form"


def test_version_and_no_command(revkit_command: Call) -> None:
    assert revkit_command("--version").stdout == f"revkit, version {revkit.__version__}\n"
    assert revkit_command().returncode == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rn"], "unknown command 'rn'; did you mean 'run'"),
        (["valdate", "x"], "did you mean 'validate'"),
        (
            ["frobnicate"],
            "unknown command 'frobnicate'; known: agent, bank, calibrate, check, compare",
        ),
        (["--frob"], "No such option"),
        (["run"], "Missing argument 'SPEC'"),
        (["run", "spec.yaml", "--limit", "0"], "--limit"),
        (["run", "spec.yaml", "--seed", "-1"], "--seed"),
        (["run", "spec.yaml", "--seed", "9223372036854775808"], "--seed"),
        (["run", "spec.yaml", "--seed", "x"], "--seed"),
        (["run", "a.yaml", "b.yaml"], "unexpected extra argument"),
        (["graph", "spec.yaml", "--format", "dot"], "--format"),
    ],
)
def test_a_wrong_command_line(revkit_command: Call, arguments: list[str], message: str) -> None:
    done = revkit_command(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_run_then_run_again(command: Call, tmp_path: Path) -> None:
    first = command("run", "spec.yaml", "--out", "out")
    assert first.returncode == 0, first.stderr
    assert first.stderr == ""
    assert first.stdout.startswith("toy ")
    assert "4 papers, " in first.stdout
    assert " 0 cached. Results: out" in first.stdout
    assert (tmp_path / ".revkit" / "store.sqlite3").is_file()
    second = command("run", "spec.yaml", "--out", "out")
    assert ": 0 items computed, " in second.stdout
    quiet = command("run", "spec.yaml", "--out", "out", "--quiet")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")
    other = command("run", "spec.yaml", "--out", "out", "--set", "corpus.with.papers=2")
    assert other.returncode == 1
    assert "the run of another experiment" in other.stderr
    replaced = command("run", "spec.yaml", "--out", "out", "--limit", "2", "--overwrite")
    assert replaced.returncode == 0
    result = json.loads((tmp_path / "out" / "result.json").read_text(encoding="utf-8"))
    assert result["papers"] == 2


def test_validate_plan_graph_schema_plugins(command: Call) -> None:
    assert command("validate", "spec.yaml").stdout == (
        "spec.yaml: ok (toy: toy-papers, 1 perturbation, 2 agents, 1 metric, 1 report)\n"
    )
    assert "reviews   at most 16" in command("plan", "spec.yaml").stdout
    assert "reviews   at most 8" in command("plan", "spec.yaml", "--limit", "2").stdout
    assert "perturb/words" in command("graph", "spec.yaml").stdout
    mermaid = command("graph", "spec.yaml", "--format", "mermaid").stdout
    assert mermaid.startswith("flowchart LR\n")
    schema = json.loads(command("schema").stdout)
    assert schema["$defs"]["corpus"]["anyOf"][0]["const"] == "toy-papers"
    listed = command("plugins")
    assert listed.returncode == 0
    assert "  toy-coin    [toys]" in listed.stdout


def test_exit_code_1_where_items_failed(command: Call) -> None:
    done = command("run", "spec.yaml", "--set", "agents.coin.with.refuse=1")
    assert done.returncode == 1
    assert "8" in done.stdout


def test_exit_code_4_where_nothing_valid_came_out(command: Call) -> None:
    done = command("run", "spec.yaml", "--set", "agents={c: {use: toy-coin, with: {refuse: 1}}}")
    assert done.returncode == 4
    assert "error: no valid review was returned" in done.stderr
    assert "records/outcomes.csv in the run folder state" in done.stderr
    axes = "sweep={corpus.with.papers: [2, 3]}"
    swept = command(
        "run", "spec.yaml", "--set", "agents={c: {use: toy-coin, with: {refuse: 1}}}", "--set", axes
    )
    assert swept.returncode == 4
    assert "records/outcomes.csv in the folder of each point state" in swept.stderr


def test_exit_code_1_where_no_paper_came(command: Call) -> None:
    done = command("run", "spec.yaml", "--set", "corpus.with.papers=0")
    assert done.returncode == 1
    assert done.stderr == "error: corpus 'toy-papers' returned no paper; check its options\n"


def test_exit_code_2_with_all_problems(command: Call, tmp_path: Path) -> None:
    text = SPEC.replace("papers: 4", "papers: four").replace("metrics", "metrcs")
    (tmp_path / "bad.yaml").write_text(text, encoding="utf-8")
    done = command("validate", "bad.yaml")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        "error: bad.yaml:3:42: corpus.with.papers: expected a whole number, not 'four'\n"
        "    3 | corpus: {use: toy-papers, with: {papers: four}}\n"
        "      |                                          ^\n"
        "bad.yaml:6:1: metrcs: unknown key 'metrcs'; did you mean 'metrics'?\n"
        "    6 | metrcs: [toy-flips]\n"
        "      | ^\n"
        "2 problems\n"
    )


@pytest.mark.parametrize("name", ["run", "validate", "plan", "graph"])
def test_exit_code_2_for_a_missing_file(command: Call, name: str) -> None:
    done = command(name, "nowhere.yaml")
    assert done.returncode == 2
    assert done.stderr == "error: nowhere.yaml: this file does not exist\n1 problem\n"


@pytest.mark.parametrize("name", ["run", "validate", "plan", "graph", "schema", "plugins"])
def test_exit_code_3_for_a_plugin_that_does_not_load(
    revkit_command: Call, tmp_path: Path, name: str
) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC, encoding="utf-8")
    (tmp_path / "bad.py").write_text("raise SystemExit(0)", encoding="utf-8")
    spec = [] if name in ("schema", "plugins") else ["spec.yaml"]
    for plugin in ("bad.py", "none.py"):
        done = revkit_command(name, *spec, "--plugin", plugin)
        assert done.returncode == 3
        assert "Traceback" not in done.stderr
        assert plugin.removesuffix(".py") in done.stderr + done.stdout


def test_plugins_shows_clashes_and_tracebacks(
    revkit_command: Call, tmp_path: Path, toys_file: str
) -> None:
    text = Path(toys_file).read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    (tmp_path / "bad.py").write_text("1 / 0", encoding="utf-8")
    arguments = ["--plugin", toys_file, "--plugin", "mine.py", "--plugin", "bad.py"]
    done = revkit_command("plugins", *arguments)
    assert done.returncode == 3
    assert "clash: agent 'toy-coin': write mine:toy-coin or toys:toy-coin" in done.stdout
    assert "failed to load: bad: ZeroDivisionError: division by zero" in done.stdout
    assert "Traceback" not in done.stdout
    assert "Traceback" in revkit_command("plugins", *arguments, "--traceback").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "spec.yaml", "--set", "corpus.with.papers=!!python/object/apply:os.system [x]"],
        ["run", "spec.yaml", "--set", "name=../../etc"],
        ["run", "spec.yaml", "--set", "\x1b[31m=1"],
        ["run", "spec.yaml", "--set", "agents.\u202e=toy-coin"],
        ["run", "spec.yaml", "--set", "a" * 100_000 + "=1"],
        ["run", "spec.yaml", "--set", "a=" + "[" * 5000],
        ["run", "spec.yaml", "--set", "x." * 2000 + "x=1"],
        ["validate", "\udcff.yaml"],
        ["validate", "a" * 5000],
        ["validate", ""],
        ["validate", "/dev/null"],
        ["validate", "."],
        ["run", "spec.yaml", "--out", "/dev/null"],
        ["run", "spec.yaml", "--out", "/proc/nowhere/run"],
        ["run", "spec.yaml", "--out", "a" * 5000],
        ["run", "spec.yaml", "--out", "."],
        ["run", "spec.yaml", "--store", "."],
        ["run", "spec.yaml", "--store", "spec.yaml"],
        ["run", "spec.yaml", "--store", "/proc/nowhere/s.db"],
    ],
)
def test_strings_that_mean_harm(command: Call, tmp_path: Path, arguments: list[str]) -> None:
    done = command(*arguments)
    assert done.returncode in (1, 2), done.stderr
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr
    assert (tmp_path / "spec.yaml").read_text(encoding="utf-8") == SPEC


def test_files_that_are_no_specs(command: Call, tmp_path: Path) -> None:
    for name, body in (
        ("latin.yaml", "name: caf\xe9".encode("latin-1")),
        ("nul.yaml", b"\0\0"),
        ("list.yaml", b"- a\n"),
        ("empty.yaml", b""),
        ("image.yaml", b"\x89PNG\r\n\x1a\n"),
        ("escape.yaml", b"name: \"\\e[31m\"\n"),
        ("bomb.yaml", b"a: &a [x,x]\nb: &b [*a,*a]\n" + b"".join(
            b"%c: &%c [*%c,*%c]\n" % (n, n, n - 1, n - 1) for n in range(99, 120))),
    ):  # fmt: skip
        (tmp_path / name).write_bytes(body)
        done = command("validate", name)
        assert done.returncode == 2, name
        assert done.stderr.startswith(f"error: {name}")
        assert "Traceback" not in done.stderr
        assert "\x1b" not in done.stderr


def test_a_closed_pipe_is_no_disaster(
    command: Call, tmp_path: Path, environment: dict[str, str], toys_file: str
) -> None:
    import subprocess
    import sys

    process = subprocess.Popen(
        [sys.executable, "-m", "revkit", "schema", "--plugin", toys_file],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=tmp_path,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    complaint = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=30)
    assert b"Traceback" not in complaint


def test_agent_check_shows_one_review(command: Call) -> None:
    done = command("agent", "check", "spec.yaml", "length")
    assert done.returncode == 0, done.stderr
    assert "paper\n  toy-0\n" in done.stdout
    assert "outcome\n  accept:" in done.stdout
    told = json.loads(command("agent", "check", "spec.yaml", "length", "--json").stdout)
    assert told["paper"] == "toy-0"
    assert isinstance(told["outcome"]["score"], float | int)
    assert "lacks" not in told


def test_agent_check_takes_a_paper(command: Call, tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("# Mine\n\nWe may count.\n", encoding="utf-8")
    done = command("agent", "check", "spec.yaml", "length", "--paper", "mine.md")
    assert done.returncode == 0, done.stderr
    assert "paper\n  mine\n" in done.stdout
    missing = command("agent", "check", "spec.yaml", "length", "--paper", "none.md")
    assert missing.returncode == 1
    assert "none.md cannot be read" in missing.stderr


LACKING = """
from dataclasses import dataclass
import pathlib
from typing import ClassVar
import revkit


@dataclass(frozen=True)
class Lacking(revkit.Agent):
    \"\"\"Lacks a key.\"\"\"

    name: ClassVar[str] = "lacking"
    version: ClassVar[str] = "1"
    deterministic: ClassVar[bool] = True
    scale = revkit.Scale("1-10", 1, 10)

    def ready(self):
        return ("set THE_KEY",)

    def review(self, paper, ctx):
        pathlib.Path("called").touch()
        return revkit.Review(True, 7)


@revkit.hookimpl
def register_agents(register):
    register(Lacking)
"""


def test_agent_check_calls_no_agent_that_lacks_something(command: Call, tmp_path: Path) -> None:
    (tmp_path / "lacking.py").write_text(LACKING, encoding="utf-8")
    arguments = ("agent", "check", "spec.yaml", "mine", "--set", "agents.mine=lacking")
    done = command(*arguments, "--plugin", "lacking.py")
    assert done.returncode == 1, done.stderr
    assert 'lacks\n  ["set THE_KEY"]\noutcome\n' in done.stdout
    assert done.stdout.count("THE_KEY") == 1
    assert not (tmp_path / "called").exists()
    told = json.loads(command(*arguments, "--plugin", "lacking.py", "--json").stdout)
    assert told["lacks"] == ["set THE_KEY"]
    assert told["outcome"]["kind"] == "provider"


def test_what_a_check_shows_is_indented_by_its_depth() -> None:
    from revkit.cli.agent import _as_text

    told = {
        "read": {"score": {"value": 3.5, "places": ["line 1"]}, "accept": {"value": None}},
        "text": "one\n    two\nthree",
        "indented": "    one\ntwo",
        "nothing": {},
        "empty": "",
        "word": "one",
    }
    assert _as_text(told) == (
        '  read:\n    score:\n      value: 3.5\n      places: ["line 1"]\n'
        "    accept:\n      value: null\n"
        "  text:\n    one\n        two\n    three\n"
        "  indented:\n        one\n    two\n"
        "  nothing: -\n  empty: -\n  word: one"
    )


def test_agent_check_of_an_agent_that_is_not_there(command: Call) -> None:
    done = command("agent", "check", "spec.yaml", "lenght")
    assert done.returncode == 2
    assert "did you mean 'length'" in done.stderr


def test_export_and_replay(command: Call, tmp_path: Path) -> None:
    assert command("run", "spec.yaml", "--out", "r", "--store", "s.db", "--quiet").returncode == 0
    done = command("export", "r", "b.zip", "--store", "s.db")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("4 papers, ")
    assert "0 model calls. Results: b.zip (SHA-256 " in done.stdout
    done = command("replay", "b.zip", "--out", "again")
    assert (done.returncode, done.stderr) == (0, "")
    assert "identical: all " in done.stdout
    assert done.stdout.startswith("toy ")
    names = ("result.json", "toy.txt", "records/outcomes.csv")
    for name in names:
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "r" / name).read_bytes()
    done = command("export", "r", "n.zip", "--store", "s.db", "--no-texts")
    assert "(no texts)" in done.stdout
    assert command("replay", "n.zip").returncode == 0


def test_export_and_replay_that_fail(command: Call, tmp_path: Path) -> None:
    done = command("replay", "none.zip")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "error: none.zip cannot be read: No such file or directory\n"
    done = command("export", ".", "b.zip")
    assert done.returncode == 1
    assert "is not the folder of a finished run" in done.stderr
    command("run", "spec.yaml", "--out", "r", "--store", "s.db", "--quiet")
    command("export", "r", "b.zip", "--store", "s.db")
    changed = tmp_path / "c.zip"
    with zipfile.ZipFile(tmp_path / "b.zip") as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            body = old.read(name)
            if name == "manifest.json":
                manifest = json.loads(body)
                manifest["results"]["toy.txt"] = "0" * 64
                body = json.dumps(manifest).encode()
            new.writestr(name, body)
    done = command("replay", "c.zip")
    assert done.returncode == 1
    assert done.stderr.startswith("error: toy.txt differs\nnot identical. ")
