# The engine of counts: the GPU counts as the CPU does, or is refused where there is none.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

gpus=$("$motifsieve" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
big_graph
big=(big.tsv -c bigc.tsv)
for motif in 'c1,c2,*:2' '*:4' 'c1|c2:2,c3,!c1' 'c1:2' 'c0'; do
  exits 0 "count of $motif" list "${big[@]}" -m "$motif" --count --engine cpu
  cp out cpu
  exits 0 "--engine auto, $motif" list "${big[@]}" -m "$motif" --count --engine auto
  check "--engine auto counts $motif as the CPU does" cmp out cpu
  if [ "$gpus" -eq 0 ]; then
    refuses 2 'use the CPU' list "${big[@]}" -m "$motif" --count --engine gpu
    continue
  fi
  for form in '' --exact '--devices 0' '--threads 2'; do
    exits 0 "--engine gpu $form, $motif" list "${big[@]}" -m "$motif" --count --engine gpu $form
    check "--engine gpu $form counts $motif as the CPU does" cmp out cpu
  done
  exits 0 'participation by the CPU' list "${big[@]}" -m "$motif" --participation --engine cpu -o p.cpu
  exits 0 'participation by the GPU' list "${big[@]}" -m "$motif" --participation --engine gpu -o p.gpu --stats s.json
  check "--participation of $motif" cmp <(rows p.cpu) <(rows p.gpu)
  check 'the engine is in the statistics' grep -q '"engine":"gpu","engine_reason":"as asked for"' s.json
done
if [ "$gpus" -gt 0 ]; then
  refuses 2 'there is no GPU 999' list "${big[@]}" -m '*:4' --exact --count --engine gpu --devices 999
  refuses 2 'GPU 0 is named twice' list "${big[@]}" -m '*:4' --exact --count --engine gpu --devices 0,0
fi
exits 0 'statistics' list "${big[@]}" -m '*:4' --count --stats s.json
check 'the default is in the statistics' grep -q '"engine":"cpu","engine_reason":"the' s.json
refuses 2 'is for counts; also give --count or --participation' list "${big[@]}" -m '*:4' --engine gpu
refuses 2 'is for counts of all matches' list "${big[@]}" -m '*:4' --engine gpu --count --limit 5
refuses 2 'auto, cpu or gpu' list "${big[@]}" -m '*:4' --engine dfs --count
