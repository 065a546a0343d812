"""Comparison of samples: the motifs in which groups of samples differ."""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import object_array, records, view
from ._call import NULL, Call, Stop, defaults, string, strings, text
from ._door import public
from ._keywords import Progress, checked_seed, set_limits, whole
from ._native import ffi, lib
from .censuses import motif_texts
from .edges import in_order, is_missing
from .errors import UsageError
from .checks import Verification, verify_file
from .results import Result

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .graph import Graph

__all__ = ["Comparison", "compare"]

_alive: Any = weakref.WeakKeyDictionary()  # what a struct of C points to, by the struct


class Comparison(Result):
    """The motifs in which groups of samples differ: a row for each motif and each pair of groups.

    The reference "" stands for all other groups.  A data frame has the columns of `brief`, which fit
    into a terminal, unless ``columns="all"`` or a list of columns asks for others.  docs/COMPARE.md
    has the formulas.
    """

    kind = "compare"
    _table = "compare"
    _first = ("group", "reference", "motif", "log2_ratio", "delta", "p", "q")
    forms = ()  # a file names a sheet of samples, and there is none
    _timed = False
    _groups: tuple[str, ...]
    _given: "_Given"

    #: The names of the samples.
    samples: tuple[str, ...]

    def __len__(self) -> int:
        return self._raw.count

    @property
    def bound_text(self) -> str:
        return "0: all sets are counted" if self.complete else super().bound_text

    @property
    def test(self) -> str:
        """What was permuted for the p values: "samples" or, where a group has only one, "labels"."""
        return "samples" if self._raw.test == lib.MS_TEST_SAMPLES else "labels"

    @property
    def permutations(self) -> int:
        """The number of permutations of the first pair of groups."""
        return self._raw.contrast[0].permutations if self._raw.contrasts else 0

    @cached_property
    def motifs(self) -> tuple[str, ...]:
        """The motifs that occur in some sample, as texts that queries accept."""
        colors = self._raw.colors
        count = lib.ms_coloring_describe(colors).colors
        names = [text(lib.ms_coloring_name(colors, i)) for i in range(count)]
        return motif_texts(names, view(self._raw.color, (self._raw.motifs, self._raw.k), "<u4", self._raw))

    @cached_property
    def sets(self) -> NDArray[np.uint64]:
        """The number of sets of each motif in each sample, shape (motifs, samples)."""
        return view(self._raw.n_sets, (self._raw.motifs, self._raw.samples), "<u8", self._raw)

    @cached_property
    def expected(self) -> NDArray[np.float64] | None:
        """The mean of `sets` if the colours are permuted; None: vertices have several colours."""
        if self._raw.expected == NULL:
            return None
        return view(self._raw.expected, (self._raw.motifs, self._raw.samples), "<f8", self._raw)

    @cached_property
    def total_sets(self) -> NDArray[np.uint64]:
        """The number of connected sets of each sample."""
        return view(self._raw.sets, self._raw.samples, "<u8", self._raw)

    @cached_property
    def _rows(self) -> NDArray[Any]:
        """The rows on the memory of the library."""
        return records(self._raw.row, len(self), self._raw)

    @cached_property
    def _contrasts(self) -> NDArray[Any]:
        """The pair of groups of each row."""
        return records(self._raw.contrast, self._raw.contrasts, self._raw)[self._rows["contrast"]]

    def _structs(self) -> Any:
        return (("", self._rows), ("", self._contrasts))

    def _values(self) -> dict[str, Any]:
        rows, names = self._rows, object_array([*self._groups, ""])
        return {
            **{side: lambda side=side: names[np.minimum(self._contrasts[side], len(self._groups))]
               for side in ("group", "reference")},
            "motif": lambda: object_array(self.motifs)[rows["motif"].astype(np.intp)],
            "k": lambda: np.full(len(self), self._raw.k, np.uint32),
            "log2_excess": rows["excess"],
            "reference_log2_excess": rows["reference_excess"],
        }

    @property
    def brief(self) -> tuple[str, ...]:
        """The columns that a data frame has by default, which fit into a terminal."""
        return self._first

    def _verified(self, folder: str, recount: bool, timeout: float | None, stop: Stop | None) -> Verification:
        with Call(attach=True) as call:
            samples, reading, graph = self._given.in_files(folder, call)
            keep: list[Any] = []
            run = ffi.new("ms_compare_options *", self._run[0])
            if self.query["reference"] is not None:
                run.reference = string(f"g{self._groups.index(str(self.query['reference']))}", keep)
            path = os.path.join(folder, "result")
            options = defaults("write_options")
            files = None if graph is None else graph._files
            if files is not None:
                options.graph, options.colors = files.graph_options, files.color_options
            call.check(lib.ms_compare_write(samples, reading, run, self._raw, options, path.encode(),
                                            call.err), path)
        table = os.path.join(folder, "samples")
        if files is None:
            return verify_file(path, table, None, recount, timeout, stop, {})
        return verify_file(path, files.path, files.colors, recount, timeout, stop, {"metadata": table})

    def _about(self) -> str:
        return f"{len(self)} motifs of {self._raw.k} colours in {self._raw.samples} samples"


