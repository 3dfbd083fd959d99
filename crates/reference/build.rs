//! Says where the sources of this crate are: their documentation cites the clause that each function follows.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::metadata=sources={}/src", env!("CARGO_MANIFEST_DIR"));
}
