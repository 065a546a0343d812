#!/usr/bin/env bash
# Checks the dependency arrows of docs/ARCHITECTURE.md, that no object files need each other in
# a circle, and the names that the library shows.  Usage: tests/arrows.sh BUILD_FOLDER
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/environment.sh"

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

# includes FILE...: "file: included path" of every include from the root
includes() { grep -HoE '^ *# *include *"[^"]+"' "$@" /dev/null | sed -E 's/: *# *include *"([^"]+)"/: \1/'; }
# A room, and the rooms that it may include from, beside its own, base/ and the public header.
# docs/ARCHITECTURE.md draws the same table.
table='
base:
parts:
gf2:
graph:
graph/io: graph
graph/formats: graph graph/io
graph/formats/colors: graph graph/io
graph/walk: graph
graph/generate: graph
graph/points: graph graph/io
query: graph graph/io graph/formats graph/formats/colors
plan: query
motif: graph graph/walk query
census: graph query
samples: graph graph/io
significance: parts graph motif census samples
match: graph query plan match/cpu
match/cpu: plan match
match/small: match plan
match/count: graph query plan match match/cpu match/small
match/typed: graph query plan match match/cpu match/count
sieve: gf2 graph query motif
verify: graph graph/io query samples result
report: graph graph/points query verify result
result: graph graph/io graph/formats graph/points query
gpu: sieve
gpu/common: match gpu
gpu/sieve: gf2 sieve gpu gpu/common
gpu/match: match match/cpu plan gpu gpu/common
gpu/motif: graph query motif gpu gpu/common
gpu/census: graph census gpu gpu/common
gpu/loader: gf2 graph query motif census match match/cpu sieve gpu gpu/motif
gpu/plugin: gpu/loader census match gpu/motif
run: parts gf2 graph graph/walk graph/generate query plan motif census samples significance match match/cpu match/small match/count match/typed sieve gpu gpu/motif verify result
mpi: parts cli
cli: parts graph graph/io graph/formats graph/walk graph/generate graph/points query samples gf2 sieve gpu result run
'
rooms=$(sed -n 's/:.*//p' <<<"$table")
# room_of FOLDER: the room that it belongs to, of which it may be a folder
room_of() {
  local folder=$1
  until grep -qxF "$folder" <<<"$rooms"; do
    case $folder in */*) folder=${folder%/*} ;; *) return ;; esac
  done
  echo "$folder"
}
homes=$(find $rooms -type d | sort -u | while read -r folder; do echo "$(room_of "$folder") $folder"; done)
# folders ROOM: the folders of a room
folders() { sed -n "s|^$1 ||p" <<<"$homes"; }
sources() {
  local folder
  for folder in $(folders "$1"); do ls "$folder"/*.[ch] "$folder"/*.cu "$folder"/*.cuh 2>/dev/null; done
}
library() { for room in $rooms; do [ "$room" = cli ] || [ "$room" = mpi ] || sources "$room"; done | grep -E '\.(c|cu)$'; }

while IFS=: read -r room allowed; do
  [ -n "$room" ] || continue
  known=$(for of in base "$room" $allowed; do folders "$of"; done | tr '\n' '|')
  # shellcheck disable=SC2046
  check "$room/ may include only from: base $allowed" \
    "$(includes $(sources "$room") | grep -vE ": (motifsieve\.h|(${known%|})/[^/]+)$")"
done <<<"$table"
# shellcheck disable=SC2046,SC2086
check 'every source file is in a room of the table' \
  "$(git ls-files '*.c' '*.h' '*.cu' '*.cuh' 2>/dev/null | grep -vE '^(tests|bench|examples|include|python|r)/' | sed 's|/[^/]*$||' |
    sort -u | grep -vxF "$(cut -d ' ' -f 2 <<<"$homes")")"
# a folder that no head can hold is split
check 'no folder has more than 45 source files' \
  "$({ for room in $rooms; do sources "$room"; done && find tests bench -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh'; } |
    sed 's|/[^/]*$||' | sort | uniq -c | awk '$1 > 45')"

# shellcheck disable=SC2046
check 'the Python package uses only the public header' \
  "$(includes $(git ls-files 'python/*.h' 'python/*.c' 2>/dev/null) | grep -vE ': (motifsieve|[a-z]+)\.h$')"

# shellcheck disable=SC2046
check 'the R package uses only the public header' \
  "$(includes $(git ls-files 'r/src/*.h' 'r/src/*.c' 2>/dev/null) | grep -vE ': package\.h$')"

# shellcheck disable=SC2046
check 'no header includes itself through others' \
  "$(includes $(git ls-files '*.h' '*.cuh' 2>/dev/null) | sed 's/: / /' | tsort 2>&1 >/dev/null)"

# tests change ms_hooks; motifsieve-mpi gives the tool its crew
# shellcheck disable=SC2046
check 'headers declare no other writable variable' \
  "$(grep -nE '^extern [^"(]*;' $(for room in $rooms; do ls "$room"/*.h 2>/dev/null; done) |
    grep -vE '\bconst [^*]*;|\*const |\bms_(hook_table ms_hooks|crew \*ms_cli_crew);')"

# the judge takes types and readers, not the reductions or anything that searches
check 'verify includes nothing of result/ but the tables of fields and columns' \
  "$(includes $(sources verify) | grep ': result/' | grep -vE ': result/(header|columns)\.h$')"
check 'verify calls nothing of the engines' \
  "$(grep -nE '\bms_(instance|slots|engine|regions|screen|list|sieve)_[a-z_]+ *\(' $(sources verify | grep "\.c\$"))"
check 'the public header includes only the standard library' \
  "$(grep -nE '^ *# *include' include/motifsieve.h include/motifsieve/*.h | grep -vE '<std(bool|def|int)\.h>|"motifsieve/[a-z_]+\.h"')"
tops=$(for room in $rooms include tests bench; do echo "${room%%/*}"; done | sort -u)
# shellcheck disable=SC2086
check 'CUDA headers stay in gpu/' "$(grep -rnE '# *include *[<"](cuda|cublas|nccl|thrust)' $tops | grep -v '^gpu/')"
# shellcheck disable=SC2046
check 'the library never prints, exits or aborts' "$(grep -nE '\b(abort|exit|_exit|printf|puts|putchar|perror) *\(' \
  $(library) |
  grep -vE '^[^:]+:[0-9]+: *(/?\*|//)')"
code() { grep -nE "$1" "${@:2}" | grep -vE '^[^:]+:[0-9]+: *(/?\*|//)'; }
# shellcheck disable=SC2046
check 'the tool prints through cli/print and cli/messages, which wait for non-blocking streams' \
  "$(code '\b(f?printf|f?puts|putchar|f?putc|fwrite|stdout|stderr)\b *[(,;)]' $(sources cli))"
# shellcheck disable=SC2046
check 'files are opened by base/file/descriptor, above the standard streams and closed by exec' \
  "$(code '(^|[^_a-z>.])(open|openat|fopen|fdopen|freopen|creat|dup2?|popen|tmpfile|mkstemp)\(' \
    $( (library; sources cli) | grep -v base/file/descriptor.c))"
# nvcc was seen to make wrong code where lanes read what others wrote after __syncwarp() alone
check 'kernels wait for a warp by ms_sync_warp, which has a fence' \
  "$(grep -rn '__syncwarp *(' gpu | grep -v '^gpu/common/warp\.cuh:')"
check 'ms_sync_warp has a fence' \
  "$(tr '\n' ' ' <gpu/common/warp.cuh | grep -q '__syncwarp();  *__threadfence_block();' || echo gpu/common/warp.cuh)"
# ---- locales
# shellcheck disable=SC2046
check 'real numbers are read by base/text/format, in any locale' \
  "$(code '\b(strto(d|f|ld)|atof|setlocale|localeconv)\(' $( (library; sources cli) | grep -v base/text/format.c))"
# shellcheck disable=SC2046
check 'variable lists of values are printed by base/text/format, in any locale' \
  "$(code '\bv[fsn]*printf\(' $( (library; sources cli) | grep -v base/text/format.c))"
# the statements that call snprintf or sscanf and whose text or next lines hold a conversion such as %.3g
# shellcheck disable=SC2046
check 'real numbers are printed by base/text/format, in any locale' \
  "$(awk '
    !inside && /(^|[^_a-z])(sn|s|f)?(printf|scanf)\(/ { inside = 1; from = FNR; text = "" }
    inside { text = text $0 }
    inside && /;$/ {
      if (text ~ /%[-+ #0-9.*]*l?[aAeEfFgG]/) print FILENAME ":" from ": " text
      inside = 0
    }' $(library; sources cli))"
# shellcheck disable=SC2046
check 'letters are compared by base/text/utf8, in any locale' \
  "$(code '\b(isalpha|isalnum|isupper|islower|isspace|isblank|isprint|ispunct|tolower|toupper|strn?casecmp|strcoll)\(' $(library))"
# shellcheck disable=SC2046
check 'messages of the library name no option of the tool' \
  "$(grep -nE '"[^"]*--[a-z]' $(library) | grep -vE '^(graph/io/source|result/dot)\.c:')"
# shellcheck disable=SC2046
check 'the tool has an option for each parameter that a message of the library names in backquotes' \
  "$(grep -hoE '"[^"]*"' $(library) | grep -oE '`[A-Za-z_.]+`' | tr -d '\`' | sort -u |
    comm -23 - <(sed -nE 's/^    \{"([^"]+)", "--.*/\1/p' cli/options/parameters.c | sort))"
# shellcheck disable=SC2046
check 'all threads are started by base/threads/parallel, which keeps signals from them' \
  "$(grep -n 'pthread_create *(' $( (library; sources cli) | grep -v base/threads/parallel.c))"
# shellcheck disable=SC2046
check 'all heap memory comes through base/alloc, base/numbers or, of JSON in the tool, cli/main' "$(grep -nE '\b(malloc|calloc|realloc|free|strdup|strndup|aligned_alloc|posix_memalign|asprintf) *\(' \
  $( (library; sources cli) | grep -vE 'base/(alloc|numbers)\.c|cli/tool\.c') |
  grep -vE '^[^:]+:[0-9]+: *(/?\*|//)')"

