"""A wheel of the checkout works in a new environment, without the checkout."""

import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
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


def installed(wheel, folder):
    """Install a wheel into a new environment, and return what the script prints there."""
    run(sys.executable, "-m", "venv", "--system-site-packages", folder / "env")
    run(folder / "env" / "bin" / "pip", "install", "--no-index", "--no-deps", wheel)
    return run(folder / "env" / "bin" / "python", "-c", SCRIPT)


@pytest.mark.skipif(not (has("pip") and has("wheel") and has("ensurepip")), reason="no pip, wheel or venv")
@pytest.mark.skipif("MOTIFSIEVE_BUILD" not in os.environ, reason="python/tests/run.sh names the build")
def test_a_wheel(tmp_path):
    build = os.path.relpath(os.environ["MOTIFSIEVE_BUILD"], ROOT)
    # AS_BUILT: the objects of the build that is tested are used, whatever its flags
    run(sys.executable, "-m", "pip", "wheel", ROOT, "--no-build-isolation", "--no-index", "--no-deps",
        "-w", tmp_path, MOTIFSIEVE_MAKE=f"-j2 AS_BUILT=1 BUILD={build}")
    (wheel,) = tmp_path.glob("*.whl")
    assert "cp39-abi3" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        facts = archive.read(next(name for name in archive.namelist() if name.endswith("/METADATA"))).decode()
    for fact in ("Author: The motifsieve developers", "License: MIT", "Classifier: Typing"):
        assert f"\n{fact}" in facts
    assert "example.org" not in facts.partition("\n\n")[0]  # no address is better than one that leads nowhere
    assert wheel.stat().st_size < 32 << 20  # with the code of all GPU architectures it has 18 MB
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"motifsieve/_native.abi3.so", "motifsieve/py.typed", "motifsieve/graph.py"} <= names
    notice = ROOT / build / "report" / "web" / "cytoscape.LICENSE"
    assert ("motifsieve/cytoscape.LICENSE" in names) == (notice.stat().st_size > 0)
    modules = {f"motifsieve/{path.name}" for path in (ROOT / "python" / "motifsieve").glob("*.py")}
    assert {name for name in names if name.endswith(".py")} == modules
    version = installed(wheel, tmp_path)
    header = (ROOT / "include" / "motifsieve.h").read_text()
    assert f'#define MS_VERSION "{version.strip()}"' in header
    if shutil.which("patchelf") and shutil.which("dpkg"):
        check_whole(wheel, tmp_path / "whole")


def check_whole(wheel, folder):
    """packaging/wheel.py adds the libraries, with their licences; the module then loads them, and not those of the system."""
    folder.mkdir()
    run(sys.executable, ROOT / "packaging" / "wheel.py", wheel, folder)
    (whole,) = folder.glob("*.whl")
    assert "-manylinux_2_" in whole.name
    names = zipfile.ZipFile(whole).namelist()
    libraries = [name for name in names if name.startswith("motifsieve.libs/lib")]
    assert len(libraries) >= 6 and sum(name.endswith(".copyright") for name in names) >= 5
    installed(whole, folder)
    loaded = run(folder / "env" / "bin" / "python", "-c", "import motifsieve; motifsieve.Graph.from_edges([(0, 1)]); "
                 "print(open('/proc/self/maps').read())")
    assert "motifsieve.libs/libjansson" in loaded and "/libjansson.so" not in loaded and "/libqhull_r.so" not in loaded


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no checkout of git, which knows the files")
def test_a_source_distribution(tmp_path):
    """It has every file of the repository that is compiled or installed, and make finds all that it needs;
    with MOTIFSIEVE_TEST_LONG, a wheel is built from it, without the checkout."""
    subprocess.run([sys.executable, "setup.py", "-q", "sdist", "-d", tmp_path], cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(tmp_path)
    (tree,) = (path for path in tmp_path.glob("motifsieve-*") if path.is_dir())
    known = run("git", "-C", ROOT, "-c", "safe.directory=*", "ls-files").split("\n")
    others = ("tests/", "bench/", "examples/", "packaging/", "debian/", "docs/", "r/", ".")
    missing = [name for name in known if name and not name.startswith(others) and not (tree / name).is_file()]
    assert len(known) > 1000 and missing == []
    assert not [path for path in tree.rglob("*") if path.suffix in (".o", ".so", ".pyc")]
    planned = run("make", "-C", tree, "-n", "CUDA=0", f"PYTHON={sys.executable}", "python")
    assert "graph/graph.c" in planned and "_native.abi3.so" in planned
    if os.environ.get("MOTIFSIEVE_TEST_LONG"):
        run(sys.executable, "-m", "pip", "wheel", archive, "--no-build-isolation", "--no-index", "--no-deps",
            "-w", tmp_path, MOTIFSIEVE_MAKE="CUDA=0")
        (wheel,) = tmp_path.glob("*.whl")
        assert installed(wheel, tmp_path).strip() in wheel.name
