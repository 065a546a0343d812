#!/usr/bin/env bash
# Faults in whole commands: makes the inputs and runs the driver, faults.c, over the table `commands`.
# A sample by default, half of it if MOTIFSIEVE_TEST_SCALE is below 1, and all points with
# MOTIFSIEVE_TEST_LONG=1 (make check-long).
# Usage: tests/faults/run.sh BUILD_FOLDER [OPTION OF faults]...
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/../environment.sh"

build=$(cd "${1:?usage: tests/faults/run.sh BUILD_FOLDER [OPTION]...}" && pwd) || exit 1
shift
here=$(cd "$(dirname "$0")" && pwd)
shim=$build/tests/faults/shim.so
tool=$build/motifsieve

skip() {
  echo "SKIPPED: faults: $1"
  echo '100%: Checks: 1, Failures: 0, Errors: 0'
  exit 0
}
[ -e "$shim" ] || skip 'the shim is built on Linux with glibc only'
case $build in *-asan | *-tsan) skip 'the shim has not been tried with sanitizers' ;; esac

folder=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-faults-XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
unset OMP_NUM_THREADS
# not with the code for GPUs: when it is loaded, the CUDA runtime crashes where an allocation fails
export MOTIFSIEVE_CUDA=0

# ms ARGS...: makes an input.
ms() { "$tool" "$@" -q || exit 1; }

mkdir "$folder/in"
(
  cd "$folder/in" || exit 1
  printf '# a comment\na\tb\nb\tc\nc\td\nb\td\nd\te\ne\tf\nd\td\nb\ta\n' >g.tsv
  printf 'a\tred\nb\tblue\nc\tred\nd\tgreen\nd\tblue\ne\tred\nf\tred\n' >c.tsv
  printf 'cell_id\tx\ty\na\t0\t0\nb\t9\t0\nc\t9\t5\nd\t0\t5\n' >points.tsv
  printf 'a\t5\nb\t1\nc\t7\nd\t2\n' >v.tsv
  printf 'who\tpart\na\tx\nb\tx\nc\ty\nd\ty\n' >parts.tsv
  printf 'sample\tgraph\tcolors\tgroup\ns\tg.tsv\tc.tsv\tx\nt\tg.tsv\tc.tsv\tx\nu\tg.tsv\tc.tsv\ty\n' >sheet.tsv
  printf 'red\t2\nblue\n' >m.txt
  printf 'a\nd\n' >v.txt
  printf 'a\tALPHA\nb\tBETA\n' >alias.tsv
  printf 'x\ty\ny\tz\n' >path.tsv
  printf 'x\tred\ny\tblue\n' >path_colors.tsv
  printf 'source\ttype\ttarget\na\tr\tb\nb\tr\tc\nc\ts\ta\nb\ts\td\n' >typed.tsv
  printf 'id\tkind\na\tA\nb\tB\nc\tA\nd\tB\n' >nodes.tsv
  printf 'r\tinverse\ns\ts\n' >relations.tsv
  printf '(x:A)-[r]->(y:B)\n' >typed.txt
  printf 'a\tc\nd\ta\n' >pairs.tsv
  printf '!gaf-version: 2.2\n' >a.gaf
  printf 'X\ta\ta\t\tT:1\tR\tIEA\t\tP\t\t\tprotein\ttaxon:1\t20200101\tX\n' >>a.gaf
  printf 'X\tb\tb\t\tT:2\tR\tIEA\t\tP\t\t\tprotein\ttaxon:1\t20200101\tX\n' >>a.gaf
  printf '%s\n' 'format-version: 1.2' 'subsetdef: small "s"' '[Term]' 'id: T:1' 'name: one' \
    'namespace: biological_process' 'subset: small' '[Term]' 'id: T:2' 'name: two' \
    'namespace: biological_process' 'is_a: T:1' >t.obo
  printf 'YA\tA1\tS000000001\tP\tDNA repair\tGO:0006281\tORF|Verified\n' >slim.tab
  printf 'YB\tB1\tS000000002\tF\tDNA binding\tGO:0003677\tORF|Verified\n' >>slim.tab
  printf 'YA\tYB\n' >y.tsv
  gzip -c g.tsv >g.tsv.gz
  ms convert g.tsv -o g2.tsv.zst
  for to in binary:msb graphml:graphml matrix-market:mtx metis:graph dimacs:col sif:sif mitab:mitab biogrid:tab3.txt lad:lad; do
    ms convert g.tsv -c c.tsv --to "${to%%:*}" -o "g.${to##*:}"
  done
  ms gen er -n 400 --edges 2000 --seed 1 --uniform-colors 4 --colors-out er_c.tsv -o er.tsv
  ms gen er -n 20000 --edges 160000 --seed 1 --uniform-colors 3 --colors-out big_c.tsv --to binary -o big.msb
  ms screen g.tsv -c c.tsv -m red:2,blue -o screen.tsv
  ms list g.tsv -c c.tsv -m red:2,blue -o list.tsv
  ms mine g.tsv -c c.tsv --size 3 --support 1 -o mined.tsv
  ms census g.tsv -c c.tsv --part 1/2 -o p1.tsv
  ms census g.tsv -c c.tsv --part 2/2 -o p2.tsv
  for part in 1 2; do
    ms list g.tsv -c c.tsv -m red,blue --permutations 3 --significance --json --part $part/2 -o "c$part.json"
    ms match typed.tsv '(x)-[r]->(y)' --part $part/2 -o "t$part.tsv"
  done
  ms list g.tsv -c c.tsv -m red:2,blue --json -o list.json
  ms components g.tsv -o components.tsv
  ms path typed.tsv --format table --directed --pairs pairs.tsv -o paths.tsv
  ms match g.tsv path.tsv -c c.tsv --pattern-colors path_colors.tsv -o match.tsv
  ms match g.tsv path.tsv -c c.tsv --pattern-colors path_colors.tsv --binary -o match.bin
  ms match typed.tsv '(x)-[r]->(y)' --nodes nodes.tsv -o typed_match.tsv
  ms screen typed.tsv '(x)-[r]->(y)' --nodes nodes.tsv -o typed_screen.tsv
  ms list g.tsv -c c.tsv -m red:2,blue -o list.tsv.zst
  ms screen g.tsv -c c.tsv -m red:2,blue --cx2 --whole-graph -o g.cx2
  sed 's/^1\ta/1\tf/' list.tsv >wrong.tsv
) || exit 1

if [ "${MOTIFSIEVE_TEST_LONG:-0}" = 1 ]; then
  set -- --points 500 --kills 1000 --jobs "$(nproc)" "$@"
elif awk -v scale="${MOTIFSIEVE_TEST_SCALE:-1}" 'BEGIN { exit !(scale < 1) }'; then
  set -- --points 2 --kills 25 "$@"
else
  set -- --points 4 --kills 50 "$@"
fi
"$build/tests/faults/faults" "$tool" "$shim" "$here/commands" "$folder" "$@"
