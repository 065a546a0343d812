"""Graphs and colours of other packages, with all that real data has: gaps, types, orders, mistakes."""

import copy
import pickle

import numpy as np
import pytest

import motifsieve as ms

nx = pytest.importorskip("networkx")
pd = pytest.importorskip("pandas")
sp = pytest.importorskip("scipy.sparse")

EDGES = [(0, 1), (1, 2), (2, 3)]


@pytest.fixture
def g():
    return ms.Graph(EDGES)


def colors_of(graph):
    return [graph.colors.of(v) for v in range(len(graph))]


def frame(**columns):
    return pd.DataFrame({"a": ["x", "y", "z"], "b": ["y", "z", "w"], "w": [1.0, 2.0, 3.0], **columns},
                        index=[10, 20, 30])


# ---- edges ---------------------------------------------------------------------------

REFUSED = [
    (lambda: ms.Graph(frame(b=["y", np.nan, "w"])), "1 row without a target, the first one at 20.*dropna"),
    (lambda: ms.Graph(frame(b=["y", None, None])), "2 rows without a target"),
    (lambda: ms.Graph(frame(a=pd.Categorical(["x", None, "z"]))), "without a source"),
    (lambda: ms.Graph(frame(a=pd.array([1, None, 2], dtype="Int64"))), "without a source"),
    (lambda: ms.Graph(frame()[["a"]]), "target=1 is no column"),
    (lambda: ms.Graph.from_pandas(frame(), "q", "b"), "source='q' is no column.*'a', 'b', 'w'"),
    (lambda: ms.Graph.from_pandas(frame(), "a", "b", scores="q"), "scores='q' is no column"),
    (lambda: ms.Graph.from_pandas(frame(w=[1, np.nan, 2]), "a", "b", scores="w"), "scores='w'.*edge 1"),
    (lambda: ms.Graph.from_pandas(frame(w=["1", "?", "2"]), "a", "b", scores="w"), "scores='w'"),
    (lambda: ms.Graph.from_pandas(frame(), "a", "b", nodes=pd.DataFrame({"k": [1]}), colors="q"),
     "colors='q' is no column"),
    (lambda: ms.Graph.from_pandas(frame(), "a", "b", nodes=pd.DataFrame({"k": ["x", None]}), names="k"),
     "whose node is missing"),
    (lambda: ms.Graph([("a", None), ("a", "b")]), r"\('a', None\) in row 0"),
    (lambda: ms.Graph([("a", "b"), ("a", float("nan"))]), r"\('a', nan\) in row 1"),
    (lambda: ms.Graph(np.array([[0, 1], [np.nan, 1]])), "in row 1"),
    (lambda: ms.Graph(np.array([[0, np.inf]])), "in row 0"),
    (lambda: ms.Graph(["ab", "cd"]), "has the item 'ab'"),
    (lambda: ms.Graph({"a": ["b"]}), "has the item 'a'"),
    (lambda: ms.Graph([[0, -1]]), "vertex -1; vertices are numbers from 0"),
    (lambda: ms.Graph([[0, 2**40]]), "vertex 1099511627776"),
    (lambda: ms.Graph(np.eye(3, dtype=int)), "csr_matrix"),
    (lambda: ms.Graph.from_edges([(0, 1)], n=2.5), "n=2.5"),
    (lambda: ms.Graph.from_edges([(0, 1)], scores=[np.inf]), "edge 0"),
    (lambda: ms.Graph(sp.coo_matrix(([1, np.nan], ([0, 1], [1, 2])), shape=(3, 3))), "NaN in row 1, column 2"),
    (lambda: ms.Graph(nx.path_graph(2), colors="kind"), "colors='kind' is no attribute"),
    (lambda: ms.Graph.from_networkx(nx.path_graph(2), scores="w"), r"edge \(0, 1\) lacks"),
    (lambda: ms.Graph([("a", "\ud800")]), "surrogates"),
    (lambda: ms.Graph.from_points([["a", "b"]]), "no number"),
    (lambda: ms.Graph.from_points(np.zeros((3, 2)), slides=["a", None, "b"]), "slides= has None for number 1"),
    (lambda: ms.Graph.from_points(np.zeros((2, 2)), slides=[1.0, np.nan]), "slides= has nan for number 1"),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_refused_graphs(number):
    make, message = REFUSED[number]
    with pytest.raises(ms.MotifsieveError, match=message) as caught:
        make()
    assert isinstance(caught.value, ValueError)


def test_entries_of_a_place_are_added():
    """COO and CSR matrices with repeated entries mean the same, as in SciPy."""
    twice = ([1.0, -1.0, 2.0, 3.0], ([0, 0, 1, 1], [1, 1, 2, 2]))
    for matrix in (sp.coo_matrix(twice, shape=(3, 3)), sp.coo_matrix(twice, shape=(3, 3)).tocsr(),
                   sp.csr_matrix((twice[0], twice[1][1], [0, 2, 4, 4]), shape=(3, 3))):
        before = matrix.nnz
        graph = ms.Graph.from_scipy(matrix, scores=True)
        assert graph.edges().tolist() == [[1, 2]] and graph.scores.tolist() == [5.0, 5.0]
        assert matrix.nnz == before


@pytest.mark.parametrize("make", [sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, sp.lil_matrix, sp.dok_matrix,
                                  sp.dia_matrix, sp.bsr_matrix, sp.csr_array])
@pytest.mark.parametrize("dtype", ["<f8", ">f8", "i1", "?", "u8"])
def test_sparse_matrices(make, dtype):
    matrix = make(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]).astype(dtype))
    for name in ("data", "indices", "indptr", "row", "col"):
        if isinstance(getattr(matrix, name, None), np.ndarray) and make is not sp.lil_matrix:
            getattr(matrix, name).flags.writeable = False
    assert ms.Graph(matrix).edges().tolist() == [[0, 1], [1, 2]]


