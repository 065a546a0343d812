"""The results of `screen`, `list` and `match`."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import view
from ._call import NULL, strings, text
from ._columns import Nodes, Numbered, Words
from ._door import public_class
from ._native import ffi, lib
from .errors import UsageError
from .networks import Participants, first_colors, of_counts, of_rows
from .pictures import COLORS
from .results import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph
    from .motifs import Bound
    from .patterns import Pattern

__all__ = ["Matches", "PatternMatches", "Screen"]


def slot_names_of(query: Any, k: int) -> tuple[str, ...]:
    return tuple(text(lib.ms_query_slot_name(query, d)) for d in range(k))


def slot_titles(names: Sequence[str], taken: Iterable[str]) -> list[str]:
    """Return the titles of the columns of slots, as `list --wide` has them: equal names and taken ones are numbered."""
    names, used = list(names), set(taken)
    titles: list[str] = []
    for name in names:
        choices = (f"{name}_{number}" if number else name for number in itertools.count(int(names.count(name) > 1)))
        titles.append(next(title for title in choices if title not in used))
        used.add(titles[-1])
    return titles


def _need_file(scores: Any) -> None:
    if scores is not None and scores.path is None:
        raise UsageError("a result file names the file of the scores of vertices, and these are none; give "
                         "vertex_scores= as a path, or write the columns")


class OfMotif(Result):
    """What results of a motif share."""

    _options = ""  # the struct of the library with which it was made
    _bound: "Bound"
    _scores: Any = None
    _substitutes: Any = None

    def _again(self, graph: "Graph", folder: str) -> tuple[Result, dict[str, Any]]:
        bound, more = self._bound.on(graph), {}
        run = ffi.new(f"ms_{self._options} *", self._run[0])
        scores, substitutes = self._scores, self._substitutes
        if scores is not None:
            scores = scores.in_file(graph, folder)
            run.vertex_scores, more["vertex_scores"] = scores.raw, str(scores.path)
        if substitutes is not None:
            substitutes = substitutes.in_file(bound, folder, run.max_cost)
            run.substitutes, more["substitutes"] = substitutes.raw, os.fspath(substitutes.source)
        return type(self)(graph, self._raw, run, self.query, _bound=bound, _scores=scores,
                          _substitutes=substitutes), more


def _colors_of(graph: "Graph", ids: NDArray[Any]) -> Words:
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
    for i, names in zip(several.tolist(), graph._color_texts(ids[several]).tolist()):
        codes[i] = number.setdefault(names, len(number))
    return Words(codes, tuple(number))


@public_class
class Screen(OfMotif):
    """The vertices that take part in a match of a motif.

    A vertex with a row is certainly in a match.  A vertex without one is in a match with a
    probability of at most `bound`, and if `bound` is 0 in none.

    All rows are flagged.  Beside the columns of the table, and ``missing``, ``extra`` and ``cost`` of the
    nearest matches, there is ``hits``, the number of repetitions of the sieve that flagged the vertex
    (1 after an exact search).
    """

    kind = "screen"
    _table = "screen"
    forms = ("tsv", "json", "cx2", "dot", "svg")
    _vertex_columns = ("vertex",)
    _attributes = ("hits", "missing", "extra", "cost", "score", "best_sum")
    _options = "screen_options"
    _first = ("vertex", "colors", "hits", "missing", "extra", "cost")

    def __len__(self) -> int:
        return self._raw.flagged

    @property
    def bound(self) -> float:
        return self._raw.miss_bound

    @property
    def bound_text(self) -> str:
        return text(self._raw.miss_bound_text)

    @property
    def exact(self) -> bool:
        """True if an enumeration, and not the sieve, found the vertices."""
        return self._raw.exact

    @property
    def engine(self) -> str | None:
        return ("auto", "cpu", "cuda", "both")[self._raw.backend]

    @property
    def engine_reason(self) -> str:
        return text(self._raw.backend_reason)

    @cached_property
    def hits_of(self) -> NDArray[np.uint32]:
        """For each vertex of the graph, the number of repetitions that flagged it; shape (n,)."""
        return view(self._raw.hits, self._raw.n, "<u4", self._raw)

    @cached_property
    def kept(self) -> NDArray[np.bool_]:
        """For each vertex of the graph, whether pruning left it; shape (n,)."""
        return view(self._raw.kept, self._raw.n, "|u1", self._raw).view(np.bool_)

    @cached_property
    def flagged(self) -> NDArray[np.bool_]:
        """For each vertex of the graph, whether it is certainly in a match; shape (n,)."""
        return self.hits_of > 0

    @cached_property
    def vertices(self) -> NDArray[np.uint32]:
        """The flagged vertices, ascending."""
        return np.flatnonzero(self.hits_of).astype(np.uint32)

    @property
    def slot_names(self) -> tuple[str, ...]:
        """The colour, or the condition, of each slot of the motif."""
        return slot_names_of(self._bound.query, self._raw.k)

    def _values(self) -> dict[str, Any]:
        return {
            "vertex": lambda: self.vertices,
            "colors": Numbered(lambda: _colors_of(self.graph, self.vertices)),
            "hits": lambda: self.hits_of[self.vertices],
            **dict.fromkeys(("flagged", "repetitions", "sums")),
            **{name: self._member(name) for name in ("missing", "extra", "cost")},
        }

    @property
    def _stored(self) -> int:
        return self._raw.n

    def _arranged(self, array: NDArray[Any]) -> NDArray[Any]:
        return array[self.vertices]

    def _participants(self, rows: int | None = None) -> Participants:
        return first_colors(self.graph, self.vertices[:rows], self.slot_names)

    def _listed(self, part: slice) -> list[Any]:
        nodes: list[Any] = self.labels(self.vertices[part]).tolist()
        return nodes

    def _about(self) -> str:
        how = "exact" if self.exact else f"bound {self.bound:.3g}"
        return f"{len(self)} of {self._raw.n} vertices are in a match of {self.query['motif']}, {how}"

    def sums_of(self, vertex: int) -> NDArray[np.uint32]:
        """Return, with ``all_sums=True``, the sums of the scores of the matches that hold a vertex."""
        if self._raw.sums_from == NULL:
            raise UsageError("the screen has no sums; give it vertex_scores= and all_sums=True")
        if not 0 <= vertex < self._raw.n:
            raise IndexError(f"vertex {vertex}: the graph has the vertices 0 to {self._raw.n - 1}")
        at = view(self._raw.sums_from, self._raw.n + 1, "<u8", self._raw)
        return view(self._raw.sums, int(at[-1]), "<u4", self._raw)[int(at[vertex]):int(at[vertex + 1])]

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        _need_file(self._scores)
        return lib.ms_screen_write(self._bound.query, self._run, self._raw, options, path, err)


class MatchesOf(Result):
    """Matches, which may be only counted."""

    @property
    def count(self) -> int:
        """The number of matches, exact at any size, also if they were only counted."""
        return int(text(self._raw.count_text))

    def _about_count(self, what: str) -> str:
        shown = "" if len(self) == self.count else f" ({len(self)} stored)"
        return f"{self.count} {what}{shown}"


class MatchesOfOneSize(MatchesOf):
    """Matches that all have equally many vertices: a row of an array for each."""

    vertices: Any  # [rows, size]

    def __len__(self) -> int:
        return 0 if self._raw.vertices == NULL else self._raw.matches

    @property
    def _size(self) -> int:
        """The number of vertices of a match."""
        return self._raw.p

    @property
    def bound(self) -> float:
        if not self.complete:
            return 1.0
        screen = self._raw.screen
        return 0.0 if screen == NULL else min(1.0, self._size * screen.miss_bound)

    @property
    def bound_text(self) -> str:
        screen = self._raw.screen
        if not self.complete or screen == NULL or screen.miss_bound == 0:
            return super().bound_text
        return f"{self._size} * ({text(screen.miss_bound_text)})"

    def _list_columns(self) -> dict[str, Any]:
        return {"match": self["match"], "vertices": self.vertices}

    def _long_rows(self) -> dict[str, Any]:
        return {"match": np.repeat(np.arange(1, len(self) + 1), self._size), "node": Nodes(self.vertices.reshape(-1))}

    def _listed(self, part: slice) -> list[Any]:
        return [*map(tuple, self.labels(self.vertices[part]).tolist())]


class MatchesOfPattern(MatchesOfOneSize):
    """Maps of the vertices of a pattern to vertices of the graph."""

    kind = "match"
    forms = ("tsv", "json", "binary", "cx2", "dot", "svg")
    pattern_names: Any  # of the pattern's vertices

    @property
    def automorphisms(self) -> int:
        """The number of automorphisms of the pattern with its colours or types."""
        return int(text(self._raw.automorphisms_text))

    @cached_property
    def participation(self) -> NDArray[Any] | None:
        """With ``participation=True``: the number of matches that hold each vertex, shape (n,).

        With ``roles=True``: at each of `positions`, shape (n, positions).  The numbers are uint64, or
        Python's integers if one of them needs more than 64 bits.
        """
        counted = self._raw.participation
        if counted == NULL:
            return None
        shape = (counted.vertices, counted.positions) if self.query["roles"] else (counted.vertices,)
        words = view(ffi.cast("uint64_t *", counted.matches), (*shape, 2), "<u8", self._raw)
        if not words[..., 1].any():
            return words[..., 0]
        numbers = words.astype(object)
        return numbers[..., 0] + (numbers[..., 1] << 64)

    @property
    def sampled_from(self) -> int:
        """With ``sample=``: the number of all matches."""
        return self._raw.sampled_from

    @cached_property
    def positions(self) -> tuple[tuple[str, ...], ...]:
        """With ``roles=True``: the vertices of the pattern that symmetries take to each other."""
        counted = self._raw.participation
        if counted == NULL or not self.query["roles"]:
            return ()
        number = [counted.position_of[i] for i in range(self._size)]
        return tuple(tuple(name for name, at in zip(self.pattern_names, number) if at == position)
                     for position in range(counted.positions))

    @cached_property
    def vertices(self) -> NDArray[np.uint32]:
        """The matches, shape (rows, p): column i has the images of vertex i of the pattern."""
        return view(self._raw.vertices, (len(self), self._raw.p), "<u4", self._raw)

    @property
    def _vertex_columns(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(self.pattern_names)

    def _more_columns(self) -> dict[str, Any]:
        return {}

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"match": lambda: np.arange(1, len(self) + 1)}
        names = self.pattern_names
        for j, name in enumerate(names):  # a vertex may have the name of a column that is there
            columns.setdefault(name, lambda j=j: self.vertices[:, j])
        for name, make in self._more_columns().items():
            columns.setdefault(name, make)
        for j, name in enumerate(names):
            columns["node:" + name] = Numbered(lambda j=j: Nodes(self.vertices[:, j]))
        return columns

    def _long_columns(self) -> dict[str, Any]:
        numbers = np.tile(np.arange(self._size), len(self))
        return {**self._long_rows(), "pattern_vertex": Words(numbers, self.pattern_names)}

    def _of_each_vertex(self) -> tuple[Any, Sequence[str]] | None:
        counted = self.participation
        if counted is None or not self.query["roles"]:
            return None
        return (counted.astype(np.float64) if counted.dtype == object else counted,
                [",".join(names) for names in self.positions])

    def _participants(self, rows: int | None = None) -> Participants:
        if self.participation is not None and rows is None:
            return of_counts(self.participation)
        ids = self.vertices[:rows]
        return of_rows(ids.reshape(-1), np.tile(np.arange(self._size), len(ids)), self.pattern_names)


@public_class
class Matches(OfMotif, MatchesOfOneSize):
    """The matches of a motif: connected sets of vertices that fill its slots.

    Columns: ``match`` (from 1), ``v1`` to ``vk`` (vertices, ascending), ``node1`` to ``nodek`` (their
    nodes) and ``slot1`` to ``slotk`` (the colour of the slot that each fills).
    """

    kind = "list"
    forms = ("tsv", "json", "cx2", "dot", "svg")
    _wide_columns = ("slot",)
    _options = "list_options"

    @property
    def k(self) -> int:
        """The number of vertices of a match."""
        return self._raw.k

    @property
    def _size(self) -> int:
        return self.k

    @property
    def _vertex_columns(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(f"v{j + 1}" for j in range(self.k))

    @cached_property
    def vertices(self) -> NDArray[np.uint32]:
        """The matches, shape (rows, k); each row ascending."""
        return view(self._raw.vertices, (len(self), self._raw.k), "<u4", self._raw)

    @cached_property
    def slots(self) -> NDArray[np.uint8]:
        """The number of the slot that each vertex fills, shape (rows, k); see `slot_names`."""
        return self.first_slots(len(self))

    def first_slots(self, rows: int) -> NDArray[np.uint8]:
        """Return the first rows of `slots`, without making the others."""
        rows = min(rows, len(self))
        slots = np.zeros((rows, self._raw.k), np.uint8)
        if rows:
            done = lib.py_slots(self._bound.query, self._raw.k, rows, self._raw.vertices,
                                ffi.cast("uint8_t *", slots.ctypes.data))
            assert done == rows, "a listed set is no match"
        return slots

    @cached_property
    def slot_names(self) -> tuple[str, ...]:
        """The colour, or the condition, of each slot."""
        return slot_names_of(self._bound.query, self._raw.k)

    @cached_property
    def family_size(self) -> NDArray[np.uint64] | None:
        """With ``families=``: the number of matches in the family of each row."""
        pointer = self._raw.family_size
        return None if pointer == NULL else view(pointer, len(self), "<u8", self._raw)

    @cached_property
    def matches_of(self) -> NDArray[np.uint64] | None:
        """With ``participation=True``: the number of matches that hold each vertex; shape (n,)."""
        pointer = self._raw.matches_of
        return None if pointer == NULL else view(pointer, self._raw.n, "<u8", self._raw)

    @property
    def sampled_from(self) -> int:
        """With ``sample=``: the number of all matches."""
        return self._raw.sampled_from

    def _columns(self) -> dict[str, Any]:
        k = self._raw.k
        columns: dict[str, Any] = {"match": lambda: np.arange(1, len(self) + 1)}
        for j in range(k):
            columns[f"v{j + 1}"] = lambda j=j: self.vertices[:, j]
        for j in range(k):
            columns[f"node{j + 1}"] = Numbered(lambda j=j: Nodes(self.vertices[:, j]))
        for j in range(k):
            columns[f"slot{j + 1}"] = Numbered(lambda j=j: Words(self.slots[:, j], self.slot_names))
        if self.family_size is not None:
            columns["family_size"] = self.family_size
        return columns

    def _long_columns(self) -> dict[str, Any]:
        return {**self._long_rows(), "slot": Words(self.slots.reshape(-1), self.slot_names)}

    def _slot_columns(self, labels: Any = None) -> dict[str, Any]:
        order = np.argsort(self.slots, axis=1, kind="stable")
        vertices = np.take_along_axis(self.vertices, order, axis=1)
        columns: dict[str, Any] = {"match": np.arange(1, len(self) + 1)}
        if self.family_size is not None:
            columns["family_size"] = self.family_size
        return {**columns, **{title: Nodes(vertices[:, d]) for d, title in enumerate(slot_titles(self.slot_names, columns))}}

    def _participants(self, rows: int | None = None) -> Participants:
        if self.matches_of is not None and rows is None:
            return of_counts(self.matches_of)
        slots = self.slots if rows is None else self.first_slots(rows)
        names = tuple(dict.fromkeys(self.slot_names))
        number = np.array([names.index(name) for name in self.slot_names])
        color = tuple(COLORS.index(text(lib.ms_query_slot_color(self._bound.query, self.slot_names.index(name))))
                      for name in names)
        return of_rows(self.vertices[:rows].reshape(-1), number[slots].reshape(-1), names, color)

    def _about(self) -> str:
        return self._about_count(f"matches of {self.query['motif']}")

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        _need_file(self._scores)
        return lib.ms_list_write(self._bound.query, self._run, self._raw, options, path, err)


class PatternMatches(MatchesOfPattern):
    """The matches of a pattern graph: maps of its vertices to vertices of the graph.

    Columns: ``match`` (from 1), a column of vertices for each vertex of the pattern, by its name,
    and a column ``node:NAME`` with their nodes.
    """

    _pattern: "Pattern"
    _scores: Any = None

    @property
    def embeddings(self) -> int:
        """The number of all maps."""
        return int(text(self._raw.embeddings_text))

    @property
    def subgraphs(self) -> int:
        """The number of maps that differ by more than an automorphism of the pattern."""
        return int(text(self._raw.subgraphs_text))

    @property
    def pattern_names(self) -> tuple[str, ...]:
        """The names of the pattern's vertices."""
        return self._pattern.names

    @property
    def pattern_edges(self) -> NDArray[np.uint32] | None:
        """The edges of the pattern, shape (e, 2), if it was given as edges; otherwise None."""
        return self._pattern.edges

    def _about(self) -> str:
        return self._about_count(f"matches of {self._pattern.about}")

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        _need_file(self._scores)
        return lib.ms_pattern_write(self.graph._get_index(), self._pattern.raw, self._run, self._raw,
                                    options, path, err)

    def _again(self, graph: "Graph", folder: str) -> tuple[Result, dict[str, Any]]:
        pattern, options = self._pattern.in_file(folder, graph.directed)
        run = ffi.new("ms_pattern_options *", self._run[0])
        keep: list[Any] = []
        names = [graph.names[self.graph.names.index(name)] for name in self.query["require"]]
        if names:
            run.required = strings(names, keep)
        scores = self._scores
        if scores is not None:
            scores = scores.in_file(graph, folder)
            run.vertex_scores, options["vertex_scores"] = scores.raw, str(scores.path)
        return PatternMatches(graph, self._raw, run, self.query, _pattern=pattern, _keep=keep,
                              _scores=scores), options
