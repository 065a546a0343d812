"""Plots of results by matplotlib, where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import pictures
from ._keywords import needed
from .errors import UsageError
from .networks import edges_within
from .notebook import drawn, has_network

if TYPE_CHECKING:
    from .results import Result

__all__ = ["plot"]


def _axes(axes: Any) -> Any:
    if axes is not None:
        return axes
    pyplot = needed("matplotlib.pyplot", "matplotlib", "plot", instead="; notebooks show a picture without it")
    return pyplot.figure().add_subplot()


def _fills(numbers: Any) -> list[str]:
    return [pictures.fill_of(i) for i in numbers]


def _plot_census(result: "Result", axes: Any, rows: int) -> Any:
    """Draw the number of sets of each motif and, where it is known, what is expected."""
    me: Any = result
    rows = min(rows, len(result))
    axes = _axes(axes)
    places = np.arange(rows)
    for prefix, label, fill in (("", "expected, by formula", 1), ("perm_", "expected, by permutations", 2)):
        if prefix + "expected" in me.columns:
            spread = np.nan_to_num(2 * np.asarray(me.columns[prefix + "sd"][:rows]))
            axes.errorbar(me.columns[prefix + "expected"][:rows], places + (0.15 if prefix else -0.15),
                          xerr=spread, fmt="o", markersize=4, capsize=2, color=pictures.COLORS[fill],
                          label=f"{label}, ± 2 sd")
    if me.null_counts is not None:
        null = me.null_counts[:2000, :rows]
        axes.scatter(null.ravel(), np.tile(places + 0.3, len(null)), s=4, alpha=0.2, linewidths=0,
                     color=pictures.COLORS[2], label="each permutation")
    axes.scatter(me.columns["sets"][:rows], places, s=30, marker="D", color=pictures.COLORS[0],
                 label="observed", zorder=3)
    # A name of a motif is no formula of TeX.
    axes.set_yticks(places, [str(m).replace("$", r"\$") for m in me.columns[me.brief[0]][:rows]])
    axes.invert_yaxis()
    axes.set_xlabel(f"connected sets of {me.k} vertices")
    axes.legend()
    return axes


def plot(result: "Result", axes: Any = None, rows: int = 20) -> Any:
    """See `Exports.plot`."""
    if result.kind in ("census", "shapes"):
        return _plot_census(result, axes, rows)
    if not has_network(result):
        raise UsageError(f"there is no plot of {type(result).__name__}")
    axes = _axes(axes)
    graph = result.graph
    if graph.positions is not None:
        places = pictures.side_by_side(graph.positions, graph.slides)
        who = result._participants()
        rest = np.ones(len(graph), bool)
        rest[who.ids] = False
        axes.scatter(*places[rest].T, s=2, color="0.8", linewidths=0)
        for number, name in enumerate(who.roles or ("found",)):
            chosen = who.ids[who.role == number] if who.roles else who.ids
            fill = pictures.fill_of(who.color[number] if who.roles else 0)
            axes.scatter(*places[chosen].T, s=5, color=fill, linewidths=0, label=name)
        axes.invert_yaxis()  # as in images
        axes.legend(markerscale=2)
    else:
        who, _ = drawn(result)
        edges, _ = edges_within(graph, who.ids)
        places = pictures.layout(len(who.ids), edges)
        for u, v in edges.tolist():
            axes.plot(*places[[u, v]].T, color="0.6", linewidth=0.8, zorder=1)
        axes.scatter(*places.T, s=80, color=_fills(who.shades.tolist()), edgecolors="0.3", zorder=2)
        for (x, y), label in zip(places.tolist(), result.labels(who.ids).tolist()):
            axes.annotate(str(label).replace("$", r"\$"), (x, y), textcoords="offset points",
                          xytext=(0, -12), ha="center", fontsize=7)
        for number, name in enumerate(who.roles):
            axes.scatter([], [], color=pictures.fill_of(who.color[number]), label=name.replace("$", r"\$"))
        if who.roles:
            axes.legend()
    axes.set_aspect("equal")
    axes.set_axis_off()
    return axes
