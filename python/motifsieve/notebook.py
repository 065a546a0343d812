"""What a notebook shows of a result: a small table, how sure the answer is, and a picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import pictures
from .networks import Participants, edges_within
from .pictures import clean
from .walks import NO_PATH

if TYPE_CHECKING:
    from .results import Result

__all__ = ["assurance", "drawn", "html"]

_ROWS = 8
_MOST_PLACED = 100_000  # rows whose vertices are shown at their positions
_MOST_DRAWN = 30  # vertices of a network: more names would cover each other

_ENDED = {
    "limit": "the limit of rows",
    "time": "the time limit",
    "interrupted": "an interruption",
    "memory": "the limit of memory",
    "space": "a full disk",
}
def round_up(bound: float) -> str:
    """Return a probability with two digits, rounded up, so that it stays an upper bound.

    Examples
    --------
    >>> from motifsieve.notebook import round_up
    >>> round_up(5.41761e-07), round_up(1e-06), round_up(0.0)
    ('5.5e-07', '1e-06', '0')
    """
    if bound <= 0:
        return "0"
    if bound >= 1:
        return "1"
    exponent = math.floor(math.log10(bound)) - 1
    digits = bound / 10.0**exponent
    # A bound such as 1e-6 is not to become 1.1e-6 because of how it is stored.
    whole = round(digits) if abs(digits - round(digits)) < 1e-9 * digits else math.ceil(digits)
    return f"{float(f'{whole}e{exponent}'):.2g}"


def assurance(result: "Result") -> str:
    """Say in words how sure an answer is.

    Parameters
    ----------
    result : Result

    Returns
    -------
    str
        One to three sentences; docs/GUARANTEES.md has the reasons.

    Examples
    --------
    >>> import motifsieve as ms
    >>> from motifsieve.notebook import assurance
    >>> g = ms.Graph.from_edges([("x", "y"), ("y", "z")], colors={"x": "a", "y": "b", "z": "a"})
    >>> assurance(g.list("a,b"))
    'The answer is complete: every match is here.'
    >>> assurance(g.list("a,b", limit=1))
    'The search was stopped by the limit of rows. Each row is a match; there may be more of them.'
    """
    if not result.complete:
        ended = _ENDED.get(result.stopped or "", str(result.stopped))
        return f"The search was stopped by {ended}. {_said(result, _KINDS[result.kind].partly)}"
    return _said(result, _KINDS[result.kind].sure)


def _said(result: "Result", what: Any) -> str:
    """Return a text, or the one that a function makes of the result."""
    return str(what(result) if callable(what) else what)


def _stopped_screen(result: "Result") -> str:
    if "missing" in result.columns:
        return ("Each vertex here is certainly in a match as near as its row says; it may be in a nearer one, "
                "and nothing is known about the others.")
    return "Each vertex here is certainly in a match; nothing is known about the others."


def _stopped_matches(result: "Result") -> str:
    if not len(result) and result.count:
        return "There are at least as many matches; they were counted, and not stored."
    if result.kind == "nearest":
        return "Each row is a match; those that cost less than the last row are all here."
    return "Each row is a match; there may be more of them."


def _stopped_census(result: "Result") -> str:
    return "The numbers of sets are exact; the statistics are those of the permutations that were done." \
        if len(result) else "There are no numbers."


def _of_nearest(result: "Result") -> str:
    which = "of the least cost" if result._run.nearest_only else "within the limits"
    return f"The answer is complete: every match {which} is here."


def _of_screen(result: "Result") -> str:
    near = "missing" in result.columns
    if result.bound > 0 and near:
        return ("Each vertex here is certainly in a match as near as its row says. For each vertex, the chance "
                f"that it has a nearer match, or lacks its row, is at most {round_up(result.bound)}.")
    if result.bound > 0:
        return (f"Each vertex that takes part in a match was found with chance at least 1 - "
                f"{round_up(result.bound)}. Each vertex here is certainly in a match.")
    if near:
        return "The answer is exact: no match is nearer than its row says, and no other vertex has a row."
    return "The answer is exact: every vertex here is in a match, and every other vertex is in none."


def _of_many(result: "Result") -> str:
    if result.bound == 0:
        return "The answer is exact: every vertex or match of each motif was found."
    return f"Each vertex was found with chance at least 1 - {round_up(result.bound)}."


def _of_matches(result: "Result") -> str:
    me: Any = result
    run = me._run
    listed = result.kind == "list"
    if getattr(me, "inexact", False):
        return "The rows are the best maps that the search found; there may be better ones."
    if listed and me.sampled_from:
        return (f"A random sample of {len(result):,} of {me.sampled_from:,} matches, each set of them equally "
                "likely.")
    counted = not len(result) and result.count > 0
    if result.bound > 0:
        found = "counted" if counted else "found"
        return (f"Each match was {found} with chance at least 1 - {round_up(result.bound)}. " +
                ("None was stored." if counted else "Each row is certainly a match."))
    if counted:
        return "The number is exact; the matches were counted, and not stored."
    if listed and run.diverse:
        return "No match can be added: each one shares a vertex with a row."
    if listed and run.families > 0:
        return "The answer is complete: every match belongs to the family of a row."
    if listed and run.top and len(result) == run.top:
        return "The rows are the first of all matches in the order that was asked for."
    if listed and (run.min_density > 0 or run.min_mean_score > 0):
        return ("The answer is complete: every match that is dense enough, or has a score that is high enough, "
                "is here.")
    return "The answer is complete: every match is here."


# ---- the table -----------------------------------------------------------------------


def _largest(result: "Result", rows: int) -> Any:
    """Return the components with the most vertices, the largest first."""
    me: Any = result
    return np.argsort(-me.sizes, kind="stable")[:rows]


def _preview_screen(result: "Result", rows: int) -> dict[str, list[Any]]:
    me: Any = result
    ids = me.vertices[:rows]
    made = {"node": result.labels(ids).tolist(), "colors": result.graph._color_texts(ids).tolist()}
    for name in result.columns:
        if name not in ("vertex", "node", "colors") and not (name == "hits" and me.exact):
            made[name] = result.columns[name][:rows].tolist()
    return made


def _preview_matches(result: "Result", rows: int) -> dict[str, list[Any]]:
    me: Any = result
    ids = me.vertices[:rows]
    names = me.pattern_names if result.kind == "match" else [f"node{j + 1}" for j in range(ids.shape[1])]
    made = {"match": list(range(1, len(ids) + 1))}
    if getattr(me, "inexact", False):
        made["score"] = me.score[:rows].tolist()
    made.update(zip(names, (result.labels(ids[:, j]).tolist() for j in range(ids.shape[1]))))
    return made


def _preview_components(result: "Result", rows: int) -> dict[str, list[Any]]:
    me: Any = result
    largest = _largest(result, rows)
    first = np.unique(me.component, return_index=True)[1][largest]
    return {"component": largest.tolist(), "size": me.sizes[largest].tolist(),
            "first node": result.labels(first.astype(np.uint32)).tolist()}


def _preview(result: "Result", rows: int) -> dict[str, list[Any]]:
    """Return the first rows as lists by column, without making columns of all rows."""
    found, rows = result.columns, min(rows, len(result))
    return {name: found[name][:rows].tolist() for name in result.brief or found}


def _preview_lists(result: "Result", rows: int, name: str, row: Any) -> dict[str, list[Any]]:
    """Return the first rows of a result whose last column has lists of nodes, of which `row` returns one."""
    found, rows = result.columns, min(rows, len(result))
    made = {other: found[other][:rows].tolist() for other in found if other != name}
    made[name] = [" – ".join(map(str, result.labels(row(i)).tolist())) for i in range(rows)]
    return made


def _preview_nearest(result: "Result", rows: int) -> dict[str, list[Any]]:
    me: Any = result
    return _preview_lists(result, rows, "nodes", me.row)


def _preview_paths(result: "Result", rows: int) -> dict[str, list[Any]]:
    me: Any = result
    made = _preview_lists(result, rows, "path", me.path)
    del made["source"], made["target"]
    made["length"] = ["" if length == NO_PATH else length for length in made["length"]]
    return made


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "" if value != value else f"{value:.4g}"
    return clean(value, 60)


def _table(result: "Result") -> str:
    columns = _KINDS[result.kind].preview(result, _ROWS)
    if not len(result):
        return ""
    line = ("border:0;border-bottom:1px solid;border-color:rgba(128,128,128,.4);padding:2px 8px;"
            "text-align:left")
    head = "".join(f'<th style="{line}">{clean(name, 30)}</th>' for name in columns)
    rows = "".join(
        "<tr style=\"background:transparent\">" +
        "".join(f'<td style="{line}">{_cell(value)}</td>' for value in row) + "</tr>"
        for row in zip(*columns.values()))
    more = len(result) - _ROWS
    rest = f'<p style="margin:2px 8px">… and {more:,} more rows</p>' if more > 0 else ""
    return ('<div style="overflow-x:auto"><table style="border-collapse:collapse;color:inherit;'
            f'background:transparent"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
            f"{rest}")


# ---- the picture ---------------------------------------------------------------------


def _legend(who: Participants) -> str:
    items = []
    for number, name in enumerate(who.roles[:20]):
        fill = pictures.fill_of(who.color[number])
        items.append(f'<span style="white-space:nowrap;margin-right:12px"><span style="display:inline-block;'
                     f'width:10px;height:10px;border-radius:5px;background:{fill}"></span> '
                     f"{clean(name, 40)}</span>")
    return f'<p style="margin:4px 0">{" ".join(items)}</p>' if items else ""


def _near(result: "Result", ids: Any) -> Any:
    """Return some of the vertices: the first one, and those near to it among them."""
    graph, inside = result.graph, set(ids.tolist())
    order: list[int] = []
    seen: set[int] = set()
    for start in ids.tolist():
        queue = [start]
        while queue and len(order) < _MOST_DRAWN:
            v = queue.pop(0)
            if v in seen:
                continue
            seen.add(v)
            order.append(v)
            queue += [w for w in graph.neighbors(v)[:1000].tolist() if w in inside and w not in seen]
        if len(order) >= _MOST_DRAWN:
            break
    return np.array(sorted(order), np.uint32)


def drawn(result: "Result") -> tuple[Participants, str]:
    """Return the vertices of a picture, and what it shows."""
    if result.kind == "screen":
        who = result._participants()
        near = _near(result, who.ids)
        place = np.searchsorted(who.ids, near)
        return Participants(near, None, who.role[place], who.roles, who.color), f"{len(near)} of the vertices found"
    rows = min(len(result), _MOST_DRAWN)
    who = result._participants(rows)
    while len(who.ids) > _MOST_DRAWN and rows > 1:
        rows = max(1, rows // 2)
        who = result._participants(rows)
    noun = _KINDS[result.kind][rows != 1]
    return who, f"the first {rows} {noun}" if rows < len(result) else f"all {rows} {noun}"


def _bars(names: Any, values: Any, title: str) -> str:
    return f'<p style="margin:6px 0 2px">{clean(title)}</p>' + pictures.bars(names, values, title)


def _bars_of_motifs(result: "Result", column: str, what: str) -> str:
    rows = min(12, len(result))
    motif = "motif" if "motif" in result.columns else "shape"
    return _bars(result.columns[motif][:rows].tolist(), result.columns[column][:rows],
                 f"{column} of the first {rows} {what}")


def _bars_of_census(result: "Result") -> str:
    column = next((c for c in ("z", "perm_z", "sets") if c in result.columns), "sets")
    return _bars_of_motifs(result, column, "motifs")


def _bars_of_comparison(result: "Result") -> str:
    return _bars_of_motifs(result, "log2_ratio", "rows")


def _bars_of_components(result: "Result") -> str:
    me: Any = result
    largest = _largest(result, 12)
    title = f"number of vertices of the largest {len(largest)} components" if len(largest) > 1 else \
        "number of vertices of the component"
    return _bars([str(c) for c in largest.tolist()], me.sizes[largest], title)


def _network(result: "Result") -> str:
    """Return a picture of the vertices: at their positions, or as a network of the first of them."""
    positions = result.graph.positions
    if positions is not None:
        who = result._participants(None if result.kind == "screen" else _MOST_PLACED)
        found = np.zeros(len(result.graph), bool)
        groups = np.zeros(len(result.graph), np.int64)
        found[who.ids], groups[who.ids] = True, who.shades
        title = f"{len(who.ids):,} of {len(found):,} vertices, at their positions"
        if result.kind != "screen" and len(result) > _MOST_PLACED:
            title += f", of the first {_MOST_PLACED:,} rows"
        places = pictures.side_by_side(positions, result.graph.slides)
        return (f'<p style="margin:6px 0 2px">The picture shows {title}.</p>{_legend(who)}' +
                pictures.scatter(places, found, groups, title))
    who, title = drawn(result)
    if not 0 < len(who.ids) <= 100:
        return ""
    edges, _ = edges_within(result.graph, who.ids)
    picture = pictures.network(result.labels(who.ids).tolist(), edges, who.shades.tolist(), title)
    return f'<p style="margin:6px 0 2px">The picture shows {clean(title)}.</p>{_legend(who)}{picture}'


# ---- all kinds -----------------------------------------------------------------------


class _Kind(NamedTuple):
    """What is said and shown of a kind of result; texts may depend on the result."""

    row: str
    rows: str
    sure: Any  # how sure a complete answer is
    partly: Any = "What is here is right; the rest is missing."  # what is known if the search was stopped
    preview: Any = _preview
    picture: Any = None


_MATCHES = ("match", "matches")
_KINDS = {
    "screen": _Kind("vertex in a match", "vertices in a match", _of_screen, _stopped_screen, _preview_screen, _network),
    "list": _Kind(*_MATCHES, _of_matches, _stopped_matches, _preview_matches, _network),
    "match": _Kind(*_MATCHES, _of_matches, _stopped_matches, _preview_matches, _network),
    "nearest": _Kind(*_MATCHES, _of_nearest, _stopped_matches, _preview_nearest, _network),
    "census": _Kind("motif", "motifs", "The numbers of sets are exact.", _stopped_census, picture=_bars_of_census),
    "shapes": _Kind("shape", "shapes", "The numbers of sets are exact.", _stopped_census, picture=_bars_of_census),
    "orbits": _Kind("row", "rows", "The numbers of sets are exact.", "There are no numbers."),
    "cliques": _Kind("row", "rows", "The numbers of cliques are exact.", "The numbers of cliques are lower bounds."),
    "vertex_census": _Kind("row", "rows", "The numbers of sets are exact."),
    "compare": _Kind("comparison", "comparisons",
                     "The numbers of sets are exact; p values are those of the permutations.",
                     "The numbers of sets are exact; there are fewer permutations than asked for.",
                     picture=_bars_of_comparison),
    "mine": _Kind("motif", "motifs", "The answer is complete: every such motif is here, and the numbers are exact.",
                  "The motifs here are right; others may be missing."),
    "motifs": _Kind("motif", "motifs", _of_many),
    "components": _Kind("component", "components", "The answer is exact.", preview=_preview_components,
                        picture=_bars_of_components),
    "paths": _Kind("pair", "pairs",
                   "The answer is exact: no path is shorter, and a pair without one has none within the limits.",
                   preview=_preview_paths, picture=_network),
}


def has_network(result: "Result") -> bool:
    """True if the rows have vertices that a picture shows as a network."""
    return _KINDS[result.kind].picture is _network


def html(result: "Result") -> str:
    """Return the text of HTML that a notebook shows.

    There is no script in it, and no colour of texts or of the background, so that it suits light
    and dark pages.  All names are escaped.
    """
    asked = result.query.get("motif") or result.query.get("pattern") or ""
    kind, number = _KINDS[result.kind], result.count
    noun = kind.row if number == 1 else kind.rows
    what = f" of <code>{clean(asked, 200)}</code>" if asked else ""
    if result.kind in ("census", "shapes"):
        what = f" of {clean(result.query.get('k', ''))} vertices"
    if result.kind == "compare":
        what = f" of motifs of {clean(result.query.get('k', ''))} vertices"
    if result.kind == "components":
        what = f" of {len(result.graph):,} vertices"
    head = f"<p style=\"margin:4px 0\"><b>{number:,} {noun}</b>{what}</p>"
    parts = [head, f'<p style="margin:4px 0">{clean(assurance(result))}</p>', _table(result)]
    if len(result) and kind.picture is not None:
        parts.append(kind.picture(result))
    return f'<div style="color:inherit">{"".join(parts)}</div>'
