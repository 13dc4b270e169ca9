# Build and test with one command: docker build .     (or: podman build ., buildah build .)
# A shell with the tree and what it needs: the devcontainer, or docker build --target dev.
ARG BASE=debian:12@sha256:8a8cd02c5912770b4980228a54d4aff9e4f986f1eb2525d2d371dec5232cefcc

# ---- what building and the unit tests need ----
FROM ${BASE} AS dev
COPY tools/bootstrap /usr/local/share/rocsteady-bootstrap
RUN apt-get -qq update && \
    apt-get -qq -y --no-install-recommends install $(/usr/local/share/rocsteady-bootstrap --build --list) \
        ca-certificates ccache clang-format git jq libelf-dev python3-yaml

# ---- the program and its tests ----
FROM dev AS build
COPY . /source
RUN meson setup /build /source && ninja -C /build && meson test -C /build --suite unit || \
    { grep -A40 -E '^(FAILED|not ok)' /build/meson-logs/testlog.txt; exit 1; }

# ---- the program alone ----
FROM ${BASE}
RUN apt-get -qq update && \
    apt-get -qq -y --no-install-recommends install libarchive13 libpcre2-8-0 libsodium23 libsqlite3-0 libyaml-0-2 libzstd1 zlib1g && \
    rm -rf /var/lib/apt/lists
COPY --from=build /build/rocsteady /build/rocsteady-probe /usr/local/bin/
ENTRYPOINT ["rocsteady"]
