//! Lets the benchmarks find the library z3, which setup.sh installs.

fn main() {
    println!("cargo:rustc-link-arg-benches=-Wl,-rpath,{}/../.z3", env!("CARGO_MANIFEST_DIR"));
}
