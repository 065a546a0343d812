# The engine: the GPU counts and lists as the CPU does, or is refused where there is none.
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
for motif in 'c1,c2,*' 'c1|c2:2,c3,!c1' 'c1:2' 'c0'; do
  exits 0 "list of $motif" list "${big[@]}" -m "$motif" --exact --engine cpu -o l.cpu
  exits 0 "list by auto, $motif" list "${big[@]}" -m "$motif" --exact --engine auto -o l.auto
  check "--engine auto lists $motif as the CPU does" cmp l.cpu l.auto
  if [ "$gpus" -eq 0 ]; then
    refuses 2 'use the CPU' list "${big[@]}" -m "$motif" --exact --engine gpu
    continue
  fi
  for form in '' '--threads 2' '--devices 0' '--min-density 0.7' '--sort density --top 50' '--families'; do
    # --devices is not for the CPU
    exits 0 "list $form by the CPU, $motif" list "${big[@]}" -m "$motif" --exact --engine cpu ${form#--devices 0} -o l.cpu
    exits 0 "list $form by the GPU, $motif" list "${big[@]}" -m "$motif" --exact --engine gpu $form -o l.gpu --stats s.json
    check "--engine gpu lists $motif as the CPU does, $form" cmp l.cpu l.gpu
    check 'the engine is in the statistics' grep -q '"engine":"gpu","engine_reason":"as asked for"' s.json
  done
  exits 0 'the list of the GPU is verified' verify l.gpu "${big[@]}"
done
if [ "$gpus" -gt 1 ]; then
  refuses 2 'and one GPU lists' list "${big[@]}" -m '*:3' --exact --engine gpu --devices 0,1
fi
for form in '--limit 5' '--sample 5' '--diverse' '--count --limit 5'; do
  refuses 2 'GPUs search for all matches' list "${big[@]}" -m '*:3' --exact --engine gpu $form
done
refuses 2 'auto, cpu or gpu' list "${big[@]}" -m '*:4' --engine dfs --count
