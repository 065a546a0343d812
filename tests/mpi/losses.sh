# Ranks that are lost while a run goes on: what tests/mpi.sh, tests/mpi_other.sh and tests/mpi_hosts.sh share.  They source this file
# after tests/checks.sh, in the folder of their files, where g.tsv and c.tsv are; `tool` and `alone` are the two programs.
#
# Nothing here depends on the speed of the machine: a signal is sent once a rank is seen to compute, and where the run has ended
# before rank 0 could notice a loss, the next one takes twice as long, up to six times.
# shellcheck shell=bash disable=SC2154,SC2034
limit=300
attempts=6

# make_run REPETITIONS: the run that is disturbed, `big`, and its result, big.tsv
make_run() {
  repetitions=$1
  big=(screen g.tsv -c c.tsv -m 'c0:5,c1:5,c2:4,c3:4' --screen always --backend cpu -t 1 --repetitions "$repetitions" --no-prune)
  "$alone" "${big[@]}" -q -o big.tsv
}

# computes PROCESS RANK: it is a rank that MPI has begun (ranks other than 0 then keep what they print in memory), and its main thread,
# which does the units, has used 0.1 s of a processor
computes() {
  local process=$1 rank=$2 words
  [ "$rank" = 0 ] || find "/proc/$process/fd" -lname '*memfd:messages*' 2>/dev/null | grep -q . || return
  read -r -a words < <(sed 's/.*) //' "/proc/$process/task/$process/stat" 2>/dev/null)
  [ "${words[11]:-0}" -ge $(($(getconf CLK_TCK) / 10)) ]
}

# ranks_here: the processes of the ranks that a test may hurt; tests/mpi_hosts.sh has another one
ranks_here() { pgrep -f "^$tool .*lost.tsv"; }

# victim RANK RUN: prints the process of a rank once it computes; nothing if RUN, the process that waits for all, has ended
victim() {
  local process
  while kill -0 "$2" 2>/dev/null; do
    for process in $(ranks_here); do
      tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null | grep -q "^\(OMPI_COMM_WORLD_RANK\|PMI_RANK\)=$1\$" || continue
      computes "$process" "$1" || continue
      echo "$process"
      return
    done
    sleep 0.02
  done
}

# noticed SAID RANK...: rank 0 says this of each rank that was hurt, or the ranks were started again
noticed() {
  local said=$1 rank
  shift
  ! grep -q 'started again, and go on from the checkpoint' err || return 0
  for rank in "$@"; do
    grep -q "warning: rank $rank .*$said" err || return
  done
}

# lose HURT SAID RANKS COMMAND...: starts `COMMAND... big`, calls `HURT PROCESS` for each of the ranks (numbers in one word) once it
# computes and, with `saving`, once the state is saved; again until rank 0 has noticed.  $rc is the exit code.
lose() {
  local hurt=$1 said=$2 ranks=$3 attempt rank process run
  shift 3
  for attempt in $(seq $attempts); do
    [ "$attempt" -eq 1 ] || make_run $((2 * repetitions))
    rm -f lost.tsv saved
    timeout -k 5 "$limit" "$@" "${big[@]}" ${saving[@]+"${saving[@]}"} -o lost.tsv >out 2>err </dev/null &
    run=$!
    for rank in $ranks; do
      process=$(victim "$rank" $run)
      while [ ${#saving[@]} -gt 0 ] && [ ! -e saved ] && kill -0 $run 2>/dev/null; do
        sleep 0.02
      done
      [ -z "$process" ] || $hurt "$process" 2>/dev/null
    done
    wait $run
    rc=$?
    # shellcheck disable=SC2086 # numbers
    ! noticed "$said" $ranks || return 0
  done
}
