"""What every result can be turned into."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from ._door import public_class

if TYPE_CHECKING:
    import pandas

    from .arrow import Table
    from .results import Result

__all__ = ["Exports"]


@public_class
class Exports:
    """The conversions of a result; `Result` inherits them.

    The modules that they need are loaded when they are called.
    """

    __slots__ = ()

    def to_pandas(self, columns: Iterable[str] | str | None = None, *, long: bool = False, wide: bool = False,
                  labels: Sequence[str | None] | None = None) -> "pandas.DataFrame":
        """Return the rows as a data frame.

        Parameters
        ----------
        columns : iterable of str, str, or None
            Columns of the result, by the names of ``r.columns``; "all": all of them.  None: all but
            those of vertices (whose nodes are there) and, of matches of a motif, of slots; of a
            census or a comparison, those that fit into a terminal, ``r.brief``.
        long : bool
            Matches: a row for each vertex of a match, with the columns ``match``, ``node`` and
            ``slot`` or ``pattern_vertex``.
        wide : bool
            Matches of a motif: a column for each slot, in the order of its text, with the node that
            fills it; slots of the same colour are numbered, as in ``kinase_1``.  Near matches, too:
            a slot that nobody fills is None, and the column ``extra_vertices`` has a tuple.
        labels : sequence of str, optional
            What stands in the columns of nodes for each vertex of the graph, such as `Graph.labels`;
            where it is None, the node does.

        Returns
        -------
        pandas.DataFrame
            A copy, which may be changed.  Nodes that are not numbers are categoricals, and all
            results of a graph share their categories, so that columns can be compared and joined;
            words that repeat are categoricals, too.  Numbers that do not exist are NaN or NA.
            ``frame.attrs["motifsieve"]`` says what was asked, and how sure the answer is.

        Examples
        --------
        >>> import motifsieve as ms
        >>> g = ms.Graph.from_edges([("x", "y"), ("y", "z")], colors={"x": "a", "y": "b", "z": "a"})
        >>> r = g.list("a,b")
        >>> r.to_pandas()
           match node1 node2
        0      1     x     y
        1      2     y     z
        >>> r.to_pandas(long=True)
           match node slot
        0      1    x    a
        1      1    y    b
        2      2    y    b
        3      2    z    a
        >>> r.to_pandas(wide=True)
           match  a  b
        0      1  x  y
        1      2  z  y
        >>> r.to_pandas(["node1", "slot1"])
          node1 slot1
        0     x     a
        1     y     b
        """
        from .frames import to_pandas

        return to_pandas(cast("Result", self), columns, long, labels, wide)

    def to_arrow(self, columns: Iterable[str] | str | None = None, *, lists: bool = False) -> "Table":
        """Return the rows as columns for consumers of Arrow, such as pyarrow, polars and DuckDB.

        ``pyarrow.table(r)`` and ``polars.DataFrame(r)`` take the result itself; this method chooses
        columns.

        Parameters
        ----------
        columns : iterable of str, str, or None
            As in `to_pandas`, but None stands for all columns of a census or a comparison.
        lists : bool
            Matches: the vertices of a match are a list in one column ``vertices``, which is the
            memory of the result.  False: there is a column for each slot, or for each vertex of the
            pattern.

        Returns
        -------
        motifsieve.arrow.Table
            An object with ``__arrow_c_stream__``.  Numbers are not copied.  Numbers that do not
            exist, such as a z whose deviation is 0, are null.  The metadata of the schema, under the
            key "motifsieve", are a text of JSON that says what was asked, and how sure the answer
            is.

        Examples
        --------
        >>> import motifsieve as ms
        >>> g = ms.Graph.from_edges([("x", "y"), ("y", "z")], colors={"x": "a", "y": "b", "z": "a"})
        >>> g.list("a,b").to_arrow()
        <Table: 2 rows, match l, node1 I, node2 I>
        >>> g.list("a,b").to_arrow(lists=True)
        <Table: 2 rows, match l, vertices +w:2>
        """
        from .frames import to_arrow

        return to_arrow(cast("Result", self), columns, lists)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the rows as a stream of the Arrow C data interface; see `to_arrow`."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        """Return the schema of the stream of the Arrow C data interface."""
        return self.to_arrow().__arrow_c_schema__()

    def to_networkx(self) -> Any:
        """Return the vertices of the rows, and all edges of the graph among them.

        Returns
        -------
        networkx.Graph or networkx.DiGraph
            Its nodes are those of the source of the graph.  They have the attributes ``colors``
            (a list), and of matches ``matches`` (the number of rows that hold the vertex) and
            ``role`` (the slot, or the vertex of the pattern, in the first of them); of a screen, also
            the columns of the screen.  Edges have a ``score`` if the graph has scores.
            ``network.graph["motifsieve"]`` says what was asked, and how sure the answer is.

        Examples
        --------
        >>> import motifsieve as ms
        >>> g = ms.Graph.from_edges([("x", "y"), ("y", "z")], colors={"x": "a", "y": "b", "z": "a"})
        >>> g.list("a,b").to_networkx().nodes["y"]
        {'colors': ['b'], 'matches': 2, 'role': 'b'}
        """
        from .networks import to_networkx

        return to_networkx(cast("Result", self))

    def to_igraph(self) -> Any:
        """Return the vertices of the rows, and all edges of the graph among them.

        Returns
        -------
        igraph.Graph
            Vertices have the attributes of `to_networkx`, and ``name`` (a text) and ``vertex`` (the
            number in the graph that was searched).
        """
        from .networks import to_igraph

        return to_igraph(cast("Result", self))

    def to_cx2(self, **options: Any) -> list[dict[str, Any]]:
        """Return the network of the rows in the form CX2 of Cytoscape and NDEx.

        Parameters
        ----------
        options : optional
            ``match=N``: only the match of this number; ``whole_graph=True``: all vertices.

        Returns
        -------
        list of dict
            The aspects; ``json.dump`` writes them to a file, and ``r.write("network.cx2")`` does so
            without this list.  docs/RESULT.md describes the attributes.

        Raises
        ------
        UsageError
            The result has no vertices, such as a census.
        """
        from .networks import to_cx2

        return to_cx2(cast("Result", self), **options)

    def to_obs(self, prefix: str = "motif") -> "pandas.DataFrame":
        """Return a row for each vertex of the graph, such as the cells of an AnnData object.

        Parameters
        ----------
        prefix : str
            The names of the columns begin with it.

        Returns
        -------
        pandas.DataFrame
            Its index has the nodes, in the order of the graph.  The columns are ``PREFIX_found``
            (whether a row holds the vertex), and of matches ``PREFIX_matches`` (how many do) and
            ``PREFIX_role``.

        Examples
        --------
        >>> import motifsieve as ms
        >>> g = ms.Graph.from_edges([("x", "y"), ("y", "z")], colors={"x": "a", "y": "b"})
        >>> g.list("a,b").to_obs()
           motif_found  motif_matches motif_role
        x         True              1          a
        y         True              1          b
        z        False              0        NaN
        """
        from .cells import to_obs

        return cast("pandas.DataFrame", to_obs(cast("Result", self), prefix))

    def to_anndata(self, adata: Any, key_added: str = "motif") -> None:
        """Put the result into the AnnData object from whose cells the graph was made.

        Parameters
        ----------
        adata : anndata.AnnData
            The cells, in any order; it is changed.
        key_added : str
            The name of what is added.  A second call with it replaces what the first one added.

        Notes
        -----
        ``adata.obs``
            The columns of `to_obs`, if the rows hold vertices.
        ``adata.obsm[key_added]``
            What was counted for each vertex: of `census_vertices` the sets of each motif, of `orbits`,
            of `cliques` with ``per_vertex=True``, and of `match` with ``roles=True``.
            ``adata.uns[key_added]["columns"]`` names its columns.
        ``adata.uns[key_added]``
            ``"motifsieve"``: what was asked, and how sure the answer is; ``"table"``: the data frame of
            a result whose rows are motifs, such as `significance`.
        """
        from .cells import to_anndata

        to_anndata(cast("Result", self), adata, key_added)

    def plot(self, axes: Any = None, *, rows: int = 20) -> Any:
        """Plot the result by matplotlib, which has to be installed.

        Parameters
        ----------
        axes : matplotlib.axes.Axes, optional
            Where to plot; default: a new figure.
        rows : int
            A census: the number of motifs that are shown, the first ones.

        Returns
        -------
        matplotlib.axes.Axes
            A census: the number of sets of each motif beside what is expected, with two standard
            deviations, and a dot for each permutation that ``keep_counts=`` kept.  Vertices and matches: those found, at the positions of a graph that has
            some; otherwise the network of the first matches.

        Raises
        ------
        ImportError
            There is no matplotlib.
        UsageError
            There is no plot of such a result.
        """
        from .plots import plot

        return plot(cast("Result", self), axes, rows)

    def _repr_html_(self) -> str:
        """Return what notebooks show: a small table, how sure the answer is, and a picture."""
        from .notebook import html

        return html(cast("Result", self))
