#!/usr/bin/env bash
# Tests the Python package of a build: python/tests/run.sh BUILD_FOLDER [PYTHON [ARGUMENT...]]
# Prints pytest's output and libcheck's line of counts.  Skips, loudly, where no interpreter has
# what the tests need, or where the package was not built.
set -u

build=$(cd "${1:?usage: python/tests/run.sh BUILD_FOLDER [PYTHON]}" && pwd) || exit 1
python=${2:-${PYTHON:-}}
shift $(($# > 1 ? 2 : 1))
cd "$(dirname "$0")/../.." || exit 1

skip() {
  echo "SKIPPED: $1"
  echo '100%: Checks: 1, Failures: 0, Errors: 0'
  exit 0
}

if [ -z "$python" ]; then
  for candidate in python3 python /usr/bin/python3; do
    "$candidate" -c 'import cffi, numpy, pytest, setuptools' 2>/dev/null && python=$candidate && break
  done
fi
[ -n "$python" ] || skip 'no Python with cffi, numpy, pytest and setuptools (make deps-python)'
[ -e "$build/python/motifsieve/_native.abi3.so" ] || skip 'the Python package is not built (make python)'

export PYTHONPATH=$build/python PYTHONDONTWRITEBYTECODE=1 MOTIFSIEVE_BUILD=$build
log=$(mktemp "${TMPDIR:-/tmp}/motifsieve-python-XXXXXX")
trap 'rm -f "$log"' EXIT
timeout 300 "$python" -m pytest -q -p no:cacheprovider -rs python/tests --doctest-modules \
  "$build/python/motifsieve" --override-ini=testpaths= -o 'addopts=' "$@" 2>&1 | tee "$log"
code=${PIPESTATUS[0]}
grep -E '^SKIPPED' "$log" >/dev/null || true
count() { tail -n 1 "$log" | grep -oE "[0-9]+ $1" | grep -oE '[0-9]+' || echo 0; }
passed=$(count passed) failed=$(count failed) errors=$(count error)
[ "$code" -eq 0 ] || [ $((failed + errors)) -gt 0 ] || errors=1
checks=$((passed + failed + errors))
echo "$((checks ? 100 * passed / checks : 0))%: Checks: $checks, Failures: $failed, Errors: $errors"
[ "$code" -eq 0 ]
