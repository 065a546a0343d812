# Results and graphs written and read with gzip and zstd are those without.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

exits 0 'plain result' list g.tsv --colors c.tsv -m red:2,blue -x -o plain.tsv
for ending in gz zst; do
  if [ $ending = gz ]; then unpack=(gzip -dc) pack=(gzip -c); else unpack=(zstd -qdc) pack=(zstd -qc); fi
  if ! command -v "${unpack[0]}" >/dev/null; then
    skip "compressed outputs: no ${unpack[0]}"
    continue
  fi
  exits 0 "$ending: result" list g.tsv --colors c.tsv -m red:2,blue -x -o packed.tsv.$ending
  "${unpack[@]}" packed.tsv.$ending >unpacked.tsv 2>err
  check "$ending: the same, packed" cmp -s unpacked.tsv plain.tsv
  exits 0 "$ending: verify" verify packed.tsv.$ending g.tsv --colors c.tsv
  check "$ending: accepted" grep -q accepted out
  "${pack[@]}" plain.tsv >other.packed # told by content, not by name
  exits 0 "$ending: verify under another name" verify other.packed g.tsv --colors c.tsv
  "$motifsieve" verify - g.tsv --colors c.tsv <packed.tsv.$ending >out 2>err
  check "$ending: verify from standard input" grep -q accepted out
  sed 's/a,b,c/a,b,d/' plain.tsv | "${pack[@]}" >other.packed
  exits 3 "$ending: verify sees a changed row" verify other.packed g.tsv --colors c.tsv
  head -c $(($(wc -c <packed.tsv.$ending) - 3)) packed.tsv.$ending >cut.packed
  refuses 3 "cut.packed: the .* data is cut off" verify cut.packed g.tsv --colors c.tsv
  exits 0 "$ending: JSON" screen g.tsv --colors c.tsv -m red:2,blue -j -o packed.json.$ending
  exits 0 "$ending: verify JSON" verify packed.json.$ending g.tsv --colors c.tsv
  exits 0 "$ending: a verdict" verify plain.tsv g.tsv --colors c.tsv -o verdict.$ending
  check "$ending: the verdict" bash -c "${unpack[*]} verdict.$ending | grep -q accepted"
  "${pack[@]}" g.tsv >packed.graph
  "${pack[@]}" c.tsv >packed.colors
  exits 0 "$ending: inputs" list packed.graph -c packed.colors -m red:2,blue -x --count
  check "$ending: inputs, the same count" same "$(cat out)" 2
  exits 0 "$ending: graph" convert g.tsv -o graph.tsv.$ending
  exits 0 "$ending: graph again" convert graph.tsv.$ending --to edge-list
  cp out again.tsv
  exits 0 "$ending: graph, plain" convert g.tsv --to edge-list
  check "$ending: the same graph" cmp -s out again.tsv
done
