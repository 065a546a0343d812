"""Queries against brute force on random graphs, and what results hold."""

import itertools
import math
import os
import random
import warnings

import numpy as np
import pytest

import motifsieve as ms

nx = pytest.importorskip("networkx")


def random_graph(seed, n=14, several=False):
    """A random graph with colours, as NetworkX and as the library have it."""
    rng = random.Random(seed)
    source = nx.gnm_random_graph(n, rng.randrange(n, 3 * n), seed=seed)
    colors = []
    for _ in range(n):
        count = rng.choice([0, 1, 1, 2]) if several else rng.choice([0, 1, 1, 1])
        colors.append(tuple(sorted(rng.sample("abc", count))))
    colors[:3] = ("a",), ("b",), ("c",)  # each colour is one of the graph's
    return source, colors, ms.Graph.from_networkx(source, colors=colors)


def fits(colors, vertices, slots):
    """True if the vertices can be paired off with the slots."""
    return any(all(slot == "*" or slot in colors[v] for v, slot in zip(vertices, order))
               for order in itertools.permutations(slots))


def matches(source, colors, slots):
    return [vertices for vertices in itertools.combinations(sorted(source), len(slots))
            if nx.is_connected(source.subgraph(vertices)) and fits(colors, vertices, slots)]


MOTIFS = ["a", "a,b", "a:2,b", "a,b,c", "a,*,b", "*:3"]


@pytest.mark.parametrize("seed", range(12))
def test_motifs_against_brute_force(seed):
    source, colors, g = random_graph(seed, several=seed % 2 == 1)
    for motif in MOTIFS:
        items = [item.partition(":") for item in motif.split(",")]
        slots = [name for name, _, count in items for _ in range(int(count or 1))]
        wanted = matches(source, colors, slots)
        r = g.list(motif)
        assert list(r) == wanted and len(r) == r.count == len(wanted)
        assert r.complete and r.stopped is None and r.bound == 0.0 and "misses nothing" in r.bound_text
        for row, names in zip(r.vertices, np.column_stack([r[f"slot{j + 1}"] for j in range(r.k)])):
            assert all(name == "*" or name in colors[v] for v, name in zip(row, names))
            assert sorted(names) == sorted(slots)
        inside = sorted({v for row in wanted for v in row})
        s = g.screen(motif)
        assert s.vertices.tolist() == inside == np.flatnonzero(s.flagged).tolist() and len(s) == len(inside)
        assert s.exact and s.bound == 0.0
        sieved = g.screen(motif, method="sieve", seed=seed)
        assert set(sieved.vertices.tolist()) <= set(inside)
        assert sieved.bound <= 1e-6 and len(sieved) == len(inside)
        assert g.list(motif, count_only=True).count == len(wanted)
        assert g.list(motif, exact=False).vertices.tolist() == r.vertices.tolist()
        if wanted:
            node = wanted[-1][0]
            assert list(g.list(motif, require=node)) == [row for row in wanted if node in row]


def test_motifs_of_every_form():
    _, _, g = random_graph(3)
    wanted = g.list("a:2,b").vertices.tolist()
    for motif in ({"a": 2, "b": 1}, ["a", "b", "a"], ("a", "a", "b")):
        assert g.list(motif).vertices.tolist() == wanted
    h = ms.Graph.from_edges([(0, 1), (1, 2)], colors=["ligase, DNA", 'a "b"', "x|y"])
    assert h.list(["ligase, DNA", 'a "b"', "x|y"]).count == 1
    assert h.list([("ligase, DNA", "x|y"), 'a "b"']).count == 2
    assert h.list(['!"x|y"', 'a "b"']).count == 1


@pytest.mark.parametrize("seed", range(10))
def test_patterns_against_networkx(seed):
    source, colors, g = random_graph(seed)
    pattern = nx.gnm_random_graph(4, 3 + seed % 3, seed=seed)
    matcher = nx.algorithms.isomorphism.GraphMatcher(source, pattern)
    maps = list(matcher.subgraph_monomorphisms_iter())
    r = g.match(pattern, embeddings=True)
    assert {tuple(row) for row in r.vertices.tolist()} == {
        tuple(sorted(m, key=m.get)) for m in maps} and r.count == len(maps)
    induced = g.match(pattern, embeddings=True, induced=True, count_only=True)
    assert induced.count == sum(1 for _ in matcher.subgraph_isomorphisms_iter()) and len(induced) == 0
    once = g.match(pattern)
    assert once.count * once.automorphisms == len(maps) == once.embeddings and once.subgraphs == once.count


