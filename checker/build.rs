//! Lets the tests find the library z3, which setup.sh installs.

fn main() {
    println!("cargo:rustc-link-arg-tests=-Wl,-rpath,{}/../.z3", env!("CARGO_MANIFEST_DIR"));
}
