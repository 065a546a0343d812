"""Graphs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, List

import numpy as np

from . import censuses, clique_counts, colorings, comparing, edges as edge_arrays, graphlets, many, mining, near, pattern_sets, queries, sources, vertex_censuses, walks
from ._arrays import object_array, real_array, view
from ._call import NULL, Call, new_object, path_bytes, strings, text
from ._door import public_class
from ._keywords import memory_bytes
from ._native import ffi, lib
from ._nodes import WithNodes
from .colorings import Colors
from .errors import UsageError
from .files import GraphFiles
from .graph_exports import GraphExports
from .networks import arc_marks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Graph"]


@public_class
class Graph(GraphFiles, sources.GraphSources, GraphExports, WithNodes):
    """A graph with colours, held once for any number of queries.

    The graph does not change once it is made, and several threads may search it at the same time.
    `Graph` accepts a path, a graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame
    of edges, an AnnData object with neighbours, or an array of edges, and calls the function for
    it: `from_file`, `from_networkx`, `from_igraph`, `from_scipy`, `from_pandas`, `from_anndata`
    or `from_edges`.

    Parameters
    ----------
    source : object
        See above.
    colors : object, optional
        The colours of the vertices: a list, an array or a pandas object with a value for each
        vertex, a dict from nodes to values, or a sparse matrix (vertices by colours, with
        ``color_names=``).  A value is the name of a colour, a list, tuple or set of names, or None
        (or NaN, or an empty text) for a vertex without a colour.  With a path, also the path of a
        file of colours.
    **options
        Passed to the function for this kind of source.

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph([(0, 1), (1, 2), (2, 3)], colors=["a", "b", "a", "b"])
    >>> g
    <Graph: 4 vertices, 3 edges, 2 colours>
    >>> g.list("a:2,b").vertices.tolist()
    [[0, 1, 2]]
    """

    __slots__ = (
        "__weakref__",
        "_attribute",
        "_cache",
        "_colors",
        "_coloring",
        "_files",
        "_index",
        "_names",
        "_obs",
        "_queries",
        "_raw",
        "_session",
        "_typed",
        "positions",
        "slides",
    )

    def __new__(cls, source: Any = None, colors: Any = None, **options: Any) -> "Graph":
        if source is None:
            raise TypeError("Graph() needs a graph: a path, an array of edges, or an object of "
                            "NetworkX, igraph, SciPy, pandas or AnnData")
        return sources.dispatch(cls, source, colors, options)

    _raw: Any  # an ms_graph
    _coloring: Any  # an ms_coloring, or None
    _session: Any
    _index: Any
    _typed: Any
    _files: Any
    _names: List[str] | None
    _colors: Colors | None
    _queries: dict[Any, Any]
    _attribute: str | None  # of the nodes of the source, which held the colours
    _cache: dict[str, Any]
    _obs: Any  # the data frame of the cells of an AnnData object from which the graph was made, or None
    positions: NDArray[np.float64] | None  # where the vertices are, shape (n, 2) or (n, 3)
    slides: NDArray[Any] | None  # the slide of each vertex, shape (n,)

    @classmethod
    def _make(cls, raw: Any, nodes: Sequence[Any] | None, coloring: Any = None,
              files: Any = None) -> "Graph":
        """Make a graph of an ``ms_graph`` that frees itself.  `nodes` None: its names."""
        self = object.__new__(cls)
        self._raw = raw
        self._nodes = nodes
        self._coloring = coloring
        self._files = files
        self._ids = self._names = self._colors = self._labels = None
        self._session = self._index = self._typed = None
        self._queries = {}
        self._cache = {}  # what exports make of all nodes
        self.positions = self.slides = self._attribute = self._obs = None
        return self

    # ---- making graphs -----------------------------------------------------------------

    @classmethod
    def from_edges(
        cls,
        edges: ArrayLike,
        n: int | None = None,
        *,
        names: Sequence[Any] | None = None,
        colors: Any = None,
        color_names: Sequence[str] | None = None,
        directed: bool = False,
        scores: ArrayLike | None = None,
        memory: int | str | None = None,
    ) -> "Graph":
        """Make a graph of pairs of vertices.

        Parameters
        ----------
        edges : array_like, shape (m, 2)
            Pairs of vertices 0 to ``n - 1``.  An array of uint32 in C order is used as it is,
            without a copy.  If the items are no integers, they are the nodes themselves, which are
            numbered in the order of first appearance.  Self-loops and repeated edges are dropped.
        n : int, optional
            The number of vertices.  Default: the greatest vertex plus 1, or ``len(names)``.  A greatest
            vertex above 1,000,000 plus 16 for each edge needs it: such numbers are probably ids.
        names : sequence, optional
            The nodes that the vertices stand for, all different.  Default: their numbers.
        colors, color_names : optional
            See `Graph`.
        directed : bool
            Edges point from their first vertex to their second.
        scores : array_like, shape (m,), optional
            A score for each edge.  Of repeated or opposite edges, the greatest score counts.
        memory : int or str, optional
            The bound of memory, in bytes or as in "4G"; default: three quarters of the machine's.

        Examples
        --------
        >>> import motifsieve as ms
        >>> g = ms.Graph.from_edges([("x", "y"), ("y", "z")], colors={"x": "a", "z": "b"})
        >>> g.nodes
        ['x', 'y', 'z']
        """
        pairs, nodes, n = edge_arrays.edge_array(edges, n, names)
        graph = cls._build(pairs, n, nodes, directed, scores, memory_bytes(memory))
        return graph if colors is None else graph.with_colors(colors, color_names=color_names)

    @classmethod
    def _build(cls, pairs: NDArray[np.uint32], n: int, nodes: Sequence[Any] | None, directed: bool,
               scores: ArrayLike | None, limit: int = 0) -> "Graph":
        """Make a graph of an array of uint32 in C order."""
        if nodes is not None and len(nodes) != n:
            raise UsageError(f"names= has {len(nodes)} items, and there are {n} vertices")
        keep: List[Any] = []
        texts = NULL if nodes is None else strings(edge_arrays.texts_of(nodes), keep)
        make = lib.ms_graph_from_arcs if directed else lib.ms_graph_from_edges
        memory = ffi.from_buffer("uint32_t[][2]", pairs) if len(pairs) else NULL
        with Call(attach=True, memory=limit) as call:
            raw = call.object("graph", make, n, len(pairs), memory, texts)
            if scores is not None:
                values = edge_arrays.edge_scores(scores)
                if values.shape != (len(pairs),):
                    raise UsageError(f"scores= has the shape {values.shape}; give a score for each of "
                                     f"the {len(pairs)} edges")
                numbers = ffi.from_buffer("float[]", values)
                call.check(lib.ms_graph_set_scores(raw, len(pairs), memory, numbers, call.err))
        return cls._make(raw, range(n) if nodes is None else nodes)

    def with_colors(self, colors: Any, *, color_names: Sequence[str] | None = None) -> "Graph":
        """Return a graph of the same edges with other colours.

        The edges are shared, not copied.

        Parameters
        ----------
        colors, color_names : object
            See `Graph`; None: no colours.

        Examples
        --------
        >>> import motifsieve as ms
        >>> g = ms.Graph.from_edges([(0, 1), (1, 2)])
        >>> g.with_colors({0: "a", 2: "b"}).colors.names
        ('a', 'b')
        """
        if colors is None:
            return self._with(None)
        return self._colored(*colorings.color_pairs(colors, self, color_names))

    def _colored(self, pairs: NDArray[np.uint32], names: Sequence[str]) -> "Graph":
        keep: List[Any] = []
        memory = ffi.from_buffer("uint32_t[][2]", pairs) if len(pairs) else NULL
        return self._with(new_object("coloring", lib.ms_coloring_from_pairs, self._raw, len(pairs), memory, len(names),
                                     strings(names, keep) if names else NULL))

    def _with(self, coloring: Any) -> "Graph":
        """Return a graph of the same edges, nodes and places."""
        graph = Graph._make(self._raw, self._nodes, coloring)
        graph.positions, graph.slides, graph._obs = self.positions, self.slides, self._obs
        return graph

    # ---- what is in it -------------------------------------------------------------------

    def __len__(self) -> int:
        return lib.ms_graph_vertex_count(self._raw)

    @property
    def edge_count(self) -> int:
        """The number of edges."""
        return lib.ms_graph_edge_count(self._raw)

    @property
    def directed(self) -> bool:
        """True if the edges have directions, which patterns may use."""
        return lib.ms_graph_directed(self._raw)

    @property
    def names(self) -> List[str]:
        """The names of the vertices, as files and messages show them."""
        if self._names is None:
            buffer = ffi.new("char[]", lib.py_graph_names(self._raw, NULL) or 1)
            used = lib.py_graph_names(self._raw, buffer)
            self._names = ffi.unpack(buffer, used).decode().split("\0")[:-1] if used else []
        return self._names

    def index(self, node: Any) -> int:
        """Return the vertex of a node.

        Raises
        ------
        KeyError
            The graph has no such node.
        """
        if self._nodes is None and isinstance(node, str):
            # a name has neither a half of a pair of surrogates nor a NUL
            word = node.encode("utf-8", "replace")
            known = b"\0" not in word and word.decode() == node
            vertex = lib.ms_graph_find(self._raw, word) if known else 0xFFFFFFFF
            if vertex != 0xFFFFFFFF:
                return vertex
        elif isinstance(self._nodes, range):
            if isinstance(node, (int, np.integer)) and node.__class__ is not bool and \
                    0 <= node < len(self._nodes):
                return int(node)
        else:
            return super().index(node)
        raise KeyError(node)

    @property
    def colors(self) -> Colors | None:
        """The colours of the vertices, or None."""
        if self._colors is None and self._coloring is not None:
            self._colors = Colors(self._coloring, len(self))
        return self._colors

    @property
    def indptr(self) -> NDArray[np.uint64]:
        """The neighbours of ``v`` are ``indices[indptr[v]:indptr[v + 1]]``; shape (n + 1,)."""
        return view(lib.ms_graph_offsets(self._raw), len(self) + 1, "<u8", self._raw)

    @property
    def indices(self) -> NDArray[np.uint32]:
        """The neighbours of all vertices, ascending for each vertex; shape (2 m,).  No copy."""
        first = lib.ms_graph_neighbors(self._raw, 0, ffi.new("uint32_t *"))
        return view(first, 2 * self.edge_count, "<u4", self._raw)

    @property
    def scores(self) -> NDArray[np.float32] | None:
        """The scores of the edges, in the order of `indices`, or None.  No copy."""
        if not lib.ms_graph_scored(self._raw):
            return None
        return view(lib.ms_graph_scores(self._raw, 0), 2 * self.edge_count, "<f4", self._raw)

    def labels(self, path: str | os.PathLike[str] | None = None) -> List[str | None]:
        """Return labels of the vertices for people, such as gene symbols beside ids.

        Parameters
        ----------
        path : path, optional
            A file of lines ID<TAB>LABEL, such as STRING's protein.info.  Default: the file of
            ``aliases=``, whose gene names are the labels.

        Returns
        -------
        list of str or None
            The label of each vertex; None: it has none.
        """
        raw = self._read_labels(path)
        texts = (lib.ms_labels_of(raw, v) for v in range(len(self)))
        return [None if found == NULL else text(found) for found in texts]

    def _read_labels(self, path: str | os.PathLike[str] | None) -> Any:
        """Return an ``ms_labels``."""
        if path is not None:
            return new_object("labels", lib.ms_labels_read, path_bytes(path), self._raw, path=path)
        if self._files is None or self._files.aliases is None:
            raise UsageError("the graph has no file of aliases; give the file of labels, or make the graph by "
                             "from_file with aliases=")
        return new_object("labels", lib.ms_labels_from_aliases, self._raw, path=self._files.aliases)

    def neighbors(self, vertex: int) -> NDArray[np.uint32]:
        """Return the neighbours of a vertex, ascending.  No copy."""
        if not 0 <= vertex < len(self):
            raise IndexError(f"vertex {vertex}: the graph has the vertices 0 to {len(self) - 1}")
        degree = ffi.new("uint32_t *")
        first = lib.ms_graph_neighbors(self._raw, vertex, degree)
        return view(first, degree[0], "<u4", self._raw)

    def edges(self) -> NDArray[np.uint32]:
        """Return the edges as pairs u < v, sorted; shape (m, 2)."""
        tails = np.repeat(np.arange(len(self), dtype=np.uint32), self.degree())
        heads = self.indices
        forward = tails < heads
        return np.column_stack((tails[forward], heads[forward]))

    def arcs(self) -> NDArray[np.uint32]:
        """Return the arcs of a directed graph as pairs (tail, head), sorted; shape (a, 2).

        An undirected edge is two arcs.
        """
        tails = np.repeat(np.arange(len(self), dtype=np.uint32), self.degree())
        heads = self.indices
        if self.directed:
            leaving = (arc_marks(self) & 1) == 1
            tails, heads = tails[leaving], heads[leaving]
        return np.column_stack((tails, heads))

    def _write(self, path: str, number: int) -> None:
        with Call(attach=True) as call:
            call.check(lib.ms_graph_write(self._raw, self._coloring or NULL, number, path_bytes(path), call.err), path)

    def _write_binary(self, path: str) -> None:
        """Write edges, colours and scores for another function of the library."""
        self._without({"directions"})._write(path, lib.MS_FORMAT_BINARY)

    def _without(self, dropped: set[str], named: bool = True) -> "Graph":
        """Return the graph without its "directions", "scores" or "colors", or without names."""
        directed = self.directed and "directions" not in dropped
        scored = self.scores is not None and "scores" not in dropped
        colors = None if "colors" in dropped else self.colors
        named = named and not isinstance(self._nodes, range)
        if directed == self.directed and scored == (self.scores is not None) and (
                named or isinstance(self._nodes, range)):
            return self if colors is not None or self._coloring is None else self._with(None)
        pairs = np.ascontiguousarray(self.arcs() if directed else self.edges())
        graph = Graph._build(pairs, len(self), self.names if named else None, directed,
                             self._scores_of(pairs) if scored else None)
        if colors is None:
            return graph
        return graph._colored(colorings.pairs_of(colors.indptr, colors.indices), colors.names)

    def __repr__(self) -> str:
        kind = "directed, " if self.directed else ""
        colors = f"{lib.ms_coloring_describe(self._coloring).colors} colours" if self._coloring is not None \
            else "no colours"
        return f"<Graph: {kind}{len(self)} vertices, {self.edge_count} edges, {colors}>"

    def __reduce__(self) -> Any:
        pairs, scores = self.arcs() if self.directed else self.edges(), None
        if self.scores is not None:
            scores = self._scores_of(pairs)
        colors = self.colors
        incidence = None
        if colors is not None:
            incidence = (np.array(colors.indptr), np.array(colors.indices), colors.names)
        places = (self.positions, self.slides, self._attribute, self._obs)
        return colorings.unpickle, (pairs, len(self), self.nodes, self.directed, scores, incidence, places)

    def _scores_of(self, pairs: NDArray[np.uint32]) -> NDArray[np.float32]:
        """Return the scores of edges."""
        assert self.scores is not None
        n = len(self)
        tails = np.repeat(np.arange(n, dtype=np.int64), self.degree())
        at = np.searchsorted(tails * n + self.indices, pairs[:, 0].astype(np.int64) * n + pairs[:, 1])
        return self.scores[at]

    # ---- what queries need ---------------------------------------------------------------

    def _need_colors(self) -> Any:
        if self._coloring is None:
            raise UsageError("the graph has no colours; give colors= when you make it, or use "
                             "Graph.with_colors")
        return self._coloring

    def _get_session(self) -> Any:
        if self._session is None:
            self._session = new_object("session", lib.ms_session_new, self._raw, self._need_colors())
        return self._session

    def _get_index(self) -> Any:
        if self._index is None:
            self._index = new_object("pattern_index", lib.ms_pattern_index_new, self._raw, self._coloring or NULL, 0)
        return self._index

    # ---- what results need ---------------------------------------------------------------

    def _color_texts(self, vertices: NDArray[np.uint32]) -> NDArray[np.object_]:
        """Return the names of the colours of each vertex, separated by commas."""
        colors = self.colors
        if colors is None:
            return object_array([""] * len(vertices))
        return object_array([",".join(colors.of(v)) for v in vertices.tolist()])

    def _points(self, xy: ArrayLike) -> Any:
        """Return points with the names of the vertices, for a picture."""
        places = edge_arrays.in_order("positions", xy, self)
        try:
            places = edge_arrays.plain("positions", places, "give each vertex a place")
            places = np.ascontiguousarray(real_array(places))
        except (TypeError, ValueError):
            raise UsageError("positions= holds something that is no number") from None
        if places.ndim != 2 or len(places) != len(self):
            raise UsageError(f"positions= has the shape {places.shape}; give a row for each of the "
                             f"{len(self)} vertices")
        keep: List[Any] = []
        return new_object("points", lib.ms_points_new, len(places), places.shape[1],
                          ffi.from_buffer("double[]", places), NULL, strings(self.names, keep))

    def _written(self, folder: str) -> "Graph":
        """Write the graph to a file in the folder, and return the graph of this file.

        Its vertices have the same numbers, which are their names, too: names may be any texts.
        """
        path = os.path.join(folder, "graph")
        numbered = self._without(set(), named=False)
        try:
            numbered._write(path, lib.MS_FORMAT_GRAPHML if self.directed else lib.MS_FORMAT_BINARY)
        except UsageError as error:
            raise UsageError(f"this result cannot be checked: {error}") from None
        return Graph.from_file(path, format="graphml" if self.directed else "binary", directed=self.directed,
                               scores=self.directed and self.scores is not None)

    def _get_typed(self) -> Any:
        if self._typed is None:
            self._typed = new_object("typed", lib.ms_typed_from_graph, self._raw, self._coloring or NULL, 0)
        return self._typed

    # ---- queries ---------------------------------------------------------------------------

    screen = queries.screen
    list = queries.list
    match = queries.match
    nearest = near.nearest
    screen_many = many.screen_many
    list_many = many.list_many
    match_many = pattern_sets.match_many
    census = censuses.census
    census_vertices = vertex_censuses.census_vertices
    significance = censuses.significance
    orbits = graphlets.orbits
    cliques = clique_counts.cliques
    compare = comparing.compare
    mine = mining.mine
    components = walks.components
    paths = walks.paths
