# The judge accepts what list and screen wrote and refuses each of nine planted errors, even with
# a right checksum.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

exits 0 json list g.tsv --colors c.tsv -m red,blue,green --json
cp out list.json
exits 0 'json screen' screen g.tsv --colors c.tsv -m red:2,blue --json --all -r e
cp out screen.json
call list g.tsv --colors c.tsv -m red,blue,green -o list.tsv
call screen g.tsv --colors c.tsv -m red:2,blue -o screen.tsv
call screen g.tsv --colors c.tsv -m red:2,blue -r e --all -o all.tsv
call list g.tsv --colors c.tsv -m red,blue,green -x -l 2 -o cut.tsv
for f in list.tsv screen.tsv all.tsv cut.tsv list.json screen.json; do
  exits 0 "verify $f" verify $f g.tsv --colors c.tsv
  check "verify $f: accepted" grep -qx $'accepted\tyes' out
done
exits 0 'verify --recount' verify --recount list.tsv g.tsv --colors c.tsv
check 'recount complete' grep -qx $'recount\tcomplete' out
exits 0 'verify --no-recount --json' verify --no-recount --json list.tsv g.tsv --colors c.tsv
check 'verdict in JSON' grep -q '"accepted":true' out
# the CRC is mended after each change, so that the contents have to give it away
mend() {
  python3 - "$1" "$here" <<'PY'
import re, sys
data = open(sys.argv[1], "rb").read()
cut = data.rindex(b"# end:")
crc = 0xFFFFFFFF
for byte in data[:cut]:
    crc ^= byte
    for _ in range(8):
        crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
rows = sum(1 for l in data[:cut].split(b"\n") if l and l[:1] != b"#") - 1
open(sys.argv[1], "wb").write(data[:cut] + b"# end: rows=%d crc32c=%08x\n" % (rows, crc ^ 0xFFFFFFFF))
PY
}
sed 's/\ta,b,d/\ta,b,e/' list.tsv >x.tsv
refuses 3 'x.tsv' verify x.tsv g.tsv --colors c.tsv
head -n 12 list.tsv >x.tsv
refuses 3 'x.tsv' verify x.tsv g.tsv --colors c.tsv
sed 's/a\tb/a\tc/' g.tsv >g2.tsv
refuses 3 'list.tsv' verify list.tsv g2.tsv -c c.tsv
refuses 3 'list.tsv' verify list.tsv g.tsv -c lc.tsv
refuses 3 'nowhere' verify nowhere.tsv g.tsv --colors c.tsv
refuses 3 'g.tsv' verify g.tsv g.tsv --colors c.tsv
if command -v python3 >/dev/null; then
  cp list.tsv x.tsv && mend x.tsv
  check 'the mended file is the same' cmp -s x.tsv list.tsv
  while IFS='|' read -r what script; do
    sed "$script" list.tsv >x.tsv
    mend x.tsv
    cmp -s x.tsv list.tsv && fail "planting '$what' changed nothing"
    refuses 3 'x.tsv' verify x.tsv g.tsv --colors c.tsv
  done <<'PLANTS'
not connected|s/\ta,b,d/\ta,b,e/
wrong colours|s/\ta,b,d/\ta,b,c/
unknown vertex|s/\ta,b,d/\ta,b,q/
too few vertices|s/\ta,b,d/\ta,b/
duplicate row|s/\tb,c,d/\ta,b,d/
missing row|/\tb,c,d/d;s/^# matches: 3/# matches: 2/;s/^3\t/2\t/
count does not fit|s/^# matches: 3/# matches: 4/
another motif|s/^# motif: .*/# motif: red:2,blue/
another k|s/^# k: 3/# k: 4/
PLANTS
fi
