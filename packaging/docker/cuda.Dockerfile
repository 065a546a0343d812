# syntax=docker/dockerfile:1
# An image with motifsieve for NVIDIA GPUs and processors.  From the unpacked source archive, which has cytoscape.js for
# the reports, or from a checkout, without it:
#   docker build -f packaging/docker/cuda.Dockerfile -t motifsieve:cuda .
#   docker run --rm --gpus all -v "$PWD:/data" -u "$(id -u):$(id -g)" motifsieve:cuda list network.tsv ...
# The CUDA runtime is linked statically, and the NVIDIA container toolkit brings the driver's
# library, so the last stage has nothing of CUDA but the plug-in.
FROM nvidia/cuda:12.6.3-devel-ubuntu24.04 AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      ca-certificates gcc libc6-dev libexpat1-dev libgmp-dev libjansson-dev libqhull-dev libzstd-dev make zlib1g-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
# Machine code for these GPUs, such as A100 and H100; newer ones compile the last at their first start.
ARG CUDA_ARCHS="80 90"
RUN make CUDA=1 CUDA_ARCHS="$CUDA_ARCHS" all \
 && make CUDA=1 CUDA_ARCHS="$CUDA_ARCHS" DESTDIR=/out install \
 && strip --strip-unneeded /out/usr/local/bin/motifsieve /out/usr/local/lib/libmotifsieve*.so.*.* \
 && rm /out/usr/local/lib/libmotifsieve.a

FROM ubuntu:24.04
LABEL org.opencontainers.image.title="motifsieve" \
      org.opencontainers.image.description="Connected matches of colour motifs in graphs, on GPUs" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT"
# procps: workflow managers such as Nextflow measure the processes of a container with ps.
# Ubuntu's image has a user of its own with the number 1000.
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      libexpat1 libgmp10 libjansson4 libqhull-r8.0 libzstd1 procps zlib1g \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 1001 motifsieve
COPY --from=build /out/usr/local /usr/local
RUN ldconfig
ENV NVIDIA_VISIBLE_DEVICES=all \
    NVIDIA_DRIVER_CAPABILITIES=compute,utility
USER motifsieve
WORKDIR /data
ENTRYPOINT ["motifsieve"]
CMD ["--help"]
