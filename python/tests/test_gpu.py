"""The same answers from GPUs as from processors, where there are GPUs.

tests/gpu.sh runs this file on real GPUs.  A plug-in with emulated GPUs (MOTIFSIEVE_CUDA names it) has no sieve.
"""

import threading

import numpy as np
import pytest

import motifsieve as ms
from motifsieve._native import lib

GPUS = lib.ms_device_count()
pytestmark = pytest.mark.skipif(GPUS == 0, reason="no GPU here")

# what gpu= takes: chosen by the library, any GPU, and GPUs by number
WAYS = ["auto", True, 0, [0], list(range(GPUS))]


@pytest.fixture(scope="module")
def network():
    return ms.generate("er", vertices=300, edges=1500, colors=3, seed=5)


def same(a, b):
    """True if both results have the same columns and rows; the numbers and the order of matches may differ."""
    a, b = (r.to_pandas().drop(columns="match", errors="ignore") for r in (a, b))
    names = list(a.columns)
    return names == list(b.columns) and a.sort_values(names).reset_index(drop=True).equals(
        b.sort_values(names).reset_index(drop=True))


def sieve_runs(network):
    """True if the GPUs can run the sieve."""
    try:
        network.screen("c0,c1", gpu=True, method="sieve")
    except ms.MotifsieveError:
        return False
    return True


@pytest.mark.parametrize("gpu", WAYS, ids=repr)
def test_searches(network, gpu):
    calls = [lambda g: network.match("house", gpu=g), lambda g: network.match("clique:3", gpu=g),
             lambda g: network.match("cycle:4", induced=True, gpu=g), lambda g: network.list("c0:2,c1", gpu=g)]
    if isinstance(gpu, list) and len(gpu) > 1:
        with pytest.raises(ms.UsageError, match="name one"):
            calls.pop()(gpu)
    for call in calls:
        wanted, found = call(False), call(gpu)
        assert wanted.count > 0 and wanted.engine == "cpu"
        assert found.count == wanted.count and same(found, wanted), found.engine
        assert gpu == "auto" or found.engine != "cpu"
    counted = [network.match("house", count_only=True, gpu=g).count for g in (False, gpu)]
    assert counted[0] == counted[1] > 0


@pytest.mark.parametrize("gpu", WAYS, ids=repr)
def test_censuses(network, gpu):
    for options in ({}, {"shapes": True}, {"shapes": True, "colored": True}):
        wanted, found = network.census(4, gpu=False, **options), network.census(4, gpu=gpu, **options)
        assert wanted.count > 0 and same(found, wanted)


@pytest.mark.parametrize("gpu", WAYS, ids=repr)
def test_screens(network, gpu):
    if not sieve_runs(network):
        pytest.skip("these GPUs run no sieve")
    for motif in ("c0:2,c1,c2", "c0,c1:3"):
        wanted = network.screen(motif, gpu=False, method="sieve", seed=3, repetitions=2)
        found = network.screen(motif, gpu=gpu, method="sieve", seed=3, repetitions=2)
        assert len(wanted) > 0 and np.array_equal(wanted.flagged, found.flagged)


def test_automatic_choice_of_long_work(network):
    """Work that is worth a GPU's start runs there, and the result says why."""
    if not sieve_runs(network):
        pytest.skip("emulated GPUs would need hours")
    big = ms.generate("er", vertices=20000, edges=2000000, seed=2)
    found = big.match("cycle:5", count_only=True, gpu="auto")
    assert found.engine != "cpu", found.engine_reason
    assert "GPU" in found.engine_reason


def test_a_gpu_that_is_not_there(network):
    with pytest.raises(ms.MotifsieveError, match=f"{GPUS}"):
        network.match("house", gpu=GPUS)


def test_threads_of_python_share_a_gpu(network):
    """Queries of several threads at once give what one gives."""
    wanted = network.match("house", count_only=True, gpu=False).count
    counts = []
    threads = [threading.Thread(target=lambda: counts.append(network.match("house", count_only=True, gpu=True).count))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [wanted] * 4
