//! One mistake, as a file has it.

use crate::reading::Reading;

/// A programming mistake: a reading with one wrong answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// A unique name: parts of `a-z 0-9`, set apart by `-`.
    pub id: String,
    /// The clause that it departs from; empty for a mistake that a user brought without one.
    pub clause: String,
    /// The reading that it is made to, where it changes nothing that `spec` says: an op that `spec` leaves open. `None` for a
    /// mistake that is made to any.
    pub reading: Option<String>,
    /// The erratum whose adopted answer it contradicts.
    pub erratum: Option<String>,
    /// The programmer's slip, in one sentence.
    pub sentence: String,
    /// The instruction that fixes it, in one sentence.
    pub fix: String,
    /// The questions that it answers wrongly, with these answers.
    pub(crate) answers: Vec<(String, String)>,
}

impl Mistake {
    /// Makes the mistake to a reading.
    pub fn make(&self, reading: &mut Reading) {
        for (question, answer) in &self.answers {
            reading
                .answer(question, answer)
                .expect("the answers were checked when the file was read");
        }
    }
}
