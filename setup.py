"""Builds the Python package: `pip install .` compiles the library and links it into the wheel.

make compiles, with the settings that it takes from the environment (CC, CFLAGS, CUDA, CUDA_ARCHS);
MOTIFSIEVE_MAKE holds further arguments of make, such as "CUDA=0".  Everything is built in the folder
build, so that a second installation compiles only what has changed.
"""

import glob
import os
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = os.path.dirname(os.path.abspath(__file__))
WORK = os.path.join("build", "pip")  # of setuptools, beside what make builds


def version():
    with open(os.path.join(HERE, "include", "motifsieve.h"), encoding="utf-8") as file:
        return re.search(r'#define MS_VERSION "(.*)"', file.read()).group(1)


class BuildNative(build_ext):
    """Lets make compile the module, and copies it into the wheel."""

    def build_extension(self, ext):
        given = shlex.split(os.environ.get("MOTIFSIEVE_MAKE", ""))
        # more jobs would need much memory where CUDA is compiled
        jobs = [] if any(a.startswith("-j") for a in given) else [f"-j{min(os.cpu_count() or 1, 8)}"]
        # this may itself run below a make, whose flags are not meant for this one
        environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
        make = environment.get("MAKE", "make")
        subprocess.run([make, "-C", HERE, "PYTHON=" + sys.executable, *jobs, *given, "python"], check=True,
                       env=environment)
        build = next((a[len("BUILD="):] for a in reversed(given) if a.startswith("BUILD=")), "build")
        package = os.path.join(HERE, build, "python", "motifsieve")
        target = os.path.abspath(self.get_ext_fullpath(ext.name))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(os.path.join(package, "_native.abi3.so"), target)
        subprocess.run(["strip", "-S", target], check=False)
        notice = os.path.join(HERE, build, "report", "web", "cytoscape.LICENSE")  # empty: the build has no cytoscape.js
        if os.path.isfile(notice) and os.path.getsize(notice) > 0:
            shutil.copy(notice, os.path.dirname(target))
        for plugin in glob.glob(os.path.join(package, "libmotifsieve-cuda.*")):
            shutil.copy(plugin, os.path.dirname(target))


os.chdir(HERE)
shutil.rmtree(WORK, ignore_errors=True)  # else a wheel holds modules that are gone
os.makedirs(WORK)
setup(
    version=version(),
    packages=["motifsieve"],
    package_dir={"motifsieve": "python/motifsieve"},
    package_data={"motifsieve": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("motifsieve._native", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": BuildNative},
    options={
        "bdist_wheel": {"py_limited_api": "cp39"},
        "build": {"build_base": WORK},
        "egg_info": {"egg_base": WORK},
    },
    zip_safe=False,
)
