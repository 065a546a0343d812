"""Graphs of other packages.  `Graph` has these functions as methods."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import real_array
from ._call import NULL, Call, defaults, strings
from ._door import public, public_class
from ._keywords import is_flag, memory_bytes, thread_count, warn_of
from ._native import ffi, lib
from .edges import column_of, column_of_cells, edge_scores, group_numbers, is_counting, is_missing, plain, texts_of
from .errors import InputError, UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph


@public
def dispatch(cls: type["Graph"], source: Any, colors: Any, options: dict[str, Any]) -> "Graph":
    """Make a graph of any source that `Graph` accepts."""
    if isinstance(source, (str, os.PathLike)):
        return cls.from_file(source, colors, **options)
    if isinstance(source, cls):
        return source if colors is None else source.with_colors(colors, **options)
    if colors is not None:
        options["colors"] = colors
    module = type(source).__module__.partition(".")[0]
    if hasattr(source, "obsp") and hasattr(source, "obs"):
        return cls.from_anndata(source, **options)
    if hasattr(source, "adj") and hasattr(source, "nodes"):
        return cls.from_networkx(source, **options)
    if module == "igraph" or (hasattr(source, "get_edgelist") and hasattr(source, "vcount")):
        return cls.from_igraph(source, **options)
    if module == "scipy" or hasattr(source, "tocoo"):
        return cls.from_scipy(source, **options)
    if hasattr(source, "columns") and hasattr(source, "iloc"):
        return cls.from_pandas(source, **options)
    if isinstance(source, (np.ndarray, Iterable)):
        return cls.from_edges(source, **options)  # type: ignore[arg-type]
    raise TypeError(
        f"a graph cannot be made of {type(source).__name__}; give a path, an array of edges, or an "
        "object of NetworkX, igraph, SciPy, pandas or AnnData"
    )


def _finish(graph: "Graph", colors: Any, color_names: Sequence[str] | None = None) -> "Graph":
    return graph if colors is None else graph.with_colors(colors, color_names=color_names)


def node_attributes(graph: Any) -> set[Any]:
    """Return the names of the attributes of nodes of a graph of NetworkX or igraph."""
    if hasattr(graph, "vs"):
        return set(graph.vs.attributes())
    return {name for _, data in graph.nodes(data=True) for name in data}


def _finish_by_attribute(graph: "Graph", colors: Any, known: set[Any], values: Any) -> "Graph":
    """Return the graph with the colours that an attribute of nodes holds, or with others."""
    name = ("colors" if "color" not in known else "color") if colors is None else colors
    if not isinstance(name, str):
        return _finish(graph, colors)
    if name not in known:
        if colors is None:
            return graph
        raise UsageError(f"colors={colors!r} is no attribute of the nodes, which have "
                         f"{', '.join(map(repr, sorted(map(str, known)))) or 'none'}")
    graph = graph.with_colors(values(name))
    graph._attribute = name
    return graph


def _neighbors_of(adata: Any) -> Any:
    """Return the key of the neighbours of an AnnData object that does not name it."""
    for key in ("spatial_connectivities", "connectivities"):
        if key in adata.obsp:
            return key
    raise InputError("adata.obsp has neither 'spatial_connectivities' nor 'connectivities', but "
                     f"{', '.join(map(repr, adata.obsp.keys())) or 'nothing'}; give neighbors=, or make the "
                     "neighbours of the cells' places: Graph.from_points(adata, knn=6)")


def _cell_names(adata: Any) -> list[Any]:
    """Return the names of the cells, which are different."""
    if not adata.obs_names.is_unique:
        raise InputError("two cells have the same name; adata.obs_names_make_unique() gives them different "
                         "ones")
    return list(adata.obs_names)


def _within(matrix: Any, slides: Any) -> Any:
    """Return the entries of a matrix of cells that join cells of the same slide."""
    coo = matrix.tocoo()
    number = group_numbers("slides", slides, matrix.shape[0], "cells")
    kept = number[coo.row] == number[coo.col]
    if not kept.all():
        warn_of([f"slides=: {len(kept) - int(kept.sum())} of {len(kept)} entries of the neighbours join cells of "
                 "different slides, and are left out"], UserWarning)
    coo.row, coo.col, coo.data = coo.row[kept], coo.col[kept], coo.data[kept]
    return coo


def _of_points(keyword: str, values: Any, index: Any, nodes: Sequence[Any] | None) -> Any:
    """Return values for points in their order: those of a Series belong to the names in its index."""
    if not hasattr(values, "iloc") or (index is not None and values.index.equals(index)):
        return values
    if is_counting(values.index) and not (nodes is not None and set(values.index.tolist()) & set(nodes)):
        return values
    labels = range(len(values)) if nodes is None else nodes
    if not values.index.is_unique or set(values.index.tolist()) != set(labels):
        raise UsageError(f"{keyword}= is a Series whose index is not that of the points; if its values are "
                         f"in their order, give {keyword}.to_numpy()")
    return values.loc[[*labels]]


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array, made read-only."""
    array.flags.writeable = False
    return array


