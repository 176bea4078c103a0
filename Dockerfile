# The same binary as scripts/run builds, in a small image that runs as an ordinary user.
FROM swift:6.2-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
        libmicrohttpd-dev libsodium-dev libnghttp2-dev libsqlite3-dev libssl-dev libcurl4-openssl-dev libyaml-dev \
        libwslay-dev libmimalloc-dev zlib1g-dev pkg-config ca-certificates \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY Sources Sources
# SwiftPM reads the whole manifest, so the folders of the test targets must exist.
COPY Tests Tests
ARG MOCKNET_COMMIT=unknown
RUN MOCKNET_COMMIT="$MOCKNET_COMMIT" swift build -c release --product mocknet --static-swift-stdlib

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends \
        libmicrohttpd12 libsodium23 libnghttp2-14 libsqlite3-0 libssl3 libcurl4 libyaml-0-2 libwslay1 libmimalloc2.0 zlib1g \
        ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --create-home --home-dir /var/lib/mocknet mocknet
COPY --from=build /source/.build/release/mocknet /usr/local/bin/mocknet
USER mocknet
WORKDIR /var/lib/mocknet
ENV XDG_STATE_HOME=/var/lib/mocknet
# Control, nodes and their sockets, APNs: at Apple's port too, for services that have it built in.
EXPOSE 36600 36666 36668 2197 2198 443
HEALTHCHECK --interval=5s --timeout=5s --start-period=10s CMD ["mocknet", "health"]
ENTRYPOINT ["mocknet"]
CMD ["up", "--listen", "0.0.0.0", "--apns-port", "443"]
