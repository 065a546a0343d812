"""Edges, scores and groups of other packages, as arrays; what is missing in them is an error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import object_array, real_array
from ._keywords import whole
from .errors import InputError, UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph

MOST_VERTICES = 0xFFFFFFFE
# Vertices that edges may name without n=: more of them are ids that have to be numbered.
SPARSE_FACTOR, SPARSE_LEAST = 16, 1_000_000
_PIECE = 1 << 16


def edge_array(edges: Any, n: int | None, names: Sequence[Any] | None) -> tuple[
        NDArray[np.uint32], Sequence[Any] | None, int]:
    """Return edges as an array of uint32 in C order, the nodes (None: numbers) and their number."""
    array = _as_array(edges)
    if array.size == 0:
        array = np.zeros((0, 2), np.uint32)
    if array.ndim != 2 or array.shape[1] != 2:
        hint = ""
        if array.ndim == 2 and array.shape[0] == array.shape[1]:
            hint = "; if it is an adjacency matrix, give scipy.sparse.csr_matrix(edges)"
        raise UsageError(f"edges= has the shape {array.shape}; give an array of shape (m, 2){hint}")
    nodes: Sequence[Any] | None = None
    if names is not None:
        nodes = names.tolist() if hasattr(names, "tolist") else list(names)
    n = None if n is None else whole("n", n)
    if array.dtype == object and all(isinstance(item, (int, np.integer)) for item in array.ravel()):
        array = _integers(array)
    if array.dtype.kind not in "iu":
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            _refuse(array, int(np.argwhere(~np.isfinite(array))[0][0]))
        if array.dtype.kind == "f" and np.array_equal(array, np.floor(array)):
            array = _integers(array)
        elif nodes is None:
            nodes, array = _number(array)
        else:
            array = _numbers_of(array, {label: v for v, label in enumerate(nodes)})
    if n is None:
        n = len(nodes) if nodes is not None else _vertex_count(array)
    if nodes is not None and len(nodes) != n:
        raise UsageError(f"names= has {len(nodes)} items, and there are n={n} vertices")
    return checked_pairs(array, n), nodes, n


def _integers(array: NDArray[Any]) -> NDArray[Any]:
    """Return whole numbers of another type as int64."""
    if len(array):
        for found in (array.min(), array.max()):
            if not 0 <= found < MOST_VERTICES:
                raise UsageError(_out_of_range(int(found), len(array)))
    return array.astype(np.int64)


def _out_of_range(vertex: int, edges: int) -> str:
    if vertex < 0:
        return f"edges= names the vertex {vertex}; vertices are numbers from 0 to {MOST_VERTICES - 1}"
    many = f"; if so many vertices are meant, give n={vertex + 1}" if vertex < MOST_VERTICES else ""
    return (f"edges= has {edges} edge{'s' if edges > 1 else ''} and names the vertex {vertex}, so that "
            "nearly all vertices would have no edge; if the numbers are ids, number them: ids, pairs = "
            "numpy.unique(edges, return_inverse=True), and from_edges(pairs.reshape(-1, 2), names=ids)"
            + many)


def _vertex_count(array: NDArray[Any]) -> int:
    """Return the greatest vertex plus 1, unless nearly all of these vertices would have no edge."""
    if not len(array):
        return 0
    low, high = int(array.min()), int(array.max())
    if low < 0 or high >= MOST_VERTICES or high >= SPARSE_FACTOR * len(array) + SPARSE_LEAST:
        raise UsageError(_out_of_range(low if low < 0 else high, len(array)))
    return high + 1


def _as_array(edges: Any) -> NDArray[Any]:
    """Return edges as an array of numbers or, where items are no numbers, of the items."""
    if isinstance(edges, np.ndarray) or hasattr(edges, "__array__"):
        return np.asarray(plain("edges", edges, "leave out the edges that lack an end"))
    pairs = []
    for edge in edges:
        if isinstance(edge, (str, bytes)) or not isinstance(edge, Iterable):
            raise UsageError(f"edges= has the item {edge!r}; give pairs of vertices")
        pairs.append(tuple(edge))
    try:
        # in pieces, between which Ctrl-C is heard
        pieces = [np.array(pairs[i:i + _PIECE]) for i in range(0, len(pairs), _PIECE)]
        if pieces and all(piece.dtype.kind in "iuf" for piece in pieces):
            return np.concatenate(pieces)
    except (ValueError, OverflowError):  # nested items, or different numbers of items
        pass
    for pair in pairs:
        if len(pair) != 2:
            raise UsageError(f"edges= has the item {pair!r}; give pairs of vertices")
    array = np.empty((len(pairs), 2), object)
    for column in (0, 1):
        array[:, column] = object_array([pair[column] for pair in pairs])
    return array


def plain(keyword: str, values: Any, remedy: str = "fill the gaps") -> Any:
    """Return values; an array of numpy.ma that hides some of them is an error."""
    if isinstance(values, np.ma.MaskedArray):
        hidden = np.argwhere(np.broadcast_to(values.mask, values.shape))
        if len(hidden):
            place = tuple(int(i) for i in hidden[0])
            raise UsageError(f"{keyword}= is masked at {place if len(place) > 1 else place[0]}, counted "
                             f"from 0; {remedy}")
        return values.data
    return values


def in_order(keyword: str, values: Any, graph: "Graph") -> Any:
    """Return values for the vertices in their order; those of a Series or a frame belong to its index.

    An index 0, 1, .. that names no node is the order of the vertices.  A text is a column of the cells from
    which the graph was made.
    """
    if isinstance(values, str):
        return column_of_cells(keyword, values, graph._obs)
    index = getattr(values, "index", None)
    if index is None or not hasattr(values, "iloc"):
        return values
    labels = index.tolist()
    known = [label in graph for label in labels]
    if is_counting(index) and not any(known):
        return values
    if not all(known):
        wrong = labels[known.index(False)]
        raise UsageError(f"{keyword}= has {wrong!r} in its index, which is no node of the graph; if the "
                         f"values are in the order of the vertices, give {keyword}.to_numpy()")
    if not index.is_unique:
        raise UsageError(f"{keyword}= has a node twice in its index")
    if len(labels) != len(graph):
        raise UsageError(f"{keyword}= has {len(labels)} items, and the graph has {len(graph)} vertices")
    if isinstance(graph.nodes, range) and is_counting(index):
        return values
    return values.iloc[np.argsort([graph.index(label) for label in labels])]


def column_of_cells(keyword: str, values: Any, obs: Any) -> Any:
    """Return values; of a text the column of that name of the cells of an AnnData object, ``adata.obs``."""
    if not isinstance(values, str):
        return values
    if obs is None:
        raise UsageError(f"{keyword}={values!r} is a column of adata.obs, and the graph was not made of an AnnData "
                         "object; give the values")
    if values not in obs:
        raise InputError(f"{keyword}={values!r} is not in adata.obs, which has "
                         f"{', '.join(map(repr, obs.columns)) or 'no columns'}")
    return obs[values].array


def is_counting(index: Any) -> bool:
    """True if the index of a Series or a frame is 0, 1, .., as if none had been given."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def is_missing(value: Any) -> bool:
    """True for what stands for a value that is not there: None, NaN, NaT, the NA of pandas, and masked."""
    if value is None or value is np.ma.masked:
        return True
    try:
        return bool(value != value)  # NaN differs from itself
    except TypeError:  # NA has no truth
        return True
    except ValueError:  # an array has many
        return False


