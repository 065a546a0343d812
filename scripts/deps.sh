#!/bin/sh
# Installs the missing packages that the build and the tests need on Debian or
# Ubuntu, or names them and stops.  Prints nothing if nothing is missing.
set -u

cc=${CC:-cc}
missing=

need() { missing="$missing $1"; }
has_header() { echo "#include <$1>" | "$cc" -E -x c - >/dev/null 2>&1; }

if command -v "$cc" >/dev/null 2>&1; then
  has_header stdlib.h || need libc6-dev
  has_header gmp.h || need libgmp-dev
  has_header zlib.h || need zlib1g-dev
  has_header zstd.h || need libzstd-dev
  has_header expat.h || need libexpat1-dev
  has_header jansson.h || need libjansson-dev
  has_header libqhull_r/libqhull_r.h || need libqhull-dev
  has_header check.h || need check
else
  # Without a compiler, headers cannot be searched for.  apt skips installed packages.
  case $cc in
  *clang*) need clang && need libc6-dev ;;
  *) need build-essential ;;
  esac
  for package in libgmp-dev zlib1g-dev libzstd-dev libexpat1-dev libjansson-dev libqhull-dev check; do need $package; done
fi
if [ "${MPI:-0}" = 1 ]; then
  command -v "${MPICC:-mpicc}" >/dev/null 2>&1 || need libopenmpi-dev
  command -v mpirun >/dev/null 2>&1 || need openmpi-bin
fi
command -v make >/dev/null 2>&1 || need make
command -v pkg-config >/dev/null 2>&1 || need pkg-config

[ -n "$missing" ] || exit 0

by_hand() {
  echo "motifsieve needs these packages:$missing" >&2
  echo "install them with:  ${1:-}apt-get install$missing" >&2
  exit 1
}

command -v apt-get >/dev/null 2>&1 || {
  echo "motifsieve needs these Debian packages, or what your system calls them:$missing" >&2
  exit 1
}
if [ "$(id -u)" -eq 0 ]; then
  sudo=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  sudo='sudo -n'
else
  by_hand 'sudo '
fi
echo "installing:$missing"
# shellcheck disable=SC2086
{ $sudo apt-get -q update && $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qy install $missing; } ||
  by_hand "${sudo:+sudo }"