@pytest.mark.parametrize("dtype", ["<u4", ">u4", "i8", ">i8", "i1", "f4"])
def test_arrays_of_edges(dtype):
    wide = np.array([[0, 9, 1], [1, 9, 2]], dtype)
    wide.flags.writeable = False
    for array in (wide[:, ::2], np.asfortranarray(wide[:, ::2]), wide[:, ::2].copy()):
        assert ms.Graph(array).edges().tolist() == [[0, 1], [1, 2]]


def test_igraph_with_deleted_vertices():
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph(EDGES)
    graph.vs["name"], graph.vs["color"] = [*"wxyz"], [*"abab"]
    graph.delete_vertices([1])
    made = ms.Graph(graph)
    assert made.nodes == [*"wyz"] and list(made.list("a,b")) == [("y", "z")]
    for wrong in ({"scores": "weight"}, {"colors": "kind"}):
        with pytest.raises(ms.UsageError, match="is no attribute"):
            ms.Graph.from_igraph(graph, **wrong)


# ---- nodes ---------------------------------------------------------------------------


def test_nodes_that_are_tuples():
    grid = nx.grid_2d_graph(3, 3)
    nx.set_node_attributes(grid, {node: "ab"[sum(node) % 2] for node in grid}, "color")
    graph = ms.Graph(grid)
    one = graph.list("a:2,b", require=(0, 0))
    assert one.count == graph.list("a:2,b", require=[(0, 0)]).count > 0
    assert all((0, 0) in row for row in one)
    assert graph.match("path:3", require=(0, 0)).count == graph.match("path:3", require=[(0, 0)]).count
    with pytest.raises(ms.UsageError, match="a node cannot be a list"):
        graph.list("a,b", require=[[0, 0]])


def test_a_graph_is_a_container_of_its_nodes(g):
    named = ms.Graph([("x", "y")])
    assert "x" in named and "z" not in named and [] not in named and list(named) == ["x", "y"]
    assert 3 in g and 4 not in g and "0" not in g


# ---- colours -------------------------------------------------------------------------

NO_COLOR = [None, np.nan, "", pd.NA, pd.NaT]


@pytest.mark.parametrize("nothing", NO_COLOR, ids=repr)
def test_missing_colors(g, nothing):
    for colors in (["a", nothing, "b", "a"], np.array(["a", nothing, "b", "a"], object),
                   pd.Series(["a", nothing, "b", "a"]), {0: "a", 1: nothing, 2: "b", 3: ["a", nothing]},
                   [["a"], [nothing], ["b"], ["a", nothing]]):
        assert colors_of(g.with_colors(colors)) == [("a",), (), ("b",), ("a",)]


@pytest.mark.parametrize("dtype, values", [("Int64", [0, None, 1, 0]), ("string", ["0", None, "1", "0"]),
                                           ("category", ["0", None, "1", "0"]), ("boolean", [True, None] * 2)])
def test_types_of_pandas(g, dtype, values):
    colors = g.with_colors(pd.Series(values, dtype=dtype))
    assert colors.colors.of(1) == () and colors.colors.of(0) == (str(values[0]),)


