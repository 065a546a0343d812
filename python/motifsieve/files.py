"""Graphs of files, and files of graphs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from ._call import NULL, Call, Stop, defaults, path_bytes, string
from ._door import public_class
from ._keywords import memory_bytes, thread_count, warn_of
from ._native import ffi, lib
from .errors import UsageError

if TYPE_CHECKING:
    from .graph import Graph


class Files:
    """The files of a graph and how they were read: a result that is written names them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.colors: str | None = None
        self.aliases: str | None = None
        self.keep: list[Any] = []
        self.graph_options, self.color_options = defaults("graph_options"), defaults("color_options")


def format_names() -> list[str]:
    """Return the names of the graph formats."""
    formats = (lib.ms_graph_format_describe(i) for i in range(1, lib.MS_GRAPH_FORMATS))
    return [ffi.string(f.name).decode() for f in formats]


def set_format(options: Any, name: str) -> None:
    """Set ``format`` of an ms_graph_options."""
    found = ffi.new("ms_graph_format *")
    if not lib.ms_graph_format_find(name.encode(), found):
        raise UsageError(f'format={name!r}: give "auto" or one of {", ".join(format_names())}')
    options.format = found[0]


def set_color_format(options: Any, name: str) -> None:
    """Set ``format`` of an ms_color_options."""
    found = ffi.new("ms_color_format *")
    if not lib.ms_color_format_find(name.encode(), found):
        names = [ffi.string(lib.ms_color_format_name(i)).decode() for i in range(lib.MS_COLOR_FORMATS)]
        raise UsageError(f"color_format={name!r}: give one of {', '.join(names)}")
    options.format = found[0]


def _writable() -> dict[int, Any]:
    """Return the descriptions of the formats that `Graph.write` has, by number."""
    formats = {number: lib.ms_graph_format_describe(number) for number in range(1, lib.MS_GRAPH_FORMATS)}
    return {number: info for number, info in formats.items()
            if info.writable and number != lib.MS_FORMAT_TYPED_BINARY}


def format_for_writing(path: str, name: str) -> int:
    """Return the format of that name; "auto": the one whose files end so."""
    formats = {ffi.string(info.name).decode(): number for number, info in _writable().items()}
    if name != "auto":
        if name not in formats:
            raise UsageError(f"format={name!r}: give one of {', '.join(formats)}")
        return formats[name]
    plain = path.removesuffix(".gz").removesuffix(".zst")
    endings = {ffi.string(info.suffix).decode(): number for number, info in _writable().items()}
    for suffix, number in endings.items():
        if plain.endswith(suffix):
            return number
    raise UsageError(f"{path}: the ending of the name stands for no format; give one of "
                     f"{', '.join(endings)}, or format= as one of {', '.join(formats)}")


def check_loss(path: str, number: int, held: set[str], graph: "Graph", dropped: set[str]) -> None:
    """Refuse to write what the format does not hold, unless the caller drops it.

    `held`: what the graph has of "colors", "scores", "directions" and "names".
    """
    words = {"colors": "colours", "scores": "scores of edges", "directions": "directions of edges",
             "names": "names of vertices", "positions": "positions"}
    for what in dropped:
        if what not in words:
            raise UsageError(f"drop= names {what!r}; give one of {', '.join(words)}")

    def holds(info: Any, what: str) -> bool:
        name = ffi.string(info.name).decode()
        if what == "names":
            numbers = range(info.first_number, info.first_number + len(graph))
            return not info.numbered or all(map(str.__eq__, map(str, numbers), graph.names))
        if what == "directions":
            return name in ("edge-list", "graphml")
        return bool(info.holds_colors if what == "colors" else info.holds_scores)

    formats = _writable()
    name = ffi.string(formats[number].name).decode()
    needed = held - dropped - {"positions"}
    for what in sorted(needed):
        if not holds(formats[number], what):
            able = [ffi.string(info.name).decode() for info in formats.values()
                    if all(holds(info, each) for each in needed)]
            remedy = f"give format= as one of {', '.join(map(repr, able))}, or " if able else ""
            raise UsageError(f'{path}: {name} holds no {words[what]}; {remedy}drop="{what}"')


