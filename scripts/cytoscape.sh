#!/bin/sh
# Puts cytoscape.min.js and cytoscape.LICENSE into a folder, from the package of that version whose checksum is
# SHA512: scripts/cytoscape.sh VERSION SHA512 FOLDER [--must|--package]
# The package is the file that $CYTOSCAPE names, or else the one in report/, or else comes from npm.  If there is none,
# or $CYTOSCAPE is 0, both files are empty; with --must, that is a failure.  --package puts the package itself and the
# licence into the folder, or fails.
set -eu
version=$1 sha512=$2 folder=$3 must=${4:-}
mkdir -p "$folder"
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-cytoscape-XXXXXX")
trap 'rm -rf "$work"' EXIT

# Ends without the library, and says why.
leave_out() {
  if [ -n "$must" ] || [ -n "${2:-}" ]; then
    echo "cytoscape.js: $1" >&2
    exit 1
  fi
  echo "no cytoscape.js: $1; reports of this build draw no networks" >&2
  # who left it out knows how to get it
  [ "${CYTOSCAPE:-}" = 0 ] || echo "to try again: make cytoscape; from a file: make CYTOSCAPE=FILE (docs/REPORT.md)" >&2
  : >"$folder/cytoscape.min.js"
  : >"$folder/cytoscape.LICENSE"
  exit 0
}

package=$work/cytoscape-$version.tgz
bundled=$(dirname "$0")/../report/cytoscape-$version.tgz
[ -n "${CYTOSCAPE:-}" ] || [ ! -f "$bundled" ] || CYTOSCAPE=$bundled
case ${CYTOSCAPE:-} in
0) leave_out 'CYTOSCAPE=0' ;;
'')
  command -v npm >/dev/null 2>&1 || leave_out 'there is no npm'
  # npm waits long for a network that is not there
  limit=$(command -v timeout || :)
  (cd "$work" && ${limit:+"$limit" 60} npm pack --silent --prefer-offline --fetch-retries=0 --fetch-timeout=20000 \
    "cytoscape@$version" >/dev/null 2>&1) || leave_out "npm could not get cytoscape@$version"
  ;;
*)
  [ -f "$CYTOSCAPE" ] || leave_out "CYTOSCAPE=$CYTOSCAPE: there is no such file" fail
  cp "$CYTOSCAPE" "$package"
  ;;
esac
# macOS has shasum
sum=$({ sha512sum "$package" 2>/dev/null || shasum -a 512 "$package"; } | cut -d' ' -f1)
[ "$sum" = "$sha512" ] ||
  leave_out "the package is not cytoscape@$version: its SHA-512 is $sum, but should be $sha512" fail
tar -xzf "$package" -C "$work"
if [ "$must" = --package ]; then
  cp "$work/package/LICENSE" "$folder/cytoscape.LICENSE"
  cp "$package" "$folder/.part"
  mv "$folder/.part" "$folder/cytoscape-$version.tgz"
  exit 0
fi
# both at once, or neither
cp "$work/package/dist/cytoscape.min.js" "$folder/cytoscape.min.js"
cp "$work/package/LICENSE" "$folder/cytoscape.LICENSE"
