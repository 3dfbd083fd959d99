//! Says where the sources of this crate are: their documentation cites the clause that each function follows.

fn main() -> Result<(), std::env::VarError> {
    // Asked when the script runs: checkouts that share a target folder share the compiled script. The folder is watched because
    // they share what it printed, too, and the checkout of which it printed the folder may be gone.
    let root = std::env::var("CARGO_MANIFEST_DIR")?;
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={root}/src");
    println!("cargo::metadata=sources={root}/src");
    Ok(())
}
