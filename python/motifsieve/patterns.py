"""Pattern graphs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._call import NULL, Call, defaults, encoded, new_object, path_bytes, text
from ._door import public
from ._keywords import warn_of
from ._native import ffi, lib
from ._nodes import Unchanging
from .edges import edge_array
from .errors import UsageError
from .motifs import keep_query
from .sources import node_attributes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph

__all__ = ["Pattern"]


class Pattern(Unchanging):
    """A small graph, possibly with colours, whose copies are searched for.

    Parameters
    ----------
    source : str, path, graph or pair
        The name of a built-in pattern ("triangle", "square", "diamond", "house", "path:N",
        "cycle:N", "clique:N", "star:N", "wheel:N" and more), a text in Cypher's notation such as
        ``"(a:kinase)--(b:phosphatase), (b)--(c)"``, a path (``pathlib.Path``) of a pattern file, a
        graph of NetworkX or igraph, a `Graph`, a sparse matrix of SciPy, a list or an array of
        edges, or a tuple ``(edges, colors)`` with one of these objects and the accepted colours
        of each vertex: a name, a list of names, or None or "*" for any.  Parallel edges count once,
        scores and weights do not count, and self-loops are refused, as no graph has them.
    directed : bool, optional
        Edges have directions, which the graph must have, too.  Default: as the pattern's graph or
        text says; edges and matrices have none, and a graph's file has those of the graph that is
        searched.
    colors : object, optional
        The accepted colours of the vertices, as in the pair ``(edges, colors)`` and for every form but
        names, texts and files; a dict goes by node.  A text is the attribute of the nodes of NetworkX
        or igraph that holds them.  Default: "color" or else "colors".  A pattern that `match` is given
        has the attribute from which the graph took its colours, or else that default.

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
    def __init__(self, source: Any, *, directed: bool | None = None, colors: Any = None) -> None:
        if isinstance(colors, str) and not _has_attributes(source):
            raise UsageError(f"colors={colors!r} is an attribute of nodes, which this pattern has not; "
                             "leave it out, or give a list with the accepted colours of each vertex")
        if colors is not None and isinstance(source, (str, os.PathLike)):
            raise UsageError("colors= belongs to a pattern that is an object; a text and a file have colours of "
                             "their own, such as (a:red)--(b)")
        self.edges: NDArray[np.uint32] | None = None
        self._colors: list[tuple[str, ...]] = []
        self._source: str | None = None  # what verify reads: a name, a text, or the path of a file
        self._follows = isinstance(source, os.PathLike) and directed is None  # the graph says how it is read
        self.about = ""
        self._given = source  # what Pattern() can be called with again
        if isinstance(source, str):
            self.about = self._source = source
            call_with = encoded(source)
            if "(" in source:
                self.raw, self.directed = _read(directed, lambda arrows: new_object(
                    "pattern", lib.ms_pattern_parse, call_with, arrows))
            elif directed:
                raise UsageError(f"the built-in pattern {source} has no directions; leave out directed=")
            else:
                self.raw = new_object("pattern", lib.ms_pattern_named, call_with)
                self.directed = False
        elif isinstance(source, os.PathLike):
            self._source = self.about = os.fspath(source)
            options = defaults("graph_options")

            def read(arrows: bool) -> Any:
                options.directed = arrows
                return new_object("pattern", lib.ms_pattern_read, path_bytes(source), options, NULL, path=source)

            self.raw, self.directed = _read(directed, read)
        else:
            shape = _graph_of(source, directed, colors)
            self.directed = shape.directed if directed is None else directed
            found = shape.colors
            accepted = [() if found is None else _accepted(found.of(v)) for v in range(len(shape))]
            self._of_edges(shape.arcs() if self.directed else shape.edges(), accepted)
            edges = len(self.edges)  # type: ignore[arg-type]
            self.about = f"a pattern of {len(shape)} vertices and {edges} edges"
            self.names = tuple(shape.names)
            return
        self.names = tuple(text(lib.ms_pattern_vertex_name(self.raw, i))
                           for i in range(lib.ms_pattern_size(self.raw)))

    def _of_edges(self, edges: NDArray[np.uint32], colors: list[tuple[str, ...]]) -> None:
        self.edges, self._colors = edges, colors
        self._given = (edges, [list(accepted) for accepted in colors])
        memory = ffi.from_buffer("uint32_t[][2]", edges) if len(edges) else NULL
        self.raw = new_object("pattern", lib.ms_pattern_from_edges, len(colors), len(edges), memory, self.directed, NULL)
        with Call() as call:
            for vertex, accepted in enumerate(colors):
                for color in accepted:
                    call.check(lib.ms_pattern_accept(self.raw, vertex, encoded(color), call.err))

    def __len__(self) -> int:
        return lib.ms_pattern_size(self.raw)

    def __reduce__(self) -> Any:
        return _unpickle, (self._given, None if self._follows else self.directed, self.names)

    def __repr__(self) -> str:
        return f"<Pattern: {self.about}>"

    def in_file(self, folder: str, directed: bool) -> tuple["Pattern", dict[str, Any]]:
        """Return the pattern as the judge of a graph reads it, and the options of the check.

        The judge reads a graph's file as a pattern with directions if the graph has them, but a text
        says itself whether its edges have: edges are written as a text.
        """
        if self._source is not None:
            if isinstance(self._given, os.PathLike) and directed and not self.directed:
                raise UsageError("this result cannot be checked: the judge reads the pattern's file with "
                                 "directions, as the graph's; leave out directed=False, or give the "
                                 "pattern as a text or by edges")
            return self, {"pattern": self._source}
        assert self.edges is not None
        if len(self.edges) > _MOST_WRITTEN:
            raise UsageError("this result cannot be checked: the judge reads patterns of at most "
                             f"{_MOST_WRITTEN} edges")
        path = os.path.join(folder, "pattern")
        arrow = "-->" if self.directed else "--"
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            for v, accepted in enumerate(self._colors):
                types = "|".join("`" + color.replace("`", "``") + "`" for color in accepted)
                file.write(f"({v}:{types})\n" if types else f"({v})\n")
            file.writelines(f"({a}){arrow}({b})\n" for a, b in self.edges.tolist())
        options = defaults("graph_options")
        options.directed = directed
        again: Pattern = object.__new__(Pattern)
        again.__dict__.update(self.__dict__)
        again.raw = new_object("pattern", lib.ms_pattern_read, path_bytes(path), options, NULL)
        return again, {"pattern": path}


