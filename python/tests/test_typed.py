"""Typed graphs against NetworkX: matches of typed patterns, and paths along types."""

import itertools
import random

import pytest

import motifsieve as ms

nx = pytest.importorskip("networkx")


def random_typed(seed, n=12):
    rng = random.Random(seed)
    source = nx.MultiDiGraph()
    for v in range(n):
        source.add_node(f"n{v}", type=rng.choice("AB"))
    for _ in range(3 * n):
        a, b = rng.sample(range(n), 2)
        source.add_edge(f"n{a}", f"n{b}", type=rng.choice(["r", "s"]))
    return source


def has(source, a, b, kind):
    return any(data["type"] == kind for data in (source.get_edge_data(a, b) or {}).values())


@pytest.mark.parametrize("seed", range(6))
def test_matches_against_brute_force(seed):
    source = random_typed(seed)
    t = ms.TypedGraph.from_networkx(source)
    kind = nx.get_node_attributes(source, "type")
    wanted = sorted((x, y, z) for x, y, z in itertools.permutations(source, 3)
                    if kind[x] == "A" and kind[y] == "B" and has(source, x, y, "r") and has(source, y, z, "s"))
    r = t.match("(x:A)-[r]->(y:B)-[s]->(z)")
    assert sorted(r) == wanted and r.count == len(wanted) and r.pattern_names == ("x", "y", "z")
    assert r["node:x"].tolist() == [row[0] for row in r]
    counted = t.match("(x:A)-[r]->(y:B)-[s]->(z)", count_only=True)
    assert counted.count == len(wanted) and len(counted) == 0
    if wanted:
        node = wanted[0][1]
        found = t.match("(x:A)-[r]->(y:B)-[s]->(z)", require=node)
        assert sorted(found) == [row for row in wanted if node in row]


@pytest.mark.parametrize("seed", range(3))
def test_paths_along_types(seed):
    source = random_typed(seed)
    t = ms.TypedGraph.from_networkx(source)
    along = nx.DiGraph((a, b) for a, b, kind in source.edges(data="type") if kind == "r")
    along.add_nodes_from(source)
    pairs = list(itertools.product(source, repeat=2))
    for (a, b), length in zip(pairs, t.paths(pairs, types=["r"]).lengths.tolist()):
        if nx.has_path(along, a, b):
            assert length == nx.shortest_path_length(along, a, b)
        else:
            assert length == ms.NO_PATH
    with pytest.raises(ms.UsageError, match="type 'x'"):
        t.paths(pairs, types=["x"])


def test_what_a_typed_graph_holds(tmp_path):
    t = ms.TypedGraph.from_edges([(0, 1), (0, 1), (2, 2)], ["binds", "treats", "binds"],
                                 vertex_types=["C", "D", None], directed={"treats": "treated by"})
    assert (len(t), t.edge_count) == (3, 3) and [t.type_of(v) for v in range(3)] == ["C", "D", "untyped"]
    assert set(t.edge_types) == {"binds", "treats", "treated by"}
    assert list(t.match("(d:D)-[`treated by`]->(c)")) == [(1, 0)]
    t.write(tmp_path / "t.tsv")
    again = ms.TypedGraph.from_file(tmp_path / "t.tsv")
    assert (len(again), again.edge_count) == (3, 3) and sorted(again.edge_types) == sorted(t.edge_types)
    for name, format in (("t.mst", "auto"), ("t.mst.gz", "auto"), ("t.bin", "typed-binary")):
        t.write(tmp_path / name, format)
        binary = ms.TypedGraph.from_file(tmp_path / name)
        assert (binary.names, binary.edge_types) == (again.names, t.edge_types)
        assert list(binary.match("(d:D)-[`treated by`]->(c)")) == [("1", "0")]
    with pytest.raises(ms.UsageError, match="format="):
        t.write(tmp_path / "t.x", "sif")
    r = again.match("(a)-[treats]->(b)")
    assert list(r) == [("0", "1")]
    r.write(tmp_path / "r.tsv")
    assert ms.verify(tmp_path / "r.tsv", tmp_path / "t.tsv", pattern="(a)-[treats]->(b)")
    assert again.plain().edges().tolist() == [[0, 1]] and again.plain().colors.of(0) == ("C",)
    assert r.to_pandas().shape[0] == 1 and "1 match" in r._repr_html_()