def test_required_nodes_of_every_form():
    g = ms.Graph.from_edges([(0, 1), (1, 2)], colors=[*"aba"])
    for node in (2, np.int64(2), [2], (2,), {2}, np.array([2]), iter([2])):
        assert list(g.list("a,b", require=node)) == [(1, 2)], node
    for node in (2, np.int64(2), [2], (2,), {2}, np.array([2]), iter([2])):
        assert list(g.match("(x)--(y)", require=node)) == [(1, 2)], node
    grid = ms.Graph(nx.grid_graph((2, 2)))
    assert grid.match("(x)--(y)", require=[(0, 0)]).count == 2


def test_patterns_with_colors_and_directions():
    g = ms.Graph.from_edges([("x", "y"), ("y", "z"), ("z", "x")], colors=["a", "b", "a"], directed=True)
    assert list(g.match("(p:a)-->(q:b)")) == [("x", "y")]
    assert list(g.match(nx.DiGraph([(0, 1), (1, 2), (2, 0)]))) == [("x", "y", "z")]
    r = g.match(ms.Pattern(([(0, 1)], [["a", "b"], None]), directed=True), require="z")
    assert sorted(r) == [("y", "z"), ("z", "x")] and r.pattern_names == ("0", "1")
    assert r.pattern_edges.tolist() == [[0, 1]]
    assert list(r.columns) == ["match", "0", "1", "node:0", "node:1"]
    assert g.match(ms.Pattern(([(0, 1), (1, 2)], None), directed=True)).verify()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("several", [False, True])
def test_results_are_verified(seed, several):
    _, _, g = random_graph(seed, several=several)
    named = ms.Graph.from_edges(g.edges(), names=[f"node {v}" for v in range(14)],
                                colors=[g.colors.of(v) for v in range(14)])
    for graph in (g, named):
        node = graph.nodes[3]
        for result in (graph.list("a,b"), graph.list("a,*:2", require=[node]), graph.screen("a,b"),
                       graph.screen("a,b", method="sieve"), graph.match("path:3"),
                       graph.match("(x:a)--(y)"), graph.match(([(0, 1), (1, 2)], ["a", None, ["b", "c"]])),
                       graph.nearest("a:2,b", max_extra=1),
                       graph.nearest("a:2,b", substitutes={("a", "c"): 2}, max_missing=1)):
            check = result.verify()
            assert check and check.accepted and check.outcome == "accepted", (result, check)
            assert check.rows == len(result)
    if not several:
        for result in (g.census(3), g.significance(3), g.census(2, permutations=5, seed=3)):
            assert result.verify(), result


def test_a_wrong_result_is_refused(tmp_path):
    g = ms.Graph.from_edges([(0, 1), (1, 2), (2, 3)], colors=[*"abab"])
    g.write(tmp_path / "g", "binary")
    h = ms.Graph(tmp_path / "g", format="binary")
    h.list("a,b").write(tmp_path / "r.tsv")
    assert ms.verify(tmp_path / "r.tsv", tmp_path / "g").completeness == "proved"
    text = (tmp_path / "r.tsv").read_text().replace("2\t1,2", "2\t0,2")
    (tmp_path / "r.tsv").write_text(text)
    check = ms.verify(tmp_path / "r.tsv", tmp_path / "g")
    assert not check and check.outcome == "refused" and check.problem


def test_nearest_matches():
    g = ms.Graph.from_edges([(0, 1), (1, 2), (3, 4)], colors=[*"axbab"])
    r = g.nearest("a,b", max_extra=1)
    assert list(r) == [(3, 4), (0, 1, 2)] or r["cost"].tolist() == [0, 1]
    assert r["extra"].tolist() == [0, 1] and r.row(-1).tolist() == [0, 1, 2]
    assert r.offsets.tolist() == [0, 2, 5] and r["size"].tolist() == [2, 3]
    assert g.nearest("a,b", max_missing=1, count_only=True).count == len(g.nearest("a,b"))
    assert r.slot_names == ("a", "b") and r.slots.tolist() == [0, 1, 0, 2, 1]
    assert r.unfilled(1) == () and r.extra_vertices(1).tolist() == [1] and r.extra_vertices(0).tolist() == []
    few = g.nearest("a:2,b", max_missing=1, max_extra=1)
    assert [few.unfilled(i) for i in range(len(few))] == [("a",), ("a",)]
    assert few.to_pandas(long=True)["slot"].tolist() == ["a", "b", "a", "extra", "b"]
    assert list(g.nearest("a,b", substitutes={("b", "x"): 3})) == [(3, 4), (0, 1)]
    s = g.screen("a,b", max_extra=1)
    assert dict(zip(s.vertices.tolist(), s["cost"].tolist())) == {0: 1, 1: 1, 2: 1, 3: 0, 4: 0}


