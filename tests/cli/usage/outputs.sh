# An output that is an input, two outputs in one place and places that cannot be written are
# refused, and leave every file as it was.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

refuses 2 'option --output wants' screen g.tsv --colors c.tsv -m red --output ''
# an output that is an input would lose it
for input in g.tsv c.tsv; do
  cp "$input" kept
  refuses 2 'is the input' list g.tsv --colors c.tsv -m red --output "./$input"
  check "$input is untouched" cmp -s "$input" kept
done

for input in g.tsv c.tsv; do
  cp "$input" kept
  ln -f "$input" hard.tsv
  refuses 2 '--map .* is the input' convert g.tsv -c c.tsv --to tve --map hard.tsv -o o.tve
  check "$input is untouched" cmp -s "$input" kept
  rm hard.tsv
done
# two outputs in one place, under one name or two
refuses 2 'same place' convert g.tsv --to metis --map z.graph -o ./z.graph
refuses 2 'same place' convert g.tsv --to metis --map - -o -
refuses 2 'same place' gen er -n 5 --edges 5 --planted a --colors-out new.tsv -o ./new.tsv
refuses 2 'same place' gen er -n 5 --edges 5 --planted a --colors-out c1.tsv --planted-out "$PWD/c1.tsv" -o g1.tsv
exits 0 'the null device takes several outputs' gen er -n 5 --edges 5 --planted a --colors-out /dev/null --planted-out /dev/null -o g1.tsv
# what stands beside a graph does not change unless the graph is written
echo kept >beside
refuses 3 'cannot be created' convert g.tsv --to metis --map beside -o nowhere/x.graph
check 'the map is untouched' same "$(cat beside)" kept
refuses 3 'cannot be created' gen er -n 5 --edges 5 --planted a --colors-out beside -o nowhere/x.tsv
check 'the colours are untouched' same "$(cat beside)" kept
ln -s nothing dangling
refuses 3 'cannot be created' convert g.tsv -o dangling --to edge-list
check 'a link stays a link' test -L dangling
long=$(printf '%0245d' 1).tsv
exits 0 'a long name' convert g.tsv -o "$long"
refuses 2 'begins with' gen er -n 5 --edges 5 --prefix '#' -o g1.tsv
