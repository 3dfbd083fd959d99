//! Literals, their number, their decimals and what a document prints.

use seedproof_corpus::parse;

use crate::{DML, MULTINOMIAL, RANDOM_UNIFORM, assert_mistakes, mistakes};

#[test]
fn parse_names_wrong_literals_all_at_once() {
    let form = "expected its bits, 8 hexadecimal digits in lower case and in quotes";
    assert_eq!(
        mistakes(
            RANDOM_UNIFORM,
            "\"3f000000\"] # 0.5",
            "3f, \"3F000000\", 1056964608, 00000000, true, 1.5, ~, 10000000]"
        ),
        [
            "a.yaml:16:13: failed to read 9 elements as f32 [1, 2]: expected 2".to_owned(),
            format!("a.yaml:17:9: failed to read `3f` as f32: {form}"),
            format!("a.yaml:17:13: failed to read `3F000000` as f32: {form}"),
            format!("a.yaml:17:25: failed to read the number 1056964608 as f32: {form}"),
            format!("a.yaml:17:37: failed to read a number that is not plain and whole as f32: {form}"),
            format!("a.yaml:17:47: failed to read a truth value as f32: {form}"),
            format!("a.yaml:17:53: failed to read a number that is not plain and whole as f32: {form}"),
            format!("a.yaml:17:58: failed to read nothing as f32: {form}"),
            format!("a.yaml:17:61: failed to read the number 10000000 as f32: {form}"),
        ]
    );
    assert_mistakes(
        DML,
        &[
            (
                "bits: [1713891541, 3781805453]",
                "bits: [-1, 4294967296]",
                &[
                    "a.yaml:10:14: failed to read the number -1 as u32: expected a plain number from 0 to 4294967295",
                    "a.yaml:10:18: failed to read the number 4294967296 as u32: expected a plain number from 0 to \
                 4294967295",
                ],
            ),
            (
                "bits: [1713891541, 3781805453]",
                "bits: [\"1713891541\", 3781805453]",
                &[
                    "a.yaml:10:14: failed to read `1713891541` as u32: expected a plain number from 0 to 4294967295",
                ],
            ),
        ],
    );
}

#[test]
fn parse_wants_one_element_where_one_stands() {
    assert_mistakes(
        MULTINOMIAL,
        &[(
            "num_samples: 100",
            "num_samples: [100]",
            &[
                "a.yaml:11:20: failed to read `num_samples`: expected one element or { dtype: …, shape: […], bits: […] }",
            ],
        )],
    );
}

#[test]
fn parse_holds_the_number_of_bits_against_the_shape() {
    assert_mistakes(
        RANDOM_UNIFORM,
        &[
            (
                "shape: [1, 2]",
                "shape: [2, 2]",
                &[
                    "a.yaml:16:13: failed to read 2 elements as f32 [2, 2]: expected 4",
                    "a.yaml:19:32: failed to read 2 elements as f32 [2, 2]: expected 4",
                ],
            ),
            (
                "shape: [1, 2]",
                "shape: [4294967296, 4294967296]",
                &[
                    "a.yaml:16:13: failed to count the elements of [4294967296, 4294967296]: expected a number that \
                     this machine can address",
                    "a.yaml:19:32: failed to count the elements of [4294967296, 4294967296]: expected a number that \
                     this machine can address",
                ],
            ),
            (
                "shape: [1, 2]",
                "shape: [1099511627776]",
                &[
                    "a.yaml:16:13: failed to read 2 elements as f32 [1099511627776]: expected 1099511627776",
                    "a.yaml:19:32: failed to read 2 elements as f32 [1099511627776]: expected 1099511627776",
                ],
            ),
            (
                "shape: [1, 2]",
                "shape: [-1, 2]",
                &[
                    "a.yaml:16:13: failed to know the type and shape of this output, which the request does not say: \
                     expected `rejected`",
                    "a.yaml:19:32: failed to know the type and shape of this output, which the request does not say: \
                     expected `rejected`",
                ],
            ),
            (
                "maxval: \"3f800000\" } # 0, 1",
                "maxval: { dtype: f32, shape: [4294967296, 4294967296], bits: [] } }",
                &[
                    "a.yaml:13:79: failed to count the elements of [4294967296, 4294967296]: expected a number that \
                   this machine can address",
                ],
            ),
            (
                "maxval: \"3f800000\" } # 0, 1",
                "maxval: { dtype: f32, shape: [2], bits: [\"3f800000\"] } } # 0, 1",
                &["a.yaml:13:90: failed to read 1 elements as f32 [2]: expected 2"],
            ),
        ],
    );
}

#[test]
fn parse_holds_decimal_comments_against_the_bits() {
    assert_mistakes(
        RANDOM_UNIFORM,
        &[
            (
                "# 0.7011236",
                "# 0.7",
                &[
                    "a.yaml:16:26: failed to match the comment `0.7` with the bits 3f337cd6: expected 0.7011236",
                ],
            ),
            (
                "# 0, 1\n",
                "# from zero to one\n",
                &[
                    "a.yaml:13:71: failed to match the comment `from zero to one` with the 2 literals of its line: \
                   expected 0, 1",
                ],
            ),
            (
                "# 0, …",
                "# 0, 1, …",
                &[
                    "a.yaml:19:59: failed to match the comment `0, 1, …` with the 2 literals of its line: expected \
                   0, 1",
                ],
            ),
        ],
    );
    for line_end in ["\r", "\r\n"] {
        let text = RANDOM_UNIFORM
            .replace("# 0.7011236", "# 0.7")
            .replace('\n', line_end);
        let Err(errors) = parse("a.yaml", &text) else {
            panic!("a wrong comment is accepted among lines that end in {line_end:?}");
        };
        assert_eq!((errors.0[0].location.line, errors.0[0].location.column), (16, 26));
    }
    let plain = RANDOM_UNIFORM.replace("note: One sentence.", "note: One sentence. # 7, of no literal");
    assert!(parse("a.yaml", &plain).is_ok());
}

#[test]
fn parse_holds_what_is_printed_against_the_bits() {
    let valid = "printed: { values: [\"0.7011236\", \"0.5\"], right: true }";
    assert_mistakes(
        RANDOM_UNIFORM,
        &[
            (
                valid,
                "printed: { values: [\"0.7011237\", \"0.5\"], right: true }",
                &[
                    "a.yaml:14:25: failed to match the printed `0.7011237` with the expected 0.7011236: expected \
                   `right: false`, or other bits",
                ],
            ),
            (
                valid,
                "printed: { values: [\"0.701\", \"0.5\"], right: false }",
                &[
                    "a.yaml:14:49: failed to find a printed value that is wrong: expected `right: true`, as all of \
                   them match the bits",
                ],
            ),
            (
                valid,
                "printed: { values: [\"1\", \"0.5\", \"0\"], right: true }",
                &[
                    "a.yaml:14:24: failed to hold 3 printed values against 2 elements: expected no more than these",
                ],
            ),
            (
                valid,
                "printed: { values: [half], right: true }",
                &["a.yaml:14:25: failed to read `half` as a printed value: expected a decimal number"],
            ),
            (
                valid,
                "printed: { values: [], right: true }",
                &["a.yaml:14:24: failed to find a value in `printed`: expected at least one"],
            ),
        ],
    );
    assert_eq!(
        mistakes(
            RANDOM_UNIFORM,
            "bits: [\"3f337cd6\", # 0.7011236\n        \"3f000000\"] # 0.5",
            "by: oracle"
        ),
        ["a.yaml:14:53: failed to judge what is printed: expected an expectation by bits"]
    );
}