def _refuse(array: NDArray[Any], row: int) -> None:
    raise UsageError(f"edges= has the item {tuple(array[row].tolist())!r} in row {row}, whose end is "
                     "missing; leave out the edges that lack an end")


def checked_pairs(array: NDArray[Any], n: int) -> NDArray[np.uint32]:
    """Return pairs of vertices as uint32 in C order; the array itself if it is one."""
    if not 0 <= n <= MOST_VERTICES:
        raise UsageError(f"n={n}: a graph has 0 to {MOST_VERTICES} vertices")
    if len(array):
        low, high = int(array.min()), int(array.max())
        if low < 0 or high >= n:
            raise UsageError(f"edges= names the vertex {low if low < 0 else high}; the vertices are "
                             f"0 to {n - 1}")
    return np.ascontiguousarray(array, np.uint32)


def _number(array: NDArray[Any]) -> tuple[list[Any], NDArray[np.uint32]]:
    """Number the items of an array in the order of first appearance."""
    ids: dict[Any, int] = {}
    flat = [ids.setdefault(item, len(ids)) for item in array.ravel().tolist()]
    missing = next((number for item, number in ids.items() if is_missing(item)), None)
    if missing is not None:
        _refuse(array, flat.index(missing) // 2)
    return list(ids), np.array(flat, np.uint32).reshape(array.shape)


def _numbers_of(array: NDArray[Any], ids: Mapping[Any, int]) -> NDArray[np.uint32]:
    try:
        return np.array([ids[item] for item in array.ravel().tolist()], np.uint32).reshape(array.shape)
    except KeyError as error:
        raise UsageError(f"edges= names the node {error.args[0]!r}, which names= lacks") from None


def texts_of(nodes: Iterable[Any]) -> list[str]:
    """Return the names that the library knows the nodes by: their texts.

    If two nodes have the same text (1 and "1"), all names are those of ``repr``.
    """
    nodes = list(nodes)
    for v, node in enumerate(nodes):
        if node.__class__ is not str and is_missing(node):
            raise UsageError(f"the name of vertex {v}, counted from 0, is missing ({node!r}); give it a name")
    texts = [node if isinstance(node, str) else str(node) for node in nodes]
    if len(set(texts)) < len(texts):
        texts = [repr(node) for node in nodes]
        if len(set(texts)) < len(texts):
            seen: set[str] = set()
            twice = next(t for t in texts if t in seen or seen.add(t))  # type: ignore[func-returns-value]
            raise UsageError(f"two nodes have the name {twice}; give each node a name of its own")
    return texts


def edge_scores(values: Any, attribute: Any = None) -> NDArray[np.float32]:
    """Return the scores of edges as numbers; `attribute`: where they come from, for a message."""
    where = "scores=" if attribute is None else f"scores={attribute!r}"
    values = plain("scores", values, "give each edge a score, or leave out the edge")
    try:
        if hasattr(values, "to_numpy"):
            values = values.to_numpy(np.float64, na_value=np.nan)
        with np.errstate(over="ignore"):
            array = np.ascontiguousarray(real_array(values), np.float32)
    except (TypeError, ValueError):
        raise InputError(f"{where}: the score of an edge is missing, or is no number; correct it, or leave "
                         "out scores=") from None
    if array.ndim == 1 and not np.isfinite(array).all():
        edge = int(np.flatnonzero(~np.isfinite(array))[0])
        raise InputError(f"{where}: the score of edge {edge}, counted from 0, is missing, or is no finite "
                         "number; correct it, or leave out the edge")
    return array


def group_numbers(name: str, values: Any, n: int, of: str) -> NDArray[np.uint32]:
    """Return the numbers of groups of vertices, such as slides."""
    array = np.asarray(plain(name, values, f"give each of the {of} a value"))
    if array.shape != (n,):
        raise UsageError(f"{name}= has the shape {array.shape}; give one for each of the {n} {of}")
    items = array.tolist()
    if array.dtype.kind not in "iubUS":
        lacking = next((i for i, item in enumerate(items) if is_missing(item)), None)
        if lacking is not None:
            raise UsageError(f"{name}= has {items[lacking]!r} for number {lacking} of the {of}; give each "
                             "of them a value")
    try:
        return np.unique(array, return_inverse=True)[1].astype(np.uint32)
    except TypeError:  # values of several types have no order
        ids: dict[Any, int] = {}
        return np.array([ids.setdefault(item, len(ids)) for item in items], np.uint32)


def column_of(frame: Any, column: Any, keyword: str) -> Any:
    """Return a column of a data frame by its name, or by its place."""
    if column in frame.columns:
        found = frame[column]
        return found.iloc[:, 0] if getattr(found, "ndim", 1) == 2 else found
    if isinstance(column, int) and 0 <= column < frame.shape[1]:
        return frame.iloc[:, column]
    names = ", ".join(repr(name) for name in frame.columns)
    raise UsageError(f"{keyword}={column!r} is no column; the data frame has {names or 'none'}")
