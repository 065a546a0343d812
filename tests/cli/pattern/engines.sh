# Engines on GPUs find the rows of the CPU in each encoding, or are refused where there is no GPU;
# plan names the engine.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

# count WANT NAME ARGS...
count() {
  local want=$1 name=$2
  shift 2
  exits 0 "$name" "$@" --count
  check "$name" same "$(cat out)" "$want"
}
# has FILE EXPRESSION: the expression about w, the `work` of the file, holds
has() { python3 -c 'import json, sys; w = json.load(open(sys.argv[1]))["work"]; sys.exit(not eval(sys.argv[2]))' "$1" "$2"; }
# engines on GPUs: the same, in a file that says that the order means nothing, or a refusal
gpus=$("$motifsieve" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
"$motifsieve" match k12.tsv triangle -o by_cpu
for engine in gpu dfs trie reuse flood; do
  if [ "$gpus" -eq 0 ]; then
    refuses 2 'use the CPU' match k12.tsv triangle --count --engine $engine
    refuses 2 'use the CPU' match k12.tsv triangle --engine $engine
    continue
  fi
  count 220 "--engine $engine" match k12.tsv triangle --engine $engine
  count 220 "--engine $engine, GPU 0" match k12.tsv triangle --engine $engine --devices 0
  refuses 2 'there is no GPU 999' match k12.tsv triangle --count --engine $engine --devices 999
  refuses 2 'GPU 0 is named twice' match k12.tsv triangle --count --engine $engine --devices 0,0
  # the program and the index go to the GPU, and a number or rows come back
  for form in '' --count; do
    exits 0 "--stats with --engine $engine $form" match k12.tsv triangle --engine $engine $form --stats s.json -o by_gpu
    check "bytes moved by $engine $form" grep -q '"work":{"bytes_moved":[1-9][0-9][0-9]' s.json
  done
  for form in '' --json --binary; do
    exits 0 "--engine $engine $form" match k12.tsv triangle --engine $engine $form -o by_gpu
    exits 0 "verify the rows of $engine $form" verify by_gpu k12.tsv -p triangle
    [ "$form" ] || check "the rows of $engine" same "$(grep '^[0-9]' by_gpu | cut -f 2- | sort)" \
      "$(grep '^[0-9]' by_cpu | cut -f 2- | sort)"
    [ "$form" ] || check "$engine is in the head" grep -qx "# engine: $engine unordered" by_gpu
  done
done
if [ "$gpus" -gt 0 ]; then
  # K12 has 12 vertices, 66 edges and 220 triangles; the edge of the last two vertices is not
  # stored, because its first vertex has too few larger neighbours
  exits 0 '--stats of trie' match k12.tsv triangle --engine trie --stats s.json -o by_gpu
  check 'levels of trie' has s.json '[l["stored"] for l in w["levels"]] == [12, 65, 220]'
  check 'what a trie and a table take' has s.json \
    '[(l["trie_bytes"], l["table_bytes"]) for l in w["levels"]] == [(96, 48), (616, 520), (2376, 2640)]'
  check 'the time of trie' has s.json 'w["expand_seconds"] > 0 and w["rows_seconds"] > 0'
  exits 0 '--stats of reuse' match k12.tsv wheel:5 --embeddings --order reuse --engine reuse --stats s.json -o by_gpu
  check 'the reuse ratio' has s.json \
    'w["sets_found"] > 0 and w["reuse_ratio"] == w["sets_found"] / (w["sets_found"] + w["sets_missed"])'
  check 'the time of reuse' has s.json 'w["expand_seconds"] > 0 and w["rows_seconds"] > 0'
fi
if [ "$gpus" -gt 0 ]; then
  # two vertices of a diamond are counted together: the way with one of them takes 30 times as long
  "$motifsieve" gen rmat --scale 12 --edges 65536 --seed 5 -q -o skewed.tsv
  exits 0 'plan of a diamond in a skewed graph' plan skewed.tsv diamond --count --engine gpu
  check 'two vertices are counted together' grep -q 'visits 0, 1; the sizes of candidate sets count 2, 3' out
fi
check 'the CPU is not in the head' same "$(grep -c '^# engine' by_cpu)" 0
exits 0 'plan says the engine' plan k12.tsv triangle
check 'plan: the CPU' grep -q '^engine: cpu (the CPU needs .* a GPU about 0.3 s with its start' out
exits 0 'plan --json says the engine' plan k12.tsv triangle --count --json
check 'plan --json: the CPU' python3 -c 'import json; p = json.load(open("out")); assert p["engine"] == "cpu" and p["engine_reason"]'
