"""The door of the package: what its public functions are given, and which exceptions leave them.

`public` wraps a function, and `public_class` the public methods of a class.  An argument whose
parameter has an annotation of the table `_CHECKS` is checked before the function runs, and the
message names the parameter.  An exception of Python or of another package that an argument causes
all the same becomes a `UsageError` or a `MemoryLimitError`; exceptions of the program's own code,
such as a function that ``progress=`` was given, pass.
"""

from __future__ import annotations

import inspect
import numbers
import operator
import os
import types
from collections.abc import Callable
from typing import Any, TypeVar

from ._call import Stop
from ._keywords import is_flag
from .errors import MemoryLimitError, MotifsieveError, UsageError

__all__ = ["public", "public_class"]

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

_STRAY = (ArithmeticError, AttributeError, LookupError, RecursionError, ValueError)
# What looks something up promises a KeyError or an IndexError.
LOOK_UPS = frozenset({"__getitem__", "index", "labels", "matches_of", "neighbors", "of", "path", "row",
                      "row_of", "sums_of", "type_of", "vertices_of"})
_OURS = frozenset({"motifsieve", "numpy", "pandas", "scipy", "networkx", "igraph", "anndata", "cffi"})
# Whoever calls these is to blame.
_TRANSPARENT = frozenset({"os", "posixpath", "codecs", "encodings", "json", "tempfile"})


# ---- arguments ---------------------------------------------------------------------------
# Each check returns the value that the function gets.


def _bool(name: str, value: Any) -> bool:
    if value.__class__ is bool:
        return bool(value)
    if type(value).__module__ == "numpy" and type(value).__name__ in ("bool_", "bool"):
        return bool(value)
    raise UsageError(f"{name}={value!r}: give True or False")


def _int(name: str, value: Any) -> Any:
    if value.__class__ is int:
        return value
    if isinstance(value, numbers.Integral) and not is_flag(value):
        return operator.index(value)
    if isinstance(value, numbers.Real) and not is_flag(value) and abs(value) < 1 << 53 and \
            int(value) == value:
        return int(value)
    raise UsageError(f"{name}={value!r}: give a whole number")


def _float(name: str, value: Any) -> Any:
    if isinstance(value, numbers.Real) and not is_flag(value) and value == value:
        try:
            return float(value)
        except OverflowError:
            pass
    raise UsageError(f"{name}={value!r}: give a number")


