"""Data frames, networks and pages of notebooks that results turn into."""

import json
import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import arrow_consumer
import numpy as np
import pytest

import motifsieve as ms
from motifsieve import notebook, pictures
from motifsieve.networks import edges_within

pandas = pytest.importorskip("pandas", reason="pandas is not installed")

EVIL = "<script>alert('x')</script>\"&'\u202e"


def make_graph(**options):
    """A path of x, y, z, w and an edge to a vertex with an evil name."""
    return ms.Graph.from_edges([("x", "y"), ("y", "z"), ("z", "w"), ("w", EVIL[:-1])],
                               colors={"x": "a", "y": ["b", "c"], "z": "a", "w": "b"}, **options)


def grid(n, seed=0):
    """A grid of n by n vertices with three random colours."""
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    network = networkx.grid_graph((n, n))
    rng = np.random.default_rng(seed)
    return ms.Graph.from_networkx(network, colors=rng.choice(list("abc"), n * n).tolist())


# ---- pandas --------------------------------------------------------------------------


def test_frames_have_the_columns_of_the_result():
    """Every column of a frame has the values of the column of that name, for nodes of three kinds."""
    numbers = ms.Graph.from_edges([(0, 1), (1, 2), (2, 3)], colors=list("abab"))
    for g in (make_graph(), grid(3), numbers):
        for r in (g.list("a,b"), g.screen("a,b"), g.match("path:3"), g.list("a,b", limit=1)):
            frame = r.to_pandas("all")
            assert list(frame) == list(r.columns) and len(frame) == len(r)
            for name in frame:
                assert frame[name].tolist() == r[name].tolist(), name


def test_categories_are_shared():
    """Node columns of different results of a graph can be compared; they have one dtype."""
    g = make_graph()
    first, second = g.list("a,b").to_pandas(), g.screen("a,b").to_pandas()
    assert first["node1"].dtype == second["node"].dtype
    assert first["node1"].cat.categories.tolist() == g.nodes
    assert (first["node1"] == first["node2"]).tolist() == [False] * len(first)


def test_long_frames():
    """A row for each vertex of a match, with its slot, against the columns of the result."""
    r = make_graph().list("a:2,b")
    frame = r.to_pandas(long=True)
    expected = [(i + 1, r[f"node{j}"][i], r[f"slot{j}"][i]) for i in range(len(r)) for j in (1, 2, 3)]
    assert list(frame.itertuples(index=False, name=None)) == expected and len(expected) > 0
    m = grid(3).match("triangle", count_only=True)
    assert len(m.to_pandas(long=True)) == 0
    with pytest.raises(ms.UsageError, match="long=True"):
        make_graph().screen("a,b").to_pandas(long=True)


def test_frames_choose_columns():
    """columns= names columns; a wrong one is refused with the names that there are."""
    r = make_graph().list("a,b")
    assert list(r.to_pandas("v1")) == ["v1"] and list(r.to_pandas(["node2", "match"])) == ["node2", "match"]
    with pytest.raises(ms.UsageError, match="columns= names 'node9'; the result has match, v1"):
        r.to_pandas(["node9"])


def test_facts_of_a_frame():
    """What was asked, and the bound, stay with the frame, as plain values of JSON."""
    s = make_graph().screen("a,b", method="sieve")
    facts = s.to_pandas().attrs["motifsieve"]
    assert json.loads(json.dumps(facts)) == facts
    assert facts["query"]["motif"] == "a,b" and facts["bound"] == s.bound


def all_kinds():
    """Return a result of each kind, over names that look like HTML."""
    evil = EVIL[:-1]
    edges = [(evil, "y"), ("y", "z"), ("z", "w"), ("u", "v")]
    g = ms.Graph.from_edges(edges, colors={evil: "<i>a", "y": "b&amp;", "z": "<i>a", "w": "b&amp;"})
    slides = {f"s{i}": ms.generate("er", vertices=40, edges=80, colors=2, seed=i) for i in range(4)}
    motif = {"<i>a": 1, "b&amp;": 1}
    return [g.screen(motif), g.screen(motif, max_missing=1, max_extra=1), g.list(motif), g.match("path:3"),
            g.nearest(motif, max_missing=1), g.census(2), g.significance(2, permutations=9), g.mine(k=2),
            g.components(), g.paths([(evil, "w"), (evil, "u"), ("y", "y")]),
            ms.compare(slides, {name: name in ("s0", "s1") for name in slides}, k=2)]


