//! `seedproof whois`.

use crate::Place;

fn drawn(place: &Place, alignment: &str, dtype: &str, seeds: &str, range: &str) {
    let shape = ["--shape", "40", "--out", "dump.npy"];
    let request = [
        "draw",
        "ru8",
        "--alignment",
        alignment,
        "--dtype",
        dtype,
        "--seeds",
        seeds,
        "--range",
        range,
    ];
    place.seedproof(&[&request[..], &shape[..]].concat()).exits(0);
}

#[test]
fn whois_names_readings_and_requests() {
    let place = Place::new();
    drawn(&place, "TENSORFLOW", "f32", "42,7", "0,1");
    place
        .seedproof(&["whois", "dump.npy", "--seed", "42", "--op-seed", "7"])
        .exits(0)
        .says("named: spec")
        .says("RandomUniform-8 TENSORFLOW f32 [40], seeds 42/7, range [0.0, 1.0)");
    place
        .seedproof(&["whois", "dump.npy", "--seed", "43", "--op-seed", "7"])
        .exits(1)
        .says("unknown: none of ");
}

#[test]
fn whois_searches_seeds() {
    let place = Place::new();
    drawn(&place, "PYTORCH", "i32", "4242,0", "-5,1000");
    place
        .seedproof(&["whois", "dump.npy", "--seed", "4000..5000", "--range", "-5,1000"])
        .exits(0)
        .says("seeds 4242/0");
    place
        .seedproof(&["whois", "dump.npy", "--seed", "1..9", "--range", "-5,1000"])
        .exits(1)
        .says("unknown: no seed from 1 to 9 draws it");
}

#[test]
fn whois_tries_no_seed_where_nothing_draws_the_array() {
    let place = Place::new();
    let request = [
        "draw",
        "shlo",
        "--dtype",
        "u8",
        "--shape",
        "4",
        "--rng_algorithm",
        "PHILOX",
    ];
    let state = ["--initial_state", "1,2", "--out", "dump.npy"];
    place.seedproof(&[&request[..], &state[..]].concat()).exits(0);
    // No op of this type has a second execution.
    let second = ["whois", "dump.npy", "--seed", "5..9", "--execution", "1"];
    let text = place.seedproof(&second).exits(1).out;
    assert_eq!(text, "unknown: no seed from 5 to 9 draws it\n");
}

#[test]
fn whois_ends_a_search_in_time_and_says_where_to_go_on() {
    let place = Place::new();
    drawn(&place, "TENSORFLOW", "f32", "18446744073709551615,0", "0,1");
    let all = [
        "whois",
        "dump.npy",
        "--seed",
        "0..18446744073709551614",
        "--seconds",
        "1",
    ];
    let text = place.seedproof(&all).exits(1).out;
    let reached = text
        .strip_prefix("unknown: no seed from 0 to ")
        .and_then(|rest| rest.split_once(' '))
        .expect(&text);
    let next = reached.0.parse::<u64>().expect(&text) + 1;
    assert!(
        text.ends_with(&format!("--seed {next}..18446744073709551614 goes on\n")),
        "{text}"
    );
}

#[test]
fn whois_says_what_it_cannot_read() {
    let place = Place::new();
    place.seedproof(&["whois", "absent.npy", "--seed", "1"]).exits(3);
    place.write("text.npy", "no array");
    place
        .seedproof(&["whois", "text.npy", "--seed", "1"])
        .exits(2)
        .complains("text.npy");
    place
        .seedproof(&["whois", "text.npy", "--seed", "2..1"])
        .exits(2)
        .complains("2 is more than 1");
    place.seedproof(&["whois", "text.npy", "--seed", "-1"]).exits(2);
    drawn(&place, "TENSORFLOW", "f32", "1,2", "0,1");
    place
        .seedproof(&["whois", "dump.npy", "--seed", "1", "--range", "3"])
        .exits(2)
        .complains("LOW,HIGH");
}
