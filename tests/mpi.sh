#!/usr/bin/env bash
# motifsieve-mpi: 1 to 16 ranks give the bytes of one process, on processors and on emulated GPUs; a rank that is killed, that
# hangs or that has other inputs costs nothing but time; runs that MPI has ended go on from the checkpoint.
# Usage: tests/mpi.sh BUILD_FOLDER
# tests/mpi_other.sh is about another MPI, and tests/mpi_hosts.sh about several hosts.
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/environment.sh"

cd "$(dirname "$0")/.." || exit 1
top=$PWD
build=$(realpath "${1:-build}")
tool=$build/motifsieve-mpi
alone=$build/motifsieve
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-mpi-XXXXXX")
trap 'rm -rf "$work"' EXIT
export MOTIFSIEVE_CUDA=0
# shellcheck source=tests/checks.sh
. tests/checks.sh
excerpt=(head -n 12)
errors=$work/err
if [ ! -x "$tool" ]; then
  skip_rest 'there is no motifsieve-mpi, which make MPI=1 builds'
fi
# the mpirun of the library that the tool was linked with
if ldd "$tool" | grep -q libmpich; then
  mpirun=$(command -v mpiexec.mpich || command -v mpiexec.hydra) library=mpich options=()
else
  mpirun=$(command -v mpirun.openmpi || command -v mpirun) library=openmpi options=(--oversubscribe --quiet)
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  # one host without a network
  export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
fi
if [ -z "$mpirun" ]; then
  skip_rest 'there is no mpirun'
