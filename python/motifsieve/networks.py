"""Results as networks: NetworkX, igraph and CX2."""

from __future__ import annotations

import json
import os
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np

from ._keywords import needed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph
    from .results import Result

__all__ = ["Participants", "arc_marks", "as_igraph", "as_networkx", "colors_attribute", "edges_within", "first_colors",
           "of_counts", "of_rows"]


class Participants:
    """The vertices of the rows of a result.

    Attributes
    ----------
    ids : numpy.ndarray of uint32
        The vertices, ascending.
    matches : numpy.ndarray of int64 (of float64 from 2^63 on), or None
        How many matches hold each vertex, if there are matches.
    role : numpy.ndarray of int64
        The number of the role of each vertex in the first match that holds it; -1: none.
    roles : tuple of str
        The names of the roles: the slots of a motif, or the vertices of a pattern.
    color : tuple of int
        The number of the colour of each role in the palette; default: that of the role.
    """

    __slots__ = ("color", "ids", "matches", "role", "roles")

    def __init__(self, ids: "NDArray[Any]", matches: "NDArray[Any] | None" = None,
                 role: "NDArray[Any] | None" = None, roles: tuple[str, ...] = (),
                 color: tuple[int, ...] = ()) -> None:
        self.ids = np.asarray(ids, np.uint32)
        self.matches = matches
        self.role = np.full(len(self.ids), -1) if role is None else role
        self.roles = roles
        self.color = color or tuple(range(len(roles)))

    @property
    def shades(self) -> "NDArray[Any]":
        """The number of the colour of each vertex in the palette; -1: none."""
        return np.array([*self.color, -1], np.int64)[self.role]


def of_rows(flat: "NDArray[Any]", role: "NDArray[Any] | None" = None, roles: tuple[str, ...] = (),
            color: tuple[int, ...] = ()) -> Participants:
    """Return the vertices of some rows, one after another, with the role of each."""
    ids, first, counts = np.unique(flat, return_index=True, return_counts=True)
    return Participants(ids, counts.astype(np.int64), None if role is None else role[first], roles, color)


def of_counts(counts: "NDArray[Any]") -> Participants:
    """Return the vertices that are in a match, of the numbers of matches of all vertices, perhaps by position."""
    total = counts.sum(axis=1) if counts.ndim == 2 else counts
    ids = np.flatnonzero(total)
    small = int(max(total[ids].tolist(), default=0)) < 1 << 63
    return Participants(ids, total[ids].astype(np.int64 if small else np.float64))


def first_colors(graph: "Graph", ids: "NDArray[Any]", wanted: tuple[str, ...]) -> Participants:
    """Give each vertex its first colour among `wanted`, or else its first colour, as its role."""
    colors = graph.colors
    if colors is None:
        return Participants(ids)
    names = [name for name in wanted if name in set(colors.names)]
    names += [name for name in colors.names if name not in set(names)]
    rank = {name: i for i, name in enumerate(names)}
    ids = np.asarray(ids, np.int64)
    places, owner = _gather(colors.indptr, ids)
    order = np.array([rank[name] for name in colors.names], np.int64)[colors.indices[places]]
    role = np.full(len(ids), len(names), np.int64)
    np.minimum.at(role, owner, order)
    role[role == len(names)] = -1
    used, role[role >= 0] = np.unique(role[role >= 0], return_inverse=True)
    return Participants(ids, None, role, tuple(names[i] for i in used.tolist()))


def _gather(indptr: "NDArray[Any]", ids: "NDArray[Any]") -> tuple["NDArray[Any]", "NDArray[Any]"]:
    """Return the places of the items of some rows of a CSR array, and for each the number of its row."""
    begin = indptr[ids].astype(np.int64)
    size = indptr[ids + 1].astype(np.int64) - begin
    owner = np.repeat(np.arange(len(ids)), size)
    return np.arange(len(owner)) + np.repeat(begin - (np.cumsum(size) - size), size), owner


