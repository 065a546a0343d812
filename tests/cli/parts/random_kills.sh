# tests/kills.py, which kills runs 1,000 times each, does so here a few times: each run goes on to the same bytes.  tests/flips.py, which
# flips all bits of checkpoints, flips a few.
# shellcheck shell=bash disable=SC2154

if python3 -c 'import os; os.waitstatus_to_exitcode' 2>/dev/null; then
  check 'killed runs go on' python3 "$here/kills.py" --kills 3 "$motifsieve" sieve census-vertices match-count-hinge list-json convert-binary >said
  for name in sieve census-vertices match-count-hinge list-json convert-binary; do
    check "$name was killed" grep -Eq "^$name: 3 kills, [1-9][0-9]* runs ended, each with the bytes" said
  done
  check 'flipped bits are noticed' python3 "$here/flips.py" --most 30 "$motifsieve" match-count-hinge list >said
  check 'bits were flipped' test "$(grep -c '30 bits were flipped, and each was noticed' said)" -eq 2
else
  skip 'there is no python3 of version 3.9 or later'
fi
