//! Compiles the peers of the measurements, when they are asked for.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(mkl)");
    println!("cargo::rerun-if-changed=benches/peers.cpp");
    println!("cargo::rerun-if-env-changed=MKLROOT");
    #[cfg(feature = "peers")]
    peers::compile();
}

#[cfg(feature = "peers")]
mod peers {
    use std::path::{Path, PathBuf};

    pub(crate) fn compile() {
        let mut build = cc::Build::new();
        build
            .cpp(true)
            .file("benches/peers.cpp")
            .opt_level(3)
            .flag("-march=native");
        if let Some(root) = std::env::var_os("MKLROOT") {
            let folder = Path::new(&root).join("lib");
            let library = mkl(&folder).unwrap_or_else(|| panic!("no libmkl_rt.so in {}", folder.display()));
            build
                .define("PEER_MKL", None)
                .include(Path::new(&root).join("include"));
            for kind in ["examples", "benches"] {
                println!("cargo::rustc-link-arg-{kind}={}", library.display());
                println!("cargo::rustc-link-arg-{kind}=-Wl,-rpath,{}", folder.display());
            }
            println!("cargo::rustc-cfg=mkl");
        }
        build.compile("peers");
    }

    /// MKL's one library for all; packages give it only the name with a version.
    fn mkl(folder: &Path) -> Option<PathBuf> {
        let mut files = std::fs::read_dir(folder)
            .ok()?
            .filter_map(|file| Some(file.ok()?.path()));
        files.find(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("libmkl_rt.so"))
        })
    }
}
