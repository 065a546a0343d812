"""Lists of the nearest matches of a motif, and substitutions."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import view
from ._call import NULL, Call, Stop, defaults, text
from ._columns import NodeLists, Nodes, Numbered, Words
from ._door import public, public_class
from ._keywords import Progress, set_limits, whole
from ._native import ffi, lib
from .extras import Substitutes, cost_limit
from .matches import MatchesOf, OfMotif, slot_names_of, slot_titles
from .motifs import Motif, bind
from .networks import Participants, of_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph

__all__ = ["NearestMatches", "nearest"]


@public_class
class NearestMatches(OfMotif, MatchesOf):
    """Connected sets that nearly match a motif, the nearest first.

    Rows differ in their length: row ``i`` is ``vertex[offsets[i]:offsets[i + 1]]``.

    In place of the vertices of a file, the columns have ``size``, their number, and ``nodes``, a tuple; in place of
    roles, unfilled slots and extra vertices there are `slots`, `unfilled` and `extra_vertices`.
    """

    kind = "nearest"
    _table = "nearest_list"
    _options = "nearest_options"

    def __len__(self) -> int:
        return 0 if self._raw.begin == NULL else self._raw.matches

    @cached_property
    def offsets(self) -> NDArray[np.uint64]:
        """Where the rows begin in `vertex`, shape (rows + 1,)."""
        if self._raw.begin == NULL:
            return view(NULL, 1, "<u8", None)
        return view(self._raw.begin, len(self) + 1, "<u8", self._raw)

    @cached_property
    def vertex(self) -> NDArray[np.uint32]:
        """The vertices of all rows, one after another."""
        return view(self._raw.vertex, int(self.offsets[-1]), "<u4", self._raw)

    def row(self, i: int) -> NDArray[np.uint32]:
        """Return the vertices of row i, ascending."""
        if not -len(self) <= i < len(self):
            raise IndexError(f"row {i}: there are {len(self)} rows")
        i %= len(self)
        return self.vertex[int(self.offsets[i]):int(self.offsets[i + 1])]

    @property
    def slot_names(self) -> tuple[str, ...]:
        """The colour, or the condition, of each slot."""
        return slot_names_of(self._bound.query, self._raw.k)

    @cached_property
    def slots(self) -> NDArray[np.uint8]:
        """The number of the slot that each entry of `vertex` fills (see `slot_names`); of an extra vertex, ``k``."""
        slots = np.zeros(len(self.vertex), np.uint8)
        if len(slots):
            done = lib.py_near_slots(self._bound.query, self._run, self._raw, ffi.cast("uint8_t *", slots.ctypes.data))
            assert done == len(self), "a listed set is no match"
        return slots

    def unfilled(self, i: int) -> tuple[str, ...]:
        """Return the colours of the slots that no vertex of row i fills."""
        filled = set(self._slots_of(i).tolist())
        return tuple(name for d, name in enumerate(self.slot_names) if d not in filled)

    def extra_vertices(self, i: int) -> NDArray[np.uint32]:
        """Return the vertices of row i that fill no slot."""
        return self.row(i)[self._slots_of(i) == self._raw.k]

    def _slots_of(self, i: int) -> NDArray[np.uint8]:
        begin = int(self.offsets[i % len(self)])
        return self.slots[begin:begin + len(self.row(i))]

    def _values(self) -> dict[str, Any]:
        return {
            "match": lambda: np.arange(1, len(self) + 1),
            "vertices": None,
            "roles": None,
            "unfilled": None,
            "extra_vertices": None,
            "size": lambda: np.diff(self.offsets.astype(np.int64)),
            "nodes": Numbered(lambda: NodeLists(self.offsets, self.vertex)),
        }

    def _long_columns(self) -> dict[str, Any]:
        size = np.diff(self.offsets.astype(np.int64))
        return {
            "match": np.repeat(np.arange(1, len(self) + 1), size),
            "cost": np.repeat(self["cost"], size),
            "node": Nodes(self.vertex),
            "slot": Words(self.slots, (*self.slot_names, "extra")),
        }

    def _slot_columns(self, labels: Words | None = None) -> dict[str, Any]:
        nodes: Any = self.labels(self.vertex)
        if labels is not None:
            nodes = np.array([labels.words[code] for code in labels.codes[self.vertex].tolist()], object)
        row = np.repeat(np.arange(len(self)), np.diff(self.offsets.astype(np.int64)))
        columns: dict[str, Any] = {name: self[name] for name in ("match", "cost", "missing", "extra")}
        for d, name in enumerate(slot_titles(self.slot_names, (*columns, "extra_vertices"))):
            filled = self.slots == d
            cells = np.full(len(self), None, object)
            cells[row[filled]] = nodes[filled]
            columns[name] = cells
        extra = self.slots == self._raw.k
        lists: list[list[Any]] = [[] for _ in range(len(self))]
        for i, node in zip(row[extra].tolist(), nodes[extra].tolist()):
            lists[i].append(node)
        cells = np.empty(len(self), object)
        cells[:] = [tuple(found) for found in lists]
        return {**columns, "extra_vertices": cells}

    def _list_columns(self) -> dict[str, Any]:
        from .arrow import Ragged

        made: dict[str, Any] = {name: np.asarray(self[name]) for name in self.columns if name != "nodes"}
        return {**made, "vertices": Ragged(self.offsets, np.asarray(self.vertex))}

    def _participants(self, rows: int | None = None) -> Participants:
        end = len(self.vertex) if rows is None else int(self.offsets[min(rows, len(self))])
        return of_rows(np.asarray(self.vertex)[:end])

    def _listed(self, part: slice) -> list[Any]:
        return list(self["nodes"][part].tolist())

    def _about(self) -> str:
        return self._about_count(f"near matches of {self.query['motif']}")

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        return lib.ms_nearest_write(self._bound.query, self._run, self._raw, options, path, err)


@public
def nearest(
    graph: "Graph",
    motif: Motif,
    *,
    max_missing: int = 0,
    max_extra: int = 0,
    substitutes: Any = None,
    max_cost: int | None = None,
    nearest_only: bool = False,
    require: Any = (),
    limit: int | None = None,
    count_only: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    timeout: float | None = None,
    progress: Progress = "auto",
    stop: Stop | None = None,
) -> NearestMatches:
    """List the connected sets that nearly match a motif, in the order of their costs.

    The cost of a set is the number of slots that it leaves empty, plus the number of its vertices
    without a slot, plus the costs of substitutions, for the pairing that makes it least.

    Parameters
    ----------
    graph, motif, require, threads, memory, timeout, progress, stop
        As in `screen`.
    max_missing : int
        The greatest number of empty slots.  If neither this nor another distance is given: 1.
    max_extra : int
        The greatest number of further vertices, of any colour.
    substitutes : dict or path, optional
        Costs by pairs (wanted colour, colour instead), or a file: a table of these three, or an
        ontology (OBO), in which the cost of a term is its distance from the wanted one.
    max_cost : int, optional
        The greatest sum of the costs of substitutions in a match; default: the greatest of the
        costs of the dict, or 1.
    nearest_only : bool
        End with the least cost that some match has.
    limit : int, optional
        End after this many matches, the cheapest ones.
    count_only : bool
        Count the matches, and store none.

    Returns
    -------
    NearestMatches

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph.from_edges([(0, 1), (1, 2)], colors=[*"axb"])
    >>> r = ms.nearest(g, "a,b", max_extra=1)
    >>> list(r), r["cost"].tolist()
    ([(0, 1, 2)], [1])
    """
    if not (max_missing or max_extra or substitutes is not None):
        max_missing = 1
    bound = bind(graph, motif, require, False)
    o = defaults("nearest_options")
    o.max_missing, o.max_extra = whole("max_missing", max_missing), whole("max_extra", max_extra)
    o.nearest_only, o.count_only, o.limit = nearest_only, count_only, whole("limit", limit, 1)
    set_limits(o, threads, memory)
    o.max_cost = cost_limit(substitutes, max_cost)
    given = None
    if substitutes is not None:
        given = Substitutes(substitutes, bound, o.max_cost)
        o.substitutes = given.raw
    raw = Call(timeout, progress, stop).search(o, "nearest_result", lib.ms_list_nearest, bound.query, o)
    return NearestMatches(graph, raw, o, {"motif": bound.text, "k": bound.k, "require": bound.names,
                                          "max_missing": o.max_missing, "max_extra": o.max_extra,
                                          "limit": limit, "count_only": count_only},
                          _bound=bound, _substitutes=given)
