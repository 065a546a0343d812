#!/usr/bin/env bash
# motifsieve-mpi: 1 to 16 ranks give the bytes of one process; a rank that is killed, that hangs or that has other inputs
# costs nothing but time; runs that MPI has ended go on from the checkpoint.  Usage: tests/mpi.sh BUILD_FOLDER
set -u

cd "$(dirname "$0")/.." || exit 1
build=$(realpath "${1:-build}")
tool=$build/motifsieve-mpi
alone=$build/motifsieve
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-mpi-XXXXXX")
trap 'rm -rf "$work"' EXIT
export LC_ALL=C MOTIFSIEVE_CUDA=0
checks=0
failures=0
# check NAME COMMAND...: the command must succeed; what the last run printed is shown if it does not
check() {
  local name=$1
  shift
  checks=$((checks + 1))
  "$@" >"$work/said" 2>&1 && return
  failures=$((failures + 1))
  printf 'mpi.sh: FAILED: %s\n' "$name"
  head -n 12 "$work/said" | sed 's/^/    /'
  [ ! -f "$work/err" ] || head -n 20 "$work/err" | sed 's/^/    /'
}
skip() { printf 'SKIPPED: mpi: %s\n' "$1"; }
report() {
  local percent=100
  [ "$failures" -eq 0 ] || percent=$((100 * (checks - failures) / checks))
  echo "$percent%: Checks: $checks, Failures: $failures, Errors: 0"
  [ "$failures" -eq 0 ]
  exit
}
if [ ! -x "$tool" ]; then
  skip 'there is no motifsieve-mpi, which make MPI=1 builds'
  echo '100%: Checks: 1, Failures: 0, Errors: 0'
  exit
fi
# the mpirun of the library that the tool was linked with
if ldd "$tool" | grep -q libmpich; then
  mpirun=$(command -v mpiexec.mpich || command -v mpiexec.hydra) kind=mpich options=()
else
  mpirun=$(command -v mpirun.openmpi || command -v mpirun) kind=openmpi options=(--oversubscribe --quiet)
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  # one host without a network
  export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
fi
if [ -z "$mpirun" ]; then
  skip 'there is no mpirun'
  echo '100%: Checks: 1, Failures: 0, Errors: 0'
  exit
fi
limit=100
# on RANKS WORDS...: runs the tool on so many ranks; its exit code goes to $rc
on() {
  local ranks=$1
  shift
  timeout -k 5 "$limit" "$mpirun" ${options[@]+"${options[@]}"} -n "$ranks" "$tool" "$@" >"$work/out" 2>"$work/err" </dev/null
  rc=$?
}

cd "$work" || exit 1
"$alone" gen power-law -n 500 --exponent -1 --edges 2000 --uniform-colors 4 --colors-out c.tsv -o g.tsv -q
# an edge that is in no match, without which all vertices would soon be flagged
printf 'x\ty\n' >>g.tsv
printf 'x\tc0\ny\tc1\n' >>c.tsv
motif=c0,c0,c1,c1,c2,c2,c3,c3,c0,c1,c2,c3
sieve=(screen g.tsv -c c.tsv -m "$motif" --screen always --backend cpu -t 1 -q)
census=(census g.tsv -c c.tsv -k 4 -t 1 -q)
"$alone" "${sieve[@]}" --repetitions 4 --no-prune -o sieve.tsv
"$alone" "${sieve[@]}" -o early.tsv
"$alone" "${census[@]}" -o census.tsv
"$alone" match g.tsv cycle:5 --count -t 1 -q -o count.tsv

# ---- the same bytes ----------------------------------------------------------------------------
for ranks in 1 2 3 7 16; do
  on "$ranks" "${sieve[@]}" --repetitions 4 --no-prune -o out.tsv
  check "the sieve on $ranks ranks ends" test "$rc" -eq 0
  check "the sieve on $ranks ranks: the same bytes" cmp out.tsv sieve.tsv
  on "$ranks" "${census[@]}" -o out.tsv
  check "a census on $ranks ranks ends" test "$rc" -eq 0
  check "a census on $ranks ranks: the same bytes" cmp out.tsv census.tsv
  on "$ranks" match g.tsv cycle:5 --count -t 1 -q -o out.tsv
  check "a count on $ranks ranks: the same bytes" cmp out.tsv count.tsv
done
on 3 "${sieve[@]}" -o out.tsv
check 'the sieve with an early stop on 3 ranks: the same bytes' cmp out.tsv early.tsv
on 2 "${sieve[@]}" --repetitions 4 --no-prune
check 'standard output: the same bytes, once' cmp out sieve.tsv
check 'no rank leaves a file' test -z "$(find . -name '*.tmp-*')"

# ---- what is not divided -------------------------------------------------------------------------
on 3 info
check 'a command that is not divided is run once' test "$(grep -c '^version' out)" -eq 1
on 3 screen g.tsv -c c.tsv -m "$motif"
check 'a screen that may enumerate is refused' test "$rc" -ne 0
check 'it says what to do' grep -q 'let .*--screen' err
check 'and says so once' test "$(grep -c '^motifsieve: error: only the sieve' err)" -eq 1
on 3 screen nowhere.tsv -c c.tsv -m "$motif" --screen always
check 'a file that is not there ends all ranks' test "$rc" -ne 0
check 'and is reported once' test "$(grep -c 'nowhere.tsv' err)" -eq 1

