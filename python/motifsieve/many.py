"""Many motifs in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Union

import numpy as np

from ._arrays import object_array
from ._call import NULL, STOPPED, Call, Stop, defaults, new_object, strings, text
from ._door import public, public_class
from ._keywords import Gpu, Progress, checked_seed, chosen, named_texts, set_engine, set_gpu, set_limits, whole
from ._native import ffi, lib
from .errors import UsageError
from .motifs import Motif, motif_text
from .queries import METHODS
from .results import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph

__all__ = ["ManyMotifs", "list_many", "screen_many"]

Motifs = Union[Mapping[str, Motif], Iterable[Motif]]


class _Receiver:
    """Keeps what the library passes on of each motif."""

    def __init__(self, limit: int) -> None:
        self.limit = limit  # of the matches of a motif; 0: none
        self.numbers: list[int] = []  # of the motifs, in the set
        self.k: list[int] = []
        self.counts: list[int] = []
        self.bounds: list[float] = []
        self.stopped: list[str | None] = []
        self.seconds: list[float] = []
        self.arrays: list[NDArray[Any]] = []
        self.error: BaseException | None = None


def _failed(kind: Any, error: BaseException, trace: Any) -> None:
    """Keep the exception of a receiver for the end of the call."""
    ffi.from_handle(trace.tb_frame.f_locals["user"]).error = error.with_traceback(trace)


def _numbers(pointer: Any, count: int) -> NDArray[np.uint32]:
    """Return an array on memory that lasts until the receiver returns."""
    if pointer == NULL or count == 0:
        return np.zeros(0, np.uint32)
    return np.frombuffer(ffi.buffer(pointer, 4 * count), np.uint32)


@ffi.def_extern(error=False, onerror=_failed)
def py_screened(user: Any, number: int, query: Any, result: Any, seconds: float) -> bool:
    receiver = ffi.from_handle(user)
    found = np.flatnonzero(_numbers(result.hits, result.n)).astype(np.uint32)
    receiver.numbers.append(number)
    receiver.k.append(result.k)
    receiver.counts.append(len(found))
    receiver.bounds.append(1.0 if result.run.stopped else result.miss_bound)
    receiver.stopped.append(STOPPED.get(result.run.stopped, "interrupted"))
    receiver.seconds.append(seconds)
    receiver.arrays.append(found)
    return True


@ffi.def_extern(error=False, onerror=_failed)
def py_listed(user: Any, number: int, query: Any, result: Any, seconds: float) -> bool:
    receiver = ffi.from_handle(user)
    rows = 0 if result.vertices == NULL else result.matches
    receiver.numbers.append(number)
    receiver.k.append(result.k)
    receiver.counts.append(int(text(result.count_text)))
    at_limit = result.run.stopped == lib.MS_ERR_LIMIT and 0 < receiver.limit <= result.matches
    receiver.stopped.append("limit" if at_limit else STOPPED.get(result.run.stopped, "interrupted"))
    receiver.bounds.append(1.0 if result.run.stopped else 0.0)
    receiver.seconds.append(seconds)
    receiver.arrays.append(_numbers(result.vertices, rows * result.k).reshape(rows, result.k).copy())
    return True


@public_class
class ManyMotifs(Result):
    """What was found for each of many motifs: a row for each motif.

    Columns: ``name``, ``motif``, ``k``, ``vertices`` (the number of vertices in a match, of
    `screen_many`) or ``matches`` (of `list_many`), ``bound`` (of the probability that a vertex, or a
    match, was missed), ``stopped`` ("" if the search of the motif was complete) and ``seconds``.
    """

    kind = "motifs"
    forms = ()
    _engine = None
    _kept: _Receiver
    _names: tuple[str, ...]
    _texts: tuple[str, ...]
    _wanted: int

    def __len__(self) -> int:
        return len(self._kept.numbers)

    @property
    def stopped(self) -> str | None:
        """Why the first motif that is incomplete is so, or "time" if motifs have no row; None: all are complete."""
        found = next((why for why in self._kept.stopped if why is not None), None)
        return found or (None if len(self) == self._wanted else "time")

    @property
    def bound(self) -> float:
        return 1.0 if not self.complete else max(self._kept.bounds, default=0.0)

    @property
    def timings(self) -> dict[str, float]:
        return {"motifs": sum(self._kept.seconds)}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the motifs, in the order of the rows."""
        return tuple(self._names[i] for i in self._kept.numbers)

    def row_of(self, motif: int | str) -> int:
        """Return the row of a motif, by its name or its row."""
        if isinstance(motif, str):
            if motif not in self.names:
                raise KeyError(motif)
            return self.names.index(motif)
        if not -len(self) <= motif < len(self):
            raise IndexError(f"row {motif}: there are {len(self)} rows")
        return motif % len(self)

    def vertices_of(self, motif: int | str) -> NDArray[np.uint32]:
        """Return the vertices that are in a match of a motif, ascending.

        Parameters
        ----------
        motif : str or int
            The name of the motif, or its row.
        """
        found = self._kept.arrays[self.row_of(motif)]
        return found if found.ndim == 1 else np.unique(found).astype(np.uint32)

    def matches_of(self, motif: int | str) -> NDArray[np.uint32]:
        """Return, of `list_many`, the matches of a motif, shape (rows, k)."""
        if self.query["command"] != "list_many":
            raise UsageError("screen_many() finds no matches; use list_many()")
        return self._kept.arrays[self.row_of(motif)]

    def _columns(self) -> dict[str, Any]:
        kept = self._kept
        largest = max(kept.counts, default=0)
        counts = object_array(kept.counts) if largest >= 1 << 63 else np.array(kept.counts, np.int64)
        what = "vertices" if self.query["command"] == "screen_many" else "matches"
        return {
            "name": lambda: object_array(self.names),
            "motif": lambda: object_array([self._texts[i] for i in kept.numbers]),
            "k": lambda: np.array(kept.k, np.uint32),
            what: counts,
            "bound": lambda: np.array(kept.bounds, np.float64),
            "stopped": lambda: object_array([why or "" for why in kept.stopped]),
            "seconds": lambda: np.array(kept.seconds, np.float64),
        }

    def _about(self) -> str:
        return f"{len(self)} of {self._wanted} motifs"