def _natural(name: str, value: Any) -> int:
    number = 0 if is_flag(value) else int(value)
    if number != value or not 0 < number < 1 << 32:
        raise UsageError(f"{name}={value!r}: give a whole number above 0")
    return number


@public_class
class GraphSources:
    """The functions that make a graph of objects of other packages; `Graph` inherits them."""

    __slots__ = ()

    @classmethod
    def from_networkx(cls: Any, graph: Any, colors: Any = None, *,
                      scores: str | None = None) -> "Graph":
        """Make a graph of a graph of NetworkX.

        Parameters
        ----------
        graph : networkx.Graph or networkx.DiGraph
            Parallel edges count once, and self-loops are dropped.
        colors : str or object
            The attribute of nodes that holds colours, or colours as in `Graph`.  Default: "color" or else
            "colors"; the graph has no colours if no node has one of these attributes.
        scores : str, optional
            The attribute of edges that holds scores.  Of parallel or opposite edges, the greatest score
            counts.

        Examples
        --------
        >>> import networkx as nx, motifsieve as ms
        >>> nxg = nx.path_graph(["x", "y", "z"])
        >>> nx.set_node_attributes(nxg, {"x": "a", "y": "b"}, "color")
        >>> ms.Graph.from_networkx(nxg).colors.of(0)
        ('a',)
        """
        nodes = list(graph)
        ids = {node: v for v, node in enumerate(nodes)}
        flat = np.fromiter((ids[end] for edge in graph.edges() for end in edge[:2]), np.uint32)
        values: NDArray[np.float32] | None = None
        if scores is not None:
            found = list(graph.edges(data=scores))
            lacking = next((edge[:2] for edge in found if edge[2] is None), None)
            if lacking is not None:
                raise InputError(f"scores={scores!r}: the edge {lacking!r} lacks this attribute")
            values = edge_scores([data for _, _, data in found], scores)
        numbered = nodes == list(range(len(nodes)))
        result = cls._build(flat.reshape(-1, 2), len(nodes), None if numbered else nodes,
                            graph.is_directed(), values)
        return _finish_by_attribute(result, colors, node_attributes(graph),
                                    lambda name: [data for _, data in graph.nodes(data=name)])

    @classmethod
    def from_igraph(cls: Any, graph: Any, colors: Any = None, *, names: str = "name",
                    scores: str | None = None) -> "Graph":
        """Make a graph of a graph of igraph.

        Parameters
        ----------
        graph : igraph.Graph
            The graph.
        colors : str or object
            The attribute of vertices that holds colours, or colours as in `Graph`.  Default: "color" or
            else "colors", if there is such an attribute.
        names : str
            The attribute of vertices that holds their nodes, all different; without it, nodes are
            numbers.
        scores : str, optional
            The attribute of edges that holds scores.  Of parallel or opposite edges, the greatest score
            counts.
        """
        attributes = graph.vs.attributes()
        nodes = list(graph.vs[names]) if names in attributes else None
        pairs = np.fromiter((end for edge in graph.get_edgelist() for end in edge), np.uint32).reshape(-1, 2)
        values = None
        if scores is not None:
            if scores not in graph.es.attributes():
                known = ", ".join(map(repr, graph.es.attributes()))
                raise UsageError(f"scores={scores!r} is no attribute of the edges, which have {known or 'none'}")
            values = edge_scores(list(graph.es[scores]), scores)
        result = cls._build(pairs, graph.vcount(), nodes, graph.is_directed(), values)
        return _finish_by_attribute(result, colors, node_attributes(graph), lambda name: list(graph.vs[name]))

    @classmethod
    def from_scipy(cls: Any, matrix: Any, *, names: Sequence[Any] | None = None,
                   colors: Any = None, color_names: Sequence[str] | None = None, directed: bool = False,
                   scores: bool = False) -> "Graph":
        """Make a graph of a sparse matrix of SciPy.

        Parameters
        ----------
        matrix : scipy.sparse matrix or array, shape (n, n)
            An entry other than 0 is an edge from its row to its column.  Entries of the same place are
            added, as SciPy does.
        names, colors, color_names : optional
            As in `from_edges`.
        directed : bool
            Keep the directions; otherwise (u, v) and (v, u) are one edge.
        scores : bool
            The entries are scores of the edges.  An edge has one score: of (u, v) and (v, u), the greater
            one counts.

        Examples
        --------
        >>> import scipy.sparse, motifsieve as ms
        >>> ms.Graph.from_scipy(scipy.sparse.csr_matrix([[0, 1], [1, 0]]))
        <Graph: 2 vertices, 1 edges, no colours>
        """
        if matrix.shape[0] != matrix.shape[1]:
            raise UsageError(f"the matrix has the shape {matrix.shape}; give an adjacency matrix (n, n)")
        csr = matrix.tocsr()
        if not csr.has_canonical_format:
            csr = csr.copy()
            csr.sum_duplicates()
        coo = csr.tocoo()
        if coo.data.dtype.kind in "fc" and np.isnan(coo.data).any():
            at = int(np.flatnonzero(np.isnan(coo.data))[0])
            raise InputError(f"the matrix has NaN in row {coo.row[at]}, column {coo.col[at]}; an entry is a "
                             "number, and 0 is no edge")
        pairs = np.empty((coo.nnz, 2), np.uint32)
        pairs[:, 0], pairs[:, 1] = coo.row, coo.col
        values = coo.data
        if coo.nnz and not values.all():
            pairs, values = np.ascontiguousarray(pairs[values != 0]), values[values != 0]
        nodes = None if names is None else list(names)
        result = cls._build(pairs, matrix.shape[0], nodes, directed, values if scores else None)
        return _finish(result, colors, color_names)

    @classmethod
    def from_pandas(cls: Any, edges: Any, source: Any = 0, target: Any = 1, *,
                    nodes: Any = None, names: Any = None, colors: Any = None, directed: bool = False,
                    scores: Any = None) -> "Graph":
        """Make a graph of data frames of edges and, if wanted, of nodes.

        Parameters
        ----------
        edges : pandas.DataFrame
            A row for each edge.
        source, target : str or int
            The columns of the two ends, by name or by place.  An edge with a missing end (None, NaN, NA)
            is an error; `edges.dropna()` leaves such edges out.
        nodes : pandas.DataFrame, optional
            A row for each node.  Its nodes come first, also those without edges.
        names : str, optional
            The column of `nodes` that holds the nodes; default: its index.
        colors : str or object
            The column of `nodes` with colours, or colours as in `Graph`.
        directed : bool
            Edges point from source to target.
        scores : str, optional
            The column of `edges` with scores.

        Examples
        --------
        >>> import pandas as pd, motifsieve as ms
        >>> edges = pd.DataFrame({"from": ["x", "y"], "to": ["y", "z"]})
        >>> ms.Graph.from_pandas(edges, "from", "to").nodes
        ['x', 'y', 'z']
        """
        ends = [column_of(edges, source, "source"), column_of(edges, target, "target")]
        for keyword, end in (("source", ends[0]), ("target", ends[1])):
            missing = np.flatnonzero(np.asarray(end.isna()))
            if len(missing):
                raise InputError(f"edges= has {len(missing)} row{'s' if len(missing) > 1 else ''} without a "
                                 f"{keyword}, the first one at {edges.index[int(missing[0])]!r}; edges.dropna() "
                                 "leaves out such rows")
        ids: dict[Any, int] = {}
        if nodes is not None:
            for node in (nodes.index if names is None else column_of(nodes, names, "names")).tolist():
                if is_missing(node):
                    raise InputError(f"nodes= has a row whose node is missing ({node!r})")
                if node in ids:
                    raise InputError(f"nodes= has the node {node!r} twice")
                ids[node] = len(ids)
        both = np.empty((len(edges), 2), object)
        both[:, 0], both[:, 1] = ends[0].tolist(), ends[1].tolist()
        flat = np.fromiter((ids.setdefault(node, len(ids)) for node in both.ravel()), np.uint32, both.size)
        labels = list(ids)
        numbered = labels == list(range(len(labels)))
        result = cls._build(flat.reshape(-1, 2), len(labels), None if numbered else labels, directed,
                            None if scores is None else edge_scores(column_of(edges, scores, "scores"), scores))
        if isinstance(colors, str):
            if nodes is None:
                raise UsageError(f"colors={colors!r} is a column of nodes=, which is not given")
            colors = dict(zip(labels, column_of(nodes, colors, "colors").tolist()))
        return _finish(result, colors)

    @classmethod
    def from_anndata(cls: Any, adata: Any, neighbors: str | None = None, colors: Any = None, *, slides: Any = None,
                     scores: bool = False) -> "Graph":
        """Make a graph of the neighbours in an AnnData object.

        Parameters
        ----------
        adata : anndata.AnnData
            The cells or spots; their names are the nodes.
        neighbors : str, optional
            The key of the neighbours in ``adata.obsp``.  Default: "spatial_connectivities" (squidpy) or
            else "connectivities" (scanpy).
        colors : str or object, optional
            The column of ``adata.obs`` that holds the types of cells, or colours as in `Graph`.
        slides : str or array_like, optional
            The column of ``adata.obs`` that holds the slide of each cell, or these slides.  Neighbours in
            different slides are not joined.
        scores : bool
            The entries are scores of the edges.
        """
        if neighbors is None:
            neighbors = _neighbors_of(adata)
        if neighbors not in adata.obsp:
            raise InputError(f"neighbors={neighbors!r} is not in adata.obsp, which has "
                             f"{', '.join(map(repr, adata.obsp.keys())) or 'nothing'}")
        matrix = adata.obsp[neighbors]
        if not hasattr(matrix, "tocoo"):
            import scipy.sparse

            matrix = scipy.sparse.csr_matrix(matrix)
        if slides is not None:
            slides = column_of_cells("slides", slides, adata.obs)
            matrix = _within(matrix, slides)
        graph: Any = cls.from_scipy(matrix, names=_cell_names(adata), scores=scores)
        graph._obs = adata.obs.copy(deep=False)
        if slides is not None:
            graph.slides = frozen(np.array(slides, object))
        if "spatial" in adata.obsm and np.ndim(adata.obsm["spatial"]) == 2:
            places = real_array(adata.obsm["spatial"]).copy()
            if places.shape[1] in (2, 3) and np.isfinite(places).all():
                graph.positions = frozen(places)
        return _finish(graph, colors)

    @classmethod
    def from_points(cls: Any, xy: Any, *, knn: int | None = None,
                    radius: float | None = None, delaunay: bool = False, mutual: bool = False,
                    slides: Any = None, names: Sequence[Any] | None = None, colors: Any = None,
                    threads: int | None = None, memory: int | str | None = None) -> "Graph":
        """Make the graph of the neighbours of points, such as the cells of a tissue.

        Parameters
        ----------
        xy : array_like, shape (n, 2) or (n, 3), or anndata.AnnData
            Coordinates; of an AnnData object, ``adata.obsm["spatial"]``.
        knn : int, optional
            Join each point with this many nearest ones.  Default, if no rule is given: 6.
        radius : float, optional
            Join points at most this far apart.  With another rule: no edge is longer.
        delaunay : bool
            Join the points by the Delaunay triangulation.
        mutual : bool
            With `knn`: both ends must be among the nearest of the other.
        slides : array_like, shape (n,), optional
            Points of different slides are never joined.
        names, colors : optional
            As in `from_edges`.  Default: the index of a data frame of coordinates names its points,
            unless it is 0, 1, ..  Of an AnnData object, `colors` and `slides` may be columns of
            ``adata.obs``, and its cells are the nodes.

        Examples
        --------
        >>> import motifsieve as ms
        >>> ms.Graph.from_points([[0, 0], [1, 0], [5, 0]], radius=1.5).edges().tolist()
        [[0, 1]]
        """
        if knn is not None and delaunay:
            raise UsageError("give knn= or delaunay=, and not both")
        obs = None
        if hasattr(xy, "obsm"):
            if "spatial" not in xy.obsm:
                raise InputError("adata.obsm has no 'spatial', the places of the cells, but "
                                 f"{', '.join(map(repr, xy.obsm.keys())) or 'nothing'}; put them there")
            obs, names = xy.obs.copy(deep=False), _cell_names(xy) if names is None else names
            xy = np.asarray(xy.obsm["spatial"])
            slides = column_of_cells("slides", slides, obs)
        index = getattr(xy, "index", None) if hasattr(xy, "iloc") else None
        if names is None and index is not None and not is_counting(index):
            if not index.is_unique:
                raise UsageError("xy= has a point twice in its index, which names the points; give names=, or "
                                 "xy.reset_index(drop=True)")
            names = index.tolist()
        xy = plain("xy", xy, "leave out the points without a place")
        try:
            places = np.ascontiguousarray(real_array(xy))
        except (TypeError, ValueError):
            raise UsageError("xy= holds something that is no number; give an array of shape (n, 2) or "
                             "(n, 3)") from None
        if places.size == 0:
            places = places.reshape(-1, 2)
        if places.ndim != 2:
            raise UsageError(f"xy= has the shape {places.shape}; give an array of shape (n, 2) or (n, 3)")
        nodes = None if names is None else list(names)
        if nodes is not None and len(nodes) != len(places):
            raise UsageError(f"names= has {len(nodes)} items, and there are {len(places)} points")
        keep: list[Any] = []
        groups = NULL
        if slides is not None:
            slides = _of_points("slides", slides, index, nodes)
            number = group_numbers("slides", slides, len(places), "points")
            groups = ffi.from_buffer("uint32_t[]", number)
        options = defaults("neighbor_options")
        options.run.threads, options.run.memory, options.mutual = thread_count(threads), memory_bytes(memory), mutual
        if delaunay:
            options.rule = lib.MS_NEIGHBORS_DELAUNAY
        elif knn is None and radius is not None:
            options.rule = lib.MS_NEIGHBORS_RADIUS
        if knn is not None:
            options.nearest = _natural("knn", knn)
        options.radius = radius or 0.0
        texts = NULL if nodes is None else strings(texts_of(nodes), keep)
        with Call(attach=True) as call:
            points = call.object("points", lib.ms_points_new, len(places), places.shape[1],
                                 ffi.from_buffer("double[]", places), groups, texts)
            raw = call.object("graph", lib.ms_neighbors, points, options)
        result: Any = cls._make(raw, range(len(places)) if nodes is None else nodes)
        result.positions = frozen(np.array(places))
        result._obs = obs
        if slides is not None:
            result.slides = frozen(np.array(slides, object))
        return _finish(result, colors)
