"""Pictures of results as SVG without scripts, for notebooks.

Lines and texts have the colour of the text around them (``currentColor``), and there is no
background, so that a picture is readable on a light page and on a dark one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._call import NULL, text
from ._native import lib

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["COLORS", "OTHER", "bars", "clean", "fill_of", "layout", "network", "scatter", "side_by_side"]

# The colours of all drawings and reports of the library, and that of vertices without a role.
COLORS = tuple(text(lib.ms_query_slot_color(NULL, i)) for i in range(lib.MS_PALETTE))
OTHER = "#999999"

_WIDTH = 520.0
_MOST_DOTS = 3000  # of one kind in a map: more would make a notebook large

# Entities of HTML, and characters that change the direction of the text or that XML lacks.
_ESCAPES = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;", ord("'"): "&#x27;"}
_HIDDEN = [*range(0x20), *range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F,
           *range(0xD800, 0xE000), 0xFFFE, 0xFFFF]  # fmt: skip
_ESCAPES.update({c: f"\\x{c:02X}" if c < 0x100 else f"\\u{c:04X}" for c in _HIDDEN})


def fill_of(number: int) -> str:
    """Return colour `number` of the palette, which repeats; of a negative number, grey."""
    return COLORS[number % len(COLORS)] if number >= 0 else OTHER


def clean(value: Any, length: int | None = None) -> str:
    """Return the text of a value for HTML and SVG: nothing in it is markup, or hidden.

    Parameters
    ----------
    value : object
    length : int, optional
        Cut the text off after so many characters.

    Examples
    --------
    >>> from motifsieve.pictures import clean
    >>> clean("<script>")
    '&lt;script&gt;'
    >>> clean("kinase and phosphatase", 8)
    'kinase …'
    """
    text = str(value)
    if length is not None and len(text) > length:
        text = text[: length - 1] + "…"
    return text.translate(_ESCAPES)


# ---- layout --------------------------------------------------------------------------


def layout(n: int, edges: NDArray[Any]) -> NDArray[np.float64]:
    """Place the vertices of a small graph, so that distances fit the lengths of shortest paths.

    Each component is placed by majorization of its stress (E. Gansner, Y. Koren, S. North: Graph
    Drawing by Stress Majorization, 2004), and the components stand side by side.  There is no
    chance in it.

    Parameters
    ----------
    n : int
        Number of vertices; the time grows with its third power.
    edges : numpy.ndarray of an integer type, shape (m, 2)

    Returns
    -------
    numpy.ndarray of float64, shape (n, 2)
        An edge is about 1 long.

    Examples
    --------
    >>> import numpy as np
    >>> from motifsieve.pictures import layout
    >>> places = layout(3, np.array([(0, 1), (1, 2)]))
    >>> float(np.linalg.norm(places[0] - places[1]).round(2))
    1.0
    """
    distance = _distances(n, edges)
    places = np.zeros((n, 2))
    component = np.argmax(np.isfinite(distance), axis=1) if n else np.zeros(0, int)
    parts = [np.flatnonzero(component == first) for first in np.unique(component)]
    parts.sort(key=lambda part: (-len(part), part[0]))
    row_width = max(3.0, 1.6 * math.sqrt(sum(len(part) for part in parts)))
    x = y = height = 0.0
    for part in parts:
        box = _majorize(distance[np.ix_(part, part)])
        box -= box.min(axis=0)
        size = box.max(axis=0)
        if size[1] > size[0]:
            box, size = box[:, ::-1], size[::-1]
        if x > 0 and x + size[0] > row_width:
            x, y, height = 0.0, y + height + 1.0, 0.0
        places[part] = box + (x, y)
        x, height = x + size[0] + 1.0, max(height, size[1])
    return places


def _distances(n: int, edges: NDArray[Any]) -> NDArray[np.float64]:
    """Return the lengths of the shortest paths between all vertices, by Floyd and Warshall."""
    distance = np.full((n, n), np.inf)
    np.fill_diagonal(distance, 0.0)
    if len(edges):
        distance[edges[:, 0], edges[:, 1]] = distance[edges[:, 1], edges[:, 0]] = 1.0
        np.fill_diagonal(distance, 0.0)
    for v in range(n):
        np.minimum(distance, distance[:, v, None] + distance[v], out=distance)
    return distance


def _majorize(distance: NDArray[np.float64]) -> NDArray[np.float64]:
    n = len(distance)
    if n <= 2:
        return np.array([[0.0, 0.0], [1.0, 0.0]])[:n]
    angle = 2 * np.pi * np.arange(n) / n
    circle = np.column_stack((np.cos(angle), np.sin(angle)))
    # It begins with classical scaling; the circle separates vertices that would lie on each other.
    centred = distance**2 - (distance**2).mean(axis=0)
    centred -= centred.mean(axis=1)[:, None]
    values, vectors = np.linalg.eigh(-centred / 2)
    flat = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0))
    flat *= np.where(flat[np.abs(flat).argmax(axis=0), [0, 1]] < 0, -1.0, 1.0)
    places = flat + 0.3 * circle
    weight = 1.0 / np.maximum(distance, 1.0) ** 2
    np.fill_diagonal(weight, 0.0)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    inverse = np.linalg.pinv(laplacian)
    for _ in range(60):
        apart = np.linalg.norm(places[:, None] - places, axis=2)
        pull = -weight * distance / np.maximum(apart, 1e-9)
        np.fill_diagonal(pull, 0.0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        places = inverse @ (pull @ places)
    return places


# ---- pictures ------------------------------------------------------------------------


def _svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" style="max-width:100%;height:auto">'
            f"<title>{clean(title)}</title>{''.join(parts)}</svg>")


def _fit(places: NDArray[np.float64], most: float, border: float) -> tuple[NDArray[np.float64], float, float]:
    """Scale places to a picture of the usual width; an edge of length 1 takes at most `most`."""
    low = places.min(axis=0)
    size = places.max(axis=0) - low
    scale = min((_WIDTH - 2 * border) / max(size[0], 1e-9), 420.0 / max(size[1], 1e-9), most)
    shown = (places - low) * scale + border
    return shown, float(size[0] * scale + 2 * border), float(size[1] * scale + 2 * border)


def network(labels: Sequence[Any], edges: NDArray[Any], groups: Sequence[int], title: str) -> str:
    """Draw a network with its names.

    Parameters
    ----------
    labels : sequence
        The names of the vertices.
    edges : numpy.ndarray of an integer type, shape (m, 2)
    groups : sequence of int
        The number of the colour of each vertex; -1: grey.
    title : str
        What the picture shows.

    Returns
    -------
    str
        An element ``svg``.
    """
    places, width, height = _fit(layout(len(labels), edges), 90.0, 34.0)
    parts = ['<g stroke="currentColor" stroke-opacity="0.35" stroke-width="1.2">']
    for u, v in np.asarray(edges).tolist():
        (a, b), (c, d) = places[u], places[v]
        parts.append(f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}"/>')
    parts.append('</g><g font-size="10" font-family="sans-serif" text-anchor="middle" fill="currentColor">')
    for (x, y), label, group in zip(places, labels, groups):
        fill = fill_of(group)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="{fill}" stroke="currentColor" '
                     f'stroke-opacity="0.6"><title>{clean(label)}</title></circle>'
                     f'<text x="{x:.1f}" y="{y + 19:.1f}">{clean(label, 14)}</text>')
    parts.append("</g>")
    return _svg(max(width, 120.0), height, title, parts)


def side_by_side(places: NDArray[Any], slides: NDArray[Any] | None) -> NDArray[np.float64]:
    """Return the first two coordinates of places, with slides beside each other on one scale.

    Parameters
    ----------
    places : numpy.ndarray, shape (n, 2) or (n, 3)
    slides : numpy.ndarray, shape (n,), or None
        The slide of each place; None: there is one.
    """
    flat = np.array(places, np.float64)[:, :2]
    if slides is None:
        return flat
    there = np.isfinite(flat).all(axis=1)
    names, number = np.unique(np.asarray(slides).astype(str), return_inverse=True)
    x = 0.0
    for i in range(len(names)):
        rows = there & (number == i)
        if rows.any():
            low, high = flat[rows].min(axis=0), flat[rows].max(axis=0)
            flat[rows] += (x - low[0], -low[1])
            x += max(high[0] - low[0], 1e-9) * 1.1
    return flat


def _dots(places: NDArray[np.float64]) -> str:
    step = -(-len(places) // _MOST_DOTS) if len(places) else 1
    return "".join(f"M{x:.1f} {y:.1f}h0" for x, y in places[::step].tolist())


def scatter(places: NDArray[Any], found: NDArray[np.bool_], groups: NDArray[Any], title: str) -> str:
    """Draw places, such as the cells of a tissue, and in colours those that were found.

    Parameters
    ----------
    places : numpy.ndarray, shape (n, 2) or (n, 3)
        The second coordinate grows downwards, as in images; a third one is left out.  Places that
        are not finite are not drawn.
    found : numpy.ndarray of bool, shape (n,)
    groups : numpy.ndarray of an integer type, shape (n,)
        The numbers of the colours of those that were found.
    title : str

    Returns
    -------
    str
        An element ``svg``.  Of more than 3,000 dots of a colour, it has a regular choice.
    """
    flat = np.asarray(places, np.float64)[:, :2]
    there = np.isfinite(flat).all(axis=1)
    if not there.any():
        return ""
    flat, found, groups = flat[there], found[there], groups[there]
    shown, width, height = _fit(flat, math.inf, 8.0)
    radius = min(3.0, max(0.7, 0.35 * math.sqrt(width * height / len(flat))))
    lines = 'fill="none" stroke-linecap="round"'
    parts = [f'<path {lines} stroke="currentColor" stroke-opacity="0.25" stroke-width="{2 * radius:.1f}" '
             f'd="{_dots(shown[~found])}"/>']
    for group in np.unique(groups[found]).tolist():
        fill = fill_of(group)
        parts.append(f'<path {lines} stroke="{fill}" stroke-width="{2 * radius + 0.8:.1f}" '
                     f'd="{_dots(shown[found & (groups == group)])}"/>')
    return _svg(width, height, title, parts)


def bars(labels: Sequence[Any], values: NDArray[Any], title: str) -> str:
    """Draw bars to the right for positive numbers and to the left for negative ones.

    Parameters
    ----------
    labels : sequence
    values : numpy.ndarray of float, shape (n,)
        NaN: there is no bar.
    title : str

    Returns
    -------
    str
        An element ``svg``.
    """
    numbers = np.asarray(values, np.float64)
    known = numbers[np.isfinite(numbers)]
    most, least = max(known.max(initial=0.0), 0.0), min(known.min(initial=0.0), 0.0)
    name_width, bar_width, line = 230.0, 240.0, 17.0
    scale = bar_width / (most - least) if most > least else 0.0
    zero = name_width - least * scale
    parts = ['<g font-size="11" font-family="sans-serif" fill="currentColor">']
    for i, (label, value) in enumerate(zip(labels, numbers.tolist())):
        y = 4 + i * line
        parts.append(f'<text x="{name_width - 8:.0f}" y="{y + 11:.1f}" text-anchor="end">'
                     f"<title>{clean(label)}</title>{clean(label, 36)}</text>")
        if math.isfinite(value):
            x = zero + min(value, 0.0) * scale
            fill = COLORS[0] if value >= 0 else COLORS[5]
            parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{abs(value) * scale:.1f}" '
                         f'height="{line - 5}" fill="{fill}"><title>{value:.4g}</title></rect>')
    height = 8 + len(numbers) * line
    parts.append(f'</g><line x1="{zero:.1f}" x2="{zero:.1f}" y1="2" y2="{height - 4:.1f}" '
                 'stroke="currentColor" stroke-opacity="0.6"/>')
    return _svg(name_width + bar_width + 10, height, title, parts)
