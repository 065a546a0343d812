"""Graphs and colours from every source: the library holds the same edges and colours as the source."""

import pickle

import numpy as np
import pytest

import motifsieve as ms

EDGES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 3), (1, 0)]
PLAIN = [[0, 1], [0, 2], [1, 2], [2, 3]]


def colors_of(graph):
    return [graph.colors.of(v) for v in range(len(graph))]


@pytest.mark.parametrize("dtype", [np.uint32, np.int32, np.int64, np.uint8, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_edges_of_arrays(dtype, order):
    g = ms.Graph.from_edges(np.array(EDGES, dtype, order=order), n=5)
    assert g.edges().tolist() == PLAIN
    assert (len(g), g.edge_count, g.directed) == (5, 4, False)
    assert list(g.nodes) == [0, 1, 2, 3, 4] and g.names == list("01234")
    assert g.indptr.tolist() == [0, 2, 4, 7, 8, 8]
    assert g.indices.tolist() == [1, 2, 0, 2, 0, 1, 3, 2]
    assert g.neighbors(2).tolist() == [0, 1, 3]


def test_an_array_of_the_library_outlives_its_graph():
    g = ms.Graph.from_edges(np.random.default_rng(1).integers(0, 1000, (5000, 2)))
    rows, copy = g.indices, g.indices.copy()
    del g
    others = [ms.Graph.from_edges(np.random.default_rng(i).integers(0, 1000, (5000, 2))) for i in range(20)]
    assert (rows == copy).all() and len(others) == 20
    with pytest.raises(ValueError):
        rows[0] = 1


def test_uint32_edges_are_not_copied():
    from motifsieve import edges

    array = np.array(EDGES, np.uint32)
    assert edges.edge_array(array, None, None)[0] is array


def test_nodes_are_numbered_in_the_order_of_appearance():
    g = ms.Graph.from_edges([("x", 7), (7, (1, 2))])
    assert list(g.nodes) == ["x", 7, (1, 2)]
    assert [g.index(node) for node in g.nodes] == [0, 1, 2]
    with pytest.raises(KeyError):
        g.index("7")


def test_names_with_the_same_text_stay_different():
    g = ms.Graph.from_edges([(1, "1"), ("1", 2)])
    assert g.names == ["1", "'1'", "2"] and g.index("1") == 1


@pytest.mark.parametrize("edges, n, message", [
    ([(0, 1), (1, 5)], 3, "names the vertex 5"),
    ([(0, -1)], None, "names the vertex -1"),
    ([(0, 1, 2)], None, "shape"),
])
def test_wrong_edges(edges, n, message):
    with pytest.raises(ms.UsageError, match=message):
        ms.Graph.from_edges(edges, n)


def test_empty_graphs():
    g = ms.Graph.from_edges([], n=0)
    assert len(g) == 0 and g.edges().shape == (0, 2) and g.indptr.tolist() == [0]
    g = ms.Graph.from_edges(np.zeros((0, 2), int), n=3, colors=["a", None, "b"])
    assert g.list("a").vertices.tolist() == [[0]]


def test_scores_and_directions():
    g = ms.Graph.from_edges([(0, 1), (2, 1)], scores=[0.5, 2], directed=True)
    assert g.directed and g.scores.tolist() == [0.5, 0.5, 2, 2]
    with pytest.raises(ms.UsageError, match="scores="):
        ms.Graph.from_edges([(0, 1), (2, 1)], scores=[1])


WANTED = [("a",), ("a", "b"), (), ("b",)]


def color_sources():
    import pandas as pd
    import scipy.sparse

    incidence = np.array([[1, 0], [1, 1], [0, 0], [0, 1]])
    yield "list", ["a", ["a", "b"], None, "b"], {}
    yield "tuples and sets", [("a",), {"a", "b"}, (), {"b"}], {}
    yield "NaN", ["a", ["a", "b"], float("nan"), "b"], {}
    yield "objects", np.array(["a", ["a", "b"], "", "b"], object), {}
    yield "dict", {3: "b", 0: "a", 1: ("b", "a")}, {}
    yield "series with an index", pd.Series(["b", ["b", "a"], "a"], index=[3, 1, 0]), {}
    for kind in (scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.coo_matrix, np.array):
        yield kind.__name__, kind(incidence), {"color_names": ["a", "b"]}


@pytest.mark.parametrize("number", range(10))
def test_colors(number):
    name, colors, more = [*color_sources()][number]
    g = ms.Graph.from_edges(EDGES, colors=colors, **more)
    assert [set(c) for c in colors_of(g)] == [set(c) for c in WANTED], name
    assert g.colors.indptr.tolist() == [0, 1, 3, 3, 4]


def test_categories_keep_their_order():
    import pandas as pd

    types = pd.Categorical(["x", None, "z", "x"], categories=["z", "y", "x"])
    for colors in (types, pd.Series(types)):
        g = ms.Graph.from_edges(EDGES, colors=colors)
        assert g.colors.names == ("z", "y", "x")
        assert colors_of(g) == [("x",), (), ("z",), ("x",)]


@pytest.mark.parametrize("colors, error, message", [
    (["a"], ms.UsageError, "4 vertices"),
    ({9: "a"}, ms.UsageError, "node 9"),
    ("abcd", TypeError, "give a list"),
    (7, TypeError, "give a list"),
    (np.ones((4, 2)), ms.UsageError, "color_names="),
    (np.ones((3, 2)), ms.UsageError, "row for each"),
])
def test_wrong_colors(colors, error, message):
    with pytest.raises(error, match=message):
        ms.Graph.from_edges(EDGES, colors=colors)


def test_other_colors_share_the_edges():
    g = ms.Graph.from_edges(EDGES, names=[*"wxyz"])
    h = g.with_colors({"w": "a", "z": "b"})
    assert g.colors is None and h.colors.of(3) == ("b",)
    assert g.indices.__array_interface__["data"] == h.indices.__array_interface__["data"]
    with pytest.raises(ms.UsageError, match="no colours"):
        g.screen("a")


# ---- other packages -----------------------------------------------------------------------


def test_networkx():
    nx = pytest.importorskip("networkx")
    source = nx.karate_club_graph()
    g = ms.Graph(source, colors="club")
    assert len(g) == 34 and g.colors.names == ("Mr. Hi", "Officer")
    assert {tuple(e) for e in g.edges().tolist()} == {tuple(sorted(e)) for e in source.edges()}
    source = nx.DiGraph([("a", "b"), ("c", "b")])
    nx.set_edge_attributes(source, {("a", "b"): 1.5, ("c", "b"): 2.5}, "w")
    g = ms.Graph(source, scores="w")
    assert g.directed and list(g.nodes) == ["a", "b", "c"] and g.scores.tolist() == [1.5, 1.5, 2.5, 2.5]
    assert len(ms.Graph(nx.Graph())) == 0


def test_nodes_that_are_tuples():
    nx = pytest.importorskip("networkx")
    g = ms.Graph(nx.grid_graph((2, 2)), colors=["a", "b", "b", "a"])
    assert list(g.list("a,b:2")) == [((0, 0), (0, 1), (1, 0)), ((0, 1), (1, 0), (1, 1))]


def test_igraph():
    igraph = pytest.importorskip("igraph")
    source = igraph.Graph.Famous("Zachary")
    source.vs["color"] = ["a" if v < 17 else "b" for v in range(34)]
    source.vs["name"] = [f"n{v}" for v in range(34)]
    g = ms.Graph(source)
    assert g.nodes[33] == "n33" and g.colors.of(33) == ("b",)
    assert {tuple(e) for e in g.edges().tolist()} == {tuple(sorted(e)) for e in source.get_edgelist()}


@pytest.mark.parametrize("kind", ["csr_matrix", "csc_matrix", "coo_matrix", "csr_array"])
def test_scipy(kind):
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.zeros((4, 4))
    for u, v in EDGES:
        dense[u, v] = 1
    matrix = getattr(sparse, kind)(dense)
    g = ms.Graph(matrix, colors=["a", "b", "a", "b"])
    assert g.edges().tolist() == PLAIN and g.colors.of(3) == ("b",)
    assert ms.Graph.from_scipy(matrix, directed=True).directed
    explicit = sparse.coo_matrix(([1.0, 0.0], ([0, 1], [1, 2])), (3, 3))
    assert ms.Graph(explicit).edges().tolist() == [[0, 1]]
    with pytest.raises(ms.UsageError, match="adjacency"):
        ms.Graph(sparse.csr_matrix((3, 4)))


def test_pandas():
    pd = pytest.importorskip("pandas")
    edges = pd.DataFrame({"from": ["x", "y"], "to": ["y", "z"], "w": [1.0, 2.0]})
    nodes = pd.DataFrame({"type": ["b", "a", None]}, index=["lone", "x", "y"])
    g = ms.Graph.from_pandas(edges, "from", "to", nodes=nodes, colors="type", scores="w")
    assert list(g.nodes) == ["lone", "x", "y", "z"] and colors_of(g) == [("b",), ("a",), (), ()]
    assert ms.Graph(edges).edges().tolist() == [[0, 1], [1, 2]]


def test_anndata():
    anndata = pytest.importorskip("anndata")
    sparse = pytest.importorskip("scipy.sparse")
    pd = pytest.importorskip("pandas")
    obs = pd.DataFrame({"cell_type": pd.Categorical(["T", "B", "T"])}, index=["c1", "c2", "c3"])
    adata = anndata.AnnData(np.zeros((3, 1), np.float32), obs=obs)
    adata.obsp["connectivities"] = sparse.csr_matrix([[0, 0.5, 0], [0.5, 0, 1], [0, 1, 0]])
    g = ms.Graph(adata, colors="cell_type")
    assert list(g.nodes) == ["c1", "c2", "c3"] and g.colors.names == ("B", "T")
    assert g.list({"T": 2, "B": 1}).count == 1
    with pytest.raises(ms.InputError, match="'connectivities'"):
        ms.Graph.from_anndata(adata, "spatial")
    with pytest.raises(ms.InputError, match="'cell_type'"):
        ms.Graph.from_anndata(adata, colors="type")


def test_points():
    places = np.array([[0, 0], [1, 0], [2, 0.1], [9, 9]])
    assert ms.Graph.from_points(places, radius=1.2).edges().tolist() == [[0, 1], [1, 2]]
    assert ms.Graph.from_points(places, knn=1, mutual=True).edges().tolist() == [[0, 1]]
    assert ms.Graph.from_points(places, delaunay=True).edge_count == 5
    split = ms.Graph.from_points(places, radius=1.2, slides=["l", "l", "r", "r"], names=[*"abcd"])
    assert split.edges().tolist() == [[0, 1]] and split.nodes[3] == "d"
    colored = split.with_colors([*"aabb"])
    for g in (colored, pickle.loads(pickle.dumps(colored))):
        assert (g.positions == places).all() and g.slides.tolist() == ["l", "l", "r", "r"]
    with pytest.raises(ms.UsageError, match="not both"):
        ms.Graph.from_points(places, knn=3, delaunay=True)
    with pytest.raises(ms.UsageError, match="shape"):
        ms.Graph.from_points(np.zeros(3), knn=3)


# ---- files ----------------------------------------------------------------------------------


def test_files(tmp_path):
    network, colors = tmp_path / "g.tsv", tmp_path / "c.tsv"
    network.write_text("x\ty\ny\tz\n")
    colors.write_text("x\ta\nz\tb\nz\ta\n")
    g = ms.Graph(network, colors)
    assert list(g.nodes) == ["x", "y", "z"] and colors_of(g) == [("a",), (), ("a", "b")]
    assert g.index("z") == 2
    g.write(tmp_path / "g.bin", "binary")
    h = ms.Graph(str(tmp_path / "g.bin"))
    assert h.edges().tolist() == g.edges().tolist() and colors_of(h) == colors_of(g)
    with pytest.raises(FileNotFoundError, match="missing.tsv"):
        ms.Graph(tmp_path / "missing.tsv")
    with pytest.raises(FileNotFoundError):
        ms.Graph(network, tmp_path / "missing.tsv")
    with pytest.raises(ms.UsageError, match="edge-list"):
        ms.Graph(network, format="edgelist")
    network.write_text("x\n")
    with pytest.raises(ms.InputError, match="g.tsv:1") as caught:
        ms.Graph(network)
    assert not isinstance(caught.value, OSError)


def test_several_lines_for_one_pair(tmp_path):
    """combine=: 1-2 has a line of 5, 1-3 lines of 3 and 4, and 1-4 one of 4; at least 5 are wanted."""
    path = tmp_path / "fly.csv"
    path.write_text("pre,post,neuropil,count\n1,2,A,5\n1,3,A,3\n1,3,B,4\n1,4,A,4\n")

    def pairs(least, **options):
        g = ms.Graph.from_file(path, source_column="pre", target_column="post", score_column="count",
                               min_score=least, scores=True, **options)
        return {tuple(sorted(g.names[v] for v in edge)): score
                for edge, score in zip(g.edges().tolist(), g.scores.tolist())}

    assert pairs(5) == pairs(5, combine="max") == {("1", "2"): 5}
    assert pairs(5, combine="sum") == {("1", "2"): 5, ("1", "3"): 7}
    assert ms.Graph.from_file(path, source_column="pre", target_column="post", min_score=2,
                              combine="count").names == ["1", "3"]
    with pytest.raises(ms.UsageError, match="'min' is no way to combine scores.*max, sum or count"):
        pairs(5, combine="min")
    with pytest.raises(ms.UsageError, match="they are not used"):
        ms.Graph.from_file(path, source_column="pre", target_column="post", combine="sum")


def test_columns_of_directions(tmp_path):
    """direction_column=: A->B, C->A (written from A to C), and B-C both ways; "none" reads none."""
    path = tmp_path / "fi.tsv"
    path.write_text("Gene1\tGene2\tDirection\nA\tB\t->\nA\tC\t<-\nB\tC\t-\n")

    def arcs(**options):
        g = ms.Graph.from_file(path, directed=True, **options)
        found = g.match("(a)-->(b)", embeddings=True)
        return sorted(tuple(g.names[v] for v in row) for row in found.vertices.tolist())

    assert arcs() == arcs(direction_column="Direction") == [("A", "B"), ("B", "C"), ("C", "A"), ("C", "B")]
    assert arcs(direction_column="none") == [("A", "B"), ("A", "C"), ("B", "C")]
    with pytest.raises(ms.InputError, match="nope"):
        arcs(direction_column="nope")


@pytest.mark.parametrize("directed", [False, True])
def test_pickle(directed):
    g = ms.Graph.from_edges([(("x", 1), 2), (3, 2)], colors=["a", ["a", "b"], None], directed=directed)
    h = pickle.loads(pickle.dumps(g))
    assert list(h.nodes) == list(g.nodes) and h.edges().tolist() == g.edges().tolist()
    assert colors_of(h) == colors_of(g) and h.directed == directed


def test_a_graph_of_something_else():
    with pytest.raises(TypeError, match="int"):
        ms.Graph(7)
    with pytest.raises(TypeError, match="needs a graph"):
        ms.Graph()


# ---- to other packages ---------------------------------------------------------------


def sources(seed):
    """Random graphs: with numbers, texts or tuples as nodes, colours or none, scores or none, directed or not."""
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 12))
    pairs = random.integers(0, n, (2 * n, 2))
    names = [None, [f"v{i}" for i in range(n)], [(i, "x") for i in range(n)]][seed % 3]
    colors = [None, [[*random.choice([*"abc"], random.integers(0, 3), replace=False)] for _ in range(n)]][seed % 2]
    scores = [None, random.integers(1, 99, 2 * n)][seed // 2 % 2]
    return ms.Graph.from_edges(pairs, n, names=names, colors=colors, scores=scores, directed=bool(seed // 4 % 2))


def facts_of(g):
    colors = [frozenset(names) for names in colors_of(g)] if g.colors is not None else [frozenset()] * len(g)
    scores = None if g.scores is None else g.scores.tolist()
    return (*g.nodes,), g.directed, (g.arcs() if g.directed else g.edges()).tolist(), colors, scores


@pytest.mark.parametrize("seed", range(24))
def test_graphs_of_other_packages_and_back(seed):
    """NetworkX, igraph and SciPy have the same graph: read again, it has the same nodes, arcs, colours, scores."""
    g = sources(seed)
    scored = None if g.scores is None else "score"
    if seed % 3 < 2 or g.edge_count:
        networkx = pytest.importorskip("networkx")
        made = g.to_networkx()
        assert isinstance(made, networkx.DiGraph) == g.directed
        assert facts_of(ms.Graph(made, scores=scored if g.edge_count else None))[:4] == facts_of(g)[:4]
        if g.edge_count:
            assert facts_of(ms.Graph(made, scores=scored)) == facts_of(g)
        assert dict(made.degree() if not g.directed else made.to_undirected().degree()) == \
            dict(zip(g.nodes, g.degree().tolist()))
    pytest.importorskip("igraph")
    made = g.to_igraph()
    assert facts_of(ms.Graph(made, scores=scored if g.edge_count else None))[:4] == facts_of(g)[:4]
    pytest.importorskip("scipy")
    matrix = g.to_scipy()
    again = ms.Graph.from_scipy(matrix, directed=g.directed, scores=g.scores is not None, names=g.nodes,
                                colors=[*map(list, facts_of(g)[3])])
    assert facts_of(again)[1:4] == facts_of(g)[1:4]
    assert g.directed or (matrix != matrix.T).nnz == 0
    assert matrix.nnz == len(g.arcs()) and [g.degree(v) for v in range(len(g))] == g.degree().tolist()
    if g.scores is not None:
        assert again.scores.tolist() == g.scores.tolist() == matrix.T.maximum(matrix).tocsr().sorted_indices().data.tolist()


def test_names_of_sizes():
    for g in (ms.Graph([(0, 1), (1, 2)]), ms.TypedGraph.from_edges([(0, 1), (1, 2)], ["x", "y"])):
        assert (len(g), g.vertex_count, g.edge_count) == (3, 3, 2)
