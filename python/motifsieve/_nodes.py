"""What graphs of both classes share, and all objects that do not change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, List

import numpy as np

from ._arrays import object_array
from ._door import public_class

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Unchanging:
    """An object that does not change, so that it is its own copy."""

    __slots__ = ()

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self


@public_class
class WithNodes(Unchanging):
    """A graph, whose vertices stand for nodes."""

    __slots__ = ("_ids", "_labels", "_nodes")

    _nodes: Sequence[Any] | None  # None: the names
    _ids: dict[Any, int] | None  # the vertices of the nodes
    _labels: NDArray[Any] | None  # the nodes as an array

    def __len__(self) -> int:
        raise NotImplementedError

    @property
    def vertex_count(self) -> int:
        """The number of vertices, ``len(g)``."""
        return len(self)

    @property
    def names(self) -> List[str]:
        """The names of the vertices."""
        raise NotImplementedError

    @property
    def nodes(self) -> Sequence[Any]:
        """The nodes that the vertices stand for: those of the source, or else the names."""
        return self.names if self._nodes is None else self._nodes

    def index(self, node: Any) -> int:
        """Return the vertex of a node; KeyError: there is none."""
        if self._ids is None:
            self._ids = {label: v for v, label in enumerate(self.nodes)}
        return self._ids[node]

    def __contains__(self, node: Any) -> bool:
        """True if the graph has this node."""
        try:
            self.index(node)
        except (KeyError, TypeError):
            return False
        return True

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the nodes."""
        return iter(self.nodes)

    def _node_array(self) -> NDArray[Any]:
        """Return the nodes as an array: of int64 if they are numbers 0 to n - 1."""
        if self._labels is None:
            nodes = self.nodes
            self._labels = np.arange(len(nodes)) if isinstance(nodes, range) else object_array(nodes)
        return self._labels
