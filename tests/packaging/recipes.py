"""Checks what the recipes in packaging/ say about the sources: versions, files, licences, libraries, options.

Usage: recipes.py MOTIFSIEVE, in the top folder, with a Python that has yaml.  Prints a line for each check that fails, and
at the end the numbers of checks and of failures.
"""

import os
import re
import subprocess
import sys

import yaml

checks = failures = 0


def check(what, holds, detail=""):
    global checks, failures
    checks += 1
    if not holds:
        failures += 1
        print(f"FAILED: {what}{': ' if detail else ''}{detail}")


def same(what, got, wanted):
    check(what, got == wanted, f"got {got!r}, wanted {wanted!r}")


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def found(pattern, path):
    match = re.search(pattern, text(path), re.M)
    return match.group(1) if match else None


def load(path):
    """Returns a YAML file, or None if it is none."""
    try:
        return yaml.safe_load(text(path))
    except yaml.YAMLError as error:
        check(f"{path} is YAML", False, str(error).replace("\n", " "))
        return None


motifsieve = os.path.abspath(sys.argv[1])
version = found(r'^#define MS_VERSION "(.*)"', "include/motifsieve.h")
modules = "packaging/nf-core/modules/motifsieve"
wrapper = "packaging/snakemake/bio/motifsieve"
commands = sorted(os.listdir(modules))


def help_of(command):
    return subprocess.run([motifsieve, command, "--help=all"], stdout=subprocess.PIPE, text=True, check=True).stdout


def check_options(where, command, source):
    """Each option that a line of source gives to a command of the tool is one of this command."""
    known = set(re.findall(r"--[a-z][a-z-]*", help_of(command)))
    for option in sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", source))):
        check(f"{where}: '{command}' has the option {option}", option in known)


# ---- one version everywhere ---------------------------------------------------------------
docker = [f"packaging/docker/{name}" for name in sorted(os.listdir("packaging/docker")) if name.endswith(".Dockerfile")]
same("there are two Dockerfiles", len(docker), 2)
versions = {
    "packaging/bioconda/meta.yaml": r'set version = "(.*?)"',
    "packaging/conda-forge/recipe.yaml": r'^  version: "(.*?)"',
    f"{wrapper}/environment.yaml": r"motifsieve =(\S+)",
    "CITATION.cff": r"^version: (\S+)",
    "debian/changelog": r"^motifsieve \(([^-)]+)",
    **{path: r'image\.version="(.*?)"' for path in docker},
    **{f"{modules}/{c}/environment.yml": r'motifsieve=(.*)"' for c in commands},
    **{f"{modules}/{c}/tests/main.nf.test": r"versions_motifsieve\[0\]\[2\] == '(.*)'" for c in commands},
}
for path, pattern in versions.items():
    same(f"{path} has the version of the header", found(pattern, path), version)
for c in commands:
    tags = re.findall(r"motifsieve:([^-']+)--", text(f"{modules}/{c}/main.nf"))
    same(f"{modules}/{c}/main.nf names containers of the version", tags, [version, version])

# ---- conda ----------------------------------------------------------------------------------
check("the licence is MIT", text("LICENSE").startswith("MIT License"))
libraries = re.findall(r"-l([a-z_]+)", found(r"^LDLIBS = (.*)", "Makefile"))
conda_names = {"jansson": "jansson", "qhull_r": "qhull", "gmp": "gmp", "expat": "expat", "zstd": "zstd", "z": "zlib"}
hosts = sorted(conda_names[name] for name in libraries if name not in ("m", "pthread", "dl"))


def check_source(path, source):
    """Before the release, neither the address nor the checksum is known; afterwards, both are."""
    unknown = ("example.org" in source["url"], not source["sha256"].strip("0"))
    check(f"{path}: the address and the checksum are both known, or both are not", unknown in ((True, True), (False, False)))
    check(f"{path}: a checksum has 64 digits", re.fullmatch("[0-9a-f]{64}", source["sha256"]))


