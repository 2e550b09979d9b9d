"""A tiny model is trained through TRL on a set that revkit wrote, on the CPU and offline.

The model is made here: random weights, and a tokenizer trained on the set. So this proves that the
trainer takes the files as they are meant, not that anything is learnt.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.revkit_training.sets import export_sft

ROOT = Path(__file__).resolve().parents[3]
NEEDED = ("trl", "datasets", "accelerate")
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
pytestmark = [
    pytest.mark.train,
    pytest.mark.slow,
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in NEEDED),
        reason="needs TRL: make test-train",
    ),
]


@dataclass(frozen=True)
class Trained:
    """A training set, the configuration for the CPU, and the model before and after."""

    folder: Path
    settings: Mapping[str, Any]
    before: Path
    printed: str


def environment(folder: Path) -> dict[str, str]:
    """No hub and no network, caches in ``folder``, and revkit is not needed."""
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(folder), "HF_HUB_DISABLE_TELEMETRY": "1"}
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return {**kept, **offline, "ACCELERATE_USE_CPU": "true", "CUDA_VISIBLE_DEVICES": ""}


def make_model(path: Path, texts: list[str]) -> None:
    """Write a language model of one layer with random weights, and a tokenizer for ``texts``."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=2000,
        special_tokens=["<|im_start|>", "<|im_end|>", "<|pad|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    whole = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|pad|>"
    )
    whole.chat_template = TEMPLATE
    whole.save_pretrained(path)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=4096,
        bos_token_id=None,
        eos_token_id=whole.eos_token_id,
        pad_token_id=whole.pad_token_id,
    )
    LlamaForCausalLM(config).save_pretrained(path)


def conversations(folder: Path) -> list[list[dict[str, str]]]:
    lines = (folder / "messages" / "train.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["messages"] for line in lines]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    import yaml

    folder = tmp_path_factory.mktemp("sft")
    made = export_sft(
        ROOT / "experiments" / "drafter-training.yaml",
        folder / "training",
        agent="drafter",
        bench=ROOT / "experiments" / "reviewbench-build.yaml",
        model=str(folder / "model"),
        devices=1,
        overrides=[f"corpus.with.path={ROOT / 'experiments' / 'drafter-training.jsonl'}"],
    )
    texts = [turn["content"] for turns in conversations(made.folder) for turn in turns]
    make_model(folder / "model", texts)
    # As written, but for what a machine without accelerators does not have.
    settings = yaml.safe_load((made.folder / "trl.yaml").read_text(encoding="utf-8"))
    settings |= {"bf16": False, "use_cpu": True, "accelerate_config": "accelerate-cpu.yaml"}
    launcher = {"compute_environment": "LOCAL_MACHINE", "distributed_type": "NO",
                "num_processes": 1, "mixed_precision": "no", "use_cpu": True}  # fmt: skip
    for name, values in (("trl-cpu.yaml", settings), ("accelerate-cpu.yaml", launcher)):
        (made.folder / name).write_text(yaml.safe_dump(values), encoding="utf-8")
    command = Path(sys.executable).with_name("trl")
    done = subprocess.run(
        [command, "sft", "--config", "trl-cpu.yaml"],
        cwd=made.folder, env=environment(folder / "cache"), timeout=170,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
    return Trained(made.folder, settings, folder / "model", done.stdout)


def test_steps_epochs_and_batches_are_those_of_the_configuration(trained: Trained) -> None:
    count = len(conversations(trained.folder))
    assert count == 17
    last = max(
        (trained.folder / "drafter-trl").glob("checkpoint-*/trainer_state.json"),
        key=lambda path: int(path.parent.name.partition("-")[2]),
    )
    state = json.loads(last.read_text(encoding="utf-8"))
    assert state["global_step"] == state["max_steps"] == 3 * math.ceil(count / 16) == 6
    assert (state["epoch"], state["num_train_epochs"], state["train_batch_size"]) == (3, 3, 1)
    logged = [row for row in state["log_history"] if "loss" in row]
    assert len(logged) == 6
    assert all(math.isfinite(row["loss"]) and row["loss"] > 0 for row in logged)
    assert logged[0]["learning_rate"] == pytest.approx(5e-6)
    assert max(row["learning_rate"] for row in logged) == logged[0]["learning_rate"]


def test_weights_have_changed_and_are_sound(trained: Trained) -> None:
    import numpy
    from safetensors.numpy import load_file

    before = load_file(trained.before / "model.safetensors")
    after = load_file(trained.folder / "drafter-trl" / "model.safetensors")
    assert before.keys() == after.keys()
    assert all(numpy.isfinite(values).all() for values in after.values())
    assert any((before[name] != after[name]).any() for name in before)


def test_loss_is_on_the_replies_alone(trained: Trained, tmp_path: Path) -> None:
    script = Path(__file__).with_name("trainer_facts.py")
    done = subprocess.run(
        [sys.executable, script, "trl-cpu.yaml", "accelerate-zero3.yaml"],
        cwd=trained.folder, env=environment(tmp_path), timeout=120,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    message = json.loads(done.stdout.splitlines()[-1])
    assert message["passed-on"] == ["--accelerate_config", "accelerate-cpu.yaml"]
    assert message["launcher"] == {"distributed": "DEEPSPEED", "stage": 3, "processes": 1}
    assert (message["epochs"], message["rate"], message["each"], message["accumulation"]) == (
        3,
        5e-6,
        1,
        16,
    )
    assert (message["longest"], message["completion-only"]) == (None, True)
    rows = sorted((row["all"], row["loss"]) for row in message["rows"])
    wanted = []
    for turns in conversations(trained.folder):
        whole = "".join(f"<|im_start|>{t['role']}\n{t['content']}<|im_end|>\n" for t in turns)
        wanted.append((whole, f"{turns[-1]['content']}<|im_end|>\n"))
    assert rows == sorted(wanted)


def test_the_parser_knows_every_option(trained: Trained, tmp_path: Path) -> None:
    """Also those for validation; what TRL does not know it overlooks without a word."""
    made = export_sft(
        ROOT / "experiments" / "drafter-training.yaml",
        tmp_path / "training",
        agent="drafter",
        bench=ROOT / "experiments" / "reviewbench-build.yaml",
        model=str(trained.before),
        validation=0.5,
        overrides=[f"corpus.with.path={ROOT / 'experiments' / 'drafter-training.jsonl'}"],
    )
    assert made.validation > 0
    program = (
        "from trl.scripts.sft import make_parser\n"
        "*_, rest = make_parser().parse_args_and_config("
        "['--config', 'trl.yaml', '--bf16', 'false'], return_remaining_strings=True)\n"
        "print(rest)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=made.folder, env=environment(tmp_path), timeout=120,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    rest = done.stdout.splitlines()[-1]
    assert rest == "['--accelerate_config', 'accelerate-zero3.yaml']"