fi
limit=300
# Takes the exit status of rank 0 from what it said, to $rc: mpirun may crash, or return something else, after rank
# 0 had written its result and ended.
read_status() {
  local of_mpirun=$1
  rc=$(sed -n 's/^motifsieve-mpi: exit status of rank 0: \([0-9]*\)$/\1/p' "$work/err" | tail -n 1)
  rc=${rc:-$of_mpirun}
  [ "$rc" = "$of_mpirun" ] || printf 'NOTE: mpi: rank 0 ended with %s, and mpirun with %s\n' "$rc" "$of_mpirun"
}
# on RANKS WORDS...: runs the tool on so many ranks; its exit code goes to $rc
on() {
  local ranks=$1
  shift
  timeout -k 5 "$limit" "$mpirun" ${options[@]+"${options[@]}"} -n "$ranks" "$tool" --verdict 1 "$@" >"$work/out" 2>"$work/err" </dev/null
  read_status $?
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
"$alone" match g.tsv path:4 --engine cpu --screen never -t 1 -q -o rows.tsv
list=(list g.tsv -c c.tsv -m c0,c1,c2 --exact -t 1 -q)
"$alone" "${list[@]}" --count -o number.tsv

for words in '--ranks 2 --ranks 2' '--places --places' '--restarts 1 --rank-timeout 9 --restarts 2'; do
  # shellcheck disable=SC2086
  said=$("$tool" $words info 2>&1)
  check "motifsieve-mpi $words is refused" same "$? ${said#*: error: }" "2 option ${words%% *} is given twice; leave one out"
done

# ---- the same bytes ----------------------------------------------------------------------------
# shellcheck source=tests/mpi/law.sh
. "$top/tests/mpi/law.sh"
mkdir law && cd law && ranks_are_alone 3 1 7 2 16
cd "$work" || exit 1
on 3 "${sieve[@]}" -o out.tsv
check 'the sieve with an early stop on 3 ranks: the same bytes' cmp out.tsv early.tsv
on 2 "${sieve[@]}" --repetitions 4 --no-prune
check 'standard output: the same bytes, once' cmp out sieve.tsv
check 'no rank leaves a file' test -z "$(find . -name '*.tmp-*')"

# ---- contributions of any length -------------------------------------------------------------------
# pieces RANKS WORDS...: what tests/mpi/pieces says
pieces() {
  local ranks=$1
  shift
  timeout -k 5 "$limit" "$mpirun" ${options[@]+"${options[@]}"} ${recovery[@]+"${recovery[@]}"} -n "$ranks" "$build/tests/mpi/pieces" "$@" \
    >"$work/out" 2>"$work/err" </dev/null
}
# rank 0 has at most so many megabytes more than before
needs_at_most() { [ "$(sed -n 's/^units 100, megabytes more //p' out)" -le "$1" ]; }
recovery=()
if [ -x "$build/tests/mpi/pieces" ]; then
  for ranks in 1 4; do
    pieces $ranks 100 500000 0.005 1048576
    check "contributions of 60 megabytes on $ranks ranks are added in order" grep -q '^units 100,' out
    check "and need little memory on $ranks ranks" needs_at_most 24
  done
  pieces 4 100 500000 0.005 1048576 flip
  rc=$?
  check 'a bit of each piece that waits in the file changes' grep -q '^pieces [1-9]' out
  check 'the run ends with an error' test "$rc" -ne 0
  check 'and says that the file has other bytes, before wrong rows are passed on' \
    grep -q '^error: the file for rows that wait in rank 0 does not hold what was written to it; look for messages' err
  if [ "$library" = openmpi ] && "$mpirun" --version | grep -q ' 4\.'; then
    recovery=(--enable-recovery)
    pieces 4 100 500000 0.005 1048576 lose
    check 'a rank that dies in a contribution: it is passed on once' grep -q '^units 100,' out
    check 'and is said to be lost' grep -q 'warning: rank .*has ended before' err
  fi
else
  skip 'there is no tests/mpi/pieces, which make build-tests builds'
fi

# ---- ranks that check themselves --------------------------------------------------------------------
for fraction in 1 0.3; do
  for ranks in 1 3 7; do
    "$alone" "${sieve[@]}" --repetitions 4 --no-prune --paranoid=$fraction -o paranoid.tsv
    on "$ranks" "${sieve[@]}" --repetitions 4 --no-prune --paranoid=$fraction -o out.tsv
    check "the sieve on $ranks ranks that check $fraction of it: the same bytes" cmp out.tsv paranoid.tsv
    "$alone" "${census[@]}" --paranoid=$fraction -o paranoid.tsv
    on "$ranks" "${census[@]}" --paranoid=$fraction -o out.tsv
    check "a census on $ranks ranks that check $fraction of it: the same bytes" cmp out.tsv paranoid.tsv
    on "$ranks" match g.tsv cycle:5 --count -t 1 --paranoid=$fraction -v -o out.tsv
    check "a count on $ranks ranks that check $fraction of it: the same bytes" cmp out.tsv count.tsv
    blocks=$(awk -v x=$fraction 'BEGIN { n = 16 / x; b = int(n) + (n > int(n)); s = x * b; print int(s) + (s > int(s) + 1e-9) " of " b }')
    check "and says so" grep -q ": $blocks blocks of units were computed twice; 0 differed, and 0 copies" err
    on "$ranks" "${list[@]}" --count --paranoid=$fraction -o out.tsv
    check "the number of matches on $ranks ranks that check $fraction of it: the same bytes" cmp out.tsv number.tsv
  done
done
# checked RANKS WORDS...: what tests/mpi/checked says
checked() {
  local ranks=$1
  shift
  rm -f fault
  timeout -k 5 "$limit" "$mpirun" ${options[@]+"${options[@]}"} -n "$ranks" "$build/tests/mpi/checked" "$@" >"$work/out" 2>"$work/err" </dev/null
  rc=$?
}
if [ -x "$build/tests/mpi/checked" ]; then
  for run in screen census match list; do
    checked 3 $run none 0 -
    check "$run on ranks that check themselves, without a fault" grep -Eq '^([0-9]+) of \1 checked, 0 differed, 0 damaged, the result is right$' out
    for fault in 'result 1' 'second 2' 'sum 1' 'result 0'; do
      # shellcheck disable=SC2086 # a place and a rank
      checked 3 $run $fault fault
      wanted='1 differed, 0 damaged'
      [ "${fault% *}" != sum ] || wanted='0 differed, 1 damaged'
      check "$run with a fault, $fault: the rank had it" test -e fault
      check "$run with a fault, $fault: it is found, and put right" grep -q ", $wanted, the result is right" out
      check "$run with a fault, $fault: one warning names the machine" test "$(grep -c '^warning: .*units .* the machine' err)" -eq 1
    done
  done
  checked 3 census result 1 fault unchecked
  check 'the same fault without checks is not found' grep -q ' 0 differed, 0 damaged, the result is wrong' out
  checked 3 census state 0 -
  check 'a fault in the sum of the ranks ends the run' test "$rc" -ne 0
  check 'and says so' grep -q '^error: the memory that holds the sum .* the machine' err
else
  skip 'there is no tests/mpi/checked, which make build-tests builds'
fi

# ---- parts by ranks ----------------------------------------------------------------------------------
on 3 --merge-later 5 match g.tsv path:4 -t 1 -q -o parts.tsv
check 'parts of 3 ranks: the run ends' test "$rc" -eq 0
"$alone" merge part-*-of-5.parts.tsv -q -o out.tsv
check 'parts of 3 ranks merge to the same bytes' cmp out.tsv rows.tsv
on 3 --merge-later 0 "${census[@]}" -o parts.tsv
"$alone" merge part-*-of-3.parts.tsv -q -o out.tsv
check 'one part for each rank' cmp out.tsv census.tsv
on 2 --merge-later 0 match nowhere.tsv path:4 -q -o parts.tsv
check 'a part that fails: the exit status' test "$rc" -eq 3

# ---- processors and GPUs of ranks ------------------------------------------------------------------
CUDA_VISIBLE_DEVICES=3,5,GPU-7,8 on 3 --places
check 'three ranks share four GPUs' test "$(cut -f5 out | tail -n 3 | tr '\n' ' ')" = '3 5 GPU-7,8 '
CUDA_VISIBLE_DEVICES=3,5 on 3 --places
check 'three ranks share two GPUs' test "$(cut -f5 out | tail -n 3 | tr '\n' ' ')" = '3 5 3 '
CUDA_VISIBLE_DEVICES=3,5 SLURM_GPUS_PER_TASK=2 on 2 --places
check 'GPUs that Slurm gives to each task are not divided' test "$(cut -f5 out | tail -n 2 | tr '\n' ' ')" = '3,5 3,5 '
CUDA_VISIBLE_DEVICES=3,5 on 2 --places census --devices 0,1
check 'nor are those that --devices names' test "$(cut -f5 out | tail -n 2 | tr '\n' ' ')" = '3,5 3,5 '
OMP_NUM_THREADS=7 on 2 --places
check 'OMP_NUM_THREADS is kept' test "$(cut -f4 out | tail -n 2 | tr '\n' ' ')" = '7 7 '
emulated=$(ls "$build"/tests/gpu/emulated/libmotifsieve-cuda.so.* 2>/dev/null | head -n 1)
if [ -n "$emulated" ]; then
  "$alone" gen power-law -n 150 --exponent -1 --edges 450 --uniform-colors 4 --colors-out sc.tsv -o s.tsv -q
  "$alone" census s.tsv -c sc.tsv -k 4 -t 1 -q --engine cpu -o small.tsv
  "$alone" match s.tsv cycle:6 --count -t 1 -q --engine cpu -o six.tsv
  "$alone" match s.tsv clique:4 --count -t 1 -q --engine cpu -o four.tsv
  "$alone" match s.tsv house --count -t 1 -q --engine cpu -o house.tsv
  for ranks in 1 2 3 7 16; do
    export MOTIFSIEVE_CUDA=$emulated CUDA_VISIBLE_DEVICES=0,1,2
    on "$ranks" census s.tsv -c sc.tsv -k 4 -t 1 -q --engine gpu -o out.tsv
    check "a census on emulated GPUs of $ranks ranks: the same bytes" cmp out.tsv small.tsv
    on "$ranks" match s.tsv cycle:6 --count -t 1 -q --engine dfs -o out.tsv
    check "a count on emulated GPUs of $ranks ranks: the same bytes" cmp out.tsv six.tsv
    [ "$ranks" -lt 16 ] || continue
    on "$ranks" match s.tsv clique:4 --count -t 1 -q --engine gpu -o out.tsv
    check "a count of cliques by the plan for GPUs of $ranks ranks: the same bytes" cmp out.tsv four.tsv
    on "$ranks" match s.tsv house --count -t 1 -q --engine gpu -o out.tsv
    check "a count of houses by the plan for GPUs of $ranks ranks: the same bytes" cmp out.tsv house.tsv
  done
  # ranks of one run that name other engines have other plans
  timeout -k 5 "$limit" "$mpirun" ${options[@]+"${options[@]}"} -n 1 "$tool" match s.tsv house --count -t 1 -q --engine cpu -o out.tsv : \
    -n 1 "$tool" match s.tsv house --count -t 1 -q --engine gpu -o out.tsv >out 2>err </dev/null
  check 'a rank that plans for another engine takes no part, and the number is right' cmp out.tsv house.tsv
  # rank 0 may be done before the other one has come
  if [ -s err ]; then
    check 'the warning names the option' grep -q -e "'--engine that the count is planned for' is" err
  fi
  for part in 1 2; do
    "$alone" match s.tsv house --count -t 1 -q --engine gpu --part $part/2 -o part$part.tsv
    "$alone" match s.tsv house --count -t 1 -q --engine cpu --part $part/2 -o cpu$part.tsv
  done
  "$alone" merge part2.tsv part1.tsv -q -o out.tsv
  check 'parts that are planned for GPUs: the same bytes' cmp out.tsv house.tsv
  "$alone" merge part1.tsv cpu2.tsv -q -o other.tsv 2>err
  check 'parts that are planned for other engines are refused' grep -q "'planned_for' is gpu in the first file, and cpu in this part" err
  MOTIFSIEVE_CUDA=0 "$alone" merge part1.tsv part2.tsv -q -o other.tsv 2>err
  check 'they cannot be merged without the code for GPUs' grep -q "the count is planned for the engine 'gpu', and its code" err
  for engine in trie reuse flood; do
    on 3 match s.tsv cycle:6 --count -t 1 -q --engine $engine -o out.tsv
    check "a count by the engine $engine on emulated GPUs of 3 ranks: the same bytes" cmp out.tsv six.tsv
  done
  # another one sieves; ranks do repetition by repetition
  export MOTIFSIEVE_CUDA=${emulated%/*}/with_sieve/${emulated##*/}
  slots=(screen s.tsv -c sc.tsv -m c0,c0,c1,c1,c2,c2,c3,c3,c0,c1,c2 --screen always -t 1 -q)
  "$alone" "${slots[@]}" --backend cpu --repetitions 4 --no-prune -o s1.tsv
  "$alone" "${slots[@]}" --backend cpu -o s2.tsv
  for ranks in 1 2 3 7; do
    on "$ranks" "${slots[@]}" --backend cuda --repetitions 4 --no-prune -o out.tsv
    check "the sieve on emulated GPUs of $ranks ranks: the same rows" cmp <(grep -v '^#' s1.tsv) <(grep -v '^#' out.tsv)
    on "$ranks" "${slots[@]}" --backend cuda -o out.tsv
    check "the sieve with an early stop on emulated GPUs of $ranks ranks: the same rows" cmp <(grep -v '^#' s2.tsv) <(grep -v '^#' out.tsv)
  done
  unset CUDA_VISIBLE_DEVICES
  export MOTIFSIEVE_CUDA=0
else
  skip 'emulated GPUs: there are none, which make build-tests builds where there is CUDA'
fi

# ---- what is not divided -------------------------------------------------------------------------
on 3 info
check 'a command that is not divided is run once' test "$(grep -c '^version' out)" -eq 1
on 3 screen g.tsv -c c.tsv -m "$motif"
check 'a screen that may enumerate is refused' test "$rc" -ne 0
check 'it says what to do' grep -q 'choose --screen always' err
check 'and says so once' test "$(grep -c '^motifsieve: error: only the sieve' err)" -eq 1
on 3 screen nowhere.tsv -c c.tsv -m "$motif" --screen always
check 'a file that is not there ends all ranks' test "$rc" -ne 0
# beside it, there may be warnings of ranks that have left before rank 0 has looked
check 'and is reported as an error once' test "$(grep -c '^motifsieve: error: nowhere.tsv' err)" -eq 1

# ---- one rank with other inputs -------------------------------------------------------------------
# shellcheck source=tests/mpi/losses.sh
. "$top/tests/mpi/losses.sh"
make_run 2
sed '1,40s/c1$/c2/' c.tsv >other.tsv
cat >mixed.sh <<'END'
#!/bin/sh
# rank 1 reads other colours, rank 2 finds no file
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}
[ "$rank" != 1 ] || cp other.tsv mine.1.tsv
[ "$rank" != 0 ] && [ "$rank" != 3 ] || cp c.tsv mine.$rank.tsv
tool=$1
shift
for word; do
  shift
  [ "$word" != c.tsv ] || word=mine.$rank.tsv
  set -- "$@" "$word"
