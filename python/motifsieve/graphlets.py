"""Orbits: for each vertex, how often it has each position of a small connected induced subgraph."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import object_array, view
from ._call import STOPPED, Call, Stop, defaults, text
from ._columns import Nodes, Numbered
from ._door import public, public_class
from ._keywords import set_limits, whole
from ._native import ffi, lib
from .errors import UsageError
from .results import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph

__all__ = ["Orbits", "orbits"]


@public_class
class Orbits(Result):
    """The graphlet degree vectors of a graph.

    Columns: ``vertex``, ``node``, ``orbit``, ``shape`` (a pattern that `match` accepts), ``name``,
    ``position`` (the first vertex of the shape in the orbit) and ``sets``, for each vertex and each
    orbit with sets; `matrix` is the same as a table.  Undirected orbits have the numbers 0 to 72 of
    ORCA.
    """

    kind = "orbits"
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
        """The numbers of sets, shape (n, orbits): row i is the graphlet degree vector of vertex i."""
        if self._raw.count == ffi.NULL:
            raise UsageError(f"the orbits were not counted to the end ({self.stopped})")
        return view(self._raw.count, (self._raw.vertices, self._raw.orbits), "<u8", self._raw)

    @cached_property
    def _info(self) -> list[tuple[str, str, str]]:
        """The shape, its name and the position of each orbit."""
        info, err, out = ffi.new("ms_orbit_info *"), ffi.new("ms_error *"), ffi.new("char **")
        rows = []
        for i in range(self._raw.orbits):
            status = lib.ms_orbit_describe(self.k, self._raw.directed, i, info, err)
            if status == lib.MS_OK:
                status = lib.ms_shape_pattern(info.k, self._raw.directed, info.shape, ffi.NULL, out, err)
            if status != lib.MS_OK:
                raise UsageError(text(err.message))
            rows.append((text(out[0]), text(info.name), "abcdef"[info.position]))
            lib.ms_text_free(out[0])
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
        rows, columns = np.nonzero(self.matrix if self.complete else np.zeros((0, 0)))
        return rows, columns

    def __len__(self) -> int:
        return len(self._places[0])

    def _columns(self) -> dict[str, Any]:
        def described(i: int) -> NDArray[Any]:
            return object_array([row[i] for row in self._info])[self._places[1]]

        return {
            "vertex": lambda: self._places[0].astype(np.uint32),
            "node": Numbered(lambda: Nodes(self._places[0].astype(np.uint32))),
            "orbit": lambda: self._places[1].astype(np.uint32),
            "shape": lambda: described(0),
            "name": lambda: described(1),
            "position": lambda: described(2),
            "sets": lambda: self.matrix[self._places] if self.complete else np.zeros(0, np.uint64),
        }

    def _about(self) -> str:
        return f"{self._raw.orbits} orbits of {self._raw.vertices} vertices"

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        return lib.ms_orbits_write(self.graph._raw, self._raw, False, options, path, err)

    def _again(self, graph: "Graph", folder: str) -> tuple[Result, dict[str, Any]]:
        return Orbits(graph, self._raw, self._run, self.query, _keep=self._keep), {}


@public
def orbits(
    graph: "Graph",
    k: int = 4,
    *,
    threads: int | None = None,
    memory: int | str | None = None,
    timeout: float | None = None,
    progress: Any = "auto",
    stop: Stop | None = None,
) -> Orbits:
    """Count, for each vertex, the connected induced subgraphs of 2 to k vertices by its position.

    Parameters
    ----------
    graph, threads, memory, timeout, progress, stop
        As in `screen`.
    k : int
        The greatest number of vertices of a subgraph, at most 5, or 4 in a directed graph.

    Returns
    -------
    Orbits

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> ms.orbits(g, 3).matrix.tolist()
    [[1, 1, 0, 0], [2, 1, 1, 0], [2, 1, 1, 0], [1, 1, 0, 0]]
    """
    o = defaults("census_options")
    o.k = whole("k", k, 2)
    set_limits(o, threads, memory)
    out = ffi.new("ms_orbits_result **")
    with Call(timeout, progress, stop) as call:
        call.apply(o)
        status = lib.ms_orbits(graph._raw, o, out, call.err)
        raw = ffi.gc(out[0], lib.ms_orbits_result_free)
        call.detach(o)
        call.check(status)
    return Orbits(graph, raw, o, {"k": raw.k})
