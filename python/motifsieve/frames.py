"""Results as tables: data frames of pandas, and streams of Arrow."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from ._columns import NodeLists, Nodes, Partial, Words
from ._keywords import needed
from .arrow import Coded, Column, Ragged, Table, Texts
from .edges import in_order, is_missing
from .errors import UsageError

if TYPE_CHECKING:
    import pandas
    from numpy.typing import NDArray

    from .graph import Graph
    from .results import Result

__all__ = ["to_arrow", "to_pandas"]


Exported = Union["NDArray[Any]", Nodes, Words, NodeLists, Partial]


def _chosen(result: "Result", columns: Iterable[str] | str | None, brief: bool) -> list[str]:
    """Return the names of the columns; `brief`: the default leaves out what makes a table too wide."""
    names = list(result.columns)
    if columns is None:
        if brief and result.brief is not None:
            return list(result.brief)
        left_out = {*result._vertex_columns}
        return [name for name in names if name not in left_out and not name.startswith(result._wide_columns)]
    if isinstance(columns, str):
        columns = names if columns == "all" else [columns]
    wanted = list(columns)
    for name in wanted:
        if name not in result.columns:
            raise UsageError(f"columns= names {name!r}; the result has {', '.join(names)}")
    return wanted


# ---- pandas --------------------------------------------------------------------------


def _frames() -> Any:
    return needed("pandas", "pandas", "to_pandas", instead=", or use r.columns, which are arrays of NumPy")


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
    return Words(np.arange(len(words)), words).different()


def _as_series(result: "Result", column: Exported, labels: Words | None = None) -> Any:
    pandas = _frames()
    if isinstance(column, Nodes) and labels is not None:
        return pandas.Categorical.from_codes(labels.codes[column.ids], categories=list(labels.words))
    if isinstance(column, NodeLists) and labels is not None:
        return column.of([labels.words[code] for code in labels.codes[column.ids].tolist()])
    if isinstance(column, Nodes):
        if isinstance(result.graph.nodes, range):
            return np.asarray(column.ids, np.int64)
        return pandas.Categorical.from_codes(np.ascontiguousarray(column.ids, np.int64),
                                             dtype=_node_dtype(result.graph))
    if isinstance(column, Words):
        column = column.different()
        return pandas.Categorical.from_codes(column.codes, categories=list(column.words))
    if isinstance(column, NodeLists):
        return column.array(result)
    if isinstance(column, Partial):
        return pandas.arrays.IntegerArray(column.values.copy(), column.missing.copy())
    return np.array(column)  # a copy, which may be changed, unlike the memory of the result


def to_pandas(result: "Result", columns: Iterable[str] | str | None = None, long: bool = False,
              labels: Sequence[str | None] | None = None, wide: bool = False) -> "pandas.DataFrame":
    """See `Exports.to_pandas`."""
    pandas = _frames()
    shown = None if labels is None else _label_words(result, labels)
    if long or wide:
        if long and wide:
            raise UsageError("long= and wide= are two forms; leave one out")
        if columns is not None:
            raise UsageError("columns= chooses columns of the usual table; leave out long=, wide= or columns=")
        made = result._long_columns() if long else result._slot_columns(shown)
        return pandas.DataFrame({name: _as_series(result, c, shown) for name, c in made.items()}, copy=False)
    all_columns = result.columns
    data = {name: _as_series(result, all_columns.numbered(name), shown) for name in _chosen(result, columns, True)}
    frame = pandas.DataFrame(data, copy=False)
    frame.attrs["motifsieve"] = facts(result)
    return frame


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
        column = column.different()
        return Coded(column.codes, Texts.of(column.words))
    if isinstance(column, NodeLists):
        items = _as_column(result, Nodes(column.ids))
        empty = np.diff(column.offsets.astype(np.int64)) == 0
        return Ragged(column.offsets, items, empty)
    return column


def to_arrow(result: "Result", columns: Iterable[str] | str | None = None, lists: bool = False) -> Table:
    """See `Exports.to_arrow`."""
    metadata = {"motifsieve": json.dumps(facts(result), ensure_ascii=False)}
    if lists:
        if columns is not None:
            raise UsageError("lists=True has columns of its own; leave out columns=")
        return Table(result._list_columns(), metadata)
    found = result.columns
    return Table({name: _as_column(result, found.numbered(name)) for name in _chosen(result, columns, False)},
                 metadata)