# ---- one rank with other inputs -------------------------------------------------------------------
sed '1,40s/c1$/c2/' c.tsv >other.tsv
cat >mixed.sh <<'END'
#!/bin/sh
# rank 1 reads other colours, rank 2 finds no file
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}
[ "$rank" != 1 ] || cp other.tsv mine.1.tsv
[ "$rank" != 0 ] && [ "$rank" != 3 ] || cp c.tsv mine.$rank.tsv
tool=$1
shift
exec "$tool" "$@" -c mine.$rank.tsv
END
chmod +x mixed.sh
timeout -k 5 $limit "$mpirun" ${options[@]+"${options[@]}"} -n 4 ./mixed.sh "$tool" screen g.tsv -m "$motif" --screen always --backend cpu \
  -t 1 --repetitions 4 --no-prune -o out.tsv >out 2>err </dev/null
rc=$?
check 'ranks with other inputs: the run ends' test "$rc" -eq 0
check 'ranks with other inputs: the same rows' cmp <(grep -v '^#' out.tsv) <(grep -v '^#' sieve.tsv)
check 'a rank with other colours is named' grep -q "rank 1 .*'checksum of the colours' is" err
check 'a rank without the file is named' grep -q 'rank 2 .*left with exit status 3: .*mine.2.tsv' err

# ---- ranks that are lost --------------------------------------------------------------------------
big=(screen g.tsv -c c.tsv -m 'c0:5,c1:5,c2:4,c3:4' --screen always --backend cpu -t 1 --repetitions 3 --no-prune)
"$alone" "${big[@]}" -q -o big.tsv
# victim RANK: prints the process of a rank of this test, once MPI has begun: then ranks other than 0 keep what they
# print in memory
victim() {
  local pid rank
  for _ in $(seq 200); do
    for pid in $(pgrep -f "^$tool .*lost.tsv"); do
      rank=$(tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | sed -n 's/^\(OMPI_COMM_WORLD_RANK\|PMI_RANK\)=//p')
      [ "$rank" = "$1" ] || continue
      [ "$rank" = 0 ] || find "/proc/$pid/fd" -lname '*memfd:messages*' 2>/dev/null | grep -q . || continue
      echo "$pid"
      return
    done
    sleep 0.05
  done
}
# lose SIGNAL AFTER RANK...: sends a signal to ranks while a run goes on
lose() {
  local signal=$1 after=$2 rank pid
  shift 2
  rm -f lost.tsv
  timeout -k 5 "$limit" "$mpirun" "${options[@]}" "${recovery[@]}" -n 4 "$tool" --rank-timeout 3 "${big[@]}" -o lost.tsv >out 2>err </dev/null &
  local run=$!
  for rank in "$@"; do
    pid=$(victim "$rank")
    sleep "$after"
    [ -z "$pid" ] || kill "-$signal" "$pid" 2>/dev/null
  done
  wait $run
  rc=$?
}
if [ "$kind" = openmpi ] && "$mpirun" --version | grep -q ' 4\.'; then
  recovery=(--enable-recovery)
  lose KILL 0.5 2
  check 'a killed rank: the run ends' test "$rc" -eq 0
  check 'a killed rank: the same bytes' cmp lost.tsv big.tsv
  check 'a killed rank: a warning names it' grep -q 'warning: rank 2 .*has ended before' err
  lose KILL 0.3 1 3
  check 'two killed ranks: the run ends' test "$rc" -eq 0
  check 'two killed ranks: the same bytes' cmp lost.tsv big.tsv
  lose STOP 0.5 1
  check 'a rank that hangs: the run ends' test "$rc" -eq 0
  check 'a rank that hangs: the same bytes' cmp lost.tsv big.tsv
  check 'a rank that hangs: a warning names it' grep -q 'warning: rank 1 .*has not answered' err
  recovery=(--quiet)
  lose STOP 0.5 3
  check 'a rank that hangs, without recovery: the same bytes' cmp lost.tsv big.tsv
  check 'a rank that hangs, without recovery: the exit status' test "$rc" -eq 0
else
  skip "ranks that are lost: this MPI ends all ranks with one of them"
fi

# ---- runs that MPI has ended -----------------------------------------------------------------------
rm -f lost.tsv saved
timeout -k 5 "$limit" "$tool" --ranks 3 --mpirun "$mpirun ${options[*]}" "${big[@]}" -o lost.tsv --checkpoint saved \
  --checkpoint-seconds 0.2 >out 2>err </dev/null &
run=$!
pid=$(victim 0)
for _ in $(seq 100); do
  [ ! -e saved ] || break
  sleep 0.1
done
check 'rank 0 has saved its state' test -e saved
[ -z "$pid" ] || kill -KILL "$pid"
wait $run
rc=$?
check 'rank 0 was killed: the run ends' test "$rc" -eq 0
check 'rank 0 was killed: the same bytes' cmp lost.tsv big.tsv
check 'rank 0 was killed: a warning says so' grep -q 'started again, and go on from the checkpoint' err
report
