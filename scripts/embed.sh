#!/bin/sh
# Prints C that defines the ms_web_file NAME (report/web.h), the bytes of some files one after the other:
# scripts/embed.sh NAME FILE...
set -eu
name=$1
shift
bytes=$(cat "$@" | wc -c)
echo '#include "report/web.h"'
echo
if [ "$bytes" -eq 0 ]; then
  echo "const ms_web_file $name = {NULL, 0};"
  exit 0
fi
echo "static const unsigned char bytes[$((bytes))] = {"
cat "$@" | od -An -v -tu1 | sed 's/  */,/g; s/^,//; s/$/,/'
echo "};"
echo "const ms_web_file $name = {bytes, sizeof bytes};"
