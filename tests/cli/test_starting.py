"""`revkit init`, completion in a shell, and `revkit track` with a stand-in for the clients."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

import revkit
from revkit.cli import main
from revkit.cli.main import cli
from revkit.errors import RunError
from revkit.runs import open_run
from revkit.runs.starter import starter_spec
from revkit.runs.tracking import figures_of, track


@pytest.mark.parametrize(
    ("reviewer", "where"),
    [
        ("command", "python3 'my reviewer.py' --quick"),
        ("http", "http://127.0.0.1:8000/review"),
        ("python", "reviewer:review"),
        ("llm", "openai/gpt-4.1"),
        ("example", ""),
    ],
)
def test_a_starter_spec_is_valid(reviewer: str, where: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(starter_spec("synthetic", reviewer, where, "mine"), encoding="utf-8")
    experiment = revkit.load(path)
    names = {"evidence", "citations"} if reviewer == "example" else {"reviewer"}
    assert set(experiment.agents) == names
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "a.pdf").write_bytes(b"%PDF")
    spec = starter_spec(str(tmp_path / "papers"), reviewer, where, "a b: #c")
    path.write_text(spec, encoding="utf-8")
    assert revkit.load(path).corpus.name == "pdf"


def test_wrong_answers_are_refused() -> None:
    for papers, reviewer, where, match in (
        ("nowhere/", "example", "", "is not a folder"),
        ("synthetic", "command", " ", "needs its command line"),
        ("synthetic", "command", "python3 'x", "cannot be split"),
    ):
        with pytest.raises(RunError, match=match):
            starter_spec(papers, reviewer, where, "mine")


def test_three_questions_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answers = "synthetic\npython\nreviewer:review\n"
    done = CliRunner().invoke(cli, ["init"], input=answers)
    assert done.exit_code == 0, done.output
    text = Path("experiment.yaml").read_text(encoding="utf-8")
    assert 'call: "reviewer:review"' in text
    assert CliRunner().invoke(cli, ["init"], input=answers).exit_code == 2
    assert Path("experiment.yaml").read_text(encoding="utf-8") == text
    all_given = ["init", "b.yaml", "--papers", "synthetic", "--reviewer", "example"]
    done = CliRunner().invoke(cli, all_given, input="")
    assert done.exit_code == 0, done.output
    Path("mine.py").write_text("", encoding="utf-8")
    assert '["python3", "{start_dir}/mine.py", "{paper_md}"]' in starter_spec(
        "synthetic", "command", "python3 mine.py", "mine"
    )
    assert "1. Which papers" not in done.output


def completed(words: str) -> list[str]:
    """What bash completes at the end of ``words``."""
    from click.shell_completion import BashComplete

    given = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in given.items():
            patch.setitem(os.environ, name, value)
        complete = BashComplete(cli, {}, "revkit", "_REVKIT_COMPLETE")
        args, incomplete = complete.get_completion_args()
        return [item.value for item in complete.get_completions(args, incomplete)]


def test_agents_and_paths_are_completed(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(starter_spec("synthetic", "example", "", "mine"), encoding="utf-8")
    assert completed(f"revkit agent check {path} c") == ["citations"]
    assert completed("revkit agent check robust h") == ["hedge-control"]
    assert completed(f"revkit run {path} --set corpus.w") == ["corpus.with.papers="]
    assert completed("revkit run nowhere.yaml --set x") == []
    path.write_text("{", encoding="utf-8")
    assert completed(f"revkit agent check {path} c") == []


class Stub(ModuleType):
    """The parts of both clients that are used; keeps what was sent."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.sent: dict[str, Any] = {}
        self.files: list[str] = []
        self.id = "7"

    def set_experiment(self, name: str) -> None:
        self.sent["project"] = name

    @contextlib.contextmanager
    def start_run(self, run_name: str) -> Iterator[Any]:
        yield SimpleNamespace(info=SimpleNamespace(run_id="7"))
        self.sent["ended"] = run_name

    def set_tags(self, tags: dict[str, str]) -> None:
        assert all(isinstance(value, str) and len(value) < 500 for value in tags.values())

    def log_metrics(self, figures: dict[str, float]) -> None:
        self.sent["figures"] = figures

    def log_artifact(self, path: Any) -> None:
        if isinstance(path, str):
            self.files.append(Path(path).name)

    def init(self, **options: Any) -> Stub:
        self.sent["project"] = options["project"]
        return self

    def log(self, figures: dict[str, float]) -> None:
        self.sent["figures"] = figures

    def Artifact(self, name: str, type: str) -> Any:  # noqa: N802
        return SimpleNamespace(add_file=self.log_artifact)

    def finish(self) -> None:
        self.sent["ended"] = "finish"


