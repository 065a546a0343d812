"""The keywords that functions share, and their translation into options of the library."""

from __future__ import annotations

import importlib
import numbers
import operator
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Union

from ._call import defaults, string, text
from ._native import ffi, lib
from .errors import UsageError

Gpu = Union[Literal["auto"], bool, int, Sequence[int], None]
Progress = Union[Literal["auto"], bool, Callable[[str, int, int], object]]

# ---- values ----------------------------------------------------------------------------


def chosen(name: str, value: Any, table: dict[Any, int]) -> int:
    try:
        return table[value]
    except (KeyError, TypeError):
        raise UsageError(f"{name}={value!r}: give one of {', '.join(map(repr, table))}") from None


def whole(name: str, value: Any, least: int = 0) -> int:
    """Return a whole number that a parameter was given; None: 0, the default."""
    if value is None:
        return 0
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        number = -1
    if is_flag(value):
        number = -1
    if number == value and number >= 1 << 64:
        raise UsageError(f"{name}={value!r}: give at most 2**64 - 1, or leave it out")
    if number != value or number < least:
        raise UsageError(f"{name}={value!r}: give a whole number from {least} on, or leave it out")
    return number


def is_flag(value: Any) -> bool:
    """True for True and False, which are no numbers."""
    return type(value).__name__ in ("bool", "bool_")


_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def memory_bytes(memory: int | str | None) -> int:
    """Return a bound of memory in bytes; 0: the library's default.

    Examples
    --------
    >>> memory_bytes("2G"), memory_bytes(None), memory_bytes(4096)
    (2147483648, 0, 4096)
    """
    if memory is None:
        return 0
    if isinstance(memory, str):
        number = memory.strip().lower().removesuffix("b").removesuffix("i")
        unit = number[-1:] if number[-1:] in "kmgt" else ""
        try:
            bytes_ = int(float(number.removesuffix(unit)) * _UNITS[unit])
        except ValueError:
            bytes_ = 0
    elif isinstance(memory, numbers.Real) and not is_flag(memory):
        bytes_ = int(memory) if memory == memory and abs(memory) < 1 << 64 else 0
    else:
        bytes_ = 0
    if not 0 < bytes_ < 1 << 64:
        raise UsageError(f'memory={memory!r}: give bytes, a text such as "4G", or None')
    return bytes_


def thread_count(threads: int | None) -> int:
    """Return a number of threads; 0: the library's default.  The library refuses impossible ones."""
    if threads is None:
        return 0
    try:
        number = 0 if is_flag(threads) else operator.index(threads)
    except TypeError:
        number = 0
    if not 0 < number < 1 << 31:
        raise UsageError(f"threads={threads!r}: give a whole number above 0, or None")
    return number


def checked_seed(seed: int) -> int:
    """Return the seed, a whole number that result files can state."""
    if seed.__class__ is int and 0 <= seed < 1 << 63:
        return seed
    try:
        number = -1 if is_flag(seed) else operator.index(seed)
    except TypeError:
        number = -1
    if not 0 <= number < 1 << 63:
        raise UsageError(f"seed={seed!r}: give a whole number from 0 to 2**63 - 1")
    return number


def set_gpu(options: Any, gpu: Any, keep: list[Any]) -> None:
    """Set backend and devices of a struct of options; arrays go into `keep`."""
    if gpu == "auto":
        return
    if gpu is False or gpu is None:
        options.backend = lib.MS_BACKEND_CPU
    elif gpu is True:
        options.backend = lib.MS_BACKEND_CUDA
    else:
        options.backend = lib.MS_BACKEND_CUDA
        set_devices(options, gpu, keep)


def set_devices(options: Any, gpu: Any, keep: list[Any]) -> None:
    """Set the numbers of GPUs of a struct of options."""
    try:
        devices = [operator.index(i) for i in ([gpu] if isinstance(gpu, numbers.Integral) else gpu)
                   if not is_flag(i)]
        if not isinstance(gpu, numbers.Integral) and len(devices) != len(gpu):
            raise TypeError
    except TypeError:
        raise UsageError(
            f'gpu={gpu!r}: give "auto", True, False, or the numbers of GPUs, such as [0, 1]'
        ) from None
    if not devices:
        raise UsageError("gpu=[]: name a GPU, or give False to use none")
    array = ffi.new("int[]", devices)
    keep.append(array)
    options.run.devices = array
    options.run.n_devices = len(devices)


