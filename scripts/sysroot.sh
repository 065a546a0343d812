#!/bin/sh
# Makes a folder with Debian packages of another architecture, for a compiler's --sysroot and for qemu's -L:
#   scripts/sysroot.sh ARCHITECTURE FOLDER
# The packages are the libraries that the build and the unit tests need, and all that these need.  They are
# downloaded from the mirror of this machine's apt and unpacked in FOLDER; nothing is installed, and root is not
# needed.  FOLDER appears only when it is whole.
set -eu

[ $# -eq 2 ] || {
  echo 'usage: scripts/sysroot.sh ARCHITECTURE FOLDER' >&2
  exit 2
}
architecture=$1
folder=$2
packages='libc6-dev libgmp-dev zlib1g-dev libzstd-dev libexpat1-dev libjansson-dev libqhull-dev check'
fail() {
  echo "scripts/sysroot.sh: $1" >&2
  exit 1
}
[ ! -e "$folder" ] || fail "$folder exists; remove it to make it anew"
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || fail 'it needs apt-get and dpkg-deb, which Debian and Ubuntu have'

mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# apt's own state, in which nothing is installed and $architecture is the machine's
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/root/usr/lib"
: >"$work/status"
apt() {
  apt-get -q -y -o Acquire::Retries=1 -o Acquire::http::Timeout=20 \
    -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" -o "APT::Sandbox::User=$(id -un)" \
    -o "Dir::State=$work/state" -o "Dir::State::status=$work/status" -o "Dir::Cache=$work/cache" -o "Dir::Log=$work" "$@"
}
# shellcheck disable=SC2086
apt update >"$work/log" 2>&1 && apt install --download-only --no-install-recommends $packages >>"$work/log" 2>&1 || {
  cat "$work/log" >&2
  fail "apt finds no packages for $architecture"
}
for package in "$work"/cache/archives/*.deb; do
  dpkg-deb -x "$package" "$work/root"
done
# Debian has merged /lib with /usr/lib; packages of both times find each other.
[ -e "$work/root/lib" ] || ln -s usr/lib "$work/root/lib"
# Links to absolute paths would leave the folder.
find "$work/root" -type l -lname '/*' | while read -r link; do
  ln -snf "$(realpath -m --relative-to="$(dirname "$link")" "$work/root$(readlink "$link")")" "$link"
done
mv -T "$work/root" "$folder"