_MOST_WRITTEN = 4096  # edges of a text: MS_MAX_TYPED_EDGES


def _read(directed: bool | None, read: Any) -> tuple[Any, bool]:
    """Return what `read` makes of a text or a file, and whether it has directions.

    None: it has those that it needs.
    """
    if directed is not None:
        return read(directed), directed
    try:
        return read(False), False
    except UsageError:  # such as arrows
        return read(True), True


def _unpickle(given: Any, directed: bool | None, names: tuple[str, ...]) -> Pattern:
    found = Pattern(given, directed=directed)
    found.names = names
    return found


def _accepted(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the colours that a vertex of a pattern accepts; none: any."""
    if "*" in names and len(names) > 1:
        raise UsageError(f'a vertex of the pattern accepts {", ".join(names)}; "*" stands alone, for any '
                         "colour")
    return () if names == ("*",) else tuple(sorted(names))


def _has_attributes(source: Any) -> bool:
    """True for graphs of NetworkX and igraph."""
    return (hasattr(source, "adj") and hasattr(source, "nodes")) or hasattr(source, "vs")


def _is_object(source: Any) -> bool:
    """True for graphs of NetworkX and igraph, sparse matrices and data frames."""
    return _has_attributes(source) or hasattr(source, "tocoo") or hasattr(source, "iloc")


def _pair(source: Any, colors: Any) -> Any:
    """Return the pair (edges, colors), which has the only colours."""
    if colors is not None:
        raise UsageError("colors= is given twice; the pair (edges, colors) has them")
    return source


def _is_pair(item: Any) -> bool:
    """True for what may be an edge: two of anything."""
    return isinstance(item, (list, tuple, np.ndarray)) and len(item) == 2


def _graph_of(source: Any, directed: bool | None, colors: Any) -> "Graph":
    """Return a pattern that is an object as a `Graph`, whose colours are the accepted ones."""
    from .graph import Graph

    if isinstance(source, tuple) and len(source) == 2 and (isinstance(source[0], Graph) or _is_object(source[0])):
        source, colors = _pair(source, colors)
    if isinstance(source, Graph):
        if directed and not source.directed:
            raise UsageError("directed=True: the edges of this graph have no direction; make it with "
                             "directed=True")
        return source if colors is None else source.with_colors(colors)
    if isinstance(source, tuple):
        if len(source) != 2 or _is_scalar(source[0]) or any(map(_is_scalar, source[0])):
            raise _refusal(source, "a tuple is a pair (edges, colors); give a list of edges, such as "
                                   "[(0, 1), (1, 2)]")
        source, colors = _pair(source, colors)
    elif isinstance(source, list) and len(source) == 2 and source[0] and not _is_scalar(source[0]) and \
            all(map(_is_pair, source[0])):
        raise _refusal(source, "a list is a list of edges; give a tuple (edges, colors)")
    if isinstance(source, (list, np.ndarray)):
        made = _of_list(source, colors, bool(directed))
    elif isinstance(source, Mapping) or not _is_object(source):
        raise _refusal(source,
                       'give a name such as "triangle", a text such as "(a:red)--(b)", a graph of NetworkX, '
                               "a list of edges, or a tuple (edges, colors)")
    elif _has_attributes(source):
        if directed and not source.is_directed():
            raise UsageError("directed=True: the edges of this graph have no direction; give a directed "
                             "graph")
        made = Graph(source, colors=colors)
    else:
        if hasattr(source, "tocoo") and not directed and source.shape[0] == source.shape[1] and \
                ((source != 0) != (source.T != 0)).nnz:
            raise UsageError("the matrix of the pattern is not symmetric; give Pattern(matrix, "
                             "directed=True) for arcs, or matrix + matrix.T for edges")
        made = Graph(source, directed=bool(directed), colors=colors)
    loops = lib.ms_graph_describe(made._raw).self_loops
    if loops:
        raise UsageError("the pattern joins a vertex to itself; graphs have no such edges, so nothing "
                         "could match; leave it out")
    return made


def _of_list(edges: Any, colors: Any, directed: bool) -> "Graph":
    """Return the graph of edges and accepted colours, which say how many vertices there are."""
    from .graph import Graph

    array = edge_array(edges, None, None) if len(edges) else (np.zeros((0, 2), np.uint32), None, 0)
    n, nodes = array[2], array[1]
    if nodes is None and colors is not None and not isinstance(colors, Mapping) and \
            hasattr(colors, "__len__"):
        if n > len(colors):
            raise UsageError(f"the pattern has {len(colors)} colours, and an edge names the vertex {n - 1}; "
                             "give a colour (or None) for each vertex")
        n = len(colors)
    elif nodes is None and n > 0:
        lacking = np.flatnonzero(np.bincount(array[0].ravel(), minlength=n) == 0)
        if len(lacking):
            raise UsageError(f"no edge of the pattern names the vertex {int(lacking[0])}; number its "
                             "vertices from 0 without gaps, or give (edges, colors) with a colour (or "
                             "None) for each vertex")
    return Graph.from_edges(array[0], n, names=nodes, colors=colors, directed=directed)


def _is_scalar(item: Any) -> bool:
    return not hasattr(item, "__len__") or isinstance(item, (str, bytes))


def _refusal(source: Any, remedy: str) -> TypeError:
    shown = repr(source)
    return TypeError(f"pattern={shown if len(shown) <= 80 else shown[:80] + '...'}: {remedy}")


def pattern_of(graph: "Graph", source: Any) -> Pattern:
    """Return the pattern that stands for `source`; a graph keeps those of texts."""
    if isinstance(source, os.PathLike):
        source = Pattern(source)
    if isinstance(source, Pattern):
        if source._follows and graph.directed and not source.directed:
            source = Pattern(source._given, directed=True)
        return _warned(graph, source)
    if isinstance(source, str):
        found = graph._queries.get(source)
        if found is None:
            found = Pattern(source)
            if found.directed and not graph.directed:
                raise UsageError(f"the pattern {source} has arrows, and the edges of the graph have no "
                                 "direction; make the graph with directed=True, or write -- for edges")
            keep_query(graph, source, found)
        return found
    attribute = graph._attribute
    if attribute is not None and _has_attributes(source) and attribute in node_attributes(source):
        return _warned(graph, Pattern(source, colors=attribute))
    return _warned(graph, Pattern(source))


def _warned(graph: "Graph", pattern: Pattern) -> Pattern:
    """Return the pattern; a colour that no vertex of the graph has is probably misspelt."""
    wanted = {color for accepted in pattern._colors for color in accepted}
    unknown = wanted.difference(graph.colors.names if graph.colors is not None else ())
    if unknown:
        warn_of([f"no vertex of the graph has the colour {min(unknown)!r}, which the pattern accepts; do the "
                 "graph and the pattern use the same kind of colours?"], UserWarning)
    return pattern