# ---- circles -------------------------------------------------------------------
nm=${NM:-nm}
# object_arrows LIST: prints "USER DEFINER" for each pair of object files of which one takes a name from the other.
# The Makefile writes the lists of objects; others in the folder may be left from moved files.
object_arrows() {
  # shellcheck disable=SC2046
  "$nm" -A -P -g $(cat "$build/$1") 2>/dev/null |
    awk '{ sub(/:$/, "", $1) }
      $3 ~ /^[TDBRC]$/ { home[$2] = $1 }
      $3 == "U" { use[++uses] = $1 " " $2 }
      END {
        for (i = 1; i <= uses; i++) {
          split(use[i], word, " ")
          if (word[2] in home && home[word[2]] != word[1]) print word[1], home[word[2]]
        }
      }'
}
if [ -f "$build/objects" ]; then
  pairs=$(object_arrows objects | sort -u)
  check 'nm shows which objects take names from which' \
    "$([ -n "$pairs" ] || echo "$nm shows none; objects of clang with -flto need NM=llvm-nm")"
  check 'no object files need each other in a circle' "$(tsort <<<"$pairs" 2>&1 >/dev/null)"
  [ ! -s "$build/objects-cuda" ] ||
    check 'no object files of the plug-in do' "$(object_arrows objects-cuda | sort -u | tsort 2>&1 >/dev/null)"