@pytest.mark.parametrize("seed", range(4))
def test_census_against_lists(seed):
    _, colors, g = random_graph(seed, 20)
    c = g.census(3)
    assert c.count == len(c) == c.found
    for motif, sets in zip(c["motif"], c["sets"].tolist()):
        assert g.list(motif, count_only=True).count == sets
    assert c["sets"].sum() == c.total_sets and np.isclose(c["share"].sum(), 1)
    few = g.census(3, min_count=2, top=3)
    assert few["motif"].tolist() == [m for m, n in zip(c["motif"], c["sets"]) if n >= 2][:3]
    only = g.census(3, only=["a", "b"])
    assert not any("c" in motif for motif in only["motif"])


def test_significance_and_permutations(tmp_path):
    g = ms.generate("er", vertices=300, edges=900, colors=3, seed=5)
    c = g.significance(3, permutations=200, seed=2, threads=1)
    assert {"z", "perm_z", "perm_p_less"} <= set(c.columns) and c.permutations == 200
    near = np.abs(c["expected"] - c["perm_expected"]) < 0.1 * c["expected"] + 1
    assert near.all() and (np.abs(c["z"] - c["perm_z"]) < 1.5).all()
    by_z = g.significance(3, sort="z", top=4)
    assert (np.diff(by_z["z"]) <= 1e-5 * np.abs(by_z["z"][1:])).all() and len(by_z) == 4
    assert by_z["motif"][0] == c["motif"][np.argmax(c["z"])]
    by_z.write(tmp_path / "c.tsv")
    rows = [line.split("\t") for line in (tmp_path / "c.tsv").read_text().splitlines() if line[0] != "#"]
    assert [row[0] for row in rows[1:]] == by_z["motif"].tolist()
    assert g.census(3, permutations=20, threads=2)["perm_sd"].tolist() == g.census(
        3, permutations=20, threads=1)["perm_sd"].tolist()
    few = g.census(3, permutations=20, top=2)
    assert len(few) == len(few["perm_z"]) == 2 and few.verify()
    with pytest.raises(ms.UsageError, match="sort="):
        g.census(3, sort="z")
    with pytest.raises(ms.UsageError, match="colour 'x'"):
        g.census(3, only=["x"])


def test_strata(tmp_path):
    g = ms.Graph.from_points(np.random.default_rng(1).random((200, 2)), slides=[v % 2 for v in range(200)],
                             colors=["ab"[v % 2] for v in range(200)])
    c = g.census(2, permutations=10, strata=g.slides)
    assert np.nan_to_num(c["perm_sd"]).tolist() == [0, 0]  # each slide has one colour
    with pytest.raises(ms.UsageError, match="strata="):
        c.write(tmp_path / "c.tsv")


def test_mining(tmp_path):
    _, colors, g = random_graph(2)
    m = g.mine(3, support=2)
    assert len(m) == m.count > 3
    for i, motif in enumerate(m.motifs):
        assert g.screen(motif).vertices.tolist() == m.vertices_of(i).tolist()
    assert (m["vertices"] >= 2).all()
    m.write(tmp_path / "m.tsv")
    assert (tmp_path / "m.tsv").read_text().count("\n") > len(m)


