//! Compiles the peers of the measurements, when they are asked for.

fn main() {
    println!("cargo::rerun-if-changed=benches/peers.cpp");
    #[cfg(feature = "peers")]
    cc::Build::new()
        .cpp(true)
        .file("benches/peers.cpp")
        .opt_level(3)
        .flag("-march=native")
        .compile("peers");
}
