"""What names, colours, gaps and indices of other packages mean: each works exactly, or is refused."""

import decimal
import warnings

import numpy as np
import pytest

import motifsieve as ms

nx = pytest.importorskip("networkx")
pd = pytest.importorskip("pandas")
sp = pytest.importorskip("scipy.sparse")

EDGES = [(0, 1), (1, 2), (2, 3)]


def colors_of(graph):
    return [graph.colors.of(v) for v in range(len(graph))]


@pytest.fixture
def g():
    return ms.Graph(EDGES)


# ---- names -----------------------------------------------------------------------------

ODD = ["#a", "%a", "!a", " a", "a ", '"q"', "'q'", "a,b", "a;b", "*", "a|b", "x" * 70000, "\ufeffa", "a:2",
       "(a)", "1.0",
       "NaN", "None", "\U0001F600", "a&b", "\\"]
WRONG = ["a\0b", "\0", "a\tb", "a\nb", "\r", "\x7f", "\ud800", "a\udc80"]
HOLDERS = {
    "node": lambda name: ms.Graph([(name, "z")]).names[0],
    "colour": lambda name: ms.Graph([(0, 1)], colors=[name, "z"]).colors.of(0)[0],
    "colour of a dict": lambda name: ms.Graph([(0, 1)], colors={1: "z", 0: [name]}).colors.of(0)[0],
    "category": lambda name: ms.Graph([(0, 1)], colors=pd.Categorical([name, "z"])).colors.of(0)[0],
    "column": lambda name: ms.Graph([(0, 1)], colors=pd.DataFrame({name: [1, 0], "z": [0, 1]}))
    .colors.of(0)[0],
    "color_names": lambda name: ms.Graph([(0, 1)], colors=np.eye(2), color_names=[name, "z"]).colors.of(0)[0],
    "edge type": lambda name: ms.TypedGraph.from_edges([("a", "b")], [name]).edge_types[0],
    "inverse": lambda name: ms.TypedGraph.from_edges([("a", "b")], ["t"], directed={"t": name}).edge_types[1],
    "vertex type": lambda name: ms.TypedGraph.from_edges([("a", "b")], ["t"], vertex_types=[name, "z"])
    .type_of(0),
    "point": lambda name: ms.Graph.from_points([[0, 0], [1, 1]], knn=1, names=[name, "z"]).names[0],
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_names_are_kept_or_refused(holder):
    for name in ODD:
        assert HOLDERS[holder](name) == name
    for name in WRONG:
        with pytest.raises(ms.UsageError, match="NUL|control character|surrogates"):
            HOLDERS[holder](name)


ASKED = [
    lambda g, name: g.list([name, "b"]), lambda g, name: g.list({name: 1}),
    lambda g, name: g.screen(f"{name},b"),
    lambda g, name: g.list("a,b", require=name), lambda g, name: g.match(f"(x:{name})--(y)"),
    lambda g, name: g.match(([(0, 1)], [name, None])), lambda g, name: g.census(2, only=[name]),
    lambda g, name: g.list_many({name: "a,b"}), lambda g, name: g.list_many({"m": f"a,{name}"}),
    lambda g, name: g.nearest("a:2,b", substitutes={("a", name): 1}),
    lambda g, name: ms.Graph("missing", source_column=name),
]


@pytest.mark.parametrize("number", range(len(ASKED)))
def test_a_text_that_c_would_cut(g, number):
    """What is behind a NUL is not dropped in silence, where a name is asked for."""
    with pytest.raises(ms.MotifsieveError):
        ASKED[number](g.with_colors([*"abab"]), "a\0x")
    assert "0\0" not in ms.Graph([("0", "1")]) and "\ud800" not in ms.Graph([("0", "1")])


@pytest.mark.parametrize("use", [ms.Graph, lambda p: ms.Graph([(0, 1)], colors=[*"ab"]).write(p, "binary"),
                                 lambda p: ms.Graph([(0, 1)], colors=[*"ab"]).list("a,b").write(p, "tsv"),
                                 ms.TypedGraph.from_file, lambda p: ms.verify(p, p)])
def test_a_path_that_c_would_cut(tmp_path, use):
    with pytest.raises(ms.UsageError, match="NUL"):
        use(str(tmp_path / "g.tsv") + "\0.gz")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT], ids=repr)
