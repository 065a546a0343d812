"""The results of queries: frozen objects whose columns are NumPy arrays.

Arrays that the library has made are used as they are, read-only and without a copy; they keep the
result alive.  Columns of texts are made when they are first asked for.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import object_array, view
from ._call import NULL, STOPPED, Call, Stop, string, strings, text
from ._native import ffi, lib
from .errors import UsageError
from .exports import Exports

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph
    from .patterns import Pattern
    from .motifs import Bound

__all__ = ["Columns", "Matches", "PatternMatches", "Result", "Screen", "Verification"]

_FORMS = {
    "tsv": "MS_FORM_TSV",
    "json": "MS_FORM_JSON",
    "binary": "MS_FORM_BINARY",
    "cx2": "MS_FORM_CX2",
    "dot": "MS_FORM_DOT",
    "svg": "MS_FORM_SVG",
}
_ENDINGS = {"jsonl": "json", "bin": "binary"}
_WORK = ("visits", "intersections", "points", "bytes_moved", "sets_found", "sets_missed")


class Columns(Mapping[str, "NDArray[Any]"]):
    """The columns of a result, by name; each is made at its first use."""

    def __init__(self, make: dict[str, Any], made: dict[str, NDArray[Any]]) -> None:
        self._make = make
        self._made = made

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._made:
            make = self._make[name]
            array = make() if callable(make) else make
            if array.flags.writeable:
                array.flags.writeable = False
            self._made[name] = array
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._make)

    def __len__(self) -> int:
        return len(self._make)

    def __reduce__(self) -> Any:
        return dict, ({name: np.array(self[name]) for name in self},)

    def __repr__(self) -> str:
        return f"<Columns: {', '.join(self._make)}>"


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
    missing : int
        The number of rows that an independent recount found and the result lacks.
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
        self.missing: int = report.missing
        self.recounted: bool = report.recounted
        self.flags: int = report.flags
        self.supported: int = report.supported
        self.problem: str = text(report.problem)
        self.stopped: str | None = STOPPED.get(report.stopped)

    def __bool__(self) -> bool:
        return self.accepted

    def __repr__(self) -> str:
        why = f": {self.problem}" if self.problem else ""
        return f"<Verification: {self.outcome}, {self.rows} rows, completeness {self.completeness}{why}>"


class Result(Exports):
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
    graph: "Graph"
    query: dict[str, Any]
    _raw: Any  # the struct of the library
    _run: Any  # the options with which it was made
    _keep: Any  # what these point to
    _made: dict[str, "NDArray[Any]"]  # columns

    def __init__(self, graph: "Graph", raw: Any, run: Any, query: dict[str, Any], **more: Any) -> None:
        self.__dict__.update(graph=graph, query=query, _raw=raw, _run=run, _made={}, _keep=None)
        self.__dict__.update(more)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"results are frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"results are frozen: {name} cannot be deleted")

    def __copy__(self) -> "Result":
        return self  # it does not change

    def __deepcopy__(self, memo: Any) -> "Result":
        return self

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be pickled, because its rows are memory of the library; "
                        "pickle its columns, dict(r.columns), or r.to_pandas()")

    # ---- how it ended --------------------------------------------------------------------

    @property
    def stopped(self) -> str | None:
        """None, or why the search ended early: "limit", "time", "interrupted", "memory", "space"."""
        return STOPPED.get(self._raw.stopped, "interrupted")

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
        names = [name for name in dir(self._raw) if name.startswith("time_")]
        return {name[len("time_"):]: getattr(self._raw, name) for name in names}

    @property
    def work(self) -> dict[str, int]:
        """What the search did: visits, intersections and more; numbers of 0 are left out."""
        work = getattr(self._raw, "work", None)
        return {} if work is None else {n: getattr(work, n) for n in _WORK if getattr(work, n)}

    @property
    def engine(self) -> str | None:
        """What searched, such as "cpu" or "gpu"; None: the result does not say."""
        return None

    @property
    def engine_reason(self) -> str:
        """Why this engine ran."""
        return ""

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
        # the functions that make columns refer to the result: kept by it, they would be a cycle,
        # and its memory would stay until the next collection of garbage
        return Columns(self._columns(), self._made)

    def _columns(self) -> dict[str, Any]:
        raise NotImplementedError

    def labels(self, ids: Any) -> NDArray[Any]:
        """Return the nodes of an array of vertices, in its shape.

        The array has the type int64 if the nodes are numbers, and object otherwise.
        """
        return self.graph._node_array()[ids]

    def __getitem__(self, column: str) -> NDArray[Any]:
        return self.columns[column]

    def __iter__(self) -> Iterator[Any]:
        columns = self.columns
        names = list(columns)
        return (dict(zip(names, row)) for row in zip(*(columns[name].tolist() for name in names)))

    def __repr__(self) -> str:
        state = "complete" if self.complete else f"stopped: {self.stopped}"
        return f"<{type(self).__name__}: {self._about()}, {state}>"

    def _about(self) -> str:
        return f"{len(self)} rows"

    # ---- files ---------------------------------------------------------------------------

    def write(
        self,
        path: str | os.PathLike[str],
        form: str | None = None,
        *,
        all: bool = False,
        all_colors: bool = False,
        roles: bool = False,
        long_rows: bool = False,
        whole_graph: bool = False,
        match: int | None = None,
        measures: str | None = None,
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
        roles, long_rows : bool
            Matches: the colour of the slot that each vertex fills; a row for each vertex.
        whole_graph, match : optional
            A drawing: the rest of the graph, too; only the match of this number, from 1.
        measures : str, optional
            Matches of a motif: "density" or "scores" writes measures beside them.
        positions : array_like, shape (n, 2), optional
            With "svg": where the vertices are; default: the positions of the graph.
        labels : path or True
            Labels beside the names of vertices, from a file as in `Graph.labels`; True: from the
            file of ``aliases=``.
        """
        keep: list[Any] = []
        options = ffi.new("ms_write_options *")
        lib.py_init_write_options(options)
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
        options.long_rows, options.whole_graph, options.match = long_rows, whole_graph, match or 0
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
            call.check(self._write(options, os.fsencode(path), call.err), path)

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


