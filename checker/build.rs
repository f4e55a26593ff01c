//! Lets whoever depends on this crate link the library z3 that setup.sh installs, also outside of this workspace.
//!
//! The library is linked into the folder of this build: `cargo run` and `cargo test` find it there, too.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

fn main() {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.z3");
    println!("cargo:rerun-if-changed={}", installed.join("version").display());
    println!("cargo:rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    let given = env::var_os("Z3_LIBRARY_PATH_OVERRIDE").map(PathBuf::from);
    // Without a folder, the linker looks for the system's library.
    let Some(folder) = [given, Some(installed)].into_iter().flatten().find(|folder| folder.is_dir()) else {
        return;
    };
    let Some(here) = env::var_os("OUT_DIR").map(PathBuf::from) else { return };
    match link(&folder, &here) {
        Ok(()) => println!("cargo:rustc-link-search=native={}", here.display()),
        Err(error) => println!("cargo:warning=z3 cannot be linked from {}: {error}", folder.display()),
    }
}

/// Links all files of the library from one folder into another.
fn link(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        let is_library = |name: &OsStr| name.to_string_lossy().starts_with("libz3.so");
        if is_library(&name) {
            let link = to.join(name);
            fs::remove_file(&link).ok();
            symlink(path.canonicalize()?, link)?;
        }
    }
    Ok(())
}
