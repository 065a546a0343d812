"""Makes a wheel that needs no library but the C library: wheel.py WHEEL FOLDER

The libraries that the module is linked with are copied into the wheel under names of their own, so that they are never
mixed up with others in the same process, together with their licences. The wheel in FOLDER has the tag of the oldest glibc
that has all functions that these files ask for. It needs patchelf, readelf, and the Debian packages of the libraries.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SYSTEM = re.compile(r"lib(c|m|dl|pthread|rt)\.so|ld-linux")


def run(*command):
    """Return what a command prints; it must succeed."""
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True).stdout


def needed(file):
    """Return the names of the libraries that a file asks for, other than those of the C library."""
    return [name for name in run("patchelf", "--print-needed", file).split() if not SYSTEM.match(name)]


def installed(name):
    """Return where the loader of this machine finds a library."""
    found = re.search(rf"^\s*{re.escape(name)} .*=> (\S+)$", run("/sbin/ldconfig", "-p"), re.M)
    if not found:
        sys.exit(f"wheel.py: {name} is not installed")
    return Path(found.group(1)).resolve()


def licence(library):
    """Return the file with the licence of an installed library, and its package."""
    for path in (library, Path(str(library).replace("/usr/lib", "/lib", 1))):  # Debian's packages have either
        said = subprocess.run(["dpkg", "-S", str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        if said:
            package = said.split(":")[0]
            return package, Path("/usr/share/doc") / package / "copyright"
    sys.exit(f"wheel.py: {library} is in no package, so its licence is unknown")


def bundle(module, folder, licences):
    """Copy the libraries that a file needs into folder, and let the file find them there, and these likewise."""
    for name in needed(module):
        library = installed(name)
        stem, rest = name.split(".so", 1)
        own = f"{stem}-motifsieve.so{rest}"
        copy = folder / own
        if not copy.exists():
            shutil.copy(library, copy)
            copy.chmod(0o755)
            package, text = licence(library)
            shutil.copy(text, licences / f"{package}.copyright")
            run("patchelf", "--set-soname", own, copy)
            bundle(copy, folder, licences)
        run("patchelf", "--replace-needed", name, own, module)
    run("patchelf", "--set-rpath", "$ORIGIN/" + os.path.relpath(folder, module.parent), module)


def main(wheel, target):
    os.makedirs(target, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        run(sys.executable, "-m", "wheel", "unpack", wheel, "-d", work)
        (tree,) = Path(work).iterdir()
        (module,) = tree.glob("motifsieve/_native*.so")
        (facts,) = tree.glob("*.dist-info")
        folder = tree / "motifsieve.libs"
        folder.mkdir()
        bundle(module, folder, facts)
        files = [module, *folder.iterdir()]
        versions = [tuple(map(int, v.split("."))) for f in files for v in re.findall(r"GLIBC_([\d.]+)", run("readelf", "-V", f))]
        major, minor = max(versions)[:2]
        text = (facts / "WHEEL").read_text()
        text, changed = re.subn(r"(?m)^(Tag: \S+)-linux_(\w+)$", rf"\1-manylinux_{major}_{minor}_\2", text)
        if changed != 1 or any(needed(file) != [n for n in needed(file) if (folder / n).exists()] for file in files):
            sys.exit("wheel.py: the wheel is not one for Linux, or still needs other libraries")
        (facts / "WHEEL").write_text(text)
        run(sys.executable, "-m", "wheel", "pack", tree, "-d", target)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: wheel.py WHEEL FOLDER")
    main(*sys.argv[1:])
