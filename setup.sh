#!/bin/sh
# Installs what is missing on a fresh Debian machine with cargo, make and python3 with pip: a C linker and the library isl,
# and, in .z3, the library z3. Does nothing where they are there.
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

# The library of the wheel of the version that .cargo/config.toml names; Debian's is too old for the crate.
cd "$(dirname "$0")"
version=$(sed -n 's/^Z3_SYS_Z3_VERSION = "\(.*\)"$/\1/p' .cargo/config.toml)
if [ "$(cat .z3/version 2>/dev/null)" != "$version" ]; then
    rm -rf .z3
    mkdir .z3
    python3 -m pip download --quiet --no-deps --only-binary :all: --dest .z3 "z3-solver==$version"
    python3 - .z3/*.whl <<'EXTRACT'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    library = next(name for name in wheel.namelist() if name.endswith("/libz3.so"))
    with open(".z3/libz3.so", "wb") as file:
        file.write(wheel.read(library))
EXTRACT
    rm .z3/*.whl
    ln -s libz3.so ".z3/libz3.so.${version%.*}"
    echo "$version" >.z3/version
fi
