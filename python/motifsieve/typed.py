"""Graphs whose vertices and edges have types, such as knowledge networks."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, List, Literal

import numpy as np

from . import edges as edge_arrays
from ._arrays import items_of, view
from ._call import NULL, Call, Stop, defaults, encoded, new_object, path_bytes, string, strings, text
from ._door import public_class
from ._keywords import Gpu, Progress, checked_seed, chosen, memory_bytes, set_engine, set_limits, thread_count, whole
from ._native import ffi, lib
from ._nodes import WithNodes
from .colorings import color_name
from .errors import UsageError
from .matches import MatchesOfPattern
from .motifs import as_tuple
from .checks import Verification, verify_file
from .walks import Paths, path_pairs

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .graph import Graph

__all__ = ["TypedGraph", "TypedMatches"]

_WALKS = {"euler": lib.MS_WALK_EULER, "random": lib.MS_WALK_RANDOM}
_FORMATS = ("auto", "hetionet", "sif", "table", "tve", "ri", "edge-list", "graphml", "cx2",
            "typed-binary")


@public_class
class TypedGraph(WithNodes):
    """A multigraph whose vertices and edges have types; held once for any number of queries.

    An edge type, or relation, is symmetric, or it has a direction and an inverse, which is called
    "^TYPE".  docs/TYPED.md describes typed graphs.

    Examples
    --------
    >>> import motifsieve as ms
    >>> t = ms.TypedGraph.from_edges([("aspirin", "PTGS2"), ("PTGS2", "pain")], ["binds", "associates"],
    ...                              vertex_types={"aspirin": "Compound", "PTGS2": "Gene", "pain": "Disease"})
    >>> list(t.match("(c:Compound)-[binds]-(g:Gene)-[associates]-(d:Disease)"))
    [('aspirin', 'PTGS2', 'pain')]
    """

    __slots__ = ("__weakref__", "_keep", "_names", "_options", "_plain", "_raw")

    _raw: Any  # an ms_typed
    _options: Any  # the ms_typed_options with which a file was read, or None
    _keep: Any
    _names: List[str] | None
    _plain: "Graph | None"

    @classmethod
    def _make(cls, raw: Any, nodes: Sequence[Any] | None, options: Any = None,
              keep: Any = None) -> "TypedGraph":
        self = object.__new__(cls)
        self._raw, self._nodes, self._options, self._keep = raw, nodes, options, keep
        self._names = self._ids = self._labels = self._plain = None
        return self

    def __init__(self, *args: Any, **options: Any) -> None:
        raise TypeError("make a TypedGraph by from_file, from_edges or from_networkx")

    @classmethod
    def from_edges(
        cls,
        edges: ArrayLike,
        types: Sequence[str],
        n: int | None = None,
        *,
        names: Sequence[Any] | None = None,
        vertex_types: Any = None,
        directed: bool | Mapping[str, Any] = False,
        threads: int | None = None,
        memory: int | str | None = None,
    ) -> "TypedGraph":
        """Make a typed graph of edges.

        Parameters
        ----------
        edges, n, names, memory
            As in `Graph.from_edges`; parallel edges and self-loops are kept.
        types : sequence of str, length m
            The type of each edge.
        vertex_types : dict or sequence, optional
            The type of each vertex, by its node or in order; default: all are "untyped".
        directed : bool or dict
            Whether relations point from the first vertex to the second; or a dict from the types
            that do to the names of their inverses (None or True: "^TYPE"; False: the type does not).
        """
        pairs, nodes, n = edge_arrays.edge_array(edges, n, names)
        if isinstance(types, (str, bytes, Mapping)):
            raise UsageError(f"types={types!r}: give a list with the type of each edge")
        given: Any = types
        types = given.tolist() if isinstance(given, np.ndarray) else list(given)
        lacking = next((i for i, kind in enumerate(types) if edge_arrays.is_missing(kind)), None)
        if lacking is not None:
            raise UsageError(f"types= has {types[lacking]!r} for edge {lacking}, counted from 0; give each edge a type")
        kinds: dict[str, int] = {}
        numbers = np.fromiter((kinds.setdefault(color_name(kind, "type") or "", len(kinds))
                               for kind in types), np.uint32)
        if len(numbers) != len(pairs):
            raise UsageError(f"types= has {len(numbers)} items, and there are {len(pairs)} edges")
        inverses = ["" for _ in kinds]
        for i, kind in enumerate(kinds):
            inverse = directed.get(kind, False) if isinstance(directed, Mapping) else directed
            if inverse is not False:
                inverses[i] = f"^{kind}" if inverse is None or inverse is True else str(inverse)
        if isinstance(directed, Mapping):
            for kind in directed:
                if kind not in kinds:
                    raise UsageError(f"directed= names the type {kind!r}, which no edge has")
        labels: Sequence[Any] = range(n) if nodes is None else nodes
        keep: list[Any] = []
        of_vertices = NULL
        if vertex_types is not None:
            if isinstance(vertex_types, Mapping):
                ordered = [vertex_types.get(node) for node in labels]
                if len(vertex_types) > n or not set(vertex_types) <= set(labels):
                    unknown = next(node for node in vertex_types if node not in set(labels))
                    raise UsageError(f"vertex_types= names the node {unknown!r}, which the graph lacks")
            elif hasattr(vertex_types, "iloc") and not edge_arrays.is_counting(vertex_types.index):
                if not vertex_types.index.is_unique or set(vertex_types.index.tolist()) != set(labels):
                    raise UsageError("vertex_types= is a Series whose index is not that of the nodes; if "
                                     "its values are in the order of the vertices, give "
                                     "vertex_types.to_numpy()")
                ordered = vertex_types.loc[[*labels]].tolist()
            else:
                ordered = vertex_types.tolist() if isinstance(vertex_types, np.ndarray) else [*vertex_types]
            if len(ordered) != n:
                raise UsageError(f"vertex_types= has {len(ordered)} items, and there are {n} vertices")
            of_vertices = strings(["untyped" if edge_arrays.is_missing(t) else color_name(t, "type") or ""
                                   for t in ordered], keep)
        return cls._make(new_object(
            "typed", lib.py_typed_from_edges, n,
            NULL if nodes is None else strings(edge_arrays.texts_of(nodes), keep), of_vertices, len(pairs),
            ffi.from_buffer("uint32_t[][2]", pairs) if len(pairs) else NULL,
            ffi.from_buffer("uint32_t[]", numbers) if len(pairs) else NULL, len(kinds),
            strings([*kinds], keep) if kinds else NULL, strings(inverses, keep) if kinds else NULL,
            thread_count(threads), memory=memory_bytes(memory)), labels)

    @classmethod
    def from_networkx(cls, graph: Any, type: str = "type", *, vertex_type: str = "type",
                      directed: bool | Mapping[str, Any] | None = None) -> "TypedGraph":
        """Make a typed graph of a graph or multigraph of NetworkX.

        Parameters
        ----------
        graph : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
            The graph.
        type, vertex_type : str
            The attributes that hold the types of edges and of nodes.
        directed : bool or dict, optional
            As in `from_edges`; default: whether the graph is directed.
        """
        nodes = list(graph)
        ids = {node: v for v, node in enumerate(nodes)}
        found = list(graph.edges(data=type))
        pairs = np.fromiter((ids[end] for edge in found for end in edge[:2]), np.uint32).reshape(-1, 2)
        missing = next(((a, b) for a, b, kind in found if kind is None), None)
        if missing is not None:
            raise UsageError(f"the edge {missing!r} lacks the attribute {type!r}, its type")
        return cls.from_edges(pairs, [kind for _, _, kind in found], len(nodes), names=nodes,
                              vertex_types=[kind for _, kind in graph.nodes(data=vertex_type)],
                              directed=graph.is_directed() if directed is None else directed)

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        *,
        format: str = "auto",
        directed: bool = False,
        nodes: str | os.PathLike[str] | None = None,
        relations: str | os.PathLike[str] | None = None,
        node_name_column: str | None = None,
        node_type_column: str | None = None,
        source_column: str | None = None,
        target_column: str | None = None,
        type_column: str | None = None,
        source_type_column: str | None = None,
        target_type_column: str | None = None,
        min_score: float = 0.0,
        score_column: str | None = None,
        combine: str | None = None,
        direction_column: str | None = None,
        names: str | None = None,
        color_attribute: str | None = None,
        threads: int | None = None,
        timeout: float | None = None,
        stop: Stop | None = None,
    ) -> "TypedGraph":
        """Read a typed graph from a file, as ``motifsieve match`` does; docs/TYPED.md has the formats.

        Parameters
        ----------
        path : path
            The file of edges.
        format : str
            "auto", "hetionet", "sif", "table", "tve", "ri", "edge-list", "graphml", "cx2" or
            "typed-binary".
        directed : bool
            Relations of which nothing else is known point from source to target.
        nodes, relations : path, optional
            A table of the vertices' types; a file of lines TYPE<TAB>INVERSE.
        """
        keep: list[Any] = []
        o = defaults("typed_options")
        if format not in _FORMATS:
            raise UsageError(f"format={format!r}: give one of {', '.join(_FORMATS)}")
        o.format, o.directed = _FORMATS.index(format), directed
        o.run.threads, o.min_score = thread_count(threads), min_score
        given: dict[str, Any] = {
            "nodes": nodes, "relations": relations, "node_name_column": node_name_column,
            "node_type_column": node_type_column, "source_column": source_column,
            "target_column": target_column, "type_column": type_column,
            "source_type_column": source_type_column, "target_type_column": target_type_column,
            "score_column": score_column, "combine": combine,
            "direction_column": direction_column, "names": names, "color_attribute": color_attribute}
        for name, value in given.items():
            setattr(o, name, string(value, keep))
        with Call(timeout, stop=stop, attach=True) as call:
            return cls._make(call.object("typed", lib.ms_typed_read, path_bytes(path), o, path=path), None, o, keep)

    # ---- what is in it -------------------------------------------------------------------

    def __len__(self) -> int:
        return lib.ms_typed_describe(self._raw).vertices

    @property
    def edge_count(self) -> int:
        """The number of edges, self-loops and parallel edges included."""
        return lib.ms_typed_describe(self._raw).edges

    @property
    def names(self) -> List[str]:
        """The names of the vertices."""
        if self._names is None:
            self._names = [text(lib.ms_typed_name(self._raw, v)) for v in range(len(self))]
        return self._names

    def __reduce__(self) -> Any:
        raise TypeError("a TypedGraph cannot be pickled; write it to a file by write(), and read it in the other "
                        "process by TypedGraph.from_file")

    @property
    def vertex_types(self) -> tuple[str, ...]:
        """The types of vertices."""
        count = lib.ms_typed_describe(self._raw).vertex_types
        return tuple(text(lib.ms_typed_vertex_type_name(self._raw, i)) for i in range(count))

    @property
    def edge_types(self) -> tuple[str, ...]:
        """The types of edges, the inverses of directed relations included."""
        count = lib.ms_typed_describe(self._raw).arc_types
        return tuple(text(lib.ms_typed_arc_type_name(self._raw, i)) for i in range(count))

    def type_of(self, vertex: int) -> str:
        """Return the type of a vertex."""
        if not 0 <= vertex < len(self):
            raise IndexError(f"vertex {vertex}: the graph has the vertices 0 to {len(self) - 1}")
        return text(lib.ms_typed_vertex_type_name(self._raw, lib.ms_typed_vertex_type(self._raw, vertex)))

    def plain(self) -> "Graph":
        """Return the graph without types of edges, self-loops and parallel edges.

        Its colours are the types of vertices.
        """
        from .graph import Graph

        if self._plain is None:
            out, colors = ffi.new("ms_graph **"), ffi.new("ms_coloring **")
            with Call(attach=True) as call:
                call.check(lib.ms_typed_plain(self._raw, 0, out, colors, call.err))
            raw = ffi.gc(out[0], lib.ms_graph_free)
            self._plain = Graph._make(raw, self._nodes, ffi.gc(colors[0], lib.ms_coloring_free))
        return self._plain

    def write(self, path: str | os.PathLike[str], format: str = "auto") -> None:
        """Write a file that `from_file` reads back, without options, to the same graph.

        Parameters
        ----------
        path : path
            The file; a name that ends in .gz or .zst is compressed.
        format : str
            "table", text; "typed-binary", which `from_file` maps into memory at once; or "auto": binary if
            the name ends in ".mst" (before ".gz" or ".zst"), and a table if it ends in ".tsv" or ".txt".
        """
        plain = os.fspath(path).removesuffix(".gz").removesuffix(".zst")
        if format == "auto":
            format = "typed-binary" if plain.endswith(".mst") else "table"
            if not plain.endswith((".mst", ".tsv", ".txt")):
                raise UsageError(f"{path}: the ending of the name stands for no format; give .tsv, .txt or "
                                 '.mst, or format="table" or "typed-binary"')
        if format not in ("table", "typed-binary"):
            raise UsageError(f'format={format!r}: give "auto", "table" or "typed-binary"')
        write = lib.ms_typed_write if format == "table" else lib.ms_typed_write_binary
        with Call(attach=True) as call:
            call.check(write(self._raw, path_bytes(path), call.err), path)

    def __repr__(self) -> str:
        return (f"<TypedGraph: {len(self)} vertices of {len(self.vertex_types)} types, "
                f"{self.edge_count} edges of {len(self.edge_types)} types>")

    # ---- queries -------------------------------------------------------------------------

    def match(
        self,
        pattern: str,
        *,
        induced: bool = False,
        embeddings: bool = False,
        limit: int | None = None,
        count_only: bool = False,
        participation: bool = False,
        roles: bool = False,
        sample: int | None = None,
        require: Any = (),
        inexact: bool = False,
        best: int | None = None,
        walk: Literal["euler", "random"] | None = None,
        walk_length: int | None = None,
        gpu: Gpu = "auto",
        seed: int = 1,
        threads: int | None = None,
        memory: int | str | None = None,
        timeout: float | None = None,
        progress: Progress = "auto",
        stop: Stop | None = None,
    ) -> "TypedMatches":
        """List or count the matches of a typed pattern, exactly, or find the best inexact ones.

        Parameters
        ----------
        pattern : str
            Cypher's notation: ``"(c:Compound)-[binds]->(g:Gene)--(d)"``.
        inexact : bool
            Find the maps that keep most vertices and edges of the pattern, whose score is in the
            column ``score``; docs/TYPED.md says what it counts.  Nothing guarantees that no better map
            exists.
        best, walk, walk_length : optional
            Inexact matches: their number; the walk through the pattern that they follow, "euler" or
            "random"; and the steps of a random one, which `seed` draws.
        induced, embeddings, limit, count_only, participation, roles, sample, require, gpu, seed, \
