"""The results of queries: frozen objects whose columns are NumPy arrays.

Arrays that the library has made are used as they are, read-only and without a copy; they keep the
result alive.  Columns of texts are made when they are first asked for.
"""

from __future__ import annotations

import operator
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, overload, SupportsIndex

import numpy as np

from ._arrays import arrays_in, items_of, view
from ._call import NULL, STOPPED, Call, Stop, defaults, path_bytes, text
from ._columns import Columns, Nodes, Numbered
from ._door import public, public_class
from ._native import ffi, lib
from ._nodes import Unchanging
from .checks import SelfCheck, Verification, verify_file
from .errors import UsageError
from .exports import Exports
from .networks import Participants

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph

__all__ = ["Columns", "Result", "columns"]

_FORMS = {
    "tsv": "MS_FORM_TSV",
    "json": "MS_FORM_JSON",
    "binary": "MS_FORM_BINARY",
    "cx2": "MS_FORM_CX2",
    "dot": "MS_FORM_DOT",
    "svg": "MS_FORM_SVG",
}
_ENDINGS = {"jsonl": "json", "bin": "binary", "txt": "tsv"}
_WORK = ("visits", "intersections", "points", "bytes_moved", "sets_found", "sets_missed")


@public_class
class Result(Unchanging, Exports):
    """What all results have.

    Attributes
    ----------
    graph : Graph
        The graph that was searched.
    query : dict
        What was asked.
    """

    kind = ""
    forms: tuple[str, ...] = ("tsv", "json")  # those in which `write` can write it
    _engine: str | None = "cpu"  # what searched, if the library does not say it
    _timed = True  # the struct of the library has times
    _vertex_columns: tuple[str, ...] = ()  # those beside which there is a column of their nodes
    _wide_columns: tuple[str, ...] = ()  # data frames leave out columns that begin so
    _rows_are = "motifs, and not vertices"  # what the rows are, unless they are matches or vertices
    _search = "g.list(r['motif'][0])"  # what lists the matches of a row
    _attributes: tuple[str, ...] = ()  # columns that are attributes of the vertices of a network
    _table = ""  # the kind of `columns` whose names and order the columns have, beside those that `_values` adds
    _first: tuple[str, ...] = ()  # the columns that come before the others
    graph: "Graph"
    query: dict[str, Any]
    _raw: Any  # the struct of the library
    _run: Any  # the options with which it was made
    _keep: Any  # what these point to
    _made: dict[str, "NDArray[Any]"]  # columns

    def __init_subclass__(cls) -> None:
        """Say in the documentation of a class what the columns of its table are."""
        if "_table" in vars(cls) and cls.__doc__:
            rows = ("    {name} : {meaning} ({when})\n".format(**c).replace(" ()", "") for c in columns(cls._table))
            cls.__doc__ = f"{cls.__doc__.rstrip()}\n\n    Columns\n    -------\n{''.join(rows)}    "

    def __init__(self, graph: "Graph", raw: Any, run: Any, query: dict[str, Any], **more: Any) -> None:
        self.__dict__.update(graph=graph, query=query, _raw=raw, _run=run, _made={}, _keep=None)
        self.__dict__.update(more)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"results are frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"results are frozen: {name} cannot be deleted")

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be pickled, because its rows are memory of the library; "
                        "pickle its columns, dict(r.columns), or r.to_pandas()")

    # ---- how it ended --------------------------------------------------------------------

    @property
    def stopped(self) -> str | None:
        """None, or why the search ended early: "limit", "time", "interrupted", "memory", "space"."""
        raw, limit = self._raw, getattr(self._run, "limit", 0)
        if raw.run.stopped == lib.MS_ERR_LIMIT and limit and raw.matches >= limit:
            return "limit"
        return STOPPED.get(raw.run.stopped, "interrupted")

    @property
    def _outcome(self) -> Any:
        """How the run went, an ``ms_run_outcome``; None: the result does not say."""
        return getattr(self._raw, "run", None)

    @property
    def complete(self) -> bool:
        """True if the search ran to its end."""
        return self.stopped is None

    @property
    def bound(self) -> float:
        """An upper bound of the probability that a given row is missing; 0: none is missing."""
        return 0.0 if self.complete else 1.0

    @property
    def bound_text(self) -> str:
        """The bound as a formula, or the reason why it is 0 or 1."""
        if not self.complete:
            return f"1: the search was stopped ({self.stopped})"
        return "0: enumeration misses nothing"

    @property
    def timings(self) -> dict[str, float]:
        """The seconds of the parts of the search."""
        parts = (self._raw, self._outcome) if self._timed else ()
        return {name[len("time_"):]: getattr(part, name)
                for part in parts for name in dir(part) if name.startswith("time_")}

    @property
    def work(self) -> dict[str, int]:
        """What the search did: visits, intersections and more; numbers of 0 are left out."""
        work = getattr(self._outcome, "work", None)
        return {} if work is None else {n: getattr(work, n) for n in _WORK if getattr(work, n)}

    @property
    def engine(self) -> str | None:
        """What searched, such as "cpu" or "gpu"; None: the result does not say."""
        return text(getattr(self._outcome, "engine", NULL)) or self._engine

    @property
    def engine_reason(self) -> str:
        """Why this engine ran."""
        return text(getattr(self._outcome, "engine_reason", NULL))

    @property
    def paranoid(self) -> SelfCheck | None:
        """With ``paranoid=``: how much was computed twice, and what that found; otherwise None."""
        report = getattr(self._outcome, "paranoid", None)
        if report is None or not report.fraction:
            return None
        return SelfCheck(report.fraction, report.blocks, report.checked, report.differences, report.damaged)

    # ---- its rows ------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """The number of rows, exact at any size, also if they were only counted."""
        return len(self)

    def __len__(self) -> int:
        raise NotImplementedError

    @property
    def brief(self) -> tuple[str, ...] | None:
        """The columns that a data frame has by default; None: all but those of vertices."""
        return None

    @property
    def columns(self) -> Columns:
        """The columns by name, each of the length of the result."""
        # they refer to the result: kept by it, they would be a cycle, and its memory would stay
        # until the next collection of garbage
        return Columns(self)

    def _columns(self) -> dict[str, Any]:
        """Return the columns by name: arrays, functions that make them, or what is `Numbered`.

        Those of the table have its order; a value is that of `_values`, or a member of `_structs`.
        """
        values, made = self._values(), {}
        for name in dict.fromkeys((*self._first, *names_of(self._table), *values)):
            value = values[name] if name in values else self._member(name)
            if value is not None:
                made[name] = value
            if name == "vertex":
                made["node"] = Numbered(lambda value=value: Nodes(value() if callable(value) else value))
        return made

    def _values(self) -> dict[str, Any]:
        """Return the columns that are no members of `_structs`; None: there is none of that name."""
        raise NotImplementedError

    def _structs(self) -> Iterable[tuple[str, Any]]:
        """Return structs, or `records`, whose members are columns, each with what these names begin with."""
        return (("", self._raw),)

    def _member(self, column: str) -> Any:
        """Return a column that is a member of a struct, or the function that makes it; None: there is none."""
        for prefix, struct in self._structs():
            name = column.removeprefix(prefix)
            if struct is None or not column.startswith(prefix):
                continue
            if isinstance(struct, np.ndarray):
                if name in struct.dtype.names:
                    return struct[name]
            elif name in (members := arrays_in(ffi.typeof(struct).item)) and \
                    (getattr(struct, name) != NULL or self._stored == 0):
                return lambda: self._arranged(view(getattr(struct, name), self._stored, members[name], struct))
        return None

    @property
    def _stored(self) -> int:
        """The number of items in a member that is an array."""
        return len(self)

    def _arranged(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return the items of the rows, of an array that is such a member."""
        return array

    def _slot_columns(self, labels: Any = None) -> dict[str, Any]:
        """Return the columns of a table with a column for each slot; see `Exports.to_pandas`."""
        raise UsageError(f"wide=True is for matches of a motif; a {type(self).__name__} has no slots")

    def _long_columns(self) -> dict[str, Any]:
        """Return the columns of a table with a row for each vertex of a match."""
        raise UsageError(f"long=True is for matches; a row of a {type(self).__name__} is no match")

    def _list_columns(self) -> dict[str, Any]:
        """Return columns of which `vertices` has a list for each match."""
        raise UsageError(f"lists=True is for matches; a row of a {type(self).__name__} is no match")

    def _participants(self, rows: int | None = None) -> Participants:
        """Return the vertices of the rows, or of the first rows.

        A vertex can have different roles in different matches; it gets that of the first one, as in
        the drawings of the tool.
        """
        raise UsageError(f"the rows of {type(self).__name__} are {self._rows_are}; list the matches of one of them, "
                         f"such as {self._search}, and convert these")

    def _of_each_vertex(self) -> tuple[Any, Sequence[str]] | None:
        """Return a matrix of vertices by something, and the names of its columns; None: there is none."""
        return None

    def labels(self, ids: Any) -> NDArray[Any]:
        """Return the nodes of an array of vertices, in its shape.

        The array has the type int64 if the nodes are numbers, and object otherwise.
        """
        return items_of(self.graph._node_array(), ids)

    @overload
    def __getitem__(self, key: str) -> NDArray[Any]: ...

    @overload
    def __getitem__(self, key: SupportsIndex) -> Any: ...

    @overload
    def __getitem__(self, key: slice) -> list[Any]: ...

    def __getitem__(self, key: Any) -> Any:
        """Return a column by its name, a row by its number from 0, or the rows of a slice as a list.

        A row is what iteration yields.

        >>> import motifsieve as ms
        >>> r = ms.Graph([(0, 1), (1, 2)], colors=[*"aba"]).list("a,b")
        >>> r["node1"].tolist(), r[-1], r[0:2]
        ([0, 1], (1, 2), [(0, 1), (1, 2)])
        """
        if isinstance(key, slice):
            return self._listed(key)
        if isinstance(key, str) or not hasattr(key, "__index__"):
            return self.columns[key]
        number = operator.index(key)
        if not -len(self) <= number < len(self):
            raise IndexError(f"row {number}: there are {len(self)} rows")
        number %= len(self)
        return self._listed(slice(number, number + 1))[0]

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.columns)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._listed(slice(None)))

    def _listed(self, part: slice) -> list[Any]:
        """Return the rows of a slice: dicts of the columns, or nodes where the rows are nodes."""
        columns = self.columns
        return [dict(zip(columns, row)) for row in zip(*(columns[name][part].tolist() for name in columns))]

    def __repr__(self) -> str:
        state = "complete" if self.complete else f"stopped: {self.stopped}"
        return f"<{type(self).__name__}: {self._about()}, {state}>"

    def _about(self) -> str:
        return f"{len(self)} rows"

    # ---- files ---------------------------------------------------------------------------

    def write(
        self,
        path: str | os.PathLike[str],
        form: Literal["tsv", "json", "binary", "cx2", "dot", "svg"] | None = None,
        *,
        all: bool = False,
        all_colors: bool = False,
        roles: bool = False,
        long_rows: bool = False,
        wide_rows: bool = False,
        whole_graph: bool = False,
        match: int | None = None,
        measures: Literal["density", "scores"] | None = None,
        positions: Any = None,
        labels: str | os.PathLike[str] | bool = False,
    ) -> None:
        """Write the result file that docs/RESULT.md describes, completely or not at all.

        Parameters
        ----------
        path : path
            The file.  A name that ends in .gz or .zst: it is compressed.
        form : str, optional
            "tsv", "json", "binary", "cx2", "dot" or "svg"; default: by the ending of the name.
        all, all_colors : bool
            A screen: rows for the vertices that are not flagged; all colours of a vertex.
        roles, long_rows, wide_rows : bool
            Matches: the colour of the slot that each vertex fills; a row for each vertex; of a motif: a
            column for each slot.
        whole_graph, match : optional
            A drawing: the rest of the graph, too; only the match of this number, from 1.
        measures : str, optional
            Matches of a motif or a pattern: "density" or "scores" writes measures beside them.
        positions : array_like, shape (n, 2), optional
            With "svg": where the vertices are; default: the positions of the graph.
        labels : path or True
            Labels beside the names of vertices, from a file as in `Graph.labels`; True: from the
            file of ``aliases=``.
        """
        keep: list[Any] = []
        options = defaults("write_options")
        asked = _form_of(os.fspath(path), form)
        if asked not in self.forms:
            raise UsageError(f"a {type(self).__name__} cannot be written as {asked!r}; give form= as one of "
                             f"{', '.join(map(repr, self.forms))}")
        if asked == "svg" and positions is None:
            positions = self.graph.positions
            if positions is None:
                raise UsageError("a picture needs the places of the vertices; give positions=, an array of shape "
                                 "(n, 2)")
        options.form = getattr(lib, _FORMS[asked])
        files = self.graph._files
        if files is not None:
            options.graph, options.colors = files.graph_options, files.color_options
        options.all, options.all_colors, options.roles = all, all_colors, roles
        options.long_rows, options.wide_rows = long_rows, wide_rows
        options.whole_graph, options.match = whole_graph, match or 0
        if measures is not None:
            try:
                options.measures = {"density": lib.MS_MEASURES_DENSITY,
                                    "scores": lib.MS_MEASURES_SCORES}[measures]
            except KeyError:
                raise UsageError(f'measures={measures!r}: give "density" or "scores"') from None
        if labels is not False:
            keep.append(self._read_labels(None if labels is True else labels))
            options.labels = keep[-1]
        if positions is not None:
            keep.append(self.graph._points(positions))
            options.positions = keep[-1]
        with Call(attach=True) as call:
            call.check(self._write(options, path_bytes(path), call.err), path)

    def _read_labels(self, path: Any) -> Any:
        return self.graph._read_labels(path)

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        raise UsageError(f"a {type(self).__name__} cannot be written to a file of this form")

    def verify(self, *, recount: bool = True, timeout: float | None = None,
               stop: Stop | None = None) -> Verification:
        """Check the result again by the library's judge, which shares no code with the search.

        The graph, its colours and the result are written to temporary files, and the judge reads
        them: every row is checked, and an independent recount looks for rows that are missing.
        Components, paths and mined motifs are checked in memory.

        Parameters
        ----------
        recount : bool
            Look for missing rows, too.  (Components, paths and mined motifs are always counted again.)
        timeout : float, optional
            The seconds after which the check ends.
        stop : Stop, optional
            Ends the check.

        Examples
        --------
        >>> import motifsieve as ms
        >>> g = ms.Graph.from_edges([(0, 1), (1, 2)], colors=["a", "b", "a"])
        >>> g.list("a:2,b").verify()
        <Verification: accepted, 1 rows, completeness proved>
        """
        with tempfile.TemporaryDirectory(prefix="motifsieve-") as folder:
            return self._verified(folder, recount, timeout, stop)

    def _verified(self, folder: str, recount: bool, timeout: float | None, stop: Stop | None) -> Verification:
        """Write what the judge reads into the folder, and let it check."""
        graph = self.graph._written(folder)
        path = os.path.join(folder, "result")
        again, options = self._again(graph, folder)
        again.write(path, "tsv")
        return verify_file(path, graph._files.path, graph._files.colors, recount, timeout, stop, options)

    def _again(self, graph: "Graph", folder: str) -> tuple["Result", dict[str, Any]]:
        """Return the same result of a graph that was read from a file, and options of the check."""
        raise UsageError(f"there is no check of a {type(self).__name__}")


def _form_of(path: str, form: str | None) -> str:
    if form is None:
        form = path.removesuffix(".gz").removesuffix(".zst").rpartition(".")[2].lower()
        if form in ("html", "htm"):
            raise UsageError(f"{path}: a result has no form for HTML; the tool makes a page of a result file: "
                             "motifsieve report; or give form=")
        if form not in _FORMS and form not in _ENDINGS:
            raise UsageError(f"{path}: the ending of the name stands for no form; give {', '.join(_FORMS)} "
                             "or txt as the ending, or form=; r.to_pandas() is a data frame, which pandas "
                             "writes in other forms")
    form = _ENDINGS.get(form, form)
    if form not in _FORMS:
        raise UsageError(f"form={form!r}: give one of {', '.join(_FORMS)}")
    return form


@lru_cache(None)
def names_of(table: str) -> tuple[str, ...]:
    """Return the names of the columns of a kind; "": none."""
    return tuple(column["name"] for column in columns(table)) if table else ()


@public
def columns(kind: str) -> list[dict[str, str]]:
    """Return the columns of result files of a kind, in their order.

    Each is a dictionary: ``name``; ``values``, such as "a number or NA"; ``when`` it is there, such
    as "with labels", or "" for always; and ``meaning``.

    >>> import motifsieve as ms
    >>> ms.columns("census")[2]["meaning"]
    'connected sets that fit it'
    """
    count = lib.ms_columns(kind.encode(), 0, ffi.NULL)
    if count == 0:
        kinds, i = [], 0
        while lib.ms_columns_kind(i):
            kinds.append(ffi.string(lib.ms_columns_kind(i)).decode())
            i += 1
        raise UsageError(f"kind={kind!r}: give one of {', '.join(kinds)}")
    info = ffi.new("ms_column_info[]", count)
    lib.ms_columns(kind.encode(), count, info)
    return [{"name": ffi.string(c.name).decode(), "values": ffi.string(c.type).decode(),
             "when": ffi.string(c.when).decode(), "meaning": ffi.string(c.meaning).decode()} for c in info]
