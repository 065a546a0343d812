"""Random graphs and colours, and random changes of given graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _call
from ._arrays import real_array
from ._call import NULL, Call, defaults, encoded, new_object
from ._door import public
from ._keywords import checked_seed, chosen, memory_bytes, thread_count, whole
from ._native import ffi, lib
from .edges import MOST_VERTICES
from .errors import UsageError
from .motifs import Motif, motif_text
from .patterns import Pattern

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph

__all__ = ["cut_patterns", "generate"]

_NEW_NAMES = {"permuted": lib.MS_NAMES_PERMUTED, "numbers": lib.MS_NAMES_NUMBERS, "kept": lib.MS_NAMES_KEPT}
_DENSITIES = {None: lib.MS_DENSITY_ANY, "sparse": lib.MS_DENSITY_SPARSE, "dense": lib.MS_DENSITY_DENSE}


def _families() -> dict[str, Any]:
    infos = [lib.ms_family_describe(i) for i in range(lib.MS_FAMILIES)]
    return {_call.text(info.name): (i, info) for i, info in enumerate(infos)}


@public
def generate(
    family: "str | Graph",
    *,
    vertices: int | None = None,
    degree: float | None = None,
    edges: int | None = None,
    probability: float | None = None,
    exponent: float | None = None,
    min_degree: int | None = None,
    max_degree: int | None = None,
    scale: int | None = None,
    quadrants: tuple[float, float, float, float] | None = None,
    rows: int | None = None,
    cols: int | None = None,
    removed: float | None = None,
    diagonals: float | None = None,
    classes: int | None = None,
    colors: int | None = None,
    motif: Motif | None = None,
    plants: int | None = None,
    background: int | None = None,
    permute_colors: bool = False,
    shuffle: Literal["permuted", "numbers", "kept"] | None = None,
    seed: int = 1,
    threads: int | None = None,
    memory: int | str | None = None,
) -> "Graph":
    """Make a random graph, or a copy of a given one, and perhaps random colours.

    Parameters
    ----------
    family : {"regular", "power-law", "er", "clique", "rmat", "grid", "hubs"} or Graph
        ``motifsieve help gen`` describes the families and says which parameters each has.  Of a
        given graph, a copy is shuffled and coloured.
    vertices, degree, edges, probability, exponent, min_degree, max_degree, scale, quadrants, rows, \
