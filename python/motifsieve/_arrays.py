"""Memory of the library as NumPy arrays."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ._call import NULL
from ._native import ffi
from .errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray


_DTYPES = {"_Bool": "|b1", "uint8_t": "|u1", "uint32_t": "<u4", "uint64_t": "<u8", "float": "<f4", "double": "<f8"}


class _View:
    """Memory of the library as NumPy sees it; keeps its owner alive."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, pointer: Any, shape: tuple[int, ...], typestr: str, owner: Any) -> None:
        self.__array_interface__ = {
            "data": (int(ffi.cast("uintptr_t", pointer)), True),
            "shape": shape,
            "typestr": typestr,
            "version": 3,
        }
        self.owner = owner


def view(pointer: Any, shape: int | tuple[int, ...], dtype: str, owner: Any) -> NDArray[Any]:
    """Return a read-only array on memory that belongs to `owner`, without a copy.

    `dtype` is a type string of NumPy, such as ``"<u4"``.  An array without items has memory of its
    own, because the pointer may be NULL.
    """
    shape = (shape,) if isinstance(shape, int) else shape
    if 0 in shape or pointer == NULL:
        array = np.zeros(shape, dtype)
        array.flags.writeable = False
        return array
    return np.asarray(_View(pointer, shape, dtype, owner))


@lru_cache(None)
def arrays_in(struct: Any) -> dict[str, str]:
    """Return the members of a struct, a type of cffi, that point to numbers: their names and dtypes."""
    pointers = {name: field.type.item.cname for name, field in struct.fields if field.type.kind == "pointer"}
    return {name: _DTYPES[item] for name, item in pointers.items() if item in _DTYPES}


def records(pointer: Any, count: int, owner: Any) -> NDArray[Any]:
    """Return an array of structs as a structured array of their numbers, without a copy."""
    struct = ffi.typeof(pointer).item
    numbers = [(name, _DTYPES[field.type.cname], field.offset) for name, field in struct.fields
               if field.type.cname in _DTYPES]
    names, formats, offsets = zip(*numbers)
    size = ffi.sizeof(struct)
    record = np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})
    return view(pointer, count * size, "|u1", owner).view(record)


def items_of(array: NDArray[Any], ids: Any) -> NDArray[Any]:
    """Return the items of an array whose numbers are `ids`, in the shape of `ids`."""
    numbers = np.asarray(ids)
    if numbers.size == 0 and numbers.dtype.kind in "fO":
        numbers = numbers.astype(np.int64)
    if numbers.dtype.kind not in "iu":
        raise UsageError("ids= holds something that is no number of a vertex")
    if numbers.size and not 0 <= int(numbers.min()) <= int(numbers.max()) < len(array):
        raise IndexError(f"ids= names a vertex beyond 0 to {len(array) - 1}")
    found: NDArray[Any] = array[numbers]
    return found


def real_array(values: Any) -> NDArray[np.float64]:
    """Return an array of numbers; TypeError or ValueError: an item is no real number."""
    array = np.asarray(values)
    if array.dtype.kind not in "biufO":
        raise TypeError(f"{array.dtype} is no type of real numbers")
    return np.asarray(array, np.float64)


def object_array(items: Any) -> NDArray[np.object_]:
    """Return an array of Python objects, also of tuples."""
    array = np.empty(len(items), object)
    for i, item in enumerate(items):
        array[i] = item
    return array