def _text(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        raise UsageError(f"{name}={value!r}: give a text")
    if "\0" in value:
        raise UsageError(f"{name}={value!r}: a text has no NUL character")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise UsageError(f"{name}={value!r} is no text of Unicode, because it has half of a pair of "
                             "surrogates; correct it") from None
    return value


def _needed_text(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        raise TypeError(f"{name}={value!r}: give a text")
    return _text(name, value)


def _path(name: str, value: Any) -> Any:
    if not isinstance(value, (str, os.PathLike)):
        raise UsageError(f"{name}= is a {type(value).__name__}, not the path of a file; a result in memory "
                         "has the methods verify() and write()")
    path = os.fspath(value)
    if not isinstance(path, str):
        raise UsageError(f"{name}={value!r}: give the path as a text; os.fsdecode makes one of bytes")
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        raise UsageError(f"{name}={value!r}: no file has this name, because it is no text of "
                         "Unicode") from None
    if not path or "\0" in path:
        raise UsageError(f"{name}={value!r}: no file has a name "
                         f"{'with a NUL character' if path else 'without characters'}")
    return value


def _sequence(name: str, value: Any) -> Any:
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise UsageError(f"{name}={value!r}: give a list")
    return value


def _texts(name: str, value: Any) -> Any:
    return value if isinstance(value, str) else _sequence(name, value)  # one text stands for a list of one


def _stop(name: str, value: Any) -> Any:
    if not isinstance(value, Stop):
        raise TypeError(f"{name}={value!r}: give a motifsieve.Stop, or None")
    return value


def _graph(name: str, value: Any) -> Any:
    from .graph import Graph

    if not isinstance(value, Graph):
        raise TypeError(f"{name} is a {type(value).__name__}; give a motifsieve.Graph, such as ms.Graph(...)")
    return value


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "bool": _bool,
    "int": _int,
    "float": _float,
    "str": _text,
    "str | os.PathLike[str]": _path,
    "Sequence[Any]": _sequence,
    "Sequence[str]": _texts,
    "Stop": _stop,
    "Graph": _graph,
}


def _checks_of(function: Callable[..., Any]) -> tuple[tuple[str, ...], dict[str, tuple[Any, bool]]]:
    """Return the parameters by place, and for each that is checked: how, and whether it may be None."""
    by_place, checks = [], {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            by_place.append(name)
        kind = str(parameter.annotation).strip("'\"")
        check = _CHECKS.get(kind.removesuffix(" | None"))
        if check is not None and name not in ("paranoid", "timeout"):  # which have checks of their own
            check = _needed_text if check is _text and parameter.default is parameter.empty else check
            checks[name] = (check, kind.endswith(" | None"))
    return tuple(by_place), checks


# ---- exceptions ----------------------------------------------------------------------------


def _is_ours(error: BaseException) -> bool:
    """True if the package, or a package that it called, raised the exception."""
    trace, name = error.__traceback__, ""
    while trace is not None:
        here = str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
        name = name if here in _TRANSPARENT else here
        trace = trace.tb_next
    return name in _OURS


def _translated(function: str, given: dict[str, Any], error: Exception) -> Exception | None:
    """Return what is raised in place of an exception, or None."""
    if isinstance(error, MotifsieveError) or not _is_ours(error):
        return None
    function = function.rpartition(".")[2]
    if isinstance(error, LookupError) and function in LOOK_UPS:
        return None
    if isinstance(error, MemoryError):
        why = f" ({error})" if str(error) else ""
        return MemoryLimitError(f"{function}() has no memory{why}; free memory, or use a smaller input")
    if isinstance(error, OverflowError):
        large = {name: value for name, value in given.items()
                 if isinstance(value, (int, float)) and not 0 <= value < 1 << 31}
        if large:
            name = max(large, key=lambda name: abs(large[name]))
            return UsageError(f"{name}={large[name]!r}: the number is out of range")
    return UsageError(f"{function}(): an argument makes no sense ({type(error).__name__}: {error})")


# ---- the door --------------------------------------------------------------------------------


def public(function: F) -> F:
    """Return the function with the checks of its arguments and of its exceptions."""
    if getattr(function, "__wrapped__", None) is not None:
        return function
    by_place: tuple[str, ...] = ()
    checks: dict[str, tuple[Any, bool]] | None = None
    title = function.__qualname__
    # what `door` uses is in its closure, because its globals are those of the module of the function,
    # so that doctest finds its examples there
    checks_of, translated, errors, pairs = _checks_of, _translated, (*_STRAY, MemoryError), zip

    def door(*args: Any, **options: Any) -> Any:
        nonlocal by_place, checks
        if checks is None:
            by_place, checks = checks_of(function)
        try:
            place = 0
            for name, value in pairs(by_place, args):
                if name in checks and not (value is None and checks[name][1]):
                    good = checks[name][0](name, value)
                    if good is not value:
                        args = (*args[:place], good, *args[place + 1:])
                place += 1
            for name, value in options.items():
                if name in checks and not (value is None and checks[name][1]):
                    options[name] = checks[name][0](name, value)
            return function(*args, **options)
        except errors as error:
            other = translated(title, {**{name: value for name, value in pairs(by_place, args)}, **options},
                               error)
            if other is None:
                raise
            raise other from error

    made: Any = types.FunctionType(door.__code__, function.__globals__, function.__name__, None,
                                   door.__closure__)
    for name in ("__doc__", "__module__", "__qualname__", "__annotations__"):
        setattr(made, name, getattr(function, name))
    made.__wrapped__ = function
    return made


def public_class(cls: C) -> C:
    """Return the class, whose public methods are those of `public`."""
    for name, member in list(vars(cls).items()):
        if name.startswith("_") and name not in ("__contains__", "__getitem__"):
            continue
        if isinstance(member, (classmethod, staticmethod)):
            setattr(cls, name, type(member)(public(member.__func__)))
        elif isinstance(member, types.FunctionType):
            setattr(cls, name, public(member))
    return cls
