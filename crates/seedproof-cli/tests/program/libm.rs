//! `seedproof libm`.

use crate::Place;

/// Pairs of an input and a result, as raw bytes.
fn pairs(function: fn(f32) -> f32) -> Vec<u8> {
    let inputs = (1..=5_000_u16).map(|k| f32::from(k) / 5_000.0);
    let pairs = inputs.flat_map(|x| [x, function(x)]);
    pairs.flat_map(f32::to_le_bytes).collect()
}

/// glibc is asked for on a machine that has it alone: musl and others have functions of their own.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn libm_of_this_machine_is_named() {
    let ran = Place::new().seedproof(&["libm", "logf"]).exits(0);
    assert!(
        ran.out
            .starts_with("logf is that of glibc, 2.28 or later, on all 16777216 inputs\n"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("  not musl, and the Rust crate libm: "),
        "{}",
        ran.out
    );
}

#[test]
fn libm_of_a_file_is_named_or_is_not() {
    let place = Place::new();
    std::fs::write(
        place.file("one.bin"),
        pairs(|x| seedproof_readings::cephes::sincosf(x)[0]),
    )
    .unwrap();
    let ran = place.seedproof(&["libm", "sinf", "one.bin"]).exits(0);
    assert!(
        ran.out.starts_with("sinf is that of Cephes, as PyTorch's"),
        "{}",
        ran.out
    );
    let rows = pairs(|x| seedproof_readings::cephes::sincosf(x)[0]);
    place.write("one.npy", crate::inspecting::npy("(5000, 2)", &rows));
    assert_eq!(
        place.seedproof(&["libm", "sinf", "one.npy"]).exits(0).out,
        ran.out
    );
    std::fs::write(place.file("two.bin"), pairs(|x| x - x * x * x / 6.0)).unwrap();
    let ran = place.seedproof(&["libm", "sinf", "two.bin"]).exits(1);
    assert!(
        ran.out
            .starts_with("sinf matches none of the known sequences\n  not "),
        "{}",
        ran.out
    );
    assert!(ran.out.contains(" differ, the first sinf("), "{}", ran.out);
}

/// Steps are not counted between numbers of two signs, nor to a NaN.
#[test]
fn libm_counts_the_steps_between_two_results() {
    for (pair, apart) in [
        (
            "0.5 -0.693147123",
            "logf(0.5) = -0.6931471 (0xbf317217), there -0.6931472 (0xbf317218), 1 ulp\n",
        ),
        (
            "0.5 0.693147182",
            "logf(0.5) = 0.6931472 (0x3f317218), there -0.6931472 (0xbf317218)\n",
        ),
        (
            "2.0 nan",
            "logf(2.0) = NaN (0x7fc00000), there 0.6931472 (0x3f317218)\n",
        ),
    ] {
        Place::new()
            .seedproof_reading(&["libm", "logf", "-"], pair)
            .exits(1)
            .says(&format!(
                "not glibc, 2.28 or later: 1 of 1 differ, the first {apart}"
            ));
    }
}

/// Rounded decimals are not the results.
#[test]
fn libm_asks_for_all_digits() {
    Place::new()
        .seedproof_reading(&["libm", "logf", "-"], "0.5 -0.69315")
        .exits(1)
        .complains("print nine digits");
}

#[test]
fn libm_says_what_is_wrong_with_a_file() {
    let place = Place::new();
    let error = |file: &[u8]| place.seedproof_reading(&["libm", "logf", "-"], file).exits(2).err;
    assert!(error(b"").contains("0 numbers: expected pairs of an input and its result"));
    assert!(error(b"0.5 0.25 0.125").contains("3 numbers: expected pairs of an input and its result"));
    assert!(error(b"0.5 -0.69 -1.0 0.5").contains("input 1 is -1.0, where no sequence of logf is known"));
}
