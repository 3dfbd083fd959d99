//! The Seedproof adapter protocol, version 1, from the adapter's side, a line of JSON for each message.
//!
//! Nothing but `serve` may write to standard output.
#![expect(dead_code, reason = "each op asks for other parts of a request")]

use serde_json::{json, Value};
use std::io::{BufRead, Write};
use std::ops::RangeInclusive;

/// Elements in row-major order, little-endian, each at its own width.
pub struct Tensor {
    pub dtype: String,
    pub shape: Vec<u64>,
    pub data: Vec<u8>,
}

/// Why there is no value.
pub enum Failure {
    /// The request is invalid. The kind is dtype, shape, range, attribute, probabilities, samples or state, or empty.
    Rejected(&'static str, String),
    /// The request is valid, and this implementation does not have it.
    Unsupported(&'static str),
    /// It could not be done.
    Error(String),
}

/// The outputs by their names.
pub type Outputs = Vec<(&'static str, Tensor)>;

/// One execution of one op.
pub struct Request(Value);

impl Request {
    pub fn op(&self) -> &str {
        self.0["op"].as_str().unwrap_or("")
    }

    pub fn text(&self, attribute: &str) -> &str {
        self.0["attrs"][attribute].as_str().unwrap_or("")
    }

    /// Seeds are decimal text.
    pub fn seed(&self, attribute: &str) -> u64 {
        self.text(attribute).parse().unwrap_or(0)
    }

    pub fn flag(&self, attribute: &str) -> bool {
        self.0["attrs"][attribute] == true
    }

    pub fn sizes(&self, attribute: &str) -> Vec<u64> {
        numbers(&self.0["attrs"][attribute])
    }

    pub fn execution(&self) -> u64 {
        self.0["execution"].as_u64().unwrap_or(0)
    }

    /// An attribute that is one of these names, or a refusal.
    pub fn one_of(&self, attribute: &str, names: &[&str]) -> Result<String, Failure> {
        let text = self.text(attribute);
        if names.contains(&text) {
            return Ok(text.to_owned());
        }
        let reason = format!("{attribute} is {text}: expected {}", names.join(" or "));
        Err(Failure::Rejected("attribute", reason))
    }

    /// An attribute that is a decimal string.
    pub fn number(&self, attribute: &str) -> Result<i128, Failure> {
        let number = self.text(attribute).parse();
        number.map_err(|error| Failure::Error(format!("{attribute} is no number: {error}")))
    }

    /// An optional attribute that is a decimal string.
    pub fn optional_number(&self, attribute: &str) -> Result<Option<i128>, Failure> {
        let present = !self.0["attrs"][attribute].is_null();
        present.then(|| self.number(attribute)).transpose()
    }

    /// An input of one of these types and so many extents, or a refusal.
    pub fn tensor(&self, name: &str, dtypes: &[&str], ranks: RangeInclusive<usize>) -> Result<Tensor, Failure> {
        let tensor = self.input(name)?;
        if !dtypes.contains(&tensor.dtype.as_str()) {
            let reason = format!("{name} is of {}: expected {}", tensor.dtype, dtypes.join(" or "));
            return Err(Failure::Rejected("dtype", reason));
        }
        if !ranks.contains(&tensor.shape.len()) {
            return Err(Failure::Rejected("", format!("{name} has the shape {:?}", tensor.shape)));
        }
        Ok(tensor)
    }

    /// An optional input of one of these types and so many extents, or a refusal.
    pub fn optional_tensor(
        &self,
        name: &str,
        dtypes: &[&str],
        ranks: RangeInclusive<usize>,
    ) -> Result<Option<Tensor>, Failure> {
        let present = !self.0["inputs"][name].is_null();
        present.then(|| self.tensor(name, dtypes, ranks)).transpose()
    }

    pub fn input(&self, name: &str) -> Result<Tensor, Failure> {
        let value = &self.0["inputs"][name];
        let (Some(dtype), Some(hex)) = (value["dtype"].as_str(), value["hex"].as_str()) else {
            return Err(Failure::Error(format!("no input {name}")));
        };
        let byte = |i: usize| u8::from_str_radix(hex.get(2 * i..2 * i + 2)?, 16).ok();
        let data = (0..hex.len() / 2).map(byte).collect::<Option<_>>();
        let data = data.ok_or_else(|| Failure::Error(format!("{name} is not in hexadecimal")))?;
        Ok(Tensor { dtype: dtype.to_owned(), shape: numbers(&value["shape"]), data })
    }
}

fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
}

/// Answers until the harness says goodbye.
pub fn serve(
    implementation: Value,
    capabilities: Value,
    run: impl Fn(&Request) -> Result<Outputs, Failure>,
) -> std::io::Result<()> {
    let mut lines = std::io::stdin().lock().lines();
    let mut output = std::io::stdout().lock();
    let mut send = |message: Value| {
        writeln!(output, "{message}")?;
        output.flush()
    };
    lines.next().transpose()?;
    let hello = json!({"protocol": 1, "framing": "lines", "implementation": implementation, "capabilities": capabilities});
    send(hello)?;
    for line in lines {
        let request = Request(serde_json::from_str(&line?).unwrap_or_default());
        if request.0["cmd"] == "bye" {
            break;
        }
        let mut reply = match run(&request) {
            Ok(outputs) => {
                let outputs = outputs.into_iter().map(|(name, tensor)| {
                    let hex: String = tensor.data.iter().map(|byte| format!("{byte:02x}")).collect();
                    (name.to_owned(), json!({"dtype": tensor.dtype, "shape": tensor.shape, "hex": hex}))
                });
                json!({"status": "ok", "outputs": Value::Object(outputs.collect())})
            }
            Err(Failure::Rejected("", reason)) => json!({"status": "rejected", "reason": reason}),
            Err(Failure::Rejected(kind, reason)) => json!({"status": "rejected", "kind": kind, "reason": reason}),
            Err(Failure::Unsupported(reason)) => json!({"status": "unsupported", "reason": reason}),
            Err(Failure::Error(message)) => json!({"status": "error", "message": message}),
        };
        reply["seq"] = request.0["seq"].clone();
        send(reply)?;
    }
    Ok(())
}