def _motif_set(graph: "Graph", motifs: Motifs, keep: Any) -> tuple[Any, tuple[str, ...], tuple[str, ...]]:
    """Return an ``ms_motif_set``, and the names and texts of its motifs."""
    coloring = graph._need_colors()
    known = graph.colors.names if graph.colors is not None else ()
    given, texts = named_texts("motifs", motifs, lambda motif: motif_text(motif, known))
    made = new_object("motif_set", lib.ms_motif_set_new, coloring, len(texts), strings(given, keep),
                      strings(texts, keep))
    numbers = range(lib.ms_motif_set_size(made))  # a range stands for several motifs
    return (made, tuple(text(lib.ms_motif_set_name(made, i)) for i in numbers),
            tuple(text(lib.ms_motif_text(lib.ms_motif_set_motif(made, i))) for i in numbers))


def _searched(command: str, graph: "Graph", motifs: Motifs, options: Any, screen: Any, seconds: float | None,
              timeout: float | None, progress: Progress, stop: Stop | None, keep: Any) -> ManyMotifs:
    made, names, texts = _motif_set(graph, motifs, keep)
    if seconds is not None and not seconds > 0:
        raise UsageError(f"seconds_each={seconds!r}: give a number of seconds above 0, or None")
    receiver = _Receiver(0 if options is screen else options.limit)
    handle = ffi.new_handle(receiver)
    session = graph._get_session()
    search, function = ((lib.ms_session_screen, lib.py_screened) if command == "screen_many" else
                        (lib.ms_session_list, lib.py_listed))
    with Call(timeout, progress, stop) as call:
        call.apply(screen)
        status = search(session, made, options, seconds or 0.0, function, handle, call.err)
        call.detach(screen)
        if receiver.error is not None:
            raise receiver.error
        call.check(status)
    return ManyMotifs(graph, None, options, {"command": command, "motifs": len(names)}, _kept=receiver,
                      _names=names, _texts=texts, _wanted=len(names), _keep=keep)


