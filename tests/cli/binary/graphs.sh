# The binary format keeps graph, colours and checksum, plain and packed, and damaged files are
# refused.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

exits 0 'plain result' list g.tsv --colors c.tsv -m red:2,blue -x -o plain.tsv
exits 0 'binary' convert g.tsv --colors c.tsv -o g.msb
exits 0 'binary: list with its colours' list g.msb -m red:2,blue -x -o msb.tsv
check 'binary: the same matches' same "$(rows msb.tsv)" "$(rows plain.tsv)"
exits 0 'binary: list with a colour file' list g.msb -c c.tsv -m red:2,blue -x -o msb2.tsv
exits 0 'binary: verify' verify msb2.tsv g.msb -c c.tsv
crc=$(sed -n 's/^# graph: .* crc32c=\([0-9a-f]*\) .*/\1/p' msb2.tsv)
"$motifsieve" list - -c c.tsv -m red:2,blue -x <g.msb >out 2>err
check 'binary: the same CRC from standard input' grep -q "^# graph: - crc32c=$crc " out
exits 0 'binary: packed' convert g.msb -o g.msb.zst
exits 0 'binary: packed, list' list g.msb.zst -c c.tsv -m red:2,blue -x
check 'binary: the same CRC, packed' grep -q "^# graph: g.msb.zst crc32c=$crc " out
exits 0 'binary: to itself' convert g.msb -o again.msb
check 'binary: the same bytes' cmp -s g.msb again.msb
head -c 1000 g.msb >cut.msb
refuses 3 'cut.msb: is cut off: 1000 of [0-9]+ bytes' list cut.msb -c c.tsv -m red
tr '\n' '\r' <g.msb >lines.msb
refuses 3 'lines.msb: was damaged on its way, as by a transfer that converts line ends' \
  list lines.msb -c c.tsv -m red
refuses 3 'g.tsv: is no binary graph of motifsieve' list g.tsv --format binary -c c.tsv -m red
refuses 2 'a least score is given' list g.msb --min-score 5 -c c.tsv -m red