@pytest.mark.parametrize("seed", range(4))
def test_components_and_paths(seed, tmp_path):
    source = nx.gnm_random_graph(30, 26, seed=seed)
    g = ms.Graph(source)
    wanted = sorted(map(sorted, nx.connected_components(source)))
    for algorithm in ("afforest", "kahan", "bully"):
        c = g.components(algorithm=algorithm)
        assert [c.vertices_of(i).tolist() for i in range(len(c))] == wanted
        assert c.sizes.tolist() == [len(part) for part in wanted]
    c.write(tmp_path / "c.tsv")
    pairs = np.random.default_rng(seed).integers(0, 30, (50, 2))
    p = g.paths(pairs)
    for i, (s, t) in enumerate(pairs.tolist()):
        if nx.has_path(source, s, t):
            path = p.path(i).tolist()
            assert len(path) - 1 == p["length"][i] == nx.shortest_path_length(source, s, t)
            assert (path[0], path[-1]) == (s, t) and all(source.has_edge(*e) for e in zip(path, path[1:]))
        else:
            assert p["length"][i] == ms.NO_PATH and p["path"][i] is None
    p.write(tmp_path / "p.tsv")
    assert len(g.paths([])) == 0
    with pytest.raises(ms.UsageError, match="node 99"):
        g.paths([(0, 99)])


def test_options_that_choose_matches():
    g = ms.generate("er", vertices=60, edges=200, colors=2, seed=3)
    every = g.list("c0:2,c1")
    few = g.list("c0:2,c1", limit=5)
    assert len(few) == 5 and few.stopped == "limit" and not few.complete and few.bound == 1.0
    drawn = g.list("c0:2,c1", sample=7, seed=9)
    rows = {tuple(row) for row in every.vertices.tolist()}
    assert len(drawn) == 7 and drawn.sampled_from == len(every)
    assert {tuple(row) for row in drawn.vertices.tolist()} <= rows
    apart = g.list("c0:2,c1", diverse=True)
    assert len(np.unique(apart.vertices)) == apart.vertices.size
    best = g.list("c0:2,c1", sort="density", top=3)
    assert len(best) == 3
    grouped = g.list("c0:2,c1", families=0.5)
    assert grouped.family_size.sum() == len(every) and "family_size" in grouped.columns
    counted = g.list("c0:2,c1", count_only=True, participation=True)
    assert counted.matches_of.sum() == 3 * len(every)
    assert g.match("triangle", limit=2).stopped in (None, "limit")


def test_participation_in_patterns(tmp_path):
    edges = [("a", "b"), ("b", "c"), ("a", "c"), ("c", "d"), ("d", "e"), ("d", "f"), ("e", "f"), ("c", "e")]
    g = ms.Graph.from_edges(edges)
    for embeddings in (False, True):
        r = g.match("paw", participation=True, roles=True, embeddings=embeddings)
        rows = g.match("paw", embeddings=embeddings).vertices
        assert r.positions == (("0", "1"), ("2",), ("3",)) and len(r) == 0 and r.count == len(rows)
        expected = np.zeros((6, 3), int)
        for row in rows:
            for i, v in enumerate(row):
                expected[v, (0, 0, 1, 2)[i]] += 1
        assert r.participation.tolist() == expected.tolist() and r.participation.dtype == np.uint64
        assert r.verify() and r.query["roles"] and r.query["participation"]
        whole = g.match("paw", participation=True, embeddings=embeddings)
        assert whole.participation.tolist() == expected.sum(1).tolist() and whole.positions == ()
        whole.write(tmp_path / "p.tsv")
        assert "# matches: " in (tmp_path / "p.tsv").read_text()
    assert g.match("paw").participation is None
    star = ms.Graph.from_edges([(0, i) for i in range(1, 100001)])
    big = star.match("star:5", participation=True, roles=True).participation
    assert big[0].tolist() == [math.comb(100000, 5), 0] and big[7].tolist() == [0, math.comb(99999, 4)]
    with pytest.raises(ms.UsageError, match="participation"):
        g.match("paw", roles=True)
    with pytest.raises(ms.UsageError, match="limit"):
        g.match("paw", participation=True, limit=3)
    t = ms.TypedGraph.from_edges([(0, 1), (1, 2), (3, 1)], ["s"] * 3, directed=True)
    typed = t.match("(x)-[s]->(y)<-[s]-(z)", participation=True, roles=True)
    assert typed.participation.tolist() == [[1, 0], [0, 1], [0, 0], [1, 0]] and typed.verify()
    assert typed.positions == (("x", "z"), ("y",))
    with pytest.raises(ms.UsageError, match="inexact"):
        t.match("(x)-[s]->(y)", participation=True, inexact=True)


