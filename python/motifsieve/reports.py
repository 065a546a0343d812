"""Result files as pages for browsers."""

from __future__ import annotations

import os
from typing import Any

from ._call import NULL, Call, Stop, defaults, path_bytes, string
from ._door import public
from ._keywords import Progress
from ._native import ffi, lib
from .checks import Verification, set_inputs
from .errors import UsageError

__all__ = ["report"]


@public
def report(
    result: str | os.PathLike[str],
    output: str | os.PathLike[str],
    graph: str | os.PathLike[str] | None = None,
    colors: str | os.PathLike[str] | None = None,
    *,
    verify: bool = True,
    positions: str | os.PathLike[str] | None = None,
    counts: str | os.PathLike[str] | None = None,
    rows: int | None = None,
    edges: int | None = None,
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
) -> Verification | None:
    """Write a result file as a page for browsers: a table to sort and filter, and the network of its rows.

    The page is one HTML file, which needs no connection to the Internet (docs/REPORT.md).  `Result.write` makes a result file.

    Parameters
    ----------
    result, output : path
        The result file, and the page that is written.
    graph, colors : path, optional
        The files from which the result was made; without `graph`, the page has no network, and the result is not checked.
    verify : bool
        Check the result first; a result that is refused gets no page.
    positions : path, optional
        A table with the coordinates of the vertices, which are drawn there.
    counts : path, optional
        Of a comparison of samples: the file of its counts.
    rows, edges : int, optional
        The most rows of the result and edges of the graph in the page: 100,000 and 200,000 by default.
    format, color_format, pattern, pattern_colors, aliases, labels, obo, slim, substitutes, vertex_scores, metadata, pairs, below
        As in `verify`.
    timeout, progress, stop : optional
        As in `screen`.  If the time for the check runs out, the page says how far it came.

    Returns
    -------
    Verification or None
        What the check found; None if there was none.

    Raises
    ------
    InputError
        A file cannot be read, is no result file, or the result was refused.  Nothing is written then.
    """
    keep: list[Any] = []
    o = defaults("report_options")
    o.no_verify = not verify
    for name, value in (("rows", rows), ("edges", edges)):
        if value is not None and value < 1:
            raise UsageError(f"{name}={value}: give a number above 0, or None")
        setattr(o, name, value or 0)
    o.counts = string(None if counts is None else os.fspath(counts), keep)
    set_inputs(o.verify, keep, format=format, color_format=color_format, pattern=pattern, pattern_colors=pattern_colors,
               aliases=aliases, labels=labels, obo=obo, slim=slim, substitutes=substitutes, vertex_scores=vertex_scores,
               metadata=metadata, pairs=pairs, below=below)
    info = ffi.new("ms_report_info *")
    with Call(timeout, progress, stop) as call:
        call.apply(o.verify)
        if positions is not None:
            points = call.object("points", lib.ms_points_read, path_bytes(positions), NULL, path=positions)
            keep.append(points)
            o.positions = points
        call.check(lib.ms_report_write(path_bytes(result), NULL if graph is None else path_bytes(graph),
                                       NULL if colors is None else path_bytes(colors), o, path_bytes(output), info,
                                       call.err), result)
    return Verification(ffi.addressof(info, "verdict")) if info.verified else None