def test_nodes_without_a_name(missing):
    for make in (lambda: ms.Graph.from_edges([(0, 1)], names=["a", missing]),
                 lambda: ms.Graph.from_points([[0, 0], [1, 1]], knn=1, names=["a", missing])):
        with pytest.raises(ms.UsageError, match="name of vertex 1.*missing"):
            make()


# ---- colours that are no names ----------------------------------------------------------

NO_NAMES = [
    ([0.0, 1.0, 0.0, 1.0], "measured number.*astype"), (np.array([0.5, 1, 2, 3]), "pandas.cut"),
    (np.float32([1, 2, 3, 4]), "measured number"), (pd.Series([0.0, 1.0, np.nan, 1.0]), "Int64"),
    (pd.Series([0.5, 1, 2, 3], dtype="Float64"), "measured number"),
    (pd.Categorical([0.5, 1.5, 0.5, 0.5]), "measured"),
    ({0: 0.5}, "measured number"), (["a", 1.0, "b", "c"], "measured number"),
    ([["a", 2.5], "b", "c", "d"], "measured"),
    ([decimal.Decimal("1.5"), "a", "b", "c"], "measured number"), ([1j, "a", "b", "c"], "measured number"),
    ([{"a": 1}, "b", "c", "d"], "is no name"), ({0: {"a": 0.7, "b": 0.3}}, "is no name"),
    ([["a", ["b"]], "b", "c", "d"], "is no name"), ([[("a", "b")], "b", "c", "d"], "is no name"),
    ([object(), "b", "c", "d"], "without a name"), ([b"\xff", b"\xfe", "a", "b"], "no UTF-8"),
    ([1, "1", 2, 3], "another object of this name"), ([True, "True", 2, 3], "another object of this name"),
    (pd.Categorical([1, "1", 1, 1]), "two colours have the name '1'"),
    (pd.DataFrame(np.eye(4)[:, :2], columns=[1, "1"]), "two colours have the name '1'"),
    (pd.DataFrame(np.eye(4)[:, :2], columns=[0.5, 1.5]), "measured number"),
]


@pytest.mark.parametrize("number", range(len(NO_NAMES)))
def test_colours_that_are_no_names(g, number):
    colors, message = NO_NAMES[number]
    with pytest.raises(ms.UsageError, match=message):
        g.with_colors(colors)


def test_colours_that_are_names(g):
    for colors, names in (([0, 1, 0, 1], "0101"), (np.int8([0, 1, 0, 1]), "0101"),
                          ([b"a", "a", b"b", "b"], "aabb"),
                          (pd.Series([0, 1, None, 1]).astype("Int64"), "01 1"),
                          (np.float64([np.nan] * 4), "    ")):
        assert colors_of(g.with_colors(colors)) == [(c,) if c != " " else () for c in names]
    assert colors_of(g.with_colors([True, False, np.True_, None])) == [("True",), ("False",), ("True",), ()]
    cut = pd.cut(pd.Series([0.5, 1.5, 0.7, np.nan]), [0, 1, 2])
    assert colors_of(g.with_colors(cut)) == [("(0, 1]",), ("(1, 2]",), ("(0, 1]",), ()]


# ---- masked arrays ----------------------------------------------------------------------


def masked(values, *hidden):
    made = np.ma.array(values)
    for place in hidden:
        made[place] = np.ma.masked
    return made


def test_masked_colours_are_none(g):
    for colors in (masked([*"abab"], 1), masked([7, 8, 7, 8], 1), [*masked([7, 8, 7, 8], 1)],
                   masked(np.array([["a", "b"]] * 4), (1, 0), (1, 1))):
        assert colors_of(g.with_colors(colors))[1] == () != colors_of(g.with_colors(colors))[0]
    assert colors_of(g.with_colors(masked(np.ones((4, 2), int), (1, 0), (2, 1)), color_names=[*"ab"])) == \
        [("a", "b"), ("b",), ("a",), ("a", "b")]


MASKED = [
    (lambda: ms.Graph(masked(np.array(EDGES), (1, 1))), r"edges= is masked at \(1, 1\)"),
    (lambda: ms.Graph.from_edges(EDGES, scores=masked([1.0, 2, 3], 2)), "scores= is masked at 2"),
    (lambda: ms.Graph.from_points(masked(np.zeros((3, 2)), (0, 1))), r"xy= is masked at \(0, 1\)"),
    (lambda: ms.Graph.from_points(np.zeros((3, 2)), slides=masked([1, 1, 2], 1)), "slides= is masked at 1"),
    (lambda: ms.Graph(EDGES, colors=[*"abab"]).census(2, permutations=3, strata=masked([1, 1, 2, 2], 0)),
     "strata= is masked at 0"),
]


