//! Lines of at most 120 columns: a mapping on one line where it fits, else a key a line.

use std::fmt::Display;

use seedproof_ops::Scalar;

use seedproof_corpus::yaml::{is_plain, quoted};

/// The most columns of a line, but for a text that cannot be broken.
const WIDTH: usize = 120;

/// A value to be laid out.
pub(super) enum Node {
    /// Text as it stands in the file.
    Text(String),
    /// A list of such texts.
    Texts(Vec<String>),
    /// One element.
    Literal(Scalar),
    /// A list of elements.
    Literals(Vec<Scalar>),
    /// A mapping.
    Map(Vec<(&'static str, Node)>),
}

impl Node {
    /// The node on one line.
    pub(super) fn flow(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Texts(texts) => format!("[{}]", texts.join(", ")),
            Self::Literal(element) => literal(*element),
            Self::Literals(elements) => format!("[{}]", joined(elements, literal)),
            Self::Map(entries) => {
                let entries: Vec<String> = entries
                    .iter()
                    .map(|(key, node)| format!("{key}: {}", node.flow()))
                    .collect();
                format!("{{ {} }}", entries.join(", "))
            }
        }
    }

    /// Its elements in the order of writing.
    fn elements(&self) -> Vec<Scalar> {
        match self {
            Self::Text(_) | Self::Texts(_) => Vec::new(),
            Self::Literal(element) => vec![*element],
            Self::Literals(elements) => elements.clone(),
            Self::Map(entries) => entries.iter().flat_map(|(_, node)| node.elements()).collect(),
        }
    }
}

fn literal(element: Scalar) -> String {
    if element.dtype().is_float() {
        format!("\"{}\"", element.literal())
    } else {
        element.literal()
    }
}

/// The decimals of the floats among the elements, as a comment with a space before it; nothing if there are none.
fn decimals(elements: &[Scalar]) -> String {
    let floats: Vec<Scalar> = elements
        .iter()
        .copied()
        .filter(|element| element.dtype().is_float())
        .collect();
    if floats.is_empty() {
        String::new()
    } else {
        format!(" # {}", joined(&floats, Scalar::decimal))
    }
}

fn joined(elements: &[Scalar], text: impl Fn(Scalar) -> String) -> String {
    let texts: Vec<String> = elements.iter().map(|&element| text(element)).collect();
    texts.join(", ")
}

/// The text so far.
#[derive(Default)]
pub(super) struct Lines(Vec<String>);

impl Lines {
    pub(super) fn push(&mut self, indent: usize, line: impl AsRef<str>) {
        self.0.push(format!("{:indent$}{}", "", line.as_ref()));
    }

    pub(super) fn text(mut self) -> String {
        self.0.push(String::new());
        self.0.join("\n")
    }

    /// A list of names, unless it is empty.
    pub(super) fn names<T: Display>(&mut self, indent: usize, key: &str, names: impl Iterator<Item = T>) {
        let names: Vec<String> = names.map(|name| name.to_string()).collect();
        if !names.is_empty() {
            self.node(indent, key, &Node::Texts(names));
        }
    }

    /// A key and its value.
    pub(super) fn node(&mut self, indent: usize, key: &str, node: &Node) {
        let line = format!("{key}: {}{}", node.flow(), decimals(&node.elements()));
        if indent + line.chars().count() <= WIDTH {
            self.push(indent, line);
            return;
        }
        match node {
            Node::Text(_) | Node::Literal(_) => self.push(indent, line),
            Node::Texts(texts) => self.texts(indent, key, texts),
            Node::Literals(elements) => self.literals(indent, key, elements),
            Node::Map(entries) => {
                self.push(indent, format!("{key}:"));
                for (key, node) in entries {
                    self.node(indent + 2, key, node);
                }
            }
        }
    }

    /// A list of texts over several lines, as many on each as fit.
    fn texts(&mut self, indent: usize, key: &str, texts: &[String]) {
        self.push(indent, format!("{key}: ["));
        let mut line = String::new();
        for (i, text) in texts.iter().enumerate() {
            let end = if i + 1 == texts.len() { "]" } else { "," };
            let length = indent + 2 + line.chars().count() + 1 + text.chars().count() + end.len();
            if !line.is_empty() && length > WIDTH {
                self.push(indent + 2, std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(text);
            line.push_str(end);
        }
        self.push(indent + 2, line);
    }

    /// A list of elements over several lines with their decimals: 16, 8, 4, 2 or 1 on each, so that the words of
    /// a Philox block stay together.
    fn literals(&mut self, indent: usize, key: &str, elements: &[Scalar]) {
        let lay_out = |per_line: usize| -> Vec<String> {
            let last = elements.len().div_ceil(per_line).saturating_sub(1);
            elements
                .chunks(per_line)
                .enumerate()
                .map(|(i, chunk)| {
                    let end = if i == last { "]" } else { "," };
                    format!("{}{end}{}", joined(chunk, literal), decimals(chunk))
                })
                .collect()
        };
        let fits = |lines: &Vec<String>| {
            lines
                .iter()
                .all(|line| indent + 2 + line.chars().count() <= WIDTH)
        };
        let lines = [16, 8, 4, 2]
            .into_iter()
            .map(lay_out)
            .find(fits)
            .unwrap_or_else(|| lay_out(1));
        self.push(indent, format!("{key}: ["));
        for line in lines {
            self.push(indent + 2, line);
        }
    }

    /// A sentence: plain and broken between words where that reads back as the same, else in quotes.
    pub(super) fn note(&mut self, indent: usize, note: &str) {
        if !is_plain(note) {
            self.push(indent, format!("note: {}", quoted(note)));
            return;
        }
        let mut line = "note:".to_owned();
        let mut indent = indent;
        for word in note.split(' ') {
            let starts_plainly = word.starts_with(|c: char| c.is_ascii_alphabetic());
            if starts_plainly && indent + line.chars().count() + 1 + word.chars().count() > WIDTH {
                self.push(indent, &line);
                line.clear();
                indent = 6;
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.push(indent, line);
    }
}
