#!/usr/bin/env bash
# Makes the source tarball: scripts/dist.sh VERSION OUTPUT
# It holds the files that git tracks, as they are in the working tree, and MANIFEST,
# their list; without git, the files that MANIFEST lists.  The same sources give the
# same bytes: names are sorted, owners and modes are fixed, and all files have one
# time, that of the last commit (or SOURCE_DATE_EPOCH, if it is set).
set -eu
version=${1:?usage: scripts/dist.sh VERSION OUTPUT}
output=$(realpath -m "${2:?usage: scripts/dist.sh VERSION OUTPUT}")
cd "$(dirname "$0")/.."
export LC_ALL=C

name=motifsieve-$version
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-dist-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/$name"

# Only .git in this folder counts: an unpacked tarball may lie inside another repository.
if [ -e .git ]; then
  time=$(git log -1 --format=%ct)
  { git ls-files; echo MANIFEST; } | sort -u >"$work/$name/MANIFEST"
  git diff --quiet HEAD || echo "dist: the working tree has changes that are not committed; they go in" >&2
elif [ -f MANIFEST ]; then
  time=$(stat -c %Y MANIFEST)
  cp MANIFEST "$work/$name/MANIFEST"
else
  echo "dist: neither a git checkout nor a MANIFEST; use a checkout or an unpacked release" >&2
  exit 1
fi

grep -vxF MANIFEST "$work/$name/MANIFEST" | tar -cf - --no-recursion -T - | tar -xf - -C "$work/$name"
tar -cf - -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
  --mtime="@${SOURCE_DATE_EPOCH:-$time}" --format=ustar "$name" | gzip -9n >"$work/tarball"
cp "$work/tarball" "$output"
echo "$(basename "$output"): $(wc -l <"$work/$name/MANIFEST") files, $(sha256sum "$output" | cut -d' ' -f1)"
