"""Ctrl-C, timeouts and stops end a running query soon, in scripts and in threads."""

import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import motifsieve as ms
from motifsieve import _call

SLOW = "c0:4,c1:4,c2:4"  # its matches are far too many to list


@pytest.fixture(scope="module")
def g():
    return ms.generate("er", vertices=2000, edges=40000, colors=3)


def queries(g):
    return {
        "list": lambda **o: g.list(SLOW, count_only=True, **o),
        "screen": lambda **o: g.screen("c0:6,c1:6,c2:6", method="sieve", error=1e-300, **o),
        "match": lambda **o: g.match("(a)--(b)--(c)--(d)--(e)--(f)--(h)--(i), (a)--(i)", limit=10**15,
                                     count_only=True, **o),
        "census": lambda **o: g.census(7, **o),
        "significance": lambda **o: g.significance(7, **o),
        "nearest": lambda **o: g.nearest(SLOW, max_extra=2, count_only=True, **o),
    }


def patiently(least, holds):
    """Whether holds(seconds) is true for so many seconds, or for four or sixteen times as many: a busy
    machine may take up the least time before what is tested has begun, so that there is no result."""
    for seconds in (least, 4 * least, 16 * least):
        try:
            if holds(seconds):
                return True
        except ms.StoppedError:
            pass
    return False


@pytest.mark.parametrize("name", ["list", "screen", "match", "census", "significance", "nearest"])
def test_timeout(g, name):
    def holds(seconds):
        begin = time.monotonic()
        r = queries(g)[name](timeout=seconds)
        assert r.stopped == "time" and not r.complete
        assert r.bound == 1.0 or name == "screen"
        return 0.8 * seconds < time.monotonic() - begin < seconds + 3

    assert patiently(0.3, holds)


def test_a_timeout_ends_with_its_call(g):
    def holds(seconds):
        in_time = g.list("c0,c1", timeout=seconds).stopped is None
        time.sleep(seconds + 0.1)
        return in_time

    assert patiently(0.2, holds)
    assert all(g.list("c0,c1").stopped is None for _ in range(3))


def test_stop(g):
    def holds(seconds):
        stop, results = ms.Stop(), {}

        def search(name):
            try:
                results[name] = queries(g)[name](stop=stop).stopped
            except ms.StoppedError:
                results[name] = "not begun"

        threads = [threading.Thread(target=search, args=(name,)) for name in ("list", "match")]
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        assert not results and not stop.requested
        stop.request()
        for thread in threads:
            thread.join(60)
        assert g.list("c0,c1").complete
        with pytest.raises(ms.StoppedError):
            g.components(stop=stop)
        return results == {"list": "interrupted", "match": "interrupted"}

    assert patiently(0.3, holds)


def test_the_gil_is_released(g):
    def holds(seconds):
        turns = 0
        thread = threading.Thread(target=lambda: g.list(SLOW, count_only=True, timeout=seconds))
        thread.start()
        while thread.is_alive():
            turns += 1
            time.sleep(0.01)
        return turns > 10

    assert patiently(0.6, holds)


def prints(wanted, body, signals=1):
    """Whether a script prints this, if it is interrupted once it is in its query: on a busy machine it may
    take long to be there, so that it gets more time once or twice."""
    outputs = []
    for wait in (1, 4, 12):
        outputs.append(run_script(body, signals, wait)[0])
        if outputs[-1] == wanted:
            return True
    print(outputs)
    return False


def run_script(body, signals=1, wait=1.0):
    """Run a script that prints "ready" before its query, and interrupt it; return its output and the
    seconds from the last signal to its end."""
    script = textwrap.dedent("""
        import motifsieve as ms, signal, sys, time, threading
        g = ms.generate("er", vertices=2000, edges=40000, colors=3)
        slow = "c0:4,c1:4,c2:4"
        g.list("c0,c1", limit=1)
        print("ready", flush=True)
    """) + textwrap.dedent(body)
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, env={**os.environ, "OMP_NUM_THREADS": "2"})
    try:
        assert child.stdout.readline() == "ready\n"
        for _ in range(signals):
            time.sleep(wait)
            child.send_signal(signal.SIGINT)
        begin = time.monotonic()
        output, _ = child.communicate(timeout=200)
    finally:
        child.kill()
    return output, time.monotonic() - begin


def test_ctrl_c():
    assert prints("interrupted\nTrue\n", """
        begin = time.monotonic()
        try:
            g.list(slow, count_only=True, timeout=25)
            print("not interrupted")
        except KeyboardInterrupt:
            print("interrupted")
        print(g.list("c0,c1").complete)
    """)