threads, memory, timeout, progress, stop
            As in `Graph.match`.
        """
        keep: list[Any] = []
        owner, query = self._bind(pattern)
        keep += (self._raw, owner)
        o = defaults("typed_match_options")
        o.induced, o.embeddings, o.run.seed = induced, embeddings, checked_seed(seed)
        o.count_only, o.participation, o.by_position = count_only or participation, participation, roles
        o.limit = whole("limit", limit, 1)
        o.sample = whole("sample", sample, 1)
        set_limits(o, threads, memory)
        set_engine(o, gpu, keep, sieve=True)
        inexact_only = {"best": best, "walk": walk, "walk_length": walk_length}
        exact_only = {"induced": induced, "embeddings": embeddings, "limit": limit, "count_only": count_only,
                      "participation": participation, "roles": roles, "sample": sample, "require": require}
        for name, value in (exact_only if inexact else inexact_only).items():
            if value not in (None, False, ()):
                raise UsageError(f"{name}= belongs to {'exact' if inexact else 'inexact'} matches; leave it out, or "
                                 f"set inexact={not inexact}")
        if inexact:
            o.walk = chosen("walk", walk or "euler", _WALKS)
            o.best, o.walk_length = whole("best", best, 1), whole("walk_length", walk_length, 1)
        names: list[str] = []
        for node in as_tuple(self, require):
            try:
                names.append(self.names[self.index(node)])
            except KeyError:
                raise UsageError(f"require= names the node {node!r}, which the graph lacks") from None
        if names:
            o.required, o.n_required = strings(names, keep), len(names)
        search = lib.ms_typed_match_inexact if inexact else lib.ms_typed_match
        raw = Call(timeout, progress, stop).search(o, "typed_result", search, query, o)
        asked = {"pattern": pattern, "p": raw.p, "induced": induced, "embeddings": embeddings,
                 "require": tuple(names), "limit": limit, "count_only": count_only,
                 "participation": participation, "roles": roles, "sample": sample, "inexact": inexact, "seed": seed}
        found = tuple(text(lib.ms_typed_pattern_vertex_name(owner, i)) for i in range(raw.p))
        return TypedMatches(None, raw, o, asked, typed=self,  # type: ignore[arg-type]
                             _query=query, _names=found, _keep=keep)

    def _bind(self, pattern: str) -> tuple[Any, Any]:
        """Return a pattern, and its query on this graph, which needs the pattern."""
        if not isinstance(pattern, str):
            raise TypeError(f"pattern={pattern!r}: give a text such as \"(a:Gene)-[binds]-(b)\"")
        with Call(attach=True) as call:
            owner = call.object("typed_pattern", lib.ms_typed_pattern_parse, encoded(pattern))
            return owner, call.object("typed_query", lib.ms_typed_query_new, self._raw, owner)

    def paths(
        self,
        pairs: ArrayLike,
        *,
        types: Sequence[str] | None = None,
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
        pairs, max_length, both_ways, threads, timeout, progress, stop
            As in `Graph.paths`.
        types : sequence of str, optional
            The types of edges that a path may follow; default: all, along their direction.
        """
        numbers = None
        if types is not None:
            numbers = []
            for name in [types] if isinstance(types, str) else types:
                number = lib.ms_typed_find_arc_type(self._raw, encoded(str(name)))
                if number == 0xFFFFFFFF:
                    raise UsageError(f"types= names the type {name!r}; the graph has "
                                     f"{', '.join(self.edge_types)}")
                numbers.append(number)
        return path_pairs(TypedPaths, self, self._raw, pairs, numbers, max_length, both_ways, threads,
                          timeout, progress, stop)


