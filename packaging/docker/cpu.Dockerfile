# syntax=docker/dockerfile:1
# An image with motifsieve for processors.  From the unpacked source archive, which has cytoscape.js for
# the reports, or from a checkout, without it:
#   docker build -f packaging/docker/cpu.Dockerfile -t motifsieve .
#   docker run --rm -v "$PWD:/data" -u "$(id -u):$(id -g)" motifsieve list network.tsv ...
FROM debian:bookworm-slim AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      ca-certificates gcc libc6-dev libexpat1-dev libgmp-dev libjansson-dev libqhull-dev libzstd-dev make zlib1g-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN make CUDA=0 all \
 && make CUDA=0 DESTDIR=/out install \
 && strip --strip-unneeded /out/usr/local/bin/motifsieve /out/usr/local/lib/libmotifsieve*.so.*.* \
 && rm /out/usr/local/lib/libmotifsieve.a

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="motifsieve" \
      org.opencontainers.image.description="Connected matches of colour motifs in graphs" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT"
# procps: workflow managers such as Nextflow measure the processes of a container with ps.
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      libexpat1 libgmp10 libjansson4 libqhull-r8.0 libzstd1 procps zlib1g \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 1000 motifsieve
COPY --from=build /out/usr/local /usr/local
RUN ldconfig
USER motifsieve
WORKDIR /data
ENTRYPOINT ["motifsieve"]
CMD ["--help"]
