"""Mining: all motifs whose matches hold enough vertices."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import object_array
from ._call import NULL, Call, Stop, defaults, strings, text
from ._door import public, public_class
from ._keywords import Progress, set_limits, whole
from ._native import ffi, lib
from .errors import UsageError
from .checks import Verification
from .results import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph

__all__ = ["MinedMotifs", "mine"]


class _Receiver:
    """Keeps the motifs that the library passes on."""

    def __init__(self) -> None:
        self.motifs: list[str] = []
        self.slots: list[int] = []
        self.vertices: list[NDArray[np.uint32]] = []
        self.error: BaseException | None = None


def _mined_failed(kind: Any, error: BaseException, trace: Any) -> None:
    """Keep the exception of py_mined, which `mine` raises; the library ends."""
    ffi.from_handle(trace.tb_frame.f_locals["user"]).error = error.with_traceback(trace)


@ffi.def_extern(error=False, onerror=_mined_failed)
def py_mined(user: Any, motif: Any, count: int, vertex: Any) -> bool:
    receiver = ffi.from_handle(user)
    receiver.motifs.append(text(lib.ms_motif_text(motif)))
    receiver.slots.append(lib.ms_motif_size(motif))
    receiver.vertices.append(np.frombuffer(ffi.unpack(ffi.cast("char *", vertex), 4 * count), np.uint32))
    return True


@public_class
class MinedMotifs(Result):
    """The motifs whose matches together hold enough vertices.

    Motifs with fewer slots come first, and motifs with equally many slots come in the order of
    their colours.

    Columns: ``motif`` (a text that queries accept), ``slots`` and ``vertices`` (the number of
    vertices that are in a match).
    """

    kind = "mine"
    _timed = False
    _kept: _Receiver

    def __len__(self) -> int:
        return len(self._kept.motifs)

    @property
    def work(self) -> dict[str, int]:
        return {"candidates": self._raw.candidates}

    @cached_property
    def motifs(self) -> tuple[str, ...]:
        """The texts of the motifs."""
        return tuple(self._kept.motifs)

    def vertices_of(self, i: int) -> NDArray[np.uint32]:
        """Return the vertices that are in a match of motif i, ascending."""
        return self._kept.vertices[i]

    def _columns(self) -> dict[str, Any]:
        return {
            "motif": lambda: object_array(self._kept.motifs),
            "slots": lambda: np.array(self._kept.slots, np.uint32),
            "vertices": lambda: np.array([len(v) for v in self._kept.vertices], np.uint64),
        }

    def _about(self) -> str:
        return f"{len(self)} motifs of {self.query['min_k']} to {self.query['k']} slots"

    def _verified(self, folder: str, recount: bool, timeout: float | None, stop: Stop | None) -> Verification:
        report, run = ffi.new("ms_verify_report *"), ffi.new("ms_mine_options *", self._run[0])
        keep: list[Any] = []
        offsets = np.cumsum([0, *map(len, self._kept.vertices)], dtype=np.uint64)
        vertices = np.concatenate([np.zeros(0, np.uint32), *self._kept.vertices])
        with Call(timeout, stop=stop) as call:
            call.apply(run)
            call.check(lib.ms_verify_mined(
                self.graph._raw, self.graph._need_colors(), run, self.complete, len(self),
                strings(self._kept.motifs, keep) if len(self) else NULL, ffi.from_buffer("uint64_t[]", offsets),
                ffi.from_buffer("uint32_t[]", vertices) if len(vertices) else NULL, report, call.err))
        return Verification(report)

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        if not self.complete:
            raise UsageError(f"the motifs are incomplete ({self.stopped}) and cannot be written; mine again "
                             "with more time")
        # the library mines again while it writes; the motifs are the same
        return lib.ms_session_mine_to_file(self.graph._get_session(), self._run, options, path, NULL, err)


@public
def mine(
    graph: "Graph",
    k: int = 3,
    *,
    min_k: int | None = None,
    support: int = 1,
    threads: int | None = None,
    memory: int | str | None = None,
    timeout: float | None = None,
    progress: Progress = "auto",
    stop: Stop | None = None,
) -> MinedMotifs:
    """Find all motifs whose matches together hold at least `support` vertices, exactly.

    Parameters
    ----------
    graph, threads, memory, timeout, progress, stop
        As in `screen`.
    k : int
        The greatest number of slots, 1 to 8.
    min_k : int, optional
        The least number of slots; default: 2.
    support : int
        The least number of vertices that are in a match.

    Returns
    -------
    MinedMotifs

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph.from_edges([(0, 1), (1, 2), (2, 3)], colors=[*"abab"])
    >>> m = ms.mine(g, 3, support=3)
    >>> m["motif"].tolist(), m["vertices"].tolist()
    (['a,b', 'a:2,b', 'a,b:2'], [4, 3, 3])
    """
    o = defaults("mine_options")
    o.slots, o.least = whole("k", k, 1), whole("min_k", min_k, 1)
    o.support = whole("support", support, 1)
    set_limits(o, threads, memory)
    kept = _Receiver()
    handle = ffi.new_handle(kept)
    summary = ffi.new("ms_mine_summary *")
    session = graph._get_session()
    with Call(timeout, progress, stop) as call:
        call.apply(o)
        status = lib.ms_session_mine(session, o, lib.py_mined, handle, summary, call.err)
        call.detach(o)
        if kept.error is not None:
            raise kept.error
        call.check(status)
    query = {"k": k, "min_k": min(2, k) if min_k is None else min_k, "support": support}
    return MinedMotifs(graph, summary, o, query, _kept=kept)
