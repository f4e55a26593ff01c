#!/bin/sh
# Installs what is missing on a fresh Debian machine with cargo and make: a C linker. Does nothing where it is there.
set -eu

if ! command -v cargo >/dev/null 2>&1; then
    echo "setup: cargo is not on the PATH; install stable Rust 1.95 or later first" >&2
    exit 1
fi

if ! command -v cc >/dev/null 2>&1; then
    as_root=""
    [ "$(id -u)" -eq 0 ] || as_root="sudo"
    $as_root apt-get update -qq
    $as_root apt-get install -y -qq --no-install-recommends gcc libc6-dev
fi
