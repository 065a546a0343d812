"""Random graphs and colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _call
from ._call import NULL, Call
from ._keywords import checked_seed, memory_bytes, thread_count, whole
from ._native import ffi, lib
from .errors import UsageError
from .motifs import Motif, motif_text

if TYPE_CHECKING:
    from .graph import Graph

__all__ = ["generate"]


def _families() -> dict[str, Any]:
    infos = [lib.ms_family_describe(i) for i in range(lib.MS_FAMILIES)]
    return {_call.text(info.name): (i, info) for i, info in enumerate(infos)}


def generate(
    family: str,
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
    background: int = 1,
    seed: int = 1,
    threads: int | None = None,
    memory: int | str | None = None,
) -> "Graph":
    """Make a random graph, and perhaps random colours.

    Parameters
    ----------
    family : {"regular", "power-law", "er", "clique", "rmat", "grid", "hubs"}
        ``motifsieve help gen`` describes the families and says which parameters each has.
    vertices, degree, edges, probability, exponent, min_degree, max_degree, scale, quadrants, rows, \
cols, removed, diagonals, classes : optional
        The parameters of the family.
    colors : int, optional
        Each vertex has one of this many colours "c0", "c1", .., uniform and independent.
    motif : optional
        Colour the graph around planted matches of this motif (not with `colors`).
    plants : int, optional
        The number of planted matches; default: 1.
    background : int
        The number of colours of the other vertices; 0: those of the motif.
    seed : int
        The graph depends on the parameters and the seed, and not on the threads.

    Examples
    --------
    >>> import motifsieve as ms
    >>> ms.generate("er", vertices=100, edges=300, colors=4)
    <Graph: 100 vertices, 300 edges, 4 colours>
    """
    from .graph import Graph

    given: dict[str, Any] = {name: value for name, value in (
        ("vertices", vertices), ("degree", degree), ("edges", edges), ("probability", probability),
        ("exponent", exponent), ("min_degree", min_degree), ("max_degree", max_degree), ("scale", scale),
        ("quadrants", quadrants), ("rows", rows), ("cols", cols), ("removed", removed),
        ("diagonals", diagonals), ("classes", classes)) if value is not None}
    families = _families()
    if family not in families:
        raise UsageError(f"family={family!r}: give one of {', '.join(families)}")
    if colors is not None and motif is not None:
        raise UsageError("give colors= or motif=, and not both")
    if plants is not None and motif is None:
        raise UsageError("plants= belongs to motif=")
    o = ffi.new("ms_generate_options *")
    lib.py_init_generate_options(o)
    o.family, o.seed, o.threads, o.memory = families[family][0], checked_seed(seed), thread_count(threads), memory_bytes(memory)
    for bit in range(lib.MS_GEN_FIELDS):
        name = _call.text(lib.ms_generate_field_name(1 << bit)).replace("-", "_")
        if name in given:
            o.given |= 1 << bit
    for name, value in given.items():
        if name == "quadrants":
            o.quadrants = [float(share) for share in value]
        elif name in ("degree", "probability", "exponent", "removed", "diagonals"):
            setattr(o, name, float(value))
        else:
            setattr(o, name, whole(name, value))
    out, coloring = ffi.new("ms_graph **"), ffi.new("ms_coloring **")
    with Call(attach=True) as call:
        call.check(lib.ms_generate(o, out, call.err))
        raw = ffi.gc(out[0], lib.ms_graph_free)
        if colors is not None:
            call.check(lib.ms_generate_colors(raw, whole("colors", colors, 1), seed, coloring, call.err))
        elif motif is not None:
            p = ffi.new("ms_plant_options *")
            lib.py_init_plant_options(p)
            words = ffi.new("char[]", motif_text(motif).encode())
            p.motif, p.plants, p.seed = words, whole("plants", plants, 1), seed
            p.background = whole("background", background)
            call.check(lib.ms_generate_planted(raw, p, coloring, NULL, call.err))
    graph = Graph._make(raw, range(lib.ms_graph_vertex_count(raw)))
    return graph if coloring[0] == NULL else graph._with(ffi.gc(coloring[0], lib.ms_coloring_free))
