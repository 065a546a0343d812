"""Results for the cells of an AnnData object: columns, matrices and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import UsageError
from .frames import _frames, facts, to_pandas

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph
    from .results import Result

__all__ = ["to_anndata", "to_obs"]


def to_obs(result: "Result", prefix: str = "motif") -> Any:
    """See `Exports.to_obs`."""
    pandas = _frames()
    who = result._participants()
    n = len(result.graph)
    found = np.zeros(n, bool)
    columns: dict[str, Any] = {}
    if result.kind == "components":
        columns[f"{prefix}_component"] = np.asarray(result.columns["component"])
    else:
        found[who.ids] = True
        columns[f"{prefix}_found"] = found
    if who.matches is not None:
        matches = np.zeros(n, who.matches.dtype)
        matches[who.ids] = who.matches
        columns[f"{prefix}_matches"] = matches
    if who.roles:
        role = np.full(n, -1, np.int64)
        role[who.ids] = who.role
        columns[f"{prefix}_role"] = pandas.Categorical.from_codes(role, categories=list(who.roles))
    index = pandas.Index(result.graph._node_array(), tupleize_cols=False)
    return pandas.DataFrame(columns, index=index)


def _has_vertices(result: "Result") -> bool:
    """True if the rows hold vertices."""
    from .results import Result

    return type(result)._participants is not Result._participants


def to_anndata(result: "Result", adata: Any, key: str) -> None:
    """See `Exports.to_anndata`."""
    old = adata.uns.get(key)
    if old is not None and not (isinstance(old, dict) and "motifsieve" in old):
        raise UsageError(f"adata.uns has {key!r}, which motifsieve did not make; give key_added=")
    matrix = result._of_each_vertex()
    frame, obsm, uns = None, None, {"motifsieve": _storable(facts(result))}
    if _has_vertices(result) or matrix is not None:
        cells = _vertices_of_cells(result.graph, adata)
        frame = to_obs(result, key).iloc[cells] if _has_vertices(result) else None
        if matrix is not None:
            obsm, uns["columns"] = matrix[0][cells], np.array(matrix[1], object)
    else:
        uns["table"] = to_pandas(result)
        uns["table"].attrs.clear()
    # from here on nothing fails
    for name in () if old is None else old.get("obs", ()):
        adata.obs.drop(columns=name, inplace=True, errors="ignore")
    if old is not None and "columns" in old and key in adata.obsm:
        del adata.obsm[key]
    if frame is not None:
        for name in frame:
            adata.obs[name] = frame[name].array
        uns["obs"] = np.array(list(frame), object)
    if obsm is not None:
        adata.obsm[key] = obsm
    adata.uns[key] = uns


def _vertices_of_cells(graph: "Graph", adata: Any) -> "NDArray[np.int64]":
    """Return the vertex of each cell: by name, or by number if the nodes are numbers."""
    if len(graph) != adata.n_obs:
        raise UsageError(f"adata has {adata.n_obs} cells, and the graph {len(graph)} vertices; give the cells of "
                         "which the graph was made")
    if isinstance(graph.nodes, range):
        return np.arange(len(graph))
    try:
        return np.array([graph.index(name) for name in adata.obs_names], np.int64)
    except KeyError as error:
        raise UsageError(f"adata has the cell {error.args[0]!r}, which the graph lacks; give the cells of which the "
                         "graph was made") from None


def _storable(value: Any) -> Any:
    """Return plain values as the files of AnnData store them: without None, and arrays in place of lists."""
    if isinstance(value, dict):
        return {name: _storable(item) for name, item in value.items() if item is not None}
    if isinstance(value, list):
        return np.array([str(item) for item in value], object)
    return value
