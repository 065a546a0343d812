"""Patterns that are objects: each kind, with directions and without, against NetworkX."""

import pickle
import random

import numpy as np
import pytest

import motifsieve as ms

nx = pytest.importorskip("networkx")
sp = pytest.importorskip("scipy.sparse")
from networkx.algorithms.isomorphism import DiGraphMatcher, GraphMatcher  # noqa: E402


def igraph_of(shape):
    igraph = pytest.importorskip("igraph")
    made = igraph.Graph(len(shape), [*shape.edges()], directed=shape.is_directed())
    made.vs["color"] = [color for _, color in shape.nodes(data="color")]
    return made


def renamed(shape):
    """The same with nodes that are texts, in another order of edges."""
    return nx.relabel_nodes(shape, {v: f"node {9 - v}" for v in shape})


def several(shape):
    """The same with each edge twice, and weights."""
    made = (nx.MultiDiGraph if shape.is_directed() else nx.MultiGraph)()
    made.add_nodes_from(shape.nodes(data=True))
    made.add_edges_from([(a, b, {"weight": 0.5}) for a, b in shape.edges() for _ in range(2)])
    return made


def colors_of(shape):
    return [color for _, color in shape.nodes(data="color")]


# How a pattern can be given, and whether this form says which way its edges point.
FORMS = {
    "networkx": (lambda s: s, True),
    "text nodes": (renamed, True),
    "multigraph": (several, True),
    "igraph": (igraph_of, True),
    "Graph": (lambda s: ms.Graph(s), True),
    "Graph with scores": (lambda s: ms.Graph.from_edges([*s.edges()], len(s), colors=colors_of(s),
                                                        scores=[2.5] * s.size(),
                                                        directed=s.is_directed()), True),
    "pickled Pattern": (lambda s: pickle.loads(pickle.dumps(ms.Pattern(s))), True),
    "pair": (lambda s: ([*s.edges()], colors_of(s)), False),
    "pair of arrays": (lambda s: (np.array([*s.edges()]).reshape(-1, 2), np.array(colors_of(s), object)),
                       False),
    "pair with a dict": (lambda s: ([*renamed(s).edges()], dict(renamed(s).nodes(data="color"))), False),
}
BARE = {
    "list": (lambda s: [*s.edges()], False),
    "array": (lambda s: np.array([*s.edges()]), False),
    "list of text nodes": (lambda s: [(f"n{a}", f"n{b}") for a, b in s.edges()], False),
    "pair without colours": (lambda s: ([*s.edges()], None), False),
    "matrix": (lambda s: sp.csr_matrix(nx.to_numpy_array(s)), False),
}


def drawn(rng, n, p, directed, colors):
    graph = (nx.gnp_random_graph)(n, p, seed=rng.randrange(1 << 30), directed=directed)
    for v in graph:
        graph.nodes[v]["color"] = rng.choice(colors)
    return graph


def vertex_of(i, name):
    """Return the vertex of the shape that vertex i of a pattern with such names is."""
    return 9 - int(name[5:]) if name.startswith("node ") else int(name[1:]) if name.startswith("n") else i


def maps(graph, shape, induced):
    kind = DiGraphMatcher if graph.is_directed() else GraphMatcher
    found = kind(graph, shape, node_match=lambda a, b: b["color"] in (None, a["color"]))
    each = found.subgraph_isomorphisms_iter() if induced else found.subgraph_monomorphisms_iter()
    return sorted(tuple(sorted((b, a) for a, b in one.items())) for one in each)


@pytest.mark.parametrize("directed", [False, True], ids=["edges", "arcs"])
@pytest.mark.parametrize("form", [*FORMS, *BARE])
def test_each_form_of_a_pattern(form, directed):
    """The maps of 8 random patterns of 2 to 4 vertices, induced and not, in graphs of 7 vertices."""
    rng = random.Random(f"{form} {directed}")
    make, says = {**FORMS, **BARE}[form]
    seen = 0
    while seen < 8:
        graph = drawn(rng, 7, 0.5, directed, "ab")
        shape = drawn(rng, rng.randint(2, 4), 0.7, directed, ["a", "b", None] if form in FORMS else [None])
        if nx.number_of_isolates(shape):
            continue
        seen += 1
        given = make(shape)
        asked = given if says or not directed else ms.Pattern(given, directed=True)
        for induced in (False, True):
            found = ms.Graph(graph).match(asked, induced=induced, embeddings=True)
            order = [vertex_of(i, name) for i, name in enumerate(found.pattern_names)]
            assert sorted(tuple(sorted(zip(order, row))) for row in found.vertices.tolist()) == \
                maps(graph, shape, induced)
            assert found.verify()


