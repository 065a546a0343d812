"""Graphs in files: what is written is read back equal, or refused with what would be lost."""

import itertools
import pathlib
import random

import numpy as np
import pytest

import motifsieve as ms
from motifsieve._arrays import arrays_in
from motifsieve._native import ffi

# Formats, their endings, and what they hold.
FORMATS = {
    "edge-list": (".tsv", {"names", "scores", "directions"}),
    "graphml": (".graphml", {"names", "scores", "directions", "colors"}),
    "binary": (".msb", {"names", "scores", "colors"}),
    "sif": (".sif", {"names"}), "biogrid": (".tab3.txt", {"names"}), "mitab": (".mitab", {"names"}),
    "tve": (".tve", {"colors"}), "lad": (".lad", set()), "metis": (".graph", set()),
    "dimacs": (".dimacs", set()),
    "matrix-market": (".mtx", set()),
}
PARTS = ["colors", "directions", "names", "scores"]


def drawn(rng, parts, single):
    """A graph of 6 vertices, of which one is alone, with these parts."""
    pairs = [(a, b) for a, b in itertools.permutations(range(5), 2) if rng.random() < 0.4] or [(0, 1)]
    scores = {frozenset(pair): rng.choice([0.1, 0.5, 700, 1e-7]) for pair in pairs}
    names = ["x y", "n#1", "a<b&c>", 'q"q', "\u00e9\U0001F600", "alone"] if "names" in parts else None
    colors = None
    if "colors" in parts:
        colors = [rng.choice("abc") if single else rng.sample(["a", "b,c", "d:e|f", "#g"], rng.randint(0, 3))
                  for _ in range(6)]
    return ms.Graph.from_edges(pairs, 6, names=names, colors=colors, directed="directions" in parts,
                               scores=[scores[frozenset(p)] for p in pairs] if "scores" in parts else None)


def content(graph, order):
    """What a graph holds, by the names that its vertices had."""
    arcs = (graph.arcs() if graph.directed else graph.edges())
    scores = graph._scores_of(arcs).tolist() if graph.scores is not None else [None] * len(arcs)
    ends = [tuple(order[v] for v in pair) for pair in arcs.tolist()]
    found = {pair if graph.directed else frozenset(pair): score for pair, score in zip(ends, scores)}
    colors = {} if graph.colors is None else {order[v]: set(graph.colors.of(v)) for v in range(len(graph))}
    return found, {name: kinds for name, kinds in colors.items() if kinds}, sorted(order)


@pytest.mark.parametrize("parts", [c for i in range(5) for c in itertools.combinations(PARTS, i)],
                         ids="+".join)
@pytest.mark.parametrize("format", FORMATS)
def test_what_is_written_is_read_back(tmp_path, format, parts):
    """Each format with each set of parts: the same graph, or a refusal that names a part that is lost."""
    ending, holds = FORMATS[format]
    path = tmp_path / f"g{ending}"
    rng = random.Random(f"{format}{parts}")
    for _ in range(3):
        graph = drawn(rng, parts, format == "tve")
        lost = sorted(set(parts) - holds)
        if lost:
            with pytest.raises(ms.UsageError, match=f'{format} holds no .*drop="{lost[0]}"'):
                graph.write(path)
            assert not path.exists()
        graph.write(path, drop=lost)
        kept = set(parts) & holds
        again = ms.Graph(path, directed="directions" in kept, scores="scores" in kept)
        if "directions" in parts and "directions" not in kept:
            colors = None if graph.colors is None else [graph.colors.of(v) for v in range(6)]
            scores = None if graph.scores is None else graph._scores_of(graph.edges())
            graph = ms.Graph.from_edges(graph.edges(), 6, names=graph.names, colors=colors, scores=scores)
        numbered = "names" not in holds
        edges, colors, names = content(graph, [str(v) for v in range(6)] if numbered else graph.names)
        if "scores" not in kept:
            edges = dict.fromkeys(edges)
        first = int(again.names[0]) if numbered else 0
        found = content(again, [str(int(name) - first) for name in again.names] if numbered else again.names)
        assert found == (edges, colors if "colors" in kept else ({} if format != "tve" else found[1]), names)
        path.unlink()


@pytest.mark.parametrize("name", ["x.csv", "x.txt", "x", "x.json", "x.gml", "x.csv.gz", "x.cx2", "x.h5",
                                  ".tsvx", "x.mst"])
def test_endings_that_stand_for_no_format(tmp_path, monkeypatch, name):
    """No ending writes another form than it says; `format=` does."""
    monkeypatch.chdir(tmp_path)
    graph = ms.Graph([(0, 1), (1, 2)], colors=[*"aba"])
    typed = ms.TypedGraph.from_edges([("a", "b")], ["t"])
    with pytest.raises(ms.UsageError, match="stands for no format.*msb.*format="):
        graph.write(name)
    if name not in ("x.txt", "x.mst"):
        with pytest.raises(ms.UsageError, match="stands for no format"):
            typed.write(name)
    if name not in ("x.txt", "x.json", "x.cx2"):
        with pytest.raises(ms.UsageError, match="stands for no form"):
            graph.list("a,b").write(name)
    assert not list(tmp_path.iterdir())
    graph.write(name, "binary")
    assert ms.Graph(name, format="binary").colors.names == ("a", "b")