done
exec "$tool" "$@"
END
chmod +x mixed.sh
others_are_named() {
  grep -q "rank 1 .*'checksum of the colours' is" err && grep -q 'rank 2 .*left with exit status 3: .*mine.2.tsv' err
}
# rank 0 may have done all before the others have spoken
for attempt in $(seq "$attempts"); do
  [ "$attempt" -eq 1 ] || make_run $((2 * repetitions))
  timeout -k 5 "$limit" "$mpirun" ${options[@]+"${options[@]}"} -n 4 ./mixed.sh "$tool" "${big[@]}" -q -o out.tsv >out 2>err </dev/null
  read_status $?
  ! others_are_named || break
done
check 'ranks with other inputs: the run ends' test "$rc" -eq 0
check 'ranks with other inputs: the same rows' cmp <(grep -v '^#' out.tsv) <(grep -v '^#' big.tsv)
check 'ranks with other inputs are named' others_are_named

# ---- ranks that are lost --------------------------------------------------------------------------
make_run 3
saving=()
# hurts SIGNAL SAID RANKS OPTION...: as `lose`, for four ranks that mpirun starts with these options
hurts() {
  local signal=$1 said=$2 ranks=$3
  shift 3
  lose "kill -$signal" "$said" "$ranks" "$mpirun" "${options[@]}" "$@" -n 4 "$tool" --verdict 1 --rank-timeout 4
  read_status "$rc"
}
if [ "$library" = openmpi ] && "$mpirun" --version | grep -q ' 4\.'; then
  hurts KILL 'has ended before' 2 --enable-recovery
  check 'a killed rank: the run ends' test "$rc" -eq 0
  check 'a killed rank: the same bytes' cmp lost.tsv big.tsv
  check 'a killed rank: a warning names it' noticed 'has ended before' 2
  hurts KILL 'has ended before' '1 3' --enable-recovery
  check 'two killed ranks: the run ends' test "$rc" -eq 0
  check 'two killed ranks: the same bytes' cmp lost.tsv big.tsv
  check 'two killed ranks: warnings name them' noticed 'has ended before' 1 3
  hurts STOP 'has not answered' 1 --enable-recovery
  check 'a rank that hangs: the run ends' test "$rc" -eq 0
  check 'a rank that hangs: the same bytes' cmp lost.tsv big.tsv
  check 'a rank that hangs: a warning names it' noticed 'has not answered' 1
  hurts STOP 'has not answered' 3
  check 'a rank that hangs, without recovery: the same bytes' cmp lost.tsv big.tsv
  check 'a rank that hangs, without recovery: the exit status' test "$rc" -eq 0
  check 'a rank that hangs, without recovery: a warning names it' noticed 'has not answered' 3
else
  skip "ranks that are lost: this MPI ends all ranks with one of them"
fi

# ---- runs that MPI has ended -----------------------------------------------------------------------
saving=(--checkpoint saved --checkpoint-seconds 0.1)
lose 'kill -KILL' 'started again' 0 "$tool" --ranks 3 --mpirun "$mpirun ${options[*]}"
check 'rank 0 was killed: the run ends' test "$rc" -eq 0
check 'rank 0 was killed: the same bytes' cmp lost.tsv big.tsv
check 'rank 0 was killed: a warning says so' grep -q 'started again, and go on from the checkpoint' err
finish
