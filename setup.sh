#!/bin/sh
# Installs what is missing on a fresh Debian machine with cargo and make: a C linker, and the library isl. Does nothing
# where they are there.
set -eu

if ! command -v cargo >/dev/null 2>&1; then
    echo "setup: cargo is not on the PATH; install stable Rust 1.95 or later first" >&2
    exit 1
fi

links_isl() {
    echo 'int main(void) { return 0; }' | cc -x c - -lisl -o /dev/null 2>/dev/null
}

missing=""
command -v cc >/dev/null 2>&1 || missing="gcc libc6-dev"
links_isl || missing="$missing libisl-dev"

if [ -n "$missing" ]; then
    as_root=""
    [ "$(id -u)" -eq 0 ] || as_root="sudo"
    $as_root apt-get update -qq
    # shellcheck disable=SC2086 # one word a package
    $as_root apt-get install -y -qq --no-install-recommends $missing
fi
