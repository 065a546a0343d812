#!/usr/bin/env bash
# motifsieve-mpi with the MPI that tests/mpi.sh does not run with, where both are installed: the same bytes; ranks that are lost
# under `--ranks`, which starts them again where MPI ends all of them.  Usage: tests/mpi_other.sh BUILD_FOLDER
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/environment.sh"

cd "$(dirname "$0")/.." || exit 1
top=$PWD
build=$(realpath "${1:-build}")
tool=$build/other-mpi/motifsieve-mpi
alone=$build/motifsieve
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-mpi-XXXXXX")
trap 'rm -rf "$work"' EXIT
export MOTIFSIEVE_CUDA=0
# shellcheck source=tests/checks.sh
. tests/checks.sh
excerpt=(head -n 12)
errors=$work/err
[ -x "$tool" ] || skip_rest 'there is no second MPI (MPICH beside Open MPI, or the reverse)'
if ldd "$tool" | grep -q libmpich; then
  mpirun=$(command -v mpiexec.mpich || command -v mpiexec.hydra)
  wrong=$(command -v mpirun.openmpi)
else
  wrong=$(command -v mpiexec.mpich || command -v mpiexec.hydra)
  mpirun="$(command -v mpirun.openmpi) --oversubscribe --quiet"
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
fi
[ -n "$mpirun" ] || skip_rest 'there is no mpirun of the second MPI'
cd "$work" || exit 1
# shellcheck source=tests/mpi/losses.sh
. "$top/tests/mpi/losses.sh"
"$alone" gen power-law -n 500 --exponent -1 --edges 2000 --uniform-colors 4 --colors-out c.tsv -o g.tsv -q
"$alone" census g.tsv -c c.tsv -k 4 -t 1 -q --paranoid=0.3 -o paranoid.tsv

# ---- the same bytes ----------------------------------------------------------------------------
# on RANKS WORDS...: runs the tool on so many ranks
on() {
  local ranks=$1
  shift
  timeout -k 5 $limit $mpirun -n "$ranks" "$tool" "$@" >"$work/out" 2>"$work/err" </dev/null
  rc=$?
}
# shellcheck source=tests/mpi/law.sh
. "$top/tests/mpi/law.sh"
mkdir law && cd law && ranks_are_alone 3 7
cd "$work" || exit 1
for ranks in 1 3 7; do
  on "$ranks" census g.tsv -c c.tsv -k 4 -t 1 -q --paranoid=0.3 -o out.tsv
  check "a census on $ranks ranks that check 0.3 of it: the same bytes" cmp out.tsv paranoid.tsv
done

# ---- an mpirun that does not fit ------------------------------------------------------------------
# Each process would do the whole run.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for command in "$wrong -n 2 $tool" "$tool --ranks 2 --mpirun $wrong"; do
  rm -f out.tsv
  # shellcheck disable=SC2086
  timeout -k 5 $limit $command census g.tsv -c c.tsv -k 4 -t 1 -q -o out.tsv >out 2>err </dev/null
  check 'the mpirun of another MPI: the run ends with an error' test $? -ne 0
  check 'the mpirun of another MPI: a message says so' grep -q '2 processes were started together' err
  check 'the mpirun of another MPI: nothing is written' test ! -e out.tsv
done

# ---- ranks that are lost -------------------------------------------------------------------------
make_run 3
saving=(--checkpoint saved --checkpoint-seconds 0.1)
together=("$tool" --ranks 3 --mpirun "$mpirun" --rank-timeout 4)
lose 'kill -KILL' 'has ended before' 1 "${together[@]}"
check 'a rank was killed: the run ends' test "$rc" -eq 0
check 'a rank was killed: the same bytes' cmp lost.tsv big.tsv
check 'a rank was killed: a warning says so' noticed 'has ended before' 1
lose 'kill -STOP' 'has not answered' 1 "${together[@]}"
check 'a rank hangs: the run ends' test "$rc" -eq 0
check 'a rank hangs: the same bytes' cmp lost.tsv big.tsv
check 'a rank hangs: a warning names it' noticed 'has not answered' 1
finish