@public
def compare(
    source: "Graph | Mapping[Any, Graph]",
    groups: Any,
    *,
    samples: ArrayLike | None = None,
    blocks: Any = None,
    k: int = 3,
    only: Sequence[str] | None = None,
    primary: bool = False,
    reference: Any = None,
    rest: bool = False,
    min_count: int = 0,
    top: int | None = None,
    permutations: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    memory: int | str | None = None,
    timeout: float | None = None,
    progress: Progress = "auto",
    stop: Stop | None = None,
) -> Comparison:
    """Find the motifs in which groups of samples differ.

    Parameters
    ----------
    source : Graph or dict of Graph
        The graphs of the samples by their names, or one graph that holds all of them.
    groups : dict or array_like
        The group of each sample, by its name, or, of one graph, of each vertex.  A vertex whose
        group is None, NaN or "" takes no part.  Of a graph of an AnnData object, `groups`, `samples` and
        `blocks` may be columns of ``adata.obs``.
    samples : array_like, shape (n,), optional
        Of one graph: the sample of each vertex; default: each group is one sample.
    blocks : dict or array_like, optional
        The block of each sample (or vertex), such as a patient or a batch: groups are permuted
        within blocks.
    k : int
        The number of vertices of a set, 2 to 8.
    only, primary, min_count, top, threads, memory, timeout, progress, stop
        As in `census`; `min_count` and `top` are of each pair of groups.
    reference : optional
        Each other group is compared with this one; default: each pair of groups.
    rest : bool
        Each group is compared with all others together.
    permutations : int, optional
        Random permutations; default: 9,999, or 999 of colours.
    seed : int
        The seed of the permutations.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import motifsieve as ms
    >>> slides = {i: ms.generate("er", vertices=60, edges=120, colors=2, seed=i) for i in range(8)}
    >>> c = ms.compare(slides, {i: "ill" if i < 4 else "well" for i in slides}, k=2)
    >>> sorted(c["motif"]), c.permutations
    (['c0,c1', 'c0:2', 'c1:2'], 70)
    """
    from .graph import Graph

    keep: list[Any] = []
    o = defaults("compare_options")
    o.k, o.primary, o.rest, o.run.seed = whole("k", k, 2), primary, rest, checked_seed(seed)
    o.min_count, o.top, o.permutations = (whole("min_count", min_count), whole("top", top, 1),
                                          whole("permutations", permutations, 1))
    set_limits(o, threads, memory)
    if reference is not None:
        o.reference = string(str(reference), keep)
    if only is not None:
        names = [only] if isinstance(only, str) else [str(name) for name in only]
        if not names:
            raise UsageError("only= is empty; name a colour, or leave it out")
        o.only, o.n_only = strings(names, keep), len(names)
    given = _Given(source, groups, samples, blocks)
    out = ffi.new("ms_comparison **")
    with Call(timeout, progress, stop, attach=True) as call:
        parts = given.samples(call)
        call.apply(o)
        status = lib.ms_compare(parts, o, out, call.err)
        raw = ffi.gc(out[0], lib.ms_comparison_free)
        call.detach(o)
        call.check(status)
    infos = [lib.ms_samples_get(parts, i) for i in range(raw.samples)]
    by_number = {info.group_id: text(info.group) for info in infos}
    return Comparison(source if isinstance(source, Graph) else None,  # type: ignore[arg-type]
                      raw, o, {"k": raw.k, "reference": reference, "rest": rest, "seed": seed},
                      samples=tuple(text(info.name) for info in infos),
                      _groups=tuple(by_number[i] for i in range(len(by_number))), _given=given, _keep=(keep, parts))


