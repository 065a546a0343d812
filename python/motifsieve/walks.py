"""Connected components and shortest paths."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ._arrays import view
from ._call import NULL, Call, Stop, defaults
from ._columns import NodeLists, Nodes, Numbered, Partial
from ._door import public, public_class
from ._keywords import Progress, chosen, thread_count, whole
from ._native import ffi, lib
from .errors import UsageError
from .checks import Verification
from .networks import Participants, of_rows
from .results import Result

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .graph import Graph

__all__ = ["NO_PATH", "Components", "Paths", "components", "paths"]

NO_PATH = 0xFFFFFFFF  # the length of a path that does not exist

_ALGORITHMS = {"afforest": lib.MS_COMPONENTS_AFFOREST, "kahan": lib.MS_COMPONENTS_KAHAN,
               "bully": lib.MS_COMPONENTS_BULLY}


def _memory(kind: str, array: NDArray[Any]) -> Any:
    """Return the memory of an array, or NULL."""
    return ffi.from_buffer(kind, array) if array.size else NULL


@public_class
class Components(Result):
    """The connected components of a graph, numbered from 0 in the order of their smallest vertices.

    The length is the number of components, and ``c[i]`` has the nodes of component i.  The columns have a
    row for each vertex: ``vertex``, ``node`` and ``component``.
    """

    kind = "components"
    _timed = False
    _vertex_columns = ("vertex",)
    _attributes = ("component",)
    _component: NDArray[np.uint32]
    _number: int

    def __len__(self) -> int:
        return self._number

    def __reduce__(self) -> Any:
        return _unpickle_components, (self.graph, self.query, np.array(self._component), self._number)

    @property
    def stopped(self) -> str | None:
        return None

    @property
    def bound_text(self) -> str:
        return "0: all components are found"

    @property
    def component(self) -> NDArray[np.uint32]:
        """The component of each vertex, shape (n,)."""
        return self._component

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """The number of vertices of each component."""
        return np.bincount(self._component, minlength=self._number)

    @cached_property
    def _members(self) -> list[NDArray[np.uint32]]:
        """The vertices of each component, ascending."""
        order = np.argsort(self._component, kind="stable").astype(np.uint32)
        return np.split(order, np.cumsum(self.sizes)[:-1])[:len(self)]

    def vertices_of(self, component: int) -> NDArray[np.uint32]:
        """Return the vertices of a component, ascending."""
        return self._members[component]

    def _listed(self, part: slice) -> list[Any]:
        return [tuple(self.labels(vertices).tolist()) for vertices in self._members[part]]

    def _values(self) -> dict[str, Any]:
        return {"vertex": np.arange(len(self._component), dtype=np.uint32), "component": self._component}

    def _participants(self, rows: int | None = None) -> Participants:
        return Participants(np.arange(len(self._component))[:rows])

    def _about(self) -> str:
        return f"{len(self)} components of {len(self._component)} vertices"

    def _verified(self, folder: str, recount: bool, timeout: float | None, stop: Stop | None) -> Verification:
        report = ffi.new("ms_verify_report *")
        numbers = _memory("uint32_t[]", self._component)
        with Call(timeout, stop=stop) as call:
            call.check(lib.ms_verify_components(self.graph._raw, numbers, self._number, call.token, report,
                                                call.err))
        return Verification(report)

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        pointer = ffi.from_buffer("uint32_t[]", self._component) if len(self) else ffi.new("uint32_t[1]")
        return lib.ms_components_write(self.graph._raw, pointer, self._number, NULL, options, path, err)


def _unpickle_components(graph: "Graph", query: dict[str, Any], component: NDArray[np.uint32],
                         number: int) -> Components:
    component.flags.writeable = False
    return Components(graph, None, None, query, _component=component, _number=number)


@public
def components(
    graph: "Graph",
    *,
    algorithm: Literal["afforest", "kahan", "bully"] = "afforest",
    threads: int | None = None,
    timeout: float | None = None,
    stop: Stop | None = None,
) -> Components:
    """Find the connected components of a graph.

    Parameters
    ----------
    graph, threads
        As in `screen`.
    algorithm : {"afforest", "kahan", "bully"}
        The result is the same.
    timeout, stop : optional
        End the search; it then raises `TimeLimitError` or `StoppedError`.

    Examples
    --------
    >>> import motifsieve as ms
    >>> c = ms.components(ms.Graph.from_edges([(0, 1), (2, 3)], n=5))
    >>> c.component.tolist(), c.sizes.tolist()
    ([0, 0, 1, 1, 2], [2, 2, 1])
    """
    n = len(graph)
    found = np.empty(max(n, 1), np.uint32)
    number = ffi.new("uint32_t *")
    by = chosen("algorithm", algorithm, _ALGORITHMS)
    with Call(timeout, stop=stop, attach=True) as call:
        call.check(lib.ms_graph_components(graph._raw, by, thread_count(threads), ffi.from_buffer("uint32_t[]", found),
                                           number, call.err))
    found = found[:n]
    found.flags.writeable = False
    return Components(graph, None, None, {"algorithm": algorithm}, _component=found, _number=number[0])


@public_class
class Paths(Result):
    """A shortest path for each pair of vertices.

    Columns: ``source`` and ``target`` (vertices), ``source_node``, ``target_node``, ``length`` (the
    number of edges; `NO_PATH` if there is none) and ``path`` (a tuple of nodes, or None).
    """

    kind = "paths"
    _vertex_columns = ("source", "target")
    _pairs: NDArray[np.uint32]
    _lengths: NDArray[np.uint32]
    _offsets: NDArray[np.uint64]
    _vertices: NDArray[np.uint32]
    _typed: Any  # the ms_typed that was searched

    def __len__(self) -> int:
        return self._raw.pairs

    @property
    def bound_text(self) -> str:
        return "0: each path is a shortest one" if self.complete else super().bound_text

    @property
    def found(self) -> int:
        """The number of pairs that have a path."""
        return self._raw.found

    @cached_property
    def lengths(self) -> NDArray[np.uint32]:
        """The lengths of the paths; `NO_PATH`: there is none."""
        return self._lengths[: len(self)]

    @property
    def offsets(self) -> NDArray[np.uint64]:
        """Where the paths begin in `vertices`, shape (rows + 1,); a pair without a path has no vertices."""
        return self._offsets[: len(self) + 1]

    @property
    def vertices(self) -> NDArray[np.uint32]:
        """The vertices of all paths, one after another."""
        return self._vertices

    def path(self, i: int) -> NDArray[np.uint32]:
        """Return the vertices of path i, from its source to its target; none if there is no path."""
        if not -len(self) <= i < len(self):
            raise IndexError(f"path {i}: there are {len(self)} paths")
        i %= len(self)
        return self._vertices[int(self._offsets[i]):int(self._offsets[i + 1])]

    def _columns(self) -> dict[str, Any]:
        pairs = self._pairs[: len(self)]
        return {
            "source": pairs[:, 0],
            "target": pairs[:, 1],
            "source_node": Numbered(lambda: Nodes(pairs[:, 0])),
            "target_node": Numbered(lambda: Nodes(pairs[:, 1])),
            "length": Numbered(lambda: Partial(self.lengths, self.lengths == NO_PATH)),
            "path": Numbered(lambda: NodeLists(self.offsets, self.vertices)),
        }

    def _participants(self, rows: int | None = None) -> Participants:
        end = len(self.vertices) if rows is None else int(self.offsets[min(rows, len(self))])
        return of_rows(np.asarray(self.vertices)[:end])

    def _listed(self, part: slice) -> list[Any]:
        return list(self["path"][part].tolist())

    def _about(self) -> str:
        return f"{self.found} paths of {len(self)} pairs"

    def _verified(self, folder: str, recount: bool, timeout: float | None, stop: Stop | None) -> Verification:
        report, run = ffi.new("ms_verify_report *"), ffi.new("ms_path_options *", self._run[0])
        pairs, lengths, offsets, vertices = (
            _memory("uint32_t[][2]", self._pairs), _memory("uint32_t[]", self._lengths),
            _memory("uint64_t[]", self._offsets), _memory("uint32_t[]", self._vertices))
        with Call(timeout, stop=stop) as call:
            call.apply(run)
            call.check(lib.ms_verify_paths(self._typed, run, len(self), pairs, lengths, offsets, vertices, report,
                                           call.err))
        if not self.complete:  # it says nothing of the pairs that are not here
            report.completeness = lib.MS_COMPLETENESS_NOT_STATED
        return Verification(report)

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        pairs = ffi.new("ms_path_pairs *")
        memory = ffi.from_buffer("uint32_t[][2]", self._pairs) if len(self) else NULL
        pairs.count, pairs.pairs = len(self), memory
        if type(self) is Paths:  # the typed graph was made of this one
            options.plain = self.graph._raw
        # the library finds the paths again while it writes; they are the same
        return lib.ms_typed_paths_to_file(self._typed, self._run, pairs, options, path, NULL, err)


@public
def paths(
    graph: "Graph",
    pairs: ArrayLike,
    *,
    max_length: int | None = None,
    both_ways: bool = False,
    threads: int | None = None,
    timeout: float | None = None,
    progress: Progress = "auto",
    stop: Stop | None = None,
) -> Paths:
    """Find a shortest path for each pair of nodes.

    Parameters
    ----------
    graph, threads, timeout, progress, stop
        As in `screen`.
    pairs : array_like, shape (m, 2)
        Pairs of nodes (source, target).
    max_length : int, optional
        The greatest number of edges of a path.
    both_ways : bool
        In a directed graph, a path may follow edges against their direction, too.

    Returns
    -------
    Paths

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph.from_edges([("x", "y"), ("y", "z")])
    >>> ms.paths(g, [("x", "z"), ("z", "z")])["path"].tolist()
    [('x', 'y', 'z'), ('z',)]
    """
    return path_pairs(Paths, graph, graph._get_typed(), pairs, None, max_length, both_ways, threads, timeout,
                      progress, stop)


def path_pairs(cls: type[Paths], graph: Any, typed: Any, pairs: Any, types: Any, max_length: int | None,
               both_ways: bool, threads: int | None, timeout: float | None, progress: Progress,
               stop: Stop | None) -> Paths:
    """Find the paths of a graph, or of a typed one with numbers of types (None: all)."""
    ends = _vertices_of(graph, pairs)
    count = len(ends)
    o = defaults("path_options")
    o.both_ways, o.max_length, o.run.threads = both_ways, whole("max_length", max_length, 1), thread_count(threads)
    allowed = NULL if types is None else ffi.new("uint32_t[]", types or [0])
    if types is not None:
        o.types, o.n_types = allowed, len(types)
    lengths, offsets = np.empty(max(count, 1), np.uint32), np.zeros(count + 1, np.uint64)
    found, summary = ffi.new("uint32_t **"), ffi.new("ms_path_summary *")
    with Call(timeout, progress, stop) as call:
        call.apply(o)
        status = lib.py_paths(typed, o, count, ffi.from_buffer("uint32_t[][2]", ends) if count else NULL,
                              ffi.from_buffer("uint32_t[]", lengths), ffi.from_buffer("uint64_t[]", offsets),
                              found, summary, call.err)
        owner = ffi.gc(found[0], lib.py_free)
        call.detach(o)
        call.check(status)
    offsets[summary.pairs + 1:] = offsets[summary.pairs]
    vertices = view(owner, int(offsets[summary.pairs]), "<u4", owner)
    more = {} if cls is Paths else {"typed": graph}
    return cls(graph, summary, o, {"pairs": count, "max_length": max_length, "both_ways": both_ways},
               _pairs=ends, _lengths=lengths, _offsets=offsets, _vertices=vertices, _typed=typed,
               _keep=allowed, **more)


def _vertices_of(graph: "Graph", pairs: Any) -> NDArray[np.uint32]:
    """Return pairs of nodes as pairs of vertices."""
    if isinstance(graph.nodes, range) and isinstance(pairs, np.ndarray) and pairs.dtype.kind in "iu":
        array = pairs
    else:
        try:
            array = np.array([(graph.index(a), graph.index(b)) for a, b in pairs], np.int64).reshape(-1, 2)
        except KeyError as error:
            raise UsageError(f"pairs= names the node {error.args[0]!r}, which the graph lacks") from None
        except (TypeError, ValueError):
            raise UsageError("pairs= is no list of pairs of nodes") from None
    if array.ndim != 2 or array.shape[1] != 2:
        raise UsageError(f"pairs= has the shape {array.shape}; give an array of shape (m, 2)")
    if len(array) and (array.min() < 0 or array.max() >= len(graph)):
        raise UsageError(f"pairs= names a node beyond 0 to {len(graph) - 1}")
    return np.ascontiguousarray(array, np.uint32)
