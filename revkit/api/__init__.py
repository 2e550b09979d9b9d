"""The commands of revkit as functions: run, sweep, run_shard, merge, export, export_with, replay,
validate, load, points, plan, sweep_plan, forecast, outlook, sweep_forecast, selfcheck, graph,
check_agent, check_papers, forget, scan_papers, schema, plugins, new_plugin, doctor, check_ready;
those on finished runs: list_runs, find_run, open_run, prompts, compare, check_run; and those on
calibration maps: fit_map, map_of_run, load_map, check_use, check_map, map_status, fingerprint.

Each takes an experiment as the path of a YAML file, as a mapping of the same shape, or as an
`Experiment` built in Python. Each name is loaded when it is first used.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from revkit.api.exports import export, export_with, replay
    from revkit.api.finished_runs import check_run, compare, find_run, list_runs, open_run, prompts
    from revkit.api.installation import check_ready, doctor
    from revkit.api.maps import (
        check_map,
        check_use,
        fingerprint,
        fit_map,
        load_map,
        map_of_run,
        map_status,
    )
    from revkit.api.papers import check_papers, scan_papers
    from revkit.api.removal import forget
    from revkit.api.runs import check_agent, forecast, outlook, run, sweep, sweep_forecast
    from revkit.api.scaffold import new_plugin
    from revkit.api.selfchecks import selfcheck
    from revkit.api.shards import merge, run_shard
    from revkit.api.specs import (
        Plugin,
        Spec,
        graph,
        load,
        plan,
        plugins,
        points,
        schema,
        sweep_plan,
        validate,
    )
    from revkit.api.stores import (
        check_store,
        collect_garbage,
        copy_store,
        give_up_batch,
        merge_stores,
        open_batches,
        store_size,
    )
else:
    from revkit.lazy_names import lazy_names

    __getattr__ = lazy_names(
        __name__,
        {
            "exports": "export export_with replay",
            "finished_runs": "check_run compare find_run list_runs open_run prompts",
            "removal": "forget",
            "installation": "check_ready doctor",
            "maps": "check_map check_use fingerprint fit_map load_map map_of_run map_status",
            "papers": "check_papers scan_papers",
            "runs": "check_agent forecast outlook run sweep sweep_forecast",
            "scaffold": "new_plugin",
            "selfchecks": "selfcheck",
            "shards": "merge run_shard",
            "specs": "Plugin Spec graph load plan plugins points schema sweep_plan validate",
            "stores": "check_store collect_garbage copy_store "
            "give_up_batch merge_stores open_batches store_size",
        },
    )

__all__ = [
    "Plugin",
    "Spec",
    "check_agent",
    "check_map",
    "check_papers",
    "check_ready",
    "check_run",
    "check_store",
    "check_use",
    "collect_garbage",
    "compare",
    "copy_store",
    "doctor",
    "export",
    "export_with",
    "find_run",
    "fingerprint",
    "fit_map",
    "forecast",
    "forget",
    "give_up_batch",
    "graph",
    "list_runs",
    "load",
    "load_map",
    "map_of_run",
    "map_status",
    "merge",
    "merge_stores",
    "new_plugin",
    "open_batches",
    "open_run",
    "outlook",
    "plan",
    "plugins",
    "points",
    "prompts",
    "replay",
    "run",
    "run_shard",
    "scan_papers",
    "schema",
    "selfcheck",
    "store_size",
    "sweep",
    "sweep_forecast",
    "sweep_plan",
    "validate",
]
