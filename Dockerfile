# syntax=docker/dockerfile:1

# Builds the one static binary that is shipped.
FROM swift:6.3.1-bookworm AS build
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends \
        libsqlite3-dev libssl-dev libqrencode-dev pkg-config binutils \
        bzip2 gcc make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY script script
COPY Sources Sources
COPY Tests Tests
COPY Web Web
COPY Fixtures Fixtures
# What understudy version says, since the repository stays outside.
ARG UNDERSTUDY_COMMIT=
RUN mkdir -p /image/data && script/release /image/understudy

# An empty image: the binary carries its web pages, fixtures, C library and OpenSSL inside, and finds other hosts by
# /etc/hosts and /etc/resolv.conf, which the container runtime provides. With nothing else in it there is nothing else to
# update. Its own commands look inside: docker exec CONTAINER /understudy outbox
FROM scratch
COPY --from=build /image/understudy /understudy
COPY --from=build --chown=10001:10001 /image/data /data
USER 10001:10001
ENV PATH=/ \
    UNDERSTUDY_HOST=0.0.0.0
# Beyond loopback the control API and the console ask for a token. Set UNDERSTUDY_CONTROL_TOKEN to one of yours; without it a
# random one is made and printed at each start. To keep the worlds, set UNDERSTUDY_DATA=/data.
VOLUME /data
EXPOSE 8420
HEALTHCHECK --interval=5s --timeout=3s --start-period=2s --start-interval=250ms --retries=3 \
    CMD ["/understudy", "ready"]
ENTRYPOINT ["/understudy"]
CMD ["serve"]
