# Under random colours p values of a census are not too often small, and a planted motif is found at its size: the short form of
# make bench-calibration.  It refuses a program whose p values are a third of what they should be.
# shellcheck shell=bash disable=SC2154

needs python3 || return
python3 "$here/../bench/calibration.py" "$motifsieve" --quick >out 2>err
rc=$?
check "calibration: exit 0 (got $rc)" test $rc -eq 0
check 'calibration: as expected' grep -qx 'calibration: as expected' out
check 'calibration: found at size 4' grep -q 'comes first at size 4: 1 of 1 runs; the smallest p of all sizes is at size 4: 1 of 1' out
check 'calibration: nothing found without plants' grep -q '^0	0.000	' out
check 'calibration: 100 plants found' grep -q '^100	1.000	' out

cat >optimist <<END2
#!/usr/bin/env bash
set -o pipefail
"$motifsieve" "\$@" | awk -F '\t' -v OFS='\t' '\$1 == "motif" { for (i = 1; i <= NF; i++) if (\$i == "p") at = i } at && \$at != "p" { \$at /= 3 } 1'
END2
chmod +x optimist
python3 "$here/../bench/calibration.py" ./optimist --quick >out 2>err
rc=$?
check "calibration: p values that are too small are refused (got $rc)" test $rc -eq 1
check 'calibration: not as expected' grep -qx 'calibration: NOT as expected' out