def test_chosen_matches_of_patterns(tmp_path):
    edges = [("a", "b"), ("b", "c"), ("a", "c"), ("c", "d"), ("d", "e"), ("d", "f"), ("e", "f"), ("c", "e")]
    g = ms.Graph.from_edges(edges, scores=[0.1 * i for i in range(8)])
    every = {tuple(row) for row in g.match("path:3").vertices.tolist()}
    drawn = g.match("path:3", sample=4, seed=7)
    assert len(drawn) == 4 and drawn.sampled_from == len(every) and drawn.verify()
    assert {tuple(row) for row in drawn.vertices.tolist()} < every and drawn.query["sample"] == 4
    assert drawn.subgraphs == len(every) and drawn.count == 4
    assert g.match("path:3", sample=4, seed=8).vertices.tolist() != drawn.vertices.tolist()
    joined = g.match("path:3", sort="mean_score", top=3)
    assert len(joined) == 3 and joined.verify() and joined.query["sort"] == "mean_score"
    joined.write(tmp_path / "s.tsv", measures="scores")
    assert "match\tedges\tdensity\tmean_score\tleast_score\t0\t1\t2" in (tmp_path / "s.tsv").read_text()
    scored = g.match("path:3", sort="vertex_score", vertex_scores=[5, 7, 1, 0, 0, 9], top=2)
    assert scored.verify() and scored.vertices.tolist() == [[0, 2, 1][:3], [0, 1, 2]][::-1]
    with pytest.raises(ms.UsageError, match="vertex_scores"):
        scored.write(tmp_path / "v.tsv")
    with pytest.raises(ms.UsageError, match="top"):
        g.match("path:3", top=2)
    t = ms.TypedGraph.from_edges([(0, 1), (1, 2), (3, 1)], ["s"] * 3, directed=True)
    typed = t.match("(x)-[s]->(y)", sample=2)
    assert len(typed) == 2 and typed.sampled_from == 3 and typed.verify()


def test_scores():
    g = ms.Graph.from_edges([(0, 1), (1, 2)], colors=[*"aba"], scores=[0.25, 0.75])
    r = g.list("a,b", sort="mean_score")
    assert r.vertices.tolist() == [[1, 2], [0, 1]]
    s = g.screen("a,b", method="exact", profile=True)
    assert s["score"].tolist() == [0.25, 0.75, 0.75]


def test_scores_of_vertices(tmp_path):
    g = ms.Graph.from_edges([("x", "y"), ("y", "z")], colors=[*"aba"])
    file = tmp_path / "scores"
    file.write_text("x\t3\ny\t1\nz\t7\n")
    for scores in ([3, 1, 7], np.array([3.0, 1, 7]), {"x": 3, "y": 1, "z": 7}, file):
        s = g.screen("a,b", vertex_scores=scores, all_sums=True)
        assert s["best_sum"].tolist() == [4, 8, 8] and s.verify()
        assert [s.sums_of(v).tolist() for v in range(3)] == [[4], [4, 8], [8]]
        r = g.list("a,b", sort="vertex_score", vertex_scores=scores)
        assert list(r) == [("y", "z"), ("x", "y")] and r.verify()
        if scores is file:
            s.write(tmp_path / "s.tsv")
        else:
            with pytest.raises(ms.UsageError, match="as a path"):
                s.write(tmp_path / "s.tsv")
    for wrong in ([1, 2], [0.5, 1, 1], [-1, 0, 0], {"w": 1}):
        with pytest.raises(ms.UsageError, match="vertex_scores="):
            g.screen("a,b", vertex_scores=wrong)
    with pytest.raises(ms.UsageError, match="all_sums=True"):
        g.screen("a,b").sums_of(0)


def test_substitutes_of_a_screen():
    g = ms.Graph.from_edges([(0, 1), (2, 3)], colors=[*"axab"])
    s = g.screen("a,b", substitutes={("b", "x"): 2})
    assert s.vertices.tolist() == [0, 1, 2, 3] and s["cost"].tolist() == [2, 2, 0, 0] and s.verify()


def test_a_vertex_with_the_name_of_a_column():
    g = ms.Graph.from_edges([(0, 1), (1, 2)])
    r = g.match("(match)--(b)")
    assert r["match"].tolist() == [1, 2] and len(r["node:match"]) == 2


