"""The exceptions of the package.

All of them are a `MotifsieveError` and, beside it, the built-in exception that a Python program
expects, so that ``except ValueError`` and ``except MemoryError`` work, too.
"""

from __future__ import annotations

import os
import re
from typing import Any, NoReturn

__all__ = [
    "DeviceLostError",
    "InputError",
    "InputFileError",
    "InternalError",
    "MemoryLimitError",
    "MissingFileError",
    "MotifsieveError",
    "OutputError",
    "StoppedError",
    "TimeLimitError",
    "UsageError",
]


class MotifsieveError(Exception):
    """The base of all exceptions of this package.

    Attributes
    ----------
    status : int
        The status of the C library, an ``ms_status``.
    """

    status: int = 0


class UsageError(MotifsieveError, ValueError):
    """An argument makes no sense, or does not fit the others."""

    status = 1


class InputError(MotifsieveError, ValueError):
    """A file or an object that was given is malformed."""

    status = 2


class InputFileError(InputError, OSError):
    """A file that was given cannot be read."""


class MissingFileError(InputFileError, FileNotFoundError):
    """A file that was given does not exist."""


class OutputError(MotifsieveError, OSError):
    """A result could not be written; the file that was there before stays."""

    status = 3


class MemoryLimitError(MemoryError, MotifsieveError):
    """There is no memory, or ``memory=`` is too small."""

    status = 4


class TimeLimitError(MotifsieveError, TimeoutError):
    """``timeout=`` ended a call that has no partial result, such as reading a graph."""

    status = 5


class StoppedError(MotifsieveError):
    """A `Stop` ended a call that has no partial result, such as reading a graph."""

    status = 6


class DeviceLostError(MotifsieveError, RuntimeError):
    """A GPU went away; the call may be repeated."""

    status = 7


class InternalError(MotifsieveError, RuntimeError):
    """A bug in the library; please report it."""

    status = 8


_BY_STATUS: dict[int, type[MotifsieveError]] = {
    cls.status: cls
    for cls in (
        UsageError,
        InputError,
        OutputError,
        MemoryLimitError,
        TimeLimitError,
        StoppedError,
        DeviceLostError,
        InternalError,
    )
}

# Parameters of the C library whose names differ in Python.  All others have the same name.
_IN_PYTHON = {
    "MS_BACKEND_CPU": "gpu=False",
    "MS_FORM_BINARY": 'form="binary"',
    "MS_FORM_CX2": 'form="cx2"',
    "MS_FORM_JSON": 'form="json"',
    "MS_FORM_SVG": 'form="svg"',
    "MS_METHOD_EXACT": 'method="exact"',
    "MS_SCREEN_ALWAYS": 'screen="always"',
    "MS_SIBLING": 'recurrence="sibling"',
    "backend": "gpu=",
    "colors_path": "colors=",
    "devices": "gpu=",
    "engine": "gpu=",
    "by_position": "roles=",
    "keep_scores": "scores=",
    "least": "min_k=",
    "moments": "moments=",
    "neighbors.mutual": "mutual=",
    "neighbors.nearest": "knn=",
    "neighbors.radius": "radius=",
    "null_kind": "null=",
    "required": "require=",
    "samples": "moment_samples=",
    "screen_mode": "screen=",
    "seconds": "timeout=",
    "slots": "k=",
    "stratum": "strata=",
    "substitutes": "substitutes=",
}

# Parameters of calls that the package does not have.
NOT_IN_PYTHON = frozenset(
    {"all_shapes", "all_sums", "best", "checkpoint", "motifs", "part", "reference", "rest", "resume", "rows_path", "significance",
     "type_column", "wide"}
)


def in_python_terms(message: str) -> str:
    """Return a message of the library with Python's names of the parameters.

    Examples
    --------
    >>> in_python_terms("the limit is 0; raise `limit` or leave out `required`")
    'the limit is 0; raise limit= or leave out require='
    """

    def name(match: re.Match[str]) -> str:
        word = match.group(1)
        if word in _IN_PYTHON:
            return _IN_PYTHON[word]
        return word.rpartition(".")[2] + "="

    message = message.removeprefix("(in memory): ")  # no file has to be named
    # what stands for "none" in C
    message = re.sub(r"(`(?:limit|top|sample|families)`) to 0\b", r"\1 to None", message)
    message = re.sub(r"(`[a-z_]+`) to (true|false)\b", lambda m: f"{m[1]} to {m[2].title()}", message)
    return re.sub(r"`([A-Za-z_][A-Za-z_0-9.]*)`", name, message)


def raise_error(status: int, message: str, path: Any = None) -> NoReturn:
    """Raise the exception of a status of the library."""
    cls = _BY_STATUS.get(status, InternalError)
    text = in_python_terms(message)
    if cls is InputError and path is not None and path != "-":
        if not os.path.exists(path):
            cls = MissingFileError
        elif not os.access(path, os.R_OK):
            cls = InputFileError
    error = cls(text)
    error.status = status
    raise error
