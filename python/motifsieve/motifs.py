"""Motifs, and their queries on a graph."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Union

from ._call import NULL, Call, encoded, new_object, strings, text
from ._keywords import is_flag
from ._native import lib
from .errors import UsageError

if TYPE_CHECKING:
    from .graph import Graph

# What stands for a motif: a text, numbers of slots by colour, or a list of colours.
Motif = Union[str, Mapping[Any, int], Iterable[Any]]

_MOST_KEPT = 1024  # queries of a graph
_SPECIAL = set(',:"|&!')


def quoted(color: Any) -> str:
    """Return the name of a colour as a motif's text has it.

    Examples
    --------
    >>> quoted("kinase"), quoted("ligase, DNA")
    ('kinase', '"ligase, DNA"')
    """
    name = color.decode("utf-8", "replace") if isinstance(color, bytes) else str(color)
    if _SPECIAL.isdisjoint(name) and name.strip() == name and name != "*":
        return name
    return '"' + name.replace('"', '""') + '"'


def _item(color: Any, known: Iterable[str]) -> str:
    """Return one slot's text: a colour, "*", a condition, or any of several colours."""
    if isinstance(color, (tuple, frozenset)):
        return "|".join(quoted(c) for c in (sorted(color) if isinstance(color, frozenset) else color))
    name = color.decode("utf-8", "replace") if isinstance(color, bytes) else str(color)
    if name in known:
        return quoted(name)
    return name


def motif_text(motif: Motif, known: Iterable[str] = ()) -> str:
    """Return the text of a motif.

    Parameters
    ----------
    motif : str, mapping or iterable
        A text is taken as it is.  A mapping, or a Series of pandas, has numbers of slots by colour;
        the items of another
        iterable are colours, one slot each.  A tuple of colours is a slot that any of them fills;
        "*" is a slot for any vertex, and a text that is no colour is a condition such as "a&!b".
    known : container of str
        The colours of the graph.

    Examples
    --------
    >>> motif_text({"a": 2, ("b", "c"): 1, "*": 1})
    'a:2,b|c,*'
    >>> motif_text(["a", "a", "b"])
    'a,a,b'
    """
    if isinstance(motif, str):
        return motif
    if isinstance(motif, Mapping) or (hasattr(motif, "items") and hasattr(motif, "index")):  # a Series of pandas
        items = []
        for color, count in motif.items():
            try:
                number = int(count) if isinstance(count, numbers.Real) and not is_flag(count) else 0
            except (ValueError, OverflowError):  # NaN, infinity
                number = 0
            if number != count or number < 1:
                raise UsageError(f"the motif has {count!r} slots of {color!r}; give a whole number above 0")
            items.append(_item(color, known) + (f":{number}" if number > 1 else ""))
    else:
        try:
            items = [_item(color, known) for color in motif]
        except TypeError:
            raise TypeError(f"motif={motif!r}: give a text, a dict from colours to numbers, or a list of "
                            "colours") from None
    return ",".join(items)


def canonical_text(coloring: Any, motif: str) -> str:
    """Return the text that the library gives a motif, however the names in `motif` are quoted."""
    made = new_object("motif", lib.ms_motif_parse, encoded(motif), coloring)  # which has the text
    return text(lib.ms_motif_text(made))


class Bound:
    """A motif that is bound to a graph: an ``ms_query`` with all that it needs."""

    __slots__ = ("_needs", "coloring", "k", "motif", "names", "query", "required", "text")

    def __init__(self, graph: "Graph", motif: str, required: tuple[int, ...], with_session: bool) -> None:
        coloring = graph._need_colors()
        names = tuple(text(lib.ms_graph_name(graph._raw, v)) for v in required)
        # A session lets pruning look only at the vertices that fit a slot.
        session = graph._get_session() if with_session else None
        keep: list[Any] = []
        texts = strings(names, keep) if names else NULL
        with Call(attach=True) as call:
            self.motif = call.object("motif", lib.ms_motif_parse, encoded(motif), coloring)
            if session is None:
                self.query = call.object("query", lib.ms_query_new, graph._raw, coloring, self.motif, len(names), texts)
            else:
                self.query = call.object("query", lib.ms_session_query, session, self.motif, len(names), texts)
        # The query points into these.  It does not keep the Graph, which keeps its queries: the two
        # would be a cycle, and the graph would stay until the next collection of garbage.
        self._needs = (graph._raw, coloring, session)
        self.coloring = coloring
        self.required = required
        self.names = names
        self.k = lib.ms_motif_size(self.motif)
        self.text = text(lib.ms_motif_text(self.motif))

    def on(self, graph: "Graph") -> "Bound":
        """Return the same query on another graph of the same vertices and colours."""
        return Bound(graph, self.text, self.required, False)


def bind(graph: "Graph", motif: Motif, require: Any, with_session: bool = True) -> Bound:
    """Return the query of a motif on a graph; a graph keeps its last ones."""
    if not isinstance(motif, str):
        motif = motif_text(motif, graph.colors.names if graph.colors is not None else ())
    required = require if require.__class__ is tuple and not require else as_tuple(graph, require)
    key = (motif, required, with_session)
    kept = graph._queries
    try:
        found = kept.get(key)
    except TypeError:
        raise UsageError(f"require={require!r}: a node cannot be a list, a dict or a set") from None
    if found is None:
        found = Bound(graph, motif, vertices_of(graph, required), with_session)
        keep_query(graph, key, found)
    return found


def keep_query(graph: "Graph", key: Any, query: Any) -> None:
    """Keep a query or a pattern of a graph for the next time."""
    kept = graph._queries
    if len(kept) >= _MOST_KEPT:
        kept.clear()
    kept[key] = query


def as_tuple(graph: Any, require: Any) -> tuple[Any, ...]:
    """Return the required nodes as a tuple.

    A text is one node, and so is a tuple that is a node of the graph, as in NetworkX.
    """
    if isinstance(require, str) or not isinstance(require, Iterable):
        return (require,)
    if isinstance(require, tuple) and require and require in graph:
        return (require,)
    return tuple(require)


def vertices_of(graph: "Graph", nodes: Iterable[Any]) -> tuple[int, ...]:
    """Return the vertices of nodes that are required."""
    try:
        return tuple(graph.index(node) for node in nodes)
    except TypeError:
        raise UsageError("require= holds something that is no node, because it cannot be hashed") from None
    except KeyError as error:
        raise UsageError(f"require= names the node {error.args[0]!r}, which the graph lacks") from None


def names_of(graph: "Graph", nodes: Iterable[Any]) -> tuple[str, ...]:
    """Return the names of nodes that are required."""
    return tuple(text(lib.ms_graph_name(graph._raw, v)) for v in vertices_of(graph, nodes))
