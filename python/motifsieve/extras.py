"""What queries of motifs may be given beside the motif: scores of vertices, and substitutions."""

from __future__ import annotations

import numbers
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import real_array
from ._call import NULL, new_object, path_bytes, strings
from ._keywords import is_flag, whole
from ._native import ffi, lib
from .colorings import color_name
from .edges import in_order, plain
from .errors import UsageError

if TYPE_CHECKING:
    from .graph import Graph
    from .motifs import Bound

_MOST_SCORE = lib.MS_MAX_VERTEX_SCORE


class VertexScores:
    """Scores of vertices: an ``ms_vertex_scores``.

    Attributes
    ----------
    path : str or None
        The file from which they were read, if the program gave one.
    """

    def __init__(self, source: Any, graph: "Graph") -> None:
        if isinstance(source, (str, os.PathLike)):
            self.path: str | None = os.fspath(source)
            self.raw = _read_scores(source, graph)
            return
        self.path = None
        self.raw = _of_array(_checked(source, graph), graph)

    def in_file(self, graph: "Graph", folder: str) -> "VertexScores":
        """Return the same scores of a graph with the same vertices, read from a file.

        The names of that graph are numbers.
        """
        path = os.path.join(folder, "scores")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"{name}\t{lib.ms_vertex_scores_of(self.raw, v)}\n"
                            for v, name in enumerate(graph.names))
        return VertexScores(path, graph)


def _of_array(values: Any, graph: "Graph") -> Any:
    memory = ffi.from_buffer("uint32_t[]", values) if len(values) else NULL
    return new_object("vertex_scores", lib.ms_vertex_scores_new, graph._raw, memory)


def _read_scores(path: Any, graph: "Graph") -> Any:
    return new_object("vertex_scores", lib.ms_vertex_scores_read, path_bytes(path), graph._raw, path=path)


def _checked(source: Any, graph: "Graph") -> Any:
    """Return scores as an array of whole numbers."""
    if all(hasattr(source, name) for name in ("index", "array", "to_dict")):  # a Series of pandas
        if len(source) == len(graph):
            source = in_order("vertex_scores", source, graph)
        elif not source.index.is_unique:
            raise UsageError("vertex_scores= has a node twice in its index")
        else:
            source = dict(zip(source.index.tolist(), source.tolist()))
    if isinstance(source, Mapping):
        values = np.zeros(len(graph), np.float64)
        for node, score in source.items():
            try:
                if not isinstance(score, numbers.Real) or is_flag(score):
                    raise TypeError
                values[graph.index(node)] = score
            except KeyError:
                raise UsageError(f"vertex_scores= names the node {node!r}, which the graph lacks") from None
            except (TypeError, ValueError, OverflowError):
                raise UsageError(f"vertex_scores= gives {node!r} the score {score!r}; give whole "
                                 "numbers") from None
    else:
        try:
            values = real_array(plain("vertex_scores", source, "give each vertex a score; 0 is none"))
        except (TypeError, ValueError, OverflowError):
            raise UsageError("vertex_scores= holds something that is no number; give whole numbers") from None
    if values.shape != (len(graph),):
        raise UsageError(f"vertex_scores= has the shape {values.shape}; give a score for each of the "
                         f"{len(graph)} vertices, or a dict from nodes")
    if len(values) and not (np.equal(np.floor(values), values).all() and values.min() >= 0
                            and values.max() <= _MOST_SCORE):
        raise UsageError(f"vertex_scores= are whole numbers from 0 to {_MOST_SCORE}; scale and round them")
    return values.astype(np.uint32)


def set_vertex_scores(o: Any, values: Any, graph: "Graph") -> VertexScores | None:
    """Set ``vertex_scores=`` of a struct of options, and return the scores."""
    scores = None if values is None else VertexScores(values, graph)
    o.vertex_scores = NULL if scores is None else scores.raw
    return scores


class Substitutes:
    """Colours that may fill the slots of other colours, at a cost: an ``ms_substitutes``."""

    def __init__(self, source: Any, bound: "Bound", max_cost: int) -> None:
        coloring = bound.coloring
        self.source = source
        if isinstance(source, (str, os.PathLike)):
            self.raw = new_object("substitutes", lib.ms_substitutes_read, path_bytes(source), coloring, bound.motif,
                                  max_cost, path=source)
        elif isinstance(source, Mapping):
            keep: list[Any] = []
            try:
                wanted = [color_name(pair[0]) or "" for pair in source]
                instead = [color_name(pair[1]) or "" for pair in source]
            except (TypeError, IndexError):
                raise UsageError("substitutes= is a dict from pairs (wanted colour, colour instead) to "
                                 "costs") from None
            costs = [whole("substitutes", cost, 1) for cost in source.values()]
            if not costs:
                raise UsageError("substitutes= is empty; give a cost, or leave it out")
            self.raw = new_object("substitutes", lib.ms_substitutes_new, coloring, len(costs), strings(wanted, keep),
                                  strings(instead, keep), costs)
        else:
            raise TypeError(f"substitutes={source!r}: give a path, or a dict from pairs (wanted colour, "
                            "colour instead) to costs")

    def in_file(self, bound: "Bound", folder: str, max_cost: int) -> "Substitutes":
        """Return the same substitutions, read from a file."""
        if not isinstance(self.source, Mapping):
            return Substitutes(self.source, bound, max_cost)
        path = os.path.join(folder, "substitutes")
        with open(path, "w", encoding="utf-8") as file:
            for (wanted, instead), cost in self.source.items():
                wanted, instead = color_name(wanted) or "", color_name(instead) or ""
                for name in (wanted, instead):
                    if name.strip() != name:
                        raise UsageError("this result cannot be checked: a file of substitutions has no "
                                         f"colour {name!r}, whose first or last character is a blank")
                # a blank in front keeps a line that begins with # or ! from being a comment
                file.write(f" {wanted}\t{instead}\t{cost}\n")
        return Substitutes(path, bound, max_cost)


def cost_limit(substitutes: Any, max_cost: int | None) -> int:
    """Return ``max_cost=``, or what stands for it; 0: there are no substitutions."""

    if substitutes is None:
        if max_cost is not None:
            raise UsageError("max_cost= belongs to substitutes=")
        return 0
    if max_cost is None:
        return max(substitutes.values(), default=1) if isinstance(substitutes, Mapping) else 1
    return whole("max_cost", max_cost, 1)
