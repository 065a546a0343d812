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
    """Every name of __all__ is there, and no other is loaded lazily."""
    import motifsieve as ms

    assert sorted(ms.__all__) == sorted([*ms._HOME, "__version__"])
    for name in ms.__all__:
        assert getattr(ms, name) is not None