@pytest.mark.parametrize("tracker", ["mlflow", "wandb"])
def test_a_run_is_sent_to_a_tracker(
    tracker: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    revkit.run(
        papers=["# A\n\nIt may be that we show a result. It seems better.\n"] * 1,
        agents={"mine": lambda paper: "may" in paper.text},
        perturbations=["hedging"],
        metrics=["flip-rate"],
        embedder="hashed-ngrams",
        out=tmp_path / "run",
        store=tmp_path / "s.db",
    )
    run = open_run(tmp_path / "run")
    client = Stub(tracker)
    monkeypatch.setitem(sys.modules, tracker, client)
    assert track(run, tracker, project="p") == "7"
    assert client.sent["figures"] == figures_of(run)
    assert client.sent["figures"]["flip-rate.rate.mine"] in (0.0, 1.0)
    assert client.sent["ended"]
    assert client.files == ["spec.yaml"]  # no text of a paper without being asked
    track(run, tracker, project="p", texts=True)
    assert "report.md" in client.files or "result.json" in client.files
    monkeypatch.setattr(client, "log", None)
    monkeypatch.setattr(client, "log_metrics", None)
    with pytest.raises(RunError, match=f"{tracker}: TypeError"):
        track(run, tracker)
    monkeypatch.setitem(sys.modules, tracker, None)
    with pytest.raises(RunError, match=rf"pip install 'revkit\[{tracker}\]'"):
        track(run, tracker)


def test_a_figure_of_a_run(tmp_path: Path) -> None:
    run = revkit.run(
        papers={"use": "synthetic", "with": {"papers": 3}},
        agents=["citation-counter"],
        perturbations=["hedging"],
        metrics=["flip-rate"],
        embedder="hashed-ngrams",
        out=tmp_path / "run",
        store=tmp_path / "s.db",
    )
    figure = run.figure("flip-rate")
    again = open_run(tmp_path / "run").figure("flip-rate")
    assert figure.svg == again.svg
    assert figure.svg.startswith("<svg xmlns=")
    assert "3 papers" in figure.caption
    pdf = figure.save(tmp_path / "f.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-1.")
    assert pdf.isascii()
    # The table of places points at the objects, so the file was not shifted.
    start = int(pdf.rpartition(b"startxref\n")[2].split()[0])
    assert pdf[start : start + 4] == b"xref"
    with pytest.raises(RunError, match=r"\.svg or \.pdf"):
        figure.save(tmp_path / "f.png")
    with pytest.raises(RunError, match="has no table 'flips'"):
        run.figure("flips")
    with pytest.raises(RunError, match="so there is no 99"):
        run.figure("flip-rate", 99)


def wrapped(error: Exception) -> Exception:
    """``error`` as the cause of another."""
    outer = KeyError("x")
    outer.__cause__ = error
    return outer


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "the system gives this process no more memory"),
        (ImportError("x.so: failed to map segment from shared object"), "no more memory"),
        (RuntimeError("can't start new thread"), "the system starts no more threads"),
        (OSError(errno.EMFILE, "Too many open files", "f.txt"), "no more files; see"),
        (OSError(errno.ENOSPC, "No space left on device", "f.txt"), "no space left (f.txt)"),
        (wrapped(MemoryError()), "no more memory"),
        (ValueError("x"), ""),
        (OSError(errno.EPERM, "not permitted"), ""),
    ],
)
def test_what_the_system_refuses_is_a_message(error: Exception, words: str) -> None:
    found = main._shortage_of(error)
    assert words in found
    assert bool(words) == bool(found)


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (["a.md", "b.tex"], "markdown"),
        (["a.docx"], "word"),
        (["a.pdf"], "pdf"),
        (["a.md", "b.tex", "c.docx"], "files"),
        (["a.txt", "b.PDF"], "files"),
    ],
)
def test_the_corpus_of_a_starter_spec_reads_all_formats_of_the_folder(
    names: list[str], kind: str, tmp_path: Path
) -> None:
    for name in names:
        (tmp_path / name).write_text("")
    spec = starter_spec(str(tmp_path), "example", "", "mine")
    assert f"corpus: {{use: {kind}, with:" in spec
