"""Each failure is an exception with the remedy in Python's terms, and a built-in one beside it."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

import motifsieve as ms
from motifsieve import errors


@pytest.fixture
def g():
    return ms.Graph.from_edges([(0, 1), (1, 2)], colors=[*"aba"])


@pytest.mark.parametrize("cls, builtin", [
    (ms.UsageError, ValueError), (ms.InputError, ValueError), (ms.InputFileError, OSError),
    (ms.MissingFileError, FileNotFoundError), (ms.OutputError, OSError), (ms.MemoryLimitError, MemoryError),
    (ms.TimeLimitError, TimeoutError), (ms.DeviceLostError, RuntimeError), (ms.InternalError, RuntimeError),
])
def test_classes(cls, builtin):
    assert issubclass(cls, builtin) and issubclass(cls, ms.MotifsieveError)


def test_every_status_has_a_class():
    from motifsieve._native import lib

    for status in range(lib.MS_ERR_USAGE, lib.MS_ERR_INTERNAL + 1):
        with pytest.raises(ms.MotifsieveError) as caught:
            errors.raise_error(status, "why")
        assert caught.value.status == status == type(caught.value).status


WRONG = [
    (lambda g: g.screen("a,z"), "unknown colour 'z'"),
    (lambda g: g.screen("a:2,b", require=7), "require= names the node 7"),
    (lambda g: g.screen("a:0"), "count for 'a'"),
    (lambda g: g.screen({"a": 0}), "0 slots of 'a'"),
    (lambda g: g.screen({"a": 1.5}), "1.5 slots"),
    (lambda g: g.screen("a", method="fast"), "method='fast'"),
    (lambda g: g.screen("a", recurrence="x"), "recurrence='x'"),
    (lambda g: g.screen("a", error=2), "probability of 2"),
    (lambda g: g.screen("a", threads=-1), "threads="),
    (lambda g: g.screen("a", memory="lots"), "memory='lots'"),
    (lambda g: g.screen("a", memory=-1), "memory=-1"),
    (lambda g: g.screen("a", timeout=0), "timeout=0"),
    (lambda g: g.screen("a", timeout=float("nan")), "timeout=nan"),
    (lambda g: g.screen("a", gpu=[]), r"gpu=\[\]"),
    (lambda g: g.screen("a", gpu="all"), "gpu='all'"),
    (lambda g: g.list("a", gpu="all"), "gpu='all'"),
    (lambda g: g.screen("a", progress="bar"), "progress='bar'"),
    (lambda g: g.list("a", limit=0), "limit=0"),
    (lambda g: g.list("a", limit=-3), "limit=-3"),
    (lambda g: g.list("a", limit=2.5), "limit=2.5"),
    (lambda g: g.list("a,b", sample=2, limit=1), "sample=.*limit= to None"),
    (lambda g: g.list("a,b", error=0.1), "leave out error= or exact="),
    (lambda g: g.list("a,b", sort="size"), "sort='size'"),
    (lambda g: g.list("a,b", sort="mean_score"), "scores="),
    (lambda g: g.list("a,b", top=3), "sort="),
    (lambda g: g.match("hexagon"), "hexagon"),
    (lambda g: g.match("(a)-->(b)"), "directed=True"),
    (lambda g: g.match("triangle", order="best"), "order='best'"),
    (lambda g: g.match(([(0, 5)], ["a", "b"])), "names the vertex 5"),
    (lambda g: g.nearest("a,b", max_cost=3), "max_cost="),
    (lambda g: g.nearest("a,b", max_missing=2), "max_missing="),
    (lambda g: g.census(1), "k="),
    (lambda g: g.census(99), "k="),
    (lambda g: g.mine(9), "k="),
    (lambda g: g.list("a,b").write("x.xyz", "xlsx"), "form='xlsx'"),
    (lambda g: g.list("a,b").write("x.svg"), "positions="),
    (lambda g: g.list("a,b").write("x.dat", "binary"), "cannot be written as 'binary'.*'tsv', 'json', 'cx2'"),
    (lambda g: g.census(2).to_cx2(), "cannot be written as 'cx2'"),
    (lambda g: g.census(2).to_obs(), "rows of Census are motifs, and not vertices.*g.list"),
    (lambda g: g.census(3, shapes=True).to_obs(), "rows of ShapeCensus are shapes.*g.match"),
    (lambda g: g.orbits(3).to_obs(), "rows of Orbits are numbers of sets.*g.match"),
    (lambda g: g.cliques(per_vertex=True).to_obs(), "rows of Cliques are numbers of cliques.*g.match"),
    (lambda g: g.list("a", seed=-1), "seed=-1"),
    (lambda g: g.census(2, permutations=2, seed=None), "seed=None"),
    (lambda g: g.match("triangle", seed=1 << 63), "seed=9223372036854775808"),
    (lambda g: g.census(2, permutations=1 << 64), "permutations=18446744073709551616: give at most"),
    (lambda g: g.census(2, null="rewire"), "null= is for random graphs"),
    (lambda g: g.census(2, strata=["x", "y", "y"]), "strata= is for random graphs"),
    (lambda g: g.census(2, max_t=True), "max_t= is for random graphs"),
    (lambda g: g.significance(2, keep_counts=3), "keep_counts= is for random graphs"),
    (lambda g: g.list("a,b").write("x.html"), "no form for HTML"),
    (lambda g: ms.verify("x.tsv", g), "graph= is a Graph"),
    (lambda g: ms.verify(g.list("a,b"), "x.tsv"), "result= is a "),
    (lambda g: g.list("a", threads="2"), "threads='2'"),
    (lambda g: g.components(threads=1.5), "threads=1.5"),
    (lambda g: g.census(2, threads=0), "threads=0"),
    (lambda g: g.census(2, threads=-1), "threads=-1: give a whole number above 0"),
    (lambda g: g.list("a", timeout="5"), "timeout='5'"),
    (lambda g: g.list("a", memory=float("inf")), "memory=inf"),
    (lambda g: g.list("a", memory="99999999999T"), "memory='99999999999T'"),
    (lambda g: g.list("a", limit=float("nan")), "limit=nan"),
    (lambda g: g.list("a", limit="x"), "limit='x'"),
    (lambda g: g.list({"a": "x"}), "'x' slots of 'a'"),
    (lambda g: g.census(2, only=[]), "only= is empty"),
    (lambda g: g.census(2, permutations=2, strata=["x", None, "y"]), "strata= has None"),
    (lambda g: g.list("a,b", vertex_scores=["x", "y", "z"]), "vertex_scores="),
    (lambda g: g.compare(["x"] * 3, k=2), "^all samples are in the group 'x'"),
    (lambda g: ms.compare({}, {}), "empty dict"),
    (lambda g: ms.TypedGraph.from_edges([("a", "b")], [None]), "types= has None for edge 0"),
    (lambda g: g.screen_many({"x": "a,z"}), "unknown colour 'z'"),
    (lambda g: g.screen_many([]), "motifs= is empty"),
    (lambda g: g.list_many(["a,b", {"a": 1, "b": 1}]), "has a motif twice"),
    (lambda g: g.list_many(["a,b"], seconds_each=0), "seconds_each=0"),
    (lambda g: g.screen_many(["a,b"]).matches_of(0), "use list_many"),
    (lambda g: g.census_vertices(99), "k="),
    (lambda g: g.labels(), "aliases="),
    (lambda g: g.list("a,b").to_pandas(labels=["x"]), "labels= has 1 items"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_wrong_usage(g, number):
    call, message = WRONG[number]
    with pytest.raises(ms.UsageError, match=message) as caught:
        call(g)
    assert "`" not in str(caught.value)
    assert not re.search("--[a-z]", str(caught.value))  # an option of the tool


@pytest.mark.parametrize("call", [
    lambda g: g.screen(7), lambda g: g.match(7), lambda g: g.nearest("a,b", substitutes=7),
    lambda g: g.screen("a", stop=True), lambda g: g.list("a", lmit=3), lambda g: g.screen_many("a,b"),
    lambda g: ms.TypedGraph.from_edges([("a", "b")], ["t"]).match(5), lambda g: ms.compare({"a": 1}, {"a": "x"}),
])
def test_wrong_types(g, call):
    with pytest.raises(TypeError):
        call(g)


def test_names_of_parameters():
    terms = errors.in_python_terms
    assert terms("raise `memory` or set `limit` to 0") == "raise memory= or set limit= to None"
    assert terms("give `colors.format`; `MS_METHOD_EXACT`") == 'give format=; method="exact"'
    assert terms("set `exact` to false") == "set exact= to False"


def test_every_parameter_of_a_message_is_one_of_python():
    """Parameters that the library's messages name are keywords here, or are put in other words."""
    import inspect
    import pathlib
    import re

    root = pathlib.Path(__file__).parents[2]
    queries = [getattr(ms, name) for name in ("screen", "list", "match", "nearest", "census", "significance",
                                              "mine", "components", "paths", "generate", "verify", "screen_many",
                                              "list_many", "census_vertices")]
    makers = [getattr(ms.Graph, name) for name in dir(ms.Graph) if name.startswith("from_")]
    known = {p for f in [*queries, *makers, ms.Result.write] for p in inspect.signature(f).parameters}
    named = set()
    for folder in ("run", "motif", "census", "match", "significance", "query"):
        for file in (root / folder).glob("**/*.c"):
            for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', file.read_text()):
                named |= set(re.findall(r"`([a-z_.]+)`", text))
    assert len(named) > 30
    unknown = {name for name in named
               if terms_keyword(name) not in known and name not in errors.NOT_IN_PYTHON}
    assert not unknown