def test_comparisons():
    slides = {f"s{i}": ms.generate("er", vertices=60, edges=120, colors=3, seed=i) for i in range(6)}
    ill = {name: "ill" if int(name[1]) < 3 else "well" for name in slides}
    c = ms.compare(slides, ill, k=2)
    assert c.samples == tuple(slides) and c.complete and c.test == "samples" and c.permutations == 20
    for j, graph in enumerate(slides.values()):
        census = graph.census(2)
        counts = dict(zip(census["motif"], census["sets"].tolist()))
        assert dict(zip(c.motifs, c.sets[:, j].tolist())) == {m: counts.get(m, 0) for m in c.motifs}
        assert c.total_sets[j] == census.total_sets
    assert set(c["group"]) == {"well"} and set(c["reference"]) == {"ill"}
    shares = c.sets / c.total_sets
    for row in c:
        at = c.motifs.index(row["motif"])
        assert np.isclose(row["rate"], shares[at, 3:].mean())
        assert np.isclose(row["reference_rate"], shares[at, :3].mean())
    edges = np.vstack([graph.edges() + 60 * i for i, graph in enumerate(slides.values())])
    whole = ms.Graph.from_edges(edges, n=360, colors=[c for g in slides.values() for v in range(60)
                                                      for c in g.colors.of(v)])
    samples = np.repeat([*slides], 60)
    parts = whole.compare([ill[name] for name in samples], samples=samples, k=2)
    assert {row["motif"]: row["p"] for row in parts} == {row["motif"]: row["p"] for row in c}
    left_out = whole.compare([ill[name] if name != "s0" else None for name in samples], samples=samples, k=2)
    assert left_out.samples == tuple(slides)[1:]
    with pytest.raises(ms.UsageError, match="'s5'"):
        ms.compare(slides, {name: "x" for name in list(slides)[:5]})
    with pytest.raises(ms.UsageError, match="samples="):
        ms.compare(slides, ill, samples=[1])
    with pytest.raises(ms.UsageError, match="360 vertices"):
        whole.compare(["x"])


def test_the_same_result_on_any_number_of_threads():
    g = ms.generate("er", vertices=200, edges=800, colors=3, seed=1)
    for run in (lambda t: g.list("c0:2,c1,c2", threads=t).vertices,
                lambda t: g.screen("c0:2,c1,c2", method="sieve", threads=t).hits_of,
                lambda t: g.match("diamond", threads=t).vertices):
        assert (run(1) == run(3)).all()


def test_results_are_frozen():
    g = ms.Graph.from_edges([(0, 1)], colors=[*"ab"])
    r = g.list("a,b")
    with pytest.raises(AttributeError):
        r.graph = None
    with pytest.raises(ValueError):
        r.vertices[0, 0] = 7
    with pytest.raises(ValueError):
        r["node1"][0] = 7
    with pytest.raises(KeyError):
        r["nothing"]


def test_results_outlive_their_graph():
    def make():
        return ms.Graph.from_edges([("x", "y")], colors=[*"ab"]).list("a,b")

    results = [make() for _ in range(50)]
    assert all(r.slots.tolist() == [[0, 1]] and list(r) == [("x", "y")] for r in results)
    arrays = [make().vertices for _ in range(50)]
    assert all(a.tolist() == [[0, 1]] for a in arrays)


def test_memory_is_freed_without_the_garbage_collector():
    import gc
    import weakref

    gc.collect()
    gc.disable()
    try:
        g = ms.Graph.from_edges([(0, 1)], colors=[*"ab"])
        results = [g.list("a,b"), g.screen("a,b"), g.match("path:2"), g.nearest("a,b"), g.census(2),
                   g.mine(2), g.components(), g.paths([(0, 1)])]
        for r in results:
            assert {len(r.columns[name]) for name in r.columns} == {2 if r.kind == "components" else len(r)}, r.kind
            r.to_pandas()
        alive = [weakref.ref(r) for r in results] + [weakref.ref(g)]
        del r, g, results
        assert [ref() for ref in alive] == [None] * len(alive)
    finally:
        gc.enable()


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc here")
def test_many_queries_leave_no_memory():
    def resident():
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def use(g, count):
        for i in range(count):
            g.list("a,b"), g.screen("a,b"), g.match("path:2")
            if i % 10 == 0:
                ms.Graph.from_edges([(0, 1), (1, 2)], colors=[*"aba"]).list("a,b")

    g = ms.Graph.from_edges([(0, 1), (1, 2)], colors=[*"aba"])
    use(g, 300)
    before = resident()
    use(g, 1500)
    assert resident() - before < 2 << 20  # 4500 results that stayed would take four times as much


