"""Many motifs in one call, censuses of vertices, and the checks of results in memory."""

import itertools
import threading

import numpy as np
import pytest

import motifsieve as ms


@pytest.fixture(scope="module")
def g():
    return ms.generate("er", vertices=60, edges=130, colors=3)


# ---- many motifs ---------------------------------------------------------------------

MOTIFS = {"pair": "c0,c1", "triple": {"c0": 2, "c1": 1}, "any": "c2,*:2", "range": "c0:1-2,c2", "none": "c0:30"}


def test_many_is_one_after_another(g):
    screens, lists = g.screen_many(MOTIFS), g.list_many(MOTIFS)
    assert screens.names == lists.names == ("pair", "triple", "any", "range[1]", "range[2]", "none")
    assert screens.complete and lists.complete and screens.bound == lists.bound == 0
    for i, motif in enumerate(screens["motif"].tolist()):
        one, all_of_it = g.screen(motif), g.list(motif)
        assert np.array_equal(screens.vertices_of(i), one.vertices) and screens["vertices"][i] == len(one)
        assert np.array_equal(lists.matches_of(i), all_of_it.vertices) and lists["matches"][i] == all_of_it.count
        assert np.array_equal(lists.vertices_of(screens.names[i]), one.vertices)
        assert screens["k"][i] == lists["k"][i] == one._raw.k
    with pytest.raises(KeyError):
        screens.vertices_of("nothing")
    with pytest.raises(IndexError):
        screens.vertices_of(6)


def test_many_counts_and_limits(g):
    counted = g.list_many(MOTIFS, count_only=True)
    assert counted["matches"].tolist() == g.list_many(MOTIFS)["matches"].tolist()
    assert counted.matches_of("pair").shape == (0, 2)
    limited = g.list_many(["c0,c1", "c0:30"], limit=2)
    assert limited["matches"].tolist() == [2, 0] and limited["stopped"].tolist() == ["limit", ""]
    assert limited.stopped == "limit" and limited.bound == 1
    assert "stopped by the limit" in limited._repr_html_()


def test_many_of_a_list_has_texts_as_names(g):
    r = g.screen_many(["c0,c1", ["c2", "c2"], {"c0": 1, ("c1", "c2"): 1}])
    assert r.names == ("c0,c1", "c2,c2", "c0,c1|c2") and len(r) == 3
    frame = pytest.importorskip("pandas") and r.to_pandas()
    assert frame.columns.tolist() == ["name", "motif", "k", "vertices", "bound", "stopped", "seconds"]
    assert r.to_arrow() and "exact" in r._repr_html_() and "3 of 3 motifs" in repr(r)
    for convert in (r.to_networkx, r.to_obs, r.to_cx2, lambda: r.write("x.tsv"), r.verify):
        with pytest.raises(ms.UsageError):
            convert()


# ---- many patterns -------------------------------------------------------------------

PATTERNS = {"loop": "triangle", "way": "(a:c0)--(b)--(c:c1|c2)", "apart": "(a)--(b), (c:c1)",
            "edges": ([(0, 1), (1, 2)], ["c0", None, ["c0", "c2"]]), "none": "clique:6"}


def test_many_patterns_are_one_after_another(g):
    for options in ({}, {"induced": True}, {"embeddings": True}):
        r = g.match_many(PATTERNS, **options)
        assert r.names == tuple(PATTERNS) and r.complete and r.bound == 0 and len(r) == 5
        for i, pattern in enumerate(PATTERNS.values()):
            assert r["matches"][i] == g.match(pattern, count_only=True, **options).count
            assert r["vertices"][i] == len(ms.Pattern(pattern))
            assert g.match(r["pattern"][i], count_only=True, **options).count == r["matches"][i]
        assert r.verify().accepted and r.verify().completeness == "proved"
    assert r["automorphisms"].tolist() == [6, 1, 2, 1, 720] and r["edges"].tolist() == [3, 2, 1, 2, 15]
    assert g.match_many(["triangle", "path:3"]).names == ("triangle", "path:3")


def test_large_numbers_are_exact():
    star = ms.Graph.from_edges([(0, i) for i in range(1, 90)])
    r = star.match_many(["star:40", "path:3"])
    assert r["matches"].tolist() == [54108237917624184105984350, 3916] or r["matches"][0] > 1 << 70
    assert r["matches"][0] == star.match("star:40", count_only=True).count