def test_ctrl_c_is_quick():
    """From the signal to the exception: the best of some, because the machine may be busy."""
    body = """
        import os
        took = []
        for _ in range(3):
            sent = []

            def interrupt():
                sent.append(time.monotonic())
                os.kill(os.getpid(), signal.SIGINT)

            threading.Timer(0.3, interrupt).start()
            try:
                g.list(slow, count_only=True, timeout=25)
            except KeyboardInterrupt:
                took.append(time.monotonic() - sent[0])
        print(min(took))
    """
    outputs = []
    while len(outputs) < 4:
        outputs.append(run_script(body, signals=0)[0])
        if outputs[-1][0].isdigit() and float(outputs[-1]) < 0.3:
            return
    pytest.fail(f"{outputs}")


def test_a_handler_of_the_program_that_does_not_raise():
    assert prints("handled\ninterrupted\n", """
        signal.signal(signal.SIGINT, lambda *_: print("handled"))
        print(g.list(slow, count_only=True, timeout=25).stopped)
    """)


def test_ignored_signals_stay_ignored():
    assert prints("time\n", """
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print(g.list(slow, count_only=True, timeout=3).stopped)
    """)


def test_python_has_its_handler_back():
    assert prints("back True\n", """
        try:
            while True:
                time.sleep(0.01)
        except KeyboardInterrupt:
            print("back", signal.getsignal(signal.SIGINT) is signal.default_int_handler)
    """)


def test_ctrl_c_while_a_thread_searches():
    """The main thread gets the exception; a Stop ends the query of the other one."""
    assert prints("main\ninterrupted\n", """
        stop = ms.Stop()
        done = threading.Event()

        def search():
            print(g.list(slow, count_only=True, stop=stop).stopped, flush=True)
            done.set()

        threading.Thread(target=search).start()
        try:
            done.wait()
        except KeyboardInterrupt:
            print("main", flush=True)
            stop.request()
            done.wait(20)
    """)


def test_progress(g, capfd):
    seen = []

    def holds(seconds):
        g.list(SLOW, count_only=True, timeout=seconds, progress=lambda *args: seen.append(args))
        return seen

    def shows(seconds):
        g.list(SLOW, count_only=True, timeout=seconds, progress=True)
        return capfd.readouterr().err

    assert patiently(1.0, holds)
    assert all(isinstance(what, str) and done <= max(total, done) for what, done, total in seen)
    assert patiently(1.5, shows)
    assert patiently(0.2, lambda seconds: g.list(SLOW, count_only=True, timeout=seconds).stopped)
    assert not capfd.readouterr().err  # standard error is no terminal


FAKE_TQDM = """
bars = []

class tqdm:
    def __init__(self, desc, total):
        self.desc, self.total, self.n, self.closed, self.disable, self.start_t = desc, total, 0, False, False, 0.0
        bars.append(self)
    def refresh(self):
        assert not self.closed
    def close(self):
        self.closed = True
"""