def _cell(value: Any) -> str:
    """Return the text of a sample, group or block; "": none."""
    if is_missing(value):
        return ""
    return value if isinstance(value, str) else str(value)


class _Given:
    """The samples that a comparison was given, and their graphs.

    Attributes
    ----------
    rows : list of (name, group, block)
        The samples; block "": there are no blocks.
    sample_of : numpy.ndarray of uint32, or None
        Of one graph: the sample of each vertex; 0xFFFFFFFF: none.
    """

    def __init__(self, source: Any, groups: Any, samples: Any, blocks: Any) -> None:
        from .graph import Graph

        self.graph: "Graph | None" = source if isinstance(source, Graph) else None
        self.graphs: list[Any] = []
        self.rows: list[tuple[str, str, str]] = []
        self.sample_of: NDArray[np.uint32] | None = None
        self.has_blocks = blocks is not None
        if self.graph is not None:
            self._take_parts(self.graph, groups, samples, blocks)
        elif samples is not None:
            raise UsageError("samples= belongs to one graph; here each graph is a sample")
        elif not isinstance(source, Mapping):
            raise TypeError("source is a Graph, or a dict from names of samples to graphs")
        elif not source:
            raise UsageError("source is an empty dict; give a graph for each sample")
        else:
            self._take_graphs(source, groups, blocks)

    def _take_parts(self, graph: "Graph", groups: Any, samples: Any, blocks: Any) -> None:
        """Take the values of each vertex."""
        graph._need_colors()
        cells = {}
        for title, values in (("groups", groups), ("samples", samples), ("blocks", blocks)):
            if values is not None:
                given = in_order(title, values, graph)
                if not isinstance(given, np.ma.MaskedArray):  # whose list has None where it is masked
                    given = np.asarray(given, object)
                if given.shape != (len(graph),):
                    raise UsageError(f"{title}= has the shape {given.shape}; give one for each of the "
                                     f"{len(graph)} vertices")
                cells[title] = [_cell(value) for value in given.tolist()]
        if "groups" not in cells:
            raise UsageError("groups=None: give the group of each vertex")
        number: dict[str, int] = {}
        self.sample_of = np.full(len(graph), 0xFFFFFFFF, np.uint32)
        none = [""] * len(graph)
        for v, row in enumerate(zip(cells.get("samples", cells["groups"]), cells["groups"],
                                    cells.get("blocks", none))):
            if row[0] and row[1]:
                found = number.setdefault(row[0], len(number))
                if found == len(self.rows):
                    self.rows.append(row)
                elif self.rows[found] != row:
                    what = 1 if self.rows[found][1] != row[1] else 2
                    raise UsageError(f"the sample {row[0]!r} is in the {('', 'group', 'block')[what]} "
                                     f"{row[what]!r} by vertex {v}, and in {self.rows[found][what]!r} by a "
                                     "vertex before; a sample is in one")
                self.sample_of[v] = found
        if not self.rows:
            raise UsageError("groups= has no group; give a group for some of the vertices")

    def _take_graphs(self, source: Mapping[Any, Any], groups: Any, blocks: Any) -> None:
        """Take a graph for each sample."""
        from .graph import Graph

        tables = [("group", groups)] + ([("block", blocks)] if blocks is not None else [])
        for name, graph in source.items():
            if not isinstance(graph, Graph):
                raise TypeError(f"the sample {name!r} is a {type(graph).__name__}; give graphs, such as "
                                "ms.Graph(...)")
            graph._need_colors()
            for title, table in tables:
                if not isinstance(table, Mapping) or name not in table:
                    raise UsageError(f"{title}s= lacks the sample {name!r}; give a dict from samples")
            block = "" if blocks is None else _cell(blocks[name])
            self.rows.append((_cell(name), _cell(groups[name]), block))
        self.graphs = [*source.values()]

    def samples(self, call: Call) -> Any:
        """Return an ``ms_samples``."""
        keep: list[Any] = []
        texts = strings([word for row in self.rows for word in row], keep)
        rows, out = ffi.new("ms_sample_info[]", len(self.rows)), ffi.new("ms_samples **")
        for i, row in enumerate(rows):
            row.name, row.group = texts[3 * i], texts[3 * i + 1]
            row.block = texts[3 * i + 2] if self.has_blocks else NULL
            if self.graph is None:
                row.graph, row.coloring = self.graphs[i]._raw, self.graphs[i]._coloring
        if self.graph is None:
            call.check(lib.ms_samples_from_graphs(len(rows), rows, out, call.err))
        else:
            memory = ffi.from_buffer("uint32_t[]", self.sample_of) if len(self.graph) else NULL
            call.check(lib.ms_samples_from_vertices(self.graph._raw, self.graph._coloring, len(rows), rows,
                                                    memory, out, call.err))
        return ffi.gc(out[0], lib.ms_samples_free)

    def in_files(self, folder: str, call: Call) -> tuple[Any, Any, "Graph | None"]:
        """Write the samples as the judge reads them, and return them, how they are read, and the one graph.

        Samples, groups, blocks and vertices have numbers in place of names, which may be any texts.
        """
        path = os.path.join(folder, "samples")
        reading = defaults("sample_options")
        keep: list[Any] = []
        out, graph = ffi.new("ms_samples **"), self.graph
        titles = ["sample", "group", *(["block"] if self.has_blocks else [])]
        ids: list[dict[str, int]] = [{} for _ in titles]
        rows = [[f"{title[0]}{known.setdefault(word, len(known))}"
                 for title, known, word in zip(titles, ids, row)] for row in self.rows]
        for title in titles:
            setattr(reading, f"{title}_column", string(title, keep))
        with open(path, "w", encoding="utf-8") as file:
            if graph is None:
                file.write("\t".join([*titles, "graph"]) + "\n")
                for number, (row, part) in enumerate(zip(rows, self.graphs)):
                    part._write_binary(os.path.join(folder, f"graph{number}"))
                    file.write("\t".join([*row, f"graph{number}"]) + "\n")
            else:
                graph = graph._written(folder)
                file.write("\t".join(["vertex", *titles]) + "\n")
                assert self.sample_of is not None
                for name, sample in zip(graph.names, self.sample_of.tolist()):
                    if sample != 0xFFFFFFFF:
                        file.write("\t".join([name, *rows[sample]]) + "\n")
        if graph is None:
            call.check(lib.ms_samples_read(path.encode(), NULL, NULL, reading, out, call.err))
        else:
            call.check(lib.ms_samples_split(graph._raw, graph._coloring, path.encode(), reading, out,
                                            call.err))
        _alive[reading] = keep
        return ffi.gc(out[0], lib.ms_samples_free), reading, graph
