#!/usr/bin/env bash
# The notebooks in examples/notebooks: their form, and, where Jupyter and the Python package are, their execution and results.
# Usage: tests/notebooks.sh BUILD_FOLDER [PYTHON]
#   MOTIFSIEVE_DATA          the folder of real data; without it the notebooks use the data in examples/, or make their own
#   MOTIFSIEVE_TEST_LONG=1   executes each notebook with the real data and without it
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/environment.sh"

cd "$(dirname "$0")/.." || exit 1
build=${1:-build}
python=${2:-}
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-notebooks-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/checks.sh
. tests/checks.sh
excerpt=(tail -n 40)

# ---- form: any Python can tell -------------------------------------------------------------
if command -v python3 >/dev/null 2>&1; then
  for notebook in examples/notebooks/*.ipynb; do
    check "$notebook: form" python3 tests/notebooks/form.py "$notebook"
  done
  check 'the page names each notebook' python3 - <<'END'
import glob, os
page = open("examples/notebooks/README.md", encoding="utf-8").read()
missing = [n for n in map(os.path.basename, glob.glob("examples/notebooks/*.ipynb")) if f"]({n})" not in page]
raise SystemExit(f"README.md does not name {missing}" if missing else 0)
END
else
  echo 'SKIPPED: notebooks: their form: no python3 here'
fi

# ---- execution -----------------------------------------------------------------------------
if [ ! -e "$build/python/motifsieve/_native.abi3.so" ]; then
  echo 'SKIPPED: notebooks: the Python package is not built (make python)'
  checks=$((checks + 1))
  finish
fi
needs='import nbclient, nbformat, ipykernel, numpy, pandas, networkx, matplotlib'
for candidate in ${python:+"$python"} python3 /usr/bin/python3; do
  if PYTHONPATH=$build/python "$candidate" -c "$needs, motifsieve" 2>/dev/null; then python=$candidate && break; fi
  python=
done
if [ -z "$python" ]; then
  skip_rest "no Python can ${needs/import/import all of} (Debian: python3-nbclient python3-ipykernel python3-pandas python3-networkx python3-matplotlib)"
fi
export PYTHONPATH=$PWD/$build/python PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=
case $build in /*) export PYTHONPATH=$build/python ;; esac
data=
[ -z "${MOTIFSIEVE_DATA:-}" ] || [ ! -d "$MOTIFSIEVE_DATA" ] || data=$(cd "$MOTIFSIEVE_DATA" && pwd)
unset MOTIFSIEVE_DATA

# execute NAME DATA TEXT...: the notebook runs in a copy of examples/, and its output holds each text
execute() {
  local name=$1 folder=$2 log
  shift 2
  log=$work/$name${folder:+-data}
  cp -r examples "$log"
  HOME=$log MOTIFSIEVE_DATA=${folder:-$log/none} timeout 400 "$python" tests/notebooks/execute.py "$log/notebooks/$name.ipynb" "$@" >"$log.log" 2>&1 </dev/null
  echo $? >"$log.status"
}
execute complex "$data" '# matches: 188' 'proved' 'POL30' ${data:+'188 groups in the whole network, 188 in the table above'}
[ -z "$data" ] || [ -z "${MOTIFSIEVE_TEST_LONG:-}" ] || execute complex '' 'this part is left out'
# The made tissue has planted motifs, and NetworkX waits: side by side.
execute networkx "${MOTIFSIEVE_TEST_LONG:+$data}" 'queries ended in both programs, with equal numbers' &
execute tissue '' 'made 100000 cells' 'B cell,follicular dendritic:4'
if "$python" -c 'import anndata' 2>/dev/null; then
  execute cells "$data" "$([ -n "$data" ] && echo 'read 19416' || echo 'made 20000') cells" 'complete: True' 'the file holds:' &
else
  echo 'SKIPPED: notebooks: cells: no anndata here (Debian: python3-anndata)'
fi
wait
if [ -n "$data" ] && [ -n "${MOTIFSIEVE_TEST_LONG:-}" ]; then
  execute networkx '' 'queries ended in both programs, with equal numbers'
  execute tissue "$data" 'read 154446 cells'
fi
for status in "$work"/*.status; do
  log=${status%.status}
  tried "$(basename "$log").ipynb" "$log.log" "$(cat "$status")"
  grep '^seconds' "$log.log" | sed "s|^|$(basename "$log"): |"
done
finish