@pytest.mark.parametrize("number", range(len(MASKED)))
def test_masked_values_are_refused(number):
    make, message = MASKED[number]
    with pytest.raises(ms.UsageError, match=message):
        make()


def test_a_mask_that_hides_nothing():
    assert ms.Graph(np.ma.array(EDGES)).edge_count == 3


# ---- indices ----------------------------------------------------------------------------


def test_a_frame_of_points_names_them():
    places = pd.DataFrame({"x": [0, 1, 5.0], "y": [0, 0, 0.0]}, index=["c3", "c1", "c2"])
    graph = ms.Graph.from_points(places, radius=2, colors=pd.Series({"c1": "a", "c2": "b", "c3": "b"}),
                                 slides=pd.Series({"c1": 1, "c2": 2, "c3": 1}))
    assert graph.nodes == ["c3", "c1", "c2"] and colors_of(graph) == [("b",), ("a",), ("b",)]
    assert graph.edges().tolist() == [[0, 1]] and graph.slides.tolist() == [1, 1, 2]
    joined = places.join(graph.list("a,b").to_obs("niche"))
    assert joined.niche_found.tolist() == [True, True, False]
    assert [*ms.Graph.from_points(places.reset_index(drop=True)).nodes] == [0, 1, 2]
    assert ms.Graph.from_points(places, names=[*"xyz"]).nodes == [*"xyz"]
    with pytest.raises(ms.UsageError, match="twice"):
        ms.Graph.from_points(places.set_axis(["c", "c", "d"]))
    with pytest.raises(ms.UsageError, match="not that of the points"):
        ms.Graph.from_points(places, slides=pd.Series([1, 1, 2], index=[*"xyz"]))


def test_values_by_index():
    """Series and frames belong to the nodes of their index, for every keyword."""
    graph = ms.Graph(pd.DataFrame({"a": [2, 0], "b": [0, 1]}))  # the nodes are 2, 0, 1
    assert [*graph.nodes] == [2, 0, 1]
    assert colors_of(graph.with_colors(pd.Series([*"xyz"]))) == [("z",), ("x",), ("y",)]
    frame = pd.DataFrame(np.eye(3, dtype=int), columns=[*"xyz"])
    assert colors_of(graph.with_colors(frame)) == [("z",), ("x",), ("y",)]
    half = ms.Graph([(7, 8)], n=9).with_colors([*"aaaaaaaab"])
    assert half.with_colors(pd.Series([*"aaaaaaaab"])).colors.of(8) == ("b",)
    named = ms.Graph(nx.Graph([(1, 10), (10, 0)]))
    with pytest.raises(ms.UsageError, match=r"2 in its index.*to_numpy\(\)"):
        named.with_colors(pd.Series([*"abc"]))
    assert colors_of(named.with_colors(pd.Series([*"abc"]).to_numpy())) == [("a",), ("b",), ("c",)]
    cells = ms.Graph([("w", "x"), ("x", "y"), ("y", "z")], colors=[*"abab"])
    strata, turned = pd.Series([1, 1, 2, 2], index=[*"wxyz"]), pd.Series([2, 1, 2, 1], index=[*"zxyw"])
    counts = [cells.census(2, permutations=20, strata=values, keep_counts=20).null_counts.tolist()
              for values in (strata, turned, [1, 1, 2, 2])]
    assert counts[0] == counts[1] == counts[2]
    with pytest.raises(ms.UsageError, match="strata= has 'q' in its index"):
        cells.census(2, permutations=3, strata=pd.Series([1, 1, 2, 2], index=[*"wxyq"]))