def verify_file(path: str, graph: str, colors: str | None, recount: bool, timeout: float | None,
                stop: Stop | None, more: dict[str, Any]) -> Verification:
    """Check a result file from the files of a graph and its colours."""
    keep: list[Any] = []
    options = ffi.new("ms_verify_options *")
    lib.py_init_verify_options(options)
    options.no_recount = not recount
    for name, value in more.items():
        setattr(options, name, string(value, keep))
    report = ffi.new("ms_verify_report *")
    with Call(timeout, stop=stop) as call:
        options.stop = call.token
        call.check(lib.ms_verify_file(path.encode(), graph.encode(),
                                      NULL if colors is None else colors.encode(), options, report,
                                      call.err))
    return Verification(report)


def _form_of(path: str, form: str | None) -> str:
    if form is None:
        form = path.removesuffix(".gz").removesuffix(".zst").rpartition(".")[2].lower()
        form = form if form in (*_FORMS, *_ENDINGS) else "tsv"
    form = _ENDINGS.get(form, form)
    if form not in _FORMS:
        raise UsageError(f"form={form!r}: give one of {', '.join(_FORMS)}")
    return form


def _slot_names(query: Any, k: int) -> tuple[str, ...]:
    return tuple(text(lib.ms_query_slot_name(query, d)) for d in range(k))


def _need_file(scores: Any) -> None:
    if scores is not None and scores.path is None:
        raise UsageError("a result file names the file of the scores of vertices, and these are none; give "
                         "vertex_scores= as a path, or write the columns")


