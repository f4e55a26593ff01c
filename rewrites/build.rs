//! Lets tests find the library z3 in the folder in which setup.sh puts it.

fn main() {
    println!("cargo:rustc-link-arg-tests=-Wl,-rpath,{}/../.z3", env!("CARGO_MANIFEST_DIR"));
}