def test_types_of_typed_graphs():
    """Types are names as colours are: texts, whole numbers, bytes; by the index of a Series."""
    make = ms.TypedGraph.from_edges
    edges = [("x", "y"), ("y", "z")]
    typed = make(edges, [b"s", "t"], vertex_types=pd.Series(["A", "B", None], index=[*"zyx"]))
    assert typed.edge_types[:2] == ("s", "t")
    assert [typed.type_of(v) for v in range(3)] == ["untyped", "B", "A"]
    assert make(edges, np.array([1, 2])).edge_types == ("1", "2")
    assert make(edges, ["s", "t"], directed={"s": True, "t": False}).edge_types == \
        make(edges, ["s", "t"], directed={"s": None}).edge_types
    for types, options, message in (
            ([0.0, 1.0], {}, "measured"), ([["s"], "t"], {}, "no name"), (["s", {"t": 1}], {}, "no name"),
            ("st", {}, "list"),
            ({"s": 1, "t": 2}, {}, "list"), (masked(["s", "t"], 1), {}, "for edge 1"),
            ([b"\xff", "t"], {}, "UTF-8"),
            (["s", "t"], {"vertex_types": [0.5, 1, 2]}, "measured"),
            (["s", "t"], {"vertex_types": {"q": "A"}}, "node 'q'"),
            (["s", "t"], {"vertex_types": pd.Series([*"ABC"], index=[*"xyq"])}, r"to_numpy\(\)")):
        with pytest.raises(ms.UsageError, match=message):
            make(edges, types, **options)


def test_labels_by_index():
    r = ms.Graph([("x", "y"), ("y", "z")], colors=[*"aba"]).list("a,b")
    labels = pd.Series({"z": "Z", "y": None, "x": "X"})
    assert r.to_pandas(labels=labels).node1.tolist() == r.to_pandas(labels=["X", None, "Z"]).node1.tolist()


def test_neighbours_of_cells():
    anndata = pytest.importorskip("anndata")
    cells = anndata.AnnData(np.zeros((3, 2), np.float32))
    cells.obsp["connectivities"] = sp.csr_matrix(np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0.0]]))
    assert ms.Graph(cells).edges().tolist() == [[0, 1]]
    cells.obsp["spatial_connectivities"] = sp.csr_matrix(np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0.0]]))
    assert ms.Graph(cells).edges().tolist() == [[1, 2]]
    assert ms.Graph.from_anndata(cells, "connectivities").edges().tolist() == [[0, 1]]
    assert ms.Graph(cells, neighbors="connectivities").edges().tolist() == [[0, 1]]
    del cells.obsp["connectivities"]
    assert ms.Graph(cells).edges().tolist() == [[1, 2]]
    del cells.obsp["spatial_connectivities"]
    with pytest.raises(ms.InputError, match="give neighbors="):
        ms.Graph(cells)


def test_no_number_is_a_flag(g):
    g = g.with_colors([*"abab"])
    for ask in (lambda: g.list("a,b", require=True), lambda: g.list("a,b", limit=True),
                lambda: g.census(True),
                lambda: g.list("a,b", seed=True), lambda: g.list("a,b", threads=True), lambda: g.census(2.5),
                lambda: g.list("a,b", memory=True), lambda: ms.Graph.from_points(np.eye(2), knn=True)):
        with pytest.raises(ms.UsageError):
            ask()


NO_NUMBERS = [1j, np.complex128(1), "1", None, True]


@pytest.mark.parametrize("number", range(len(NO_NUMBERS)))
def test_what_is_no_number(g, number):
    """Nothing but a number is read as one: not its real part, its digits or its truth."""
    g, x = g.with_colors([*"abab"]), NO_NUMBERS[number]
    asks = [lambda: g.list({"a": x}), lambda: g.screen("a,b", vertex_scores={g.nodes[0]: x}),
            lambda: g.screen("a,b", gpu=[x])]
    if x is not True:
        asks += [lambda: ms.Graph.from_points([(0, 1), (1, x)], knn=1),
                 lambda: g.screen("a,b", vertex_scores=[1, 2, 3, x]),
                 lambda: ms.generate("rmat", scale=5, edges=9, quadrants=[x, 0, 0, 0])]
    if isinstance(x, complex):
        asks += [lambda: g.with_colors(pd.DataFrame({"a": [1, 0, 0, x]}, index=g.nodes)),
                 lambda: ms.Graph.from_points(np.array([(0, 1), (1, x)]), knn=1)]
    for i, ask in enumerate(asks):
        with warnings.catch_warnings(), pytest.raises(ms.UsageError):
            warnings.simplefilter("error")
            assert ask() and i < 0, i


def test_too_many_vertices():
    with pytest.raises(ms.UsageError, match="^vertices=1099511627776: "):
        ms.generate("er", vertices=2**40, edges=3)


def test_colours_of_substitutes_that_are_bytes(g):
    found = g.with_colors([*"abab"]).nearest("a:3", substitutes={(b"a", "b"): 1}, max_cost=1)
    assert len(found) and found.verify()