@public_class
class GraphFiles:
    """The function that reads a graph, and the one that writes it; `Graph` inherits them."""

    __slots__ = ()

    @classmethod
    def from_file(
        cls: Any,
        path: str | os.PathLike[str],
        colors: Any = None,
        *,
        format: str = "auto",
        directed: bool = False,
        min_score: float = 0.0,
        scores: bool = False,
        keep_taxon: bool = False,
        taxon: str | None = None,
        system: str | None = None,
        names: str | None = None,
        header: bool | None = None,
        source_column: str | None = None,
        target_column: str | None = None,
        score_column: str | None = None,
        combine: str | None = None,
        direction_column: str | None = None,
        color_attribute: str | None = None,
        color_format: str = "auto",
        aspects: str | None = None,
        color_header: bool = False,
        name_column: str | None = None,
        color_column: str | None = None,
        separator: str | None = None,
        obo: str | os.PathLike[str] | None = None,
        slim: str | os.PathLike[str] | None = None,
        ignore_unknown: bool = False,
        aliases: str | os.PathLike[str] | None = None,
        color_names: Sequence[str] | None = None,
        threads: int | None = None,
        memory: int | str | None = None,
        timeout: float | None = None,
        stop: Stop | None = None,
    ) -> "Graph":
        """Read a graph from a file, which may be compressed by gzip or zstd.

        The options are those of the tool (``motifsieve help screen``); docs/FORMATS.md describes
        the formats.

        Parameters
        ----------
        path : path
            The file; "-" is standard input.
        colors : path or object, optional
            A file of colours, or colours as in `Graph`.  Default: those of the graph's file.
        format : str
            The name of the format, such as "edge-list", "string", "biogrid" or "graphml".
        directed : bool
            The first vertex of an edge is its tail.
        min_score : float
            Keep edges with at least this score.
        scores : bool
            Keep the scores of edges.
        combine : str
            The score of several lines that join the same two vertices: "max", "sum" or "count".
        direction_column : str
            The column that says which way an edge points, such as ``->`` or ``<-``; "none": no column does.
        color_format : str
            "auto", "tsv", "go-slim", "gaf", "wide", "lists" or "gmt".
        aliases : path, optional
            A file of further names of the vertices, which colours and ``require=`` may use.
        threads, memory, timeout, stop : optional
            As in `Graph.screen`.  Reading that was stopped raises `TimeLimitError` or
            `StoppedError`.

        Returns
        -------
        Graph

        Raises
        ------
        MissingFileError
            There is no such file.
        InputError
            The file is malformed; the message names the line.
        """
        files = Files(os.fspath(path))
        g = files.graph_options
        set_format(g, format)
        g.directed, g.min_score, g.keep_scores, g.keep_taxon = directed, min_score, scores, keep_taxon
        g.header, g.no_header = header is True, header is False
        g.run.threads, g.run.memory = thread_count(threads), memory_bytes(memory)
        value: str | os.PathLike[str] | None
        for name, value in (("taxon", taxon), ("system", system), ("names", names),
                            ("source_column", source_column), ("target_column", target_column),
                            ("score_column", score_column), ("combine", combine),
                            ("direction_column", direction_column),
                            ("color_attribute", color_attribute)):
            setattr(g, name, string(value, files.keep))
        c = files.color_options
        set_color_format(c, color_format)
        c.header, c.ignore_unknown = color_header, ignore_unknown
        for name, value in (("aspects", aspects), ("obo", obo), ("slim", slim),
                            ("name_column", name_column), ("color_column", color_column),
                            ("separator", separator)):
            setattr(c, name, string(value, files.keep))
        coloring = None
        with Call(timeout, stop=stop, attach=True) as call:
            raw = call.object("graph", lib.ms_graph_read, path_bytes(path), g, path=path)
            if aliases is not None:
                files.aliases = os.fspath(aliases)
                call.check(lib.ms_graph_read_aliases(raw, path_bytes(aliases), NULL, call.err), aliases)
            if isinstance(colors, (str, os.PathLike)):
                files.colors = os.fspath(colors)
                coloring = call.object("coloring", lib.ms_coloring_read, path_bytes(colors), raw, c, path=colors)
            elif colors is None and lib.ms_graph_describe(raw).colored:
                coloring = call.object("coloring", lib.ms_coloring_from_graph, raw, path=path)
        if coloring is not None:
            return cast("Graph", cls._make(raw, None, coloring, files))
        graph: Graph = cls._make(raw, None, None, files)
        return graph if colors is None else graph.with_colors(colors, color_names=color_names)

    def write(self, path: str | os.PathLike[str], format: str = "auto", *,
              drop: str | Iterable[str] = ()) -> None:
        """Write the graph to a file, completely or not at all.

        What the format cannot hold is refused, or left out if `drop` names it.  `from_file` reads
        the file back, with ``scores=True`` and ``directed=True`` where the graph has scores and
        directions; nodes are then texts.  Positions and slides are in no format: a warning says
        so.

        Parameters
        ----------
        path : path
            A name that ends in .gz or .zst: the file is compressed.
        format : str
            A format that can be written: "binary" holds colours and scores, "graphml" colours,
            scores and directions, "edge-list" scores and directions, "tve" one colour a vertex.
            "auto": by the ending of the name, such as .msb, .graphml, .tsv or .tve.
        drop : str or iterable of str
            What to leave out: "colors", "scores", "directions", "names", "positions".

        Examples
        --------
        >>> import motifsieve as ms
        >>> ms.Graph([(0, 1)], colors=["a", "b"]).write("g.tsv")
        Traceback (most recent call last):
        ...
        motifsieve.errors.UsageError: g.tsv: edge-list holds no colours; give format= as one of 'tve', 'graphml', \
'binary', or drop="colors"
        """
        graph = cast("Graph", self)
        name, dropped = os.fspath(path), {drop} if isinstance(drop, str) else set(drop)
        number = format_for_writing(name, format)
        held = {"colors": graph._coloring is not None and len(graph.colors or ()) > 0,
                "scores": graph.scores is not None, "directions": graph.directed,
                "names": not isinstance(graph._nodes, range), "positions": graph.positions is not None}
        check_loss(name, number, {what for what in held if held[what]}, graph, dropped)
        graph._without(dropped)._write(name, number)
        if held["positions"] and "positions" not in dropped:
            warn_of([f"{name}: positions and slides are not written, because no format holds them; "
                     'drop="positions" accepts this'], UserWarning)