cols, removed, diagonals, classes : optional
        The parameters of the family.
    colors : int, optional
        Each vertex has one of this many colours "c0", "c1", .., uniform and independent.
    motif : optional
        Colour the graph around planted matches of this motif (not with `colors`).
    plants : int, optional
        The number of planted matches; default: 1.
    background : int, optional
        The number of colours of the other vertices; 0: those of the motif.  Default: the vertices
        of a given graph with colours keep these; otherwise 1.
    permute_colors : bool
        Give each vertex of a given graph the colours of a random one.  Planted matches follow.
    shuffle : {"permuted", "numbers", "kept"}, optional
        Put the vertices into a random order.  Each then has the node of a random vertex, or its
        number in the new order, or keeps its node.
    seed : int
        The graph depends on the parameters and the seed, and not on the threads.

    Examples
    --------
    >>> import motifsieve as ms
    >>> ms.generate("er", vertices=100, edges=300, colors=4)
    <Graph: 100 vertices, 300 edges, 4 colours>
    >>> g = ms.Graph([("x", "y"), ("y", "z")], colors={"x": "red", "z": "blue"})
    >>> h = ms.generate(g, shuffle="kept")
    >>> sorted(h.nodes), h.colors.of(h.index("x"))
    (['x', 'y', 'z'], ('red',))
    """
    from .graph import Graph

    given: dict[str, Any] = {name: value for name, value in (
        ("vertices", vertices), ("degree", degree), ("edges", edges), ("probability", probability),
        ("exponent", exponent), ("min_degree", min_degree), ("max_degree", max_degree), ("scale", scale),
        ("quadrants", quadrants), ("rows", rows), ("cols", cols), ("removed", removed),
        ("diagonals", diagonals), ("classes", classes)) if value is not None}
    if colors is not None and (motif is not None or permute_colors):
        raise UsageError("give one of colors=, motif= and permute_colors=" if motif is None
                         else "give colors= or motif=, and not both")
    if plants is not None and motif is None:
        raise UsageError("plants= belongs to motif=")
    if isinstance(family, Graph):
        if given:
            raise UsageError(f"{next(iter(given))}= is a parameter of random graphs")
        graph = family
    elif permute_colors:
        raise UsageError("permute_colors= is for a given graph, which has colours")
    else:
        graph = _random(family, given, seed, threads, memory)
    if shuffle is not None:
        graph = _shuffled(graph, shuffle, seed, threads)
    if permute_colors:
        graph = graph._with(new_object("coloring", lib.ms_coloring_permute, graph._raw, graph._need_colors(),
                                       checked_seed(seed), thread_count(threads)))
    if colors is not None:
        return graph._with(new_object("coloring", lib.ms_generate_colors, graph._raw, whole("colors", colors, 1),
                                      checked_seed(seed)))
    if motif is None:
        return graph
    p = defaults("plant_options")
    words = ffi.new("char[]", encoded(motif_text(motif)))
    p.motif, p.plants, p.seed = words, whole("plants", plants, 1), checked_seed(seed)
    if background is not None:
        p.background = whole("background", background)
    elif graph._coloring is not None:
        p.keep = graph._coloring

    def plant(out: Any, err: Any) -> int:
        return lib.ms_generate_planted(graph._raw, p, out, NULL, err)

    return graph._with(new_object("coloring", plant))


def _random(family: str, given: dict[str, Any], seed: int, threads: int | None,
            memory: int | str | None) -> "Graph":
    from .graph import Graph

    families = _families()
    if family not in families:
        raise UsageError(f"family={family!r}: give one of {', '.join(families)}, or a graph")
    o = defaults("generate_options")
    o.family, o.run.seed, o.run.threads, o.run.memory = families[family][0], checked_seed(seed), thread_count(threads), memory_bytes(memory)
    for bit in range(lib.MS_GEN_FIELDS):
        name = _call.text(lib.ms_generate_field_name(1 << bit)).replace("-", "_")
        if name in given:
            o.given |= 1 << bit
    if whole("vertices", given.get("vertices")) > MOST_VERTICES:
        raise UsageError(f"vertices={given['vertices']}: a graph has at most {MOST_VERTICES} vertices")
    for name, value in given.items():
        if name == "quadrants":
            try:
                o.quadrants = real_array(value).tolist()
            except (TypeError, ValueError, IndexError):
                raise UsageError(f"quadrants={value!r}: give four numbers") from None
        elif name in ("degree", "probability", "exponent", "removed", "diagonals"):
            setattr(o, name, float(value))
        else:
            setattr(o, name, whole(name, value))
    raw = new_object("graph", lib.ms_generate, o)
    return Graph._make(raw, range(lib.ms_graph_vertex_count(raw)))


def _shuffled(graph: "Graph", new_names: str, seed: int, threads: int | None) -> "Graph":
    from .graph import Graph

    o = defaults("shuffle_options")
    o.names = chosen("shuffle", new_names, _NEW_NAMES)
    o.run.seed, o.run.threads = checked_seed(seed), thread_count(threads)
    n = len(graph)
    old = np.empty(n, np.uint32)  # the vertex of `graph` that each new one was
    places = ffi.from_buffer("uint32_t[]", old) if n else NULL
    coloring, out = None, ffi.new("ms_graph **")
    with Call(attach=True) as call:
        call.check(lib.ms_graph_shuffle(graph._raw, o, out, places, call.err))
        raw = ffi.gc(out[0], lib.ms_graph_free)
        if graph._coloring is not None:
            coloring = call.object("coloring", lib.ms_coloring_move, graph._coloring, raw, places)
    nodes: Any = None
    named: list[int]
    if new_names == "numbers":
        nodes = range(n)
    elif graph._nodes is not None:
        copy = Graph._make(raw, None)  # the names say whose nodes the vertices get
        named = old.tolist() if new_names == "kept" else _places(graph.names, copy.names)
        nodes = [graph._nodes[v] for v in named]
    result = Graph._make(raw, nodes, coloring)
    if graph.positions is not None:
        result.positions = graph.positions[old]
    if graph.slides is not None:
        result.slides = graph.slides[old]
    return result


def _places(names: list[str], wanted: list[str]) -> list[int]:
    place = {name: v for v, name in enumerate(names)}
    return [place[name] for name in wanted]


@public
def cut_patterns(
    graph: "Graph",
    patterns: int = 1,
    *,
    k: int = 8,
    edges: int | None = None,
    density: Literal["sparse", "dense"] | None = None,
    seed: int = 1,
) -> "list[tuple[Pattern, NDArray[np.uint32]]]":
    """Cut random connected patterns out of a graph.

    A random walk from a random edge collects the vertices of each pattern.

    Parameters
    ----------
    graph : Graph
        A pattern vertex accepts one of the colours of its vertex here, drawn at random, or any
        colour if that has none.
    patterns : int
        The number of patterns.  Pattern i does not depend on it.
    k : int
        The number of vertices of each, 2 to 256.
    edges : int, optional
        Keep so many edges of each set of vertices, a random spanning tree and random others.
        Default: all edges, so that there is an induced match.
    density : {"sparse", "dense"}, optional
        Only sets with a mean degree below 3, or of at least 3.

    Returns
    -------
    list of (Pattern, numpy.ndarray)
        Each pattern, and the vertices where it was cut: a match.

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.generate("er", vertices=100, edges=300, colors=4)
    >>> [(pattern, match)] = ms.cut_patterns(g, k=5)
    >>> len(pattern), g.match(pattern, induced=True).count >= 1
    (5, True)
    """
    o = defaults("cut_options")
    o.patterns, o.vertices = whole("patterns", patterns, 1), whole("k", k, 1)
    o.edges, o.density, o.seed = whole("edges", edges, 1), chosen("density", density, _DENSITIES), checked_seed(seed)
    o.coloring = NULL if graph._coloring is None else graph._coloring
    cuts = ffi.new("ms_cuts *")
    with Call(attach=True) as call:
        call.check(lib.ms_cut_patterns(graph._raw, o, cuts, call.err))
    try:
        return [_pattern(graph, cuts, i) for i in range(cuts.patterns)]
    finally:
        lib.ms_cuts_clear(cuts)


def _pattern(graph: "Graph", cuts: Any, i: int) -> "tuple[Pattern, NDArray[np.uint32]]":
    k, begin, end = cuts.k, cuts.offset[i], cuts.offset[i + 1]
    vertices = np.array([cuts.vertices[i * k + j] for j in range(k)], np.uint32)
    edges = np.array([[cuts.edges[e][0], cuts.edges[e][1]] for e in range(begin, end)], np.uint32)
    names = graph.colors.names if graph.colors is not None else ()
    colors = [None if color == 0xFFFFFFFF else names[color] for color in (cuts.color[i * k + j] for j in range(k))]
    return Pattern((edges, colors), directed=graph.directed), vertices