def test_permutations_of_patterns(g, tmp_path):
    for null in ("labels", "degree", "edges", "rewire", "rewire-colors"):
        r = g.match_many(PATTERNS, permutations=30, null=null, max_t=True, keep_counts=30, seed=4)
        counts = r.null_counts.astype(float)
        assert counts.shape == (30, 5) and r.permutations == 30
        assert np.allclose(counts.mean(axis=0), r["perm_expected"])
        assert np.allclose(counts.std(axis=0, ddof=1), r["perm_sd"])
        assert np.allclose((1 + (counts >= r["matches"]).sum(axis=0)) / 31, r["perm_p"])
        assert np.allclose((1 + (counts <= r["matches"]).sum(axis=0)) / 31, r["perm_p_less"])
        assert (r["perm_p_max"] >= r["perm_p"] - 1e-12).all()
        checked = r.verify()
        assert checked.accepted and checked.completeness == "proved"
        r.write(tmp_path / "r.tsv")
        assert f"# null: {null}" in (tmp_path / "r.tsv").read_text()
    frame = pytest.importorskip("pandas") and r.to_pandas()
    assert frame.columns.tolist() == ["name", "matches", "perm_expected", "perm_z", "perm_p", "perm_q", "perm_p_max"]


def test_wrong_patterns(g):
    for patterns, words in (({}, "is empty"), (["triangle", "triangle"], "twice"), (["triangel"], "triangel"),
                            ({"#x": "triangle"}, "#"), ({"": "triangle"}, "empty")):
        with pytest.raises((ms.UsageError, ms.InputError), match=words):
            g.match_many(patterns)
    with pytest.raises(TypeError):
        g.match_many("triangle")
    for options in ({"null": "labels"}, {"max_t": True}, {"keep_counts": 3}, {"strata": [0] * 60}):
        with pytest.raises(ms.UsageError, match="permutations="):
            g.match_many(["triangle"], **options)
    bare = ms.Graph.from_edges([(0, 1), (1, 2)])
    with pytest.raises(ms.UsageError, match="colours"):
        bare.match_many(["path:2"], permutations=9, null="labels")
    with pytest.raises(ms.UsageError, match="colours"):
        bare.match_many(["(a:c0)--(b)"])
    assert bare.match_many(["path:2"], permutations=9)["perm_p"].tolist() == [1.0]


def with_time(least, call):
    """The result of a call with a time, or with more where a busy machine had no result by then."""
    for seconds in (least, 4 * least):
        try:
            return call(seconds)
        except ms.StoppedError:
            pass
    return call(16 * least)


def test_many_ends_early():
    big = ms.generate("er", vertices=2000, edges=40000, colors=3)
    slow = {str(i): "c0:4,c1:4,c2:4" for i in range(4)}
    r = with_time(0.3, lambda seconds: big.list_many(slow, count_only=True, timeout=seconds))
    assert r.stopped == "time" and r.bound == 1
    for seconds in (0.2, 1, 5):  # a busy machine may need longer for the quick one
        r = big.list_many({"slow": "c0:4,c1:4,c2:4", "quick": "c0,c1"}, count_only=True, seconds_each=seconds)
        if r["stopped"].tolist() == ["time", ""]:
            break
    assert r["stopped"].tolist() == ["time", ""]

    def stopped(seconds):
        stop = ms.Stop()
        threading.Timer(seconds, stop.request).start()
        return big.screen_many(slow, method="exact", stop=stop, timeout=60)

    assert with_time(0.3, stopped).stopped in (None, "interrupted")

    def fail(*args):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        big.list_many({str(i): "c0:2,c1:2" for i in range(200)}, count_only=True, progress=fail, timeout=60)


# ---- censuses of vertices ------------------------------------------------------------


def connected(graph, chosen):
    reached, todo = {chosen[0]}, [chosen[0]]
    while todo:
        for w in graph.neighbors(todo.pop()).tolist():
            if w in chosen and w not in reached:
                reached.add(w)
                todo.append(w)
    return len(reached) == len(chosen)