@public
def screen_many(
    graph: "Graph",
    motifs: Motifs,
    *,
    method: Literal["auto", "sieve", "exact"] = "auto",
    error: float | None = None,
    seconds_each: float | None = None,
    gpu: Gpu = "auto",
    seed: int = 1,
    threads: int | None = None,
    memory: int | str | None = None,
    timeout: float | None = None,
    progress: Progress = "auto",
    stop: Stop | None = None,
) -> ManyMotifs:
    """Find, for each of many motifs, the vertices that take part in a match.

    It finds what `screen` finds for each motif; the motifs share the threads.

    Parameters
    ----------
    graph, method, error, gpu, seed, threads, memory, timeout, progress, stop
        As in `screen`.
    motifs : dict or iterable
        Motifs by their names, or motifs whose texts are their names.  A count may be a range:
        "a:1-2,b" stands for two motifs, called NAME[1] and NAME[2].
    seconds_each : float, optional
        The seconds after which the search of each motif ends.

    Returns
    -------
    ManyMotifs

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph.from_edges([(0, 1), (1, 2), (2, 3)], colors=[*"abab"])
    >>> r = ms.screen_many(g, {"pair": "a,b", "triple": "a:2,b"})
    >>> dict(zip(r["name"], r["vertices"].tolist())), r.vertices_of("triple").tolist()
    ({'pair': 4, 'triple': 3}, [0, 1, 2])
    """
    keep: Any = []
    o = defaults("screen_options")
    o.run.seed = checked_seed(seed)
    set_limits(o, threads, memory)
    o.method = chosen("method", method, METHODS)
    if error is not None:
        o.error = error
    set_gpu(o, gpu, keep)
    return _searched("screen_many", graph, motifs, o, o, seconds_each, timeout, progress, stop, keep)


@public
def list_many(
    graph: "Graph",
    motifs: Motifs,
    *,
    limit: int | None = None,
    count_only: bool = False,
    seconds_each: float | None = None,
    gpu: Gpu = "auto",
    seed: int = 1,
    threads: int | None = None,
    memory: int | str | None = None,
    timeout: float | None = None,
    progress: Progress = "auto",
    stop: Stop | None = None,
) -> ManyMotifs:
    """List or count the matches of each of many motifs.

    It finds what `list` finds for each motif; the motifs share the threads.

    Parameters
    ----------
    graph, gpu, seed, threads, memory, timeout, progress, stop
        As in `screen`.
    motifs, seconds_each
        As in `screen_many`.
    limit : int, optional
        End the search of each motif after this many matches.
    count_only : bool
        Count the matches, and store none.

    Returns
    -------
    ManyMotifs

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph.from_edges([(0, 1), (1, 2), (2, 3)], colors=[*"abab"])
    >>> r = ms.list_many(g, ["a,b", {"a": 2, "b": 1}])
    >>> dict(zip(r["name"], r["matches"].tolist())), r.matches_of("a:2,b").tolist()
    ({'a,b': 3, 'a:2,b': 1}, [[0, 1, 2]])
    """
    keep: Any = []
    o = defaults("list_options")
    s = o.screen
    s.run.seed = checked_seed(seed)
    set_limits(s, threads, memory)
    set_engine(s, gpu, keep)
    o.exact, o.count_only, o.limit = True, count_only, whole("limit", limit, 1)
    return _searched("list_many", graph, motifs, o, s, seconds_each, timeout, progress, stop, keep)
