"""Results as tables: data frames of pandas, and streams of Arrow."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from ._arrays import object_array
from .arrow import Coded, Column, Partial, Ragged, Table, Texts
from .edges import in_order, is_missing
from .errors import UsageError

if TYPE_CHECKING:
    import pandas
    from numpy.typing import NDArray

    from .graph import Graph
    from .results import Result

_NO_PATH = 0xFFFFFFFF

__all__ = ["NodeLists", "Nodes", "Words", "export_columns", "to_arrow", "to_pandas"]


class Nodes:
    """A column of nodes, as vertices."""

    __slots__ = ("ids",)

    def __init__(self, ids: "NDArray[Any]") -> None:
        self.ids = ids


class Words:
    """A column of words that repeat, as numbers of a list of different words."""

    __slots__ = ("codes", "words")

    def __init__(self, codes: "NDArray[Any]", words: tuple[str, ...]) -> None:
        self.codes, self.words = codes, words


class NodeLists:
    """A column of lists of nodes, as vertices: list i is ids[offsets[i]:offsets[i + 1]].

    `objects` has the same lists as tuples; None: there is no list.
    """

    __slots__ = ("ids", "objects", "offsets")

    def __init__(self, offsets: "NDArray[Any]", ids: "NDArray[Any]", objects: Any) -> None:
        self.offsets, self.ids, self.objects = offsets, ids, objects


Exported = Union["NDArray[Any]", Nodes, Words, NodeLists, Partial]


def _of_words(codes: "NDArray[Any]", words: tuple[str, ...]) -> Words:
    """Return the column of words some of which may be equal, such as two slots of one colour."""
    different = tuple(dict.fromkeys(words))
    number = {word: i for i, word in enumerate(different)}
    return Words(np.array([number[word] for word in words], np.int32)[codes], different)


def _colors_of(graph: "Graph", ids: "NDArray[Any]") -> Words:
    """Return the column of the colours of some vertices, separated by commas."""
    colors = graph.colors
    if colors is None:
        return Words(np.zeros(len(ids), np.int32), ("",))
    begin, end = colors.indptr[ids].astype(np.int64), colors.indptr[ids.astype(np.int64) + 1].astype(np.int64)
    degree = end - begin
    words = [*colors.names, ""]
    codes = np.full(len(ids), len(colors.names), np.int32)
    single = degree == 1
    codes[single] = colors.indices[begin[single]]
    number: dict[str, int] = {word: i for i, word in enumerate(words)}
    several = np.flatnonzero(degree > 1)
    for i, text in zip(several.tolist(), graph._color_texts(ids[several]).tolist()):
        codes[i] = number.setdefault(text, len(number))
    return _of_words(codes, tuple(number))


def export_columns(result: "Result") -> dict[str, Any]:
    """Return the columns of a result as functions that make them, with nodes and words as numbers."""
    columns: dict[str, Any] = {name: (lambda name=name: result.columns[name]) for name in result.columns}
    kind = result.kind
    me: Any = result
    if kind == "screen":
        columns["node"] = lambda: Nodes(me.vertices)
        columns["colors"] = lambda: _colors_of(me.graph, me.vertices)
    elif kind == "list":
        for j in range(me.k):
            columns[f"node{j + 1}"] = lambda j=j: Nodes(me.vertices[:, j])
            columns[f"slot{j + 1}"] = lambda j=j: _of_words(me.slots[:, j], me.slot_names)
    elif kind == "match":
        for j, name in enumerate(me.pattern_names):
            columns["node:" + name] = lambda j=j: Nodes(me.vertices[:, j])
    elif kind == "nearest":
        columns["nodes"] = lambda: NodeLists(me.offsets, me.vertex, lambda: me.columns["nodes"])
    elif kind == "components":
        columns["node"] = lambda: Nodes(me.columns["vertex"])
    elif kind == "vertex_census":
        columns["node"] = lambda: Nodes(me.columns["vertex"])
        columns["motif"] = lambda: Words(me._numbered[0].astype(np.int32), me.motifs)
    elif kind == "paths":
        columns["source_node"] = lambda: Nodes(me.columns["source"])
        columns["target_node"] = lambda: Nodes(me.columns["target"])
        columns["length"] = lambda: Partial(me.lengths, me.lengths == _NO_PATH)
        columns["path"] = lambda: NodeLists(me.offsets, me.vertices, lambda: me.columns["path"])
    return columns


def _is_id(result: "Result", name: str) -> bool:
    """True for a column of vertices beside which there is a column of their nodes."""
    if result.kind == "match":
        return "node:" + name in result.columns
    if result.kind == "list":
        return name[0] == "v" and "node" + name[1:] in result.columns
    if result.kind == "paths":
        return name + "_node" in result.columns
    return name == "vertex" and "node" in result.columns


def _chosen(result: "Result", columns: Iterable[str] | str | None, brief: bool) -> list[str]:
    """Return the names of the columns; `brief`: the default leaves out what makes a table too wide."""
    names = list(result.columns)
    if columns is None:
        if brief and result.brief is not None:
            return list(result.brief)
        return [name for name in names if not _is_id(result, name) and
                not (result.kind == "list" and name.startswith("slot"))]
    if isinstance(columns, str):
        columns = names if columns == "all" else [columns]
    wanted = list(columns)
    for name in wanted:
        if name not in result.columns:
            raise UsageError(f"columns= names {name!r}; the result has {', '.join(names)}")
    return wanted


# ---- pandas --------------------------------------------------------------------------


def _frames() -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError("to_pandas() needs pandas: install it (pip install pandas), or use "
                          "r.columns, which are arrays of NumPy") from None
    return pandas


def _node_dtype(graph: "Graph") -> Any:
    """Return the categories of all nodes, which all columns of a graph's results share."""
    found = graph._cache.get("pandas.nodes")
    if found is None:
        pandas = _frames()
        # Numbers in an array of objects are numbers in every version of pandas.
        nodes = pandas.Series(graph._node_array()).infer_objects()
        index = pandas.Index(nodes, tupleize_cols=False)
        found = graph._cache["pandas.nodes"] = pandas.CategoricalDtype(index)
    return found


