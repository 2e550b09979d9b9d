"""Configuration files for existing trainers.

ReviewGrounder (Li et al., appendix B.2): three epochs, batches of 16, learning rate 5e-6, DeepSpeed
ZeRO-3 on eight devices, with ms-swift. What the paper does not state (schedule, warm-up, optimizer)
is left to each trainer. Nothing may be truncated: a truncated reply teaches the model to stop
there, so TRL gets no maximum length and ms-swift drops conversations that are too long.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from revkit.errors import RunError
from revkit.model.values import Json

EPOCHS = 3
BATCH = 16
RATE = 5e-6
MESSAGES = "messages"
COMPLETION = "prompt-completion"

_HEAD = """\
# Run it in this folder, on a machine with {devices} accelerator{s}:
#   {command}
# Batches of {batch}: {devices} device{s}, 1 conversation each, {accumulation} step{more} a batch.
"""


def accumulation_for(devices: int) -> int:
    """Return the number of accumulation steps for a batch of 16 on ``devices``. Raises `RunError`
    if it is not a whole number.
    """
    if devices < 1 or BATCH % devices:
        raise RunError(
            f"{devices} devices cannot share batches of {BATCH}; name 1, 2, 4, 8 or 16 devices"
        )
    return BATCH // devices


def configurations(*, model: str, devices: int, seed: int, validation: bool) -> Mapping[str, str]:
    """Return the files by name. ``validation``: whether there are conversations to validate on."""
    accumulation = accumulation_for(devices)
    common: dict[str, Json] = {
        "num_train_epochs": EPOCHS,
        "per_device_train_batch_size": 1,
        "per_device_eval_batch_size": 1,
        "gradient_accumulation_steps": accumulation,
        "learning_rate": RATE,
        "bf16": True,
        "seed": seed % 2**32,  # the largest seed that NumPy accepts
        "logging_steps": 1,
        "save_strategy": "epoch",
        "eval_strategy": "epoch" if validation else "no",
        "report_to": "none",
    }
    trl: dict[str, Json] = {
        "model_name_or_path": model,
        "dataset_name": COMPLETION,
        **({"dataset_test_split": "validation"} if validation else {}),
        "completion_only_loss": True,
        "max_length": None,
        **common,
        "output_dir": "drafter-trl",
        "accelerate_config": "accelerate-zero3.yaml",
    }
    swift: dict[str, Json] = {
        "model": model,
        "use_hf": True,
        "tuner_type": "full",
        "dataset": [f"{MESSAGES}/train.jsonl"],
        **({"val_dataset": [f"{MESSAGES}/validation.jsonl"]} if validation else {}),
        "split_dataset_ratio": 0,
        "loss_scale": "default",
        "truncation_strategy": "delete",
        "strict": True,
        **common,
        "deepspeed": "zero3",
        "output_dir": "drafter-swift",
        "ENV": {"NPROC_PER_NODE": devices},
    }
    return {
        "trl.yaml": _head("trl sft --config trl.yaml", devices, accumulation) + _yaml(trl),
        "swift.yaml": _head("swift sft swift.yaml", devices, accumulation) + _yaml(swift),
        "accelerate-zero3.yaml": _yaml(_accelerate(devices)),
    }


def _accelerate(devices: int) -> dict[str, Json]:
    return {
        "compute_environment": "LOCAL_MACHINE",
        "distributed_type": "DEEPSPEED",
        "deepspeed_config": {
            "zero_stage": 3,
            "zero3_init_flag": True,
            "zero3_save_16bit_model": True,
            "offload_optimizer_device": "none",
            "offload_param_device": "none",
        },
        "mixed_precision": "bf16",
        "num_machines": 1,
        "machine_rank": 0,
        "num_processes": devices,
        "use_cpu": False,
    }


def _head(command: str, devices: int, accumulation: int) -> str:
    return _HEAD.format(
        devices=devices,
        s="s" if devices > 1 else "",
        command=command,
        accumulation=accumulation,
        more="s" if accumulation > 1 else "",
        batch=BATCH,
    )


def _yaml(values: Mapping[str, Json]) -> str:
    """Return ``values`` as YAML with scalars in JSON syntax. Floats get a decimal point, because
    YAML 1.1 reads 5e-06 as text.
    """
    return "".join(f"{name}: {_scalar(value)}\n" for name, value in values.items())


def _scalar(value: Json) -> str:
    if isinstance(value, float):
        mantissa, _, exponent = f"{value:e}".partition("e")
        return f"{float(mantissa)}e{int(exponent):+d}"
    return json.dumps(value, ensure_ascii=False)
