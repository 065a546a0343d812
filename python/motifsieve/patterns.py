"""Pattern graphs."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from ._call import NULL, Call, encoded, text
from ._door import public
from ._native import ffi, lib
from .edges import is_missing
from .errors import UsageError
from .motifs import keep_query

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph

__all__ = ["Pattern"]


class Pattern:
    """A small graph, possibly with colours, whose copies are searched for.

    Parameters
    ----------
    source : str, path, graph or pair
        The name of a built-in pattern ("triangle", "square", "diamond", "house", "path:N",
        "cycle:N", "clique:N", "star:N", "wheel:N" and more), a text in Cypher's notation such as
        ``"(a:kinase)--(b:phosphatase), (b)--(c)"``, a path (``pathlib.Path``) of a pattern file, a
        graph of NetworkX (the node attribute "color"), a `Graph`, or a pair ``(edges, colors)``
        with an array of shape (e, 2) and a list of the accepted colours of each vertex: a name, a
        list of names, or None for any.
    directed : bool
        Edges have directions, which the graph must have, too.

    Attributes
    ----------
    names : tuple of str
        The names of the vertices.
    edges : numpy.ndarray of uint32, shape (e, 2), or None
        The edges, if the pattern was given by edges.

    Examples
    --------
    >>> import motifsieve as ms
    >>> len(ms.Pattern("clique:4"))
    4
    >>> ms.Pattern("(a:red)--(b)").names
    ('a', 'b')
    """

    @public
    def __init__(self, source: Any, *, directed: bool = False) -> None:
        self.directed = directed
        self.edges: NDArray[np.uint32] | None = None
        self._colors: list[tuple[str, ...]] = []
        self._source: str | None = None  # what verify reads: a name, or the path of a file
        self.about = ""
        self._given = source  # what Pattern() can be called with again
        if isinstance(source, str):
            self.about = source
            notation = "(" in source
            self._source = None if notation else source
            call_with = encoded(source)
            if notation:
                self.raw = _made(lambda out, err: lib.ms_pattern_parse(call_with, directed, out, err))
                self._source = source
            elif directed:
                raise UsageError(f"the built-in pattern {source} has no directions; leave out directed=")
            else:
                self.raw = _made(lambda out, err: lib.ms_pattern_named(call_with, out, err))
        elif isinstance(source, os.PathLike):
            self._source = self.about = os.fspath(source)
            options = ffi.new("ms_graph_options *")
            lib.py_init_graph_options(options)
            options.directed = directed
            self.raw = _made(lambda out, err: lib.ms_pattern_read(os.fsencode(source), options, NULL,
                                                                  out, err), source)
        else:
            edges, colors, names = _taken_apart(source)
            self._of_edges(edges, colors)
            self.about = f"a pattern of {len(colors)} vertices and {len(edges)} edges"
            self.names = names
            return
        self.names = tuple(text(lib.ms_pattern_vertex_name(self.raw, i))
                           for i in range(lib.ms_pattern_size(self.raw)))

    def _of_edges(self, edges: NDArray[np.uint32], colors: list[tuple[str, ...]]) -> None:
        self.edges, self._colors = edges, colors
        self._given = (edges, [list(accepted) for accepted in colors])
        memory = ffi.from_buffer("uint32_t[][2]", edges) if len(edges) else NULL
        self.raw = _made(lambda out, err: lib.ms_pattern_from_edges(len(colors), len(edges), memory,
                                                                    self.directed, NULL, out, err))
        with Call() as call:
            for vertex, accepted in enumerate(colors):
                for color in accepted:
                    call.check(lib.ms_pattern_accept(self.raw, vertex, encoded(color), call.err))

    def __len__(self) -> int:
        return lib.ms_pattern_size(self.raw)

    def __copy__(self) -> "Pattern":
        return self  # it does not change

    def __deepcopy__(self, memo: Any) -> "Pattern":
        return self

    def __reduce__(self) -> Any:
        return _unpickle, (self._given, self.directed, self.names)

    def __repr__(self) -> str:
        return f"<Pattern: {self.about}>"

    def in_file(self, folder: str) -> tuple["Pattern", dict[str, Any]]:
        """Return the pattern as the judge reads it, and the options of the check."""
        if self._source is not None:
            return self, {"pattern": self._source}
        assert self.edges is not None
        path = os.path.join(folder, "pattern")
        colors = path + ".colors"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"t 0 {len(self)}\n")
            file.writelines(f"v {v} *\n" for v in range(len(self)))
            file.writelines(f"e {a} {b}\n" for a, b in self.edges.tolist())
        options = ffi.new("ms_graph_options *")
        lib.py_init_graph_options(options)
        options.directed, options.format = self.directed, lib.MS_FORMAT_TVE
        again: Pattern = object.__new__(Pattern)
        again.__dict__.update(self.__dict__)
        more = {"pattern": path}
        used: Any = NULL
        if any(self._colors):
            with open(colors, "w", encoding="utf-8") as file:
                file.writelines(f"{v}\t{c}\n" for v, accepted in enumerate(self._colors)
                                for c in accepted)
            used = colors.encode()
            more["pattern_colors"] = colors
        again.raw = _made(lambda out, err: lib.ms_pattern_read(path.encode(), options, used, out, err))
        return again, more


def _unpickle(given: Any, directed: bool, names: tuple[str, ...]) -> Pattern:
    found = Pattern(given, directed=directed)
    found.names = names
    return found


def _made(make: Any, path: Any = None) -> Any:
    out = ffi.new("ms_pattern **")
    with Call(attach=True) as call:
        call.check(make(out, call.err), path)
    return ffi.gc(out[0], lib.ms_pattern_free)


def _accepted(value: Any) -> tuple[str, ...]:
    """Return the colours that a vertex of a pattern accepts; none: any."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if is_missing(value) or value in ("", "*"):
        return ()
    if isinstance(value, (list, tuple, set, frozenset)):
        return tuple(sorted(map(str, value)))
    return (str(value),)


