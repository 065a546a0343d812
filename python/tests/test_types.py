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
    program.write_text(
        "import motifsieve as ms\n"
        "g = ms.Graph.from_edges([(0, 1)], colors=['a', 'b'])\n"
        "r = g.list('a,b', limit=3)\n"
        "names: list[str] = r.to_arrow().names\n"
        "columns: int = r.to_pandas().shape[1]\n"
        "page: str = r._repr_html_()\n"
        "bound: float = g.screen('a,b').bound\n")
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import motifsieve as ms\n"
                     "g = ms.Graph.from_edges([(0, 1)], colors=['a', 'b'])\n"
                     "g.list('a,b', limits=3)\n"
                     "number: int = g.list('a,b').bound_text\n")
    found = run_mypy(tmp_path, "python/motifsieve", str(program))
    assert found.returncode == 0, found.stdout + found.stderr
    found = run_mypy(tmp_path, "python/motifsieve", str(wrong))
    errors = [line for line in found.stdout.splitlines() if ": error: " in line]
    assert len(errors) == 2 and '"limits"' in errors[0] and "wrong.py:4" in errors[1], found.stdout


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
