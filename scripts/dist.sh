#!/usr/bin/env bash
# Makes the source archive: scripts/dist.sh VERSION OUTPUT [FOLDER]
# It contains the files that git tracks, as they are in the working tree, the files of
# FOLDER, which go into report/, and MANIFEST, the list of all; without git, the files
# that MANIFEST lists.  The same sources give the same bytes: names are sorted, owners
# and modes are fixed, and all files have one time, that of the last commit (or
# SOURCE_DATE_EPOCH, if it is set).
set -euo pipefail
usage='usage: scripts/dist.sh VERSION OUTPUT [FOLDER]'
version=${1:?$usage}
output=$(realpath -m "${2:?$usage}")
added=${3:+$(realpath "$3")}
cd "$(dirname "$0")/.."
export LC_ALL=C

name=motifsieve-$version
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-dist-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/$name"

# Only .git in this folder counts: an unpacked tarball may lie inside another repository.
if [ -e .git ]; then
  time=$(git log -1 --format=%ct)
  {
    git ls-files
    echo MANIFEST
    [ -z "$added" ] || (cd "$added" && printf 'report/%s\n' *)
  } | sort -u >"$work/$name/MANIFEST"
  [ -n "$added" ] || echo 'dist: without cytoscape.js, so reports of what is built from the archive offline draw no networks' >&2
  git diff --quiet HEAD || echo "dist: the working tree has changes that are not committed; they go in" >&2
elif [ -f MANIFEST ]; then
  time=$(stat -c %Y MANIFEST)
  cp MANIFEST "$work/$name/MANIFEST"
else
  echo "dist: neither a git checkout nor a MANIFEST; use a checkout or an unpacked release" >&2
  exit 1
fi

if [ -e .git ] && [ -n "$added" ]; then
  mkdir "$work/$name/report"
  cp "$added"/* "$work/$name/report"
fi
grep -vxF MANIFEST "$work/$name/MANIFEST" | while IFS= read -r file; do
  [ -e "$work/$name/$file" ] || printf '%s\n' "$file"
done | tar -cf - --no-recursion -T - | tar -xf - -C "$work/$name"
tar -cf - -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
  --mtime="@${SOURCE_DATE_EPOCH:-$time}" --format=ustar "$name" | gzip -9n >"$work/tarball"
cp "$work/tarball" "$output"
echo "$(basename "$output"): $(wc -l <"$work/$name/MANIFEST") files, $(sha256sum "$output" | cut -d' ' -f1)"
