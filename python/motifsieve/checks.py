"""The check of results and result files."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from . import files
from ._call import NULL, STOPPED, Call, Stop, defaults, path_bytes, string, text
from ._door import public
from ._keywords import Progress
from ._native import ffi, lib
from .errors import UsageError

__all__ = ["SelfCheck", "Verification", "verify"]


class SelfCheck(NamedTuple):
    """What a run with ``paranoid=`` has checked; docs/PARANOID.md says how.

    Attributes
    ----------
    fraction : float
        The part of the work that was to be computed twice.
    blocks : int
        The number of blocks into which the work was divided.
    checked : int
        The number of these blocks that were computed twice.
    differences : int
        The number of computations that differed; the right result was found and used.
    damaged : int
        The number of copies from a GPU, and of contributions, that were damaged and made again.
    """

    fraction: float
    blocks: int
    checked: int
    differences: int
    damaged: int


class Verification:
    """What the independent judge says about a result; true if it accepts it.

    Attributes
    ----------
    accepted : bool
        Every row is right.
    outcome : str
        "accepted", "refused" or "unfinished".
    completeness : str
        What is known of rows that may be missing: "proved", "believed", "bounded" or "not stated".
    rows : int
        The number of rows that were checked.
    missing : int or None
        The number of rows that an independent recount found and the result lacks; None if it is not known, because
        there was no complete recount or because the result does not state that it is complete.
    recounted : bool
        The recount ran to its end.
    problem : str
        The first reason for a refusal, or how far the check came.
    stopped : str or None
        Why the check ended early.
    """

    def __init__(self, report: Any) -> None:
        self.accepted: bool = report.accepted
        self.outcome: str = ("refused", "accepted", "unfinished")[report.outcome]
        self.completeness: str = ("not stated", "bounded", "believed", "proved")[report.completeness]
        self.rows: int = report.rows
        known = report.missing > 0 or (report.recounted and self.completeness != "not stated")
        self.missing: int | None = report.missing if known else None
        self.recounted: bool = report.recounted
        self.flags: int = report.flags
        self.supported: int = report.supported
        self.problem: str = text(report.problem)
        self.stopped: str | None = STOPPED.get(report.run.stopped)

    def __bool__(self) -> bool:
        return self.accepted

    def __repr__(self) -> str:
        why = f": {self.problem}" if self.problem else ""
        return f"<Verification: {self.outcome}, {self.rows} rows, completeness {self.completeness}{why}>"


def set_inputs(o: Any, keep: list[Any], *, format: str = "auto", color_format: str = "auto", obo: Any = None,
               slim: Any = None, **paths: Any) -> None:
    """Set in an ms_verify_options how files are read, and the other files from which a result was made."""
    files.set_format(o.graph, format)
    files.set_color_format(o.colors, color_format)
    for name, value in paths.items():
        setattr(o, name, string(None if value is None else os.fspath(value), keep))
    o.colors.obo = string(None if obo is None else os.fspath(obo), keep)
    o.colors.slim = string(None if slim is None else os.fspath(slim), keep)


@public
def verify(
    result: str | os.PathLike[str],
    graph: str | os.PathLike[str],
    colors: str | os.PathLike[str] | None = None,
    *,
    recount: bool = True,
    format: str = "auto",
    color_format: str = "auto",
    pattern: str | os.PathLike[str] | None = None,
    pattern_colors: str | os.PathLike[str] | None = None,
    aliases: str | os.PathLike[str] | None = None,
    labels: str | os.PathLike[str] | None = None,
    obo: str | os.PathLike[str] | None = None,
    slim: str | os.PathLike[str] | None = None,
    substitutes: str | os.PathLike[str] | None = None,
    vertex_scores: str | os.PathLike[str] | None = None,
    metadata: str | os.PathLike[str] | None = None,
    pairs: str | os.PathLike[str] | None = None,
    below: str | os.PathLike[str] | None = None,
    timeout: float | None = None,
    progress: Progress = "auto",
    stop: Stop | None = None,
) -> Verification:
    """Check a result file again, from the files of the graph and its colours alone.

    The judge shares no code with the searches: it checks every row, and an independent recount
    looks for rows that are missing.  `Result.verify` does this for a result in memory.

    Parameters
    ----------
    result, graph, colors : path
        The files; without `colors`, the file of the graph holds them.
    recount : bool
        Look for missing rows, too.
    format, color_format : str
        How the files are read, if the result file does not say it.
    pattern, pattern_colors, aliases, labels, obo, slim, substitutes, vertex_scores, metadata, pairs : path
        Each must be given if the result was made with one.
    below : path, optional
        The folder below which the files lie that a sheet of samples names; its own folder by default.
    timeout, progress, stop : optional
        As in `screen`.

    Returns
    -------
    Verification
        True if the result is accepted.

    Raises
    ------
    InputError
        A file cannot be read, or is no result file.
    """
    for name, path in (("result", result), ("graph", graph), ("colors", colors)):
        if not isinstance(path, (str, os.PathLike, type(None))):
            raise UsageError(f"{name}= is a {type(path).__name__}, not the path of a file; a result in memory "
                             "has the methods verify() and write()")
    keep: list[Any] = []
    o = defaults("verify_options")
    o.no_recount = not recount
    set_inputs(o, keep, format=format, color_format=color_format, pattern=pattern, pattern_colors=pattern_colors,
               aliases=aliases, labels=labels, obo=obo, slim=slim, substitutes=substitutes, vertex_scores=vertex_scores,
               metadata=metadata, pairs=pairs, below=below)
    report = ffi.new("ms_verify_report *")
    with Call(timeout, progress, stop) as call:
        call.apply(o)
        call.check(lib.ms_verify_file(path_bytes(result), path_bytes(graph),
                                      NULL if colors is None else path_bytes(colors), o, report, call.err),
                   result)
    return Verification(report)


def verify_file(path: str, graph: str, colors: str | None, recount: bool, timeout: float | None,
                stop: Stop | None, more: dict[str, Any]) -> Verification:
    """Check a result file from the files of a graph and its colours."""
    keep: list[Any] = []
    options = defaults("verify_options")
    options.no_recount = not recount
    for name, value in more.items():
        setattr(options, name, string(value, keep))
    report = ffi.new("ms_verify_report *")
    with Call(timeout, stop=stop) as call:
        options.run.stop = call.token
        call.check(lib.ms_verify_file(path.encode(), graph.encode(),
                                      NULL if colors is None else colors.encode(), options, report,
                                      call.err))
    return Verification(report)
