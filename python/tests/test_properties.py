"""Random small graphs: each query against NetworkX or against brute force from its definition.

MOTIFSIEVE_TEST_SCALE multiplies the number of cases.  A failure prints a smallest case, and a line
that repeats it.
"""

import itertools
import os
from collections import Counter

import numpy as np
import pytest

import motifsieve as ms

hypothesis = pytest.importorskip("hypothesis", reason="hypothesis is not installed")
networkx = pytest.importorskip("networkx", reason="networkx is not installed")

from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from networkx.algorithms.isomorphism import DiGraphMatcher, GraphMatcher  # noqa: E402

SCALE = float(os.environ.get("MOTIFSIEVE_TEST_SCALE", "1"))
COLORS = "abc"


def cases(number):
    """So many examples, the same ones in each run, but with MOTIFSIEVE_TEST_LONG=1."""
    return settings(max_examples=max(5, int(number * SCALE)), deadline=None, database=None, print_blob=True,
                    derandomize=os.environ.get("MOTIFSIEVE_TEST_LONG", "0") in ("", "0"),
                    suppress_health_check=list(HealthCheck))


@st.composite
def graphs(draw, most=8, several=True, directed=False):
    """Draw (n, edges, colors): edges are pairs, and a vertex has up to two colours."""
    n = draw(st.integers(1, most))
    pairs = list((itertools.permutations if directed else itertools.combinations)(range(n), 2))
    if draw(st.booleans()):
        there = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
        edges = [pair for pair, drawn in zip(pairs, there) if drawn]
    else:  # nearly a tree, in which vertices are far from each other
        near = [(draw(st.integers(max(0, v - 2), v - 1)), v) for v in range(1, n)]
        more = draw(st.lists(st.sampled_from(pairs), max_size=2)) if pairs else []
        edges = sorted({*near, *more})
    one = st.lists(st.sampled_from(COLORS), min_size=0, max_size=2 if several else 1, unique=True).map(sorted)
    colors = draw(st.lists(one, min_size=n, max_size=n))
    return n, edges, colors


def made(drawn, directed=False):
    """Make the graph of what was drawn."""
    n, edges, colors = drawn
    return ms.Graph.from_edges(np.array(edges, np.int64).reshape(-1, 2), n=n, colors=colors, directed=directed)


def neighbors(drawn):
    n, edges, _ = drawn
    found = [set() for _ in range(n)]
    for u, v in edges:
        found[u].add(v)
        found[v].add(u)
    return found


def connected(members, near):
    members = set(members)
    reached, queue = set(), [min(members)]
    while queue:
        v = queue.pop()
        if v not in reached:
            reached.add(v)
            queue += near[v] & members
    return reached == members


def known(drawn, motif):
    """True if the graph has the colours of a motif; others are refused, which test_errors.py tests."""
    return {c for own in drawn[2] for c in own} >= {c for slot in motif for c in slot.strip("!").split("|") if c != "*"}


def fills(own, slot):
    """True if a vertex with the colours `own` fills a slot, from docs/GUIDE.md."""
    if slot == "*":
        return True
    if slot.startswith("!"):
        return slot[1:] not in own
    return bool(set(slot.split("|")) & set(own))


def is_match(members, slots, colors):
    return any(all(fills(colors[v], slot) for v, slot in zip(order, slots))
               for order in itertools.permutations(members))


def brute_matches(drawn, slots):
    """All connected sets whose vertices can be paired off with the slots, ascending."""
    n, _, colors = drawn
    near = neighbors(drawn)
    return [list(members) for members in itertools.combinations(range(n), len(slots))
            if connected(members, near) and is_match(members, slots, colors)]


slots = st.lists(st.sampled_from(["a", "b", "c", "*", "a|b", "!c"]), min_size=1, max_size=4)


# ---- motifs --------------------------------------------------------------------------


