#!/usr/bin/env bash
# Checks the R package of a build: r/tests.sh BUILD_FOLDER
# Builds its archive, which runs the vignettes; R CMD check runs the tests and the examples; and the commands of
# docs/R.md print what the page shows.
# Prints what R says and libcheck's line of counts.  Skips, loudly, where R or a package that the
# tests use is missing, or where the library was not built.
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/../tests/environment.sh"

build=$(cd "${1:?usage: r/tests.sh BUILD_FOLDER}" && pwd) || exit 1
cd "$(dirname "$0")/.." || exit 1

skip() {
  echo "SKIPPED: $1"
  echo '100%: Checks: 1, Failures: 0, Errors: 0'
  exit 0
}

command -v R >/dev/null || skip 'no R (apt-get install r-base-core)'
for package in testthat igraph Matrix knitr rmarkdown; do
  Rscript --vanilla -e "quit(status = !requireNamespace('$package', quietly = TRUE))" >/dev/null 2>&1 ||
    skip "R has no package $package (apt-get install r-cran-${package,,})"
done
[ -e "$build/libmotifsieve.so" ] || skip 'the library is not built (make)'
case $build in *-asan | *-tsan | *-coverage) skip 'R cannot load an instrumented library' ;; esac

work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-r-XXXXXX")
trap 'rm -rf "$work"' EXIT
ln -s "$PWD" "$work/a checkout & a | b" # names of folders may have what sed or a shell reads
export MOTIFSIEVE_HOME="$work/a checkout & a | b" MOTIFSIEVE_BUILD=$build TMPDIR=$work
# R takes names of files and texts in UTF-8; packages that only some tests use may be missing
export LC_ALL=C.UTF-8 _R_CHECK_FORCE_SUGGESTS_=false _R_CHECK_SYSTEM_CLOCK_=0
printf 'CFLAGS = -O1 -Wall -Wextra\n' >"$work/makevars" # R CMD check refuses important warnings
export R_MAKEVARS_USER=$work/makevars
cp -rL r "$work/source"
cd "$work" || exit 1
R --no-echo CMD build source >build.log 2>&1 || { cat build.log; echo '0%: Checks: 1, Failures: 0, Errors: 1'; exit 1; }
R --no-echo CMD check --no-manual --no-vignettes motifsieve_*.tar.gz >check.log 2>&1
cat check.log
bad=$(grep -cE '(ERROR|WARNING)$' check.log)
[ "$bad" -eq 0 ] || cat motifsieve.Rcheck/tests/*.fail motifsieve.Rcheck/00install.out 2>/dev/null
grep -q '^\* DONE' check.log || bad=$((bad + 1))
R_LIBS=$work/motifsieve.Rcheck Rscript --vanilla "$MOTIFSIEVE_HOME/r/page.R" "$MOTIFSIEVE_HOME/docs/R.md" || bad=$((bad + 1))
lines=$(cat source/src/*.[ch] source/R/*.R | grep -vcE '^\s*($|# |//|/\*|\* )')
echo "$lines lines of C and R without comments, of 1500"
[ "$lines" -le 1500 ] || bad=$((bad + 1))
checks=$(($(grep -c '^\* checking' check.log) + 1))
echo "$((100 * (checks - bad) / (checks > 0 ? checks : 1)))%: Checks: $checks, Failures: $bad, Errors: 0"
[ "$bad" -eq 0 ]
