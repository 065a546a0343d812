"""The check of result files."""

from __future__ import annotations

import os
from typing import Any

from . import _call, sources
from ._call import NULL, Call, Stop
from ._native import ffi, lib
from .results import Verification

__all__ = ["verify"]


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
    timeout: float | None = None,
    progress: Any = "auto",
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
    keep: list[Any] = []
    o = ffi.new("ms_verify_options *")
    lib.py_init_verify_options(o)
    o.no_recount = not recount
    sources.set_format(o.graph, format)
    sources.set_color_format(o.colors, color_format)
    for name, value in (("pattern", pattern), ("pattern_colors", pattern_colors), ("aliases", aliases),
                        ("labels", labels), ("substitutes", substitutes), ("vertex_scores", vertex_scores),
                        ("metadata", metadata), ("pairs", pairs)):
        setattr(o, name, _call.string(None if value is None else os.fspath(value), keep))
    o.colors.obo = _call.string(None if obo is None else os.fspath(obo), keep)
    o.colors.slim = _call.string(None if slim is None else os.fspath(slim), keep)
    report = ffi.new("ms_verify_report *")
    with Call(timeout, progress, stop) as call:
        call.apply(o)
        call.check(lib.ms_verify_file(os.fsencode(result), os.fsencode(graph),
                                      NULL if colors is None else os.fsencode(colors), o, report, call.err),
                   result)
    return Verification(report)
