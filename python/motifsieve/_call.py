"""Calls into the library: stop tokens, deadlines, Ctrl-C, progress, errors.

The module of cffi releases the GIL in each call.  In the main thread, a handler in C (native.h)
stands before Python's own handler of SIGINT while a call runs.  It requests the call's stop token,
which the library polls, and passes the signal on, so that Python raises KeyboardInterrupt as soon
as the call has returned.  So Ctrl-C works in scripts, in terminals and in notebooks, whose kernels
run cells in the main thread, and costs two system calls.  (A worker thread for each call would cost
two thread switches, and Python itself runs its handler only between bytecodes of the main thread.)
Python delivers KeyboardInterrupt to no other thread; a call in another thread ends by its
``timeout=`` or by a `Stop`.
"""

from __future__ import annotations

import importlib.util
import numbers
import os
import sys
import threading
import time
import warnings
from typing import Any

from . import errors
from ._native import ffi, lib

NULL = ffi.NULL
_free_tokens: list[Any] = []
_get_ident = threading.get_ident
_main_thread = threading.main_thread


def _warn_of_environment() -> None:
    """Warn of a variable of the environment whose value the library would ignore."""
    err = ffi.new("ms_error *")
    if lib.ms_environment_check(err) != 0:
        warnings.warn(ffi.string(err.message).decode(errors="replace"), RuntimeWarning, stacklevel=2)


_warn_of_environment()

STOPPED = {0: None, 3: "space", 4: "memory", 5: "time", 6: "interrupted"}


class Stop:
    """A switch that ends calls from another thread.

    Give it to calls as ``stop=``; `request` ends all of them, and each call that begins later
    ends at once.  A call that has a result returns it with ``stopped == "interrupted"``.

    Examples
    --------
    >>> import motifsieve as ms
    >>> stop = ms.Stop()
    >>> stop.request()
    >>> g = ms.Graph.from_edges([(0, 1), (1, 2)], colors=["a", "b", "a"])
    >>> g.list("a:2,b", stop=stop).stopped
    'interrupted'
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tokens: list[Any] = []
        self._requested = False

    @property
    def requested(self) -> bool:
        """True after `request`."""
        return self._requested

    def request(self) -> None:
        """End the running calls that have this switch.  Any thread may call it."""
        with self._lock:
            self._requested = True
            for token in self._tokens:
                lib.ms_stop_request(token)

    def __reduce__(self) -> Any:
        raise TypeError("a Stop cannot be pickled, because it ends calls of its own process; give timeout= to calls "
                        "of other processes")

    def _add(self, token: Any) -> None:
        with self._lock:
            self._tokens.append(token)
            if self._requested:
                lib.ms_stop_request(token)

    def _remove(self, token: Any) -> bool:
        with self._lock:
            self._tokens.remove(token)
            return self._requested


def _new_token() -> Any:
    out = ffi.new("ms_stop **")
    check(lib.ms_stop_new(out, NULL), None)
    return out[0]


def defaults(struct: str) -> Any:
    """Return an ``ms_STRUCT`` of options with its defaults."""
    options = ffi.new(f"ms_{struct} *")
    getattr(lib, f"py_init_{struct}")(options)
    return options


def new_object(kind: str, make: Any, *given: Any, path: Any = None, memory: int = 0) -> Any:
    """Return an ``ms_KIND`` that frees itself: what a function of the library makes of its arguments."""
    with Call(attach=True, memory=memory) as call:
        return call.object(kind, make, *given, path=path)


def check(status: int, err: Any, path: Any = None) -> None:
    """Raise the exception of a status other than MS_OK."""
    if status != 0:
        if err is None:
            errors.raise_error(status, text(lib.ms_status_text(status)), path)
        errors.raise_error(status, text(err.message), path)


def text(pointer: Any) -> str:
    """Return a string of the library as ``str``."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer != NULL else ""


