"""A wheel of the checkout works in a new environment, without the checkout."""

import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

ROOT = pathlib.Path(__file__).parents[2]

SCRIPT = """
import pathlib, sys, motifsieve as ms
assert pathlib.Path(ms.__file__).is_relative_to(sys.prefix), ms.__file__
g = ms.Graph.from_edges([(0, 1), (1, 2)], colors=[*"aba"])
assert g.list("a:2,b").verify() and g.match("path:3").count == 1
print(ms.__version__)
"""


def run(*command, **env):
    """Run a command; its output is shown if it fails."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "MAKE", "PIP_"))}
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=600, cwd="/",
                          env={**clean, **env})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def has(module):
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode == 0


@pytest.mark.skipif(not (has("pip") and has("wheel") and has("ensurepip")), reason="no pip, wheel or venv")
@pytest.mark.skipif("MOTIFSIEVE_BUILD" not in os.environ, reason="python/tests/run.sh names the build")
def test_a_wheel(tmp_path):
    build = os.path.relpath(os.environ["MOTIFSIEVE_BUILD"], ROOT)
    # AS_BUILT: the objects of the build that is tested are used, whatever its flags
    run(sys.executable, "-m", "pip", "wheel", ROOT, "--no-build-isolation", "--no-index", "--no-deps",
        "-w", tmp_path, MOTIFSIEVE_MAKE=f"-j2 AS_BUILT=1 BUILD={build}")
    (wheel,) = tmp_path.glob("*.whl")
    assert "cp39-abi3" in wheel.name
    assert wheel.stat().st_size < 32 << 20  # with the code of all GPU architectures it has 18 MB
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"motifsieve/_native.abi3.so", "motifsieve/py.typed", "motifsieve/graph.py"} <= names
    notice = ROOT / build / "report" / "web" / "cytoscape.LICENSE"
    assert ("motifsieve/cytoscape.LICENSE" in names) == (notice.stat().st_size > 0)
    modules = {f"motifsieve/{path.name}" for path in (ROOT / "python" / "motifsieve").glob("*.py")}
    assert {name for name in names if name.endswith(".py")} == modules
    run(sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "env")
    run(tmp_path / "env" / "bin" / "pip", "install", "--no-index", "--no-deps", wheel)
    version = run(tmp_path / "env" / "bin" / "python", "-c", SCRIPT)
    header = (ROOT / "include" / "motifsieve.h").read_text()
    assert f'#define MS_VERSION "{version.strip()}"' in header
