"""The package is typed, quick to import, and names what it has; a user's script passes mypy --strict."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import engine
import reversis as rv
from tests.support.places import CLONE

SCRIPT = """\
import reversis as rv

lib: rv.Library = rv.library()
deal: rv.Deal = rv.deal("pam-quinola-forced-opposite-last", lib)
pamphlet: rv.Ruleset = rv.rules(lib, "pam", "Q031=10")
done = rv.settle(deal, pamphlet)
if isinstance(done, rv.Settled):
    print(sum(done.net.values()), done.net["south"], done.outcome.partie)
amounts = [row["number"] for row in rv.matrix(lib).rows()]
found = rv.fill(pamphlet, wish="quinola led")
other = rv.random_deal(pamphlet, seed=3, wish=["quinola led", "no reversis"])
print(lib.question(31).asks, lib.source("aca").title, len(rv.compare("PAM", "ACA")), rv.payments([done]).rows())
reveal_type(rv.survey(1000).rows())
"""
WRONG = 'import reversis as rv\n\nlib = rv.library()\nrv.settle(rv.rules(lib, "PAM"), rv.deal("x"))\n'


def check_types(folder: Path, **scripts: str) -> subprocess.CompletedProcess[str]:
    for name, words in scripts.items():
        (folder / f"{name}.py").write_text(words, encoding="utf-8")
    names = [f"{name}.py" for name in scripts]
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file=", *names]
    path_of_packages = {**os.environ, "MYPYPATH": str(CLONE)}
    return subprocess.run(command, cwd=folder, env=path_of_packages, capture_output=True, text=True)


@pytest.mark.release  # the type checker reads the whole program
def test_a_users_script_passes_mypy_strict_and_a_wrong_one_does_not(tmp_path: Path) -> None:
    told = check_types(tmp_path, right=SCRIPT, wrong=WRONG).stdout
    (revealed,) = (line for line in told.splitlines() if line.startswith("right.py:"))
    assert "note: Revealed type" in revealed and "list[dict[str, Any]]" in revealed
    faults = [line for line in told.splitlines() if line.startswith("wrong.py:") and "error:" in line]
    assert len(faults) == 2 and all("[arg-type]" in line for line in faults), told


@pytest.mark.parametrize("package", ["reversis", "engine", "edition", "rulebook"])
def test_every_package_says_that_it_is_typed(package: str) -> None:
    assert (CLONE / package / "py.typed").is_file()


def test_sums_of_a_settled_deal_are_had_by_seat_names_and_still_by_numbers() -> None:
    deal = rv.deal("pam-quinola-forced-opposite-last")
    done = rv.settle(deal, rv.rules(rv.library(), "PAM"))
    assert isinstance(done, rv.Settled)
    net = done.net
    assert [net[seat] for seat in deal.seats] == [net[0], net[1], net[2], net[3]] == [-10, -58, -10, 18]
    assert (net["pool"], net.get("east"), net.get("nobody", 0)) == (60, -58, 0)
    assert "west" in net and 3 in net and "nobody" not in net
    assert {**net} == net == {0: -10, 1: -58, 2: -10, 3: 18, "pool": 60}
    assert net.by_name == {"south": -10, "east": -58, "north": -10, "west": 18, "pool": 60}
    assert pickle.loads(pickle.dumps(net))["north"] == -10
    with pytest.raises(KeyError, match="no account 'soth': south, east, north, west, pool, or a seat's number"):
        net["soth"]


def test_what_scripts_had_from_engine_is_the_same_here_and_there() -> None:
    assert set(engine.MODULE_OF_NAME) <= set(rv.__all__)
    assert all(getattr(rv, name) is getattr(engine, name) for name in engine.MODULE_OF_NAME)
    with pytest.raises(AttributeError, match="no attribute 'setle'"):
        engine.setle  # noqa: B018


def test_its_version_is_that_of_the_edition_and_dir_lists_what_may_be_relied_on() -> None:
    from importlib.metadata import version

    assert rv.__version__ == version("reversis")
    assert dir(rv) == sorted(rv.__all__) and {"TableShape", "Policy", "Pool", "Sketch"} <= set(dir(rv))


def test_a_name_that_is_not_there_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'setle'"):
        rv.setle  # noqa: B018


def test_importing_it_waits_for_nothing_that_is_not_used() -> None:
    words = "import reversis, sys; print([one for one in sys.modules if one in UNWANTED])"
    unwanted = ("sphinx", "docutils", "lxml", "pydantic", "numpy", "yaml", "engine.generation.deal")
    command = [sys.executable, "-c", f"UNWANTED = {unwanted!r}; {words}"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "[]"


@pytest.mark.slow
def test_a_file_that_hides_a_package_is_named(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text("", encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{CLONE}"}
    done = subprocess.run(
        [sys.executable, "-c", "import reversis"], cwd=tmp_path, env=env, capture_output=True, text=True
    )
    assert f"Python finds {tmp_path / 'engine.py'} in place of the package 'engine'" in done.stderr