class _OfTyped:
    """What results of typed graphs share."""

    __slots__ = ()
    typed: TypedGraph

    @property
    def graph(self) -> "Graph":
        """The graph without types of edges, `TypedGraph.plain`."""
        return self.typed.plain()

    def labels(self, ids: Any) -> NDArray[Any]:
        """Return the nodes of an array of vertices, in its shape."""
        return items_of(self.typed._node_array(), ids)


class TypedPaths(_OfTyped, Paths):  # type: ignore[misc]
    """As `Paths`, of a `TypedGraph`, which is the attribute ``typed``."""


class TypedMatches(_OfTyped, MatchesOfPattern):  # type: ignore[misc]
    """The matches of a typed pattern; the attribute ``typed`` is the `TypedGraph`.

    Columns: ``match`` (from 1), a column of vertices for each vertex of the pattern, by its name,
    and a column ``node:NAME`` with their nodes; of inexact matches, also ``score``.
    """

    _query: Any
    _names: tuple[str, ...]

    @property
    def inexact(self) -> bool:
        """True for the best inexact matches, which nothing guarantees to be the best."""
        return self._raw.inexact

    @cached_property
    def score(self) -> NDArray[np.uint32] | None:
        """Of inexact matches: the score of each, descending; an exact match has `best_score`."""
        return view(self._raw.score, len(self), "<u4", self._raw) if self.inexact else None

    @property
    def best_score(self) -> int:
        """The score of an exact match."""
        return self._raw.best_score

    @property
    def bound(self) -> float:
        return 1.0 if self.inexact else super().bound

    @property
    def bound_text(self) -> str:
        return "1: an inexact search promises nothing" if self.inexact and self.complete else super().bound_text

    @property
    def pattern_names(self) -> tuple[str, ...]:
        """The names of the pattern's vertices."""
        return self._names

    @property
    def pattern_edges(self) -> None:
        """None: the edges of a text are not known in Python."""
        return None

    def _more_columns(self) -> dict[str, Any]:
        return {"score": lambda: self.score} if self.inexact else {}

    def _about(self) -> str:
        return f"{self.count} matches of {self.query['pattern']}"

    def _read_labels(self, path: Any) -> Any:
        if path is None:
            raise UsageError("labels=True belongs to a graph with aliases=; give the file of labels")
        return new_object("labels", lib.ms_labels_read_typed, path_bytes(path), self.typed._raw, path=path)

    def _verified(self, folder: str, recount: bool, timeout: float | None, stop: Stop | None) -> Verification:
        if self.inexact:
            raise UsageError("there is no check of inexact matches: no other search says which maps are the best")
        graph = os.path.join(folder, "graph")
        self.typed.write(graph, "typed-binary")  # which keeps all names, and the numbers of vertices
        typed = TypedGraph.from_file(graph, format="typed-binary")
        owner, query = typed._bind(self.query["pattern"])
        again = TypedMatches(None, self._raw, self._run, self.query, typed=typed,  # type: ignore[arg-type]
                             _query=query, _names=self._names, _keep=(self._keep, owner))
        path = os.path.join(folder, "result")
        again.write(path, "tsv")
        return verify_file(path, graph, None, recount, timeout, stop, {"pattern": self.query["pattern"]})

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        if self.typed._options is not None:
            options.typed = self.typed._options
        return lib.ms_typed_result_write(self._query, self._run, self._raw, options, path, err)
