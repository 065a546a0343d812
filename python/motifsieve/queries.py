"""The queries.  `Graph` has the same functions as methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from . import _call
from ._call import NULL, Call, Stop, defaults
from ._door import public
from ._keywords import Gpu, Progress, checked_seed, chosen, set_engine, set_gpu, set_limits, set_paranoid, warn_of, whole
from ._native import lib
from .extras import Substitutes, cost_limit, set_vertex_scores
from .motifs import Motif, as_tuple, bind, names_of
from .patterns import pattern_of
from .matches import Matches, PatternMatches, Screen

if TYPE_CHECKING:
    from .graph import Graph

__all__ = ["list", "match", "screen"]

METHODS = {"auto": lib.MS_METHOD_AUTO, "sieve": lib.MS_METHOD_SIEVE, "exact": lib.MS_METHOD_EXACT}
_RECURRENCES = {"sibling": lib.MS_SIBLING, "classic": lib.MS_CLASSIC}
_MEASURES = {None: lib.MS_MEASURE_NONE, "edges": lib.MS_MEASURE_EDGES,
             "density": lib.MS_MEASURE_DENSITY, "mean_score": lib.MS_MEASURE_MEAN_SCORE,
             "least_score": lib.MS_MEASURE_LEAST_SCORE, "vertex_score": lib.MS_MEASURE_VERTEX_SCORE}
_ORDERS = {"auto": lib.MS_ORDER_AUTO, "ri": lib.MS_ORDER_RI, "degree": lib.MS_ORDER_DEGREE,
           "reuse": lib.MS_ORDER_REUSE}
_MODES = {"auto": lib.MS_SCREEN_AUTO, "always": lib.MS_SCREEN_ALWAYS, "never": lib.MS_SCREEN_NEVER}


@public
def screen(
    graph: "Graph",
    motif: Motif,
    *,
    require: Any = (),
    method: Literal["auto", "sieve", "exact"] = "auto",
    error: float | None = None,
    repetitions: int | None = None,
    recurrence: Literal["sibling", "classic"] = "sibling",
    match_size: int | None = None,
    max_missing: int = 0,
    max_extra: int = 0,
    nearest_only: bool = False,
    substitutes: Any = None,
    max_cost: int | None = None,
    vertex_scores: Any = None,
    all_sums: bool = False,
    profile: bool = False,
    gpu: Gpu = "auto",
    seed: int = 1,
    threads: int | None = None,
    memory: int | str | None = None,
    paranoid: float | None = None,
    timeout: float | None = None,
    progress: Progress = "auto",
    stop: Stop | None = None,
) -> Screen:
    """Find the vertices that take part in a match of a motif.

    A match is a connected set of vertices that can be paired off with the slots of the motif.

    Parameters
    ----------
    graph : Graph
        A graph with colours.
    motif : str, dict or list
        A text such as "kinase:2,phosphatase,*", numbers of slots by colour, or a list of colours.
    require : node or iterable of nodes
        Every match must hold these nodes.  A tuple that is itself a node of the graph is that node.
    method : {"auto", "sieve", "exact"}
        How the vertices are found: by the sieve, which may miss one with a bounded probability,
        by enumeration, or by enumeration unless that takes as long as the sieve.
    error : float, optional
        The wanted bound of the probability that the sieve misses a vertex; default: 1e-6.
    repetitions : int, optional
        Repetitions of the sieve; default: as many as `error` needs.
    match_size : int, optional
        A match fills only this many of the slots.
    max_missing, max_extra : int
        If one is not 0: find the nearest match of each vertex, which leaves at most so many slots
        empty, and holds at most so many further vertices.
    nearest_only : bool
        End with the least cost that some match has.
    substitutes, max_cost : optional
        As in `nearest`.
    vertex_scores : array_like of shape (n,), dict or path, optional
        Whole numbers; find the greatest sum of the scores of a match that holds each vertex.
    all_sums : bool
        With `vertex_scores`: find all such sums.
    profile : bool
        With ``method="exact"`` and a graph with scores: the greatest score such that the vertex is
        in a match that edges of at least this score connect.
    gpu : {"auto", True, False} or list of int
        NVIDIA GPUs: where they save time, always, never, or those of these numbers.
    seed : int
        The seed of the sieve.  The result depends on it, and not on threads or GPUs.
    threads : int, optional
        Default: OMP_NUM_THREADS, or all processors.
    memory : int or str, optional
        The bound of memory, in bytes or as in "4G"; default: three quarters of the machine's.
    paranoid : float, optional
        With ``method="sieve"``: compute this part of the work a second time, by another device or
        another implementation, and compare; True: 0.05.  What differs is computed again, with a
        `RuntimeWarning`; see `Result.paranoid`.
    timeout : float, optional
        The seconds after which the search ends; the result then says ``stopped == "time"``.
    progress : {"auto", True, False} or function
        A bar by tqdm; "auto": in a terminal or a notebook, if the search is long.  A function
        receives ``(what, done, total)``.
    stop : Stop, optional
        Ends the search from another thread.

    Returns
    -------
    Screen

    Raises
    ------
    UsageError
        An unknown colour or node, or options that do not fit each other.

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph.from_edges([(0, 1), (1, 2), (3, 4)], colors=[*"abaab"])
    >>> s = ms.screen(g, "a:2,b")
    >>> s.vertices.tolist(), s.bound
    ([0, 1, 2], 0.0)
    """
    keep: Any = []
    nearest = max_missing or max_extra or nearest_only or substitutes is not None
    bound = bind(graph, motif, require, not (nearest or profile or match_size))
    o = defaults("screen_options")
    o.run.seed = checked_seed(seed)
    set_limits(o, threads, memory)
    set_gpu(o, gpu, keep)
    o.method = chosen("method", method, METHODS)
    if error is not None:
        o.error = error
    o.recurrence, o.repetitions = chosen("recurrence", recurrence, _RECURRENCES), whole("repetitions", repetitions, 1)
    o.match_size = whole("match_size", match_size, 1)
    o.max_missing, o.max_extra = whole("max_missing", max_missing), whole("max_extra", max_extra)
    o.nearest_only, o.profile = nearest_only, profile
    given = None
    if substitutes is not None or max_cost is not None:
        o.max_cost = cost_limit(substitutes, max_cost)
        given = Substitutes(substitutes, bound, o.max_cost)
        o.substitutes = given.raw
    scores = set_vertex_scores(o, vertex_scores, graph)
    o.all_sums = all_sums
    warnings = set_paranoid(o, paranoid, keep)
    raw = Call(timeout, progress, stop).search(o, "screen_result", lib.ms_screen, bound.query, o)
    warn_of(warnings)
    return Screen(graph, raw, o, {"motif": bound.text, "k": bound.k, "require": bound.names,
                                  "method": method, "seed": seed},
                  _bound=bound, _keep=keep, _substitutes=given, _scores=scores)


@public
def list(  # noqa: A001 - the name of the tool's command
    graph: "Graph",
    motif: Motif,
    *,
    require: Any = (),
    exact: bool = True,
    limit: int | None = None,
    count_only: bool = False,
    participation: bool = False,
    sample: int | None = None,
    diverse: bool = False,
    sort: Literal["edges", "density", "mean_score", "least_score", "vertex_score"] | None = None,
    top: int | None = None,
    min_density: float = 0.0,
    min_mean_score: float = 0.0,
    families: float = 0.0,
    vertex_scores: Any = None,
    error: float | None = None,
    gpu: Gpu = "auto",
    seed: int = 1,
    threads: int | None = None,
    memory: int | str | None = None,
    paranoid: float | None = None,
    timeout: float | None = None,
    progress: Progress = "auto",
    stop: Stop | None = None,
) -> Matches:
    """List the matches of a motif, each once, or count them.

    Parameters
    ----------
    graph, motif, require, error, gpu, seed, threads, memory, timeout, progress, stop
        As in `screen`.
    paranoid : float, optional
        With `count_only` and `exact`: as in `screen`.
    exact : bool
        Search every region.  False: the sieve goes first, and may miss a match with a bounded
        probability.
    limit : int, optional
        End after this many matches.
    count_only : bool
        Count the matches, and store none.
    participation : bool
        With `count_only`: also count the matches that hold each vertex.
    sample : int, optional
        Draw this many matches at random, each set of them equally likely.
    diverse : bool
        List matches of which no two share a vertex.
    sort : {"edges", "density", "mean_score", "least_score", "vertex_score"}, optional
        Rows in descending order of this measure.  The last one is the sum of `vertex_scores`.
    vertex_scores : array_like of shape (n,), dict or path, optional
        Scores of the vertices, whole numbers.
    top : int, optional
        With `sort`: only the first rows.
    min_density, min_mean_score : float
        Leave out matches below.
    families : float
        Above 0: group matches that share at least this share of their vertices with a
        representative, and list the representatives.

    Returns
    -------
    Matches

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph.from_edges([(0, 1), (1, 2), (2, 3)], colors=[*"abab"])
    >>> r = ms.list(g, {"a": 1, "b": 1})
    >>> r.count, r.vertices.tolist()
    (3, [[0, 1], [1, 2], [2, 3]])
    """
    keep: Any = []
    bound = bind(graph, motif, require)
    o = defaults("list_options")
    s = o.screen
    s.run.seed = checked_seed(seed)
    set_limits(s, threads, memory)
    set_engine(s, gpu, keep, sieve=not exact)
    if error is not None:
        s.error = error
    o.exact = exact
    o.limit = whole("limit", limit, 1)
    o.count_only = count_only
    o.participation = participation
    o.sample = whole("sample", sample, 1)
    o.diverse = diverse
    o.sort, o.top = chosen("sort", sort, _MEASURES), whole("top", top, 1)
    o.min_density, o.min_mean_score, o.families = min_density, min_mean_score, families
    scores = set_vertex_scores(o, vertex_scores, graph)
    warnings = set_paranoid(s, paranoid, keep)
    raw = Call(timeout, progress, stop).search(s, "list_result", lib.ms_list, bound.query, o)
    warn_of(warnings)
    return Matches(graph, raw, o, {"motif": bound.text, "k": bound.k, "require": bound.names,
                                   "exact": exact, "limit": limit, "count_only": count_only,
                                   "seed": seed},
                   _bound=bound, _keep=keep, _scores=scores)


@public
def match(
    graph: "Graph",
    pattern: Any,
    *,
    induced: bool = False,
    embeddings: bool = False,
    limit: int | None = None,
    count_only: bool = False,
    participation: bool = False,
    roles: bool = False,
    sample: int | None = None,
    sort: Literal["edges", "density", "mean_score", "least_score", "vertex_score"] | None = None,
    top: int | None = None,
    vertex_scores: Any = None,
    require: Any = (),
    order: Literal["auto", "ri", "degree", "reuse"] = "auto",
    screen: Literal["auto", "always", "never"] = "auto",
    gpu: Gpu = "auto",
    seed: int = 1,
    threads: int | None = None,
    memory: int | str | None = None,
    paranoid: float | None = None,
    timeout: float | None = None,
    progress: Progress = "auto",
    stop: Stop | None = None,
) -> PatternMatches:
    """List or count the matches of a pattern graph (subgraph isomorphism).

    A match maps the vertices of the pattern to different vertices of the graph, edges to edges, and
    each vertex to one that has an accepted colour.

    Parameters
    ----------
    graph, gpu, seed, threads, memory, timeout, progress, stop
        As in `screen`.
    paranoid : float, optional
        With `count_only`: as in `screen`.
    pattern : str, path, graph or pair
        As in `Pattern`.
    induced : bool
        Vertices that the pattern does not join are not joined in the graph.
    embeddings : bool
        Every map.  False: one map of those that differ by an automorphism of the pattern.
    limit : int, optional
        End after this many matches.
    count_only : bool
        Count the matches, and store none.
    participation, roles : bool
        Count the matches that hold each vertex (`PatternMatches.participation`), and store none; with
        roles, at each position of the pattern.
    sample : int, optional
        Draw this many of all matches at random, without replacement; `seed` draws others.
    sort, top : optional
        As in `list`: order matches by a measure of their vertices, and keep the first ones.
    vertex_scores : path, dict, or number for each node
        As in `list`.
    require : node or iterable of nodes
        Every match must hold these nodes.
    order : {"auto", "ri", "degree", "reuse"}
        The matching order; it changes only the time.
    screen : {"auto", "always", "never"}
        Whether the sieve goes first, which may miss a match with a bounded probability.

    Returns
    -------
    PatternMatches

    Examples
    --------
    >>> import motifsieve as ms
    >>> g = ms.Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3)])
    >>> ms.match(g, "triangle").vertices.tolist()
    [[0, 1, 2]]
    >>> ms.match(g, "path:3", count_only=True).count
    5
    >>> r = ms.match(g, "path:3", participation=True, roles=True)
    >>> r.positions, r.participation.tolist()
    ((('0', '2'), ('1',)), [[3, 1], [3, 1], [2, 3], [2, 0]])
    """
    keep: Any = []
    found = pattern_of(graph, pattern)
    index = graph._get_index()
    o = defaults("pattern_options")
    s = o.screen
    s.run.seed = checked_seed(seed)
    set_limits(s, threads, memory)
    set_engine(s, gpu, keep, sieve=True)
    o.induced, o.embeddings, o.count_only = induced, embeddings, count_only or participation
    o.participation, o.by_position = participation, roles
    o.limit = whole("limit", limit, 1)
    o.sample = whole("sample", sample, 1)
    o.sort, o.top = chosen("sort", sort, _MEASURES), whole("top", top, 1)
    scores = set_vertex_scores(o, vertex_scores, graph)
    o.order, o.screen_mode = chosen("order", order, _ORDERS), chosen("screen", screen, _MODES)
    names: tuple[str, ...] = ()
    if require.__class__ is not tuple or require:
        names = names_of(graph, as_tuple(graph, require))
        o.required, o.n_required = _call.strings(names, keep) if names else NULL, len(names)
    warnings = set_paranoid(s, paranoid, keep)
    raw = Call(timeout, progress, stop).search(s, "pattern_result", lib.ms_pattern_list, index, found.raw, o)
    warn_of(warnings)
    return PatternMatches(graph, raw, o, {"pattern": found.about, "p": len(found), "induced": induced,
                                          "embeddings": embeddings, "require": names, "limit": limit,
                                          "count_only": count_only, "participation": participation,
                                          "roles": roles, "sample": sample, "sort": sort,
                                          "top": top, "seed": seed},
                          _pattern=found, _keep=keep, _scores=scores)
