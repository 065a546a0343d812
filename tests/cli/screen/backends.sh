# Each back end gives the same result and says where it ran, and devices that are not there are
# refused.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

call screen g.tsv --colors c.tsv -m red,blue,green --seed 7
cp out by_default
for backend in auto cpu; do
  exits 0 "--backend $backend" screen g.tsv --colors c.tsv -m red,blue,green --seed 7 --backend $backend -v
  check "--backend $backend: the same result" cmp -s out by_default
  check "--backend $backend: told" grep -q 'back end: cpu: the CPU, ' err
done
exits 0 '--backend in list' list g.tsv --colors c.tsv -m red,blue,green --backend cpu -v
check '--backend in list: told' grep -q 'back end: cpu: the CPU, as asked for' err
refuses 2 'option --backend wants auto, cpu, cuda or both' screen g.tsv --colors c.tsv -m red --backend gpu
refuses 2 'option --devices wants' screen g.tsv --colors c.tsv -m red --devices 0,
refuses 2 'option --devices wants' screen g.tsv --colors c.tsv -m red --devices ''
refuses 2 'option --devices wants' list g.tsv --colors c.tsv -m red --devices 1,-2
refuses 2 'GPU 3 is named twice' screen g.tsv --colors c.tsv -m red --devices 3,0,3
refuses 2 'GPUs are named for a run on the CPU' screen g.tsv --colors c.tsv -m red --backend cpu --devices 0
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
