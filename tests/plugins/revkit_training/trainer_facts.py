"""State as JSON what TRL makes of a configuration: run in its own process, beside the data.

    python trainer_facts.py trl.yaml accelerate-zero3.yaml

Printed last: the fields that its parser read, what it passes on to the launcher, what the launcher
read, and of every conversation the text on which there is loss, as the trainer prepared it.
"""

from __future__ import annotations

import json
import sys


def main(config: str, launcher: str) -> None:
    from accelerate.commands.config.config_args import load_config_from_file
    from datasets import load_dataset
    from trl import SFTTrainer
    from trl.scripts.sft import make_parser

    # The same parser as that of the command; without the last option it overlooks what it does not
    # know.
    *found, passed_on = make_parser().parse_args_and_config(
        ["--config", config], return_remaining_strings=True
    )
    script, training, model, _ = found
    trainer = SFTTrainer(
        model=model.model_name_or_path,
        args=training,
        train_dataset=load_dataset(script.dataset_name)["train"],
    )
    tokenizer = trainer.processing_class
    rows = [
        {
            "all": tokenizer.decode(row["input_ids"]),
            "loss": tokenizer.decode([token for token in row["labels"] if token != -100]),
        }
        for row in trainer.train_dataset
    ]
    launched = load_config_from_file(launcher)
    message = {
        "passed-on": passed_on,
        "launcher": {
            "distributed": launched.distributed_type.value,
            "stage": launched.deepspeed_config["zero_stage"],
            "processes": launched.num_processes,
        },
        "epochs": training.num_train_epochs,
        "rate": training.learning_rate,
        "each": training.per_device_train_batch_size,
        "accumulation": training.gradient_accumulation_steps,
        "longest": training.max_length,
        "completion-only": training.completion_only_loss,
        "evaluation": str(training.eval_strategy),
        "split": script.dataset_test_split,
        "rows": rows,
    }
    sys.stdout.write("\n" + json.dumps(message) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
