#!/bin/sh
# Installs the program below PREFIX, by default /usr/local. ARCHIVE and SHA256 are the options of the feature.
set -eu

prefix=${PREFIX:-/usr/local}
if [ -z "${ARCHIVE:-}" ]; then
    echo "understudy: set the option archive to the address of understudy-VERSION-linux-ARCH.tar.gz" >&2
    exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case $ARCHIVE in
http://* | https://*)
    command -v curl >/dev/null || {
        apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates curl
    }
    curl -sSL --fail --retry 3 -o "$work/archive.tar.gz" "$ARCHIVE"
    ;;
*) cp "$ARCHIVE" "$work/archive.tar.gz" ;;
esac
[ -z "${SHA256:-}" ] || echo "$SHA256  $work/archive.tar.gz" | sha256sum -c - >/dev/null
tar -xzf "$work/archive.tar.gz" -C "$work"
mkdir -p "$prefix"
cp -R "$work"/understudy-*/. "$prefix/"
"$prefix/bin/understudy" version