@cases(150)
@given(graphs(), slots)
def test_matches_of_a_motif(drawn, motif):
    """Lists, counts and rows, exact and behind the sieve, against all subsets; threads 1 and 2."""
    hypothesis.assume(known(drawn, motif))
    g, expected = made(drawn), brute_matches(drawn, motif)
    text = ",".join(motif)
    for threads in (1, 2):
        r = g.list(text, threads=threads)
        assert r.vertices.tolist() == expected and r.count == len(expected) and r.complete and r.bound == 0
        for row, slot in zip(r.vertices.tolist(), r.slots.tolist()):
            assert sorted(slot) == list(range(len(motif)))
            assert all(fills(drawn[2][v], r.slot_names[d]) for v, d in zip(row, slot))
        assert g.list(text, threads=threads, count_only=True).count == len(expected)
        # a match is missed with a probability of less than 1e-5
        assert g.list(text, threads=threads, exact=False).vertices.tolist() == expected
    limited = [g.list(text, limit=1, threads=threads).vertices.tolist() for threads in (1, 2)]
    assert limited[0] == limited[1] and len(limited[0]) == min(1, len(expected))
    assert all(row in expected for row in limited[0])


@cases(150)
@given(graphs(most=10), slots)
def test_vertices_in_matches(drawn, motif):
    """Screens by enumeration and by the sieve, against all subsets; threads 1 and 2."""
    hypothesis.assume(known(drawn, motif))
    g = made(drawn)
    expected = sorted({v for row in brute_matches(drawn, motif) for v in row})
    for method, threads in itertools.product(("exact", "sieve", "auto"), (1, 2)):
        s = g.screen(",".join(motif), method=method, threads=threads)
        assert s.vertices.tolist() == expected, method
        assert np.flatnonzero(s.flagged).tolist() == expected and s.bound <= 1e-6


@cases(60)
@given(graphs(most=6, several=False), st.lists(st.sampled_from(COLORS), min_size=1, max_size=3),
       st.integers(0, 2), st.integers(0, 2))
def test_nearest_matches(drawn, motif, max_missing, max_extra):
    """All connected sets within the limits with their least costs, against all subsets."""
    hypothesis.assume(known(drawn, motif) and max_missing < len(motif) and max_missing + max_extra > 0)
    n, _, colors = drawn
    near, expected = neighbors(drawn), []
    for size in range(1, n + 1):
        for members in itertools.combinations(range(n), size):
            if not connected(members, near):
                continue
            # one colour a vertex: as many slots as possible are filled colour by colour
            own, wanted = Counter(c for v in members for c in colors[v]), Counter(motif)
            filled = sum((own & wanted).values())
            missing, extra = len(motif) - filled, size - filled
            if filled and missing <= max_missing and extra <= max_extra:
                expected.append((missing + extra, list(members), missing, extra))
    for threads in (1, 2):
        r = made(drawn).nearest(",".join(motif), max_missing=max_missing, max_extra=max_extra, threads=threads)
        found = [(int(c), r.row(i).tolist(), int(m), int(e))
                 for i, (c, m, e) in enumerate(zip(r["cost"], r["missing"], r["extra"]))]
        assert found == sorted(expected)


@cases(80)
@given(graphs(), st.integers(2, 4))
def test_censuses(drawn, k):
    """Numbers of sets of every motif, against all subsets and all choices of colours."""
    n, _, colors = drawn
    hypothesis.assume(any(colors))
    near, expected, total = neighbors(drawn), Counter(), 0
    for members in itertools.combinations(range(n), k):
        if all(colors[v] for v in members) and connected(members, near):
            total += 1
            expected.update({tuple(sorted(choice)) for choice in itertools.product(*(colors[v] for v in members))})
    for threads in (1, 2):
        c = made(drawn).census(k, threads=threads)
        names = c.graph.colors.names
        found = {tuple(sorted(names[i] for i in row)): int(s) for row, s in zip(c.color.tolist(), c["sets"])}
        assert found == dict(expected) and c.total_sets == total
        for motif, sets in zip(c["motif"], c["sets"]):
            assert c.graph.list(motif, count_only=True).count == sets


