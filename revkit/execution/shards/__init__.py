"""Shards: parts of one experiment that run apart, on any machines, and are merged into one run."""

from revkit.execution.shards.merge import merge_shards
from revkit.execution.shards.shard import Shard
from revkit.execution.shards.shard_run import ShardRun, run_shard

__all__ = ["Shard", "ShardRun", "merge_shards", "run_shard"]
