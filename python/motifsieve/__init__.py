"""motifsieve: search for motifs in vertex-coloured graphs.

    import motifsieve as ms

    g = ms.Graph("network.tsv", "colors.tsv")
    g.screen("kinase:2,phosphatase")     # the vertices that are in a match
    g.list("kinase:2,phosphatase")       # the matches
    g.match("(a:kinase)--(b)--(c), (a)--(c)")

docs/PYTHON.md is the guide.  Modules are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._call import Stop
    from .comparing import Comparison, compare
    from .errors import (
        DeviceLostError,
        InputError,
        InputFileError,
        InternalError,
        MemoryLimitError,
        MissingFileError,
        MotifsieveError,
        OutputError,
        StoppedError,
        TimeLimitError,
        UsageError,
    )
    from .censuses import Census, ShapeCensus, census, significance
    from .checks import SelfCheck, Verification, verify
    from .clique_counts import Cliques, cliques
    from .colorings import Colors
    from .generation import cut_patterns, generate
    from .graph import Graph
    from .graphlets import Orbits, orbits
    from .many import ManyMotifs, list_many, screen_many
    from .matches import Matches, PatternMatches, Screen
    from .mining import MinedMotifs, mine
    from .near import NearestMatches, nearest
    from .pattern_sets import PatternCounts, match_many
    from .patterns import Pattern
    from .queries import list as list, match as match, screen  # not in __all__: see there
    from .reports import report
    from .results import Result, columns
    from .typed import TypedGraph, TypedMatches
    from .vertex_censuses import VertexCensus, census_vertices
    from .walks import NO_PATH, Components, Paths, components, paths

_NAMES = {
    "_call": "Stop",
    "censuses": "Census ShapeCensus census significance",
    "checks": "SelfCheck Verification verify",
    "clique_counts": "Cliques cliques",
    "colorings": "Colors",
    "comparing": "Comparison compare",
    "errors": "DeviceLostError InputError InputFileError InternalError MemoryLimitError MissingFileError "
              "MotifsieveError OutputError StoppedError TimeLimitError UsageError",
    "generation": "cut_patterns generate",
    "graph": "Graph",
    "graphlets": "Orbits orbits",
    "many": "ManyMotifs list_many screen_many",
    "matches": "Matches PatternMatches Screen",
    "mining": "MinedMotifs mine",
    "near": "NearestMatches nearest",
    "pattern_sets": "PatternCounts match_many",
    "patterns": "Pattern",
    "queries": "list match screen",
    "reports": "report",
    "results": "Result columns",
    "typed": "TypedGraph TypedMatches",
    "vertex_censuses": "VertexCensus census_vertices",
    "walks": "NO_PATH Components Paths components paths",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}
# Written out, because checkers of types do not compute it.  Without `list` and `match`: a program that
# imports * keeps its builtin, and its word of Python.
__all__ = [
    "Census",
    "Cliques",
    "Colors",
    "Comparison",
    "Components",
    "DeviceLostError",
    "Graph",
    "InputError",
    "InputFileError",
    "InternalError",
    "ManyMotifs",
    "Matches",
    "MemoryLimitError",
    "MinedMotifs",
    "MissingFileError",
    "MotifsieveError",
    "NO_PATH",
    "NearestMatches",
    "Orbits",
    "OutputError",
    "Paths",
    "Pattern",
    "PatternCounts",
    "PatternMatches",
    "Result",
    "Screen",
    "SelfCheck",
    "ShapeCensus",
    "Stop",
    "StoppedError",
    "TimeLimitError",
    "TypedGraph",
    "TypedMatches",
    "UsageError",
    "Verification",
    "VertexCensus",
    "__version__",
    "census",
    "census_vertices",
    "cliques",
    "columns",
    "compare",
    "components",
    "cut_patterns",
    "generate",
    "list_many",
    "match_many",
    "mine",
    "nearest",
    "orbits",
    "paths",
    "report",
    "screen",
    "screen_many",
    "significance",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from ._native import ffi, lib

        value: Any = ffi.string(lib.ms_version()).decode()
    elif name in _HOME:
        value = getattr(import_module("." + _HOME[name], __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> Any:
    return sorted({*_HOME, "__version__"})