def _label_words(result: "Result", labels: Sequence[Any]) -> Words:
    """Return labels of all vertices as a column: the node where there is none."""
    graph = result.graph
    labels = in_order("labels", labels, graph)
    if len(labels) != len(graph):
        raise UsageError(f"labels= has {len(labels)} items, and the graph has {len(graph)} vertices")
    words = tuple(str(node) if is_missing(label) else str(label) for node, label in
                  zip(graph._node_array().tolist(), labels))
    return _of_words(np.arange(len(words)), words)


def _as_series(result: "Result", column: Exported, labels: Words | None = None) -> Any:
    pandas = _frames()
    if isinstance(column, Nodes) and labels is not None:
        return pandas.Categorical.from_codes(labels.codes[column.ids], categories=list(labels.words))
    if isinstance(column, NodeLists) and labels is not None:
        flat = [labels.words[code] for code in labels.codes[column.ids].tolist()]
        at = column.offsets.tolist()
        return object_array([tuple(flat[a:b]) if b > a else None for a, b in zip(at, at[1:])])
    if isinstance(column, Nodes):
        if isinstance(result.graph.nodes, range):
            return np.asarray(column.ids, np.int64)
        return pandas.Categorical.from_codes(np.ascontiguousarray(column.ids, np.int64),
                                             dtype=_node_dtype(result.graph))
    if isinstance(column, Words):
        return pandas.Categorical.from_codes(column.codes, categories=list(column.words))
    if isinstance(column, NodeLists):
        return column.objects()
    if isinstance(column, Partial):
        return pandas.arrays.IntegerArray(column.values.copy(), column.missing.copy())
    return np.array(column)  # a copy, which may be changed, unlike the memory of the result