def test_bars_of_tqdm(g, tmp_path, monkeypatch):
    """A bar of a call that has done all its work ends full, and one of a call that was stopped does not."""
    (tmp_path / "tqdm").mkdir()
    (tmp_path / "tqdm" / "__init__.py").write_text("")
    (tmp_path / "tqdm" / "auto.py").write_text(FAKE_TQDM)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("tqdm", "tqdm.auto"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(_call, "_APPEARS_AFTER", 0)
    g.census(3, permutations=100, threads=1, progress=True)
    bars = sys.modules["tqdm.auto"].bars
    assert bars and all(bar.closed for bar in bars)
    assert bars[-1].total == bars[-1].n > 0
    count = len(bars)

    def holds(seconds):
        g.census(3, permutations=10**8, threads=1, timeout=seconds, progress=True)
        return len(bars) > count and bars[-1].total > 0

    assert patiently(0.5, holds) and bars[-1].closed and bars[-1].n < bars[-1].total
    for name in ("tqdm", "tqdm.auto"):
        del sys.modules[name]  # monkeypatch would put it back


def test_rates_of_tqdm(monkeypatch, capfd):
    """tqdm's own rate counts from the begin of the work, also of a later phase, and not from when a bar appears."""
    tqdm = pytest.importorskip("tqdm", reason="tqdm is not installed")
    now = time.monotonic()
    bar = _call._Bar(_call._tqdm_bar)
    bar.begin = bar.phase = now - 20
    bar.update("first", 100, 1000)
    assert 3 < bar.bar.n / bar.bar.format_dict["elapsed"] <= 5
    assert re.search(r" [34]\.\d+it/s| 5\.00it/s", str(bar.bar)), str(bar.bar)
    bar.update("second", 7, 10)
    assert isinstance(bar.bar, tqdm.tqdm) and bar.bar.format_dict["elapsed"] < 5
    bar.close(full=True)
    # phases that pass before a bar appears have begins of their own
    bar = _call._Bar(_call._tqdm_bar)
    bar.update("first", 1, 10)
    first = bar.phase
    time.sleep(0.05)
    bar.update("second", 1, 10)
    assert bar.bar is None and bar.phase >= first + 0.05
    monkeypatch.setattr(_call, "_APPEARS_AFTER", 0)
    time.sleep(0.1)
    bar.update("second", 5, 10)
    assert bar.bar.format_dict["elapsed"] >= 0.1
    bar.close(full=False)
    assert "second" in capfd.readouterr().err
    monkeypatch.setattr("tqdm.auto.tqdm", lambda **options: tqdm.tqdm(disable=True, **options))
    silent = _call._Bar(_call._tqdm_bar)
    silent.update("first", 5, 10)
    silent.close(full=True)
    assert not capfd.readouterr().err


def test_a_failing_progress_function(g):
    """The exception of a user's function ends the call, and the caller gets it."""
    seen = []

    def report(what, done, total):
        seen.append(what)
        raise ZeroDivisionError("mine")

    for query in (*(queries(g)[name] for name in ("list", "screen", "match", "nearest")),
                  lambda **o: g.census(2, permutations=10**6, **o)):
        seen.clear()
        begin = time.monotonic()
        with pytest.raises(ZeroDivisionError, match="mine"):
            query(progress=report, timeout=30)
        assert len(seen) == 1 and time.monotonic() - begin < 10
    assert g.list("c0,c1", limit=3).stopped == "limit"  # what comes later is whole


@pytest.mark.parametrize("body", ["time.sleep(0.01)", "import _thread; _thread.interrupt_main()"])
def test_ctrl_c_in_a_progress_function(body):
    """A KeyboardInterrupt that Python raises within a function that the library called is not lost."""
    assert prints("back True\n", f"""
        def report(what, done, total):
            for _ in range(20):
                {body}

        try:
            print(g.list(slow, count_only=True, progress=report, timeout=30))
        except KeyboardInterrupt:
            print("back", g.list("c0,c1").complete)
    """, signals=1 if "sleep" in body else 0)


def test_signals_at_any_time():
    """200 signals at random times, also between calls and at their ends: each raises exactly once, and
    all calls that follow are complete. A signal is sent only after the one before was caught and the
    script is in `try` again, so that none can arrive in the handler."""
    output, _ = run_script("""
        import os, random
        rng, raised, inside, lost = random.Random(1), 0, False, False

        def storm():
            global inside, lost
            for _ in range(200):
                limit = time.monotonic() + 20
                while not inside and time.monotonic() < limit:
                    time.sleep(0.0002)
                if not inside:
                    lost = True
                    return
                inside = False
                time.sleep(rng.random() * 0.004)
                os.kill(os.getpid(), signal.SIGINT)

        small = ms.Graph.from_edges([(0, 1), (1, 2)], colors=["a", "b", "a"])
        thread = threading.Thread(target=storm)
        thread.start()
        while raised < 200 and not lost:
            try:
                inside = True
                while not lost:
                    small.list("a,b"), small.with_colors(["x", "y", "x"]).components()
                    small.screen("a:2,b")
            except KeyboardInterrupt:
                raised += 1
            except ms.MotifsieveError as error:
                print("wrong:", repr(error))
        thread.join()
        print(raised == 200)
        for _ in range(50):
            assert small.list("a,b").complete and small.screen("a:2,b").complete
            assert len(small.with_colors(["x", "y", "x"]).components()) == 1
        print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
    """, signals=0)
    assert output == "True\nTrue\n"


@pytest.mark.parametrize("make", [
    "ms.Graph.from_edges(edges, n=20_000_000)",
    "ms.Graph.from_edges(edges, n=20_000_000, directed=True)",
    "ms.TypedGraph.from_edges(edges, ['x'] * len(edges), n=20_000_000)",
    "ms.Graph.from_edges([(i, i + 1) for i in range(10**7)])",
])
def test_ctrl_c_while_a_graph_is_built(make):
    """Ctrl-C is heard within a second while a large graph is built, by Python and by the library."""
    def holds(seconds):
        output, _ = run_script(f"""
            import numpy as np
            edges = np.array([[0, 1], [1, 2]], np.uint32)
            sent = []

            def interrupt():
                time.sleep({seconds})
                sent.append(time.monotonic())
                os.kill(os.getpid(), signal.SIGINT)

            import os
            threading.Thread(target=interrupt, daemon=True).start()
            try:
                {make}
                time.sleep({seconds})
                print("made")
            except KeyboardInterrupt:
                print("heard", round(time.monotonic() - sent[0], 2))
        """, signals=0)
        words = output.split()
        return words[0] == "heard" and float(words[1]) < 1 * (seconds / 0.4)

    assert patiently(0.4, holds)
