"""Measures what a query costs more from Python than from C, and how long the import takes.

    make bench-python

The graph has five vertices and one thread searches it, so that nearly all of the time is that of
the call.  C and Python take turns; the least processor time of several rounds counts, because
other programs may run.  Fails if a query costs more than 50 microseconds more, or if the import
takes more than 0.15 s.
"""

import os
import subprocess
import sys
import time

ROUNDS, CALLS = 15, 2000
MOST_MICROSECONDS, MOST_IMPORT = 50, 0.15


def per_call(call):
    begin = time.process_time()
    for _ in range(CALLS):
        call()
    return (time.process_time() - begin) / CALLS


def import_seconds(statement):
    """The least user and system time of an import, less that of an empty interpreter."""

    def seconds(code):
        def once():
            before = os.times()
            subprocess.run([sys.executable, "-c", code], check=True)
            after = os.times()
            return (after.children_user - before.children_user) + (after.children_system - before.children_system)

        return min(once() for _ in range(7))

    return seconds(statement) - seconds("pass")


def main(program):
    import motifsieve as ms

    g = ms.Graph.from_edges([(0, 1), (1, 2), (3, 4)], colors=[*"abaab"])
    calls = {
        "screen": lambda: g.screen("a:2,b", threads=1),
        "list": lambda: g.list("a:2,b", threads=1),
        "match": lambda: g.match("path:3", threads=1),
    }
    for call in calls.values():
        call()
    in_c, in_python = dict.fromkeys(calls, 1.0), dict.fromkeys(calls, 1.0)
    for _ in range(ROUNDS):
        output = subprocess.run([program, str(CALLS)], check=True, capture_output=True, text=True).stdout
        for name, seconds in zip(calls, map(float, output.split())):
            in_c[name] = min(in_c[name], seconds)
        for name, call in calls.items():
            in_python[name] = min(in_python[name], per_call(call))
    good = True
    print(f"{'query':8s} {'C':>9s} {'Python':>9s} {'more':>9s}   microseconds of processor time a call")
    for name in calls:
        more = 1e6 * (in_python[name] - in_c[name])
        good = good and more < MOST_MICROSECONDS
        print(f"{name:8s} {1e6 * in_c[name]:9.1f} {1e6 * in_python[name]:9.1f} {more:9.1f}")
    for statement in ("import motifsieve", "import motifsieve; motifsieve.Graph", "import numpy"):
        seconds = import_seconds(statement)
        print(f"{seconds:.3f} s of processor time: {statement}")
        good = good and (statement != "import motifsieve" or seconds < MOST_IMPORT)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
