"""Whatever public functions are given, only the promised exceptions come out: every function and method,
every parameter by its signature, every hostile value. A new function or parameter is tried by itself."""

import inspect
import os
import types

import numpy as np
import pytest

import motifsieve as ms
from motifsieve._door import LOOK_UPS

PROMISED = (ms.MotifsieveError, TypeError)
TAKES_LONG = {"verify", "plot"}  # good calls that a case need not repeat: tried with few values
OPTIONAL = (ImportError,)


class Own(Exception):
    """Of the program's own objects; these pass."""


class Bad:
    def fail(self, *args):
        raise Own
    __index__ = __iter__ = __len__ = __array__ = __float__ = __int__ = __fspath__ = fail


VALUES = [-1, 0, 2**31, 2**63, 2**64, 10**400, -(2**70), 1.5, float("nan"), float("inf"), -0.5, None, True,
          "", "x", "a\0b",
          "\ud800", "\u00fc", b"x", b"\xff", [], [None], [[]], ["\ud800"], [2**70], [-1], [float("nan")], {},
          {"x": "y"},
          {None: None}, {"\ud800": 1}, {0: 2**70}, set(), object(), Bad(), np.zeros((3, 3, 3)),
          np.array([1 + 2j]), np.array(7),
          np.array([[0, 2**40]]), (), (1, 2, 3), "/", lambda: None, 3 + 4j, np.float32(2), np.int64(2),
          np.bool_(True)]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("door")
    os.chdir(folder)
    (folder / "g.tsv").write_text("a\tb\nb\tc\nc\ta\n")
    (folder / "c.tsv").write_text("a\tred\nb\tblue\nc\tred\n")
    g = ms.Graph.from_file("g.tsv", "c.tsv")
    t = ms.TypedGraph.from_edges([("a", "b"), ("b", "c")], ["r", "s"])
    g.list("red,blue").write("r.tsv")
    results = {
        "Screen": g.screen("red,blue", vertex_scores=[1, 2, 3], all_sums=True), "Matches": g.list("red,blue"),
        "PatternMatches": g.match("path:2"), "NearestMatches": g.nearest("red,blue"), "Census": g.census(2),
        "VertexCensus": g.census_vertices(2), "MinedMotifs": g.mine(2), "Components": g.components(),
        "Paths": g.paths([("a", "b")]), "ManyMotifs": g.list_many(["red,blue"]),
        "TypedMatches": t.match("(a)--(b)"), "Colors": g.colors, "Graph": g, "TypedGraph": t,
        "Pattern": ms.Pattern("triangle"),
    }
    return g, t, results


def good(g):
    """Values that parameters without a default need."""
    return {"graph": g, "motif": "red,blue", "motifs": ["red,blue"], "pattern": "triangle",
            "pairs": [("a", "b")],
            "source": [(0, 1)], "edges": [(0, 1)], "types": ["x"], "groups": ["x", "y", "y"], "family": "er",
            "result": "r.tsv", "path": "out.tsv", "xy": [[0, 0], [1, 1]], "node": "a", "vertex": 0, "i": 0,
            "component": 0, "column": "match", "colors": ["x", "y", None], "ids": [0], "matrix": np.eye(2),
            "adata": None, "n": 2, "rows": 1}


def foreign(name):
    """Objects of other packages, where these are installed."""
    try:
        if name == "from_networkx":
            import networkx
            return {"graph": networkx.path_graph(3)}
        if name == "from_igraph":
            import igraph
            return {"graph": igraph.Graph([(0, 1), (1, 2)])}
        if name == "from_scipy":
            import scipy.sparse
            return {"matrix": scipy.sparse.csr_matrix(np.eye(2))}
        if name == "from_pandas":
            import pandas
            return {"edges": pandas.DataFrame({"a": ["x"], "b": ["y"]})}
    except ImportError:
        pass
    return {}


