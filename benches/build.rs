//! The benchmarks find the library z3 where setup.sh has put it.

fn main() {
    println!("cargo:rustc-link-arg-benches=-Wl,-rpath,{}/../.z3", env!("CARGO_MANIFEST_DIR"));
}