def test_reciprocal_arcs_are_two():
    one = ms.Graph.from_edges([(0, 1)], directed=True)
    both = ms.Graph.from_edges([(0, 1), (1, 0)], directed=True)
    for pattern in (both, nx.DiGraph([(0, 1), (1, 0)]), ms.Pattern([(0, 1), (1, 0)], directed=True)):
        assert one.match(pattern).count == 0 and both.match(pattern).count == 1
    assert both.match(one, embeddings=True).count == 2
    assert ms.Pattern(both).directed
    assert ms.Pattern("(a)-->(b)").directed and not ms.Pattern("(a)--(b)").directed


@pytest.mark.parametrize("form", [*FORMS, *BARE])
def test_edges_in_a_graph_of_arcs(form):
    """The maps of 4 random undirected patterns in directed graphs: an edge is an arc in either direction."""
    rng = random.Random(form)
    make, _ = {**FORMS, **BARE}[form]
    seen = 0
    while seen < 4:
        graph = drawn(rng, 7, 0.3, True, "ab")
        shape = drawn(rng, rng.randint(2, 4), 0.7, False, ["a", "b", None] if form in FORMS else [None])
        if nx.number_of_isolates(shape):
            continue
        seen += 1
        for induced in (False, True):
            found = ms.Graph(graph).match(make(shape), induced=induced, embeddings=True)
            order = [vertex_of(i, name) for i, name in enumerate(found.pattern_names)]
            assert sorted(tuple(sorted(zip(order, row))) for row in found.vertices.tolist()) == \
                maps(nx.Graph(graph), shape, induced)
            assert found.verify()


ODD = ["#a", "!b", "%c", "a|b", "`", "a`b", "``", "**", "^x", "^`x`", "x,y", "(", ")", "x:y", '"', "'s'",
       "NA", "null",
       "-", "[]", "{}", "x;y", "a\\b", "->", "--", "<!--", "&amp;", "//c", "RETURN", "a b", "\ufeffbom",
       "\u3000wide", "\u00fc"]


@pytest.mark.parametrize("directed", [False, True])
def test_odd_colours_of_patterns(directed):
    """Results with colours that look like another thing can be checked, or the colour is named."""
    n = len(ODD)
    pairs = [(i, (i + step) % n) for i in range(n) for step in (1, 5)]
    g = ms.Graph.from_edges(pairs, n, colors=ODD, directed=directed)
    for i in range(n):
        accepted = [[ODD[i]], [ODD[(i + 1) % n], ODD[(i + 2) % n]]]
        for arrows in {False, directed}:
            found = g.match(ms.Pattern(([(0, 1)], accepted), directed=arrows))
            assert found.vertices.tolist() == [[i, (i + 1) % n]] and found.verify()
    g = ms.Graph.from_edges([(0, 1)], colors=[" lead", "trail "], directed=directed)
    for found in (g.match(([(0, 1)], [" lead", "trail "])), g.list([" lead", "trail "])):
        assert len(found) == 1
        if directed:
            with pytest.raises(ms.UsageError, match="cannot be checked: the colour ' lead'"):
                found.verify()
        else:
            assert found.verify()


def test_files_and_texts_of_patterns(tmp_path):
    """The file of a pattern has directions if the graph has; a text has them if it has arrows."""
    both, one = (ms.Graph.from_edges(pairs, 2, directed=True) for pairs in ([(0, 1), (1, 0)], [(0, 1)]))
    file, arrows = tmp_path / "both.tve", tmp_path / "arrows"
    file.write_text("t 0 2\nv 0 *\nv 1 *\ne 0 1\ne 1 0\n")
    arrows.write_text("(a)-->(b)\n")
    for pattern in (file, ms.Pattern(file), pickle.loads(pickle.dumps(ms.Pattern(file))),
                    ms.Pattern(file, directed=True)):
        assert one.match(pattern).count == 0
        assert both.match(pattern).count == 1 and both.match(pattern).verify()
    found = one.match(ms.Pattern(file, directed=False))
    assert found.count == 1
    with pytest.raises(ms.UsageError, match="directed=False"):
        found.verify()
    found = one.match(arrows)
    assert found.vertices.tolist() == [[0, 1]] and found.verify()
    g = ms.Graph([(0, 1)], colors=["x->y", "z"])
    assert not ms.Pattern("(a:`x->y`)--(b)").directed
    assert g.match("(a:`x->y`)--(b)").vertices.tolist() == [[0, 1]]
    with pytest.raises(ms.UsageError, match="edges with an arrow and edges without"):
        ms.Pattern("(a)-->(b)--(c)")
    many = ms.Graph(nx.complete_graph(92))
    with pytest.raises(ms.UsageError, match="at most 4096 edges"):
        many.match(many).verify()


