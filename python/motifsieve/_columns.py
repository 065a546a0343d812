"""The columns of a result, whose nodes and words are numbers until an array of them is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import object_array

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .results import Result

__all__ = ["Columns", "NodeLists", "Nodes", "Numbered", "Partial", "Words"]


class Nodes:
    """A column of nodes, as vertices."""

    __slots__ = ("ids",)

    def __init__(self, ids: NDArray[Any]) -> None:
        self.ids = ids

    def array(self, result: "Result") -> NDArray[Any]:
        return result.labels(self.ids)


class Words:
    """A column of words, as numbers of a list of words."""

    __slots__ = ("codes", "words")

    def __init__(self, codes: NDArray[Any], words: tuple[str, ...]) -> None:
        self.codes, self.words = codes, words

    def array(self, result: "Result") -> NDArray[Any]:
        return object_array(self.words)[self.codes]

    def different(self) -> "Words":
        """Return the same column with different words; two slots may have the same colour."""
        words = tuple(dict.fromkeys(self.words))
        number = {word: i for i, word in enumerate(words)}
        return Words(np.array([number[word] for word in self.words], np.int32)[self.codes], words)


class NodeLists:
    """A column of lists of nodes, as vertices: list i is ids[offsets[i]:offsets[i + 1]].

    The array has tuples, and None where a list is empty.
    """

    __slots__ = ("ids", "offsets")

    def __init__(self, offsets: NDArray[Any], ids: NDArray[Any]) -> None:
        self.offsets, self.ids = offsets, ids

    def array(self, result: "Result") -> NDArray[Any]:
        return self.of(result.labels(self.ids).tolist())

    def of(self, items: Any) -> NDArray[Any]:
        """Return the lists of the items that stand for the vertices."""
        at = self.offsets.tolist()
        return object_array([tuple(items[a:b]) if b > a else None for a, b in zip(at, at[1:])])


class Partial:
    """Numbers some of which are not there.

    Parameters
    ----------
    values : numpy.ndarray, shape (n,)
    missing : numpy.ndarray of bool, shape (n,)
    """

    __slots__ = ("missing", "values")

    def __init__(self, values: NDArray[Any], missing: NDArray[np.bool_]) -> None:
        self.values, self.missing = values, missing

    def __len__(self) -> int:
        return len(self.values)

    def array(self, result: "Result") -> NDArray[Any]:
        return self.values


class Numbered:
    """A column that a function makes as `Nodes`, `Words`, `NodeLists` or `Partial`."""

    __slots__ = ("make",)

    def __init__(self, make: Any) -> None:
        self.make = make


class Columns(Mapping[str, "NDArray[Any]"]):
    """The columns of a result, by name; each is made at its first use."""

    def __init__(self, result: "Result") -> None:
        self._result, self._make = result, result._columns()

    def __getitem__(self, name: str) -> NDArray[Any]:
        made = self._result._made
        if name not in made:
            make = self._make[name]
            array: NDArray[Any] = make.make().array(self._result) if isinstance(make, Numbered) else \
                make() if callable(make) else make
            if array.flags.writeable:
                array.flags.writeable = False
            made[name] = array
        return made[name]

    def numbered(self, name: str) -> Any:
        """Return a column with its nodes and words as numbers."""
        make = self._make[name]
        return make.make() if isinstance(make, Numbered) else self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._make)

    def __len__(self) -> int:
        return len(self._make)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def __reduce__(self) -> Any:
        return dict, ({name: np.array(self[name]) for name in self},)

    def __repr__(self) -> str:
        return f"<Columns: {', '.join(self._make)}>"
