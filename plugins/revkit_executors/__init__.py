"""Executors: processes of one machine, and clusters of the distributed engine Dask."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_executors(register: Register) -> None:
    """Register the executors by module path; each module is imported only when it is used."""
    register("local = revkit_executors.local:LocalProcesses")
    register("dask = revkit_executors.dask_cluster:DaskCluster")
