#!/usr/bin/env bash
# The dependency arrows of docs/ARCHITECTURE.md, and the names that the library
# shows.  Usage: tests/arrows.sh BUILD_FOLDER
set -u

build=${1:-build}
cd "$(dirname "$0")/.." || exit 1
checks=0
failures=0
check() {
  checks=$((checks + 1))
  [ -z "$2" ] && return
  failures=$((failures + 1))
  printf 'arrows.sh: FAILED: %s\n%s\n' "$1" "$2" | head -n 20
}

rooms='base graph gf2 sieve enumerate verify gpu cli'

# includes FILE...: "file: included path" of every include from the root
includes() { grep -HoE '^ *# *include *"[^"]+"' "$@" /dev/null | sed -E 's/: *# *include *"([^"]+)"/: \1/'; }
# may ROOM FILES ALLOWED...: the files may only include from the allowed rooms
may() {
  local what=$1 files=$2 allowed
  shift 2
  allowed=$(printf '%s|' "$@")
  # shellcheck disable=SC2086
  check "$what may know only $*" "$(includes $files | grep -vE ": (motifsieve\.h|(${allowed%|})/.*)$")"
}

may base "base/*.[ch]" base
may graph "graph/*.[ch] graph/*/*.[ch]" base graph
may gf2 "gf2/*.[ch]" base gf2
may sieve "sieve/*.[ch]" base graph gf2 sieve
may enumerate "enumerate/*.[ch] enumerate/*/*.[ch]" base graph enumerate
may verify "verify/*.[ch]" base graph verify
may gpu "gpu/*.[ch] gpu/*.cu gpu/*.cuh" base graph gf2 sieve enumerate gpu
may pipeline "$(echo cli/pipeline*.[ch])" base graph sieve enumerate verify cli
# the tool uses the library; of its insides it only names the parts for info and bench
may cli "$(echo cli/*.[ch] | sed "s|cli/pipeline[a-z_]*\.[ch]||g")" base graph gf2 sieve gpu cli

# the judge takes types and readers from graph/, not the reductions or anything that searches
check 'verify shares no engine code' "$(includes verify/*.[ch] | grep -E 'graph/(instance|slots|prune)')"
check 'verify calls nothing of the engines' \
  "$(grep -nE '\bms_(instance|slots|engine|regions|screen|list|sieve)_[a-z_]+ *\(' verify/*.c)"
check 'the public header includes only the standard library' \
  "$(grep -nE '^ *# *include' include/motifsieve.h | grep -vE '<std(bool|def|int)\.h>')"
folders=$(for room in $rooms include tests bench; do [ -d "$room" ] && echo "$room"; done)
# shellcheck disable=SC2086
check 'CUDA headers stay in gpu/' "$(grep -rnE '# *include *[<"](cuda|cublas|nccl|thrust)' $folders | grep -v '^gpu/')"
# shellcheck disable=SC2046
check 'the library never prints, exits or aborts' "$(grep -nE '\b(abort|exit|_exit|printf|puts|putchar|perror) *\(' \
  $(ls base/*.c graph/*.c graph/*/*.c gf2/*.c sieve/*.c enumerate/*.c enumerate/*/*.c verify/*.c gpu/*.c gpu/*.cu cli/pipeline*.c | grep -v base/progress.c) |
  grep -vE '^[^:]+:[0-9]+: *(/?\*|//)')"
# shellcheck disable=SC2046
check 'all heap memory comes through base/alloc' "$(grep -nE '\b(malloc|calloc|realloc|free|strdup|strndup|aligned_alloc|posix_memalign|asprintf) *\(' \
  $(ls base/*.c graph/*.c graph/*/*.c gf2/*.c sieve/*.c enumerate/*.c enumerate/*/*.c verify/*.c gpu/*.c gpu/*.cu cli/*.c | grep -v base/alloc.c) |
  grep -vE '^[^:]+:[0-9]+: *(/?\*|//)')"

# ---- names ---------------------------------------------------------------------
nm=${NM:-nm}
if [ -f "$build/libmotifsieve.so" ] && [ -f "$build/libmotifsieve.a" ]; then
  # sanitizers, coverage and the linker add names of their own
  own='^(ms_|__|_init$|_fini$|_edata$|_end$|_GLOBAL_OFFSET_TABLE_|\.gomp_critical_user_)'
  check 'libmotifsieve.so exports ms_ names only' \
    "$($nm -D --defined-only "$build/libmotifsieve.so" | awk '{ print $NF }' | grep -vE "$own")"
  public=$(grep -oE '\bms_[a-z0-9_]+\(' include/motifsieve.h | tr -d '(' | sort -u)
  check 'libmotifsieve.so exports only what the header declares' \
    "$($nm -D --defined-only "$build/libmotifsieve.so" | awk '{ print $NF }' | grep '^ms_' | sort -u | grep -vxF "$public")"
  check 'libmotifsieve.so exports all that the header declares' \
    "$(grep -E '^ *MS_API' include/motifsieve.h | grep -oE '\bms_[a-z0-9_]+\(' | tr -d '(' | sort -u |
      comm -23 - <($nm -D --defined-only "$build/libmotifsieve.so" | awk '{ print $NF }' | sort -u))"
  check 'libmotifsieve.a has ms_ globals only' \
    "$($nm -g --defined-only "$build/libmotifsieve.a" 2>/dev/null | awk 'NF == 3 { print $NF }' | grep -vE "$own")"
  # the linker takes the tool's own without a word
  globals() { "$nm" -g --defined-only "$@" 2>/dev/null | awk 'NF == 3 && $3 ~ /^ms_/ { print $3 }' | sort -u; }
  tool=$(for o in "$build"/cli/*.o; do case $o in */pipeline*) ;; *) [ -f "$o" ] && echo "$o" ;; esac; done)
  # shellcheck disable=SC2086
  check 'no name is both of the library and of the tool' \
    "$([ -z "$tool" ] || comm -12 <(globals $tool) <(globals "$build/libmotifsieve.a"))"
else
  echo "SKIPPED: arrows: no library in $build"
fi

echo "$((100 * (checks - failures) / checks))%: Checks: $checks, Failures: $failures, Errors: 0"
[ "$failures" -eq 0 ]