else
  echo "SKIPPED: arrows: no list of objects in $build"
fi

# ---- names ---------------------------------------------------------------------
if [ -f "$build/libmotifsieve.so" ] && [ -f "$build/libmotifsieve.a" ]; then
  # sanitizers, coverage and the linker add names of their own
  own='^(ms_|__|_init$|_fini$|_edata$|_end$|_GLOBAL_OFFSET_TABLE_)'
  check 'libmotifsieve.so exports ms_ names only' \
    "$($nm -D --defined-only "$build/libmotifsieve.so" | awk '{ print $NF }' | grep -vE "$own")"
  public=$(grep -ohE '\bms_[a-z0-9_]+\(' include/motifsieve.h include/motifsieve/*.h | tr -d '(' | sort -u)
  check 'libmotifsieve.so exports only what the header declares' \
    "$($nm -D --defined-only "$build/libmotifsieve.so" | awk '{ print $NF }' | grep '^ms_' | sort -u | grep -vxF "$public")"
  check 'libmotifsieve.so exports all that the header declares' \
    "$(grep -hE '^ *MS_API' include/motifsieve.h include/motifsieve/*.h | grep -oE '\bms_[a-z0-9_]+\(' | tr -d '(' | sort -u |
      comm -23 - <($nm -D --defined-only "$build/libmotifsieve.so" | awk '{ print $NF }' | sort -u))"
  check 'libmotifsieve.a has ms_ globals only' \
    "$($nm -g --defined-only "$build/libmotifsieve.a" 2>/dev/null | awk 'NF == 3 { print $NF }' | grep -vE "$own")"
  # the linker takes the tool's own without a word
  globals() { "$nm" -g --defined-only "$@" 2>/dev/null | awk 'NF == 3 && $3 ~ /^ms_/ { print $3 }' | sort -u; }
  tool=$(find "$build/cli" -name '*.o' 2>/dev/null)
  # shellcheck disable=SC2086
  check 'no name is both of the library and of the tool' \
    "$([ -z "$tool" ] || comm -12 <(globals $tool) <(globals "$build/libmotifsieve.a"))"
else
  echo "SKIPPED: arrows: no library in $build"
fi

echo "$((100 * (checks - failures) / checks))%: Checks: $checks, Failures: $failures, Errors: 0"
[ "$failures" -eq 0 ]