def terms_keyword(name):
    return errors.in_python_terms(f"`{name}`").partition("=")[0]


def test_memory(g):
    big = ms.generate("er", vertices=3000, edges=60000, colors=2)
    with pytest.raises(MemoryError) as caught:
        big.list("c0:2,c1:2", memory=20 << 20, families=0.9, timeout=120)
    assert isinstance(caught.value, ms.MotifsieveError) and "memory=" in str(caught.value)


def test_output(g, tmp_path):
    with pytest.raises(OSError) as caught:
        g.list("a,b").write(tmp_path / "no" / "r.tsv")
    assert isinstance(caught.value, ms.OutputError)
    target = tmp_path / "r.tsv"
    target.write_text("old")
    with pytest.raises(ms.UsageError):
        g.list("a,b").write(target, "binary")
    assert target.read_text() == "old"


@pytest.mark.skipif("__import__('motifsieve')._native.lib.ms_device_count() > 0")
def test_a_missing_gpu(g):
    big = ms.generate("er", vertices=50, edges=100, colors=2)
    for call in (lambda: g.screen("a,b", gpu=True, method="sieve"), lambda: g.list("a,b", gpu=True),
                 lambda: g.match("path:3", gpu=[0]), lambda: big.census(3, gpu=True)):
        with pytest.raises(ms.MotifsieveError, match="GPU|CUDA|accelerator"):
            call()
    assert g.list("a,b", gpu=False).count == g.list("a,b").count == 2


