"""What every graph can be turned into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np

from ._door import public_class
from ._keywords import needed
from .networks import arc_marks, as_igraph, as_networkx, colors_attribute

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph

__all__ = ["GraphExports"]


@public_class
class GraphExports:
    """The conversions of a graph; `Graph` inherits them."""

    __slots__ = ()

    @overload
    def degree(self, vertex: int) -> int: ...

    @overload
    def degree(self, vertex: None = None) -> NDArray[np.int64]: ...

    def degree(self, vertex: int | None = None) -> Any:
        """Return the number of neighbours of a vertex, or of every vertex, shape (n,)."""
        graph = cast("Graph", self)
        return np.diff(graph.indptr.astype(np.int64)) if vertex is None else len(graph.neighbors(vertex))

    def to_networkx(self) -> Any:
        """Return the graph as one of NetworkX, of which `Graph` makes the same graph again.

        Returns
        -------
        networkx.Graph or networkx.DiGraph
            Its nodes are `Graph.nodes`.  They have the attribute ``colors``, a list, if the graph has
            colours; edges have a ``score`` if it has scores, which ``scores="score"`` reads again.

        Examples
        --------
        >>> import motifsieve as ms
        >>> g = ms.Graph([("x", "y"), ("y", "z")], colors={"x": "a", "y": ["a", "b"]})
        >>> g.to_networkx().nodes(data=True)
        NodeDataView({'x': {'colors': ['a']}, 'y': {'colors': ['a', 'b']}, 'z': {'colors': []}})
        """
        graph = cast("Graph", self)
        ids = np.arange(len(graph))
        return as_networkx(graph, ids, list(graph.nodes), colors_attribute(graph, ids))

    def to_igraph(self) -> Any:
        """Return the graph as one of igraph, of which `Graph` makes the same graph again.

        Vertices have the attributes of `to_networkx` and, unless nodes are numbers, ``name``, the node.
        """
        graph = cast("Graph", self)
        ids = np.arange(len(graph))
        named = {} if isinstance(graph.nodes, range) else {"name": list(graph.nodes)}
        return as_igraph(graph, ids, {**named, **colors_attribute(graph, ids)})

    def to_scipy(self) -> Any:
        """Return the adjacency matrix.

        Returns
        -------
        scipy.sparse.csr_matrix, shape (n, n)
            An entry in row u and column v is the score of the edge or arc from u to v, or 1 without
            scores.  The matrix of an undirected graph is symmetric.

        Examples
        --------
        >>> import motifsieve as ms
        >>> ms.Graph([(0, 1), (1, 2)]).to_scipy().toarray().tolist()
        [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
        """
        graph = cast("Graph", self)
        sparse = needed("scipy.sparse", "SciPy", "to_scipy", "scipy")
        values: NDArray[Any] = np.ones(2 * graph.edge_count, np.int64) if graph.scores is None else graph.scores.copy()
        columns = graph.indices
        rows = np.repeat(np.arange(len(graph)), graph.degree())
        if graph.directed:
            leaving = (arc_marks(graph) & 1).astype(bool)
            values, columns, rows = values[leaving], columns[leaving], rows[leaving]
        return sparse.csr_matrix((values, (rows, columns)), shape=(len(graph), len(graph)))
