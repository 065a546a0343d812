"""Cliques: numbers of a graph that can be listed, in all and with each vertex."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

import motifsieve as ms


@pytest.fixture
def small():
    """A graph of twelve vertices with about 60 % of all edges."""
    rng = np.random.default_rng(5)
    edges = [pair for pair in combinations(range(12), 2) if rng.random() < 0.6]
    return ms.Graph.from_edges(edges)


def _brute(g, size):
    near = {frozenset(pair) for pair in g.edges().tolist()}
    return [c for c in combinations(range(len(g)), size) if all(frozenset(p) in near for p in combinations(c, 2))]


def test_the_cliques_of_each_vertex(small):
    c = small.cliques(1, 7, per_vertex=True)
    assert c.matrix.shape == (len(small), 7) and c.matrix.dtype == np.uint64
    for i, size in enumerate(c.sizes):
        found = _brute(small, size)
        assert c.counts[size] == len(found)
        assert c.matrix[:, i].tolist() == [sum(v in clique for clique in found) for v in range(len(small))]
    assert int(c["cliques"].sum()) == int(c.matrix.sum()) and len(c.to_pandas()) == len(c)
    assert set(c.columns) == {"vertex", "node", "size", "cliques"} and "cliques of 1 to 7" in repr(c)


def test_sizes_end_at_the_largest_clique(small):
    c, all_sizes = small.cliques(3, per_vertex=True), small.cliques(3)
    assert c.sizes[-1] == c.largest == all_sizes.largest and (c.matrix[:, -1] > 0).sum() >= c.largest
    assert all_sizes.counts[c.largest] == c.counts[c.largest] and 256 in all_sizes.counts
    assert all_sizes["size"].tolist() == [*range(3, 257)] and all_sizes["cliques"][0] == c.counts[3]


def test_large_numbers():
    g = ms.Graph.from_edges([*combinations(range(90), 2)])
    assert g.cliques(45, 45).counts == {45: comb(90, 45)}
    with pytest.raises(ms.UsageError, match="2\\^63"):
        g.cliques(45, 45, per_vertex=True)
    assert g.cliques(85, 90, per_vertex=True).matrix[3].tolist() == [comb(89, k - 1) for k in range(85, 91)]


def test_what_is_refused(small, tmp_path):
    with pytest.raises(ms.UsageError, match="matrix|per_vertex=True"):
        small.cliques(3, 4).matrix
    with pytest.raises(ms.UsageError):
        small.cliques(5, 4)
    with pytest.raises(ms.UsageError):
        small.cliques(3, 4).verify()
    small.cliques(3, 4, per_vertex=True).write(tmp_path / "c.tsv")
    lines = (tmp_path / "c.tsv").read_text().splitlines()
    assert lines[0] == "vertex\t3\t4" and len(lines) == 1 + len(small)
    small.cliques(3, 4).write(tmp_path / "s.tsv")
    assert (tmp_path / "s.tsv").read_text().splitlines()[0].startswith("3\t")
