# Functions that the cases and scripts of the command line share; run.sh sources this file.
# shellcheck shell=bash

checks=0
failures=0
skipped=
pending_stderr=

# fail NAME [TEXT]: counts and prints a failure, with up to 20 lines of text.
fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s: %s\n' "$case_name" "$1" >&4
  [ $# -lt 2 ] || printf '%s\n' "$2" | head -n 20 | sed 's/^/    /' >&4
}

# skip TEXT: says what was not tested, and why.
skip() { printf 'SKIPPED: %s: %s\n' "$case_name" "$1" >&4; }

# needs COMMAND || return: a case is skipped where a command is not installed.
needs() {
  command -v "$1" >/dev/null && return
  skip "there is no $1"
  skipped=1
  return 1
}
# check NAME COMMAND...: checks that the command succeeds.
check() {
  local name=$1
  shift
  checks=$((checks + 1))
  "$@" || fail "$name" "$(cat err 2>/dev/null)"
}

# call ARGS...: runs the tool; its streams go to the files out and err, its exit code to $rc, and its whole seconds to $took.
call() {
  local begin=$SECONDS
  settle
  timeout -k 20 600 "$motifsieve" "$@" >out 2>err </dev/null
  rc=$?
  took=$((SECONDS - begin))
}

# call_late ARGS...: calls the tool with arguments that have a --timeout, in seconds, which is to end its work.  On a busy
# machine it may end the reading before that; then the next call has four times as much, up to 40 s.  The same until
# standard error matches the regular expression in $late, if it is set.  $over has the seconds from the limit to the end.
late=
call_late() {
  local arguments=("$@") i at= output=
  for ((i = 0; i < $#; i++)); do
    case ${arguments[i]} in --timeout) at=$((i + 1)) ;; -o) output=${arguments[i + 1]} ;; esac
  done
  # an incomplete result of the call before would be in the way of the next one's; a device stays
  [ -z "$output" ] || [ ! -e "$output" ] || output=
  while :; do
    [ -z "$output" ] || rm -f "$output"
    call "${arguments[@]}"
    over=$((took - ${arguments[at]%.*}))
    if [ -n "$late" ]; then
      ! grep -Eq -e "$late" err || break
    elif ! grep -q '; there is no result yet' err; then
      break
    fi
    arguments[at]=$(awk -v t="${arguments[at]}" 'BEGIN { if (4 * t <= 40) print 4 * t }')
    [ -n "${arguments[at]}" ] || break
  done
}

# ends_soon NAME SECONDS ARGS...: calls the tool as call_late does, and checks that it ends at most so many seconds after its
# time limit.  A machine may be too busy for that once, and not each of three times.
ends_soon() {
  local name=$1 most=$2 again
  shift 2
  for again in 1 2 3; do
    call_late "$@"
    [ "$over" -gt "$most" ] || break
  done
  check "$name: ends within $most s ($over s, and so before)" test "$over" -le "$most"
}

# exits CODE NAME ARGS...: calls the tool and checks its exit code.  exits_late: the same with a time limit, as above.
exits() {
  local want=$1 name=$2
  shift 2
  call "$@"
  has_ended "$want" "$name" "$@"
}
exits_late() {
  local want=$1 name=$2
  shift 2
  call_late "$@"
  has_ended "$want" "$name" "$@"
}
has_ended() {
  local want=$1 name=$2
  shift 2
  checks=$((checks + 1))
  [ "$rc" -eq "$want" ] || fail "$name: exit code $rc, wanted $want" "motifsieve $*
$(cat err)"
}

# run ARGS...: calls the tool and prints its standard output, without what differs from run to run, and
# an exit code other than 0.  `told` may follow; else a line gives the number of lines on standard error.
# run_late: the same with a time limit, as in call_late.
run() {
  call "$@"
  print_run "$@"
}
run_late() {
  call_late "$@"
  print_run "$@"
}
print_run() {
  checks=$((checks + 1))
  printf '$ motifsieve %s\n' "$(printf '%s ' "$@" | tr '\n\t\377' '  ?' | sed 's/ $//')"
  stable <out
  [ "$rc" -eq 0 ] || echo "exit code $rc"
  pending_stderr=$(cat err)
}
# shell COMMAND: prints a shell command, what it writes to both streams, and an exit code other than 0.
#  The command motifsieve in it is the tool, and a pipe fails where any part of it does.
shell() {
  settle
  checks=$((checks + 1))
  printf '$ %s\n' "$1"
  (
    set -o pipefail
    eval "$1"
  ) >shell.out 2>&1 </dev/null
  rc=$?
  stable <shell.out
  rm shell.out
  [ "$rc" -eq 0 ] || echo "exit code $rc"
}
motifsieve() { timeout -k 20 600 "$motifsieve" "$@"; }
# settle: prints the number of lines that the last run wrote to standard error, unless `told` checked them.
settle() {
  [ -z "$pending_stderr" ] || echo "standard error: $(wc -l <<<"$pending_stderr") lines"
  pending_stderr=
}
# told REGEX...: checks that standard error of the last run has a line for each of these.
told() {
  local regex
  for regex in "$@"; do check "standard error says /$regex/" grep -Eq -e "$regex" err; done
  pending_stderr=
}
# stable: copies a text without its versions and checksums.
stable() {
  sed -E 's/motifsieve [0-9]+\.[0-9.]+/motifsieve VERSION/; s/"version":"[0-9.]+"/"version":"VERSION"/
    s/crc32c=[0-9a-f]{8}/crc32c=*/g; s/crc32c":"[0-9a-f]{8}"/crc32c":"*"/g'
}

