#!/usr/bin/env bash
# Tests the Python package of a build: python/tests/run.sh BUILD_FOLDER [PYTHON [ARGUMENT...]]
# Prints pytest's output and libcheck's line of counts.  Skips, loudly, where no interpreter has
# what the tests need, or where the package was not built.
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/../../tests/environment.sh"

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
passed=0 failed=0 errors=0
count() { tail -n 1 "$log" | grep -oE "[0-9]+ $1" | grep -oE '[0-9]+' || echo 0; }
# run_tests ARGUMENT...: runs pytest and adds to the counts
run_tests() {
  local code bad
  timeout 7000 "$python" -m pytest -q -p no:cacheprovider -rs --override-ini=testpaths= -o 'addopts=' "$@" 2>&1 | tee "$log"
  code=${PIPESTATUS[0]}
  bad=$(($(count failed) + $(count error)))
  passed=$((passed + $(count passed))) failed=$((failed + $(count failed))) errors=$((errors + $(count error)))
  [ "$code" -eq 0 ] || [ "$bad" -gt 0 ] || errors=$((errors + 1))
}
run_tests python/tests --doctest-modules "$build/python/motifsieve" "$@"
# The file for GPUs, on emulated ones; tests/gpu.sh runs it on real ones.
for plugin in "$build"/tests/gpu/emulated/libmotifsieve-cuda.so.*; do
  [ $# -gt 0 ] || [ ! -e "$plugin" ] || MOTIFSIEVE_CUDA=$plugin run_tests python/tests/test_gpu.py
done
checks=$((passed + failed + errors))
echo "$((checks ? 100 * passed / checks : 0))%: Checks: $checks, Failures: $failed, Errors: $errors"
[ $((failed + errors)) -eq 0 ]
