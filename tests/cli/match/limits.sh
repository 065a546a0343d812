# Limits and deadlines end typed-match with the right status, exit code and message.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

local v='(a:C)-[CbG]-(g:G)-[CbG]-(b:C)'
exits 0 'subgraphs' typed-match ring.sif -p "$v" -o subgraphs.tsv
exits 4 '--limit' typed-match ring.sif -p "$v" --limit 2 -o few.tsv
check '--limit: the first' same "$(rows few.tsv)" "$(rows subgraphs.tsv | head -n 2)"
check '--limit: status' same "$(grep -cx -e '# status: incomplete: limit' -e '# matches: 2' few.tsv)" 2
check '--limit: a word on stderr' grep -q 'warning: stopped by --limit after 2 matches; the result is incomplete' err
exits 0 '--limit: what there is verifies' verify few.tsv ring.sif -p "$v"
exits 0 '--limit that is not reached' typed-match ring.sif -p "$v" --limit 6
check '--limit not reached: complete' grep -qx '# status: complete' out
exits 4 '--limit --count' typed-match ring.sif -p "$v" --limit 2 --count --json
check '--limit --count: status' grep -q '"count":"2".*"status":"incomplete: limit"' out
exits 4 '--timeout' typed-match ring.sif -p "$v" --timeout 0.000001s -o late.tsv
check '--timeout: status' same "$(grep -cx -e '# status: incomplete: time' -e '# matches: 0' late.tsv)" 2
exits 0 '--timeout: the end verifies' verify late.tsv ring.sif -p "$v"
exits 4 '--timeout --count' typed-match ring.sif -p "$v" --timeout 0.000001s --count
check '--timeout --count: a word on stderr' grep -q 'warning: out of time after 0 matches' err
exits 4 '--quiet --timeout' typed-match ring.sif -p "$v" --timeout 0.000001s --count --quiet
check '--quiet --timeout: not a word' test ! -s err
