"""Shards: parts of one experiment that run apart, on any machines, and are merged into one run."""

from revkit.execution.shards.merging import merge_shards
from revkit.execution.shards.running import ShardRun, run_shard
from revkit.execution.shards.shard import Shard

__all__ = ["Shard", "ShardRun", "merge_shards", "run_shard"]
