"""Orbits: for each vertex, how often it has each position of a small connected induced subgraph."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import object_array, view
from ._call import NULL, STOPPED, Call, Stop, text
from ._door import public, public_class
from ._keywords import Progress, needed, whole
from ._native import ffi, lib
from .censuses import census_options, check_colors, described_shape, names_of_colors
from .errors import UsageError
from .results import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph

__all__ = ["Orbits", "orbits"]


@public_class
class Orbits(Result):
    """The graphlet degree vectors of a graph.

    There is a row for each vertex and each orbit with sets; `matrix` is the same as a table.
    Undirected orbits have the numbers 0 to 72 of ORCA.  Orbits with colours are those that occur, by
    the number of vertices, the colours, the shape and the position.
    """

    kind = "orbits"
    _table = "orbits"
    _rows_are = "numbers of sets, and not matches"
    _search = "g.match(r['shape'][0], induced=True)"
    _timed = False
    _vertex_columns = ("vertex",)

    @property
    def stopped(self) -> str | None:
        return STOPPED.get(self._raw.run.stopped, "interrupted")

    @property
    def k(self) -> int:
        """The greatest number of vertices of a subgraph."""
        return self._raw.k

    @cached_property
    def matrix(self) -> NDArray[np.uint64]:
        """The numbers of sets, shape (n, orbits): row i is the graphlet degree vector of vertex i.

        With colours, the rows are `sparse`, and this makes a table of them.
        """
        if self._raw.count == ffi.NULL:
            raise UsageError(f"the orbits were not counted to the end ({self.stopped})")
        if self._raw.colored:
            table = np.zeros((self._raw.vertices, self._raw.orbits), np.uint64)
            indptr, indices, counts = self.sparse
            table[np.repeat(np.arange(self._raw.vertices), np.diff(indptr.astype(np.int64))), indices] = counts
            return table
        return view(self._raw.count, (self._raw.vertices, self._raw.orbits), "<u8", self._raw)

    @cached_property
    def sparse(self) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint64]]:
        """The numbers of sets in compressed rows: ``indptr`` (n + 1,), the orbits and their numbers.

        ``scipy.sparse.csr_matrix((counts, indices, indptr))`` is the matrix.
        """
        if self._raw.count == ffi.NULL:
            raise UsageError(f"the orbits were not counted to the end ({self.stopped})")
        if not self._raw.colored:
            rows, columns = np.nonzero(self.matrix)
            indptr = np.searchsorted(rows, np.arange(self._raw.vertices + 1)).astype(np.uint64)
            return indptr, columns.astype(np.uint32), self.matrix[rows, columns]
        indptr = view(self._raw.offset, (self._raw.vertices + 1,), "<u8", self._raw)
        count = int(indptr[-1])
        return (indptr, view(self._raw.orbit, (count,), "<u4", self._raw),
                view(self._raw.count, (count,), "<u8", self._raw))

    @cached_property
    def _info(self) -> list[tuple[str, str, str]]:
        """The shape, its name and the position of each orbit."""
        info, err = ffi.new("ms_orbit_info *"), ffi.new("ms_error *")
        names = names_of_colors(self.graph) if self._raw.colored else ()
        rows = []
        for i in range(self._raw.orbits):
            o, colors = self._raw.described[i] if self._raw.colored else info, []
            if self._raw.colored:
                colors = [*o.color[0:o.k]]
            elif lib.ms_orbit_describe(self.k, self._raw.directed, i, info, err) != lib.MS_OK:
                raise UsageError(text(err.message))
            pattern, shape = described_shape(o.k, self._raw.directed, o.shape, colors, names)
            rows.append((pattern, text(shape.name), "abcdef"[o.position]))
        return rows

    @property
    def shapes(self) -> tuple[str, ...]:
        """The shape of each orbit, as a pattern."""
        return tuple(row[0] for row in self._info)

    @property
    def positions(self) -> tuple[str, ...]:
        """The first vertex of its shape in each orbit."""
        return tuple(row[2] for row in self._info)

    @cached_property
    def _places(self) -> tuple[NDArray[Any], NDArray[Any]]:
        if not self.complete:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        indptr, columns, _ = self.sparse
        return np.repeat(np.arange(self._raw.vertices), np.diff(indptr.astype(np.int64))), columns

    def __len__(self) -> int:
        return len(self._places[0])

    def _values(self) -> dict[str, Any]:
        def described(i: int) -> NDArray[Any]:
            return object_array([row[i] for row in self._info])[self._places[1]]

        return {
            "vertex": lambda: self._places[0].astype(np.uint32),
            "orbit": lambda: self._places[1].astype(np.uint32),
            "shape": lambda: described(0),
            "name": lambda: described(1),
            "position": lambda: described(2),
            "sets": lambda: self.sparse[2] if self.complete else np.zeros(0, np.uint64),
        }

    def _of_each_vertex(self) -> tuple[Any, Sequence[str]]:
        names = [f"{shape} at {position}" for shape, position in zip(self.shapes, self.positions)]
        if not self._raw.colored:
            return self.matrix, names
        sparse = needed("scipy.sparse", "SciPy", "to_anndata", "scipy")
        indptr, orbit, sets = self.sparse
        return sparse.csr_matrix((sets, orbit, indptr), (self._raw.vertices, self._raw.orbits)), names

    def _about(self) -> str:
        return f"{self._raw.orbits} orbits of {self._raw.vertices} vertices"

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        coloring = self.graph._coloring if self._raw.colored else NULL
        return lib.ms_orbits_write(self.graph._raw, coloring, self._run, self._raw, False, options, path, err)

    def _again(self, graph: "Graph", folder: str) -> tuple[Result, dict[str, Any]]:
        if self._raw.colored:
            check_colors(self.graph, graph)
        return Orbits(graph, self._raw, self._run, self.query, _keep=self._keep), {}


@public
def orbits(
    graph: "Graph",
    k: int = 4,
    *,
    colored: bool = False,
    only: Sequence[str] | None = None,
    primary: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    timeout: float | None = None,
    progress: Progress = "auto",
    stop: Stop | None = None,
) -> Orbits:
    """Count, for each vertex, the connected induced subgraphs of 2 to k vertices by its position.

    Parameters
    ----------
    graph, threads, memory, timeout, progress, stop
        As in `screen`.
    k : int
        The greatest number of vertices of a subgraph, at most 5, or 4 in a directed graph.
    colored : bool
        Orbits have the colours of the vertices, of which each has at most one.
    only : list of str, optional
        The colours that count; vertices have no others.
    primary : bool
        Each vertex has only the first of its colours.

    Returns
    -------
    Orbits

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> ms.orbits(g, 3).matrix.tolist()
    [[1, 1, 0, 0], [2, 1, 1, 0], [2, 1, 1, 0], [1, 1, 0, 0]]
    >>> o = ms.orbits(g.with_colors([*"abab"]), 2, colored=True)
    >>> list(zip(o.shapes, o.positions))
    [('(a:`a`)--(b:`b`)', 'a'), ('(a:`a`)--(b:`b`)', 'b')]
    >>> o.matrix.tolist()
    [[1, 0], [0, 2], [2, 0], [0, 1]]
    """
    if not colored and (only is not None or primary):
        raise UsageError("only= and primary= choose colours; give colored=True, or leave them out")
    keep: Any = []
    coloring = graph._need_colors() if colored else NULL
    o = census_options(graph, whole("k", k, 2), only, primary, False, threads, memory, keep, coloring)
    raw = Call(timeout, progress, stop).search(o, "orbits_result", lib.ms_orbits, graph._raw, coloring, o)
    return Orbits(graph, raw, o, {"k": raw.k, "colored": colored}, _keep=keep)
