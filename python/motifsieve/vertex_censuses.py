"""Censuses of vertices: for each vertex, the number of connected sets of every motif that hold it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import view
from ._call import NULL, Call, Stop
from ._columns import Numbered, Words
from ._door import public, public_class
from ._keywords import Gpu, Progress, needed
from ._native import ffi, lib
from .censuses import census_options, check_colors, motif_texts, names_of_colors
from .errors import UsageError
from .motifs import canonical_text
from .checks import Verification, verify_file
from .networks import Participants
from .results import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph

__all__ = ["VertexCensus", "census_vertices"]


@public_class
class VertexCensus(Result):
    """For each vertex, the number of connected sets of k vertices of every motif that hold it.

    The rows of a vertex stand together, the motif of most sets first; `to_matrix` is the same as a
    table of vertices by motifs.
    """

    kind = "vertex_census"
    _table = "census_vertex"
    _timed = False
    _vertex_columns = ("vertex",)
    _held: Any  # the py_vertex_rows

    def __len__(self) -> int:
        return self._held.rows

    @property
    def k(self) -> int:
        """The number of vertices of a set."""
        return self.query["k"]

    @cached_property
    def vertices(self) -> NDArray[np.uint32]:
        """The vertices that were counted, ascending: those that have a colour that counts."""
        return view(self._held.vertex, self._held.vertices, "<u4", self._held)

    @cached_property
    def offsets(self) -> NDArray[np.uint64]:
        """Where the rows of each of `vertices` begin, shape (len(vertices) + 1,)."""
        return view(self._held.offset, self._held.vertices + 1, "<u8", self._held)

    @cached_property
    def total_sets(self) -> NDArray[np.uint64]:
        """The number of connected sets that hold each of `vertices`, of all motifs together."""
        return view(self._held.sets, self._held.vertices, "<u8", self._held)

    @cached_property
    def color(self) -> NDArray[np.uint32]:
        """The numbers of the colours of the motif of each row, shape (rows, k)."""
        return view(self._held.color, (len(self), self.k), "<u4", self._held)

    @cached_property
    def _numbered(self) -> tuple[NDArray[np.int64], tuple[str, ...]]:
        """The number of the motif of each row, and the texts of the motifs."""
        if not len(self):
            return np.zeros(0, np.int64), ()
        # in the order of bytes, the last one first: that of the colours, from the first one on
        packed = np.ascontiguousarray(self.color.astype(">u4")).view(f"V{4 * self.k}").reshape(-1)
        _, first, number = np.unique(packed, return_index=True, return_inverse=True)
        return number.astype(np.int64), motif_texts(names_of_colors(self.graph), self.color[first])

    @property
    def motifs(self) -> tuple[str, ...]:
        """The motifs that occur, in the order of their colours."""
        return self._numbered[1]

    @cached_property
    def _vertex(self) -> NDArray[np.uint32]:
        """The vertex of each row."""
        return np.repeat(self.vertices, np.diff(self.offsets.astype(np.int64)))

    def _values(self) -> dict[str, Any]:
        return {
            "vertex": lambda: self._vertex,
            "motif": Numbered(lambda: Words(self._numbered[0], self.motifs)),
            "sets": lambda: view(self._held.n_sets, len(self), "<u8", self._held),
        }

    def _participants(self, rows: int | None = None) -> Participants:
        return Participants(self.vertices)

    def to_matrix(self) -> Any:
        """Return the numbers of sets as a sparse matrix of SciPy, vertices of the graph by `motifs`.

        Returns
        -------
        scipy.sparse.csr_matrix of int32, or of int64 if a number needs it, shape (n, len(motifs))
            `to_anndata` puts it into ``adata.obsm``.
        """
        sparse = needed("scipy.sparse", "SciPy", "to_matrix", "scipy")
        sets, shape = self["sets"], (len(self.graph), len(self.motifs))
        small = len(sets) == 0 or int(sets.max()) <= np.iinfo(np.int32).max
        indptr = np.zeros(shape[0] + 1, np.int64)
        np.cumsum(np.bincount(self._vertex, minlength=shape[0]), out=indptr[1:])
        matrix = sparse.csr_matrix((sets.astype(np.int32 if small else np.int64), self._numbered[0], indptr), shape)
        matrix.sort_indices()
        return matrix

    def _of_each_vertex(self) -> tuple[Any, Sequence[str]]:
        return self.to_matrix(), self.motifs

    def _about(self) -> str:
        return f"{len(self)} rows of {len(self.vertices)} vertices, {len(self.motifs)} motifs of {self.k} colours"

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        if not self.complete:
            raise UsageError(f"the census is incomplete ({self.stopped}) and cannot be written; count again with "
                             "more time")
        # the library counts again while it writes; the numbers are the same
        return lib.ms_census_vertices_to_file(self.graph._raw, self.graph._need_colors(), self._run, options, path,
                                              NULL, err)

    def _again(self, graph: "Graph", folder: str) -> tuple[Result, dict[str, Any]]:
        check_colors(self.graph, graph)
        return VertexCensus(graph, self._raw, self._run, self.query, _held=self._held, _keep=self._keep), {}

    def _verified(self, folder: str, recount: bool, timeout: float | None, stop: Stop | None) -> Verification:
        """Let the judge check a file that the library counts and writes again, and compare it with the rows."""
        graph = self.graph._written(folder)
        path = os.path.join(folder, "result")
        again, _ = self._again(graph, folder)
        again.write(path, "tsv")
        coloring, known = self.graph._need_colors(), {}

        def canonical(motif: str) -> str:
            if motif not in known:
                known[motif] = canonical_text(coloring, motif)
            return known[motif]

        names, motifs = graph.names, [canonical(motif) for motif in self.motifs]
        own = ((names[v], motifs[number], str(count)) for v, number, count in
               zip(self._vertex.tolist(), self._numbered[0].tolist(), self["sets"].tolist()))
        checked = verify_file(path, graph._files.path, graph._files.colors, recount, timeout, stop, {})
        if checked:
            with open(path, encoding="utf-8", newline="\n") as file:
                lines = (line.rstrip("\n").split("\t") for line in file if not line.startswith("#"))
                title = next(lines)
                places = [title.index(name) for name in ("vertex", "motif", "sets")]
                counted = [(line[places[0]], canonical(line[places[1]]), line[places[2]]) for line in lines]
                if counted != [*own]:
                    checked.accepted, checked.outcome, checked.completeness = False, "refused", "not stated"
                    checked.problem = "a census of the vertices that was made again has other rows"
        return checked


@public
def census_vertices(
    graph: "Graph",
    k: int = 3,
    *,
    only: Sequence[str] | None = None,
    primary: bool = False,
    min_count: int = 0,
    top: int | None = None,
    gpu: Gpu = "auto",
    threads: int | None = None,
    memory: int | str | None = None,
    timeout: float | None = None,
    progress: Progress = "auto",
    stop: Stop | None = None,
) -> VertexCensus:
    """Count, for each vertex, the connected sets of every motif of k colours that hold it, exactly.

    Parameters
    ----------
    graph, k, only, primary, gpu, threads, memory, timeout, progress, stop
        As in `census`.
    min_count, top : int
        Of each vertex: leave out motifs of fewer sets; keep only the first motifs.

    Returns
    -------
    VertexCensus

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph.from_edges([("x", "y"), ("y", "z")], colors={"x": "a", "y": "b", "z": "b"})
    >>> c = ms.census_vertices(g, 2)
    >>> c.to_pandas()
      node motif  sets
    0    x   a,b     1
    1    y   a,b     1
    2    y   b:2     1
    3    z   b:2     1
    >>> c.to_matrix().toarray().tolist(), c.motifs
    ([[1, 0], [1, 1], [0, 1]], ('a,b', 'b:2'))
    """
    coloring = graph._need_colors()
    keep: Any = []
    o = census_options(graph, k, only, primary, gpu, threads, memory, keep)
    o.min_count, o.top = min_count, top or 0
    size = o.k or 3
    out, summary = ffi.new("py_vertex_rows **"), ffi.new("ms_census_summary *")
    with Call(timeout, progress, stop) as call:
        call.apply(o)
        status = lib.py_census_vertices(graph._raw, coloring, o, size, out, summary, call.err)
        held = ffi.gc(out[0], lib.py_vertex_rows_free)
        call.detach(o)
        call.check(status)
    return VertexCensus(graph, summary, o, {"k": size, "only": None if only is None else tuple(only),
                                            "primary": primary, "min_count": min_count, "top": top},
                        _held=held, _keep=keep)
