"""Shapes and orbits: small graphs that can be counted by hand, and what results have in common."""

import numpy as np
import pytest

import motifsieve as ms


@pytest.fixture
def ring():
    """A cycle of five vertices with a chord, and a pendant vertex."""
    return ms.Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 2), (4, 5)], colors=[*"ababab"])


def test_shapes_have_names_and_numbers(ring):
    s = ring.census(3, shapes=True)
    assert s.kind == "shapes" and s.complete and s.k == 3
    assert dict(zip(s["name"], s["sets"].tolist())) == {"path:3": 8, "triangle": 1}
    assert s["graph6"].tolist() == ["Bo", "Bw"] and s["automorphisms"].tolist() == [2, 6]
    assert s["share"].sum() == pytest.approx(1)
    for shape, sets in zip(s["shape"], s["sets"].tolist()):
        assert len(ring.match(shape, induced=True)) == sets


def test_subgraphs_that_are_not_induced(ring):
    s = ring.census(3, shapes=True, non_induced=True)
    assert dict(zip(s["name"], s["sets"].tolist())) == {"path:3": 11, "triangle": 1}
    assert "share" not in s.columns


def test_shapes_with_colors(ring):
    s = ring.census(3, shapes=True, colored=True)
    assert s["sets"].sum() == s.total_sets == 9
    assert s.color.shape == (len(s), 3)
    for shape, sets in zip(s["shape"], s["sets"].tolist()):
        assert len(ring.match(shape, induced=True)) == sets


def test_directed_triads():
    g = ms.Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3), (3, 2)], directed=True)
    s = g.census(3, shapes=True)
    assert dict(zip(s["name"], s["sets"].tolist())) == {"030T": 1, "111D": 2}


def test_rewired_networks(ring):
    s = ring.census(4, shapes=True, permutations=9, seed=4)
    assert len(s) == 6 and s["perm_expected"].sum() > 0
    profile = s["perm_profile"]
    assert np.nansum(profile**2) == pytest.approx(1)
    assert s.to_pandas().columns[0] == "shape"


def test_the_mean_of_all_labellings(ring):
    s = ring.census(2 + 1, shapes=True, colored=True, permutations=3)
    # 8 paths and a triangle, three vertices of each colour of six
    both = {"path:3": 8, "triangle": 1}
    orders = {"path:3": {2: 2 / 2, 1: 2 / 1}, "triangle": {2: 6 / 2}}
    for shape, name, same, expected in zip(s["shape"], s["name"], s["automorphisms"].tolist(), s["expected"].tolist()):
        if shape.count("`a`") in (1, 2):
            assert expected == pytest.approx(both[name] * orders[name][same] * (3 * 2 * 3) / (6 * 5 * 4))
    assert s["expected"].dtype == np.float64 and s.verify().accepted
    assert "expected" not in ring.census(3, shapes=True, colored=True, permutations=3, null="degree").columns


def test_orbits_are_a_matrix(ring):
    o = ring.orbits(5)
    assert o.matrix.shape == (6, 73) and o.matrix.dtype == np.uint64
    assert o.matrix[:, 0].tolist() == [3, 2, 3, 2, 3, 1]
    assert o.matrix[:, 3].tolist() == [1, 1, 1, 0, 0, 0]
    assert len(o.shapes) == len(o.positions) == 73 and o.shapes[3].count("--") == 3
    assert int(o["sets"].sum()) == int(o.matrix.sum())
    assert len(o.to_pandas()) == len(o)


def test_orbits_with_colors(ring):
    o = ring.orbits(3, colored=True)
    plain = ring.orbits(3)
    assert o.matrix.sum() == plain.matrix.sum() == o["sets"].sum()
    indptr, indices, counts = o.sparse
    assert indptr[-1] == len(o) == len(indices) == len(counts)
    for vertex, shape, sets in zip(o["vertex"].tolist(), o["shape"], o["sets"].tolist()):
        assert sum(vertex in row for row in ring.match(shape, induced=True).vertices.tolist()) >= sets
    of = dict(zip(zip(o.shapes, o.positions), o.matrix.T.tolist()))
    assert of["(a:`a`)--(b:`b`)", "b"] == [0, 2, 0, 2, 0, 1]
    # of each shape without colours, the sum over its orbits with colours
    for name in ("path:3", "triangle"):
        colored = o.matrix[:, [n == name for n in np.array([row[1] for row in o._info])]]
        assert colored.sum() == plain.matrix[:, [row[1] == name for row in plain._info]].sum()
    assert plain.sparse[2].sum() == plain.matrix.sum()
    only = ring.orbits(3, colored=True, only=["a"])  # the triangle of 0, 2 and 4 without its edge 2-4
    assert {*only["shape"]} == {"(a:`a`)--(b:`a`)", "(a:`a`)--(b:`a`), (a)--(c:`a`)"}
    assert only.matrix.sum(axis=1).tolist() == [3, 0, 2, 0, 2, 0]
    with pytest.raises(ms.UsageError, match="colored=True"):
        ring.orbits(3, only=["a"])


def test_results_are_written_and_checked(ring, tmp_path):
    for result in (ring.census(4, shapes=True), ring.census(3, shapes=True, colored=True), ring.orbits(4),
                   ring.orbits(4, colored=True), ring.orbits(3, colored=True, only=["a"]),
                   ring.census(3, shapes=True, permutations=3)):
        path = tmp_path / f"{result.kind}.tsv"
        result.write(path)
        assert path.read_text().startswith("# motifsieve")
        assert result.verify().accepted


@pytest.mark.parametrize("wrong", [dict(colored=True), dict(non_induced=True), dict(shapes=True, primary=True),
                                   dict(shapes=True, only=["a"]), dict(shapes=True, k=9)])
def test_wrong_queries(ring, wrong):
    with pytest.raises(ms.UsageError):
        ring.census(**wrong)


def test_orbits_of_six_vertices_are_refused(ring):
    with pytest.raises(ms.UsageError, match="choose 2 to 5"):
        ring.orbits(6)
