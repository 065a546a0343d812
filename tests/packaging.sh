#!/usr/bin/env bash
# The recipes of packages in packaging/: what they say fits the sources, and what can run without their services runs: the build
# scripts for conda with their tests, the tools for Galaxy, the Snakemake wrapper, and the scripts of the nf-core style modules.
# Usage: tests/packaging.sh BUILD_FOLDER
# packaging/release.sh builds all packages and an image, which takes half an hour.
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/environment.sh"

cd "$(dirname "$0")/.." || exit 1
build=${1:-build}
# shellcheck source=tests/checks.sh
. tests/checks.sh
case $build in *-asan | *-tsan | *-coverage)
  skip_rest 'the build without instruments makes the same packages'
  ;;
esac
build=$(cd "$build" && pwd) || exit 1
# In the build folder, so that files can be linked instead of copied.
work=$(mktemp -d "$build/packaging-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES DESTDIR CPPFLAGS CFLAGS LDFLAGS BUILD WERROR TOOL
excerpt=(tail -n 30)
# counted NAME COMMAND...: runs a program of checks, whose last line is "N checks, M failures"
counted() {
  local name=$1 last
  shift
  timeout 120 "$@" >"$work/said" 2>&1 </dev/null
  last=$(grep -E '^[0-9]+ checks, [0-9]+ failures$' "$work/said" | tail -n 1)
  if [ -n "$last" ]; then
    checks=$((checks + ${last%% *}))
    last=${last#* checks, }
    failures=$((failures + ${last%% *}))
    grep '^FAILED' "$work/said" | sed "s/^/packaging.sh: $name: /"
    return
  fi
  checks=$((checks + 1)) failures=$((failures + 1))
  printf 'packaging.sh: FAILED: %s ended without a count\n' "$name"
  tail -n 20 "$work/said" | sed 's/^/    /'
}

# ---- what the recipes say ---------------------------------------------------------------------
python=
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c 'import yaml' 2>/dev/null; then python=$candidate && break; fi
done
if [ -n "$python" ]; then
  counted recipes "$python" tests/packaging/recipes.py "$build/motifsieve"
else
  skip 'what the recipes say: no Python with yaml (python3-yaml)'
fi
for script in packaging/*/*.sh; do check "$script can be parsed" bash -n "$script"; done

# ---- conda: the build scripts and the tests of the packages -----------------------------------
# The folder that they build in is a copy of ours, so nothing is compiled, and the files that an installation writes there are its
# own.
mkdir "$work/build"
find "$build" -mindepth 1 -maxdepth 1 ! -name 'packaging-*' ! -name tests ! -name bench ! -name python ! -name man ! -name completion \
  ! -name motifsieve.pc ! -name 'libmotifsieve-cuda*' -exec cp -al {} "$work/build/" \;
# build_package SCRIPT PREFIX: runs a build script as conda does
build_package() {
  timeout 100 env PREFIX="$2" CC="${CC:-cc}" AR=ar NM=nm CFLAGS=-O2 LDFLAGS= CPU_COUNT=2 target_platform=linux-64 \
    BUILD=x86_64-conda-linux-gnu MOTIFSIEVE_BUILD="$work/build" MAKEFLAGS=AS_BUILT=1 "$1"
}
# commands_of RECIPE: prints the commands with which a recipe tests the package motifsieve
commands_of() {
  "$python" - "$1" "$version" <<'END'
import re, sys, yaml
text, version = open(sys.argv[1], encoding="utf-8").read(), sys.argv[2]
text = re.sub(r"\$?\{\{ *version *\}\}", version, re.sub(r"^\{%.*%\}$", "", text, flags=re.M))
recipe = yaml.safe_load(re.sub(r"\{\{.*?\}\}", "x", text.replace("${{", "{{")))
tests = recipe["test"]["commands"] if "test" in recipe else recipe["outputs"][0]["tests"][0]["script"]
print("\n".join(tests))
END
}
version=$(sed -n 's/^#define MS_VERSION "\(.*\)"/\1/p' include/motifsieve.h)
if [ -n "$python" ] && has pkg-config; then
  for recipe in packaging/bioconda/meta.yaml packaging/conda-forge/recipe.yaml; do
    prefix=$work/$(basename "$(dirname "$recipe")")
    check "$(dirname "$recipe")/build.sh runs" build_package "$(dirname "$recipe")/build.sh" "$prefix" || continue
    check "$recipe has tests" commands_of "$recipe"
    cp "$work/said" "$work/commands"
    mkdir -p "$prefix-test"
    while IFS= read -r command; do
      # shellcheck disable=SC2016
      check "$recipe: $command" env -C "$prefix-test" PREFIX="$prefix" PATH="$prefix/bin:$PATH" SHLIB_EXT=.so \
        PKG_CONFIG_PATH="$prefix/lib/pkgconfig" timeout 60 bash -euo pipefail -c "$command"
    done <"$work/commands"
    check "$recipe: no package contains the plug-in" test -z "$(ls "$prefix"/lib/libmotifsieve-cuda* 2>/dev/null)"
  done
else
  skip 'the packages for conda: no pkg-config, or no Python with yaml'
fi

# debian/ has a place for each file that is installed; dh_missing ends the build of the packages otherwise
if [ -d "$work/bioconda/include" ]; then
  check 'debian/ installs every file' "$python" - "$work/bioconda" <<'END'
import fnmatch, glob, os, sys
top = sys.argv[1]
patterns = [line.split()[0] for name in glob.glob("debian/*.install") + ["debian/not-installed"] for line in open(name) if line.strip()]
files = [os.path.relpath(os.path.join(folder, name), top) for folder, _, names in os.walk(top) for name in names]
files = [("usr/lib/TRIPLET/" + path[4:] if path.startswith("lib/") else "usr/" + path) for path in files]
rules = open("debian/rules").read()
left = [path for path in files if path not in rules and not any(fnmatch.fnmatch(path, pattern) or fnmatch.fnmatch(path, pattern + "/*") for pattern in patterns)]
print("in no package:", left)
sys.exit(bool(left) or len(files) < 40)
END
fi

plugin=$(find "$build" -maxdepth 1 -name 'libmotifsieve-cuda.so.*')
if [ -n "$plugin" ] && command -v nvcc >/dev/null; then
  cp -l "$plugin" "$work/build/"
  check 'conda-forge: build-cuda.sh runs' build_package packaging/conda-forge/build-cuda.sh "$work/cuda"
  check 'its package is the plug-in and nothing else' test "$(cd "$work/cuda" && find . -type f)" = "./lib/$(basename "$plugin")"
else
  skip 'the package for conda with the plug-in for GPUs: this build has none, or nvcc is not in the PATH'
fi

# ---- the tools for Galaxy -----------------------------------------------------------------------
python=
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c 'import Cheetah' 2>/dev/null; then python=$candidate && break; fi
done
if [ -n "$python" ]; then
  counted galaxy "$python" tests/packaging/galaxy.py "$build/motifsieve"
else
  skip 'the tools for Galaxy: no Python with Cheetah (python3-cheetah)'
fi

# ---- the Snakemake wrapper --------------------------------------------------------------------
if has snakemake; then
  mkdir -p "$work/snakemake"
  ln -s "$PWD/packaging/snakemake" "$work/snakemake/master"
  cp -r packaging/snakemake/bio/motifsieve/test "$work/snakemake/test"
  mkdir "$work/snakemake/test/data"
  cp examples/string/string_interactions_short.tsv "$work/snakemake/test/data/yeast.tsv"
  cp examples/string/genes.tsv "$work/snakemake/test/data/yeast_colors.tsv"
  printf 'helicase\nnuclease\npolymerase\nligase\n*\n' >"$work/snakemake/test/data/yeast.motif"
  # snake TARGET...: runs rules of the test with the wrapper of this checkout
  snake() {
    HOME=$work/snakemake PATH=$build:$PATH timeout 100 snakemake --directory "$work/snakemake/test" -s "$work/snakemake/test/Snakefile" \
      --cores 2 --wrapper-prefix "file://$work/snakemake/" "$@"
  }
  check 'Snakemake runs the rules of the wrapper' snake out/yeast.{screen.tsv,matches.tsv.gz,stars.json,census.tsv,network.cx2}
  out=$work/snakemake/test/out
  check 'screen: 27 vertices' grep -qx '# flagged: 27' "$out/yeast.screen.tsv"
  check 'list: 188 matches of 5 rows, compressed' test "$(gzip -dc "$out/yeast.matches.tsv.gz" | grep -vc '^#')" = 941
  check 'match: JSON lines' grep -q '"POL30"' "$out/yeast.stars.json"
  check 'census: expected numbers' grep -qE '^motif.*expected' "$out/yeast.census.tsv"
  check 'list: a network for Cytoscape' grep -q CXVersion "$out/yeast.network.cx2"
  check 'a log is written' test -s "$work/snakemake/test/logs/yeast.screen.log"
  # wrong TARGET EDIT TEXT: a rule that the edit made wrong is refused with the text
  wrong() {
    sed "$2" packaging/snakemake/bio/motifsieve/test/Snakefile >"$work/snakemake/test/Snakefile"
    if snake --forceall "out/yeast.$1"; then
      echo 'it was accepted'
      return 1
    fi
    grep -qF "$3" "$work/said"
  }
  check 'an unknown command is refused' wrong census.tsv 's/command="census"/command="count"/' "params.command is 'count'"
  check 'a parameter of another command is refused' wrong census.tsv 's/size=3/motif="a"/' "does not go with the command census"
  check 'a missing parameter is refused' wrong census.tsv '/size=3/d' 'census needs one of: size'
  check 'an unknown ending is refused' wrong census.xlsx 's/census.tsv/census.xlsx/' 'the name must end in .tsv'
else
  skip 'the Snakemake wrapper: no snakemake here'
fi

# ---- the nf-core style modules ------------------------------------------------------------------
if has nf-test && has nextflow; then
  check 'nf-test' env -C packaging/nf-core PATH="$build:$PATH" timeout 300 nf-test test --verbose
else
  skip 'nf-test of the modules: no nextflow or no nf-test here'
fi
# Debian's groovy looks for Java in a place of its own.
if [ -z "${JAVA_HOME:-}" ] && has java; then JAVA_HOME=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")") && export JAVA_HOME; fi
if has groovy && timeout 60 groovy -e 'assert true' >/dev/null 2>&1; then
  mkdir "$work/nextflow"
  counted modules env PATH="$build:$PATH" groovy tests/packaging/nextflow.groovy packaging/nf-core/modules/motifsieve examples/string \
    "$work/nextflow"
else
  skip 'the scripts of the nf-core style modules: no groovy here'
fi
finish
