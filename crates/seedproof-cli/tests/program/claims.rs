//! What an adapter claims: nothing, values that there are not, a part of an op.

use crate::{EXAMPLE, Place};

/// An adapter that says this hello and answers nothing.
fn mute(place: &Place, capabilities: &str) {
    place.write(
        "mute.sh",
        format!(
            r#"read -r hello
echo '{{"protocol":1,"framing":"lines","implementation":{{"name":"mute","version":"1"}},"capabilities":{capabilities}}}'
cat >/dev/null
"#
        ),
    );
}

const RUN: [&str; 4] = ["run", "--adapter", "sh mute.sh", EXAMPLE];

#[cfg(unix)]
#[test]
fn claims_of_nothing_do_not_conform() {
    let place = Place::new();
    for capabilities in ["[]", r#"[{"op":"openvino.Multinomial-13"}]"#] {
        mute(&place, capabilities);
        place
            .seedproof(&[RUN.as_slice(), &["--events", "events.jsonl"]].concat())
            .exits(5)
            .says("nothing was asked: openvino.RandomUniform-8 is not announced")
            .says("nothing was asked of adapter/mute, so it was not tested")
            .never_says("conform")
            .complains("nothing was asked of adapter/mute: openvino.RandomUniform-8 is not announced");
        place.seedproof(&["report", "events.jsonl"]).exits(5);
        let report: serde_json::Value = serde_json::from_str(&place.read("reports/out/report.json")).unwrap();
        assert_eq!(report["conforms"], false);
        assert_eq!(report["implementations"][0]["conforms"], false);
    }
    // Beside one that conforms, too.
    place
        .seedproof(&[RUN.as_slice(), &["--backend", "reference"]].concat())
        .exits(5)
        .says("conforms: RandomUniform-8 TENSORFLOW f32");
}

#[test]
fn claims_of_nothing_are_named_where_the_program_chooses() {
    let place = Place::new();
    place
        .seedproof(&["run", "--max-output", "0", "--backend", "reference", EXAMPLE])
        .exits(5)
        .complains("nothing was asked of reference");
}

#[cfg(unix)]
#[test]
fn claims_of_unknown_values_are_refused_with_the_nearest_right_one() {
    let place = Place::new();
    for (capability, words) in [
        (
            r#""alignment":["tensorflow"]"#,
            "not \"tensorflow\"; did you mean `TENSORFLOW`?",
        ),
        (
            r#""output_type":["float32"]"#,
            "not \"float32\"; did you mean `f32`?",
        ),
    ] {
        mute(
            &place,
            &format!(r#"[{{"op":"openvino.RandomUniform-8",{capability}}}]"#),
        );
        place.seedproof(&RUN).exits(3).complains(words);
    }
}

#[cfg(unix)]
#[test]
fn hello_without_a_version_is_told_so() {
    let place = Place::new();
    place.write(
        "mute.sh",
        r#"read -r hello; echo '{"protocol":1,"framing":"lines","implementation":{"name":"mute"},"capabilities":[]}'"#,
    );
    let ran = place
        .seedproof(&RUN)
        .exits(3)
        .complains("missing field `version`");
    assert!(!ran.err.contains("stdout"), "{}", ran.err);
}

/// An adapter that refuses everything and claims a range without a number in it.
#[cfg(unix)]
fn refuses(place: &Place) {
    place.write(
        "refuses.sh",
        r#"read -r hello
echo '{"protocol":1,"framing":"lines","implementation":{"name":"refuses","version":"1"},"capabilities":[{"op":"openvino.RandomUniform-8","minval":{"values":["2"]},"maxval":{"values":["2"]}}]}'
while read -r line; do
    case $line in *'"bye"'*) exit 0 ;; esac
    seq=$(printf '%s' "$line" | sed 's/.*"seq":\([0-9]*\).*/\1/')
    echo "{\"seq\":$seq,\"status\":\"rejected\",\"reason\":\"no\"}"
done
"#,
    );
}

