#!/bin/sh
# Installs the Debian or Ubuntu packages that the Python package, its tests and the tests of packaging/ use, or
# names them and stops.  Python is optional: nothing else needs it.
set -u

packages='python3-cffi python3-numpy python3-scipy python3-pandas python3-networkx python3-igraph python3-anndata
  python3-pytest python3-tqdm python3-hypothesis python3-setuptools python3-wheel python3-pip python3-venv python3-dev
  python3-mypy python3-matplotlib python3-nbclient python3-ipykernel python3-yaml python3-cheetah patchelf'

command -v dpkg-query >/dev/null 2>&1 || {
  echo "the Python package needs these Debian packages, or what your system calls them: $packages" >&2
  exit 1
}
missing=
for package in $packages; do
  dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q 'ok installed' && continue
  # a release may lack one, such as anndata
  [ -z "$(apt-cache policy "$package" 2>/dev/null)" ] && echo "SKIPPED: no package $package here" && continue
  missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  sudo=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  sudo='sudo -n'
else
  echo "install them with:  sudo apt-get install$missing" >&2
  exit 1
fi
echo "installing:$missing"
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qy install $missing || {
  $sudo apt-get -q update &&
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qy install $missing
}