# Jinja's statements in a meta.yaml are lines of their own, and its expressions are words.
plain = re.sub(r"^\{%.*%\}$", "", text("packaging/bioconda/meta.yaml"), flags=re.M)
plain = re.sub(r"\{\{ *(.*?) *\}\}", lambda m: re.sub(r"[^\w.]", "_", m.group(1)), plain)
bioconda = yaml.safe_load(plain)
check_source("bioconda", bioconda["source"])
same("bioconda: host libraries are those that the Makefile links", sorted(bioconda["requirements"]["host"]), hosts)
same("bioconda: licence", bioconda["about"]["license"], "MIT")
check("bioconda: the file of the licence exists", os.path.isfile(bioconda["about"]["license_file"]))
check("bioconda: build.sh can be run", os.access("packaging/bioconda/build.sh", os.X_OK))

forge = load("packaging/conda-forge/recipe.yaml")
same("conda-forge: format", forge["schema_version"], 1)
check_source("conda-forge", forge["source"])
same("conda-forge: licence", forge["about"]["license"], "MIT")
check("conda-forge: the file of the licence exists", os.path.isfile(forge["about"]["license_file"]))
outputs = {output["package"]["name"]: output for output in forge["outputs"]}
same("conda-forge: packages", sorted(outputs), ["motifsieve", "motifsieve-cuda"])
for name, output in outputs.items():
    script = "packaging/conda-forge/" + output["build"]["script"]
    check(f"conda-forge: {script} can be run", os.access(script, os.X_OK))
same("conda-forge: host libraries are those that the Makefile links", sorted(outputs["motifsieve"]["requirements"]["host"]), hosts)
host = outputs["motifsieve-cuda"]["requirements"]["host"]
same("conda-forge: the plug-in has these, and those of CUDA", sorted(h for h in host if not h.startswith("cuda-")), hosts)
check("conda-forge: the plug-in needs the library of its own version",
      "motifsieve ==${{ version }}" in outputs["motifsieve-cuda"]["requirements"]["run"])
contents = next(t["package_contents"] for t in outputs["motifsieve"]["tests"] if "package_contents" in t)
for header in contents["include"]:
    check(f"conda-forge: the header {header} exists", os.path.isfile(f"include/{header}"))

# ---- containers -------------------------------------------------------------------------------
needed = set(re.findall(r"need ([a-z0-9-]+-dev)", text("scripts/deps.sh"))) - {"libc6-dev", "libopenmpi-dev"}  # MPI=1 alone needs the last
for path in docker:
    lines = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text(path), flags=re.M)).splitlines()
    steps = [line.split(None, 1) for line in lines if line.strip()]
    froms = [words for word, words in steps if word == "FROM"]
    check(f"{path}: two stages", len(froms) == 2 and froms[0].endswith(" AS build"))
    for image in froms:
        check(f"{path}: {image} has a tag that stays", re.match(r"[\w/.-]+:(?!latest)[\w.-]+", image))
    last = steps[max(i for i, step in enumerate(steps) if step[0] == "FROM"):]
    users = [words for word, words in last if word == "USER"]
    check(f"{path}: the last user is not root", bool(users) and users[-1] not in ("root", "0"))
    check(f"{path}: its user exists", bool(users) and re.search(rf"useradd [^&]*\b{users[-1]}\b", text(path)))
    same(f"{path}: the program", [words for word, words in last if word == "ENTRYPOINT"], ['["motifsieve"]'])
    for word, words in steps:
        if word == "RUN" and "apt-get" in words:
            check(f"{path}: apt-get installs nothing else", "install -y --no-install-recommends" in words)
            check(f"{path}: no lists of packages stay", "rm -rf /var/lib/apt/lists/*" in words)
        if word == "COPY" and "--from" in words:
            check(f"{path}: copies from the first stage", "--from=build /out/usr/local /usr/local" in words)
    built = " ".join(words for word, words in steps if word == "RUN" and "gcc" in words)
    same(f"{path}: libraries to build with, as in scripts/deps.sh", set(re.findall(r"[a-z0-9]+-dev", built)) - {"libc6-dev"}, needed)
    check(f"{path}: has a list of files to leave out", os.path.isfile(path + ".dockerignore"))