def functions(g, results):
    """All public functions as (title, function, whether it is a method of which object)."""
    for name in dir(ms):
        member = getattr(ms, name)
        if isinstance(member, types.FunctionType):
            yield name, member
    for title, owner in results.items():
        for name in dir(type(owner)):
            static = inspect.getattr_static(type(owner), name)
            if name.startswith("_") and name not in ("__getitem__", "__contains__"):
                continue
            if isinstance(static, (classmethod, types.FunctionType)):
                yield f"{title}.{name}", getattr(owner, name)
    yield "Graph", ms.Graph
    yield "Pattern", ms.Pattern


def tried(title, function, g):
    """All calls of a function with one hostile argument."""
    parameters = inspect.signature(function).parameters
    needed = {p.name: good(g).get(p.name) for p in parameters.values()
              if p.default is p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    name = title.rpartition(".")[2]
    needed.update(foreign(name))
    for parameter in parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        is_long = name in TAKES_LONG and parameter.name in ("recount", "rows", "axes")
        for value in VALUES[:8] if is_long else VALUES:
            yield parameter.name, value, {**needed, parameter.name: value}


def test_only_promised_exceptions(world):
    g, t, results = world
    wrong, calls = [], 0
    seen = set()
    for title, function in functions(g, results):
        code = getattr(getattr(function, "__func__", function), "__wrapped__", function)
        if code in seen:
            continue
        seen.add(code)
        promised = PROMISED + OPTIONAL
        if title.rpartition(".")[2] in LOOK_UPS:
            promised += (KeyError, IndexError)
        for name, value, arguments in tried(title, function, g):
            calls += 1
            if name == "progress" and callable(value):
                continue
            if "timeout" in inspect.signature(function).parameters and name != "timeout":
                arguments["timeout"] = 5
            try:
                function(**arguments)
            except (*promised, Own):
                pass
            except BaseException as error:  # noqa: B902
                wrong.append(f"{title}({name}={value!r:.60}): {type(error).__name__}: {error}")
    assert calls > 5000
    assert not wrong, f"{len(wrong)} of {calls}:\n" + "\n".join(wrong[:60])


def test_messages_name_the_parameter(world):
    """An argument of a wrong type or size has a message that names it."""
    g, t, _ = world
    for call, name in [
        (lambda: g.list("red,blue", limit=2**64), "limit="),
        (lambda: g.list("red,blue", count_only="x"), "count_only="),
        (lambda: g.census(2**40), "k="), (lambda: g.mine(2**40), "k="),
        (lambda: g.nearest("red", max_extra=2**33), "max_extra="),
        (lambda: g.list("red,blue", min_density="x"), "min_density="),
        (lambda: g.list("red", families=10**400), "families="),
        (lambda: ms.Graph.from_file("a\0b"), "path="), (lambda: ms.Graph.from_file("\ud800"), "path="),
        (lambda: ms.Graph.from_file("g.tsv", names="\ud800"), "names="),
        (lambda: ms.Graph([(0, 1)], n="x"), "n="),
        (lambda: ms.Graph([(0, 1)], directed="x"), "directed="),
        (lambda: g.components(algorithm="\ud800"), "algorithm="),
        (lambda: ms.generate("er", vertices=2**40, edges=1), "vertices"),
        (lambda: g.match("a\0b"), "NUL|pattern"), (lambda: g.list("red\0,blue"), "NUL"),
        (lambda: g.list("red", require="a\0b"), "lacks"), (lambda: t.match("(a)--(b)\0"), "NUL"),
        (lambda: g.census_vertices(2, min_count=-1), "min_count="),
        (lambda: g.census_vertices(2, top="x"), "top="),
    ]:
        with pytest.raises(ms.UsageError, match=name):
            call()


def test_exceptions_of_the_program_pass(world):
    """What the program's own objects raise is not changed."""
    g, _, _ = world

    def edges():
        yield 0, 1
        raise ValueError("mine")

    with pytest.raises(ValueError, match="^mine$") as caught:
        ms.Graph.from_edges(edges())
    assert not isinstance(caught.value, ms.MotifsieveError)
    with pytest.raises(Own):
        ms.Graph.from_edges(Bad())