def _taken_apart(source: Any) -> tuple[NDArray[np.uint32], list[tuple[str, ...]], tuple[str, ...]]:
    """Return edges, accepted colours and names of a pattern that is an object."""
    if hasattr(source, "adj") and hasattr(source, "nodes"):  # NetworkX
        nodes = list(source)
        ids = {node: i for i, node in enumerate(nodes)}
        flat = [ids[end] for edge in source.edges() for end in edge[:2]]
        edges = np.array(flat, np.uint32).reshape(-1, 2)
        colors = [_accepted(color) for _, color in source.nodes(data="color")]
        return edges, colors, tuple(map(str, nodes))
    if hasattr(source, "indptr") and hasattr(source, "colors"):  # Graph
        found = source.colors
        colors = [found.of(v) if found is not None else () for v in range(len(source))]
        return source.edges(), colors, tuple(source.names)
    try:
        edges, given = source
        array = np.ascontiguousarray(np.asarray(edges, np.int64).reshape(-1, 2))
        size = min(int(array.max()), lib.MS_MAX_PATTERN) + 1 if len(array) else 0  # so many are refused
        colors = [()] * size if given is None else [_accepted(color) for color in given]
    except (TypeError, ValueError):
        raise TypeError(
            f"pattern={source!r}: give a name such as \"triangle\", a text such as \"(a:red)--(b)\", a "
            "graph of NetworkX, or a pair (edges, colors)"
        ) from None
    if len(array) and (array.min() < 0 or array.max() >= len(colors)):
        raise UsageError(f"the pattern has {len(colors)} colours, and an edge names the vertex "
                         f"{int(array.max())}; give a colour (or None) for each vertex")
    return array.astype(np.uint32), colors, tuple(map(str, range(len(colors))))


def pattern_of(graph: "Graph", source: Any) -> Pattern:
    """Return the pattern that stands for `source`; a graph keeps those of texts."""
    if isinstance(source, Pattern):
        return source
    if isinstance(source, str):
        found = graph._queries.get(source)
        if found is None:
            directed = "(" in source and re.search(r"->|<-", source) is not None
            if directed and not graph.directed:
                raise UsageError(f"the pattern {source} has arrows, and the edges of the graph have no "
                                 "direction; make the graph with directed=True, or write -- for edges")
            found = Pattern(source, directed=directed)
            keep_query(graph, source, found)
        return found
    directed = bool(getattr(source, "is_directed", lambda: getattr(source, "directed", False))())
    return Pattern(source, directed=directed)
