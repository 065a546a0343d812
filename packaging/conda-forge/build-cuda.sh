#!/usr/bin/env bash
# Builds and installs only the plug-in for GPUs; the package motifsieve has all the rest.
set -eux

export CFLAGS="${CFLAGS} -O3 -I${PREFIX}/include"
export LDFLAGS="${LDFLAGS} -L${PREFIX}/lib"
# conda's compilers set BUILD to the name of the machine; for this Makefile it is the build folder.
export BUILD=${MOTIFSIEVE_BUILD:-build}

# conda keeps the headers and the static runtime of CUDA in a folder for each target.
case ${target_platform:?} in
linux-64) target=x86_64-linux ;;
linux-aarch64) target=sbsa-linux ;;
*)
  echo "build-cuda.sh: no CUDA for ${target_platform}" >&2
  exit 1
  ;;
esac
cuda=(CUDA=1 NVCC="$(command -v nvcc)"
  CUDA_HEADER="${PREFIX}/targets/${target}/include/cuda_runtime_api.h"
  CUDA_RUNTIME="${PREFIX}/targets/${target}/lib/libcudart_static.a"
  CUDA_ARCHS="${CUDA_ARCHS:-80 90}")
# This makes the library, too, which is the one of the package motifsieve.
make -j"${CPU_COUNT}" CC="${CC}" AR="${AR}" NM="${NM}" PREFIX="${PREFIX}" "${cuda[@]}" all
install -d "${PREFIX}/lib"
install -m 755 "${BUILD}"/libmotifsieve-cuda.so.* "${PREFIX}/lib/"