def engine_name(gpu: Any) -> str | None:
    """Return the engine that ``gpu=`` stands for; None: auto."""
    if isinstance(gpu, str):
        if gpu != "auto":
            raise UsageError(
                f'gpu={gpu!r}: give "auto", True, False, or the numbers of GPUs, such as [0, 1]'
            )
        return None
    return "cpu" if gpu is False or gpu is None else "gpu"


# ---- keywords of a search ---------------------------------------------------------------


def set_limits(o: Any, threads: int | None, memory: int | str | None) -> None:
    """Set ``threads=`` and ``memory=`` of a struct of options."""
    if threads is not None:
        o.run.threads = thread_count(threads)
    if memory is not None:
        o.run.memory = memory_bytes(memory)


def set_engine(o: Any, gpu: Any, keep: list[Any], sieve: bool = False) -> None:
    """Set the engine that ``gpu=`` stands for, and its GPUs; with `sieve`, also where a sieve runs that goes first."""
    engine = engine_name(gpu)
    if engine is not None:
        o.run.engine = string(engine, keep)
    if sieve:
        set_gpu(o, gpu, keep)
    elif engine == "gpu" and gpu is not True:
        set_devices(o, gpu, keep)


def named_texts(keyword: str, given: Any, text_of: Callable[[Any], str]) -> tuple[list[str], list[str]]:
    """Return the names and the texts of items: the names of a dict, or else the texts are the names."""
    if isinstance(given, str):
        raise TypeError(f"{keyword}= is one text; give a list of {keyword}, or a dict from names to {keyword}")
    items = given.values() if isinstance(given, Mapping) else given
    texts = [text_of(item) for item in items]
    names = [str(name) for name in given] if isinstance(given, Mapping) else texts
    if names is texts and len(set(texts)) < len(texts):
        raise UsageError(f"{keyword}= has a {keyword[:-1]} twice; give a dict with a name for each of them")
    if not texts:
        raise UsageError(f"{keyword}= is empty; give a {keyword[:-1]}")
    return names, texts


# ---- other packages ---------------------------------------------------------------------------


def needed(module: str, name: str, caller: str, package: str = "", instead: str = "") -> Any:
    """Return a module of a package called `name`, which not everybody has installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ImportError(f"{caller}() needs {name}: install it (pip install {package or name})"
                          f"{instead}") from None


# ---- runs that check themselves -------------------------------------------------------------


def paranoid_fraction(paranoid: float | None) -> float:
    """Return the part of the work that ``paranoid=`` lets a run compute twice; 0: none.

    Examples
    --------
    >>> paranoid_fraction(None), paranoid_fraction(0.2), paranoid_fraction(True)
    (0.0, 0.2, 0.05)
    """
    if paranoid is None or paranoid is False:
        return 0.0
    if paranoid is True:
        usual: float = lib.MS_PARANOID_USUAL
        return usual
    try:
        fraction = float(paranoid) if isinstance(paranoid, numbers.Real) else 0.0
    except OverflowError:
        fraction = 0.0
    if not 0 < fraction <= 1:
        raise UsageError(f"paranoid={paranoid!r}: give a part of the work above 0 and at most 1, such as 0.05, or None")
    return fraction


def set_paranoid(o: Any, paranoid: float | None, keep: list[Any]) -> Sequence[str]:
    """Let the run that the options describe check itself.

    What they point to goes into `keep`.  Returns the warnings that the run will have received; see
    `warn_of`.
    """
    fraction = 0.0 if paranoid is None else paranoid_fraction(paranoid)
    if not fraction:
        return ()
    found: list[str] = []
    division, handle = defaults("division"), ffi.new_handle(found)
    division.paranoid, division.warn, division.warn_user = fraction, lib.py_warn, handle
    o.run.division = division
    keep += (division, handle)
    return found


@ffi.def_extern()
def py_warn(user: Any, message: Any) -> None:
    ffi.from_handle(user).append(text(message))


def warn_of(found: Sequence[str], category: type[Warning] = RuntimeWarning) -> None:
    """Pass on the warnings of a call to the caller of the package."""
    depth = 2
    while sys._getframe(depth - 1).f_globals.get("__name__", "").startswith("motifsieve."):
        depth += 1
    for message in found:
        warnings.warn(message, category, depth)
