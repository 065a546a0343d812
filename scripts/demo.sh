#!/bin/sh
# Demonstrates the tool on a real network.  It finds the yeast proteins that could,
# with two known members of the oligosaccharyl transferase complex, make up a module
# of its kind, and lists these modules.  Usage: scripts/demo.sh PATH/TO/motifsieve
#
# Names of proteins are words without blanks, so that the shell may split lists of them.
# shellcheck disable=SC2046,SC2086
set -eu

motifsieve=${1:-build/motifsieve}
data=$(dirname "$0")/../examples/yeast
network=$data/s_cerevisiae.network-109-4.4.222.txt.gz
functions=$data/go_slim_mapping.tab.gz
motif=$data/ost.motif
known='YGL226C-A YGL022W' # OST5 STT3
complex='YJL002C YOR103C YOR085W YDL232W YGL226C-A YML019W YGL022W YMR149W YEL002C'
out=$(dirname "$motifsieve")/demo
mkdir -p "$out"

now() { date +%s.%N; }
begin=$(now)
set -- "$network" --colors "$functions" --motif-file "$motif" $(printf -- '--require %s ' $known)
"$motifsieve" screen "$@" --output "$out/ost.screen.tsv"
"$motifsieve" list "$@" --output "$out/ost.modules.tsv"
searched=$(now)
"$motifsieve" verify "$out/ost.screen.tsv" "$network" --colors "$functions" --quiet >"$out/ost.screen.verdict"
"$motifsieve" verify "$out/ost.modules.tsv" "$network" --colors "$functions" --quiet >"$out/ost.modules.verdict"
verified=$(now)

# The file genes: column 1 of the GO slim file is the systematic name, column 2 the gene's name.
gzip -dc "$functions" | awk -F '\t' '{ print $1 "\t" $2 }' | sort -u >"$out/genes"
header() { sed -n "s/^# $1: //p" "$2"; }
genes() { awk -F '\t' 'NR == FNR { gene[$1] = $2; next } { printf "%s%s", sep, ($1 in gene ? gene[$1] : $1); sep = ", " }
  END { print "" }' "$out/genes" -; }
# Prints the verdict on a result: what was checked, and whether the recount ended.
verdict() {
  awk -F '\t' '{ v[$1] = $2 } END {
    printf "%s rows right; ", v["rows"]
    if (v["recount"] == "complete") printf "independent recount: %s missing\n", v["missing"]
    else print "too many to recount in the time given, so whether any is missing was not checked" }' "$1"
}
rows() { grep -v '^#' "$1" | tail -n +2; }

# Prints the number of the module that is the known complex itself.
number_of_complex() { rows "$1" | awk -F '\t' -v want="$complex" '
  BEGIN { k = split(want, w, " "); for (i in w) wanted[w[i]] = 1 }
  { n = split($2, v, ","); for (i in v) if (!(v[i] in wanted)) next; if (n == k) { print $1; exit } }'; }

flagged=$(header flagged "$out/ost.screen.tsv")
modules=$(header matches "$out/ost.modules.tsv")
cat <<END

What was asked
  network    $(basename "$network"): $(header graph "$out/ost.screen.tsv" | sed 's/.* vertices=\([0-9]*\) edges=\([0-9]*\) .*/\1 proteins, \2 interactions/') (BioGRID)
  functions  $(basename "$functions"): $(header colors "$out/ost.screen.tsv" | sed 's/.* colors=\([0-9]*\) assignments=\([0-9]*\) .*/\1 GO slim terms, \2 assignments/') (SGD)
  module     $(header k "$out/ost.screen.tsv") connected proteins with, between them, these functions:
$(grep -v '^#' "$motif" | awk -F '\t' '{ print "               " $2 " x " $1 }')
  around     $(printf '%s\n' $known | genes)

What was found
  $flagged proteins take part in such a module
  $modules such modules
  first      $(rows "$out/ost.modules.tsv" | sed -n 1p | cut -f2 | tr ',' '\n' | genes)
  the known complex is number $(number_of_complex "$out/ost.modules.tsv"): $(printf '%s\n' $complex | genes)
  the proteins in most modules, beside the two:
$(rows "$out/ost.modules.tsv" | cut -f2 | tr ',' '\n' | grep -vxF "$(printf '%s\n' $known)" | sort | uniq -c | sort -k1,1nr -k2,2 | head -n 6 |
  awk 'NR == FNR { gene[$1] = $2; next } { printf "             %6d  %s\n", $1, ($2 in gene ? gene[$2] : $2) }' "$out/genes" -)

How sure it is
  no protein that takes part was missed (mode: $(header mode "$out/ost.screen.tsv"))
  proteins:  $(verdict "$out/ost.screen.verdict")
  modules:   $(verdict "$out/ost.modules.verdict")

$(echo "$begin $searched $verified" | awk '{ printf "searched in %.1f s, verified in %.1f s", $2 - $1, $3 - $2 }'); results in $out/
END
