#!/usr/bin/env bash
# The shared library in programs of others: it can be closed while its threads wait for work, and
# the example programs run.  Usage: tests/library.sh BUILD_FOLDER
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/environment.sh"

cd "$(dirname "$0")/.." || exit 1
build=${1:-build}
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-library-XXXXXX")
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/checks.sh
. tests/checks.sh

library=$(ls "$PWD/$build"/libmotifsieve.so "$PWD/$build"/libmotifsieve.dylib "$build"/libmotifsieve.so 2>/dev/null | head -n 1)
if [ -z "$library" ]; then
  echo "library.sh: FAILED: no shared library in $build; run make first"
  exit 1
fi
check 'each function of the header is called with NULL handles' \
  test -z "$(grep -hE '^ *MS_API' include/motifsieve.h include/motifsieve/*.h | grep -oE '\bms_[a-z0-9_]+\(' | sort -u |
    while read -r function; do grep -qF "$function" tests/unit/library/test_null_handles.c || echo "$function"; done)"
check 'each struct of options begins with its size, and has a macro and a kind' \
  test -z "$(awk '/^typedef struct ms_[a-z_]*_options \{/ { name = $3; getline; if ($0 !~ /^  size_t size;/) print name ": no size"
    print name }' include/motifsieve/*.h | while read -r name rest; do
    if [ -n "$rest" ]; then echo "$name $rest"; continue; fi
    macro=$(tr a-z A-Z <<<"${name}_default")
    grep -q "^#define $macro" include/motifsieve/*.h && grep -q "KIND($name, $macro" base/options.c || echo "$name"
  done)"
check 'the library exists' test -s "$library"
if nm -D "$library" 2>/dev/null | grep -qE ' U __(asan|ubsan|tsan|gcov)|__gcov_'; then
  skip 'programs with the library: this build is instrumented'
else
  compiler=${CC:-cc}
  check 'a program that unloads the library compiles' \
    "$compiler" -O1 -Wall -Wextra -Werror -Iinclude -o "$work/unload" tests/library/unload.c -ldl
  check 'C: the process survives dlclose' ends_with alive "$work/unload" "$library" 2
  check 'a program that tries its host compiles' \
    "$compiler" -O1 -Wall -Wextra -Werror -Iinclude -o "$work/host" tests/library/host.c -ldl -lpthread
  check 'a search runs where the system starts no thread' ends_with alive "$work/host" "$library" threads
  check 'a child of fork() searches after its parent did' ends_with alive "$work/host" "$library" fork
  # programs ask for the name with the version
  ln -s "$library" "$work/$(readelf -d "$library" | sed -n "s/.*SONAME.*\[\(.*\)\]/\1/p")"
  for program in screen write; do
    check "the example $program compiles" "$compiler" -std=c99 -O1 -Wall -Wextra -Wpedantic -Werror -Iinclude \
      -o "$work/$program" "examples/library/$program.c" "$library"
  done
  printf 'a\tb\nb\tc\nc\td\nb\td\nd\te\ne\tf\n' >"$work/g.tsv"
  printf 'a\tred\nb\tblue\nc\tred\nd\tgreen\nd\tblue\ne\tred\n' >"$work/c.tsv"
  check 'the files that the example writes are accepted' ends_with 'pattern, 1 rows: accepted' \
    env LD_LIBRARY_PATH="$work" "$work/write" "$work/g.tsv" "$work/c.tsv" red,blue,green "$work"
  check 'the tool accepts them, too' "$build/motifsieve" verify "$work/list.tsv" "$work/g.tsv" -c "$work/c.tsv"
  if command -v python3 >/dev/null 2>&1 && python3 -c 'import ctypes, _ctypes' 2>/dev/null; then
    check 'Python: the process survives dlclose' ends_with alive python3 tests/library/unload.py "$library"
  else
    skip 'Python: there is no python3 with ctypes here'
  fi
fi
finish