def test_threads_share_a_graph():
    from concurrent.futures import ThreadPoolExecutor

    for seed in range(5):
        g = ms.generate("er", vertices=100, edges=300, colors=3, seed=seed)
        same = ms.generate("er", vertices=100, edges=300, colors=3, seed=seed)
        calls = [lambda g: g.list("c0,c1,c2").vertices.tolist(), lambda g: g.screen("c0:2,c1").vertices.tolist(),
                 lambda g: g.match("triangle").vertices.tolist(), lambda g: g.census(3)["sets"].tolist()]
        with ThreadPoolExecutor(8) as pool:
            found = [*pool.map(lambda i: calls[i % 4](g), range(32))]
        assert found == [calls[i % 4](same) for i in range(32)]


@pytest.mark.parametrize("ending, starts",
                         [("tsv", "# motifsieve"), ("json", "{"), ("cx2", "["), ("dot", "//")])
def test_files_of_results(ending, starts, tmp_path):
    g = ms.Graph.from_edges([(0, 1)], colors=[*"ab"])
    path = tmp_path / f"r.{ending}"
    g.list("a,b").write(path)
    assert path.read_text().lstrip().startswith(starts)
    g.list("a,b").write(tmp_path / "r.svg", positions=[[0, 0], [1, 1]])
    g.match("path:2").write(tmp_path / "m.tsv.gz")
    assert (tmp_path / "m.tsv.gz").read_bytes()[:2] == b"\x1f\x8b"


def test_generated_graphs():
    g = ms.generate("regular", vertices=50, degree=4, motif="x:2,y", plants=3, seed=7)
    assert g.list("x:2,y").count >= 3 and np.diff(g.indptr.astype(int)).tolist() == [4] * 50
    assert ms.generate("rmat", scale=5, edges=60, quadrants=(0.5, 0.2, 0.2, 0.1)).edge_count == 60
    assert ms.generate("grid", rows=3, cols=4, removed=0, diagonals=0).edge_count == 17
    hubs = ms.generate("hubs", vertices=400, degree=8, exponent=-1, classes=20)
    assert np.diff(hubs.indptr.astype(int)).max() > 60
    with pytest.raises(ms.UsageError, match="family="):
        ms.generate("tree")
    with pytest.raises(ms.UsageError, match="degree="):
        ms.generate("regular", vertices=10)


def _edges(graph):
    """The edges as pairs of nodes."""
    return {frozenset((graph.nodes[a], graph.nodes[b])) for a, b in graph.edges().tolist()}


@pytest.mark.parametrize("new_names", ["permuted", "numbers", "kept"])
def test_shuffled_graphs(new_names):
    rng = np.random.default_rng(1)
    pairs = [(f"n{a}", f"n{b}") for a, b in rng.integers(0, 40, (120, 2)) if a != b]
    g = ms.Graph(pairs, colors={f"n{i}": "abc"[i % 3] for i in range(40)})
    g.positions = rng.random((len(g), 2))
    h = ms.generate(g, shuffle=new_names, seed=3)
    again = ms.generate(g, shuffle=new_names, seed=3, threads=3)
    assert list(h.nodes) == list(again.nodes) and h.edges().tolist() == again.edges().tolist()
    assert h.list("a,b,c").count == g.list("a,b,c").count
    # the places tell which vertex each was
    old = [int(np.flatnonzero((g.positions == place).all(axis=1))[0]) for place in h.positions]
    assert sorted(old) == list(range(len(g))) != old
    assert [h.colors.of(v) for v in range(len(h))] == [g.colors.of(v) for v in old]
    assert {frozenset((g.nodes[old[a]], g.nodes[old[b]])) for a, b in h.edges().tolist()} == _edges(g)
    if new_names == "kept":
        assert list(h.nodes) == [g.nodes[v] for v in old] and _edges(h) == _edges(g)
    elif new_names == "numbers":
        assert h.nodes == range(len(g))
    else:
        assert sorted(h.nodes) == sorted(g.nodes) and _edges(h) != _edges(g)