def test_colors_are_needed():
    plain = ms.Graph.from_edges(np.array([[0, 1]]))
    for call in (lambda: plain.screen("a"), lambda: plain.census(2), lambda: plain.mine(2)):
        with pytest.raises(ms.UsageError, match="colors="):
            call()


def test_files_that_a_sheet_names(tmp_path):
    """A sheet leads only to files below its folder, or below another one that is given; no text of such a file is shown."""
    inner = tmp_path / "in"
    inner.mkdir()
    (tmp_path / "secret").write_text("xyzzy-secret\n1 2 3\n")
    (inner / "link").symlink_to("../secret")
    for name in "gh":
        (inner / name).write_text("a\tb\nb\tc\nc\ta\n")
        (inner / f"{name}.colors").write_text("a\tx\nb\ty\nc\tx\n")
    sheet, out = inner / "sheet.tsv", tmp_path / "out.tsv"
    tool = os.path.join(os.environ["MOTIFSIEVE_BUILD"], "motifsieve")

    def write(first):
        sheet.write_text(f"sample\tgraph\tcolors\tgroup\ns\t{first}\tg.colors\tu\nt\th\th.colors\tv\n")

    write("g")
    subprocess.run([tool, "compare", sheet, "-k", "2", "--permutations", "9", "-q", "-o", out], check=True)
    assert ms.verify(out, sheet)
    for away in ("/etc/passwd", "../secret", "link", str(tmp_path / "secret")):
        write(away)
        with pytest.raises(ms.InputError, match="is not below the folder") as caught:
            ms.verify(out, sheet)
        assert "xyzzy" not in str(caught.value) and "root:" not in str(caught.value)
        with pytest.raises(ms.InputError) as caught:
            ms.verify(out, sheet, below="/")
        assert "xyzzy" not in str(caught.value) and "root:" not in str(caught.value)


@pytest.mark.parametrize("name, value, warns", [
    ("MOTIFSIEVE_GF2", "bogus", True), ("MOTIFSIEVE_SETS", "bogus", True), ("OMP_NUM_THREADS", "many", True),
    ("MOTIFSIEVE_SETS", "portable", False), ("OMP_NUM_THREADS", "2", False),
])
def test_environment(name, value, warns):
    """A variable of the environment with a value that means nothing is warned of when the package is imported."""
    code = "import motifsieve as ms; print(len(ms.Graph.from_edges([(0, 1)])))"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, name: value}, text=True, capture_output=True)
    assert done.stdout == "2\n"
    assert (f"environment variable {name}" in done.stderr) == warns, done.stderr