class Call:
    """One call, or some calls one after another: ``with Call(...) as call: ...``.

    Attributes
    ----------
    token : cdata
        The ``ms_stop *`` of the call.
    err : cdata
        An ``ms_error *``.
    """

    __slots__ = ("_bar", "_begin", "_handle", "_report", "_state", "_stop", "_timeout", "err", "token")

    def __init__(self, timeout: float | None = None, progress: Any = False, stop: Stop | None = None,
                 attach: bool = False, memory: int = 0) -> None:
        if timeout is not None and not (isinstance(timeout, (int, float, numbers.Real)) and timeout > 0):
            raise errors.UsageError(f"timeout={timeout!r}: give a number of seconds above 0, or None")
        if stop is not None and not isinstance(stop, Stop):
            raise TypeError(f"stop={stop!r}: give a motifsieve.Stop, or None")
        self._timeout = timeout
        self._stop = stop
        self._bar = _bar_for(progress) if progress is not False else None
        self._handle: Any = NULL
        self._report: _Report | None = None
        self._state = ffi.new("py_call *")
        self._state.watches = _get_ident() == _main_thread().ident
        self._state.attaches = attach
        self._state.memory = memory

    def __enter__(self) -> "Call":
        self.err = ffi.new("ms_error *")
        try:
            token = _free_tokens.pop()
        except IndexError:
            token = _new_token()
        self.token = token
        if self._timeout is not None:
            lib.ms_stop_after(token, self._timeout)
        if self._stop is not None:
            self._stop._add(token)
        if self._bar is not None:
            self._begin = time.monotonic()
            self._report = _Report(self._bar, token)
            self._handle = ffi.new_handle(self._report)
        try:
            lib.py_call_begin(self._state, token)
        except BaseException:  # a KeyboardInterrupt; __exit__ is not called then
            lib.py_call_end(self._state)
            raise
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        try:
            signals = lib.py_call_end(self._state)
        except BaseException:  # a KeyboardInterrupt before the function began, or after it
            lib.py_call_end(self._state)
            raise
        token = self.token
        requested = self._stop is not None and self._stop._remove(token)
        if self._bar is not None:
            late = self._timeout is not None and time.monotonic() - self._begin >= self._timeout
            self._bar.close(full=kind is None and not (signals or requested or late))
        failure = None if self._report is None else self._report.error
        if signals or requested or failure is not None:
            lib.ms_stop_free(token)  # a request is never taken back
        else:
            if self._timeout is not None:
                lib.ms_stop_after(token, 0)
            _free_tokens.append(token)
        if failure is not None:
            raise failure

    def apply(self, options: Any) -> None:
        """Give the token and the progress to a struct of options that has them."""
        options.run.stop = self.token
        if self._bar is not None:
            options.run.progress = lib.py_progress
            options.run.progress_user = self._handle

    @staticmethod
    def detach(options: Any) -> None:
        """Take them away after the call, because the struct outlives them."""
        options.run.stop = NULL
        options.run.progress = NULL
        options.run.progress_user = NULL

    def object(self, kind: str, make: Any, *given: Any, path: Any = None) -> Any:
        """Return what a function of the library makes of its arguments, see `new_object`."""
        out = ffi.new(f"ms_{kind} **")
        self.check(make(*given, out, self.err), path)
        return ffi.gc(out[0], getattr(lib, f"ms_{kind}_free"))

    def search(self, limits: Any, kind: str, function: Any, *given: Any) -> Any:
        """Return what a search finds, an ``ms_KIND``; `limits`: its struct that has them."""
        out = ffi.new(f"ms_{kind} **")
        with self:
            self.apply(limits)
            status = function(*given, out, self.err)
            found = ffi.gc(out[0], getattr(lib, f"ms_{kind}_free"))
            self.detach(limits)
            self.check(status)
        return found

    def check(self, status: int, path: Any = None) -> None:
        """Raise the exception of a status other than MS_OK."""
        if status != 0:
            errors.raise_error(status, text(self.err.message), path)


# ---- progress ------------------------------------------------------------------------

_APPEARS_AFTER = 0.5  # seconds: a short call shows no bar
_REFRESHED_AFTER = 0.2  # seconds: where a bar is text, each refresh is more text


