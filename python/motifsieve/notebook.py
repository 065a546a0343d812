"""What a notebook shows of a result: a small table, how sure the answer is, and a picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from . import pictures
from .networks import Participants, edges_within, participants
from .pictures import clean

if TYPE_CHECKING:
    from .results import Result

__all__ = ["assurance", "drawn", "html"]

_ROWS = 8
_NO_PATH = 0xFFFFFFFF
_MOST_PLACED = 100_000  # rows whose vertices are shown at their positions
_MOST_DRAWN = 30  # vertices of a network: more names would cover each other

_ENDED = {
    "limit": "the limit of rows",
    "time": "the time limit",
    "interrupted": "an interruption",
    "memory": "the limit of memory",
    "space": "a full disk",
}
_NOUNS = {
    "screen": ("vertex in a match", "vertices in a match"),
    "list": ("match", "matches"),
    "match": ("match", "matches"),
    "nearest": ("match", "matches"),
    "census": ("motif", "motifs"),
    "mine": ("motif", "motifs"),
    "compare": ("comparison", "comparisons"),
    "components": ("component", "components"),
    "paths": ("pair", "pairs"),
    "motifs": ("motif", "motifs"),
    "vertex_census": ("row", "rows"),
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
        return f"The search was stopped by {ended}. {_partial(result)}"
    if result.kind == "screen":
        return _of_screen(result)
    if result.kind in ("list", "match"):
        return _of_matches(result)
    if result.kind == "nearest":
        if result._run.nearest_only:
            return "The answer is complete: every match of the least cost is here."
        return "The answer is complete: every match within the limits is here."
    return {
        "census": "The numbers of sets are exact.",
        "compare": "The numbers of sets are exact; p values are those of the permutations.",
        "mine": "The answer is complete: every such motif is here, and the numbers are exact.",
        "components": "The answer is exact.",
        "vertex_census": "The numbers of sets are exact.",
        "motifs": _of_many(result.bound),
        "paths": "The answer is exact: no path is shorter, and a pair without one has none within the limits.",
    }[result.kind]


def _partial(result: "Result") -> str:
    """Say what is known after a search that was stopped."""
    if result.kind in ("list", "match", "nearest") and not len(result) and result.count:
        return "There are at least as many matches; they were counted, and not stored."
    if result.kind == "census" and len(result):
        return "The numbers of sets are exact; the statistics are those of the permutations that were done."
    if result.kind == "screen" and "missing" in result.columns:
        return ("Each vertex here is certainly in a match as near as its row says; it may be in a nearer one, "
                "and nothing is known about the others.")
    return {
        "screen": "Each vertex here is certainly in a match; nothing is known about the others.",
        "list": "Each row is a match; there may be more of them.",
        "match": "Each row is a match; there may be more of them.",
        "nearest": "Each row is a match; those that cost less than the last row are all here.",
        "census": "There are no numbers.",
        "compare": "The numbers of sets are exact; there are fewer permutations than asked for.",
        "mine": "The motifs here are right; others may be missing.",
    }.get(result.kind, "What is here is right; the rest is missing.")


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


def _of_many(bound: float) -> str:
    """Say how sure the answers for many motifs are."""
    if bound == 0:
        return "The answer is exact: every vertex or match of each motif was found."
    return f"Each vertex was found with chance at least 1 - {round_up(bound)}."


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


def _preview(result: "Result", rows: int) -> dict[str, list[Any]]:
    """Return the first rows as lists by column, without making columns of all rows."""
    me: Any = result
    if result.kind == "screen":
        ids = me.vertices[:rows]
        made = {"node": result.labels(ids).tolist(), "colors": result.graph._color_texts(ids).tolist()}
        for name in result.columns:
            if name not in ("vertex", "node", "colors") and not (name == "hits" and me.exact):
                made[name] = result.columns[name][:rows].tolist()
        return made
    if result.kind in ("list", "match"):
        ids = me.vertices[:rows]
        names = me.pattern_names if result.kind == "match" else \
            [f"node{j + 1}" for j in range(ids.shape[1])]
        made = {"match": list(range(1, len(ids) + 1))}
        if getattr(me, "inexact", False):
            made["score"] = me.score[:rows].tolist()
        made.update(zip(names, (result.labels(ids[:, j]).tolist() for j in range(ids.shape[1]))))
        return made
    if result.kind == "components":
        largest = _largest(result, rows)
        first = np.unique(me.component, return_index=True)[1][largest]
        return {"component": largest.tolist(), "size": me.sizes[largest].tolist(),
                "first node": result.labels(first.astype(np.uint32)).tolist()}
    rows = min(rows, len(result))
    lists = {"nearest": "nodes", "paths": "path"}.get(result.kind, "")
    made = {name: result.columns[name][:rows].tolist() for name in result.brief or result.columns if name != lists}
    if lists:
        get = me.row if result.kind == "nearest" else me.path
        made[lists] = [" – ".join(map(str, result.labels(get(i)).tolist())) for i in range(rows)]
    if result.kind == "paths":
        del made["source"], made["target"]
        made["length"] = ["" if length == _NO_PATH else length for length in made["length"]]
    return made


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "" if value != value else f"{value:.4g}"
    return clean(value, 60)


def _table(result: "Result") -> str:
    columns = _preview(result, _ROWS)
    if not len(result):
        return ""
    line = ("border:0;border-bottom:1px solid;border-color:rgba(128,128,128,.4);padding:2px 8px;"
            "text-align:left")
    head = "".join(f'<th style="{line}">{clean(name, 30)}</th>' for name in columns)
    rows = "".join(
        "<tr style=\"background:transparent\">" +
        "".join(f'<td style="{line}">{_cell(value)}</td>' for value in row) + "</tr>"
        for row in zip(*columns.values()))
    me: Any = result
    more = (me.number if result.kind == "components" else len(result)) - _ROWS
    rest = f'<p style="margin:2px 8px">… and {more:,} more rows</p>' if more > 0 else ""
    return ('<div style="overflow-x:auto"><table style="border-collapse:collapse;color:inherit;'
            f'background:transparent"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
            f"{rest}")


# ---- the picture ---------------------------------------------------------------------


def _legend(who: Participants) -> str:
    items = []
    for number, name in enumerate(who.roles[:20]):
        fill = pictures.COLORS[number % len(pictures.COLORS)]
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
        who = participants(result)
        near = _near(result, who.ids)
        place = np.searchsorted(who.ids, near)
        return Participants(near, None, who.role[place], who.roles), f"{len(near)} of the vertices found"
    rows = min(len(result), _MOST_DRAWN)
    who = participants(result, rows)
    while len(who.ids) > _MOST_DRAWN and rows > 1:
        rows = max(1, rows // 2)
        who = participants(result, rows)
    noun = _NOUNS[result.kind][rows != 1]
    return who, f"the first {rows} {noun}" if rows < len(result) else f"all {rows} {noun}"


def _picture(result: "Result") -> str:
    me: Any = result
    if result.kind == "census":
        column = next((c for c in ("z", "perm_z", "sets") if c in result.columns), "sets")
        rows = min(12, len(result))
        title = f"{column} of the first {rows} motifs"
        return (f'<p style="margin:6px 0 2px">{clean(title)}</p>' +
                pictures.bars(me.columns["motif"][:rows].tolist(), me.columns[column][:rows], title))
    if result.kind == "compare":
        rows = min(12, len(result))
        title = f"log2_ratio of the first {rows} rows"
        return (f'<p style="margin:6px 0 2px">{title}</p>' +
                pictures.bars(me.columns["motif"][:rows].tolist(), me.columns["log2_ratio"][:rows], title))
    if result.kind == "components":
        largest = _largest(result, 12)
        title = f"number of vertices of the largest {len(largest)} components" if len(largest) > 1 else \
            "number of vertices of the component"
        return (f'<p style="margin:6px 0 2px">{title}</p>' +
                pictures.bars([str(c) for c in largest.tolist()], me.sizes[largest], title))
    if result.kind not in ("screen", "list", "match", "nearest", "paths"):
        return ""
    positions = result.graph.positions
    if positions is not None:
        who = participants(result, None if result.kind == "screen" else _MOST_PLACED)
        found = np.zeros(len(result.graph), bool)
        groups = np.zeros(len(result.graph), np.int64)
        found[who.ids], groups[who.ids] = True, who.role
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
    picture = pictures.network(result.labels(who.ids).tolist(), edges, who.role.tolist(), title)
    return f'<p style="margin:6px 0 2px">The picture shows {clean(title)}.</p>{_legend(who)}{picture}'


def html(result: "Result") -> str:
    """Return the text of HTML that a notebook shows.

    There is no script in it, and no colour of texts or of the background, so that it suits light
    and dark pages.  All names are escaped.
    """
    asked = result.query.get("motif") or result.query.get("pattern") or ""
    me: Any = result
    number = me.number if result.kind == "components" else result.count
    noun = _NOUNS[result.kind][number != 1]
    what = f" of <code>{clean(asked, 200)}</code>" if asked else ""
    if result.kind == "census":
        what = f" of {clean(result.query.get('k', ''))} vertices"
    if result.kind == "compare":
        what = f" of motifs of {clean(result.query.get('k', ''))} vertices"
    if result.kind == "components":
        what = f" of {len(result):,} vertices"
    head = f"<p style=\"margin:4px 0\"><b>{number:,} {noun}</b>{what}</p>"
    parts = [head, f'<p style="margin:4px 0">{clean(assurance(result))}</p>', _table(result)]
    if len(result):
        parts.append(_picture(result))
    return f'<div style="color:inherit">{"".join(parts)}</div>'
