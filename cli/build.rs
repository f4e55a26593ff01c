//! The command and its tests find the library z3 where setup.sh has put it.

fn main() {
    println!("cargo:rustc-link-arg-bins=-Wl,-rpath,$ORIGIN/../../.z3");
    // Unit tests, which are in target/PROFILE/deps.
    println!("cargo:rustc-link-arg=-Wl,-rpath,$ORIGIN/../../../.z3");
    println!("cargo:rustc-link-arg-tests=-Wl,-rpath,{}/../.z3", env!("CARGO_MANIFEST_DIR"));
}