def test_colors_of_a_series_and_a_frame(g):
    series = pd.Series([*"abcd"], index=[3, 2, 1, 0])
    assert colors_of(g.with_colors(series)) == [("d",), ("c",), ("b",), ("a",)]
    table = pd.DataFrame({"a": [1, 0, 0, 1], "b": [1, 0, 1, np.nan]})
    assert colors_of(g.with_colors(table)) == [("a", "b"), (), ("b",), ("a",)]
    table.index = [3, 2, 1, 0]
    assert colors_of(g.with_colors(table)) == [("a",), ("b",), (), ("a", "b")]
    assert colors_of(g.with_colors(table.iloc[:2])) == [(), (), (), ("a", "b")]
    for wrong, message in ((pd.Series([*"abcd"], index=[*"wxyz"]), r"to_numpy\(\)"),
                           (pd.DataFrame({"kind": [*"abcd"]}), "no numbers"),
                           (pd.Series(["a", "b"], index=[7, 8]), "names the node 7"),
                           (pd.Series(["a", "b"], index=[1, 1]), "twice")):
        with pytest.raises(ms.UsageError, match=message):
            g.with_colors(wrong)


def test_a_series_is_a_motif(g):
    g = g.with_colors([*"abab"])
    assert g.list(pd.Series(["a", "b"]).value_counts()).count == g.list("a,b").count == 3


def test_colors_of_arrays(g):
    assert colors_of(g.with_colors(np.array([["a", "b"], ["b", ""], ["", ""], ["c", "a"]]))) == \
        [("a", "b"), ("b",), (), ("a", "c")]
    assert colors_of(g.with_colors(np.array([b"a", b"b", b"a", b"c"]))) == [("a",), ("b",), ("a",), ("c",)]
    sparse = sp.csr_matrix(([0, 1, np.nan, 1], ([0, 1, 2, 3], [0, 1, 1, 0])), shape=(4, 2))
    assert colors_of(g.with_colors(sparse, color_names=[*"ab"])) == [(), ("b",), (), ("a",)]
    for wrong in ({"a", "b", "c", "d"}, "abcd", (c for c in "abcd")):
        with pytest.raises(TypeError, match="give a list"):
            g.with_colors(wrong)


def test_cells_with_gaps():
    anndata = pytest.importorskip("anndata")
    cells = anndata.AnnData(np.zeros((4, 2), np.float32))
    cells.obs_names = [*"wxyz"]
    cells.obsp["connectivities"] = sp.csr_matrix(np.eye(4, k=1) + np.eye(4, k=-1)).astype(np.int32)
    cells.obs["type"] = pd.Categorical(["T", "B", None, "T"], categories=["unused", "B", "T"])
    graph = ms.Graph(cells, colors="type")
    assert graph.list("T,B").count == 1 and graph.list("unused,B").count == 0
    part = ms.Graph(cells[1:], colors="type")
    assert part.nodes == [*"xyz"] and colors_of(part) == [("B",), (), ("T",)]
    cells.obsm["spatial"] = np.array([[0, 0], [1, 0], [np.nan, 0], [3, 0]])
    assert ms.Graph(cells).positions is None
    cells.obs_names = [*"wxyy"]
    with pytest.raises(ms.InputError, match="obs_names_make_unique"):
        ms.Graph(cells)


# ---- copies --------------------------------------------------------------------------


def test_copies_and_pickles(g):
    g = g.with_colors([*"abab"])
    assert copy.copy(g) is g and copy.deepcopy(g) is g
    results = [g.list("a,b"), g.screen("a,b"), g.match("path:3"), g.census(2), g.mine(2), g.nearest("a,b"),
               g.paths([(0, 3)])]
    for r in results:
        assert copy.copy(r) is r and copy.deepcopy([r])[0] is r
        with pytest.raises(TypeError, match=r"cannot be pickled.*dict\(r.columns\)"):
            pickle.dumps(r)
        kept = pickle.loads(pickle.dumps(r.columns))
        assert list(kept) == list(r.columns)
        assert all(np.array_equal(kept[name], r[name]) for name in kept)
    again = pickle.loads(pickle.dumps(g.components()))
    assert again.component.tolist() == [0, 0, 0, 0] and again.graph.edge_count == 3
    for pattern in ("triangle", "(x:a)--(y)", nx.path_graph(3), ([(0, 1)], ["a", None])):
        pattern = ms.Pattern(pattern)
        restored = pickle.loads(pickle.dumps(pattern))
        assert restored.names == pattern.names and len(restored) == len(pattern)
        assert g.match(restored).vertices.tolist() == g.match(pattern).vertices.tolist()
    typed = ms.TypedGraph.from_edges([("x", "y")], ["t"])
    assert copy.deepcopy(typed) is typed and "x" in typed and list(typed) == ["x", "y"]
    for thing, remedy in ((typed, "from_file"), (ms.Stop(), "timeout="), (g.colors, "pickle the Graph")):
        with pytest.raises(TypeError, match=remedy):
            pickle.dumps(thing)


def test_kept_queries_are_bounded(g):
    """Queries and patterns that differ each time do not fill the memory."""
    g = g.with_colors([*"abab"])
    for i in range(1500):
        g.match(f"(x{i}:a)--(y)")
        g.list("a,b", require=i % 4)
    assert len(g._queries) <= 1024