# refuses CODE REGEX ARGS...: checks that a call ends with this exit code, one line of error that matches,
# and nothing on standard output.
refuses() {
  local code=$1 regex=$2
  shift 2
  exits "$code" "refuses [$*]" "$@"
  checks=$((checks + 1))
  if [ -s out ] || [ "$(wc -l <err)" -ne 1 ] || ! grep -Eq "^motifsieve: error: .*($regex)" err; then
    fail "refuses [$*]: one line that says /$regex/, nothing on stdout" "stdout: $(head -c 200 out)
stderr: $(cat err)"
  fi
}

# big_graph: writes big.tsv, 400 vertices and 1200 lines of edges, and bigc.tsv, ten colours, from a fixed
# stream of random numbers.
big_graph() {
  awk 'BEGIN { s = 12345; n = 400
    for (i = 0; i < 1200; i++) { s = (s * 16807) % 2147483647; a = s % n
      s = (s * 16807) % 2147483647; b = s % n; print "v" a "\tv" b } }' >big.tsv
  awk 'BEGIN { for (i = 0; i < 400; i++) { print "v" i "\tc" (i * 7 + int(i / 10)) % 10
    if (i % 3 == 0) print "v" i "\tc" (i * 3 + 1) % 10 } }' >bigc.tsv
}

# written PATTERN: waits, for a minute at most, until a file whose name the pattern matches has rows; false if none has.  The
# scratch file of an output has a block of 4,096 bytes before the work begins, which shows that there is room.
written() {
  local i file
  for ((i = 0; i < 6000; i++)); do
    while read -r file; do
      [ "$(stat -c %s "$file" 2>/dev/null || echo 0)" -le 4096 ] || return 0
    done < <(compgen -G "$1")
    sleep 0.01
  done
  return 1
}
# rows [FILE]: prints the rows of a result, without header lines and titles.
rows() { grep -v '^#' "${1:-out}" | tail -n +2; }
# parses FILE...: checks that each line of the files is JSON, where there is python3.
parses() {
  command -v python3 >/dev/null || {
    skip "$* is not parsed: there is no python3"
    return
  }
  check "$* is JSON" python3 -c 'import json, sys
for name in sys.argv[1:]:
    assert [json.loads(line) for line in open(name)], name' "$@" 2>err
}
# follows_schema FILE...: checks that each line of JSON follows docs/result.schema.json, and none with some damage, where Python has
# a package for that.  Without files: that the schema is one.  --valid: without damage.
follows_schema() {
  local valid=
  [ "${1:-}" != --valid ] || { valid=$1 && shift; }
  if python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
    check "$* follow the schema" python3 "$cli/schema.py" $valid "$here/../docs/result.schema.json" "$@" >schema.out 2>err
  else
    skip 'there is no python3 with jsonschema'
  fi
}
# mend FILE: corrects the last line of a TSV result, so that a change shows in the contents alone.
mend() { python3 "$here/support/result_file.py" mend "$1"; }
# size ARGUMENT...: runs the tool and prints its exit code and the greatest size of its process in MiB, which may be
# $bound in tests of --memory: sanitizers take memory of their own.  The file err gets the messages.
size() {
  python3 - "$motifsieve" "$@" <<'END'
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=open('err', 'w')).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
END
}
bound=64
case $motifsieve in *-asan/* | *-tsan/*) bound=256 ;; esac
# same GOT WANTED: true if the texts are equal; else the file err gets both.
same() { [ "$1" = "$2" ] || {
  printf 'got:    %s\nwanted: %s\n' "$1" "$2" >>err
  return 1
}; }