def test_scores_of_a_directed_graph():
    g = ms.Graph.from_edges([(0, 1), (1, 2), (2, 0)], colors=[*"aab"], scores=[0.1, 0.3, 0.9], directed=True)
    found = g.list("a,b", min_mean_score=0.5)
    assert found.vertices.tolist() == [[0, 2]] and found.verify()


def test_isolated_vertices_and_numbers():
    g = ms.Graph(nx.star_graph(3))
    lonely = nx.Graph([(0, 1)])
    lonely.add_node("apart")
    assert g.match(lonely).count == g.match(([(0, 1)], [None] * 3)).count == 6
    assert g.match(([], [None])).count == 4
    assert ms.Pattern(nx.Graph([(10, 20), (20, 7)])).names == ("10", "20", "7")


def test_the_attribute_of_colours():
    """A pattern is coloured by the attribute by which the graph is, or by "color" if it lacks that."""
    source, shape = nx.path_graph(3), nx.path_graph(2)
    nx.set_node_attributes(source, {0: "x", 1: "y", 2: "y"}, "kind")
    nx.set_node_attributes(source, {0: "y", 1: "y", 2: "x"}, "color")
    nx.set_node_attributes(shape, {0: "x", 1: "y"}, "kind")
    g = ms.Graph(source, colors="kind")
    for graph in (g, pickle.loads(pickle.dumps(g))):
        assert graph.match(shape).vertices.tolist() == [[0, 1]]
        assert graph.match(igraph_like(shape)).vertices.tolist() == [[0, 1]]
    assert ms.Graph(source).match(ms.Pattern(shape, colors="kind")).vertices.tolist() == [[2, 1]]
    nx.set_node_attributes(shape, {0: "y", 1: "y"}, "color")
    assert g.match(shape).vertices.tolist() == [[0, 1]] and ms.Graph(source).match(shape).count == 1
    only = nx.path_graph(2)
    nx.set_node_attributes(only, {0: "x", 1: "y"}, "color")
    assert g.match(only).vertices.tolist() == [[0, 1]]
    with pytest.raises(ms.UsageError, match="colors='sort' is no attribute"):
        ms.Pattern(shape, colors="sort")
    with pytest.raises(ms.UsageError, match="colors='kind' is an attribute of nodes"):
        ms.Pattern("triangle", colors="kind")


def igraph_like(shape):
    igraph = pytest.importorskip("igraph")
    return igraph.Graph.from_networkx(shape)


def test_two_edges_are_no_pair():
    g = ms.Graph([(0, 1), (1, 2), (2, 3)])
    for two in ([(0, 1), (1, 2)], [[0, 1], [1, 2]], np.array([[0, 1], [1, 2]]), [("a", "b"), ("b", "c")]):
        assert g.match(two).count == 2
    assert g.match([(0, 1)]).count == 3 and g.match([(0, 1), (1, 2), (2, 3)]).count == 1
    assert g.with_colors([*"abab"]).match(([(0, 1)], ["a", "b"])).count == 3