@pytest.mark.parametrize("seed", range(6))
def test_vertex_censuses(seed):
    """Every number against brute force over all sets."""
    rng = np.random.default_rng(seed)
    n, k = 10, 2 + seed % 3
    edges = rng.integers(0, n, (14, 2))
    colors = [list({"abc"[i] for i in rng.integers(0, 3, rng.integers(0, 3))}) for _ in range(n)]
    graph = ms.Graph.from_edges(edges, n=n, colors=colors)
    wanted = {}
    for chosen in itertools.combinations(range(n), k):
        if connected(graph, chosen):
            for motif in {tuple(sorted(choice)) for choice in itertools.product(*(colors[v] for v in chosen))}:
                for v in chosen:
                    wanted[v, motif] = wanted.get((v, motif), 0) + 1
    c = graph.census_vertices(k)
    names = graph.colors.names
    found = {(v, tuple(sorted(names[i] for i in row))): count for v, row, count in
             zip(c["vertex"].tolist(), c.color.tolist(), c["sets"].tolist())}
    assert found == wanted and len(c) == len(wanted)
    assert c.verify() and c.verify().completeness == "proved"
    sp = pytest.importorskip("scipy.sparse")
    matrix = c.to_matrix()
    assert sp.issparse(matrix) and matrix.shape == (n, len(c.motifs)) and matrix.sum() == sum(wanted.values())
    whole = graph.census(k)
    totals = dict(zip(whole["motif"].tolist(), whole["sets"].tolist()))
    assert dict(zip(c.motifs, (np.asarray(matrix.sum(axis=0)).ravel() // k).tolist())) == totals
    for row, (v, motif) in enumerate(zip(c["vertex"].tolist(), c["motif"].tolist())):
        assert matrix[v, c.motifs.index(motif)] == c["sets"][row]
    assert matrix.dtype == np.int32 and matrix.has_canonical_format
    if len(c):
        c = graph.census_vertices(k)
        c._held.n_sets[len(c) - 1] = 2**31
        assert c.to_matrix().dtype == np.int64 and c.to_matrix().max() == 2**31


def test_vertex_censuses_of_options(g, tmp_path):
    c = g.census_vertices(3, top=1)
    assert len(c) == len(c.vertices) and c.verify()
    assert (g.census_vertices(3, min_count=5)["sets"] >= 5).all()
    assert set(g.census_vertices(2, only=["c0"]).motifs) == {"c0:2"}
    c.write(tmp_path / "census.tsv")
    assert (tmp_path / "census.tsv").read_text().count("\n") > len(c)
    pytest.importorskip("pandas")
    assert c.to_pandas().columns.tolist() == ["node", "motif", "sets"]
    assert c.to_networkx().number_of_nodes() == len(c.vertices)
    wrong = g.census_vertices(3)
    wrong._held.n_sets[5] += 1
    assert not wrong.verify() and "other rows" in wrong.verify().problem
    empty = ms.Graph([]).with_colors([]).census_vertices(2)
    assert len(empty) == 0 and len(empty.to_pandas()) == 0
    assert g.census_vertices(5, timeout=1e-6).stopped == "time"


# ---- checks in memory ----------------------------------------------------------------


def test_checks_in_memory(g):
    named = ms.Graph.from_networkx(pytest.importorskip("networkx").grid_2d_graph(4, 4))
    directed = ms.Graph.from_edges([(0, 1), (1, 2), (2, 0), (3, 0)], directed=True, colors=[*"abab"])
    typed = ms.TypedGraph.from_edges([("x", "y"), ("y", "z"), ("x", "z")], ["s", "s", "t"], directed=True)
    for r in (g.components(), named.components(), directed.components(), g.mine(3), g.mine(3, support=30),
              directed.mine(2), g.paths([(0, v) for v in range(60)]), g.paths([(0, 9)], max_length=1), g.paths([]),
              named.paths([((0, 0), (3, 3))]), directed.paths([(0, 3), (3, 2)]),
              directed.paths([(0, 3)], both_ways=True), typed.paths([("x", "z"), ("z", "x")]),
              typed.paths([("x", "z")], types=["s"]), typed.paths([("z", "x")], types="t", both_ways=True)):
        check = r.verify()
        assert check and check.completeness == "proved" and check.rows == len([*r.columns.values()][0]), r


def test_checks_in_memory_refuse(g):
    c = g.components()
    wrong = np.array(c.component)
    wrong[7] += 1
    c.__dict__["_component"] = wrong
    assert not c.verify() and "vertex 7" in c.verify().problem
    p = g.paths([(0, 9), (1, 8)])
    p._lengths[1] += 1
    assert not p.verify() and "shortest path" in p.verify().problem
    m = g.mine(3)
    m._kept.vertices[2] = m._kept.vertices[2][1:]
    assert not m.verify()
    m = g.mine(3)
    for items in (m._kept.motifs, m._kept.slots, m._kept.vertices):
        del items[-1]
    assert not m.verify() and m.verify().missing == 1
    slow = ms.generate("er", vertices=2000, edges=40000, colors=3).mine(2)
    slow._run.slots = 8
    check = with_time(0.2, lambda seconds: slow.verify(timeout=seconds))
    assert check.outcome == "unfinished" and check.stopped == "time"


# ---- inexact matches and labels ------------------------------------------------------


def test_inexact_typed_matches():
    t = ms.TypedGraph.from_edges([("a", "b"), ("b", "c"), ("a", "d")], ["binds", "causes", "binds"],
                                 vertex_types={"a": "Drug", "b": "Gene", "c": "Illness", "d": "Gene"})
    r = t.match("(x:Drug)-[binds]-(y:Gene)-[causes]-(z:Illness)", inexact=True, best=5)
    assert r.inexact and r.score[0] == r.best_score and tuple(list(r)[0]) == ("a", "b", "c")
    assert (np.diff(r.score.astype(int)) <= 0).all() and r.bound == 1 and "better ones" in r._repr_html_()
    assert r.columns["score"].tolist() == r.score.tolist()
    walk = t.match("(x:Drug)-[binds]-(y:Gene)", inexact=True, walk="random", walk_length=20, seed=3)
    assert walk.score[0] == walk.best_score
    for wrong in ({"inexact": True, "limit": 3}, {"inexact": True, "require": "a"}, {"best": 3}, {"walk": "euler"}):
        with pytest.raises(ms.UsageError, match="leave it out"):
            t.match("(x)--(y)", **wrong)
    with pytest.raises(ms.UsageError, match="no check of inexact"):
        r.verify()
    exact = t.match("(x)--(y)")
    assert not exact.inexact and exact.score is None and "score" not in exact.columns


def test_labels(tmp_path):
    (tmp_path / "g.txt").write_text("P1 P2\nP2 P3\n")
    (tmp_path / "labels.tsv").write_text("P1\tCDC9\nP3\tPOL30\n")
    (tmp_path / "alias.tsv").write_text("P1\tCDC9\nP2\tREV7\n")
    graph = ms.Graph.from_file(tmp_path / "g.txt", [*"aba"])
    labels = graph.labels(tmp_path / "labels.tsv")
    assert labels == ["CDC9", None, "POL30"]
    r = graph.list("a:2,b")
    r.write(tmp_path / "r.tsv", labels=tmp_path / "labels.tsv")
    assert "POL30" in (tmp_path / "r.tsv").read_text()
    pytest.importorskip("pandas")
    assert r.to_pandas(labels=labels).iloc[0].tolist() == [1, "CDC9", "P2", "POL30"]
    assert r.to_pandas(labels=labels, long=True).node.tolist() == ["CDC9", "P2", "POL30"]
    assert graph.paths([("P1", "P3")]).to_pandas(labels=labels).path[0] == ("CDC9", "P2", "POL30")
    aliased = ms.Graph.from_file(tmp_path / "g.txt", aliases=tmp_path / "alias.tsv")
    assert aliased.labels() == ["CDC9", "REV7", None]
    aliased = aliased.with_colors([*"aba"])
    aliased.list("a:2,b").write(tmp_path / "r.tsv", labels=tmp_path / "alias.tsv")
    with pytest.raises(ms.UsageError, match="aliases="):
        graph.list("a:2,b").write(tmp_path / "r.tsv", labels=True)
    typed = ms.TypedGraph.from_edges([("P1", "P2")], ["t"])
    typed.match("(x)--(y)").write(tmp_path / "t.tsv", labels=tmp_path / "labels.tsv")
    assert "CDC9" in (tmp_path / "t.tsv").read_text()
