//! Tests find the library z3 where setup.sh has put it.

fn main() {
    println!("cargo:rustc-link-arg-tests=-Wl,-rpath,{}/../.z3", env!("CARGO_MANIFEST_DIR"));
}