@pytest.mark.parametrize("call, message", [
    (lambda: ms.TypedGraph.from_edges([(0, 1)], []), "types="),
    (lambda: ms.TypedGraph.from_edges([(0, 1)], ["r"], vertex_types=["A"]), "vertex_types="),
    (lambda: ms.TypedGraph.from_edges([(0, 1)], ["r"], directed={"s": None}), "directed="),
    (lambda: ms.TypedGraph.from_edges([(0, 1)], ["r"]).match("(a)-[r]->(b"), "pattern"),
    (lambda: ms.TypedGraph.from_edges([(0, 1)], ["r"]).match("(a)--(b)", require=7), "require="),
    (lambda: ms.TypedGraph.from_file("x", format="y"), "format="),
    (lambda: ms.TypedGraph.from_networkx(nx.Graph([(0, 1)])), "attribute 'type'"),
])
def test_wrong_usage(call, message):
    with pytest.raises(ms.UsageError, match=message):
        call()
    with pytest.raises(TypeError, match="from_file"):
        ms.TypedGraph([(0, 1)])


def test_columns_of_scores_and_directions(tmp_path):
    """combine= adds the lines of a pair and type; a column of directions in a table is named."""
    path = tmp_path / "typed.tsv"
    path.write_text("source\ttype\ttarget\tscore\nA\tr\tB\t2\nA\tr\tB\t3\nA\ts\tB\t4\n")

    def edges(**options):
        return ms.TypedGraph.from_file(path, min_score=5, **options).edge_count

    assert edges(combine="sum") == 1
    with pytest.raises(ms.InputError, match="no edges with a score of at least 5"):
        edges()
    with pytest.raises(ms.UsageError, match="'min' is no way to combine scores"):
        edges(combine="min")
    ways = tmp_path / "ways.tsv"
    ways.write_text("source\ttype\ttarget\tis_directed\nA\tr\tB\t1\n")
    with pytest.raises(ms.InputError, match="column 4 says which way each edge points"):
        ms.TypedGraph.from_file(ways, directed=True)
    assert ms.TypedGraph.from_file(ways, directed=True, direction_column="none").edge_count == 1


def test_verify_typed_matches():
    """The judge accepts what is right, and sees rows that are wrong or missing."""
    t = ms.TypedGraph.from_edges(
        [("aspirin", "PTGS2"), ("PTGS2", "pain"), ("PTGS1", "pain"), ("aspirin", "PTGS1"), ("x", "y"), ("x", "x")],
        ["binds", "associates", "associates", "binds", "z", "z"], directed={"binds": "bound by"},
        vertex_types={"aspirin": "Compound", "PTGS2": "Gene", "PTGS1": "Gene", "pain": "Disease"})
    for pattern in ("(c:Compound)-[binds]->(g:Gene)-[associates]-(d:Disease)", "(c)--(d)", "(a)--(a2:Gene)",
                    "(g:Gene)-[associates]-(d)-[associates]-(h:Gene)", "(u)-[z]-(u)", "(n:Nothing)"):
        for embeddings in (False, True):
            r = t.match(pattern, embeddings=embeddings)
            check = r.verify()
            assert check and check.completeness == "proved" and check.rows == len(r), (pattern, check)
    assert t.match("(c)--(d)", limit=2).verify().completeness == "not stated"
    assert t.match("(c)--(d)", require="pain").verify().completeness == "proved"
    r = t.match("(c)--(d)")
    r._raw.vertices[0] = t.index("y")
    assert not r.verify()
    r = t.match("(c)--(d)")
    r._raw.matches -= 1
    assert not r.verify()
