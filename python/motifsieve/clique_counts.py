"""Cliques: how many there are of each size, in all or with each vertex."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import object_array, view
from ._call import NULL, STOPPED, Call, Stop, defaults, text
from ._door import public, public_class
from ._keywords import Progress, set_limits, whole
from ._native import ffi, lib
from .errors import UsageError
from .results import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph

__all__ = ["Cliques", "cliques"]


@public_class
class Cliques(Result):
    """The numbers of cliques of each size.

    Columns: ``size`` and ``cliques`` (whole numbers of Python, exact at any size), for each size.
    With ``per_vertex=True`` they are ``vertex``, ``node``, ``size`` and ``cliques``, for each vertex
    and each size of which it is in a clique, and `matrix` is the same as a table.
    """

    kind = "cliques"
    _rows_are = "numbers of cliques, and not matches"
    _search = "g.match('clique:3')"
    _vertex_columns = ("vertex",)

    @property
    def stopped(self) -> str | None:
        return STOPPED.get(self._raw.run.stopped, "interrupted")

    @property
    def per_vertex(self) -> bool:
        """True if the cliques of each vertex were counted."""
        return self._raw.of_vertex != NULL

    @property
    def sizes(self) -> range:
        """The sizes that were counted."""
        return range(self._raw.least, self._raw.most + 1)

    @property
    def largest(self) -> int:
        """The greatest of these sizes of which there is a clique; 0: there is none."""
        return self._raw.largest

    @cached_property
    def counts(self) -> dict[int, int]:
        """The number of cliques of each size in the graph; lower bounds if the run was stopped."""
        return {size: int(text(self._raw.count_text[i])) for i, size in enumerate(self.sizes)}

    @cached_property
    def matrix(self) -> NDArray[np.uint64]:
        """The cliques of each size that hold each vertex, shape (n, sizes); column i is of sizes[i].  Lower bounds, perhaps 0, if the run was stopped."""
        if not self.per_vertex:
            raise UsageError("the cliques of each vertex were not counted; give per_vertex=True")
        return view(self._raw.of_vertex, (self._raw.vertices, len(self.sizes)), "<u8", self._raw)

    @cached_property
    def _places(self) -> tuple[NDArray[Any], NDArray[Any]]:
        rows, columns = np.nonzero(self.matrix)
        return rows, columns

    def __len__(self) -> int:
        return len(self._places[0]) if self.per_vertex else len(self.sizes)

    def _values(self) -> dict[str, Any]:
        if not self.per_vertex:
            return {"size": lambda: np.array(self.sizes, np.uint32),
                    "cliques": lambda: object_array([*self.counts.values()])}
        return {
            "vertex": lambda: self._places[0].astype(np.uint32),
            "size": lambda: (self._places[1] + self._raw.least).astype(np.uint32),
            "cliques": lambda: self.matrix[self._places],
        }

    def _of_each_vertex(self) -> tuple[Any, Sequence[str]] | None:
        return (self.matrix, [f"clique:{size}" for size in self.sizes]) if self.per_vertex else None

    def _about(self) -> str:
        return f"cliques of {self._raw.least} to {self._raw.most} vertices; the largest has {self.largest}"

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        return lib.ms_clique_counts_write(self.graph._get_index(), self._raw, options, path, err)


@public
def cliques(
    graph: "Graph",
    least: int = 3,
    most: int | None = None,
    *,
    per_vertex: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    timeout: float | None = None,
    progress: Progress = "auto",
    stop: Stop | None = None,
) -> Cliques:
    """Count the cliques of each size, from `least` to `most` vertices, in one pass.

    Parameters
    ----------
    graph, threads, memory, timeout, progress, stop
        As in `screen`.
    least, most : int
        The sizes, from 1 to 256; most=None: as large as there are.
    per_vertex : bool
        Also count the cliques that hold each vertex, of which each number must be below 2^63.

    Returns
    -------
    Cliques

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])
    >>> ms.cliques(g, 1, 4).counts
    {1: 4, 2: 4, 3: 1, 4: 0}
    >>> ms.cliques(g, 2, 3, per_vertex=True).matrix.tolist()
    [[2, 1], [2, 1], [3, 1], [1, 0]]
    """
    o = defaults("clique_options")
    o.least, o.most = whole("least", least, 1), 0 if most is None else whole("most", most, 1)
    set_limits(o, threads, memory)
    index = graph._get_index()
    with Call(timeout, progress, stop) as call:
        call.apply(o)
        if per_vertex and most is None:
            o.most = max(_count(index, o, call).largest, o.least)
        o.per_vertex = per_vertex
        raw = _count(index, o, call)
        call.detach(o)
    return Cliques(graph, raw, o, {"least": raw.least, "most": raw.most, "per_vertex": per_vertex})


def _count(index: Any, o: Any, call: Any) -> Any:
    out = ffi.new("ms_clique_counts **")
    call.check(lib.ms_clique_counts_new(index, o, out, call.err))
    return ffi.gc(out[0], lib.ms_clique_counts_free)
