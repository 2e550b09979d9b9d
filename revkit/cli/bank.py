"""``revkit bank``: the commands that installed plugins offer for the custody of anchors."""

from __future__ import annotations

import click

VERB = "bank"


class _Bank(click.Group):
    """A group whose commands are the exporters with the verb ``bank``."""

    @property
    def tasks(self) -> dict[str, click.Command]:
        """Return the commands by name, without the verb."""
        from revkit.cli.export_with import commands_of

        return commands_of(VERB)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.tasks)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self.tasks.get(cmd_name)


@click.group("bank", cls=_Bank)
def command() -> None:
    """Plan, rotate, mark, probe and check the bank of anchors of an experiment.

    Each command reads the bank on which the maps of an experiment are fitted. Commands that check
    something exit with 1 if it does not hold.
    """
