#!/bin/sh
# Builds the README's example of the library as a package outside of this workspace, and runs it: nothing of the
# workspace's settings reaches it.
set -eu
repository=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/package/src"
cat >"$folder/package/Cargo.toml" <<MANIFEST
[package]
name = "outside"
edition = "2024"

[dependencies]
selfsame = { path = "$repository/selfsame" }

[workspace]
MANIFEST
{
    echo 'fn main() -> Result<(), selfsame::Error> {'
    sed -n '/^```rust$/,/^```$/p' "$repository/README.md" | sed '/^```/d'
    echo 'Ok(()) }'
} >"$folder/package/src/main.rs"
# The versions that this repository has been tested with.
cp "$repository/Cargo.lock" "$folder/package/Cargo.lock"
cd "$folder/package"
unset LD_LIBRARY_PATH Z3_LIBRARY_PATH_OVERRIDE Z3_SYS_Z3_VERSION Z3_NO_PKG_CONFIG
CARGO_TARGET_DIR="$folder/target" cargo run --quiet
