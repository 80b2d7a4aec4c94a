"""Survey of many random deals, which the extra `survey` compiles for speed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from reversis.door.worked_deals import open_default_library
from rulebook.installing import format_install_command
from rulebook.model import Library
from rulebook.suggestions import match_name

if TYPE_CHECKING:
    from lab.survey.table import SurveyRun


def survey(
    deals: int = 10_000,
    seed: int = 1,
    policy: str = "random",
    sources: Iterable[str] = (),
    library: Library | None = None,
    jobs: int = 1,
) -> SurveyRun:
    """Play many random deals by each source and settle them by the others too; `rows()` has the counts.

    The policy is random, cautious or skilled. The same seed gives the same figures. Raises ImportError, with what to
    install, without the extra `survey`.
    """
    try:
        from engine.players.preferences import ALL_POLICIES
        from lab.players.skilled import list_order_nets, order_survey
        from lab.survey.runner import make_crew, run_survey_order
        from lab.survey.table import SurveyRun
        from lab.survey.tally import SurveyTally
        from reversis.cli.survey import command_of, tables_of
    except ImportError as missing:
        raise ImportError(f"A survey needs {missing.name}: {format_install_command('survey')}") from missing
    from rulebook import __version__

    lib = library or open_default_library()
    named = (sources,) if isinstance(sources, str) else tuple(sources)
    own = tuple(lib.source(name).siglum for name in named) or tuple(lib.sources)
    chosen = match_name("policy", policy, ALL_POLICIES)
    order = order_survey(seed, chosen, deals, tables_of(lib, own, every=False))
    command = command_of(lib, order, f"--deals {deals}")
    empty = SurveyRun(order, SurveyTally(), command, __version__, lib.rules_digest, list_order_nets(order))
    with make_crew(lib, order, jobs) as crew:
        return replace(empty, tally=run_survey_order(order, crew))