def test_every_kind_of_result():
    """Of each kind of result, the frame and the stream have the values of the columns, and the page is safe."""
    for r in all_kinds():
        frame = r.to_pandas("all")
        stream = arrow_consumer.table(r.to_arrow("all"))
        assert list(frame) == list(r.columns) == list(stream) and len(r) > 0
        for name in frame:
            values = [None if v is None or (r.kind == "paths" and v == ms.NO_PATH) or v != v else v
                      for v in r[name].tolist()]
            found = [None if v is pandas.NA or v is None or v != v else v for v in frame[name].tolist()]
            assert found == values, (r.kind, name)
            assert stream[name] == [list(v) if isinstance(v, tuple) else v for v in values], (r.kind, name)
        words = check_page(r._repr_html_())
        assert notebook.assurance(r) in words
        assert json.loads(json.dumps(frame.attrs))["motifsieve"]["command"] == r.kind


# ---- networks ------------------------------------------------------------------------


def test_networks_are_the_induced_subgraphs():
    """Vertices, edges, numbers of matches and roles of 20 grids, against NetworkX and the rows."""
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    for seed in range(20):
        g = grid(4, seed)
        r = g.list("a,b:2")
        network = r.to_networkx()
        whole = networkx.grid_graph((4, 4))
        held = {node for row in r for node in row}
        assert set(network) == held
        induced = whole.subgraph(held)
        assert {frozenset(e) for e in network.edges} == {frozenset(e) for e in induced.edges}
        for node, facts in network.nodes(data=True):
            rows = [i for i, row in enumerate(r) if node in row]
            assert facts["matches"] == len(rows)
            j = list(r)[rows[0]].index(node)
            assert facts["role"] == r[f"slot{j + 1}"][rows[0]]
            assert facts["colors"] == list(g.colors.of(g.index(node)))


def test_scores_and_directions():
    """Edges keep their scores, and arcs their directions."""
    pytest.importorskip("networkx", reason="networkx is not installed")
    g = ms.Graph.from_edges([(0, 1), (1, 2), (2, 3)], colors=list("abab"), scores=[1, 2, 3])
    found = g.list("a,b").to_networkx()
    assert {(min(u, v), max(u, v)): s for u, v, s in found.edges(data="score")} == {(0, 1): 1, (1, 2): 2, (2, 3): 3}
    arcs = [(1, 0), (1, 2), (2, 1), (3, 2), (0, 4)]
    directed = ms.Graph.from_edges(arcs, colors=list("aaaab"), directed=True)
    found = directed.match("(a)--(b)").to_networkx()
    assert found.is_directed() and sorted(found.edges) == sorted(arcs)
    edges, scores = edges_within(directed, np.array([1, 2, 4]))
    assert sorted(edges.tolist()) == [[0, 1], [1, 0]] and scores is None


def test_igraph_and_cx2():
    """igraph and CX2 have the vertices and edges of NetworkX's graph."""
    igraph = pytest.importorskip("igraph", reason="igraph is not installed")
    r = make_graph().list("a,b")
    expected = r.to_networkx()
    found = r.to_igraph()
    assert isinstance(found, igraph.Graph)
    assert found.vs["name"] == list(expected) and found.vs["matches"] == [expected.nodes[v]["matches"] for v in expected]
    names = found.vs["name"]
    assert {frozenset((names[e.source], names[e.target])) for e in found.es} == {frozenset(e) for e in expected.edges}
    aspects = {name: value for aspect in r.to_cx2() for name, value in aspect.items()}
    assert {node["v"]["name"] for node in aspects["nodes"]} == set(expected)
    assert len(aspects["edges"]) == expected.number_of_edges()


