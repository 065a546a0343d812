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
skip() {
  echo "SKIPPED: clean machine: $1"
  exit 0
}
[ "$(id -u)" -eq 0 ] || skip 'it needs root'
command -v debootstrap >/dev/null 2>&1 || skip 'no debootstrap here; install it'

# The mirror, and the proxy, that this machine installs from
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
  grep -v '^#' | grep -oE '(https?|file)://[^ ]+' | grep -vE 'security|backports' | head -n 1)
[ -n "$mirror" ] || skip 'no mirror in the sources of apt'
proxy=$(apt-config shell p Acquire::http::Proxy | sed -n "s/^p='\(.*\)'$/\1/p")
[ -z "$proxy" ] || export http_proxy=$proxy

work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-clean-XXXXXX") || exit 1
root=$work/root
# never remove a folder in which something is still mounted
leave() {
  local at
  for at in "$root/dev/pts" "$root/proc"; do
    mountpoint -q "$at" && umount "$at"
    mountpoint -q "$at" && {
      echo "clean_machine.sh: $at is still mounted; remove $work by hand" >&2
      return
    }
  done
  rm -rf --one-file-system "$work"
}
trap leave EXIT
trap 'exit 130' INT TERM

# step NAME COMMAND...: one line; the end of its output, and an end of all, if it fails
step() {
  local name=$1 begin=$SECONDS
  shift
  if "$@" >"$work/log" 2>&1; then
    printf '%-44s ok (%d s)\n' "$name" $((SECONDS - begin))
    return
  fi
  printf '%-44s FAILED (%d s)\n' "$name" $((SECONDS - begin))
  tail -n 60 "$work/log" | sed 's/^/    /'
  exit 1
}
# inside COMMAND: as a user of the new system would type it, in the unpacked folder
inside() {
  chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C \
    ${proxy:+http_proxy="$proxy"} ${MOTIFSIEVE_TEST_SCALE:+MOTIFSIEVE_TEST_SCALE="$MOTIFSIEVE_TEST_SCALE"} \
    ${CK_TIMEOUT_MULTIPLIER:+CK_TIMEOUT_MULTIPLIER="$CK_TIMEOUT_MULTIPLIER"} \
    /bin/bash -c "cd /motifsieve-*/ && $1"
}

step 'the tarball' make -s dist DIST="$work/motifsieve.tar.gz"
step "a minimal $suite" debootstrap --variant=minbase "$suite" "$root" "$mirror"
step '/proc' mount -t proc proc "$root/proc"
# terminals of its own, for the test of the progress line
step '/dev/pts' mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
step '/dev/ptmx' ln -sf pts/ptmx "$root/dev/ptmx"
step 'unpack' tar -xzf "$work/motifsieve.tar.gz" -C "$root"
step 'no make, no compiler' inside '! command -v make && ! command -v cc'
step 'apt-get install make, as README says' inside 'apt-get -q update && apt-get -qy install make'
step 'make demo' inside 'make demo'
sed 's/^/    /' "$root"/motifsieve-*/build/demo/*.verdict
step 'make check' inside 'make check'
grep -E 'checks,|SKIPPED|passed' "$work/log" | sed 's/^/    /'
step 'make install' inside 'make install && ldconfig && motifsieve --version'