def test_given_graphs_get_colors():
    g = ms.generate("er", vertices=60, edges=150, colors=3)
    assert len(ms.generate(g, colors=5).colors.names) == 5
    h = ms.generate(g, permute_colors=True)
    assert sorted(map(h.colors.of, range(60))) == sorted(map(g.colors.of, range(60)))
    assert h.edges().tolist() == g.edges().tolist()
    planted = ms.generate(g, motif="new:2,c0", plants=2, seed=4)
    new = [v for v in range(60) if planted.colors.of(v) == ("new",)]
    changed = [v for v in range(60) if planted.colors.of(v) != g.colors.of(v)]
    assert len(new) == 4 and set(new) <= set(changed) and len(changed) <= 6
    assert planted.list("new:2,c0").count >= 2
    assert len(ms.generate(g, motif="new:2", background=1).colors.names) == 2
    with pytest.raises(ms.UsageError, match="vertices="):
        ms.generate(g, vertices=3)
    with pytest.raises(ms.UsageError, match="permute_colors="):
        ms.generate("clique", vertices=3, permute_colors=True)
    with pytest.raises(ms.UsageError, match="shuffle="):
        ms.generate(g, shuffle="new")


@pytest.mark.parametrize("directed", [False, True])
def test_patterns_that_are_cut(directed):
    pairs = np.random.default_rng(2).integers(0, 50, (150, 2))
    g = ms.Graph.from_edges(pairs, directed=directed, colors=[None if v % 5 == 0 else "ab"[v % 2] for v in range(50)])
    for edges in (None, 5):
        cut = ms.cut_patterns(g, 6, k=5, edges=edges, seed=2)
        assert len(cut) == 6
        for pattern, vertices in cut:
            found = g.match(pattern, induced=edges is None, embeddings=True)
            assert vertices.tolist() in found.vertices.tolist()
    assert ms.cut_patterns(g, 1, k=5, seed=2)[0][1].tolist() == ms.cut_patterns(g, 3, k=5, seed=2)[0][1].tolist()
    with pytest.raises(ms.UsageError, match="density="):
        ms.cut_patterns(g, density="thick")
    with pytest.raises(ms.UsageError, match="from 2 to 256"):
        ms.cut_patterns(g, k=257)


def test_module_functions_are_the_methods():
    g = ms.Graph.from_edges([(0, 1)], colors=[*"ab"])
    for name in ("screen", "list", "match", "nearest", "census", "significance", "mine", "components",
                 "paths"):
        assert getattr(ms, name) is getattr(ms.Graph, name)
    assert ms.list(g, "a,b").count == 1
    assert ms.__version__ and set(dir(ms)) >= {"Graph", "screen"}


def test_verify_comparisons():
    slides = {i: ms.generate("er", vertices=40, edges=80, colors=2, seed=i) for i in range(8)}
    groups = {i: "ill" if i < 4 else "well" for i in slides}
    whole = ms.generate("er", vertices=200, edges=500, colors=3)
    made = [ms.compare(slides, groups, k=2, **o) for o in
            ({}, {"rest": True}, {"reference": "ill"}, {"permutations": 20}, {"top": 1}, {"only": ["c0"]},
             {"blocks": {i: i % 4 for i in slides}})]
    made += [whole.compare(["a", "b"] * 100, k=2, samples=[i % 8 for i in range(200)]),
             whole.compare(["a", "b", None, ""] * 50, k=2, permutations=20)]
    for c in made:
        check = c.verify()
        assert check and check.completeness == "proved" and check.rows == len(c) > 0
    for member in ("p", "rate", "log2_ratio"):
        c = ms.compare(slides, groups, k=2)
        setattr(c._raw.row[0], member, getattr(c._raw.row[0], member) + 0.25)
        assert not c.verify()
    with pytest.raises(ms.UsageError, match="cannot be written"):
        made[0].to_cx2()


def test_bounds_of_most_motifs_are_named() -> None:
    """Where a hub makes the distribution of most motifs, a warning names permutations; in a circle, none does."""
    star = ms.Graph([(0, v) for v in range(1, 200)], colors=["a", "b", "c", "d"] * 50)
    with pytest.warns(RuntimeWarning, match="only an upper bound .*permutations=1000"):
        assert set(star.significance(3)["p_by"]) == {"bound"}
    circle = ms.Graph([(v, (v + 1) % 1000) for v in range(1000)], colors=["a", "b"] * 500)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        circle.significance(2)