@cases(25)
@given(graphs(most=6, several=False), st.integers(2, 3))
def test_significance(drawn, k):
    """Means and standard deviations, against all permutations of the colours."""
    n, edges, colors = drawn
    colored = [v for v in range(n) if colors[v]]
    hypothesis.assume(len(colored) >= k)
    near = neighbors(drawn)
    sets = [members for members in itertools.combinations(colored, k) if connected(members, near)]
    numbers = []
    for order in itertools.permutations([colors[v][0] for v in colored]):
        dealt = dict(zip(colored, order))
        numbers.append(Counter(",".join(sorted(dealt[v] for v in members)) for members in sets))
    s = made(drawn).significance(k)
    for row, expected, sd in zip(s.color.tolist(), s["expected"], s["sd"]):
        motif = ",".join(sorted(s.graph.colors.names[i] for i in row))
        counts = np.array([number[motif] for number in numbers], float)
        assert expected == pytest.approx(counts.mean(), abs=1e-9)
        assert sd == pytest.approx(counts.std(), abs=1e-6)


@cases(40)
@given(graphs(), st.integers(2, 3), st.integers(0, 12), st.sampled_from(["labels", "degree", "rewire"]))
def test_null_distributions(drawn, k, keep, null):
    """The columns of permutations follow from the numbers that are kept; in any order of rows, and
    the same with one thread and two."""
    hypothesis.assume(any(drawn[2]))
    g, kept = made(drawn), []
    for threads, sort in ((1, None), (2, None), (1, "p")):
        c = g.census(k, permutations=9, keep_counts=keep, null=null, threads=threads, sort=sort)
        if keep == 0 or len(c) == 0:
            assert c.null_counts is None or c.null_counts.size == 0
            return
        counts = c.null_counts.astype(np.int64)
        assert counts.shape == (min(keep, 9), len(c))
        if keep >= 9:
            assert np.allclose(c["perm_expected"], counts.mean(axis=0))
            assert np.allclose(c["perm_sd"], counts.std(axis=0, ddof=1))
            observed = c["sets"].astype(np.int64)
            assert np.allclose(c["perm_p"], (1 + (counts >= observed).sum(axis=0)) / 10)
            assert np.allclose(c["perm_p_less"], (1 + (counts <= observed).sum(axis=0)) / 10)
        kept.append(dict(zip(c["motif"], counts.T.tolist())))
    assert kept[0] == kept[1] == kept[2]


@cases(50)
@given(graphs(most=7), st.integers(1, 3), st.integers(1, 4))
def test_mined_motifs(drawn, most, support):
    """All motifs without conditions, and their vertices, against the lists of all motifs."""
    used = sorted({c for own in drawn[2] for c in own})
    hypothesis.assume(used)
    expected = {}
    for size in range(1, most + 1):
        for motif in itertools.combinations_with_replacement(used, size):
            held = sorted({v for row in brute_matches(drawn, motif) for v in row})
            if len(held) >= support:
                expected[motif] = held
    m = made(drawn).mine(k=most, min_k=1, support=support)
    found = {}
    for i, motif in enumerate(m.motifs):
        parts = (item.partition(":") for item in motif.split(","))
        found[tuple(sorted(c for c, _, n in parts for _ in range(int(n or 1))))] = m.vertices_of(i).tolist()
    assert found == expected


# ---- patterns ------------------------------------------------------------------------


@st.composite
def patterns(draw, directed=False):
    """Draw (edges, accepted colours of each vertex); None: any."""
    n, edges, _ = draw(graphs(most=4, directed=directed))
    accepted = st.one_of(st.none(), st.lists(st.sampled_from(COLORS), min_size=1, max_size=2, unique=True))
    return edges, draw(st.lists(accepted, min_size=n, max_size=n))