#[cfg(unix)]
#[test]
fn claims_of_refusals_alone_do_not_conform() {
    let place = Place::new();
    refuses(&place);
    let run = ["run", "--adapter", "sh refuses.sh", "--events", "log"];
    place
        .seedproof(&[&run[..], &["ru8/tensorflow/f32/*"]].concat())
        .exits(5)
        .says("no value was compared: refusals alone")
        .never_says("conform")
        .complains("no value of adapter/refuses was compared");
    assert!(place.read("reports/out/junit.xml").contains("errors=\"1\""));
    assert!(
        place
            .read("reports/out/summary.md")
            .contains("No value of it was compared")
    );
    let report: serde_json::Value = serde_json::from_str(&place.read("reports/out/report.json")).unwrap();
    assert_eq!(
        (&report["conforms"], &report["implementations"][0]["values"]),
        (&false.into(), &0.into())
    );
    place.seedproof(&["report", "log"]).exits(5);
    // Where a query selects nothing else, that is what was asked for.
    place
        .seedproof(&[&run[..], &["ru8/tensorflow/f32/refused-bounds-equal"]].concat())
        .exits(0)
        .says("refusals alone");
}

#[test]
fn claims_of_too_little_are_not_enough_for_ci() {
    let place = Place::new();
    let run = |required: &str, query: &[&str]| {
        let args = [
            "run",
            "--backend",
            "readings/torch-2.12",
            "--events",
            "log",
            "--require-claimed",
            required,
        ];
        place.seedproof(&[&args[..], query].concat())
    };
    // It draws as PyTorch does, and claims nothing else.
    let all = ["ru8/pytorch/f32/spec-*", "dml/*spec*"];
    let total = place
        .seedproof(&[&["list"][..], &all].concat())
        .out
        .lines()
        .count();
    let claimed = place.seedproof(&["list", all[0]]).out.lines().count();
    assert!(claimed > 0 && claimed < total);
    run("1", &all).exits(0);
    run(&claimed.to_string(), &all).exits(0);
    run(&(claimed + 1).to_string(), &all).exits(5).complains(&format!(
        "claims {claimed} of {total} cases; `--require-claimed {}`",
        claimed + 1
    ));
    run("100%", &all).exits(5);
    run("0.000001", &all).exits(0);
    run("100%", &all[..1]).exits(0);
    place
        .seedproof(&["report", "log", "--require-claimed", "99"])
        .exits(5);
    place
        .seedproof(&["report", "log", "--require-claimed", "1"])
        .exits(0);
    run("-1", &all).exits(2);
    for wrong in ["101%", "1.5", "most"] {
        run(wrong, &all)
            .exits(2)
            .complains("expected a number of cases such as 500, or a share such as 90%");
    }
}