class _TextBar:
    """A line of text in place of tqdm's bar."""

    def __init__(self, desc: str, total: int | None, elapsed: float) -> None:
        self.desc, self.total, self.n = desc, total, 0

    def refresh(self) -> None:
        share = f"{100 * self.n // self.total:3d} %" if self.total else str(self.n)
        print(f"\r{self.desc}: {share}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        print(file=sys.stderr)


class _Bar:
    """Shows the progress of a call; the library's threads call `update`, one at a time."""

    def __init__(self, factory: Any) -> None:
        self.factory = factory
        self.begin = self.phase = time.monotonic()  # of the call, and of what it does now
        self.bar: Any = None
        self.what = ""
        self.refreshed = 0.0

    def update(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if what != self.what:
            self.close(full=self.bar is not None)
            self.phase, self.what = now if self.what else self.begin, what
        if now - self.begin < _APPEARS_AFTER:
            return
        if self.bar is None:
            self.bar = self.factory(what, total or None, now - self.phase)
        elif now - self.refreshed < _REFRESHED_AFTER and done != total:
            return
        self.refreshed = now
        self.bar.total = total or None
        self.bar.n = done
        self.bar.refresh()

    def close(self, full: bool) -> None:
        """Close the bar; full: the work is done, whatever the last update was."""
        if self.bar is not None:
            if full and self.bar.total and self.bar.n != self.bar.total:
                self.bar.n = self.bar.total
                self.bar.refresh()
            self.bar.close()
            self.bar = None


class _Receiver:
    """Passes progress on to a function of the user."""

    def __init__(self, function: Any) -> None:
        self.update = function

    def close(self, full: bool) -> None:
        pass


def _shows_bars() -> bool:
    """True in a notebook, and if standard error is a terminal."""
    if "ipykernel" in sys.modules:
        return True
    try:
        return os.isatty(2) and sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False


def _bar_for(progress: Any) -> Any:
    if callable(progress):
        return _Receiver(progress)
    if progress == "auto" and not _shows_bars():
        return None
    if progress not in (True, "auto"):
        raise errors.UsageError(f'progress={progress!r}: give "auto", True, False or a function')
    if importlib.util.find_spec("tqdm") is None:
        return _Bar(_TextBar) if progress is True else None
    return _Bar(_tqdm_bar)


def _tqdm_bar(desc: str, total: int | None, elapsed: float) -> Any:
    """Make a bar of tqdm, which is loaded when a call has been found to be long: `elapsed` seconds after its begin."""
    with warnings.catch_warnings():
        # In a notebook without ipywidgets, tqdm complains and shows text, which is good enough.
        warnings.simplefilter("ignore")
        from tqdm.auto import tqdm
    bar = tqdm(desc=desc, total=total)
    if not bar.disable:
        bar.start_t -= elapsed  # else the rate would be of the work since the bar appeared
    return bar


class _Report:
    """Receives the progress of a call, and ends the call if that fails.

    The failure may be one of a user's function, or a KeyboardInterrupt: Python raises it in the
    function that the main thread runs, and this may be one that the library called.
    """

    __slots__ = ("bar", "error", "token")

    def __init__(self, bar: Any, token: Any) -> None:
        self.bar, self.token = bar, token
        self.error: BaseException | None = None


def _progress_failed(kind: Any, error: BaseException, trace: Any) -> None:
    """Keep the exception of py_progress for the end of the call."""
    report = ffi.from_handle(trace.tb_frame.f_locals["user"])
    if report.error is None:
        report.error = error.with_traceback(trace)  # which says whose it is
        lib.ms_stop_request(report.token)


@ffi.def_extern(onerror=_progress_failed)
def py_progress(user: Any, what: Any, done: int, total: int) -> None:
    report = ffi.from_handle(user)
    if report.error is None:
        report.bar.update(text(what), done, total)


# ---- texts ---------------------------------------------------------------------------


def strings(texts: Any, keep: list[Any]) -> Any:
    """Return a ``char *[]`` of the texts, in one block of memory; both go into `keep`."""
    try:
        block = "\0".join(texts).encode() + b"\0"
    except UnicodeEncodeError:
        wrong = next(t for t in texts if not t.isascii() and t.encode("utf-8", "replace").decode() != t)
        raise errors.UsageError(f"the name {wrong!r} is no text of Unicode, because it has half of a pair of "
                                "surrogates; correct it") from None
    count = len(texts)
    if block.count(0) != max(count, 1):  # one behind each text
        refuse_nul(next(t for t in texts if "\0" in t))
    array = ffi.new("char const *[]", count)
    keep += (block, array)
    pointer = ffi.from_buffer("char const[]", block)
    keep.append(pointer)
    lib.py_split(pointer, count, array)
    return array


def refuse_nul(name: str) -> None:
    """Refuse a text that C would end at its NUL."""
    shown = repr(name if len(name) <= 60 else name[:60] + "...")
    raise errors.UsageError(f"the name {shown} holds a NUL character; remove it")


def encoded(value: str) -> bytes:
    """Return the bytes of a text that a function of the library receives."""
    try:
        block = value.encode()
    except UnicodeEncodeError:
        raise errors.UsageError(f"{value!r} is no text of Unicode, because it has half of a pair of "
                                "surrogates; correct it") from None
    if b"\0" in block:
        refuse_nul(value)
    return block


def path_bytes(path: str | bytes | os.PathLike[str]) -> bytes:
    """Return the bytes of a path that a function of the library receives."""
    block = os.fsencode(path)
    if b"\0" in block:
        refuse_nul(os.fsdecode(path))
    return block


def string(value: str | os.PathLike[str] | None, keep: list[Any]) -> Any:
    """Return a ``char *`` of the text, or NULL; it goes into `keep`."""
    if value is None:
        return NULL
    pointer = ffi.new("char[]", path_bytes(value) if isinstance(value, os.PathLike) else encoded(value))
    keep.append(pointer)
    return pointer
