"""Measures how long results take to become data frames and streams of Arrow.

    PYTHONPATH=build/python python3 python/bench/to_pandas.py

Prints processor seconds of this process, the least of five; the first call also makes the
categories that all results of a graph share, and is printed beside it.
"""

import time

import numpy as np
import pandas

import motifsieve as ms

ROWS = 1_000_000


def least(call, runs=5):
    """Return the seconds of the first call, and the least of all."""
    seconds = []
    for _ in range(runs):
        begin = time.process_time()
        call()
        seconds.append(time.process_time() - begin)
    return seconds[0], min(seconds)


def main():
    rng = np.random.default_rng(1)
    n = 20000
    edges = rng.integers(0, n, (n * 12, 2))
    names = [f"ENSP{i:011d}" for i in range(n)]
    g = ms.Graph.from_edges(edges, n=n, names=names, colors=rng.choice(list("abcd"), n).tolist())
    cases = {
        "list of 4 slots": g.list("a:2,b,c", limit=ROWS),
        "match of 4 vertices": g.match("path:4", limit=ROWS),
    }
    print(f"motifsieve {ms.__version__}, pandas {pandas.__version__}, NumPy {np.__version__}; {ROWS:,} rows, "
          f"names of 15 characters of {n:,} vertices")
    print("processor seconds\tfirst\tleast of 5")
    for name, r in cases.items():
        assert len(r) == ROWS
        g._cache.clear()
        for what, call in (("to_pandas()", r.to_pandas), ("to_pandas(long=True)", lambda r=r: r.to_pandas(long=True)),
                           ("to_pandas('all')", lambda r=r: r.to_pandas("all")),
                           ("__arrow_c_stream__()", r.__arrow_c_stream__),
                           ("to_arrow(lists=True)", lambda r=r: r.to_arrow(lists=True).__arrow_c_stream__()),
                           ("to_obs()", r.to_obs)):
            first, best = least(call)
            print(f"{name}: {what}\t{first:.3f}\t{best:.3f}")
    cells = ms.Graph.from_points(rng.random((ROWS, 2)), knn=4, names=[f"cell{i}" for i in range(ROWS)],
                                 colors=rng.choice(list("ab"), ROWS).tolist())
    s = cells.screen("a,b")
    for what, call in (("to_pandas()", s.to_pandas), ("to_obs()", s.to_obs), ("_repr_html_()", s._repr_html_)):
        first, best = least(call)
        print(f"screen of {ROWS:,} cells, {len(s):,} found: {what}\t{first:.3f}\t{best:.3f}")


if __name__ == "__main__":
    main()
