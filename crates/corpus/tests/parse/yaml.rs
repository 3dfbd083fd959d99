//! What YAML allows and this form does not: unknown and repeated keys, numbers that are not exact, values of the wrong sort.

use crate::{RANDOM_UNIFORM, assert_mistakes, mistakes};

#[test]
fn parse_names_keys_that_do_not_exist_or_come_twice() {
    assert_mistakes(
        RANDOM_UNIFORM,
        &[
            (
                "    note: One",
                "    notes: One",
                &[
                    "a.yaml:10:12: failed to use `notes` in this case of openvino.RandomUniform-8: expected only id, \
                   attrs, inputs, expect, clauses, errata, flags, note, provenance, printed, readings, execution",
                ],
            ),
            (
                "op_seed: 18446744073709551615",
                "op_seed: 1, op_seed: 2",
                &["a.yaml:12:62: failed to read the key `op_seed` a second time: expected it once"],
            ),
            (
                "output_type: f32, ",
                "",
                &[
                    "a.yaml:12:12: failed to find `output_type` in `attrs`: expected the keys output_type, \
                     global_seed, op_seed, alignment",
                    "a.yaml:13:38: failed to determine the element type of `minval`: `output_type` is not an element type; \
                     expected { dtype: …, shape: […], bits: […] }",
                    "a.yaml:13:58: failed to determine the element type of `maxval`: `output_type` is not an element type; \
                     expected { dtype: …, shape: […], bits: […] }",
                ],
            ),
            (
                "alignment: TENSORFLOW",
                "alignment: TENSORFLOW, log_probs: true",
                &[
                    "a.yaml:12:115: failed to use `log_probs` in `attrs`: expected only output_type, global_seed, \
                   op_seed, alignment",
                ],
            ),
            (
                "shape: [1, 2],",
                "shape: [1, 2], draws: 7,",
                &["a.yaml:13:37: failed to use `draws` in `inputs`: expected only shape, minval, maxval"],
            ),
        ],
    );
}

#[test]
fn parse_reads_numbers_exactly_or_not_at_all() {
    let expected = "expected a whole number from 0 to 18446744073709551615, without quotes";
    for (to, read) in [
        ("18446744073709551616", "a number that is not plain and whole"),
        ("\"7\"", "`7`"),
        ("-7", "the number -7"),
        ("1.5", "a number that is not plain and whole"),
        ("true", "a truth value"),
        ("~", "nothing"),
    ] {
        assert_eq!(
            mistakes(
                RANDOM_UNIFORM,
                "op_seed: 18446744073709551615",
                &format!("op_seed: {to}")
            ),
            [format!(
                "a.yaml:12:59: failed to read {read} as `op_seed`: {expected}"
            )],
        );
    }
}

#[test]
fn parse_names_values_of_the_wrong_sort() {
    assert_mistakes(
        RANDOM_UNIFORM,
        &[
            (
                "note: One sentence.",
                "note:",
                &["a.yaml:10:9: failed to read nothing as `note`: expected a text"],
            ),
            (
                "note: One sentence.",
                "note: [a]",
                &["a.yaml:10:11: failed to read a list as `note`: expected a text"],
            ),
            (
                "right: true",
                "right: yes",
                &["a.yaml:14:53: failed to read `yes` as `right`: expected true or false"],
            ),
            (
                "note: One sentence.",
                "errata: {}",
                &["a.yaml:10:13: failed to read a mapping as `errata`: expected a list"],
            ),
            (
                "attrs: ",
                "attrs: 7 #",
                &["a.yaml:12:12: failed to read the number 7 as `attrs`: expected a mapping"],
            ),
            (
                "shape: [1, 2]",
                "shape: 2",
                &[
                    "a.yaml:13:22: failed to read `shape`: expected a list of elements or { dtype: …, shape: […], \
                   bits: […] }",
                ],
            ),
        ],
    );
}

#[test]
fn parse_refuses_yaml_that_hides_what_it_says() {
    assert_mistakes(
        RANDOM_UNIFORM,
        &[
            (
                "schema: 2",
                "schema: &a 1",
                &[
                    "a.yaml:4:12: failed to read the YAML: it has an anchor or an alias, expected each value written \
                   out",
                ],
            ),
            (
                "schema: 2",
                "<<: {schema: 2}",
                &[
                    "a.yaml:4:1: failed to read the YAML: YAML merge keys are not allowed by configured policy",
                ],
            ),
            (
                "schema: 2",
                "? [[[[[[[[[[[[[[[[[[[[\nschema: 2",
                &[
                    "a.yaml:4:19: failed to read the YAML: it is nested too deeply, expected at most 16 levels",
                ],
            ),
            (
                "schema: 2",
                "schema: 2\n---\nschema: 2",
                &["a.yaml:5:1: failed to read the YAML: a second document begins, expected one in a file"],
            ),
        ],
    );
}
