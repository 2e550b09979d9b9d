"""Attacks: changes to a paper that are made to deceive its reviewer."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_perturbations(register: Register) -> None:
    """Register the perturbations by module path; each module is imported only when it is used."""
    register("instruction-injection = revkit_attacks.instruction_injection:InstructionInjection")
