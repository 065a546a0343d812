# Pruning on a GPU: results are those of processors with one and with all GPUs, and processors prune where the GPU
# cannot.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

gpus=$("$motifsieve" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
big_graph
big=(big.tsv -c bigc.tsv)
awk 'BEGIN { for (i = 0; i < 60; i++) print "v" i "\tv" (i + 1) }' >path.tsv
awk 'BEGIN { for (i = 0; i <= 60; i++) print "v" i "\tc" i % 4 }' >pathc.tsv

# as_cpu WORDS OPTION...: the same result file with pruning on a GPU; WORDS of --verbose say where it pruned
as_cpu() {
  local words=$1 devices
  shift
  exits 0 "the CPU: $*" screen "$@" --backend cpu -o cpu
  for devices in 0 all; do
    [ $devices != all ] || devices=$(seq -s , 0 $((gpus - 1)))
    MOTIFSIEVE_PRUNE=gpu exits 0 "GPUs $devices: $*" screen "$@" --backend cuda --devices "$devices" -v -o gpu
    check "GPUs $devices: $*: the same result" cmp cpu gpu
    check "GPUs $devices: $*: where it pruned" grep -qE "back end: cuda: .*$words" err
    [ "$gpus" -gt 1 ] || break
  done
}

if [ "$gpus" -eq 0 ]; then
  skip 'there is no GPU'
  MOTIFSIEVE_PRUNE=gpu refuses 2 'GPU|accelerator|CUDA' screen "${big[@]}" -m c1,c2 --backend cuda
else
  pruned='as asked for; a GPU pruned, too$' not='as asked for$'
  as_cpu "$pruned" "${big[@]}" -m 'c1,c2,c3,c4,*'
  as_cpu "$pruned" "${big[@]}" -m 'c1:2,c2' --seed 5
  as_cpu "$pruned" "${big[@]}" -m 'c1,c2,c3' --recurrence classic
  as_cpu "$pruned" path.tsv -c pathc.tsv -m 'c0,c1,c2,c3'
  as_cpu "$not" "${big[@]}" -m 'c1,c2,*' --no-prune
  as_cpu "$not" "${big[@]}" -m 'c0,c1,*' --require v3
  # all are dropped: the CPU has no more to do, either
  exits 0 'nothing is left, by the CPU' screen path.tsv -c pathc.tsv -m 'c0:3,c1' --backend cpu -o cpu
  MOTIFSIEVE_PRUNE=gpu exits 0 'nothing is left, by the GPU' screen path.tsv -c pathc.tsv -m 'c0:3,c1' --backend cuda -o gpu
  check 'nothing is left: the same result' cmp cpu gpu
  # parts are pruned by processors
  exits 0 'the CPU, whole' screen "${big[@]}" -m 'c1,c2,c3' --backend cpu -o cpu
  for part in 1 2; do
    MOTIFSIEVE_PRUNE=gpu exits 0 "part $part" screen "${big[@]}" -m 'c1,c2,c3' --backend cuda --part $part/2 -o part$part
  done
  exits 0 'parts are merged' merge part1 part2 -o whole
  check 'parts: the same result' cmp cpu whole
fi