control = text("debian/control")
build_depends = re.search(r"^Build-Depends:(.*(?:\n .*)*)", control, re.M).group(1)
developers = re.search(r"^Package: libmotifsieve-dev\n(?:.*\n)*?Depends:(.*(?:\n .*)*)", control, re.M).group(1)
for what, depends in (("Build-Depends", build_depends), ("Depends of libmotifsieve-dev", developers)):
    names = [re.match(r"[a-z0-9+.-]*", part.strip()).group() for part in depends.split(",")]
    check(f"debian: {what} has the libraries of scripts/deps.sh", needed <= set(names), str(needed - set(names)))
    same(f"debian: {what} names nothing twice", len(names), len(set(names)))

installed = " ".join(text(f"debian/{name}") for name in os.listdir("debian") if name.endswith(".install"))
for folder in sorted(os.listdir("examples")):
    check(f"debian: a package has examples/{folder}", f"/examples/{folder}" in installed)

# ---- nf-core style modules ----------------------------------------------------------------------
same("modules", commands, ["census", "list", "match", "screen"])
for c in commands:
    main, where = text(f"{modules}/{c}/main.nf"), f"{modules}/{c}"
    meta = load(f"{where}/meta.yml")
    same(f"{where}: name", meta["name"], f"motifsieve_{c}")
    check(f"{where}: the process has the name", f"process {meta['name'].upper()} {{" in main)
    inputs = re.findall(r"^    (?:tuple|val|path) .*", main[main.index("input:"):main.index("output:")], re.M)
    same(f"{where}: meta.yml lists the inputs", len(meta["input"]), len(inputs))
    described = [list(item) for part in meta["input"] for item in (part if isinstance(part, list) else [part])]
    same(f"{where}: meta.yml names the inputs", [k for keys in described for k in keys], re.findall(r"\((\w+)\)|val (\w+)$", "\n".join(inputs), re.M) and
         [a or b for a, b in re.findall(r"\((\w+)\)|val (\w+)$", "\n".join(inputs), re.M)])
    same(f"{where}: meta.yml lists the outputs", sorted(meta["output"]), sorted(re.findall(r"emit: (\w+)", main)))
    script = main[main.index("script:"):main.index("stub:")]
    check(f"{where}: the script calls the command", re.search(rf"motifsieve \\\\\n\s+{c} ", script))
    check_options(where, c, script)
    check_options(f"{where}/tests", c, text(f"{where}/tests/nextflow.config"))
    environment = load(f"{where}/environment.yml")
    same(f"{where}: channels", environment["channels"], ["conda-forge", "bioconda"])

# ---- Snakemake wrapper ------------------------------------------------------------------------------
meta = load(f"{wrapper}/meta.yaml")
for key in ("name", "description", "url", "authors", "input", "output", "params"):
    check(f"{wrapper}/meta.yaml has {key}", meta.get(key))
same(f"{wrapper}: channels", load(f"{wrapper}/environment.yaml")["channels"], ["conda-forge", "bioconda", "nodefaults"])
source = text(f"{wrapper}/wrapper.py")
table = eval(re.search(r"^COMMANDS = (\{.*?^\})", source, re.M | re.S).group(1))
for command, asked in table.items():
    for name in asked:
        if name != "pattern":
            check_options(wrapper, command, "--" + name.replace("_", "-"))
    check_options(wrapper, command, "--colors --alias --output --threads --memory --json")
for rule in re.findall(r'command="(\w+)".*?wrapper:', text(f"{wrapper}/test/Snakefile"), re.S):
    check(f"{wrapper}/test: {rule} is a command of the wrapper", rule in table)

print(f"{checks} checks, {failures} failures")
sys.exit(failures > 0)
