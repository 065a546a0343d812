# For scripts that make a new, minimal Debian in a folder, which source this file in the top folder.  It sets `mirror`, `proxy` and
# the temporary folder `work`, which is removed at the end, and defines the functions step, new_debian
# and inside.
# Without root or debootstrap the script ends here, and says that it has skipped; with `must` set, that is a failure.
# MOTIFSIEVE_DEBIAN names a folder with a minimal Debian of that suite, which is then copied instead of made.
# shellcheck shell=bash
skip() {
  if [ -n "${must:-}" ]; then
    echo "$(basename "$0"): $1" >&2
    exit 1
  fi
  echo "SKIPPED: $(basename "$0" .sh): $1"
  exit 0
}
[ "$(id -u)" -eq 0 ] || skip 'it needs root'
command -v debootstrap >/dev/null 2>&1 || skip 'no debootstrap here; install it'

# The mirror, and the proxy, that this machine installs from
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
  grep -v '^#' | grep -oE '(https?|file)://[^ ]+/debian\b[^ ]*' | grep -vE 'security|backports' | head -n 1)
[ -n "$mirror" ] || skip 'no mirror in the sources of apt'
proxy=$(apt-config shell p Acquire::http::Proxy | sed -n "s/^p='\(.*\)'$/\1/p")
[ -z "$proxy" ] || export http_proxy=$proxy

work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-debian-XXXXXX") || exit 1
# never remove a folder in which something is still mounted
leave() {
  local at
  awk -v below="$work/" 'index($2, below) == 1 { print $2 }' /proc/self/mounts | tac | while read -r at; do umount "$at"; done
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
# new_debian SUITE FOLDER: makes the system
new_debian() {
  if [ -n "${MOTIFSIEVE_DEBIAN:-}" ]; then
    mkdir "$2"
    step "a minimal $1, copied" cp -ax "$MOTIFSIEVE_DEBIAN/." "$2"
  else
    step "a minimal $1" debootstrap --variant=minbase "$1" "$2" "$mirror"
  fi
  step '  /proc' mount -t proc proc "$2/proc"
}
# inside FOLDER COMMAND [VARIABLE=VALUE...]: what a user, in the system in FOLDER, types in a shell.  With `offline` set, it has
# no network.
inside() {
  local root=$1 command=$2
  shift 2
  ${offline:+unshare -n} chroot "$root" /usr/bin/env -i HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin ${proxy:+http_proxy="$proxy"} "$@" /bin/sh -c "$command"
}