class Screen(Result):
    """The vertices that take part in a match of a motif.

    A vertex with a row is certainly in a match.  A vertex without one is in a match with a
    probability of at most `bound`, and if `bound` is 0 in none.

    Columns: ``vertex``, ``node``, ``colors``, ``hits`` (the number of repetitions of the sieve that
    flagged the vertex; 1 after an exact search), and if asked for, ``missing``, ``extra``, ``cost``,
    ``score`` and ``best_sum``.
    """

    kind = "screen"
    forms = ("tsv", "json", "cx2", "dot", "svg")
    _bound: "Bound"
    _scores: Any
    _substitutes: Any

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
        return _slot_names(self._bound.query, self._raw.k)

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {
            "vertex": lambda: self.vertices,
            "node": lambda: self.labels(self.vertices),
            "colors": lambda: self.graph._color_texts(self.vertices),
            "hits": lambda: self.hits_of[self.vertices],
        }
        for name, dtype in (("missing", "|u1"), ("extra", "|u1"), ("cost", "<u4"), ("score", "<f4"),
                            ("best_sum", "<u4")):
            pointer = getattr(self._raw, name)
            if pointer != NULL:
                whole = view(pointer, self._raw.n, dtype, self._raw)
                columns[name] = lambda whole=whole: whole[self.vertices]
        return columns

    def __iter__(self) -> Iterator[Any]:
        return iter(self.labels(self.vertices).tolist())

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

    def _again(self, graph: "Graph", folder: str) -> tuple[Result, dict[str, Any]]:
        bound, more = self._bound.on(graph), {}
        run = ffi.new("ms_screen_options *", self._run[0])
        scores, substitutes = self._scores, self._substitutes
        if scores is not None:
            scores = scores.in_file(graph, folder)
            run.vertex_scores, more["vertex_scores"] = scores.raw, str(scores.path)
        if substitutes is not None:
            substitutes = substitutes.in_file(bound, folder, run.max_cost)
            run.substitutes, more["substitutes"] = substitutes.raw, os.fspath(substitutes.source)
        return Screen(graph, self._raw, run, self.query, _bound=bound, _scores=scores,
                      _substitutes=substitutes), more


class Matches(Result):
    """The matches of a motif: connected sets of vertices that fill its slots.

    Columns: ``match`` (from 1), ``v1`` to ``vk`` (vertices, ascending), ``node1`` to ``nodek`` (their
    nodes) and ``slot1`` to ``slotk`` (the colour of the slot that each fills).
    """

    kind = "list"
    forms = ("tsv", "json", "cx2", "dot", "svg")
    _bound: "Bound"
    _scores: Any

    def __len__(self) -> int:
        return 0 if self._raw.vertices == NULL else self._raw.matches

    @property
    def stopped(self) -> str | None:
        limit = self._run.limit
        if self._raw.stopped == lib.MS_ERR_LIMIT and limit and self._raw.matches >= limit:
            return "limit"
        return super().stopped

    @property
    def count(self) -> int:
        """The number of matches, exact at any size, also if they were only counted."""
        return int(text(self._raw.count_text))

    @property
    def k(self) -> int:
        """The number of vertices of a match."""
        return self._raw.k

    @property
    def bound(self) -> float:
        if not self.complete:
            return 1.0
        screen = self._raw.screen
        return 0.0 if screen == NULL else min(1.0, self._raw.k * screen.miss_bound)

    @property
    def bound_text(self) -> str:
        screen = self._raw.screen
        if not self.complete or screen == NULL or screen.miss_bound == 0:
            return super().bound_text
        return f"{self._raw.k} * ({text(screen.miss_bound_text)})"

    @property
    def engine(self) -> str | None:
        return text(self._raw.engine)

    @property
    def engine_reason(self) -> str:
        return text(self._raw.engine_reason)

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
        return _slot_names(self._bound.query, self._raw.k)

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
            columns[f"node{j + 1}"] = lambda j=j: self.labels(self.vertices[:, j])
        for j in range(k):
            columns[f"slot{j + 1}"] = lambda j=j: object_array(self.slot_names)[self.slots[:, j]]
        if self.family_size is not None:
            columns["family_size"] = self.family_size
        return columns

    def __iter__(self) -> Iterator[Any]:
        return map(tuple, self.labels(self.vertices).tolist())

    def _about(self) -> str:
        shown = "" if len(self) == self.count else f" ({len(self)} stored)"
        return f"{self.count} matches of {self.query['motif']}{shown}"

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        _need_file(self._scores)
        return lib.ms_list_write(self._bound.query, self._run, self._raw, options, path, err)

    def _again(self, graph: "Graph", folder: str) -> tuple[Result, dict[str, Any]]:
        bound, more = self._bound.on(graph), {}
        run = ffi.new("ms_list_options *", self._run[0])
        scores = self._scores
        if scores is not None:
            scores = scores.in_file(graph, folder)
            run.vertex_scores, more["vertex_scores"] = scores.raw, str(scores.path)
        return Matches(graph, self._raw, run, self.query, _bound=bound, _scores=scores), more


