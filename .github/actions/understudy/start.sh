#!/usr/bin/env bash
# Starts Understudy for the steps of a GitHub workflow that follow: UNDERSTUDY_URL is set for them, and understudy is on their PATH.
#
# Environment: ARCHIVE, an address or a file, or empty; SHA256, its sum, or empty; ARGUMENTS, options of understudy serve.
set -euo pipefail

if [ -n "$ARCHIVE" ]; then
    folder=${RUNNER_TEMP:?}/understudy
    mkdir -p "$folder"
    case $ARCHIVE in
    http://* | https://*) curl -sSL --fail --retry 3 -o "$folder/archive.tar.gz" "$ARCHIVE" ;;
    *) cp "$ARCHIVE" "$folder/archive.tar.gz" ;;
    esac
    [ -z "$SHA256" ] || echo "$SHA256  $folder/archive.tar.gz" | sha256sum --check --quiet
    tar -xzf "$folder/archive.tar.gz" -C "$folder" --strip-components=1
    echo "$folder/bin" >>"$GITHUB_PATH"
    PATH=$folder/bin:$PATH
fi

log=${RUNNER_TEMP:?}/understudy.log
read -ra options <<<"$ARGUMENTS"
nohup understudy serve --port 0 --json "${options[@]}" >"$log" 2>&1 &
process=$!
echo "$process" >"$RUNNER_TEMP/understudy.pid"
for _ in $(seq 300); do
    url=$(sed -n '1s/.*"url":"\([^"]*\)".*/\1/p' "$log")
    if [ -n "$url" ] && understudy ready --url "$url" >/dev/null 2>&1; then
        echo "UNDERSTUDY_URL=$url" >>"$GITHUB_ENV"
        echo "url=$url" >>"$GITHUB_OUTPUT"
        exit 0
    fi
    kill -0 "$process" 2>/dev/null || break
    sleep 0.1
done
echo "::error::Understudy did not start"
cat "$log"
exit 1
