# For scripts that make a new, minimal Debian in a folder, which source this file in the top folder.  It sets `mirror`, `proxy` and
# the temporary folder `work`, which is removed at the end, and defines the functions step and new_debian.
# Without root or debootstrap the script ends here, and says that it has skipped.
# shellcheck shell=bash
skip() {
  echo "SKIPPED: $(basename "$0" .sh): $1"
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

work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-debian-XXXXXX") || exit 1
# never remove a folder in which something is still mounted
leave() {
  local at
  for at in "$work"/*/dev/pts "$work"/*/proc; do
    mountpoint -q "$at" && umount "$at"
    mountpoint -q "$at" && {
      echo "$(basename "$0"): $at is still mounted; remove $work by hand" >&2
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
# new_debian SUITE FOLDER: makes the system
new_debian() {
  step "a minimal $1" debootstrap --variant=minbase "$1" "$2" "$mirror"
}