def test_cells():
    """to_obs has a row for each vertex, joins the cells by name, and names the roles."""
    anndata = pytest.importorskip("anndata", reason="anndata is not installed")
    sparse = pytest.importorskip("scipy.sparse", reason="scipy is not installed")
    rows, columns = [0, 1, 2], [1, 2, 3]
    near = sparse.csr_matrix(([1.0] * 6, (rows + columns, columns + rows)), (5, 5))
    obs = pandas.DataFrame({"cell_type": pandas.Categorical(list("abab") + ["c"])}, index=list("vwxyz"))
    adata = anndata.AnnData(np.zeros((5, 1), np.float32), obs=obs, obsp={"connectivities": near})
    r = ms.Graph.from_anndata(adata, colors="cell_type").list("a,b")
    adata.obs = adata.obs.join(r.to_obs("ab"))
    assert adata.obs["ab_found"].tolist() == [True] * 4 + [False]
    assert adata.obs["ab_matches"].tolist() == [1, 2, 2, 1, 0]
    assert adata.obs["ab_role"].tolist()[:4] == list("abab") and adata.obs["ab_role"].isna().tolist()[4]


# ---- notebooks -----------------------------------------------------------------------


class Page(HTMLParser):
    """Reads a page and collects its tags, attributes and text; refuses tags that are not closed."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words, self.open = [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


ALLOWED = {"div", "p", "b", "code", "table", "thead", "tbody", "tr", "th", "td", "span", "svg", "title", "g",
           "line", "circle", "text", "path", "rect"}


def check_page(text):
    """Check that a page has no script, no handler, no address and no colour of texts; return its text."""
    page = Page(text)
    assert set(page.tags) <= ALLOWED, set(page.tags) - ALLOWED
    for name, value in page.attributes:
        assert not name.startswith("on") and name not in ("href", "src"), name
        # What a reader has to see has the colour of the page, which differs in dark mode.
        if name == "style":
            assert not re.search(r"(?<![-\w])color:(?!inherit)", value), value
            assert re.search(r"background:(?!transparent|#)", value) is None, value
    for svg in re.findall(r"<svg.*?</svg>", text, re.S):
        ElementTree.fromstring(svg)
    return " ".join(page.words)


def test_pages_escape_everything():
    """Names, colours and motifs that look like HTML are shown as they are, in 12 pages."""
    evil = EVIL[:-1]
    g = ms.Graph.from_edges([(evil, "y"), ("y", "z")], colors={evil: "<b>a</b>", "y": "b&amp;", "z": "<b>a</b>"})
    positions = ms.Graph.from_edges([(0, 1), (1, 2)], colors=["<b>a</b>", "b&amp;", "<b>a</b>"])
    positions.positions = np.array([[0.0, 1.0], [2.0, np.nan], [1.0, 5.0]])
    for graph in (g, positions):
        for r in (graph.screen({"<b>a</b>": 1, "b&amp;": 1}), graph.list({"<b>a</b>": 1, "b&amp;": 1}),
                  graph.match("path:3"), graph.list({"<b>a</b>": 3}), graph.screen({"<b>a</b>": 3}),
                  graph.match("path:2", count_only=True)):
            words = check_page(r._repr_html_())
            if graph is g and len(r) and r.kind != "match":
                assert evil in words and "<b>a</b>" in words
    assert pictures.clean(EVIL) == "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;&quot;&amp;&#x27;\\u202E"
    assert pictures.clean("a\x00b\ud800") == "a\\x00b\\uD800"


def test_pages_of_many_rows_are_small():
    """A screen and a list of 100,000 cells make pages of less than 200 kB."""
    rng = np.random.default_rng(1)
    g = ms.Graph.from_points(rng.random((20000, 2)), knn=4, colors=rng.choice(list("abcd"), 20000).tolist())
    for r in (g.screen("a,b"), g.list("a,b"), g.list("a,b", limit=3)):
        page = r._repr_html_()
        check_page(page)
        assert len(page) < 200_000 and "<svg" in page and f"{r.count:,}" in page


def test_pages_of_components_begin_with_the_largest():
    """The page of 20 components counts them, and its table and bars have the largest ones first."""
    edges = [(f"{size}.{i}", f"{size}.{i + 1}") for size in range(2, 22) for i in range(size - 1)]
    words = check_page(ms.components(ms.Graph.from_edges(edges))._repr_html_())
    assert f"20 components  of {sum(range(2, 22))} vertices" in words and "… and 12 more rows" in words
    assert "the largest 12 components" in words
    table = words[words.index("first node"):words.index("… and")]
    assert all(f"{size}.0" in table for size in range(14, 22)) and "13.0" not in table
    assert table.index("21.0") < table.index("20.0") < table.index("14.0")
    words = check_page(ms.components(ms.Graph.from_edges([("x", "y")]))._repr_html_())
    assert "1 component  of 2 vertices" in words and "more rows" not in words


def test_bounds_in_words():
    """The sentences say what the bound says, and never less."""
    g = grid(5)
    bounded = 0
    for seed in range(30):
        graph = grid(6, seed)
        for r in (graph.screen("a:3,b:2", method="sieve", repetitions=2), graph.list("a:3,b:2", exact=False)):
            if 0 < r.bound < 1:
                bounded += 1
                stated = float(re.search(r"at least 1 - ([-.e\d]+)\. ", notebook.assurance(r)).group(1))
                assert r.bound <= stated <= 1.1 * r.bound
    assert bounded >= 10


def test_what_the_sentences_say():
    """Each option has a sentence that does not promise more than docs/GUARANTEES.md."""
    g, say = grid(5), notebook.assurance
    assert say(g.screen("a,b", method="exact")).startswith("The answer is exact: every vertex")
    assert "no match is nearer" in say(g.screen("a,b", max_extra=1, method="exact"))
    assert say(g.list("a,b")) == "The answer is complete: every match is here."
    assert "stopped by the limit of rows" in say(g.list("a,b", limit=2))
    assert "random sample of 3 of" in say(g.list("a,b", sample=3))
    assert "No match can be added" in say(g.list("a,b", diverse=True))
    assert "family of a row" in say(g.list("a,b", families=0.5))
    assert "first of all matches" in say(g.list("a:2,b", sort="density", top=2))
    assert "dense enough" in say(g.list("a:2,b", min_density=0.6))
    assert "counted, and not stored" in say(g.list("a,b", count_only=True))
    assert "counted, and not stored" in say(g.match("path:3", count_only=True))
    assert "within the limits" in say(g.nearest("a,b", max_extra=1))
    assert "of the least cost" in say(g.nearest("a,b", max_extra=1, nearest_only=True))
    assert "exact" in say(g.census(3)) and "exact" in say(g.components()) and "complete" in say(g.mine(k=2))
    assert "no path is shorter" in say(g.paths([((0, 0), (4, 4))]))
    assert "stopped by the limit of rows. Each row is a match; those that cost less" in say(
        g.nearest("a,b", max_extra=1, limit=2))


def test_round_up():
    """Of 2,000 bounds, the text is an upper bound and within a tenth; 1e-6 stays 1e-06."""
    rng = np.random.default_rng(0)
    for bound in [*(10.0 ** rng.uniform(-12, -0.001, 2000)), 1e-6, 0.5, 0.06]:
        stated = float(notebook.round_up(bound))
        assert bound * (1 - 1e-8) <= stated <= 1.11 * bound or stated == 1.0
    assert notebook.round_up(1e-6) == "1e-06" and notebook.round_up(0.06) == "0.06"


# ---- pictures ------------------------------------------------------------------------


def test_layouts():
    """Distances fit: paths are straight, cycles are round, and components do not overlap."""
    n = 8
    path = pictures.layout(n, np.array([(i, i + 1) for i in range(n - 1)]))
    assert np.linalg.norm(path[0] - path[-1]) == pytest.approx(n - 1, rel=0.02)
    cycle = pictures.layout(6, np.array([(i, (i + 1) % 6) for i in range(6)]))
    radius = np.linalg.norm(cycle - cycle.mean(axis=0), axis=1)
    assert radius.max() / radius.min() < 1.05
    two = pictures.layout(7, np.array([(0, 1), (1, 2), (3, 4), (4, 5)]))
    apart = np.linalg.norm(two[:, None] - two, axis=2) + 9 * np.eye(7)
    assert apart.min() > 0.5
    again = pictures.layout(7, np.array([(0, 1), (1, 2), (3, 4), (4, 5)]))
    assert (two == again).all()
    assert pictures.layout(0, np.zeros((0, 2), int)).shape == (0, 2)
    for n in (4, 5, 8):
        complete = pictures.layout(n, np.array([(i, j) for i in range(n) for j in range(i)]))
        apart = np.linalg.norm(complete[:, None] - complete, axis=2) + 9 * np.eye(n)
        assert apart.min() > 0.3, n


def test_slides_stand_side_by_side():
    """Places of three slides keep their distances, do not mix, and those without a place stay so."""
    rng = np.random.default_rng(2)
    places, slides = rng.random((60, 3)) * 10, np.repeat(["s1", "s2", "s3"], 20)
    places[5] = np.nan
    shown = pictures.side_by_side(places, slides)
    for slide in ("s1", "s2", "s3"):
        rows = (slides == slide) & (np.arange(60) != 5)
        moved = shown[rows] - places[rows, :2]
        assert np.allclose(moved, moved[0])
    spans = [(np.nanmin(shown[slides == s, 0]), np.nanmax(shown[slides == s, 0])) for s in ("s1", "s2", "s3")]
    assert spans[0][1] < spans[1][0] and spans[1][1] < spans[2][0] and np.isnan(shown[5]).all()
    assert (pictures.side_by_side(places[:5], None) == places[:5, :2]).all()
    g = ms.Graph.from_points(np.delete(places, 5, 0)[:, :2], knn=3, slides=np.delete(slides, 5), colors=["a", "b", "a"] * 19
                             + ["a", "b"])
    check_page(g.list("a,b")._repr_html_())


# ---- plots ---------------------------------------------------------------------------


def test_plots(tmp_path):
    """Plots have the numbers of the columns, the places of the vertices, and odd names as they are."""
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    g = ms.Graph.from_edges([(0, 1), (1, 2), (2, 3)], colors=["$a_b", "b", "$a_b", "c"])
    c = g.significance(2, permutations=10)
    axes = c.plot(rows=2)
    assert [t.get_text() for t in axes.get_yticklabels()] == [m.replace("$", r"\$") for m in c["motif"][:2]]
    observed = axes.collections[-1].get_offsets()
    assert observed[:, 0].tolist() == c["sets"][:2].tolist()
    axes.figure.savefig(tmp_path / "census.png")
    kept = g.census(2, permutations=10, keep_counts=4)
    dots = kept.plot().collections[-2].get_offsets()[:, 0].reshape(4, -1)
    assert dots.tolist() == kept.null_counts.tolist()
    g.positions = np.array([[0.0, 1], [2, 3], [4, 5], [6, 7]])
    r = g.list({"$a_b": 1, "b": 1})
    axes = r.plot()
    found = np.concatenate([np.asarray(x.get_offsets()) for x in axes.collections[1:]])
    assert sorted(found.tolist()) == [[0, 1], [2, 3], [4, 5]]
    axes.figure.savefig(tmp_path / "places.png")
    make_graph().list("a,b").plot().figure.savefig(tmp_path / "network.svg")
    with pytest.raises(ms.UsageError, match="no plot of Components"):
        g.components().plot()


def test_frames_of_censuses_fit_into_a_terminal():
    """What matters comes first, and pandas hides none of it in 80 columns."""
    pd = pytest.importorskip("pandas")
    g = ms.Graph.from_points([[x, y] for x in range(12) for y in range(12)], knn=4,
                             colors=["tumour cell"] * 60 + ["T cell"] * 50 + ["B cell"] * 34)
    with pd.option_context("display.width", 80, "display.max_columns", 0):
        for options, wanted in (({}, ["expected", "z", "p", "q"]),
                                ({"permutations": 9}, ["expected", "z", "p", "q", "perm_p", "perm_q"])):
            c = g.significance(3, **options)
            frame = c.to_pandas()
            assert frame.columns.tolist() == ["motif", "sets", *wanted] == list(c.brief)
            assert list(c.columns)[:6] == ["motif", "sets", "expected", "z", "p", "q"]
            assert np.allclose(c["fold"] * c["expected"], c["sets"], rtol=1e-5) and set(c["p_by"]) <= {"fit", "bound", None}
            assert sorted(c.to_pandas("all")) == sorted(c.columns) and "p_less" in c.columns
            assert options or "..." not in repr(frame.head())
        frame = g.census(3, permutations=9).to_pandas()
        assert frame.columns.tolist() == ["motif", "sets", *(f"perm_{s}" for s in ("expected", "z", "p", "q"))]
        assert g.census(3).to_pandas().columns.tolist() == ["motif", "sets", "share"]
        samples = {i: ms.generate("er", vertices=60, edges=120, colors=2, seed=i) for i in range(4)}
        compared = ms.compare(samples, {i: "ill" if i < 2 else "well" for i in samples}, k=2)
        assert "..." not in repr(compared.to_pandas()) and "q" in repr(compared.to_pandas())
        assert sorted(compared.to_pandas("all")) == sorted(compared.columns)


# ---- rows ----------------------------------------------------------------------------


def test_rows_and_slices():
    """r[i] and slices of every kind are what iteration yields; columns have their names, and are completed."""
    for r in all_kinds():
        rows = [*map(repr, r)]  # in which a NaN equals a NaN
        assert len(rows) == len(r) > 0
        for i in range(len(r)):
            assert repr(r[i]) == repr(r[i - len(r)]) == repr(r[np.int64(i)]) == rows[i]
        for part in (slice(0, 2), slice(None, None, -1), slice(-1, None), slice(5, 1)):
            assert [*map(repr, r[part])] == rows[part], (r.kind, part)
        for wrong in (len(r), -len(r) - 1):
            with pytest.raises(IndexError, match=f"row {wrong}: there are {len(r)} rows"):
                r[wrong]
        with pytest.raises(KeyError):
            r["no such column"]
        assert r._ipython_key_completions_() == r.columns._ipython_key_completions_() == list(r.columns)


def test_the_length_of_components():
    """Components are counted, and each has its nodes, against NetworkX; the columns are of the vertices."""
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    network = networkx.gnm_random_graph(60, 40, seed=3)
    c = ms.Graph(network).components()
    wanted = [tuple(sorted(part)) for part in networkx.connected_components(network)]
    assert len(c) == c.count == len(wanted) and list(c) == sorted(wanted) and c[1:3] == sorted(wanted)[1:3]
    assert len(c["vertex"]) == 60 and c.vertices_of(2).tolist() == list(c[2])
    assert len(ms.Graph.from_edges([], 0).components()) == 0 == len(list(ms.Graph.from_edges([], 0).components()))


def test_a_column_for_each_slot():
    """Wide tables have a node for each slot of the motif, None where nobody fills it; slots of one colour are numbered."""
    pytest.importorskip("pandas")
    g = ms.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")],
                            colors={"a": "x", "b": "y", "c": "z", "d": "x", "e": "w"})
    frame = g.list("x,y").to_pandas(wide=True)
    assert [*frame.columns] == ["match", "x", "y"] and frame[["x", "y"]].values.tolist() == [["a", "b"]]
    r = g.nearest("x:2,y,w", max_missing=2, max_extra=1)
    frame = r.to_pandas(wide=True)
    assert [*frame.columns] == ["match", "cost", "missing", "extra", "w", "x_1", "x_2", "y", "extra_vertices"]
    for i, row in enumerate(frame[["w", "x_1", "x_2", "y"]].values.tolist()):
        filled = {node for node in row if node is not None}
        assert filled | {*frame.extra_vertices[i]} == {*r.labels(r.row(i)).tolist()}
        assert row.count(None) == frame.missing[i] == len(r.unfilled(i)) and len(frame.extra_vertices[i]) == frame.extra[i]
    assert r.to_pandas(wide=True, labels=[n.upper() for n in g.nodes])["y"][0] == "B"
    path = ms.Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)], colors=["a", "a", "a_1", "match", "cost", "extra"])
    frame = path.list("a:2,a_1").to_pandas(wide=True)  # no title twice
    assert [*frame.columns] == ["match", "a_1", "a_2", "a_1_1"] and len(frame) == 1
    frame = path.nearest("extra,cost,match", max_missing=0).to_pandas(wide=True)
    assert [*frame.columns] == ["match", "cost", "missing", "extra", "cost_1", "extra_1", "match_1", "extra_vertices"]
    with pytest.raises(ms.UsageError, match="has no slots"):
        g.screen("x,y").to_pandas(wide=True)
    with pytest.raises(ms.UsageError, match="two forms"):
        r.to_pandas(wide=True, long=True)


def test_colors_are_those_of_drawings(tmp_path):
    """A slot has the same colour in Python's pictures and in the library's drawings."""
    g = ms.Graph.from_edges([("a", "b"), ("b", "c")], colors={"a": "red", "b": "red", "c": "blue"})
    r = g.list("red:2,blue")
    r.write(tmp_path / "r.dot")
    drawn = (tmp_path / "r.dot").read_text()
    who = r._participants()
    for node, shade in zip(r.labels(who.ids).tolist(), who.shades.tolist()):
        assert f'label="{node}", fillcolor="{pictures.fill_of(shade)}"' in drawn
    assert len({*pictures.COLORS}) == len(pictures.COLORS) == 14
