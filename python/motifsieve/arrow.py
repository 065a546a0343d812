"""Columns as a stream of the Arrow C data interface, without a library of Arrow.

A `Table` has ``__arrow_c_stream__``, which pyarrow, polars, DuckDB, nanoarrow and others accept:
``pyarrow.table(result)``, ``polars.DataFrame(result)``.  Numbers, and lists of one length, are the
memory of the NumPy arrays; texts are numbers of a dictionary where the names of vertices or colours
repeat.

References: https://arrow.apache.org/docs/format/CDataInterface.html and
https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from ._columns import Partial

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Coded", "Partial", "Ragged", "Table", "Texts"]

_NULLABLE = 2  # ARROW_FLAG_NULLABLE
_MOST_BUFFERS = 3

# The formats of Arrow for types of NumPy, by kind and size in bytes.
_FORMATS = {
    ("i", 1): "c", ("u", 1): "C", ("i", 2): "s", ("u", 2): "S", ("i", 4): "i", ("u", 4): "I",
    ("i", 8): "l", ("u", 8): "L", ("f", 4): "f", ("f", 8): "g",
}  # fmt: skip


class Texts:
    """Strings in one block of UTF-8.

    Parameters
    ----------
    offsets : numpy.ndarray of int64, shape (n + 1,)
        String ``i`` is ``data[offsets[i]:offsets[i + 1]]``.
    data : bytes
    missing : numpy.ndarray of bool, shape (n,), optional
        Strings that are not there.
    """

    __slots__ = ("data", "missing", "offsets")

    def __init__(self, offsets: NDArray[np.int64], data: bytes,
                 missing: NDArray[np.bool_] | None = None) -> None:
        self.offsets, self.data, self.missing = offsets, data, missing

    @classmethod
    def of(cls, strings: Sequence[Any] | NDArray[Any]) -> "Texts":
        """Make the block of some strings; None, NaN: there is no string.

        Examples
        --------
        >>> from motifsieve.arrow import Texts
        >>> Texts.of(["ab", "", "c"]).offsets.tolist()
        [0, 2, 2, 3]
        """
        parts = [b"" if _is_missing(s) else str(s).encode("utf-8", "replace") for s in strings]
        offsets = np.zeros(len(parts) + 1, np.int64)
        np.cumsum([len(part) for part in parts], out=offsets[1:])
        missing = np.fromiter((_is_missing(s) for s in strings), bool, len(parts))
        return cls(offsets, b"".join(parts), missing if missing.any() else None)

    @classmethod
    def of_terminated(cls, data: bytes) -> "Texts":
        """Make the block of strings that each end in a byte of 0."""
        ends = np.flatnonzero(np.frombuffer(data, np.uint8) == 0)
        offsets = np.zeros(len(ends) + 1, np.int64)
        offsets[1:] = ends - np.arange(len(ends))
        return cls(offsets, data.translate(None, b"\0"))

    def __len__(self) -> int:
        return len(self.offsets) - 1


class Coded:
    """Numbers of strings of a dictionary, which columns may share.

    Parameters
    ----------
    codes : numpy.ndarray of an integer type, shape (n,)
    texts : Texts
    """

    __slots__ = ("codes", "texts")

    def __init__(self, codes: NDArray[Any], texts: Texts) -> None:
        self.codes, self.texts = codes, texts

    def __len__(self) -> int:
        return len(self.codes)


class Ragged:
    """Lists of any lengths.

    Parameters
    ----------
    offsets : numpy.ndarray of int64 or uint64, shape (n + 1,)
        List ``i`` is ``values[offsets[i]:offsets[i + 1]]``.
    values : column
    missing : numpy.ndarray of bool, shape (n,), optional
        Lists that are not there.
    """

    __slots__ = ("missing", "offsets", "values")

    def __init__(self, offsets: NDArray[Any], values: "Column",
                 missing: NDArray[np.bool_] | None = None) -> None:
        self.offsets, self.values, self.missing = offsets, values, missing

    def __len__(self) -> int:
        return len(self.offsets) - 1


Column = Union["NDArray[Any]", Texts, Coded, Ragged, Partial]


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


class _Node:
    """A node of the tree that ``python/arrow.h`` describes."""

    __slots__ = ("buffers", "children", "dictionary", "format", "length", "name", "nullable", "nulls")

    def __init__(self, name: str, format: str, length: int,
                 buffers: Sequence[NDArray[Any] | bytes | None],
                 children: Sequence["_Node"] = (), dictionary: "_Node | None" = None, nulls: int = 0,
                 nullable: bool = False) -> None:
        self.name, self.format, self.length = name, format, length
        self.buffers, self.children, self.dictionary = buffers, children, dictionary
        self.nulls, self.nullable = nulls, nullable or nulls > 0

    def walk(self) -> Iterator["_Node"]:
        yield self
        for child in self.children:
            yield from child.walk()
        if self.dictionary is not None:
            yield from self.dictionary.walk()


def _validity(missing: NDArray[np.bool_] | None) -> tuple[NDArray[np.uint8] | None, int]:
    """Return the bitmap of the values that are there, or None, and the number of those missing."""
    count = 0 if missing is None else int(np.count_nonzero(missing))
    if missing is None or count == 0:
        return None, 0
    return np.packbits(~missing, bitorder="little"), count


def _numbers(name: str, array: NDArray[Any]) -> _Node:
    array = np.asarray(array)
    if array.ndim == 2:
        child = _numbers("item", np.ascontiguousarray(array).reshape(-1))
        return _Node(name, f"+w:{array.shape[1]}", len(array), [None], [child])
    if array.ndim != 1:
        raise ValueError(f"column {name!r} has {array.ndim} dimensions; a column has one or two")
    if array.dtype.kind in "OUS":
        return _texts(name, Texts.of(array))
    if array.dtype.kind == "b":
        return _Node(name, "b", len(array), [None, np.packbits(array, bitorder="little")])
    format = _FORMATS.get((array.dtype.kind, array.dtype.itemsize))
    if format is None:
        raise ValueError(f"column {name!r} has the type {array.dtype}, for which there is no column of "
                         "Arrow here")
    array = np.ascontiguousarray(array, array.dtype.newbyteorder("="))
    # A number that does not exist, such as a z whose deviation is 0, is NaN here and null there.
    bits, nulls = _validity(np.isnan(array) if array.dtype.kind == "f" else None)
    return _Node(name, format, len(array), [bits, array], nulls=nulls,
                 nullable=array.dtype.kind == "f")


def _texts(name: str, texts: Texts) -> _Node:
    bits, nulls = _validity(texts.missing)
    small = len(texts.data) < 2**31
    offsets: NDArray[Any] = texts.offsets.astype(np.int32) if small else texts.offsets
    return _Node(name, "u" if small else "U", len(texts), [bits, offsets, texts.data], nulls=nulls,
                 nullable=True)


def _coded(name: str, column: Coded) -> _Node:
    if column.codes.ndim != 1:
        # DuckDB 1.5 reads a dictionary within a list of one length as if it were numbers.
        raise ValueError(f"column {name!r}: the numbers of a dictionary have one dimension")
    node = _numbers(name, column.codes)
    node.dictionary = _texts("", column.texts)
    return node


def _node(name: str, column: Column) -> _Node:
    if isinstance(column, Texts):
        return _texts(name, column)
    if isinstance(column, Coded):
        return _coded(name, column)
    if isinstance(column, Ragged):
        offsets = np.ascontiguousarray(column.offsets).view(np.int64)
        bits, nulls = _validity(column.missing)
        return _Node(name, "+L", len(column), [bits, offsets], [_node("item", column.values)], nulls=nulls)
    if isinstance(column, Partial):
        node = _numbers(name, column.values)
        bits, node.nulls = _validity(column.missing)
        node.buffers, node.nullable = [bits, node.buffers[1]], True
        return node
    return _numbers(name, column)


def _metadata(items: Mapping[str, str]) -> bytes:
    """Return keys and values in the form of ArrowSchema.metadata: lengths in the machine's order."""
    out = [np.int32(len(items)).tobytes()]
    for pair in items.items():
        for text in pair:
            data = text.encode("utf-8", "replace")
            out += [np.int32(len(data)).tobytes(), data]
    return b"".join(out)


