#!/usr/bin/env bash
# Refuses a build in which a compiler warned: tests/warnings.sh BUILD_FOLDER
# The build keeps each object's warnings beside it, as OBJECT.warnings.
set -u
build=${1:?usage: tests/warnings.sh BUILD_FOLDER}
code=0
while read -r log; do
  # what remains of a source file that is gone does not count
  [ -e "${log%.warnings}" ] || continue
  source=${log#"$build"/} source=${source%.warnings}
  case $source in
  tests/fuzz/*) ;;
  *.cu.o) [ -e "${source%.o}" ] || continue ;;
  *.o) [ -e "${source%.o}.c" ] || [ -e "${source%.o}.cc" ] || continue ;;
  esac
  [ "$code" -eq 0 ] && echo 'warnings, which are errors here (make check WERROR= accepts them):'
  cat "$log"
  code=1
done < <(find "$build" -name '*.warnings' -size +0 | sort)
exit $code