def to_pandas(result: "Result", columns: Iterable[str] | str | None = None, long: bool = False,
              labels: Sequence[str | None] | None = None) -> "pandas.DataFrame":
    """See `Exports.to_pandas`."""
    pandas = _frames()
    shown = None if labels is None else _label_words(result, labels)
    if long:
        made = _long_columns(result)
        if columns is not None:
            raise UsageError("columns= chooses columns of the usual table; leave out long= or columns=")
        return pandas.DataFrame({name: _as_series(result, c, shown) for name, c in made.items()}, copy=False)
    make = export_columns(result)
    data = {name: _as_series(result, make[name](), shown) for name in _chosen(result, columns, True)}
    frame = pandas.DataFrame(data, copy=False)
    frame.attrs["motifsieve"] = facts(result)
    return frame


def _long_columns(result: "Result") -> dict[str, Exported]:
    """Return the columns of the table with a row for each vertex of a match."""
    me: Any = result
    if result.kind == "list":
        rows, k = me.vertices.shape
        made: dict[str, Exported] = {
            "match": np.repeat(np.arange(1, rows + 1), k),
            "node": Nodes(me.vertices.reshape(-1)),
            "slot": _of_words(me.slots.reshape(-1), me.slot_names),
        }
        return made
    if result.kind == "match":
        rows, p = me.vertices.shape
        return {
            "match": np.repeat(np.arange(1, rows + 1), p),
            "node": Nodes(me.vertices.reshape(-1)),
            "pattern_vertex": _of_words(np.tile(np.arange(p), rows), me.pattern_names),
        }
    if result.kind == "nearest":
        size = np.diff(me.offsets.astype(np.int64))
        return {
            "match": np.repeat(np.arange(1, len(result) + 1), size),
            "cost": np.repeat(me.columns["cost"], size),
            "node": Nodes(me.vertex),
        }
    raise UsageError(f"long=True is for matches; a row of a {type(result).__name__} is no match")


# ---- Arrow ---------------------------------------------------------------------------


def facts(result: "Result") -> dict[str, Any]:
    """Return what was asked, and how sure the answer is, as plain values."""
    return {"command": result.kind, "query": {key: _plain(value) for key, value in result.query.items()},
            "complete": result.complete, "stopped": result.stopped, "bound": result.bound,
            "bound_text": result.bound_text}


def _plain(value: Any) -> Any:
    if isinstance(value, (str, int, float, bool, type(None))):
        return value
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return str(value)


def _node_texts(graph: "Graph") -> Texts:
    found = graph._cache.get("arrow.nodes")
    if found is None:
        from ._native import ffi, lib

        buffer = ffi.new("char[]", max(1, lib.py_graph_names(graph._raw, ffi.NULL)))
        used = lib.py_graph_names(graph._raw, buffer)
        found = graph._cache["arrow.nodes"] = Texts.of_terminated(bytes(ffi.buffer(buffer, used)))
    return found


def _as_column(result: "Result", column: Exported) -> Column:
    if isinstance(column, Nodes):
        ids = np.asarray(column.ids, np.uint32)
        return ids if isinstance(result.graph.nodes, range) else Coded(ids, _node_texts(result.graph))
    if isinstance(column, Words):
        return Coded(column.codes, Texts.of(column.words))
    if isinstance(column, NodeLists):
        items = _as_column(result, Nodes(column.ids))
        empty = np.diff(column.offsets.astype(np.int64)) == 0
        return Ragged(column.offsets, items, empty)
    return column


def to_arrow(result: "Result", columns: Iterable[str] | str | None = None, lists: bool = False) -> Table:
    """See `Exports.to_arrow`."""
    me: Any = result
    metadata = {"motifsieve": json.dumps(facts(result), ensure_ascii=False)}
    made: dict[str, Column]
    if lists:
        if columns is not None:
            raise UsageError("lists=True has columns of its own; leave out columns=")
        if result.kind == "nearest":
            made = {name: np.asarray(me.columns[name]) for name in result.columns if name != "nodes"}
            made["vertices"] = Ragged(me.offsets, np.asarray(me.vertex))
        elif result.kind in ("list", "match"):
            made = {"match": me.columns["match"], "vertices": me.vertices}
        else:
            raise UsageError(f"lists=True is for matches; a row of a {type(result).__name__} is no match")
        return Table(made, metadata)
    make = export_columns(result)
    made = {name: _as_column(result, make[name]()) for name in _chosen(result, columns, False)}
    return Table(made, metadata)