def test_what_is_dropped(tmp_path):
    graph = ms.Graph.from_edges([(0, 1), (2, 1)], colors=[*"aba"], directed=True, scores=[0.5, 2])
    with pytest.raises(ms.UsageError, match="drop= names 'color'"):
        graph.write(tmp_path / "g.msb", drop="color")
    with pytest.raises(ms.UsageError, match="give format= as one of 'graphml', or drop=\"directions\""):
        graph.write(tmp_path / "g.msb")
    graph.write(tmp_path / "g.msb", drop="directions")
    again = ms.Graph(tmp_path / "g.msb")
    assert again.scores.tolist() == [0.5, 0.5, 2, 2]
    assert again.colors.names == ("a", "b") and not again.directed
    text = (graph.write(tmp_path / "g.graphml"), (tmp_path / "g.graphml").read_text())[1]
    networkx = pytest.importorskip("networkx")
    read = networkx.parse_graphml(text)
    assert read.is_directed() and dict(read.edges) == {("0", "1"): {"score": 0.5}, ("2", "1"): {"score": 2.0}}


def test_positions_are_in_no_file(tmp_path):
    places = ms.Graph.from_points([[0, 0], [1, 0]], knn=1)
    with pytest.warns(UserWarning, match="positions and slides are not written") as caught:
        places.write(tmp_path / "g.msb")
    assert caught[0].filename == __file__
    places.write(tmp_path / "h.msb", drop="positions")
    assert (tmp_path / "g.msb").read_bytes() == (tmp_path / "h.msb").read_bytes()


def test_comparison_of_directed_graphs():
    """What functions of the package pass on in files does not depend on what a user may write."""
    rng = np.random.default_rng(1)
    graphs = {name: ms.Graph.from_edges(rng.integers(0, 20, (40, 2)), 20, colors=[*"ab"] * 10, directed=True)
              for name in "uvwx"}
    groups = dict(zip("uvwx", "ppqq"))
    plain = {name: ms.Graph.from_edges(g.edges(), 20, colors=[*"ab"] * 10) for name, g in graphs.items()}
    assert ms.compare(graphs, groups, k=2).to_pandas().equals(ms.compare(plain, groups, k=2).to_pandas())


README = pathlib.Path(__file__).parents[2] / "README.md"


def test_names_with_a_number_sign(tmp_path, monkeypatch):
    """The README's lines of pandas keep names that hold "#" or a quote."""
    pandas = pytest.importorskip("pandas")
    graph = ms.Graph([("#metoo", "a#b"), ("a#b", '"c')], colors=[*"xyx"])
    graph.list("x,y").write(tmp_path / "modules.tsv", long_rows=True)
    lines = README.read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if "pandas.read_csv" in line)
    monkeypatch.chdir(tmp_path)
    names = {"pandas": pandas}
    for line in lines[at - 1:at + 1]:
        exec(line.strip().removeprefix(">>> "), names)
    assert sorted(set(names["modules"].vertex)) == ['"c', "#metoo", "a#b"]
    for page in [README, *README.parent.glob("docs/*.md"), *README.parent.glob("examples/**/*.*")]:
        if page.suffix in (".md", ".ipynb", ".py", ".R"):
            assert "comment=" not in page.read_text() and "comment.char" not in page.read_text(), page


def test_columns_are_those_of_files(tmp_path):
    """ms.columns says which columns a result file has, and refuses other kinds with the names of all."""
    g = ms.Graph([(0, 1), (1, 2), (2, 3)], colors=["a", "b", "a", "b"])
    for kind, result in {"census": g.census(2), "screen": g.screen("a,b"), "list": g.list("a,b"),
                         "census_vertex": g.census_vertices(2), "nearest": g.nearest("a,b")}.items():
        path = tmp_path / f"{kind}.tsv"
        result.write(str(path))
        titles = next(line for line in path.read_text().splitlines() if not line.startswith("#")).split("\t")
        columns = {c["name"]: c for c in ms.columns(kind if kind != "nearest" else "nearest_list")}
        assert titles == [name for name, c in columns.items() if not c["when"]]
        assert all(c["meaning"] and c["values"] for c in columns.values())
    with pytest.raises(ms.UsageError, match="screen.*census.*path"):
        ms.columns("rows")


def test_columns_of_results_are_those_of_the_library():
    """Names and order are those of ms.columns, which the documentation of the class tells, and values members of structs."""
    g = ms.Graph([(i, (i + 1) % 12) for i in range(12)], colors=[*"aabbabababab"])
    of_own = {"node", "hits", "missing", "extra", "cost", "size", "nodes", "stopped", "seconds"}
    chance = g.significance(2, permutations=9, max_t=True)
    compared = g.compare(["x"] * 6 + ["y"] * 6, samples=[str(i // 2) for i in range(12)], k=2)
    for kind, r in {"census": chance, "shapes": g.census(3, shapes=True, permutations=9), "orbits": g.orbits(3),
                    "census_vertex": g.census_vertices(2), "patterns": g.match_many(["triangle"], permutations=9),
                    "compare": compared, "screen": g.screen("a,b", vertex_scores=range(12)),
                    "nearest_list": g.nearest("a:3", max_missing=1)}.items():
        known = {c["name"]: c for c in ms.columns(kind)}
        assert {*r.columns} <= {*known, *of_own} and len(r) > 0, kind
        rest = [name for name in r.columns if name in known and name not in r._first]
        assert rest == [name for name in known if name in rest], kind
        assert all(f"    {name} : {known[name]['meaning']}" in type(r).__doc__ for name in known), kind
    always = {c["name"] for c in ms.columns("compare")}
    assert always <= {*compared.columns} and compared["exact"].dtype == bool
    assert compared["permutations"].tolist() == [compared.permutations] * len(compared)
    assert {*arrays_in(ffi.typeof("ms_significance"))} <= {*chance.columns}