def check_pattern(drawn, pattern, induced, directed):
    n, edges, colors = drawn
    kind, matcher = (networkx.DiGraph, DiGraphMatcher) if directed else (networkx.Graph, GraphMatcher)
    whole, small = kind(), kind()
    whole.add_nodes_from((v, {"own": colors[v]}) for v in range(n))
    whole.add_edges_from(edges)
    small.add_nodes_from((i, {"accepted": accepted}) for i, accepted in enumerate(pattern[1]))
    small.add_edges_from(pattern[0])
    found = matcher(whole, small, node_match=lambda v, p: p["accepted"] is None or
                    bool(set(p["accepted"]) & set(v["own"])))
    maps = found.subgraph_isomorphisms_iter() if induced else found.subgraph_monomorphisms_iter()
    p = len(pattern[1])
    expected = sorted([{i: v for v, i in one.items()}[j] for j in range(p)] for one in maps)
    automorphisms = sum(1 for _ in matcher(small, small, node_match=lambda v, w: sorted(v["accepted"] or ()) ==
                                           sorted(w["accepted"] or ())).isomorphisms_iter())
    g = made(drawn, directed)
    asked = ms.Pattern((np.array(pattern[0], np.int64).reshape(-1, 2), pattern[1]), directed=directed)
    for threads in (1, 2):
        r = g.match(asked, induced=induced, embeddings=True, threads=threads)
        assert sorted(r.vertices.tolist()) == expected and r.count == len(expected)
        subgraphs = g.match(asked, induced=induced, threads=threads)
        assert subgraphs.automorphisms == automorphisms
        assert len(subgraphs) * automorphisms == len(expected)
        rows = subgraphs.vertices.tolist()
        assert all(row in expected for row in rows) and len({tuple(row) for row in rows}) == len(rows)
        assert g.match(asked, induced=induced, threads=threads, count_only=True).count == len(rows)


@cases(120)
@given(graphs(most=7), patterns(), st.booleans())
def test_matches_of_a_pattern(drawn, pattern, induced):
    """Maps, subgraphs, counts and automorphisms, against NetworkX's GraphMatcher; threads 1 and 2."""
    check_pattern(drawn, pattern, induced, False)


@cases(80)
@given(graphs(most=6, directed=True), patterns(directed=True), st.booleans())
def test_matches_of_a_directed_pattern(drawn, pattern, induced):
    """The same with directions, against NetworkX's DiGraphMatcher."""
    check_pattern(drawn, pattern, induced, True)


# ---- components and paths ------------------------------------------------------------


@cases(80)
@given(graphs(most=12))
def test_components_and_paths(drawn):
    """Components in their order, and a shortest path for all pairs, against NetworkX."""
    n, edges, _ = drawn
    whole = networkx.Graph(edges)
    whole.add_nodes_from(range(n))
    expected = sorted(map(sorted, networkx.connected_components(whole)))
    lengths = dict(networkx.all_pairs_shortest_path_length(whole))
    pairs = list(itertools.product(range(n), repeat=2))
    g = made(drawn)
    for threads in (1, 2):
        c = g.components(threads=threads)
        assert [c.vertices_of(i).tolist() for i in range(len(c))] == expected
        assert c.sizes.tolist() == list(map(len, expected))
        p = g.paths(pairs, threads=threads)
        for i, (u, v) in enumerate(pairs):
            path = p.path(i).tolist()
            if v not in lengths[u]:
                assert path == [] and p.lengths[i] == 0xFFFFFFFF
            else:
                assert path[0] == u and path[-1] == v and len(path) == lengths[u][v] + 1 == p.lengths[i] + 1
                assert all(whole.has_edge(a, b) for a, b in zip(path, path[1:]))


# ---- what results turn into ----------------------------------------------------------


@cases(40)
@given(graphs(), slots)
def test_networks_and_frames(drawn, motif):
    """The network of a list is the induced subgraph, and its frame has the rows of the list."""
    pytest.importorskip("pandas", reason="pandas is not installed")
    hypothesis.assume(known(drawn, motif))
    r = made(drawn).list(",".join(motif))
    held = Counter(v for row in brute_matches(drawn, motif) for v in row)
    network = r.to_networkx()
    assert dict(network.nodes(data="matches")) == dict(held)
    assert {frozenset(e) for e in network.edges} == {frozenset(e) for e in drawn[1] if held.keys() >= set(e)}
    frame = r.to_pandas()
    assert frame.drop(columns="match").to_numpy().tolist() == r.vertices.tolist()