class PatternMatches(Result):
    """The matches of a pattern graph: maps of its vertices to vertices of the graph.

    Columns: ``match`` (from 1), a column of vertices for each vertex of the pattern, by its name,
    and a column ``node:NAME`` with their nodes.
    """

    kind = "match"
    forms = ("tsv", "json", "binary", "cx2", "dot", "svg")
    _pattern: "Pattern"

    def __len__(self) -> int:
        return 0 if self._raw.vertices == NULL else self._raw.matches

    @property
    def stopped(self) -> str | None:
        limit = self._run.limit
        if self._raw.stopped == lib.MS_ERR_LIMIT and limit and self._raw.matches >= limit:
            return "limit"
        return super().stopped

    @property
    def count(self) -> int:
        """The number of matches, exact at any size, also if they were only counted."""
        return int(text(self._raw.count_text))

    @property
    def embeddings(self) -> int:
        """The number of all maps."""
        return int(text(self._raw.embeddings_text))

    @property
    def subgraphs(self) -> int:
        """The number of maps that differ by more than an automorphism of the pattern."""
        return int(text(self._raw.subgraphs_text))

    @property
    def automorphisms(self) -> int:
        """The number of automorphisms of the pattern with its colours."""
        return int(text(self._raw.automorphisms_text))

    @property
    def bound(self) -> float:
        if not self.complete:
            return 1.0
        screen = self._raw.screen
        return 0.0 if screen == NULL else min(1.0, self._raw.p * screen.miss_bound)

    @property
    def bound_text(self) -> str:
        screen = self._raw.screen
        if not self.complete or screen == NULL or screen.miss_bound == 0:
            return super().bound_text
        return f"{self._raw.p} * ({text(screen.miss_bound_text)})"

    @property
    def engine(self) -> str | None:
        return text(self._raw.engine)

    @property
    def engine_reason(self) -> str:
        return text(self._raw.engine_reason)

    @property
    def pattern_names(self) -> tuple[str, ...]:
        """The names of the pattern's vertices."""
        return self._pattern.names

    @property
    def pattern_edges(self) -> NDArray[np.uint32] | None:
        """The edges of the pattern, shape (e, 2), if it was given as edges; otherwise None."""
        return self._pattern.edges

    @cached_property
    def vertices(self) -> NDArray[np.uint32]:
        """The matches, shape (rows, p): column i has the images of vertex i of the pattern."""
        return view(self._raw.vertices, (len(self), self._raw.p), "<u4", self._raw)

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"match": lambda: np.arange(1, len(self) + 1)}
        names = self.pattern_names
        for j, name in enumerate(names):  # a vertex may have the name of a column that is there
            columns.setdefault(name, lambda j=j: self.vertices[:, j])
        for j, name in enumerate(names):
            columns["node:" + name] = lambda j=j: self.labels(self.vertices[:, j])
        return columns

    def __iter__(self) -> Iterator[Any]:
        return map(tuple, self.labels(self.vertices).tolist())

    def _about(self) -> str:
        shown = "" if len(self) == self.count else f" ({len(self)} stored)"
        return f"{self.count} matches of {self._pattern.about}{shown}"

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        return lib.ms_pattern_write(self.graph._get_index(), self._pattern.raw, self._run, self._raw,
                                    options, path, err)

    def _again(self, graph: "Graph", folder: str) -> tuple[Result, dict[str, Any]]:
        pattern, options = self._pattern.in_file(folder)
        run = ffi.new("ms_pattern_options *", self._run[0])
        keep: list[Any] = []
        names = [graph.names[self.graph.names.index(name)] for name in self.query["require"]]
        if names:
            run.required = strings(names, keep)
        return PatternMatches(graph, self._raw, run, self.query, _pattern=pattern, _keep=keep), options
