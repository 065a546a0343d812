#!/usr/bin/env bash
# Measures what it saves to cut the index to what the sieve left, on real networks and on a random graph of a million
# vertices with hidden matches:
#   bench/pattern_cut.sh MOTIFSIEVE PATTERN_CUT [OUTPUT]
# Writes to standard output, and to OUTPUT if given.  MOTIFSIEVE_DATA is the folder of the data (see its README);
# queries on missing data are skipped with a message.  SECONDS_EACH (20) limits each run.  The colours of networks that
# have none are drawn with the seed 17: colour rI has about one vertex in 2^I.  Patterns without colours are absent,
# because no sieve can run for them.  The head of pattern_cut.c explains the columns.
set -euo pipefail

usage='usage: bench/pattern_cut.sh MOTIFSIEVE PATTERN_CUT [OUTPUT]'
tool=${1:?$usage}
program=${2:?$usage}
[ $# -lt 3 ] || exec > >(tee "$3")
data=${MOTIFSIEVE_DATA:-../shared/data}
seconds=${SECONDS_EACH:-20}
folder=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT

echo "# date: $(date -u +%Y-%m-%d)"
echo "# commit: $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
echo "# machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
echo "# command: bench/pattern_cut.sh; pattern_cut -s $seconds; one thread; seed 17 of random colours and graphs"

# ---- graphs ---------------------------------------------------------------------

have() {
  [ -r "$data/$1" ] && return
  echo "SKIPPED: no $data/$1"
  return 1
}

# network NAME FILE OPTIONS...: converts a network to NAME.msb.
network() {
  local name=$1 file=$2
  shift 2
  have "$file" || return 0
  "$tool" convert "$data/$file" "$@" -q --to binary -o "$folder/$name.msb"
}

# colored NAME FILE: does so with random colours.
colored() {
  have "$2" || return 0
  zcat "$data/$2" | python3 -c '
import random, sys
vertices = sorted({w for line in sys.stdin if line[0] not in "#%" for w in line.split()[:2]})
draw = random.Random(17)
for v in vertices:
    i = 1
    while i < 12 and draw.random() < 0.5:
        i += 1
    print(v, "r%d" % i, sep="\t")' >"$folder/$1.colors"
  network "$1" "$2" --colors "$folder/$1.colors"
}

slim=$data/yeast/go_slim_mapping.tab.gz
network string yeast/4932.protein.physical.links.v12.0.txt.gz --min-score 900 --colors "$slim"
network biogrid yeast/s_cerevisiae.network-109-4.4.222.txt.gz --colors "$slim"
colored wiki web_social/wiki-Vote.el.gz
colored enron web_social/email-Enron.txt.gz
# a million vertices, of which 20,000 have a colour of the motif: 5,000 hidden connected sets of four
"$tool" gen er --vertices 1000000 --degree 20 --seed 17 --planted a,a,a,b --plants 5000 --background 50 -q \
  --to binary -o "$folder/random.msb"

# ---- queries --------------------------------------------------------------------

# query GRAPH NAME PATTERN [OPTIONS]: one line, once to be counted and once to be listed.
query() {
  [ -r "$folder/$1.msb" ] || return 0
  local word
  for word in count list; do
    printf '%s: %s, %s%s\t%s\t%s\t%s\n' "$1" "$2" "$word" "${4:+, $4}" "$folder/$1.msb" "$3" "$word ${4:-}"
  done
}

# colour GRAPH COLOUR: patterns with this colour at every second or third vertex.
colour() {
  local c="\`$2\`"
  query "$1" "path a.a.a, $2" "(a:$c)--()--(b:$c)--()--(c:$c)"
  query "$1" "path a..a, $2" "(a:$c)--()--()--(b:$c)"
  query "$1" "ring a.a.a., $2" "(a:$c)--()--(b:$c)--()--(c:$c)--(d)--(a)"
}

lines() {
  colour string 'helicase activity'
  colour biogrid 'signal transducer activity'
  colour biogrid 'protein lipidation'
  colour wiki r6
  colour enron r6
  colour enron r8
  query biogrid 'induced path a.a.a, protein lipidation' \
    '(a:`protein lipidation`)--()--(b:`protein lipidation`)--()--(c:`protein lipidation`)' induced
  query random 'path aab' '(x:a)--(y:a)--(z:b)'
  query random 'path aaab' '(x:a)--(y:a)--(z:a)--(w:b)'
  query random 'star a(a, a, b)' '(x:a)--(y:a), (x)--(z:a), (x)--(w:b)'
  query random 'path a.ab' '(x:a)--()--(y:a)--(z:b)'
}
lines | "$program" -s "$seconds"
