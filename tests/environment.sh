# What the suites state of their environment, so that they do not depend on the user's.  Their scripts source this file.
# shellcheck shell=bash
export LC_ALL=C TZ=UTC
umask 022
# what other programs read from the environment: shells, grep, packers, terminals, Python and pytest
unset BASH_ENV CDPATH POSIXLY_CORRECT GREP_OPTIONS GREP_COLOR GREP_COLORS GZIP ZSTD_CLEVEL ZSTD_NBTHREADS TAR_OPTIONS
unset COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE
unset PYTHONOPTIMIZE PYTHONWARNINGS PYTHONHASHSEED PYTHONIOENCODING PYTHONUTF8 PYTHONCOERCECLOCALE PYTHONDEVMODE PYTHONINSPECT \
  PYTHONSTARTUP PYTHONVERBOSE PYTHONSAFEPATH PYTEST_ADDOPTS PYTEST_PLUGINS
# what changes the choices of motifsieve itself; tests that are about them set them
unset MOTIFSIEVE_PRUNE MOTIFSIEVE_GPU_MEMORY MOTIFSIEVE_GPU_CHUNK_WORDS MOTIFSIEVE_GPU_ARCS MOTIFSIEVE_GPU_LAST_STEP

# pyenv starts shells before each python3, and the cases start it often
if [[ $(command -v python3) == */shims/* ]]; then
  PATH=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))'):$PATH
fi

# runs_programs FOLDER: true if programs can be written to this folder and run there, which a system may forbid (noexec).
runs_programs() {
  local file status
  file=$(mktemp "$1/motifsieve-runs-XXXXXX" 2>/dev/null) || return
  printf '#!/bin/sh\n' >"$file"
  chmod +x "$file"
  "$file" 2>/dev/null
  status=$?
  rm -f "$file"
  return $status
}
# Tests run copies of the tool and small scripts in the folder for temporary files.
if ! runs_programs "${TMPDIR:-/tmp}"; then
  for folder in /tmp /var/tmp /dev/shm "${HOME:-/}"; do
    if runs_programs "$folder"; then export TMPDIR=$folder && break; fi
  done
fi
