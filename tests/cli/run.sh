#!/usr/bin/env bash
# Tests of the command line: tests/cli/run.sh [--update] TOOL [SUBJECT | SUBJECT/NAME]...
#
# A subject is a folder beside this file.  In it
#   NAME.case      is a shell snippet; what it prints must be the content of NAME.out.  Mostly it is lines
#                  such as "run list g.tsv -m red" and "shell 'motifsieve list g.tsv -m red | gzip'",
#   NAME.refusals  is a table of wrong calls: exit code | regular expression of the message | arguments;
#                  a line that begins with "$ " is a shell command that makes an input,
#   NAME.sh        is a script of checks that are not of the form "command, output": signals, terminals,
#                  deadlines, GPUs that a machine may have or not.
# Each runs in an empty folder of its own with the files of tests/data and tests/data/SUBJECT, and
# with the functions of lib.sh and of the file SUBJECT/functions.  The first line says what it proves.
# The build with the address sanitizer leaves out the cases that the file `unsanitized` names.
# --update writes the .out files.  Cases that take much of the processors' time are named at the end.
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/../environment.sh"

update=
if [ "${1:-}" = --update ]; then
  update=1
  shift
fi
motifsieve=$(realpath "${1:?usage: tests/cli/run.sh [--update] TOOL [SUBJECT]...}")
shift
[ -x "$motifsieve" ] || {
  echo "run.sh: FAILED: no program at $motifsieve; run make first"
  exit 1
}
cli=$(cd "$(dirname "$0")" && pwd)
here=$(dirname "$cli")
unset MOTIFSIEVE_GF2 OMP_NUM_THREADS
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-cli-XXXXXX")
trap 'rm -rf "$work"' EXIT

run_table() {
  local code regex arguments
  while IFS= read -r line; do
    case $line in
    '#'* | '') ;;
    '$ '*) eval "${line#\$ }" ;;
    *)
      code=${line%% | *} line=${line#* | }
      regex=${line%% | *} arguments=${line#* | }
      [ "$arguments" != "$line" ] || arguments=
      eval "refuses $code \"\$regex\" $arguments"
      ;;
    esac
  done <"$1"
}

# run_case FILE: in a shell of its own, which leaves its counts in the file `counts`.
run_case() (
  case_name=${1#"$cli"/}
  subject=$(basename "$(dirname "$1")")
  mkdir "$work/case" && cd "$work/case" || exit 1
  cp "$here"/data/*.* .
  [ ! -d "$here/data/$subject" ] || cp "$here/data/$subject"/* .
  exec 4>&1
  # shellcheck source=tests/cli/lib.sh
  . "$cli/lib.sh"
  # shellcheck disable=SC1090
  [ ! -f "$cli/$subject/functions" ] || . "$cli/$subject/functions"
  trap 'echo "$checks $failures" >"$work/counts"' EXIT
  case $1 in
  *.refusals) run_table "$1" ;;
  *.sh)
    # shellcheck disable=SC1090
    . "$1"
    ;;
  *)
    # shellcheck disable=SC1090
    . "$1" >"$work/printed" 2>&1
    settle >>"$work/printed"
    [ -z "$skipped" ] || return
    if [ -n "$update" ]; then cp "$work/printed" "${1%.case}.out"; fi
    checks=$((checks + 1))
    diff -u "${1%.case}.out" "$work/printed" >"$work/diff" || fail "it prints something else" "$(tail -n +3 "$work/diff")"
    ;;
  esac
)

# is_left_out FILE
case $motifsieve in
*-asan/*) is_left_out() { grep -Fxq "${1#"$cli"/}" "$cli/unsanitized"; } ;;
*) is_left_out() { false; } ;;
esac
cases=()
[ $# -gt 0 ] || set -- $(cd "$cli" && ls -d ./*/ | tr -d ./)
for wanted in "$@"; do
  for file in "$cli/$wanted"/* "$cli/$wanted".*; do
    case $file in *.case | *.refusals | *.sh) [ ! -f "$file" ] || is_left_out "$file" || cases+=("$file") ;; esac
  done
done
[ ${#cases[@]} -gt 0 ] || {
  echo "run.sh: FAILED: no case in $*"
  exit 1
}
all=0 bad=0
for file in "${cases[@]}"; do
  echo '0 1' >"$work/counts"
  run_case "$file"
  echo "case ${file#"$cli"/}" >>"$work/times"
  times >>"$work/times"
  read -r checks failures <"$work/counts"
  all=$((all + checks)) bad=$((bad + failures))
  rm -rf "$work/case"
done
# user code and system, of what this shell waited for
awk -F '[ms ]+' '/^case/ { name = substr($0, 6); next }
  ++line % 2 == 0 {
    now = 60 * ($1 + $3) + $2 + $4
    if (now - before >= 2) printf "%6.1f s of processors: %s\n", now - before, name
    before = now
  }' "$work/times" | sort -nr | head -n 12
if [ "$bad" -eq 0 ]; then percent=100; else percent=$((100 * (all - bad) / all)); fi
echo "$percent%: Checks: $all, Failures: $bad, Errors: 0"
[ "$bad" -eq 0 ]