REFUSED = [
    (((0, 1), (1, 2)), TypeError, "give a list of edges"),
    (([0, 1], [1, 2]), TypeError, "give a list of edges"),
    (((0, 1), (1, 2), (2, 0)), TypeError, "give a list of edges"),
    ([[(0, 1), (1, 2)], ["a", "b"]], TypeError, r"give a tuple \(edges, colors\)"),
    ([[(0, 1), (1, 2)], ["a", "b", "a"]], TypeError, r"give a tuple \(edges, colors\)"),
    ([(0, 2)], ms.UsageError, "no edge of the pattern names the vertex 1"),
    (([(0, 2)], ["a", "b"]), ms.UsageError, "2 colours, and an edge names the vertex 2"),
    ([(0, 0), (0, 1)], ms.UsageError, "joins a vertex to itself"),
    (nx.Graph([("x", "x"), ("x", "y")]), ms.UsageError, "joins a vertex to itself"),
    (([(0, 1)], ["a", 0.5]), ms.UsageError, "measured number"),
    (([(0, 1)], ["a", {"b": 1}]), ms.UsageError, "is no name"),
    (([(0, 1)], ["a", ["b", ["c"]]]), ms.UsageError, "is no name"),
    (([(0, 1)], ["a", "b\0c"]), ms.UsageError, "NUL"),
    (([(0, 1)], ["a", ["*", "b"]]), ms.UsageError, "stands alone"),
    ({0: [1]}, TypeError, "give a name"),
    (3, TypeError, "give a name"),
    (sp.csr_matrix([[0, 1], [0, 0]]), ms.UsageError, "not symmetric"),
    (np.ma.array([[0, 1], [1, 2]], mask=[[0, 0], [0, 1]]), ms.UsageError, "masked"),
    ("(a)--(b\0c)", ms.UsageError, "NUL"),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_refused_patterns(number):
    pattern, kind, message = REFUSED[number]
    with pytest.raises(kind, match=message):
        ms.Graph([(0, 1), (1, 2)], colors=[*"aba"]).match(pattern)


def test_a_colour_that_no_vertex_has():
    for graph in (ms.Graph([(0, 1)], colors=[*"ab"]), ms.Graph([(0, 1)])):
        with pytest.warns(UserWarning, match="no vertex of the graph has the colour 'kinase'") as caught:
            assert graph.match(([(0, 1)], ["kinase", None])).count == 0
        assert caught[0].filename == __file__


@pytest.mark.parametrize("pattern", [nx.path_graph(2), ms.Graph([(0, 1)])], ids=["networkx", "Graph"])
def test_directions_that_are_not_there(pattern):
    with pytest.raises(ms.UsageError, match="directed"):
        ms.Pattern(pattern, directed=True)


def test_colours_of_every_form():
    """A pattern of NetworkX, igraph, SciPy, pandas, edges, or a Graph has colours of its own: an attribute of its
    own name, or colors=, as a list or by node; all find what the text finds."""
    sparse, pandas = pytest.importorskip("scipy.sparse"), pytest.importorskip("pandas")
    graph = ms.generate("er", vertices=60, edges=200, colors=3, seed=5)
    edges, colors = [(0, 1), (1, 2), (0, 2), (2, 3)], ["c0", None, ["c1", "c2"], "c1"]
    wanted = graph.match("(a:c0)--(b)--(c:c1|c2)--(a), (c)--(d:c1)").count
    assert wanted > 5
    network = nx.Graph(edges)
    by_node = dict(enumerate(colors))
    nx.set_node_attributes(network, by_node, "kind")
    ig = igraph_like(network)
    matrix = sparse.csr_matrix(nx.to_numpy_array(network))
    plain = [edges, np.array(edges), nx.Graph(edges), igraph_like(nx.Graph(edges)), matrix, ms.Graph(edges),
             pandas.DataFrame(edges)]
    patterns = [ms.Pattern(source, colors="kind") for source in (network, ig)]
    patterns += [ms.Pattern(source, colors=given) for source in plain for given in (colors, by_node)]
    patterns += [(source, colors) for source in plain]
    patterns += [ms.Graph(edges, colors=colors).to_networkx(), ms.Graph(edges, colors=colors).to_igraph()]
    for number, pattern in enumerate(patterns):
        assert graph.match(pattern).count == wanted, number
    nx.set_node_attributes(network, by_node, "color")
    tissue = nx.Graph(edges)
    nx.set_node_attributes(tissue, {0: "c0", 1: "c0", 2: "c1", 3: "c1"}, "cell_type")
    # the graph's attribute is not the pattern's
    assert ms.Graph(tissue, colors="cell_type").match(network).count == \
        ms.Graph(tissue, colors="cell_type").match((edges, colors)).count > 0
    for wrong, message in (("triangle", "an object"), (edges, "twice")):
        source = wrong if wrong == "triangle" else (wrong, colors)
        with pytest.raises(ms.UsageError, match=message):
            ms.Pattern(source, colors=colors)
    with pytest.raises(ms.UsageError, match="colors='kind' is an attribute of nodes.*give a list"):
        ms.Pattern(edges, colors="kind")