class Table:
    """Columns of one length, which consumers of Arrow read without a copy.

    Parameters
    ----------
    columns : mapping of str to column
        A column is a NumPy array of numbers, booleans or strings with one dimension, or with two
        for lists of one length; or `Texts`, `Coded`, `Ragged` or `Partial`.
    metadata : mapping of str to str, optional
        Facts beside the columns, which files of Parquet and Feather keep.

    Notes
    -----
    The arrays stay alive until the consumer has released the last array, and must not change
    before.  The stream has one batch.

    Examples
    --------
    >>> import numpy as np
    >>> from motifsieve.arrow import Table
    >>> table = Table({"match": np.arange(3), "share": np.array([0.5, np.nan, 0.25])})
    >>> table
    <Table: 3 rows, match l, share g>
    >>> "arrow_array_stream" in repr(table.__arrow_c_stream__())
    True
    """

    def __init__(self, columns: Mapping[str, Column], metadata: Mapping[str, str] | None = None) -> None:
        nodes = [_node(name, column) for name, column in columns.items()]
        lengths = {node.length for node in nodes}
        if len(lengths) > 1:
            raise ValueError(f"the columns have different lengths: {sorted(lengths)}")
        self._rows = lengths.pop() if lengths else 0
        self._root = _Node("", "+s", self._rows, [None], nodes)
        self._metadata = dict(metadata or {})

    def __len__(self) -> int:
        return self._rows

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [node.name for node in self._root.children]

    def __repr__(self) -> str:
        columns = "".join(f", {node.name} {node.format}" for node in self._root.children)
        return f"<Table: {self._rows} rows{columns}>"

    def __arrow_c_schema__(self) -> object:
        """Return a capsule "arrow_schema" with the names and types of the columns."""
        return self._capsule(True)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return a capsule "arrow_array_stream" with the columns.

        Parameters
        ----------
        requested_schema : capsule, optional
            Is not read: the interface leaves it to the producer whether it converts, and a
            consumer compares the schema that it gets with the one that it asked for.
        """
        return self._capsule(False)

    def _capsule(self, schema: bool) -> object:
        from ._native import ffi, lib

        nodes = list(self._root.walk())
        keep: list[Any] = [nodes]
        numbers = np.zeros((len(nodes), 6), np.int64)
        buffers = np.zeros((len(nodes), _MOST_BUFFERS), np.uintp)
        formats, names = ffi.new("char *[]", len(nodes)), ffi.new("char *[]", len(nodes))
        for i, node in enumerate(nodes):
            numbers[i] = (node.length, node.nulls, _NULLABLE if node.nullable else 0, len(node.buffers),
                          len(node.children), node.dictionary is not None)
            for j, buffer in enumerate(node.buffers):
                if buffer is not None:
                    memory = ffi.from_buffer(buffer)
                    keep.append(memory)
                    buffers[i, j] = int(ffi.cast("uintptr_t", memory))
            for array, string in ((formats, node.format), (names, node.name)):
                text = ffi.new("char[]", string.encode("utf-8", "replace").replace(b"\0", b"?"))
                keep.append(text)
                array[i] = text
        facts = ffi.new("char[]", _metadata(self._metadata)) if self._metadata else ffi.NULL
        keep += [numbers, buffers, formats, names, facts]
        box: list[object] = []
        made = lib.py_arrow_capsule(
            ffi.cast("void *", id(box)), ffi.cast("void *", id(keep)), schema, formats, names, facts,
            ffi.from_buffer("int64_t[]", numbers), ffi.cast("void **", ffi.from_buffer(buffers)))
        if not made:
            raise MemoryError("there is no memory for the structs of the columns")
        return box[0]
