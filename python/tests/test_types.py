"""The types of the package."""

import os
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run_mypy(folder, *files):
    return subprocess.run([sys.executable, "-m", "mypy", "--config-file", os.path.join(ROOT, "pyproject.toml"),
                           "--cache-dir", str(folder / "cache"), *files], cwd=ROOT, capture_output=True, text=True,
                          timeout=240)


def test_types_are_complete_and_right(tmp_path):
    """mypy accepts the package with the options of --strict that pyproject.toml sets, and a program
    that uses it; it refuses a program that uses it wrongly."""
    pytest.importorskip("mypy", reason="mypy is not installed")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import motifsieve as ms\n"
                     "g = ms.Graph.from_edges([(0, 1)], colors=['a', 'b'])\n"
                     "g.list('a,b', limits=3)\n"
                     "number: int = g.list('a,b').bound_text\n"
                     "g.screen('a', method='fast')\n"
                     "ms.Graph.from_points([[0, 0]], nearest=3)\n"
                     "g.census(3, progress=print('x'), gpu=True)\n"
                     "number = g.list('a,b')['node1']\n"
                     "g.with_colours(['a'])\n")
    found = run_mypy(tmp_path, "python/motifsieve", str(program))
    assert found.returncode == 0, found.stdout + found.stderr
    found = run_mypy(tmp_path, "python/motifsieve", str(wrong))
    lines = [int(line.split(":")[1]) for line in found.stdout.splitlines() if ": error: " in line]
    assert lines == [3, 4, 5, 6, 7, 8, 9] and '"limits"' in found.stdout, found.stdout


PROGRAM = """
import numpy as np
import motifsieve as ms
from motifsieve import screen

g = ms.Graph.from_edges([(0, 1)], colors=['a', 'b'])
g = ms.Graph.from_points(np.zeros((4, 2)), knn=2, names=[*"wxyz"], slides=[1, 1, 2, 2])
r = g.list('a,b', limit=3, gpu=[0, 1], progress=lambda what, done, total: None)
names: list[str] = r.to_arrow().names
columns: int = r.to_pandas().shape[1]
page: str = r._repr_html_()
bound: float = screen(g, 'a,b', method="sieve").bound
nodes: list[object] = r[0:2]
first: object = r[0]
total: int = r["match"].size + ms.list(g, "a").count + ms.match(g, "path:3", order="ri").count + g.degree(0)
degrees: int = g.degree().size
found: ms.Components = g.components(algorithm="kahan")
sizes: int = len(found)
network: ms.Graph = ms.Graph.from_networkx(g.to_networkx(), colors="kind", scores="w")
network = ms.Graph.from_scipy(g.to_scipy(), directed=True)
census: ms.Census = g.significance(3, sort="q", null="degree", permutations=9)
pattern = ms.Pattern([(0, 1)], colors=["a", None])
"""


def test_literals_are_the_tables():
    """The words that a type allows are those of the table that the function looks them up in, and others are refused."""
    import ast
    import importlib
    import pathlib

    compared = 0
    for path in sorted(pathlib.Path(ROOT, "python", "motifsieve").glob("*.py")):
        tree = ast.parse(path.read_text())
        types = {a.arg: ast.unparse(a.annotation) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef)
                 for a in f.args.args + f.args.kwonlyargs if a.annotation and "Literal[" in ast.unparse(a.annotation)}
        module = importlib.import_module(f"motifsieve.{path.stem}")
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "chosen":
                table = getattr(module, call.args[2].id)
                words = {word for word in table if word is not None}
                allowed = ast.literal_eval(types[call.args[0].value].partition("[")[2].partition("]")[0])
                assert set(allowed) == words, (path.stem, call.args[0].value)
                compared += 1
    assert compared >= 14


def test_all_names_have_a_home():
    """Every name is there; __all__ has all that do not hide a builtin or a word of Python."""
    import builtins
    import keyword

    import motifsieve as ms

    names = dir(ms)
    assert names == sorted([*ms._HOME, "__version__"]) and {"list", "match", "screen"} < set(names)
    hidden = {name for name in names if hasattr(builtins, name) or name in keyword.softkwlist}
    assert hidden == {"list", "match"} and sorted(ms.__all__) == sorted(set(names) - hidden)
    for name in names:
        assert getattr(ms, name) is not None
    program: dict[str, object] = {}
    exec("from motifsieve import *", program)
    assert program["screen"] is ms.screen and "list" not in program and "match" not in program
