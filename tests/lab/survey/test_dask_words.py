"""What is said of a cluster, and of its faults: where none has to be there."""

from __future__ import annotations

from concurrent.futures import CancelledError
from types import SimpleNamespace

import pytest

from lab.survey import dask as clusters
from lab.survey.dask import Edition, NoCluster, describe_edition_mismatch


def test_editions_differ_in_words() -> None:
    ours = Edition("1.0", "sha256:aa", "sha256:bb")
    assert list(ours.differs(ours)) == []
    assert list(ours.differs(Edition("1.1", "sha256:aa", "sha256:cc"))) == ["has version 1.1, we have 1.0"]
    assert list(ours.differs(Edition("1.0", "sha256:ab", "sha256:cc"))) == [
        "has other sources (sha256:ab, ours are sha256:aa)",
        "has another program of the same version (sha256:cc, ours is sha256:bb)",
    ]


def test_a_worker_without_the_program_is_told_what_it_needs() -> None:
    words = list(describe_edition_mismatch(ModuleNotFoundError("No module named 'edition'"), Edition("1.0", "", "")))
    assert words == [
        "cannot do a survey (ModuleNotFoundError: No module named 'edition'); "
        'it needs pip install -e ".[survey,cluster]"'
    ]


@pytest.mark.parametrize("fault", [OSError("refused"), ValueError("no address"), RuntimeError("a loop")], ids=repr)
def test_whatever_comes_of_asking_a_scheduler_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    async def probe(address: str, patience: float) -> None:
        raise fault

    monkeypatch.setattr(clusters, "probe_scheduler", probe)
    words = rf"no Dask scheduler answers at tcp://x:1 within 2 seconds \({type(fault).__name__}: {fault}\); an address"
    with pytest.raises(NoCluster, match=words):
        clusters.connect_client("tcp://x:1", 2)


def test_faults_of_a_running_cluster_are_told_in_a_sentence() -> None:
    from distributed import KilledWorker
    from distributed.comm import CommClosedError

    killed = KilledWorker("piece", SimpleNamespace(address="tcp://y:2"), 3)
    told = {
        "a piece was given up because its workers died over and over \\(KilledWorker: Attempted": killed,
        "a worker cannot do a survey": ImportError("no program"),
        "the scheduler at tcp://x:1 was lost \\(CancelledError: gone\\)": CancelledError("gone"),
        "the scheduler at tcp://x:1 was lost \\(CommClosedError: closed\\)": CommClosedError("closed"),
    }
    for words, fault in told.items():
        with pytest.raises(NoCluster, match=words), clusters.translate_cluster_faults("tcp://x:1"):
            raise fault
