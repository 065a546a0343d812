"""The colours of the vertices of a graph, and colours in any form as pairs of vertices and colours."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import real_array, view
from ._call import text
from ._door import public_class
from ._native import ffi, lib
from .edges import column_of_cells, in_order, is_counting, is_missing
from .errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .graph import Graph

__all__ = ["Colors"]


@public_class
class Colors:
    """The colours of the vertices of a graph, as lists of numbers of colours.

    Attributes
    ----------
    names : tuple of str
        The names of the colours; number ``i`` is ``names[i]``.
    indptr : numpy.ndarray of uint64, shape (n + 1,)
        The colours of vertex ``v`` are ``indices[indptr[v]:indptr[v + 1]]``.
    indices : numpy.ndarray of uint32
        Numbers of colours, ascending for each vertex.

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph.from_edges([(0, 1), (1, 2)], colors=["a", ["a", "b"], None])
    >>> g.colors.names
    ('a', 'b')
    >>> g.colors.of(1)
    ('a', 'b')
    """

    def __init__(self, raw: Any, n: int) -> None:
        self._raw = raw
        self._n = n
        count = lib.ms_coloring_describe(raw).colors
        self.names: tuple[str, ...] = tuple(text(lib.ms_coloring_name(raw, i)) for i in range(count))
        degree = ffi.new("uint32_t *")
        self.indptr: NDArray[np.uint64] = view(lib.ms_coloring_offsets(raw), n + 1, "<u8", raw)
        first = lib.ms_coloring_of(raw, 0, degree)
        self.indices: NDArray[np.uint32] = view(first, int(self.indptr[n]) if n else 0, "<u4", raw)

    def of(self, vertex: int) -> tuple[str, ...]:
        """Return the names of the colours of a vertex."""
        if not 0 <= vertex < self._n:
            raise IndexError(f"vertex {vertex}: the graph has the vertices 0 to {self._n - 1}")
        begin, end = int(self.indptr[vertex]), int(self.indptr[vertex + 1])
        return tuple(self.names[i] for i in self.indices[begin:end])

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Any:
        return iter(self.names)

    def __reduce__(self) -> Any:
        raise TypeError("Colors cannot be pickled, because they are memory of a graph; pickle the Graph")

    def __repr__(self) -> str:
        shown = ", ".join(self.names[:6]) + (", ..." if len(self.names) > 6 else "")
        return f"<Colors: {len(self.names)} colours ({shown}), {len(self.indices)} pairs>"


def color_pairs(colors: Any, graph: "Graph", color_names: Sequence[Any] | None) -> tuple[
        NDArray[np.uint32], list[str]]:
    """Return pairs (vertex, colour), and the names of the colours."""
    n = len(graph)
    if isinstance(colors, str) and graph._obs is not None:
        colors = column_of_cells("colors", colors, graph._obs)
    if hasattr(colors, "columns") and hasattr(colors, "iloc"):
        return _of_frame(colors, graph, color_names)
    if hasattr(colors, "tocoo") or (isinstance(colors, np.ndarray) and colors.ndim == 2
                                    and colors.dtype.kind not in "OUS"):
        if isinstance(colors, np.ma.MaskedArray):
            colors = np.where(colors.mask, 0, colors.data)
        return _of_incidence(colors, n, color_names)
    if color_names is not None:
        raise UsageError("color_names= belongs to a matrix of colours")
    if isinstance(colors, Mapping):
        return _of_values(((graph_index(graph, node), value) for node, value in colors.items()))
    if hasattr(colors, "index") and hasattr(colors, "array") and hasattr(colors, "to_dict"):
        if not is_counting(colors.index) and not colors.index.is_unique:
            raise UsageError("colors= is a Series whose index has a node twice")
        if len(colors) != n:
            return color_pairs(dict(zip(colors.index.tolist(), colors.tolist())), graph, None)
        colors = in_order("colors", colors, graph).array
    if hasattr(colors, "categories") and hasattr(colors, "codes"):
        return _of_categories(colors, n)
    if isinstance(colors, (str, bytes, set, frozenset)) or not hasattr(colors, "__len__"):
        raise TypeError(f"colors={colors!r}: give a list, an array, a dict, a categorical, or a sparse "
                        "matrix of vertices by colours")
    if len(colors) != n:
        raise UsageError(f"colors= has {len(colors)} items, and the graph has {n} vertices")
    return _of_values(enumerate(colors.tolist() if hasattr(colors, "tolist") else colors))


def graph_index(graph: "Graph", node: Any) -> int:
    """Return the vertex of a node that colours name."""
    try:
        return graph.index(node)
    except (KeyError, TypeError):
        raise UsageError(f"colors= names the node {node!r}, which the graph lacks") from None


def _of_frame(frame: Any, graph: "Graph", names: Sequence[Any] | None) -> tuple[
        NDArray[np.uint32], list[str]]:
    """Return the colours of a data frame with a column for each colour, and a row for each node."""
    if names is None:
        names = list(frame.columns)
    try:
        matrix = real_array(frame)
    except (TypeError, ValueError):
        raise UsageError("colors= is a data frame whose cells are no numbers; give one of its columns, or a "
                         "table of 0 and 1 with a column for each colour") from None
    if not frame.index.is_unique:
        raise UsageError("colors= is a data frame whose index has a node twice")
    if len(matrix) == len(graph):
        frame = in_order("colors", frame, graph)
        return _of_incidence(real_array(frame), len(graph), names)
    placed = np.zeros((len(graph), matrix.shape[1]))
    placed[[graph_index(graph, node) for node in frame.index.tolist()]] = matrix
    return _of_incidence(placed, len(graph), names)


def _of_incidence(matrix: Any, n: int, names: Sequence[Any] | None) -> tuple[
        NDArray[np.uint32], list[str]]:
    if matrix.shape[0] != n:
        raise UsageError(f"colors= has the shape {matrix.shape}; give a row for each of the {n} vertices")
    if names is None:
        raise UsageError("colors= is a matrix; name its columns by color_names=")
    if len(names) != matrix.shape[1]:
        raise UsageError(f"color_names= has {len(names)} items, and the matrix {matrix.shape[1]} columns")
    if hasattr(matrix, "tocoo"):
        coo = matrix.tocoo()
        kept = (coo.data != 0) & (coo.data == coo.data)  # NaN: no colour
        rows, columns = coo.row[kept], coo.col[kept]
    else:
        rows, columns = np.nonzero(np.nan_to_num(matrix) if matrix.dtype.kind == "f" else matrix)
    return _paired(rows, columns), _different(names)


def _different(names: Iterable[Any]) -> list[str]:
    """Return the names of colours, which are all different."""
    texts = [color_name(name) or "" for name in names]
    if len(set(texts)) < len(texts):
        raise UsageError(f"two colours have the name {next(t for t in texts if texts.count(t) > 1)!r}; give "
                         "each a name of its own")
    return texts


def color_name(value: Any, what: str = "colour") -> str | None:
    """Return the name of a colour or a type: a text, or what a whole number or an object is as a text.

    None: `value` stands for none.  What is not one name is refused.
    """
    if value.__class__ is str:
        return value or None
    if is_missing(value):
        return None
    if isinstance(value, bytes):
        try:
            return value.decode() or None
        except UnicodeDecodeError:
            raise UsageError(f"the {what} {value!r} is no UTF-8; give .decode(...) of it") from None
    if isinstance(value, numbers.Number) and not isinstance(value, (numbers.Integral, np.bool_)):
        raise UsageError(f"the {what} {value!r} is no name but a measured number; give .astype(int) of "
                         "numbers of classes (\"Int64\" where some are missing), pandas.cut of others, or "
                         "texts")
    if isinstance(value, (Mapping, list, tuple, set, frozenset, np.ndarray)):
        raise UsageError(f"the {what} {value!r} is no name; give a text")
    if type(value).__str__ is object.__str__ and type(value).__repr__ is object.__repr__:
        raise UsageError(f"the {what} {value!r} is an object without a name; give texts")
    return str(value) or None


def _several(value: Any) -> Iterable[Any]:
    """Return the colours that one vertex was given."""
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=str)
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return value if isinstance(value, (list, tuple)) else (value,)


def _of_categories(values: Any, n: int) -> tuple[NDArray[np.uint32], list[str]]:
    codes = np.asarray(values.codes)
    if len(codes) != n:
        raise UsageError(f"colors= has {len(codes)} items, and the graph has {n} vertices")
    vertices = np.flatnonzero(codes >= 0)
    return _paired(vertices, codes[vertices]), _different(values.categories)


def _of_values(items: Iterable[tuple[int, Any]]) -> tuple[NDArray[np.uint32], list[str]]:
    ids: dict[str, int] = {}
    are_texts: dict[str, bool] = {}
    vertices: list[int] = []
    codes: list[int] = []
    for vertex, value in items:
        for item in (value,) if value.__class__ is str else _several(value):
            name = color_name(item)
            if name is None:
                continue
            if are_texts.setdefault(name, isinstance(item, (str, bytes))) != isinstance(item, (str, bytes)):
                raise UsageError(f"colors= has the text {name!r} and another object of this name; give "
                                 "texts for both")
            vertices.append(vertex)
            codes.append(ids.setdefault(name, len(ids)))
    return _paired(vertices, codes), list(ids)


def _paired(vertices: ArrayLike, colors: ArrayLike) -> NDArray[np.uint32]:
    rows = np.asarray(vertices)
    pairs = np.empty((len(rows), 2), np.uint32)
    pairs[:, 0], pairs[:, 1] = rows, colors
    return pairs


def pairs_of(indptr: NDArray[np.uint64], indices: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return pairs of vertices and colours, which `Colors` has as rows."""
    return _paired(np.repeat(np.arange(len(indptr) - 1), np.diff(indptr.astype(np.int64))), indices)


def unpickle(pairs: NDArray[np.uint32], n: int, nodes: Any, directed: bool, scores: Any,
             colors: Any, places: tuple[Any, ...]) -> "Graph":
    """Make a graph of what `Graph.__reduce__` returns."""
    from .graph import Graph

    graph = Graph._build(np.ascontiguousarray(pairs), n, None if isinstance(nodes, range) else nodes,
                         directed, scores)
    graph.positions, graph.slides, graph._attribute, graph._obs = places
    if colors is None:
        return graph
    indptr, indices, names = colors
    graph = graph._colored(pairs_of(indptr, indices), list(names))
    graph._attribute = places[2]
    return graph
