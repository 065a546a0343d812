"""Many patterns in one call, and which of them have more matches than by chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ._arrays import object_array, view
from ._call import NULL, STOPPED, Call, Stop, defaults, new_object, strings, text
from ._door import public
from ._keywords import Gpu, Progress, named_texts, set_engine, set_limits, warn_of
from ._native import ffi, lib
from .censuses import _STATISTICS, Permuted, degree_hint, permutation_options
from .errors import UsageError
from .patterns import pattern_of
from .results import Result

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .graph import Graph

__all__ = ["PatternCounts", "match_many"]


class PatternCounts(Permuted):
    """The number of matches of each of many patterns, a row for each pattern.

    The numbers are Python's where they exceed 64 bits.  In place of a status, the columns have
    ``stopped`` ("" if the count is whole; otherwise it is a lower bound) and ``seconds``.
    """

    kind = "patterns"
    _table = "patterns"
    _first = ("name", "matches", *_STATISTICS)
    _usual = ("pattern", "automorphisms")
    _rows_are = "patterns, and not vertices"
    _search = "g.match(r['pattern'][0])"
    _set: Any
    _directed: bool

    def __len__(self) -> int:
        return self._raw.count

    @property
    def timings(self) -> dict[str, float]:
        return {"count": self._raw.time_count}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the patterns, in the order of the rows."""
        return tuple(text(lib.ms_pattern_set_name(self._set, i)) for i in range(len(self)))

    def _whole_numbers(self, texts: Any) -> NDArray[Any]:
        numbers = [int(text(texts[i])) for i in range(len(self))]
        large = max(numbers, default=0) >= 1 << 63
        return object_array(numbers) if large else np.array(numbers, np.int64)

    def _values(self) -> dict[str, Any]:
        raw, rows = self._raw, range(len(self))
        patterns = [lib.ms_pattern_set_pattern(self._set, i) for i in rows]
        return {
            "name": lambda: object_array(self.names),
            "pattern": lambda: object_array([text(lib.ms_pattern_set_text(self._set, i)) for i in rows]),
            "vertices": lambda: np.array([lib.ms_pattern_size(pattern) for pattern in patterns], np.uint32),
            "edges": lambda: np.array([lib.ms_pattern_edge_count(pattern) for pattern in patterns], np.uint64),
            "automorphisms": lambda: self._whole_numbers(raw.automorphisms_text),
            "matches": lambda: self._whole_numbers(raw.count_text),
            "status": None,
            "stopped": lambda: object_array([STOPPED.get(raw.stopped[i], "interrupted") or "" for i in rows]),
            "seconds": view(raw.seconds, len(self), "<f8", raw),
            **self._compared("matches"),
        }

    def _about(self) -> str:
        return f"{len(self)} patterns"

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        s = self._written_statistics()
        return lib.ms_pattern_counts_write(self.graph._get_index(), self._set, self._run, self._raw, s, options,
                                           path, err)

    def _again(self, graph: "Graph", folder: str) -> tuple[Result, dict[str, Any]]:
        return PatternCounts(graph, self._raw, self._run, self.query, _set=self._set, _permuted=self._permuted,
                             _null=self._null, _keep=self._keep), {}


def _text_of(graph: "Graph", pattern: Any) -> str:
    """Return the text of a pattern, as it was given or in Cypher's notation."""
    found = pattern_of(graph, pattern)
    if isinstance(pattern, str):
        return pattern
    out, err = ffi.new("char **"), ffi.new("ms_error *")
    if lib.ms_pattern_text(found.raw, out, err) != lib.MS_OK:
        raise UsageError(text(err.message))
    try:
        return text(out[0])
    finally:
        lib.ms_text_free(out[0])


@public
def match_many(
    graph: "Graph",
    patterns: Mapping[str, Any] | Iterable[Any],
    *,
    induced: bool = False,
    embeddings: bool = False,
    permutations: int = 0,
    null: Literal["labels", "degree", "edges", "rewire", "rewire-colors"] | None = None,
    strata: ArrayLike | None = None,
    max_t: bool = False,
    keep_counts: int = 0,
    gpu: Gpu = "auto",
    seed: int = 1,
    threads: int | None = None,
    memory: int | str | None = None,
    timeout: float | None = None,
    progress: Progress = "auto",
    stop: Stop | None = None,
) -> PatternCounts:
    """Count the matches of each of many patterns, and compare them with random graphs.

    What the count of one pattern has found out, such as the number of triangles, the others use.

    Parameters
    ----------
    graph, gpu, threads, memory, timeout, progress, stop
        As in `screen`.
    patterns : dict or iterable
        Patterns by their names, or patterns whose texts are their names; each as in `match`.
    induced, embeddings
        As in `match`.
    permutations : int
        Compare with this many random graphs.
    null : {"labels", "degree", "edges", "rewire", "rewire-colors"}, optional
        What is random in them, as in `census`; default: the colours, or in a graph without colours the
        edges.
    strata, max_t, keep_counts, seed
        As in `census`.

    Returns
    -------
    PatternCounts

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3)])
    >>> r = ms.match_many(g, {"loop": "triangle", "way": "(a)--(b)--(c)"})
    >>> dict(zip(r["name"], r["matches"].tolist()))
    {'loop': 1, 'way': 5}
    >>> ms.match_many(g, ["triangle"], permutations=9)["perm_p"].tolist()
    [1.0]
    """
    keep: Any = []
    n, model = permutation_options(graph, permutations, null, "labels" if graph.colors is not None else "rewire",
                                  strata, max_t, keep_counts, seed, keep)
    names, texts = named_texts("patterns", patterns, lambda pattern: _text_of(graph, pattern))
    made = new_object("pattern_set", lib.ms_pattern_set_new, len(texts), strings(names, keep), strings(texts, keep),
                      graph.directed)
    index = graph._get_index()
    o = defaults("pattern_options")
    s = o.screen
    set_limits(s, threads, memory)
    set_engine(s, False if permutations and gpu == "auto" else gpu, keep)
    o.induced, o.embeddings, o.count_only = induced, embeddings, True
    out, p = ffi.new("ms_pattern_counts **"), ffi.new("ms_permutation_result **")
    permuted = None
    with Call(timeout, progress, stop) as call:
        call.apply(s)
        status = lib.ms_pattern_counts_new(index, made, o, out, call.err)
        raw = ffi.gc(out[0], lib.ms_pattern_counts_free)
        if status == lib.MS_OK and permutations:
            status = lib.ms_pattern_counts_permute(index, made, o, n, raw, p, call.err)
            permuted = ffi.gc(p[0], lib.ms_permutation_result_free)
        call.detach(s)
        call.check(status)
    if permutations and model == "labels" and raw.run.stopped == lib.MS_OK:
        warn_of(degree_hint(graph, graph._need_colors(), NULL))
    return PatternCounts(graph, raw, o, {"patterns": raw.count, "induced": induced, "embeddings": embeddings,
                                         "permutations": permutations, "null": model, "strata": strata is not None,
                                         "seed": seed},
                         _set=made, _permuted=permuted, _null=n, _keep=keep)