def edges_within(graph: "Graph", ids: "NDArray[Any]") -> tuple["NDArray[Any]", "NDArray[Any] | None"]:
    """Return the edges among some vertices.

    Parameters
    ----------
    graph : Graph
    ids : numpy.ndarray
        Vertices, ascending and different.

    Returns
    -------
    edges : numpy.ndarray of int64, shape (e, 2)
        Pairs of places in `ids`.  Of a directed graph they are arcs, and both of a pair of
        opposite arcs are there; otherwise the first is the smaller one.
    scores : numpy.ndarray of float32, shape (e,), or None
    """
    ids = np.asarray(ids, np.int64)
    places, tails = _gather(graph.indptr, ids)
    neighbors = graph.indices[places].astype(np.int64)
    heads = np.searchsorted(ids, neighbors)
    heads[heads == len(ids)] = 0
    kept = ids[heads] == neighbors
    if graph.directed:
        kept &= (arc_marks(graph)[places] & 1).astype(bool)
    else:
        kept &= tails < heads
    scores = graph.scores
    return np.column_stack((tails[kept], heads[kept])), None if scores is None else scores[places[kept]]


def arc_marks(graph: "Graph") -> "NDArray[Any]":
    """Return for each entry of graph.indices 1 for an arc to it, 2 for one from it, 3 for both."""
    from ._arrays import view
    from ._native import lib

    return view(lib.ms_graph_arcs(graph._raw, 0), len(graph.indices), "|u1", graph._raw)


def colors_attribute(graph: "Graph", ids: "NDArray[Any]") -> dict[str, list[Any]]:
    """Return the attribute of colours, if there are some."""
    colors = graph.colors
    return {} if colors is None else {"colors": [[*colors.of(v)] for v in ids.tolist()]}


def _attributes(result: "Result", who: Participants) -> dict[str, list[Any]]:
    """Return the attributes of the vertices, by name."""
    made = colors_attribute(result.graph, who.ids)
    if who.matches is not None:
        made["matches"] = who.matches.tolist()
    if who.roles:
        made["role"] = [who.roles[r] if r >= 0 else None for r in who.role.tolist()]
    columns = result.columns
    made.update({name: columns[name].tolist() for name in result._attributes if name in columns})
    return made


def _facts(result: "Result") -> dict[str, Any]:
    from .frames import facts

    return facts(result)


def to_networkx(result: "Result") -> Any:
    """See `Exports.to_networkx`."""
    who = result._participants()
    network = as_networkx(result.graph, who.ids, result.labels(who.ids).tolist(), _attributes(result, who))
    network.graph["motifsieve"] = _facts(result)
    return network


def as_networkx(graph: "Graph", ids: "NDArray[Any]", nodes: list[Any], attributes: dict[str, list[Any]]) -> Any:
    """Return the network of some vertices and all edges among them."""
    networkx = needed("networkx", "NetworkX", "to_networkx", "networkx")
    network = networkx.DiGraph() if graph.directed else networkx.Graph()
    for i, node in enumerate(nodes):
        network.add_node(node, **{name: values[i] for name, values in attributes.items()})
    edges, scores = edges_within(graph, ids)
    ends = ((nodes[u], nodes[v]) for u, v in edges.tolist())
    if scores is None:
        network.add_edges_from(ends)
    else:
        network.add_weighted_edges_from(((u, v, s) for (u, v), s in zip(ends, scores.tolist())), "score")
    return network


def to_igraph(result: "Result") -> Any:
    """See `Exports.to_igraph`."""
    who = result._participants()
    network = as_igraph(result.graph, who.ids, {"name": [*map(str, result.labels(who.ids).tolist())],
                                              "vertex": who.ids.tolist(), **_attributes(result, who)})
    network["motifsieve"] = _facts(result)
    return network


def as_igraph(graph: "Graph", ids: "NDArray[Any]", attributes: dict[str, list[Any]]) -> Any:
    """Return the network of some vertices and all edges among them."""
    igraph = needed("igraph", "igraph", "to_igraph")
    edges, scores = edges_within(graph, ids)
    network = igraph.Graph(n=len(ids), edges=edges.tolist(), directed=graph.directed)
    for name, values in attributes.items():
        network.vs[name] = values
    if scores is not None:
        network.es["score"] = scores.tolist()
    return network


def to_cx2(result: "Result", **options: Any) -> list[dict[str, Any]]:
    """See `Exports.to_cx2`."""
    with tempfile.TemporaryDirectory(prefix="motifsieve-") as folder:
        path = os.path.join(folder, "network.cx2")
        result.write(path, "cx2", **options)
        with open(path, encoding="utf-8") as file:
            aspects: list[dict[str, Any]] = json.load(file)
    return aspects
