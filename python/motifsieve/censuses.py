"""Censuses: the number of connected sets of every motif, and which numbers are no chance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ._arrays import object_array, view
from ._call import NULL, STOPPED, Call, Stop, defaults, encoded, text
from ._door import public
from ._keywords import Gpu, Progress, checked_seed, chosen, set_engine, set_limits, set_paranoid, warn_of, whole
from ._native import ffi, lib
from .edges import group_numbers, in_order
from .errors import UsageError
from .motifs import quoted
from .results import Result, names_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .graph import Graph

__all__ = ["Census", "ShapeCensus", "census", "significance"]

_NULLS = {"labels": lib.MS_NULL_LABELS, "degree": lib.MS_NULL_DEGREE, "edges": lib.MS_NULL_EDGES,
          "rewire": lib.MS_NULL_REWIRE, "rewire-colors": lib.MS_NULL_REWIRE_COLORS}
_MOMENTS = {"auto": lib.MS_MOMENTS_AUTO, "exact": lib.MS_MOMENTS_EXACT,
            "sampled": lib.MS_MOMENTS_SAMPLED}
_SORTS = {"sets": lib.MS_CENSUS_BY_SETS, "z": lib.MS_CENSUS_BY_Z, "p": lib.MS_CENSUS_BY_P,
          "q": lib.MS_CENSUS_BY_Q, "p_less": lib.MS_CENSUS_BY_P_LESS, "q_less": lib.MS_CENSUS_BY_Q_LESS}
_STATISTICS = ("expected", "z", "p", "q", "perm_expected", "perm_z", "perm_p", "perm_q",
               "perm_p_max")  # those that data frames show
_P_BY = {lib.MS_P_BY_NONE: None, lib.MS_P_BY_FIT: "fit", lib.MS_P_BY_BOUND: "bound"}


def check_colors(graph: "Graph", again: "Graph") -> None:
    """Refuse a graph that was read again and has other numbers of colours."""
    known = {} if again.colors is None else {name: i for i, name in enumerate(again.colors.names)}
    assert graph.colors is not None
    if [known.get(name) for name in graph.colors.names] != [*range(len(known))]:
        raise UsageError("this census cannot be checked: a colour without a vertex is not written")


def names_of_colors(graph: "Graph") -> tuple[str, ...]:
    assert graph.colors is not None
    return graph.colors.names


def motif_texts(known: Sequence[str], rows: NDArray[Any]) -> tuple[str, ...]:
    """Return the texts of motifs, whose colours are the rows of an array, by the names of colours."""
    names = [quoted(name) for name in known]
    texts = []
    for row in rows.tolist():
        counts: dict[int, int] = {}
        for color in row:
            counts[color] = counts.get(color, 0) + 1
        order = sorted(counts, key=lambda color: known[color])
        texts.append(",".join(names[c] + (f":{counts[c]}" if counts[c] > 1 else "") for c in order))
    return tuple(texts)


def folds(counts: NDArray[Any], expected: NDArray[Any]) -> NDArray[Any]:
    """Return counts / expected, both as they are written: with six digits."""
    written = np.array([float(f"{value:.6g}") for value in expected.tolist()], "<f8")
    return np.divide(counts.astype("<f8"), written, out=np.full(len(written), np.nan), where=written > 0)


class Permuted(Result):
    """Counts that may have been compared with those of random graphs."""

    _significance: Any = None
    _permuted: Any
    _null: Any
    _usual: tuple[str, ...]  # what data frames show where there are no statistics

    @property
    def stopped(self) -> str | None:
        permuted = lib.MS_OK if self._permuted is None else self._permuted.run.stopped
        return STOPPED.get(self._raw.run.stopped or permuted, "interrupted")

    @property
    def permutations(self) -> int:
        """The number of permutations that were made."""
        return 0 if self._permuted is None else self._permuted.done

    @property
    def _stored(self) -> int:
        return self._raw.count

    @cached_property
    def null_counts(self) -> NDArray[np.uint64] | None:
        """With ``keep_counts=``: the number of sets, or of matches, in each permutation, shape (kept, rows).

        Column i is the null distribution of row i.
        """
        raw = self._permuted
        if raw is None or raw.counts == NULL:
            return None
        return self._arranged(view(raw.counts, (raw.kept, raw.count), "<u8", raw).T).T[:, : len(self)]

    def _structs(self) -> Any:
        return (("", self._significance), ("perm_", self._permuted), ("", self._raw))

    def _compared(self, counts: str) -> dict[str, Any]:
        """Return the columns of statistics that are no members; counts: the column that is compared."""
        values: dict[str, Any] = {
            prefix + "fold": lambda prefix=prefix: folds(self[counts], self[prefix + "expected"])
            for prefix, struct in self._structs()[:2] if struct is not None}
        if self._permuted is not None and self._permuted.p_max == NULL:
            values["perm_p_max"] = None
        return values

    @property
    def brief(self) -> tuple[str, ...]:
        """The columns that a data frame has by default, which fit into a terminal."""
        found, left_out = self.columns, () if self._significance is None else ("perm_expected", "perm_z")
        names = [name for name in (*self._first, *self._usual) if name in found and name not in left_out]
        plain = not {*names} & {*_STATISTICS}
        return tuple(name for name in names if plain or name not in self._usual)

    def _written_statistics(self) -> Any:
        """Return the ``ms_census_statistics`` that a file receives."""
        if self.query["strata"]:
            raise UsageError("a result with strata= cannot be written, because the file names the column of a "
                             "colour file from which they come; write its columns")
        s = defaults("census_statistics")
        if self._permuted is not None:
            s.permutations, s.permutation_options = self._permuted, self._null
        return s


class Census(Permuted):
    """The number of connected sets of k vertices of every motif of k colours.

    The motifs are texts that queries accept.  A data frame has the columns of `brief`, which fit into
    a terminal, unless ``columns="all"`` or a list of columns asks for others.
    docs/SIGNIFICANCE.md has the formulas.
    """

    kind = "census"
    _table = "census"
    _first: tuple[str, ...] = ("motif", "sets", *_STATISTICS)
    _usual = ("share",)
    _sort: str

    @cached_property
    def _rows(self) -> NDArray[np.int64] | None:
        """The rows in their order, if it is not that of the library; those that the options leave."""
        if self._sort == "sets":
            return None
        source = self._permuted if self._significance is None else self._significance
        values = view(getattr(source, self._sort), self._stored, "<f8", source)
        # as they are written: with six digits
        key = np.array([float(f"{value:.6g}") for value in values.tolist()])
        rows = np.argsort(-key if self._sort == "z" else key, kind="stable")
        rows = rows[self._sets[rows] >= self._run.min_count]
        return rows[: self._run.top] if self._run.top else rows

    @property
    def _sets(self) -> NDArray[np.uint64]:
        return view(self._raw.n_sets, self._raw.count, "<u8", self._raw)

    def __len__(self) -> int:
        return self._raw.count if self._rows is None else len(self._rows)

    @property
    def total_sets(self) -> int:
        """The number of connected sets, of all motifs together."""
        return self._raw.sets

    @property
    def found(self) -> int:
        """The number of motifs that occur, also of those without a row."""
        return self._raw.motifs

    @property
    def k(self) -> int:
        """The number of vertices of a set."""
        return self._raw.k

    @property
    def tests(self) -> int:
        """The number of tests behind ``q``; 0 without `significance`."""
        return 0 if self._significance is None else self._significance.tests

    @property
    def timings(self) -> dict[str, float]:
        return {} if self._significance is None else {"significance": self._significance.time}

    def _arranged(self, array: NDArray[Any]) -> NDArray[Any]:
        return array if self._rows is None else array[self._rows]

    @cached_property
    def color(self) -> NDArray[np.uint32]:
        """The numbers of the colours of each motif, shape (rows, k); see `Colors.names`."""
        return self._arranged(view(self._raw.color, (self._raw.count, self._raw.k), "<u4", self._raw))

    def _motifs(self) -> NDArray[np.object_]:
        return object_array(motif_texts(names_of_colors(self.graph), self.color))

    def _p_by(self) -> NDArray[np.object_]:
        by = view(ffi.cast("int32_t *", self._significance.p_by), self._stored, "<i4", self._significance)
        return object_array([_P_BY[value] for value in self._arranged(by).tolist()])

    def _values(self) -> dict[str, Any]:
        return {
            "motif": self._motifs,
            "k": lambda: np.full(len(self), self.k, np.uint32),
            "sets": lambda: self._arranged(self._sets),
            "share": lambda: self["sets"] / max(self._raw.sets, 1),
            "p_by": None if self._significance is None else self._p_by,
            **self._compared("sets"),
        }

    def _about(self) -> str:
        return f"{len(self)} motifs of {self.k} colours, {self.total_sets} connected sets"

    def _write(self, options: Any, path: bytes, err: Any) -> int:
        s = self._written_statistics()
        if self._significance is not None:
            s.significance = self._significance
        s.sort = _SORTS[self._sort]
        return lib.ms_census_write_statistics(self.graph._raw, self._coloring(), self._run,
                                              self._raw, s, options, path, err)

    def _coloring(self) -> Any:
        return self.graph._need_colors()

    def _again(self, graph: "Graph", folder: str) -> tuple[Result, dict[str, Any]]:
        check_colors(self.graph, graph)
        return Census(graph, self._raw, self._run, self.query, _significance=self._significance,
                      _permuted=self._permuted, _null=self._null, _sort=self._sort, _keep=self._keep), {}


def described_shape(k: int, directed: bool, code: int, colors: Sequence[int], names: Sequence[str]) -> tuple[str, Any]:
    """Return a shape as a pattern and as an ``ms_shape_info``; colors: of its vertices, or none."""
    info, err, out = ffi.new("ms_shape_info *"), ffi.new("ms_error *"), ffi.new("char **")
    keep = [ffi.new("char[]", encoded(names[c])) for c in colors]
    numbers, words = (ffi.new("uint32_t[]", colors), ffi.new("char *[]", keep)) if colors else (NULL, NULL)
    for status in (lib.ms_shape_describe(k, directed, code, numbers, info, err),
                   lib.ms_shape_pattern(k, directed, code, words, out, err)):
        if status != lib.MS_OK:
            raise UsageError(text(err.message))
    pattern = text(out[0])
    lib.ms_text_free(out[0])
    return pattern, info


class ShapeCensus(Census):
    """The number of connected sets of k vertices of every shape: network motifs, or graphlets.

    Names are as "triangle", or of three directed vertices those of the triads, as "030T"; "" where
    there is none.  Vertices of a shape with colours have the names a, b, and so on, in the order of
    their colours.
    """

    kind = "shapes"
    _table = "shapes"
    _first = ("shape", "name", "sets", *_STATISTICS)
    _rows_are = "shapes, and not vertices"
    _search = "g.match(r['shape'][0])"

    def _coloring(self) -> Any:
        return self.graph._need_colors() if self.query["colored"] else NULL

    @cached_property
    def codes(self) -> NDArray[np.uint32]:
        """The code of each shape, as in ``ms_census_result``."""
        return self._arranged(view(self._raw.shape, self._raw.count, "<u4", self._raw))

    @cached_property
    def color(self) -> NDArray[np.uint32]:
        """The numbers of the colours of the vertices of each shape, shape (rows, k)."""
        if self._raw.color == NULL:
            raise UsageError("these shapes have no colours; count them with colored=True")
        return super().color

    @cached_property
    def _described(self) -> list[tuple[str, str, str, int, int]]:
        """The text, name, graph6, edges and automorphisms of each shape."""
        colored = self._raw.color != NULL
        names = names_of_colors(self.graph) if colored else ()
        rows = []
        for i, code in enumerate(self.codes.tolist()):
            own = self.color[i].tolist() if colored else []
            pattern, info = described_shape(self.k, self._raw.directed, code, own, names)
            rows.append((pattern, text(info.name), text(info.graph6), info.edges, info.automorphisms))
        return rows

    def _values(self) -> dict[str, Any]:
        def described(i: int, dtype: Any = object) -> Any:
            values = [row[i] for row in self._described]
            return object_array(values) if dtype is object else np.array(values, dtype)

        values: dict[str, Any] = {
            **{name: value for name, value in super()._values().items() if name in names_of("shapes")},
            "shape": lambda: described(0), "name": lambda: described(1), "graph6": lambda: described(2),
            "edges": lambda: described(3, np.uint32), "automorphisms": lambda: described(4, np.uint32),
            "perm_profile": None if self._permuted is None else lambda: self._profile,
        }
        if self.query["non_induced"]:
            values["share"] = None
        if self._permuted is not None and self._permuted.mean != NULL:
            values["expected"] = lambda: self._arranged(view(self._permuted.mean, self._stored, "<f8", self._permuted))
        return values

    @property
    def _profile(self) -> NDArray[Any]:
        z = view(self._permuted.z, self._permuted.count, "<f8", self._permuted)
        length = np.sqrt(np.nansum(z * z))
        return self._arranged(z[: self._raw.count]) / (length if length > 0 else np.nan)

    @property
    def brief(self) -> tuple[str, ...]:
        """The columns that a data frame has by default, which fit into a terminal."""
        left_out = "shape" if self.k == 3 and not self.query["colored"] else "name"
        return tuple(name for name in super().brief if name != left_out)

    def _about(self) -> str:
        return f"{len(self)} shapes of {self.k} vertices, {self.total_sets} connected sets"

    def _again(self, graph: "Graph", folder: str) -> tuple[Result, dict[str, Any]]:
        if self.query["colored"]:
            check_colors(self.graph, graph)
        return ShapeCensus(graph, self._raw, self._run, self.query, _significance=None, _permuted=self._permuted,
                           _null=self._null, _sort=self._sort, _keep=self._keep), {}


def census_options(graph: "Graph", k: int, only: Sequence[str] | None, primary: bool, gpu: Gpu,
                   threads: int | None, memory: int | str | None, keep: Any, coloring: Any = None) -> Any:
    """Return an ``ms_census_options``; what it points to goes into `keep`."""
    coloring = graph._need_colors() if coloring is None else coloring
    o = defaults("census_options")
    o.k, o.primary = whole("k", k, 2), primary
    if only is not None:
        names = [only] if isinstance(only, str) else [*only]
        if not names:
            raise UsageError("only= is empty; name a colour, or leave it out")
        numbers = [lib.ms_coloring_find(coloring, encoded(str(name))) for name in names]
        for name, number in zip(names, numbers):
            if number == 0xFFFFFFFF:
                raise UsageError(f"only= names the colour {name!r}, which the graph lacks")
        array = ffi.new("uint32_t[]", numbers)
        keep.append(array)
        o.only, o.n_only = array, len(numbers)
    set_limits(o, threads, memory)
    set_engine(o, gpu, keep)
    return o


def permutation_options(graph: "Graph", permutations: int, null: str | None, usual: str, strata: ArrayLike | None,
                        max_t: bool, keep_counts: int, seed: int, keep: Any) -> tuple[Any, str]:
    """Return an ``ms_permutation_options``, and its null, which is `usual` by default.

    What the struct points to goes into `keep`.
    """
    for name, given in (("null", null is not None), ("strata", strata is not None), ("max_t", max_t),
                        ("keep_counts", keep_counts)):
        if given and not permutations:
            raise UsageError(f"{name}= is for random graphs; give permutations=, or leave it out")
    n = defaults("permutation_options")
    null = usual if null is None else null
    n.null_kind, n.permutations = chosen("null", null, _NULLS), whole("permutations", permutations)
    n.seed, n.max_t, n.keep_counts = checked_seed(seed), max_t, whole("keep_counts", keep_counts)
    if strata is not None:
        values = group_numbers("strata", in_order("strata", strata, graph), len(graph), "vertices")
        n.stratum, n.n_strata = ffi.from_buffer("uint32_t[]", values), len(values)
        keep += (values, n.stratum)
    return n, null


def degree_hint(graph: "Graph", coloring: Any, o: Any) -> list[str]:
    """Say that degrees differ by colour, if they do."""
    share, err = ffi.new("double *"), ffi.new("ms_error *")
    if lib.ms_degrees_by_color(graph._raw, coloring, o, share, err) != lib.MS_OK or share[0] == 0:
        return []
    return [f"colours explain {100 * share[0]:.0f} % of the variance of the ranks of degrees, so that motifs "
            'of colours with high degrees have more sets than null="labels" expects; compare with '
            'permutations=1000, null="degree"']


def _bound_hint(significance: Any) -> list[str]:
    """Say that the p of most motifs are bounds, if they are; ``p_by`` says it of each."""
    by = view(ffi.cast("int32_t *", significance.p_by), significance.count, "<i4", significance)
    bounds = int(np.count_nonzero(by == lib.MS_P_BY_BOUND))
    if 2 * bounds <= significance.count:
        return []
    return [f"p of {bounds} of {significance.count} motifs is only an upper bound (p_by), because few vertices or "
            "dense blocks make their distribution, or few sets are expected; permutations=1000 gives their p (perm_p)"]


def _count(
    graph: "Graph",
    k: int,
    only: Sequence[str] | None,
    primary: bool,
    min_count: int,
    top: int | None,
    sort: str | None,
    permutations: int,
    null: str | None,
    strata: ArrayLike | None,
    max_t: bool,
    keep_counts: int,
    by_formula: Any,
    gpu: Gpu,
    seed: int,
    threads: int | None,
    memory: int | str | None,
    paranoid: float | None,
    timeout: float | None,
    progress: Progress,
    stop: Stop | None,
    shapes: bool = False,
    colored: bool = False,
    non_induced: bool = False,
) -> Census:
    """Make a census with what was asked for beside it; by_formula: an ms_significance_options."""
    if (colored or non_induced) and not shapes:
        raise UsageError(f"{'colored' if colored else 'non_induced'}= is for shapes; give shapes=True")
    if shapes and not colored and (only is not None or primary):
        raise UsageError("only= and primary= choose colours; give colored=True, or leave them out")
    coloring = graph._need_colors() if colored or not shapes else NULL
    keep: Any = []
    order = "sets" if sort is None else sort
    chosen("sort", order, _SORTS)
    if order != "sets" and not (permutations or by_formula is not None):
        raise UsageError(f"sort={sort!r} needs significance(), or permutations=")
    n, null = permutation_options(graph, permutations, null, "rewire" if shapes and not colored else "labels",
                                  strata, max_t, keep_counts, seed, keep)
    o = census_options(graph, k, only, primary, gpu, threads, memory, keep, coloring)
    o.shapes, o.non_induced = shapes, non_induced
    o.all_shapes = shapes and not colored and permutations > 0
    warnings = set_paranoid(o, paranoid, keep)
    chooses = (whole("min_count", min_count), whole("top", top))
    if not permutations and order == "sets":
        o.min_count, o.top = chooses
    out, s = ffi.new("ms_census_result **"), ffi.new("ms_significance **")
    p = ffi.new("ms_permutation_result **")
    found = permuted = None
    with Call(timeout, progress, stop) as call:
        call.apply(o)
        if by_formula is None:
            status = lib.ms_census(graph._raw, coloring, o, out, call.err)
        else:
            status = lib.ms_census_significance(graph._raw, coloring, o, by_formula, out, s, call.err)
            found = ffi.gc(s[0], lib.ms_significance_free)
        raw = ffi.gc(out[0], lib.ms_census_result_free)
        if status == lib.MS_OK and permutations and raw.run.stopped == lib.MS_OK:
            status = lib.ms_census_permute(graph._raw, coloring, o, n, raw, p, call.err)
            permuted = ffi.gc(p[0], lib.ms_permutation_result_free)
        call.detach(o)
        call.check(status)
    if (permutations or by_formula is not None) and null == "labels" and not shapes and raw.run.stopped == lib.MS_OK:
        warnings = [*warnings, *degree_hint(graph, coloring, o)]
    if found is not None and not permutations and raw.run.stopped == lib.MS_OK:
        warnings = [*warnings, *_bound_hint(found)]
    warn_of(warnings)
    o.min_count, o.top = chooses
    if permutations and order == "sets":
        # statistics need all motifs; those that the options leave are the first ones
        count = int(np.count_nonzero(view(raw.n_sets, raw.count, "<u8", raw) >= o.min_count))
        raw.count = min(count, o.top) if o.top else count
        if found is not None:
            found.count = raw.count
    query = {"k": raw.k, "only": None if only is None else tuple([only] if isinstance(only, str) else only),
             "primary": primary, "min_count": min_count, "top": top, "permutations": permutations, "null": null,
             "strata": strata is not None, "seed": seed}
    if shapes:
        query.update(colored=colored, non_induced=non_induced)
    make = ShapeCensus if shapes else Census
    return make(graph, raw, o, query, _significance=found, _permuted=permuted, _null=n, _sort=order, _keep=keep)


@public
def census(
    graph: "Graph",
    k: int = 3,
    *,
    shapes: bool = False,
    colored: bool = False,
    non_induced: bool = False,
    only: Sequence[str] | None = None,
    primary: bool = False,
    min_count: int = 0,
    top: int | None = None,
    sort: Literal["sets", "z", "p", "q", "p_less", "q_less"] | None = None,
    permutations: int = 0,
    null: Literal["labels", "degree", "edges", "rewire", "rewire-colors"] | None = None,
    strata: ArrayLike | None = None,
    max_t: bool = False,
    keep_counts: int = 0,
    gpu: Gpu = "auto",
    seed: int = 1,
    threads: int | None = None,
    memory: int | str | None = None,
    paranoid: float | None = None,
    timeout: float | None = None,
    progress: Progress = "auto",
    stop: Stop | None = None,
) -> Census:
    """Count the connected sets of k vertices of every motif of k colours, exactly.

    Parameters
    ----------
    graph, gpu, threads, memory, timeout, progress, stop
        As in `screen`.
    k : int
        The number of vertices of a set, 2 to 8; of shapes, 3 to 6, or 3 to 5 in a directed graph.
    shapes : bool
        Count connected induced subgraphs by shape, with directions if the graph has them: see
        `ShapeCensus`.  Colours are not needed.
    colored : bool
        Shapes have colours, too.
    non_induced : bool
        Count subgraphs that may lack edges of the graph.
    only : list of str, optional
        The colours that count; vertices have no others.
    primary : bool
        Each vertex has only the first of its colours.
    min_count, top : int
        Leave out motifs of fewer sets; keep only the first motifs.
    sort : {"sets", "z", "p", "q", "p_less", "q_less"}, optional
        The order of the rows; all but the first need `permutations` or `significance`.
    permutations : int
        Compare with this many random graphs.
    null : {"labels", "degree", "edges", "rewire", "rewire-colors"}, optional
        What is random in them: the colours (default); the colours among vertices of about the same degree;
        the same while the number of edges between colours is held; the edges, of which each vertex
        keeps its number (in a directed graph: of arcs out, arcs in and mutual arcs); the edges while their number
        between colours is also held.  Of shapes without colours, always the edges, by "rewire".
    strata : array_like, shape (n,), or str, optional
        Colours move only among vertices of the same stratum, such as a slide.  Of a graph of an AnnData
        object, a text is a column of ``adata.obs``.
    max_t : bool
        Also compute the p values of the greatest z of all motifs.
    keep_counts : int
        Keep the numbers of sets in the first permutations, at most so many: see
        `Census.null_counts`.
    seed : int
        The seed of the permutations.
    paranoid : float, optional
        Without `permutations`: as in `screen`.

    Returns
    -------
    Census

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph.from_edges([(0, 1), (1, 2), (2, 3)], colors=[*"abab"])
    >>> c = ms.census(g, 3)
    >>> dict(zip(c["motif"], c["sets"].tolist()))
    {'a:2,b': 1, 'a,b:2': 1}
    >>> s = ms.census(g, 3, shapes=True)
    >>> s["name"].tolist(), s["shape"].tolist(), s["sets"].tolist()
    (['path:3'], ['(a)--(b), (a)--(c)'], [2])
    """
    return _count(graph, k, only, primary, min_count, top, sort, permutations, null, strata, max_t,
                  keep_counts, None,
                  gpu, seed, threads, memory, paranoid, timeout, progress, stop, shapes, colored, non_induced)


@public
def significance(
    graph: "Graph",
    k: int = 3,
    *,
    moments: Literal["auto", "exact", "sampled"] = "auto",
    moment_samples: int | None = None,
    min_expected: float | None = None,
    only: Sequence[str] | None = None,
    primary: bool = False,
    min_count: int = 0,
    top: int | None = None,
    sort: Literal["sets", "z", "p", "q", "p_less", "q_less"] | None = None,
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
) -> Census:
    """Find the motifs that are there more often, or less often, than by chance.

    Each number of sets of a `census` is compared with what is expected if the colours are permuted
    at random over the vertices.  Means are exact, and so are standard deviations, or they are
    sampled; docs/SIGNIFICANCE.md has the formulas and the papers.

    Parameters
    ----------
    graph, k, only, primary, min_count, top, sort, permutations, null, strata, max_t, keep_counts
        As in `census`.
    moments : {"auto", "exact", "sampled"}
        How the overlaps of sets are counted, which the standard deviations need.
    moment_samples : int, optional
        Sampled moments: random sets for each number of common vertices; default: 4000.
    min_expected : float, optional
        A motif without a set has a row if it was expected at least so often; default: 5.

    Returns
    -------
    Census

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph.from_edges([(i, (i + 1) % 12) for i in range(12)], colors=[*"aabbaabbaabb"])
    >>> c = ms.significance(g, 2)
    >>> c["motif"].tolist(), c["expected"].round(2).tolist()
    (['a,b', 'a:2', 'b:2'], [6.55, 2.73, 2.73])
    """
    s = defaults("significance_options")
    s.moments, s.samples = chosen("moments", moments, _MOMENTS), whole("moment_samples", moment_samples)
    s.seed, s.min_expected = checked_seed(seed), min_expected or 0.0
    return _count(graph, k, only, primary, min_count, top, sort, permutations, null, strata, max_t,
                  keep_counts, s,
                  gpu, seed, threads, memory, None, timeout, progress, stop)
