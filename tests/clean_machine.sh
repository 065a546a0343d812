#!/usr/bin/env bash
# From nothing to a tested tool: a new, minimal Debian in a folder, in it the
# tarball of make dist, and there what README tells: make, make demo, make check.
# What is missing in scripts/deps.sh or in the tarball shows here and nowhere else.
# Usage: tests/clean_machine.sh   (root, debootstrap, a network; about 1 GB in TMPDIR)
#   MOTIFSIEVE_TEST_SCALE  the share of the random cases of make check, as always
#   SUITE                  which Debian (bookworm)
set -u

cd "$(dirname "$0")/.." || exit 1
suite=${SUITE:-bookworm}
# shellcheck source=tests/new_debian.sh
. tests/new_debian.sh
root=$work/root
# typed COMMAND: as a user of the new system would type it, in the unpacked folder
typed() {
  inside "$root" "cd /motifsieve-*/ && $1" ${MOTIFSIEVE_TEST_SCALE:+MOTIFSIEVE_TEST_SCALE="$MOTIFSIEVE_TEST_SCALE"} \
    ${CK_TIMEOUT_MULTIPLIER:+CK_TIMEOUT_MULTIPLIER="$CK_TIMEOUT_MULTIPLIER"}
}

step 'the tarball' make -s dist DIST="$work/motifsieve.tar.gz"
new_debian "$suite" "$root"
# terminals of its own, for the test of the progress line
step '/dev/pts' mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
step '/dev/ptmx' ln -sf pts/ptmx "$root/dev/ptmx"
step 'unpack' tar -xzf "$work/motifsieve.tar.gz" -C "$root"
step 'no make, no compiler' typed '! command -v make && ! command -v cc'
step 'apt-get install make, as README says' typed 'apt-get -q update && apt-get -qy install make'
step 'make demo' typed 'make demo'
sed 's/^/    /' "$root"/motifsieve-*/build/demo/*.verdict
step 'make check' typed 'make check'
grep -E 'checks,|SKIPPED|passed' "$work/log" | sed 's/^/    /'
step 'make install' typed 'make install && ldconfig && motifsieve --version'
