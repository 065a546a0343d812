# Back ends with GPUs give the result of the CPU and say where they ran, or are refused where there is
# no GPU.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

call screen g.tsv --colors c.tsv -m red,blue,green --seed 7
cp out by_default
gpus=$("$motifsieve" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
if [ "$gpus" -eq 0 ]; then
  for backend in cuda both; do
    refuses 2 'GPU|accelerator|CUDA' screen g.tsv --colors c.tsv -m red --backend $backend
  done
  refuses 2 'GPU|accelerator|CUDA' screen g.tsv --colors c.tsv -m red --devices 0
else
  for backend in cuda both; do
    exits 0 "--backend $backend" screen g.tsv --colors c.tsv -m red,blue,green --seed 7 --backend $backend --devices 0 -v
    check "--backend $backend: the same result" cmp -s out by_default
    check "--backend $backend: told" grep -q "back end: $backend: 1 of $gpus GPUs" err
  done
  refuses 2 'there is no GPU 9999' screen g.tsv --colors c.tsv -m red --devices 9999
  check 'info lists the GPUs' same "$("$motifsieve" info | grep -c '^accelerator	')" "$gpus"
fi