/// Nothing but [0, 1) with an op seed of zero and up to two dimensions: a kernel without scale, second seed or rank.
#[test]
fn claims_of_a_part_are_asked_for_that_part_alone() {
    if !crate::adapters::has_python() {
        return;
    }
    let place = Place::new();
    place.write(
        "part.py",
        r#"
import json, os, struct, sys
MASK = 0xFFFFFFFF
def block(counter, key):
    c, k = [counter >> s & MASK for s in (0, 32, 64, 96)], [key & MASK, key >> 32]
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [q >> 32 ^ c[1] ^ k[0], q & MASK, p >> 32 ^ c[3] ^ k[1], p & MASK]
        k = [k[0] + 0x9E3779B9 & MASK, k[1] + 0xBB67AE85 & MASK]
    return c
sys.stdin.readline()
capability = {"op": "openvino.RandomUniform-8", "alignment": ["TENSORFLOW"], "output_type": ["f32"], "op_seed": ["0"],
              "shape": ["i64"], "minval": {"types": ["f32"], "values": ["0"]},
              "maxval": {"types": ["f32"], "values": ["1"]}, "rank": {"min": 1, "max": 2}}
print(json.dumps({"protocol": 1, "framing": "lines", "implementation": {"name": "part", "version": "1"},
                  "capabilities": [capability]}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "bye":
        break
    assert message["attrs"]["op_seed"] == "0"
    inputs = message["inputs"]
    assert inputs["minval"]["hex"] == "00000000" and inputs["maxval"]["hex"] == "0000803f"
    rank = inputs["shape"]["shape"][0]
    shape = struct.unpack(f"<{rank}q", bytes.fromhex(inputs["shape"]["hex"]))
    assert 1 <= rank <= 2
    count = 1
    for extent in shape:
        count *= extent
    words = []
    # Two seeds of zero ask for any numbers.
    key = int(message["attrs"]["global_seed"]) or int.from_bytes(os.urandom(8), "little")
    for index in range((count + 3) // 4):
        words += block(index, key)
    values = [struct.unpack("<f", struct.pack("<I", 0x3F800000 | w & 0x7FFFFF))[0] - 1 for w in words[:count]]
    output = {"dtype": "f32", "shape": shape, "hex": struct.pack(f"<{count}f", *values).hex()}
    print(json.dumps({"seq": message["seq"], "status": "ok", "outputs": {"output": output}}), flush=True)
"#,
    );
    let ran = place
        .seedproof(&["run", "--adapter", "python3 part.py", "ru8/tensorflow/f32/*"])
        .exits(0)
        .says("conforms: RandomUniform-8 TENSORFLOW f32");
    let score = ran
        .out
        .lines()
        .find(|line| line.starts_with("adapter/part"))
        .unwrap();
    let numbers: Vec<&str> = score.split_whitespace().collect();
    assert_eq!(numbers[1], numbers[3], "{score}");
    assert_ne!(numbers[1], "0", "{score}");
}

/// One of several machines lacks the device, and its adapter of the same name announces less.
#[cfg(unix)]
#[test]
fn claims_that_differ_between_shards_are_not_one_run() {
    let place = Place::new();
    refuses(&place);
    let shard = |number: &str, log: &str| {
        let query = "ru8/tensorflow/f32/refused-*";
        place.seedproof(&[
            "run",
            "--adapter",
            "sh refuses.sh",
            "--shard",
            number,
            "--events",
            log,
            query,
        ])
    };
    shard("1/2", "log1");
    shard("2/2", "log2");
    place.seedproof(&["report", "log1", "log2"]).exits(0);
    let claims = r#""minval":{"values":["2"]},"maxval":{"values":["2"]}"#;
    let narrower = place
        .read("refuses.sh")
        .replace(claims, r#""minval":{"values":["7"]}"#);
    place.write("refuses.sh", narrower);
    shard("2/2", "log2");
    place
        .seedproof(&["report", "log1", "log2"])
        .exits(3)
        .complains("the claims of adapter/refuses")
        .complains("0 cases");
}

#[cfg(unix)]
#[test]
fn claims_of_refusals_alone_are_no_random_test() {
    let place = Place::new();
    refuses(&place);
    let equal = place.read("refuses.sh").replace(r#"["2"]"#, r#"["NaN"]"#);
    place.write("refuses.sh", equal);
    place
        .seedproof(&["run", "--adapter", "sh refuses.sh", "--random", "40"])
        .exits(5)
        .says("this excludes no failure rate")
        .complains("no value of adapter/refuses was compared");
    place
        .seedproof(&["smoke", "--adapter", "sh refuses.sh"])
        .exits(5)
        .never_says("answered correctly, one or two of each claim");
}

#[cfg(unix)]
#[test]
fn claims_with_a_key_twice_are_refused() {
    let place = Place::new();
    mute(
        &place,
        r#"[{"op":"openvino.RandomUniform-8","alignment":["TENSORFLOW"],"alignment":["PYTORCH"]}]"#,
    );
    place
        .seedproof(&RUN)
        .exits(3)
        .complains("duplicate field `alignment`");
}

/// A server that reads JUnit alone must not be green where the exit status is 5.
#[test]
fn claims_of_too_little_are_a_fault_in_every_document() {
    let place = Place::new();
    let queries = ["ru8/pytorch/f32/spec-*", "dml/*spec*"];
    let run = ["run", "--backend", "readings/torch-2.12", "--events", "log"];
    place
        .seedproof(&[&run[..], &["--require-claimed", "99%"], &queries[..]].concat())
        .exits(5);
    let said = "`--require-claimed 99%` asks for more";
    let report = ["report", "log", "--require-claimed", "99%"];
    place
        .seedproof(&[&report[..], &["--junit", "j.xml", "--markdown", "s.md"]].concat())
        .exits(5)
        .complains(said);
    for name in ["reports/out/junit.xml", "j.xml"] {
        let junit = place.read(name);
        assert!(
            junit.contains("asks for more") && junit.contains("errors=\"1\""),
            "{junit}"
        );
    }
    assert!(place.read("s.md").contains("asks for more"));
    assert!(place.read("reports/out/index.html").contains("asks for more"));
}
