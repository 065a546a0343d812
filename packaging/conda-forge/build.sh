#!/usr/bin/env bash
set -eux

# conda's flags say -O2, but the kernels were tuned at -O3.  They choose their
# instruction set when they run.
export CFLAGS="${CFLAGS} -O3 -I${PREFIX}/include"
export LDFLAGS="${LDFLAGS} -L${PREFIX}/lib"
# conda's compilers set BUILD to the name of the machine; for this Makefile it is the build folder.
export BUILD=${MOTIFSIEVE_BUILD:-build}

# The code for GPUs is in the package motifsieve-cuda, see build-cuda.sh.
make -j"${CPU_COUNT}" CC="${CC}" AR="${AR}" NM="${NM}" PREFIX="${PREFIX}" CUDA=0 all
make install CC="${CC}" AR="${AR}" NM="${NM}" PREFIX="${PREFIX}" CUDA=0

# conda packages do not contain static libraries.
rm "${PREFIX}/lib/libmotifsieve.a"
