"""The public names of revkit, each listed once.

Type checkers read this file, and at run time ``__init__.py`` loads a name from the module that is
named here.
"""

from revkit.api import (
    check_agent as check_agent,
)
from revkit.api import (
    check_map as check_map,
)
from revkit.api import (
    check_papers as check_papers,
)
from revkit.api import (
    check_ready as check_ready,
)
from revkit.api import (
    check_run as check_run,
)
from revkit.api import (
    check_use as check_use,
)
from revkit.api import (
    compare as compare,
)
from revkit.api import (
    doctor as doctor,
)
from revkit.api import (
    export as export,
)
from revkit.api import (
    export_with as export_with,
)
from revkit.api import (
    find_run as find_run,
)
from revkit.api import (
    fingerprint as fingerprint,
)
from revkit.api import (
    fit_map as fit_map,
)
from revkit.api import (
    forecast as forecast,
)
from revkit.api import (
    forget as forget,
)
from revkit.api import (
    graph as graph,
)
from revkit.api import (
    list_runs as list_runs,
)
from revkit.api import (
    load as load,
)
from revkit.api import (
    load_map as load_map,
)
from revkit.api import (
    map_of_run as map_of_run,
)
from revkit.api import (
    map_status as map_status,
)
from revkit.api import (
    merge as merge,
)
from revkit.api import (
    new_plugin as new_plugin,
)
from revkit.api import (
    open_run as open_run,
)
from revkit.api import (
    plan as plan,
)
from revkit.api import (
    plugins as plugins,
)
from revkit.api import (
    points as points,
)
from revkit.api import (
    prompts as prompts,
)
from revkit.api import (
    replay as replay,
)
from revkit.api import (
    run as run,
)
from revkit.api import (
    run_shard as run_shard,
)
from revkit.api import (
    scan_papers as scan_papers,
)
from revkit.api import (
    schema as schema,
)
from revkit.api import (
    selfcheck as selfcheck,
)
from revkit.api import (
    sweep as sweep,
)
from revkit.api import (
    sweep_forecast as sweep_forecast,
)
from revkit.api import (
    sweep_plan as sweep_plan,
)
from revkit.api import (
    validate as validate,
)
from revkit.calibration import (
    CalibrationMap as CalibrationMap,
)
from revkit.calibration import (
    MapCheck as MapCheck,
)
from revkit.calibration import (
    save_map as save_map,
)
from revkit.contracts import (
    Agent as Agent,
)
from revkit.contracts import (
    Calibrator as Calibrator,
)
from revkit.contracts import (
    Component as Component,
)
from revkit.contracts import (
    Constraint as Constraint,
)
from revkit.contracts import (
    Context as Context,
)
from revkit.contracts import (
    Corpus as Corpus,
)
from revkit.contracts import (
    Curve as Curve,
)
from revkit.contracts import (
    Defense as Defense,
)
from revkit.contracts import (
    Embedder as Embedder,
)
from revkit.contracts import (
    Executor as Executor,
)
from revkit.contracts import (
    ExperimentView as ExperimentView,
)
from revkit.contracts import (
    Exported as Exported,
)
from revkit.contracts import (
    Exporter as Exporter,
)
from revkit.contracts import (
    Metric as Metric,
)
from revkit.contracts import (
    Peer as Peer,
)
from revkit.contracts import (
    Perturbation as Perturbation,
)
from revkit.contracts import (
    Reporter as Reporter,
)
from revkit.contracts import (
    Rubric as Rubric,
)
from revkit.contracts import (
    RunView as RunView,
)
from revkit.contracts import (
    Searcher as Searcher,
)
from revkit.contracts import (
    SearchSpace as SearchSpace,
)
from revkit.contracts import (
    Strategy as Strategy,
)
from revkit.contracts import (
    SweepView as SweepView,
)
from revkit.contracts import (
    Try as Try,
)
from revkit.contracts import (
    Unit as Unit,
)
from revkit.errors import (
    RevkitError as RevkitError,
)
from revkit.execution import (
    Bundle as Bundle,
)
from revkit.execution import (
    Replay as Replay,
)
from revkit.execution import (
    Run as Run,
)
from revkit.execution import (
    RunWarning as RunWarning,
)
from revkit.execution import (
    SweepRun as SweepRun,
)
from revkit.hookspecs import (
    Register as Register,
)
from revkit.hookspecs import (
    hookimpl as hookimpl,
)
from revkit.model import (
    Block as Block,
)
from revkit.model import (
    Chart as Chart,
)
from revkit.model import (
    Check as Check,
)
from revkit.model import (
    Citation as Citation,
)
from revkit.model import (
    Column as Column,
)
from revkit.model import (
    Criterion as Criterion,
)
from revkit.model import (
    Edit as Edit,
)
from revkit.model import (
    Failure as Failure,
)
from revkit.model import (
    Labels as Labels,
)
from revkit.model import (
    Material as Material,
)
from revkit.model import (
    Outcome as Outcome,
)
from revkit.model import (
    Paper as Paper,
)
from revkit.model import (
    Reference as Reference,
)
from revkit.model import (
    Rejection as Rejection,
)
from revkit.model import (
    Review as Review,
)
from revkit.model import (
    Scale as Scale,
)
from revkit.model import (
    Sentence as Sentence,
)
from revkit.model import (
    Skipped as Skipped,
)
from revkit.model import (
    Span as Span,
)
from revkit.model import (
    Table as Table,
)
from revkit.model import (
    Variant as Variant,
)
from revkit.model import (
    Work as Work,
)
from revkit.model import (
    edits_between as edits_between,
)
from revkit.model.exchange import (
    Message as Message,
)
from revkit.model.exchange import (
    ModelReply as ModelReply,
)
from revkit.model.exchange import (
    ModelRequest as ModelRequest,
)
from revkit.model.records import (
    Records as Records,
)
from revkit.model.roles import (
    AgentRole as AgentRole,
)
from revkit.options import (
    option as option,
)
from revkit.runs import (
    AssertionResult as AssertionResult,
)
from revkit.runs import (
    Comparison as Comparison,
)
from revkit.runs import (
    OpenedRun as OpenedRun,
)
from revkit.runs import (
    ReviewedPair as ReviewedPair,
)
from revkit.runs import (
    RunEntry as RunEntry,
)
from revkit.sheets import (
    draw_sheet as draw_sheet,
)
from revkit.sheets import (
    read_sheet as read_sheet,
)
from revkit.spec import (
    AgentStep as AgentStep,
)
from revkit.spec import (
    Calibration as Calibration,
)
from revkit.spec import (
    CommonScale as CommonScale,
)
from revkit.spec import (
    Experiment as Experiment,
)
from revkit.spec import (
    PerturbationStep as PerturbationStep,
)
from revkit.spec import (
    Sweep as Sweep,
)

__version__: str
